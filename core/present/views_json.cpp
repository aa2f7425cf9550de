// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/views_json.hpp"

#include "core/metrics/metric_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view formatMarker = "headroom-views";
constexpr int newestVersion = 1;
/// A scenario stands two levels deeper here than in a file of its own.
constexpr JsonLimits limits{.bytes = largestViewsFile, .depth = 35};

std::optional<Scenario> readScenarioAt(const Json& value, const std::string& path, const Catalog& catalog,
                                       Diagnostics& diagnostics)
{
    auto reading = readScenario(value.dump(), catalog);
    if (reading)
        return std::move(reading->scenario);
    for (const Diagnostic& problem : reading.error())
        addDiagnostic(diagnostics, problem.code, path + problem.path, problem.message, problem.hint);
    return std::nullopt;
}

/// Ids of one registry, each of the task, none twice, at most `most`.
template <typename Find>
void readIds(ObjectReader& view, std::string_view key, std::size_t most, Find find, std::string_view what,
             std::vector<std::string>& ids, Task task)
{
    std::vector<std::string> found;
    if (!view.strings(key, found))
        return;
    if (found.size() > most)
        view.error(key, "too-many", say("{} do not fit on the stage", found.size()), say("at most {}", most));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::string path = childPath(view.pathOf(key), std::to_string(i));
        const std::string name = "'" + printable(found[i]) + "'";
        const auto [row, known] = find(found[i]);
        if (!row)
            addDiagnostic(view.diagnostics(), "unknown-name", path, say("{} is no {}", name, say(what)),
                          suggestName(found[i], known));
        else if (!suits(*row, task))
            addDiagnostic(view.diagnostics(), "wrong-task", path, say("{} has no meaning for this scenario", name),
                          said("one of its own task"));
        else if (std::find(ids.begin(), ids.end(), row->id) != ids.end())
            addDiagnostic(view.diagnostics(), "duplicate", path, say("{} is there already", name), said("each once"));
        else
            ids.emplace_back(row->id);
    }
}

template <typename Rows>
std::vector<std::string_view> idsOf(const Rows& rows, Task task)
{
    std::vector<std::string_view> ids;
    for (const auto& row : rows)
        if (suits(row, task))
            ids.push_back(row.id);
    return ids;
}

void readParameterId(ObjectReader& reader, std::string_view key, std::string& target, Task task)
{
    std::string id;
    if (!reader.string(key, id))
        return;
    const ParameterRow* row = parameterRow(id);
    if (row && row->id == id && suits(*row, task))
        target = id;
    else
        reader.unknownName(key, id, idsOf(parameterRegistry(), task));
}

void readHeatMap(ObjectReader& reader, HeatMapChoice& choice, Task task)
{
    readParameterId(reader, "x", choice.x, task);
    readParameterId(reader, "y", choice.y, task);
    std::string metric;
    if (reader.string("metric", metric)) {
        std::vector<std::string_view> known;
        for (const MetricRow& row : metricRegistry())
            if (appliesTo(row, task))
                known.push_back(row.id);
        if (std::find(known.begin(), known.end(), metric) != known.end())
            choice.metric = metric;
        else
            reader.unknownName("metric", metric, known);
    }
    reader.boolean("fine", choice.fine);
}

void readPins(ObjectReader& reader, const Catalog& catalog, std::vector<SavedPin>& pins)
{
    const Json* list = reader.value("pins");
    if (!list)
        return;
    if (!list->is_array()) {
        reader.wrongType("pins", *list, said("an array of scenarios"));
        return;
    }
    if (list->size() > StageView::mostPins)
        reader.error("pins", "too-many", say("{} scenarios are pinned", list->size()),
                     say("at most {}", StageView::mostPins));
    for (std::size_t i = 0; i < list->size(); ++i) {
        const Json& element = (*list)[i];
        const std::string path = childPath(reader.pathOf("pins"), std::to_string(i));
        SavedPin pin;
        const Json* scenario = &element;
        if (element.is_object() && element.contains("scenario")) { // with a name; no scenario has such a key
            ObjectReader named(element, path, reader.diagnostics());
            named.string("name", pin.name);
            if (pin.name.size() > longestPinName)
                named.error("name", "out-of-range", say("a name has at most {} bytes", longestPinName), {});
            scenario = named.value("scenario");
            named.finish();
        }
        const bool isNamed = scenario != &element;
        auto read =
            readScenarioAt(*scenario, isNamed ? childPath(path, "scenario") : path, catalog, reader.diagnostics());
        if (read) {
            pin.scenario = std::move(*read);
            pins.push_back(std::move(pin));
        }
    }
}

