// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explanation_html.hpp"

#include "core/scenario/parameter_registry.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"

#include <cmath>

namespace headroom::ui
{
namespace
{

/// From here on a whole number is read as a power of ten, not digit by digit.
constexpr double scientificFrom = 1e7;

/// So many letters have room in the column of values, 36 % of the panel's least width of 290 pixels.
constexpr qsizetype lettersOfValueColumn = 11;

bool isCount(ValueFormat format)
{
    return format == ValueFormat::Integer || format == ValueFormat::Plain;
}

/// "1.62 × 10¹²"
QString powerText(double value)
{
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return QStringLiteral("%1&nbsp;×&nbsp;10<sup>%2</sup>")
        .arg(toQString(numberText(value / std::pow(10.0, exponent))))
        .arg(exponent);
}

QString valueText(const DerivationStep& step)
{
    const ParameterRow* row = parameterRow(step.parameterId);
    if (row) {
        QString text = toQString(parameterText(*row, step.value));
        // "4,608 sequences" is wider than its column: it breaks before the unit, not within the number, whose groups a
        // language may part by the same space. "8 GPUs" has room and stays together.
        const qsizetype unit = text.lastIndexOf(QChar(0x202F));
        if (unit >= 0 && !row->unit.empty() && text.size() > lettersOfValueColumn)
            text[unit] = u' ';
        return toRichText(text);
    }
    QString html = std::abs(step.value) >= scientificFrom && isCount(step.format)
                       ? powerText(step.value)
                       : toRichText(formatText(step.value, step.format));
    if (!step.unit.empty())
        html += QStringLiteral("&nbsp;") + toRichText(step.unit);
    return QStringLiteral("<nobr>%1</nobr>").arg(html);
}

/// What a step is and its value beside it.
QString stepRow(const DerivationStep& step, const Theme& theme, const QString& marked, bool result)
{
    const QString id = toQString(step.parameterId);
    QString name = toRichText(step.name);
    if (!step.symbol.empty() && step.symbol != step.name)
        name += QStringLiteral(" <i>%1</i>").arg(toRichText(step.symbol));
    QString value = valueText(step);
    if (!id.isEmpty())
        value = linkHtml(QStringLiteral("param:") + id, value, theme);
    if (result)
        value = QStringLiteral("<b>%1</b>").arg(value);
    const QString back = !id.isEmpty() && id == marked
                             ? QStringLiteral(" bgcolor='%1'").arg(theme.tint(theme.accent).name())
                             : QString();
    // Both widths are said: Qt gives a column without one twice what its longest word needs.
    return QStringLiteral("<tr><td%1 width='64%' style='color:%2;padding:4px 8px 0 0'>%3</td>"
                          "<td%1 width='36%' align='right' style='padding:4px 0 0 0'>%4</td></tr>")
        .arg(back, theme.muted.name(), name, value);
}

/// How a step came about; empty where it is given.
QString formulaHtml(const DerivationStep& step, const Theme& theme)
{
    const std::string& how = step.substituted.empty() ? step.formula : step.substituted;
    if (how.empty())
        return {};
    return QStringLiteral("<p style='margin-top:0;margin-bottom:0;font-size:small'>"
                          "<span style='color:%1'>%2</span>%3</p>")
        .arg(theme.muted.name(), step.substituted.empty() ? QString() : toRichText(step.formula),
             QStringLiteral(" = ") + toRichText(how));
}

/// The steps in tables that end at each formula: within one a long formula would take the room from the names.
QString stepsHtml(const std::vector<DerivationStep>& steps, const Theme& theme, const QString& marked)
{
    QString html, rows;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        rows += stepRow(steps[i], theme, marked, i + 1 == steps.size());
        const QString formula = formulaHtml(steps[i], theme);
        if (formula.isEmpty() && i + 1 < steps.size())
            continue;
        html += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0'>") + rows +
                QStringLiteral("</table>") + formula;
        rows.clear();
    }
    return html;
}

QString bulletList(const std::vector<std::string>& lines, const Theme& theme)
{
    QString html;
    for (const std::string& line : lines)
        html += QStringLiteral("<p style='margin-top:2px;margin-bottom:2px;color:%1;font-size:small'>%2</p>")
                    .arg(theme.muted.name(), toRichText(line));
    return html;
}

} // namespace

QString headingHtml(const QString& text, const Theme& theme)
{
    return QStringLiteral("<p style='margin-top:14px;margin-bottom:2px;color:%1;font-size:small'><b>%2</b></p>")
        .arg(theme.muted.name(), toRichText(text.toUpper()));
}

QString linkHtml(const QString& target, const QString& html, const Theme& theme)
{
    return QStringLiteral("<a href='%1' style='text-decoration:none;color:%2'>%3</a>")
        .arg(target, theme.accent.name(), html);
}

QString explanationHtml(const Derivation& derivation, const QString& asides, const Theme& theme, const QString& marked)
{
    QString html = QStringLiteral("<p style='margin-bottom:4px'><b style='font-size:large'>%1</b></p>")
                       .arg(toRichText(derivation.title));
    if (!derivation.statement.empty())
        html += QStringLiteral("<p style='margin-top:4px;margin-bottom:4px'><b>%1</b></p>")
                    .arg(toRichText(derivation.statement));
    if (!derivation.meaning.empty())
        html += QStringLiteral("<p style='margin-top:4px;margin-bottom:8px;color:%1'>%2</p>")
                    .arg(theme.muted.name(), toRichText(derivation.meaning));
    html += stepsHtml(derivation.steps, theme, marked);
    if (!derivation.whatToChange.empty())
        html += QStringLiteral("<p style='margin-top:10px'>%1</p>").arg(toRichText(derivation.whatToChange));
    html += asides;
    if (!derivation.assumptions.empty())
        html += headingHtml(tr("Assumptions"), theme) + bulletList(derivation.assumptions, theme);
    if (!derivation.sources.empty())
        html += headingHtml(tr("Sources"), theme) + bulletList(derivation.sources, theme);
    return html;
}

} // namespace headroom::ui
