// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/palette_entries.hpp"

#include "core/explain/glossary.hpp"
#include "core/lessons/lesson_length.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/explainer.hpp"
#include "ui/parameters/catalog_entries.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/catalog_picker.hpp"

namespace headroom::ui
{
namespace
{

using Entries = std::vector<PaletteEntry>;

/// Commands and pages: whatever the window has as an action that can run now.
void addActions(Entries& entries, const PaletteSources& from)
{
    for (QAction* action : from.actions) {
        if (!action->isEnabled())
            continue;
        const bool page = action->objectName().startsWith(QLatin1String("page."));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        QStringList detail{action->statusTip()};
        if (!keys.isEmpty())
            detail << keys;
        entries.push_back({QString(action->text()).remove(u'&'), page ? tr("page") : tr("command"),
                           detail.join(QStringLiteral(" · ")), [action] { action->trigger(); }});
    }
}

void addCharts(Entries& entries, const PaletteSources& from)
{
    const Task task = from.session.store.scenario().task;
    for (const ChartRow& row : chartRegistry())
        if (appliesTo(row, task))
            entries.push_back(
                {toQString(say(row.title)), tr("chart"), toQString(say(row.description)),
                 [&pages = from.pages, &row] { pages.show<DashboardPage>().showLarge(toQString(row.id)); }});
}

void addCatalog(Entries& entries, const PaletteSources& from)
{
    ScenarioStore& store = from.session.store;
    const Catalog& catalog = from.session.recalculator.catalog();
    for (const PickerEntry& model : modelSearch(catalog)(QString()))
        entries.push_back({model.name, tr("model"), model.facts, [&store, &catalog, model] {
                               if (const auto entry = catalog.model(toUtf8(model.id)))
                                   store.chooseModel(tr("Model %1").arg(model.name), {entry->id, {}}, *entry);
                           }});
    for (const PickerEntry& device : acceleratorSearch(catalog)(QString()))
        entries.push_back({device.name, tr("accelerator"), device.facts, [&store, device] {
                               store.chooseAccelerator(tr("Accelerator %1").arg(device.name), device.id);
                           }});
}

void addParameters(Entries& entries, const PaletteSources& from)
{
    ParameterPanel& panel = from.parameters;
    const Setup& setup = from.session.store.scenario();
    for (const ParameterRow& row : parameterRegistry())
        if (isOffered(row, setup))
            entries.push_back({toQString(say(row.label)), tr("parameter"), toQString(say(row.description)),
                               [&pages = from.pages, &panel, &row] {
                                   if (!pages.current().parameters)
                                       pages.show<DashboardPage>();
                                   panel.focusRow(toQString(row.id));
                               }});
    for (const ParameterRow& row : parameterRegistry()) {
        if (!row.everyday || !isOffered(row, setup) || !panel.rowWidget(toQString(row.id))->slider())
            continue;
        entries.push_back(
            {tr("Draw charts over %1").arg(toQString(inSentence(row.label))), tr("command"), QString(),
             [&results = from.session.recalculator, &row] { results.setSweepParameter(toQString(row.id)); }});
        entries.push_back({tr("Play %1").arg(toQString(inSentence(row.label))), tr("command"),
                           tr("Plays it: it moves until a key or a click"),
                           [&panel, &row] { panel.play(toQString(row.id)); }});
    }
}

void addMetrics(Entries& entries, const PaletteSources& from)
{
    for (const MetricRow& row : metricRegistry())
        if (appliesTo(row, from.session.store.scenario().task))
            entries.push_back({toQString(say(row.label)), tr("metric"), toQString(say(row.definition)),
                               [&pages = from.pages, &explainer = from.explainer, &row] {
                                   pages.show<DashboardPage>();
                                   explainer.explain(toQString(row.id));
                               }});
}

void addExamples(Entries& entries, const PaletteSources& from)
{
    DocumentController& documents = from.session.documents;
    for (const Example& example : documents.examples())
        entries.push_back(
            {example.title, tr("example"), QString(), [&documents, example] { documents.openExample(example); }});
}

/// What a newcomer looks for: "GQA", "ridge".
void addLearning(Entries& entries, const PaletteSources& from)
{
    LessonPlayer& player = from.session.lessons;
    for (const Lesson& lesson : player.lessons())
        entries.push_back({toQString(lesson.title), tr("lesson"), tr("%1 min").arg(lessonMinutes(lesson)),
                           [&player, id = toQString(lesson.id)] { player.start(id); }});
    for (const GlossaryTerm& term : glossary())
        entries.push_back(
            {toQString(say(term.term)), tr("term"), toQString(say(term.definition)),
             [&pages = from.pages, id = toQString(term.id)] { pages.show<GlossaryPage>().showTerm(id); }});
}

} // namespace

std::vector<PaletteEntry> paletteEntries(const PaletteSources& from)
{
    Entries entries;
    addActions(entries, from);
    addCharts(entries, from);
    addParameters(entries, from);
    addMetrics(entries, from);
    addCatalog(entries, from);
    addExamples(entries, from);
    addLearning(entries, from);
    return entries;
}

} // namespace headroom::ui
