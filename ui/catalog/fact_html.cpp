// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/fact_html.hpp"

#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/panels/explanation_html.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

QString escaped(std::string_view text)
{
    return toRichText(text);
}

/// Words of the catalogue's files in the language in force; the user's own are in no table and stay as they are.
QString spoken(std::string words)
{
    std::replace(words.begin(), words.end(), '_', ' '); // "memory_bandwidth"
    return toQString(say(words));
}

/// A source that names a repository at a commit, or a page, is a link to it; the rest is words.
QString linked(const QString& source, const Theme& theme)
{
    static const QRegularExpression atCommit(QStringLiteral("^([\\w.-]+/[\\w.-]+)@([0-9a-f]{7,40})(?: ([\\w./+-]+))?")),
        fileAtCommit(QStringLiteral("^(.* in )?([\\w.-]+/[\\w.-]+) ([\\w./+-]+)@([0-9a-f]{7,40})")),
        page(QStringLiteral("^(?:https?://)?((?:[\\w-]+\\.)+[a-z]{2,}/[\\w./%+-]+)"));
    const auto link = [&](const QString& url, const QString& words, qsizetype length) {
        return QStringLiteral("<a href='%1' style='color:%2'>%3</a>%4")
            .arg(url.toHtmlEscaped(), theme.accent.name(), words.toHtmlEscaped(), source.mid(length).toHtmlEscaped());
    };
    if (const auto match = atCommit.match(source); match.hasMatch()) {
        const bool file = match.captured(3).contains(u'.');
        QString path = QLatin1String(file ? "/blob/" : "/tree/") + match.captured(2);
        if (file)
            path += u'/' + match.captured(3);
        return link(QStringLiteral("https://github.com/") + match.captured(1) + path, match.captured(),
                    match.capturedLength());
    }
    if (const auto match = fileAtCommit.match(source); match.hasMatch())
        return link(QStringLiteral("https://github.com/") + match.captured(2) + QStringLiteral("/blob/") +
                        match.captured(4) + u'/' + match.captured(3),
                    match.captured(), match.capturedLength());
    if (const auto match = page.match(source); match.hasMatch())
        return link(QStringLiteral("https://") + match.captured(1), match.captured(), match.capturedLength());
    return source.toHtmlEscaped();
}

/// Sources in the order in which they are first named.
class SourceList
{
public:
    /// "[3]" with a link to the list below; nothing for no source.
    QString reference(const std::string& source, const Theme& theme)
    {
        if (source.empty())
            return {};
        const QString text = toQString(source);
        if (!m_sources.contains(text))
            m_sources << text;
        return QStringLiteral("&nbsp;<a href='#source%1' style='text-decoration:none;color:%2'><sup>%1</sup></a>")
            .arg(m_sources.indexOf(text) + 1)
            .arg(theme.accent.name());
    }
    [[nodiscard]] QString html(const Theme& theme) const
    {
        QString html;
        for (qsizetype i = 0; i < m_sources.size(); ++i)
            html += QStringLiteral("<p style='margin:3px 0;color:%1;font-size:small'><a name='source%2'></a>%2. %3</p>")
                        .arg(theme.muted.name())
                        .arg(i + 1)
                        .arg(linked(m_sources[i], theme));
        return html;
    }

private:
    QStringList m_sources;
};

QString bullet(const QString& html, const Theme& theme)
{
    return QStringLiteral("<p style='margin:3px 0;color:%1;font-size:small'>%2</p>").arg(theme.muted.name(), html);
}

const Accelerator& entryOf(const std::shared_ptr<const Accelerator>& entry)
{
    return *entry;
}
const ModelEntry& entryOf(const ModelEntry& entry)
{
    return entry;
}

std::string sourceOf(const FactRow<Accelerator>& row, const Accelerator& entry)
{
    return factSource(row, entry);
}
std::string sourceOf(const FactRow<ModelEntry>&, const ModelEntry&)
{
    return {}; // one for the whole model, named below
}

/// A fact of a device may be unpublished; a part that a model lacks does not exist.
QString missing(const Accelerator&)
{
    return tr("none known");
}
QString missing(const ModelEntry&)
{
    return tr("none");
}

constexpr int labelShare = 24; ///< of the width, per cent, where entries stand side by side

QString titleHtml(const QString& name)
{
    return QStringLiteral("<p style='margin-bottom:0'><b style='font-size:large'>%1</b></p>").arg(name);
}

