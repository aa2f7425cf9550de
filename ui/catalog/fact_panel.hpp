// SPDX-License-Identifier: GPL-3.0-or-later
// FactPanel: the facts of what is selected in the catalogue, up to four entries side by side.
#pragma once

#include "ui/widgets/card.hpp"

class QLabel;
class QTextBrowser;

namespace headroom::ui
{

class CatalogList;

class FactPanel final : public Card
{
    Q_OBJECT

public:
    explicit FactPanel(QWidget* parent = nullptr);

    /// Shows what is selected there; the width it would like for it.
    int show(const CatalogList& list);
    using Card::show;
    [[nodiscard]] QTextBrowser* browser() const { return m_browser; }

private:
    QTextBrowser* m_browser;
    QLabel* m_hint;
};

} // namespace headroom::ui
