// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/fact_panel.hpp"

#include "ui/catalog/catalog_list.hpp"
#include "ui/catalog/fact_html.hpp"
#include "ui/theme/text_style.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QLabel>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headroom::ui
{

FactPanel::FactPanel(QWidget* parent) : Card(parent), m_browser(new QTextBrowser), m_hint(new QLabel)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 2, 8);
    column->setSpacing(2);
    m_browser->setVerticalScrollBar(new ThinScrollBar);
    m_browser->setHorizontalScrollBar(new ThinScrollBar(Qt::Horizontal));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenExternalLinks(true);
    m_browser->viewport()->setAutoFillBackground(false);
    m_browser->setAccessibleName(tr("Facts of what is selected"));
    setTextStyle(m_hint, TextStyle::Caption);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(6, 0, 6, 0);
    column->addWidget(m_browser, 1);
    column->addWidget(m_hint);
    setMinimumWidth(300);
}

int FactPanel::show(const CatalogList& list)
{
    const QStringList ids = list.sideBySide();
    const Theme& theme = themeOf(palette());
    if (list.kind() == CatalogKind::Models) {
        std::vector<ModelEntry> entries;
        for (const QString& id : ids)
            entries.push_back(list.modelAt(id));
        m_browser->setHtml(factHtml(entries, theme));
    } else {
        std::vector<std::shared_ptr<const Accelerator>> entries;
        for (const QString& id : ids)
            entries.push_back(list.acceleratorAt(id));
        m_browser->setHtml(factHtml(entries, theme));
    }
    const qsizetype selected = list.selected().size();
    m_hint->setText(selected > ids.size() ? tr("The first four of %1 that are selected").arg(selected)
                                          : tr("Ctrl+click or Shift+arrow: up to four side by side"));
    constexpr int oneLines = 25, eachLines = 9; // of type
    const int line = fontMetrics().height(), one = std::max(380, oneLines * line),
              each = std::max(135, eachLines * line);
    return one + (std::max(1, static_cast<int>(ids.size())) - 1) * each;
}

} // namespace headroom::ui