/// Over the columns; a single entry has its name as the title.
QString nameRow(const std::vector<QString>& names, const Theme& theme)
{
    if (names.size() == 1)
        return {};
    QString html = QStringLiteral("<tr><td></td>");
    for (const QString& name : names)
        html += QStringLiteral("<td style='padding:3px 8px 0 0;color:%1'><b>%2</b></td>").arg(theme.text.name(), name);
    return html + QStringLiteral("</tr>");
}

template <typename Held, typename Entry>
QString factTable(const std::vector<Held>& entries, const std::vector<QString>& names,
                  std::span<const FactRow<Entry>> rows, SourceList& sources, const Theme& theme)
{
    const int columns = static_cast<int>(entries.size());
    const int share = columns == 1 ? 50 : (100 - labelShare) / columns;
    QString html = QStringLiteral("<table width='98%' cellspacing='0' cellpadding='0'>") + nameRow(names, theme);
    std::string_view group;
    for (const FactRow<Entry>& row : rows) {
        std::vector<std::optional<double>> values;
        QStringList texts;
        for (const Held& entry : entries) {
            texts << toQString(factText(row, entryOf(entry)));
            values.push_back(row.number ? row.number(entryOf(entry)) : std::nullopt);
        }
        if (texts.join(QString()).isEmpty())
            continue;
        if (row.group != group) {
            group = row.group;
            html += QStringLiteral("<tr><td colspan='%1' style='padding:12px 0 2px 0;color:%2;font-size:small'>"
                                   "<b>%3</b></td></tr>")
                        .arg(columns + 1)
                        .arg(theme.muted.name(), toQString(say(group)).toUpper().toHtmlEscaped());
        }
        html += QStringLiteral("<tr><td width='%1%' style='color:%2;padding:3px 8px 0 0'>%3</td>")
                    .arg(100 - columns * share)
                    .arg(theme.muted.name(), escaped(say(row.label)));
        const auto best = bestOf(row.order, values);
        for (qsizetype i = 0; i < texts.size(); ++i) {
            QString text = texts[i].isEmpty() ? QStringLiteral("<span style='color:%1'>%2</span>")
                                                    .arg(theme.muted.name(), missing(entryOf(entries.front())))
                                              : toRichText(texts[i]);
            if (best == static_cast<std::size_t>(i)) // bold and a mark: not by colour alone
                text = QStringLiteral("<b>%1</b>&nbsp;<span style='color:%2'>✓</span>").arg(text, theme.good.name());
            if (!texts[i].isEmpty())
                text += sources.reference(sourceOf(row, entryOf(entries[static_cast<std::size_t>(i)])), theme);
            html += QStringLiteral("<td width='%1%' style='padding:3px 8px 0 0'>%2</td>").arg(share).arg(text);
        }
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

QString nameOf(const std::string& name, bool custom, const Theme& theme)
{
    const QString words = escaped(name);
    return custom ? QStringLiteral("%1 <span style='color:%2;font-size:small;font-weight:400'>%3</span>")
                        .arg(words, theme.muted.name(), tr("yours"))
                  : words;
}

QString measuredHtml(const Accelerator& a, SourceList& sources, const Theme& theme)
{
    QString html;
    for (const MeasuredRate& rate : a.measured) {
        QString line = QStringLiteral("%1 %2: %3 %4")
                           .arg(spoken(rate.quantity), toQString(rate.dataType), toQString(numberText(rate.value)),
                                toQString(rate.unit));
        if (rate.fractionOfPeak)
            line += tr(" (%1 of rated)").arg(toQString(percentText(*rate.fractionOfPeak)));
        if (!rate.note.empty())
            line += QStringLiteral(" · ") + toQString(say(rate.note));
        html += bullet(line.toHtmlEscaped() + sources.reference(rate.source, theme), theme);
    }
    return html.isEmpty() ? html : headingHtml(tr("Measured"), theme) + html;
}

QString alternatesHtml(const Accelerator& a, SourceList& sources, const Theme& theme)
{
    QString html;
    for (const PeakAlternate& other : a.peakAlternates)
        html += bullet(
            QStringLiteral("%1 TFLOP/s: %2")
                    .arg(toQString(withLocalMark(toUtf8(QString::number(other.tflops)))), toQString(say(other.why)))
                    .toHtmlEscaped() +
                sources.reference(other.source, theme),
            theme);
    return html.isEmpty() ? html : headingHtml(tr("Other BF16 peaks in print"), theme) + html;
}

QString notesHtml(const std::vector<std::string>& notes, const Theme& theme)
{
    QString html;
    for (const std::string& note : notes)
        html += bullet(escaped(say(note)), theme);
    return html.isEmpty() ? html : headingHtml(tr("Notes"), theme) + html;
}

QString publishedHtml(const ModelArchitecture& m, const Theme& theme)
{
    QString html;
    for (const PublishedCount& count : m.published) {
        QString line = QStringLiteral("%1 %2, %3")
                           .arg(spoken(count.what), toQString(formatText(count.value, ValueFormat::Parameters)),
                                spoken(count.kind));
        if (!count.basis.empty())
            line += tr(" = our %1").arg(toQString(count.basis));
        html += bullet(line.toHtmlEscaped() + QStringLiteral("<br>") + linked(toQString(count.source), theme), theme);
    }
    return html.isEmpty() ? html : headingHtml(tr("Published counts"), theme) + html;
}

template <typename Entry>
QString changeTable(const QStringList& ids, std::span<const FactRow<Entry>> rows, const Entry& from, const Entry& to,
                    const Theme& theme)
{
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='3'><tr><td></td><td style='color:%1'>%2</td>"
                                  "<td style='color:%1'>%3</td><td></td></tr>")
                       .arg(theme.muted.name(), tr("now"), tr("from"));
    for (const FactRow<Entry>& row : rows) {
        if (!ids.contains(toQString(row.id)))
            continue;
        const QString now = toQString(factText(row, to)), before = toQString(factText(row, from));
        if (now.isEmpty() && before.isEmpty())
            continue;
        const auto a = row.number ? row.number(from) : std::nullopt, b = row.number ? row.number(to) : std::nullopt;
        const bool moved = a && b && *a > 0 && std::abs(*b / *a - 1) > 0.005;
        const QString ratio = moved ? QStringLiteral("%1×").arg(toQString(numberText(*b / *a))) : QString();
        html +=
            QStringLiteral("<tr><td style='color:%1'>%2</td><td>%3</td><td style='color:%1'>%4</td><td>%5</td></tr>")
                .arg(theme.muted.name(), escaped(say(row.label)),
                     now == before ? toRichText(now) : QStringLiteral("<b>%1</b>").arg(toRichText(now)),
                     toRichText(before), ratio);
    }
    return html + QStringLiteral("</table>");
}

} // namespace

