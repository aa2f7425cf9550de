// SPDX-License-Identifier: GPL-3.0-or-later
// PopupCard: a card that stands over the window until something is chosen or clicked elsewhere; its corners are cut.
#pragma once

#include "ui/widgets/card.hpp"

#include <functional>

namespace headroom::ui
{

class PopupCard : public Card
{
    Q_OBJECT

public:
    explicit PopupCard(QWidget* parent);

protected:
    /// What a key does that is pressed in the field over `list`: it walks the list, closes the card, or `choose`s.
    /// False: it is none of these.
    bool steer(QEvent* event, QWidget* list, const std::function<void()>& choose);
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace headroom::ui