StageView readView(ObjectReader& reader, const Catalog& catalog)
{
    StageView view;
    reader.string("name", view.name);
    reader.string("note", view.note);
    readPins(reader, catalog, view.pins);
    const Json* scenario = reader.value("scenario", Presence::Required);
    std::optional<Scenario> read;
    if (scenario)
        read = readScenarioAt(*scenario, reader.pathOf("scenario"), catalog, reader.diagnostics());
    if (!read) { // without its task nothing else can be judged
        reader.ignore({"charts", "sliders", "sweep", "heat_map"});
        return view;
    }
    view.scenario = std::move(*read);
    const Task task = view.scenario.task;
    readIds(
        reader, "charts", StageView::mostCharts,
        [task](const std::string& id) { return std::pair(chartRow(id), idsOf(chartRegistry(), task)); },
        phrase("chart"), view.charts, task);
    const Json* charts = reader.value("charts", Presence::Required);
    if (charts && charts->is_array() && charts->empty())
        reader.error("charts", "no-charts", said("a view shows at least one chart"));
    readIds(
        reader, "sliders", StageView::mostSliders,
        [task](const std::string& id) { return std::pair(parameterRow(id), idsOf(parameterRegistry(), task)); },
        phrase("parameter"), view.sliders, task);
    readParameterId(reader, "sweep", view.sweep, task);
    reader.object("heat_map", [&](ObjectReader& heatMap) { readHeatMap(heatMap, view.heatMap, task); });
    return view;
}

OrderedJson scenarioJson(const Scenario& scenario)
{
    return OrderedJson::parse(writeScenarioLine(scenario), nullptr, false);
}

OrderedJson viewJson(const StageView& view)
{
    OrderedJson json = OrderedJson::object();
    if (!view.name.empty())
        json["name"] = view.name;
    if (!view.note.empty())
        json["note"] = view.note;
    json["charts"] = view.charts;
    if (!view.sliders.empty())
        json["sliders"] = view.sliders;
    if (!view.sweep.empty())
        json["sweep"] = view.sweep;
    if (view.heatMap != HeatMapChoice{}) {
        OrderedJson map = OrderedJson::object();
        for (const auto& [key, id] : {std::pair("x", &view.heatMap.x), std::pair("y", &view.heatMap.y),
                                      std::pair("metric", &view.heatMap.metric)})
            if (!id->empty())
                map[key] = *id;
        if (view.heatMap.fine)
            map["fine"] = true;
        json["heat_map"] = std::move(map);
    }
    json["scenario"] = scenarioJson(view.scenario);
    for (const SavedPin& pin : view.pins) {
        OrderedJson scenario = scenarioJson(pin.scenario);
        json["pins"].push_back(pin.name.empty() ? std::move(scenario)
                                                : OrderedJson{{"name", pin.name}, {"scenario", std::move(scenario)}});
    }
    return json;
}

} // namespace

Expected<std::vector<StageView>> readViews(std::string_view text, const Catalog& catalog)
{
    const auto json = parseJson(text, limits);
    if (!json)
        return tl::unexpected(json.error());
    try {
        std::vector<StageView> views;
        Diagnostics diagnostics;
        ObjectReader document(*json, "", diagnostics);
        if (document.isObject() && readFormat(document, formatMarker) && readVersion(document, newestVersion)) {
            document.objects(
                "views", [&](ObjectReader& view) { views.push_back(readView(view, catalog)); }, Presence::Required);
            document.finish();
        }
        if (!hasErrors(diagnostics))
            return views;
        addLines(diagnostics, text);
        return tl::unexpected(std::move(diagnostics));
    } catch (const std::exception& error) {
        return fail("internal", "", say("the views could not be read: {}", error.what()));
    }
}

std::string writeViews(const std::vector<StageView>& views)
{
    OrderedJson document = OrderedJson::object();
    document["format"] = formatMarker;
    document["version"] = newestVersion;
    document["views"] = OrderedJson::array();
    for (const StageView& view : views)
        document["views"].push_back(viewJson(view));
    // A note from a field may hold anything: what is not UTF-8 is replaced.
    return document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

} // namespace headroom