QString factHtml(const std::vector<std::shared_ptr<const Accelerator>>& entries, const Theme& theme)
{
    if (entries.empty())
        return {};
    std::vector<QString> names;
    for (const auto& a : entries)
        names.push_back(nameOf(a->name, a->custom, theme));
    SourceList sources;
    QString html = (names.size() == 1 ? titleHtml(names.front()) : QString()) +
                   factTable(entries, names, acceleratorFacts(), sources, theme);
    if (entries.size() == 1) {
        const Accelerator& a = *entries.front();
        html += alternatesHtml(a, sources, theme) + measuredHtml(a, sources, theme) + notesHtml(a.notes, theme);
    }
    const QString list = sources.html(theme);
    return list.isEmpty() ? html : html + headingHtml(tr("Sources"), theme) + list;
}

QString factHtml(const std::vector<ModelEntry>& entries, const Theme& theme)
{
    if (entries.empty())
        return {};
    std::vector<QString> names;
    for (const ModelEntry& entry : entries)
        names.push_back(nameOf(entry.model->name, entry.model->custom, theme));
    SourceList sources;
    QString html = (names.size() == 1 ? titleHtml(names.front()) : QString()) +
                   factTable(entries, names, modelFacts(), sources, theme);
    if (entries.size() == 1) {
        const ModelArchitecture& m = *entries.front().model;
        if (!m.exact)
            html += bullet(tr("Counted as Llama-like: the family is not known, the figures may be off."), theme);
        html += publishedHtml(m, theme) + notesHtml(m.warnings, theme);
        if (!m.notes.empty())
            html += notesHtml({m.notes}, theme);
    }
    html += headingHtml(tr("Sources"), theme);
    for (const ModelEntry& entry : entries)
        if (!entry.model->source.empty())
            html += bullet((entries.size() > 1 ? escaped(entry.model->name) + QStringLiteral(": ") : QString()) +
                               linked(toQString(entry.model->source), theme),
                           theme);
    return html;
}

QString changeHtml(const QStringList& ids, const Accelerator& from, const Accelerator& to, const Theme& theme)
{
    return changeTable(ids, acceleratorFacts(), from, to, theme);
}

QString changeHtml(const QStringList& ids, const ModelEntry& from, const ModelEntry& to, const Theme& theme)
{
    return changeTable(ids, modelFacts(), from, to, theme);
}

} // namespace headroom::ui
