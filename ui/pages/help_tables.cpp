// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/help_tables.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/utilization.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/parameter_groups.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/preferences.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <array>

namespace headroom::ui
{
namespace
{

#define TEXT(words) QT_TRANSLATE_NOOP("headroom::ui", words)

QString headOf(std::initializer_list<const char*> columns)
{
    QString line = QStringLiteral("|"), rule = QStringLiteral("|");
    for (const char* column : columns) {
        line += u' ' + tr(column) + QStringLiteral(" |");
        rule += QStringLiteral("---|");
    }
    return line + u'\n' + rule + u'\n';
}

QString rowOf(const QStringList& cells)
{
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

QString words(std::string_view text)
{
    return markdownText(toQString(say(text)));
}

/// "Training", "inference" or both, for rows of either.
QString tasks(bool training, bool inference)
{
    return training && inference ? tr("both") : training ? tr("training") : tr("inference");
}

QString pages()
{
    QString text = headOf({TEXT("page"), TEXT("keys"), TEXT("what one does there")});
    int number = 0;
    for (const PageRow& row : pageRegistry()) {
        text += rowOf({QStringLiteral("[%1](page:%2)").arg(pageWords(row.title), QLatin1String(row.id)),
                       QStringLiteral("Ctrl+%1").arg(++number), markdownText(pageWords(row.tip))});
    }
    return text;
}

QString preferences()
{
    QString text = headOf({TEXT("preference"), TEXT("choices"), TEXT("note")});
    for (const PreferenceRow& row : preferenceRegistry()) {
        const auto said = [](const char* words) { return PreferencesDialog::tr(words); };
        QStringList choices;
        for (const PreferenceChoice& each : row.choices)
            choices << choiceWords(each);
        text += rowOf({said(row.label).remove(u'&'), markdownText(choices.join(QStringLiteral(", "))),
                       markdownText(said(row.hint))});
    }
    return text;
}

/// "1 to 1,024 sequences", or the names of the choices.
QString valuesOf(const ParameterRow& row)
{
    if (row.kind == ParameterKind::Toggle)
        return tr("on, off");
    if (row.kind == ParameterKind::Choice) {
        QStringList names;
        for (const ParameterChoice& choice : row.choices)
            names << toQString(say(choice.label));
        return names.join(QStringLiteral("; ")); // some names have a comma
    }
    static const QRegularExpression unit(QStringLiteral("[ \\x{202F}\\x{A0}].*$"));
    QString low = toQString(parameterText(row, row.minimum));
    const QString high = toQString(parameterText(row, row.maximum));
    const QString several = toQString(parameterText(row, 2 * row.minimum)); // "1 token" and "2 tokens" are one unit
    if (unit.match(several).captured() == unit.match(high).captured())      // it stands behind the second
        low.remove(unit);
    return tr("%1 to %2").arg(low, high);
}

QString parameters()
{
    QString text;
    for (const ParameterGroupRow& group : parameterGroups()) {
        text += QStringLiteral("### %1\n").arg(groupTitle(group)) +
                headOf({TEXT("parameter"), TEXT("values"), TEXT("task"), TEXT("what it is")});
        for (const ParameterRow& row : parameterRegistry())
            if (row.group == group.group)
                text += rowOf({words(row.label), markdownText(valuesOf(row)), tasks(row.training, row.inference),
                               words(row.description)});
        text += u'\n';
    }
    return text.trimmed() + u'\n';
}

QString charts()
{
    QString text = headOf({TEXT("chart"), TEXT("task"), TEXT("what it shows")});
    for (const ChartRow& row : chartRegistry())
        text += rowOf({words(row.title), tasks(row.training, row.inference), words(row.description)});
    return text;
}

QString metrics()
{
    QString text = headOf({TEXT("metric"), TEXT("task"), TEXT("what it is"), TEXT("formula")});
    for (const MetricRow& row : metricRegistry())
        text += rowOf({(row.tile ? QStringLiteral("● ") : QString()) + words(row.longName),
                       tasks(row.training, row.inference), words(row.definition), words(row.formula)});
    return text;
}

QString conventions()
{
    QString text = headOf({TEXT("convention"), TEXT("FLOP a token of a step"), TEXT("used by")});
    for (const ConventionRow& row : conventionTable())
        text += rowOf({words(row.label), words(row.formula), words(row.usedBy)});
    return text;
}

QString keys()
{
    QString text = headOf({TEXT("keys"), TEXT("command"), TEXT("what it does")});
    int number = 0;
    for (const PageRow& row : pageRegistry()) {
        text +=
            rowOf({QStringLiteral("Ctrl+%1").arg(++number), pageWords(row.title), markdownText(pageWords(row.tip))});
    }
    for (const CommandWords& command : Actions::words())
        if (!command.keys.isEmpty())
            text += rowOf({markdownText(QKeySequence::listToString(command.keys, QKeySequence::NativeText)
                                            .replace(QStringLiteral("; "), tr(" or "))),
                           markdownText(command.text), markdownText(command.tip)});
    return text;
}

QString lessons()
{
    QString text;
    int number = 0;
    for (const Lesson& lesson : builtInLessons(Catalog::builtIn(), toUtf8(Language::current())))
        text += QStringLiteral("%1. %2\n").arg(++number).arg(words(lesson.title));
    return text;
}

struct TableRow {
    const char* name;
    QString (*make)();
};
constexpr std::array<TableRow, 8> tables{{{"pages", pages},
                                          {"preferences", preferences},
                                          {"parameters", parameters},
                                          {"charts", charts},
                                          {"metrics", metrics},
                                          {"conventions", conventions},
                                          {"keys", keys},
                                          {"lessons", lessons}}};

#undef TEXT

} // namespace

QStringList helpTableNames()
{
    QStringList names;
    for (const TableRow& row : tables)
        names << QLatin1String(row.name);
    return names;
}

QString helpTable(const QString& name)
{
    for (const TableRow& row : tables)
        if (name == QLatin1String(row.name))
            return row.make();
    return {};
}

QString markdownText(const QString& text)
{
    QString out;
    for (const QChar letter : text) {
        if (QStringLiteral("\\`*_[]<>|#").contains(letter))
            out += u'\\';
        out += letter;
    }
    return out;
}

} // namespace headroom::ui
