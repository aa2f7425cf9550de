// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/glossary_page.hpp"

#include "core/explain/glossary.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/explanation_html.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QEvent>
#include <QLineEdit>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

/// Every word somewhere in the entry.
bool holds(const GlossaryEntry& entry, const QString& query)
{
    const QString all = toQString(entry.title + ' ' + entry.definition + ' ' + entry.formula + ' ' + entry.mistake);
    for (const QString& word : query.split(u' ', Qt::SkipEmptyParts))
        if (!all.contains(word, Qt::CaseInsensitive))
            return false;
    return true;
}

} // namespace

GlossaryPage::GlossaryPage(QWidget* parent) : QWidget(parent), m_field(new QLineEdit), m_browser(new QTextBrowser)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_field->setPlaceholderText(tr("Search the terms"));
    m_field->setAccessibleName(tr("Search the glossary"));
    m_field->setClearButtonEnabled(true);
    m_field->setMaximumWidth(420);
    column->addWidget(m_field);
    auto* card = new Card;
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 8, 2, 8);
    layout->addWidget(m_browser);
    column->addWidget(card, 1);
    makeQuiet(*m_browser);
    m_browser->setAccessibleName(tr("Terms"));
    connect(m_field, &QLineEdit::textChanged, this, &GlossaryPage::render);
    connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("metric"))
            emit metricRequested(link.path());
        else if (link.scheme() == QLatin1String("chart"))
            emit chartRequested(link.path());
        else
            emit parameterRequested(link.path());
    });
}

QString GlossaryPage::text() const
{
    return m_browser->toPlainText();
}

void GlossaryPage::showMetric(const QString& metricId)
{
    if (const auto entry = glossaryEntryOfMetric(toUtf8(metricId)))
        m_field->setText(toQString(entry->title));
}

void GlossaryPage::showParameter(const QString& parameterId)
{
    if (const auto entry = glossaryEntryOfParameter(toUtf8(parameterId)))
        m_field->setText(toQString(entry->title));
}

void GlossaryPage::showTerm(const QString& termId)
{
    if (const GlossaryTerm* term = glossaryTerm(toUtf8(termId)))
        m_field->setText(toQString(term->term));
}

void GlossaryPage::showEntry(const QString& entryId)
{
    if (const auto entry = glossaryEntry(toUtf8(entryId)))
        m_field->setText(toQString(entry->title));
}

void GlossaryPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        render();
}

void GlossaryPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_browser->document()->isEmpty())
        render();
}

void GlossaryPage::render()
{
    const Theme& colours = themeOf(palette());
    const QString query = m_field->text();
    std::vector<GlossaryEntry> entries = glossaryEntries();
    std::erase_if(entries, [&query](const GlossaryEntry& entry) { return !holds(entry, query); });
    // What is called that comes first, then what a longer name begins with it, then what mentions it.
    std::ranges::stable_sort(entries, {}, [&query](const GlossaryEntry& entry) {
        const QString title = toQString(entry.title);
        return query.isEmpty() || title.compare(query, Qt::CaseInsensitive) == 0 ? 0
               : title.startsWith(query, Qt::CaseInsensitive)                    ? 1
                                                                                 : 2;
    });
    QString html;
    const auto line = [&](const QString& style, const QString& text) {
        html += QStringLiteral("<p style='margin-top:0;margin-bottom:2px;%1'>%2</p>").arg(style, text);
    };
    const QString muted = QStringLiteral("color:") + colours.muted.name();
    for (const GlossaryEntry& entry : entries) {
        const QString target = !entry.parameterId.empty() ? QStringLiteral("parameter:") + toQString(entry.parameterId)
                               : !entry.metricId.empty()  ? QStringLiteral("metric:") + toQString(entry.metricId)
                               : !entry.chartId.empty()   ? QStringLiteral("chart:") + toQString(entry.chartId)
                                                          : QString();
        QString head = QStringLiteral("<b>%1</b>").arg(toRichText(entry.title));
        if (!target.isEmpty())
            head += QStringLiteral(" &nbsp; ") + linkHtml(target, tr("show").toHtmlEscaped(), colours);
        html += QStringLiteral("<div style='margin-top:14px'></div>");
        line(QString(), head);
        line(QString(), toRichText(entry.definition));
        if (!entry.formula.empty())
            line(muted, toRichText(entry.formula));
        if (!entry.mistake.empty())
            line(muted, tr("Often mistaken: %1").arg(toRichText(entry.mistake)));
    }
    if (entries.empty())
        line(muted, tr("No term has all of these words.").toHtmlEscaped());
    m_browser->setHtml(html);
    // Screen readers speak it while one types.
    m_field->setAccessibleDescription(query.isEmpty()   ? m_field->placeholderText()
                                      : entries.empty() ? tr("No term has all of these words.")
                                                        : tr("Terms found: %1").arg(entries.size()));
}

} // namespace headroom::ui
