// SPDX-License-Identifier: GPL-3.0-or-later
// PopupCard: a card that stands over the window until something is chosen or clicked elsewhere; its corners are cut.
#pragma once

#include "ui/widgets/card.hpp"

namespace headroom::ui
{

class PopupCard : public Card
{
    Q_OBJECT

public:
    explicit PopupCard(QWidget* parent);

protected:
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace headroom::ui
