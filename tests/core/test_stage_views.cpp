// SPDX-License-Identifier: GPL-3.0-or-later
// Views of a talk: what is written is read back, every mistake is refused in its place, the usual view fits its task.
#include "core/present/views_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_stage_views
{
namespace
{

const Catalog& catalog()
{
    return Catalog::builtIn();
}

std::string scenarioText(Task task = Task::Training)
{
    Scenario scenario;
    scenario.task = task;
    return writeScenarioLine(scenario);
}

/// A file with one view that has these further keys.
std::string fileWith(const std::string& keys, Task task = Task::Training)
{
    return R"({"format": "headroom-views", "version": 1, "views": [{"scenario": )" + scenarioText(task) + ", " + keys +
           "}]}";
}

void mistakes()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("code");
    QTest::addColumn<std::string>("path");
    const auto row = [](const char* name, const std::string& text, const char* code, const char* path) {
        QTest::newRow(name) << text << std::string(code) << std::string(path);
    };
    row("no JSON", "{", "syntax", "");
    row("a scenario", scenarioText(), "wrong-format", "/format");
    row("from a newer release", R"({"format": "headroom-views", "version": 2, "views": []})", "newer-version",
        "/version");
    row("no views", R"({"format": "headroom-views", "version": 1})", "missing-key", "");
    row("no scenario", R"({"format": "headroom-views", "version": 1, "views": [{"charts": ["memory"]}]})",
        "missing-key", "/views/0");
    row("an unknown key", fileWith(R"("charts": ["memory"], "nots": "x")"), "unknown-key", "/views/0/nots");
    row("no charts", fileWith(R"("name": "x")"), "missing-key", "/views/0");
    row("an empty list of charts", fileWith(R"("charts": [])"), "no-charts", "/views/0/charts");
    row("five charts", fileWith(R"("charts": ["memory", "roofline", "utilization", "step_time", "cost"])"), "too-many",
        "/views/0/charts");
    row("an unknown chart", fileWith(R"("charts": ["memory", "memroy"])"), "unknown-name", "/views/0/charts/1");
    row("a chart twice", fileWith(R"("charts": ["memory", "memory"])"), "duplicate", "/views/0/charts/1");
    row("a chart of the other task", fileWith(R"("charts": ["latency"])"), "wrong-task", "/views/0/charts/0");
    row("four sliders",
        fileWith(R"("charts": ["memory"], "sliders": ["micro_batch", "sequence_length", "count", "tensor"])"),
        "too-many", "/views/0/sliders");
    row("a measurement as a slider", fileWith(R"("charts": ["memory"], "sliders": ["measured_step_time_s"])"),
        "wrong-task", "/views/0/sliders/0");
    row("a sweep over nothing", fileWith(R"("charts": ["memory"], "sweep": "colour")"), "unknown-name",
        "/views/0/sweep");
    row("a heat map of nothing", fileWith(R"("charts": ["memory"], "heat_map": {"metric": "joy"})"), "unknown-name",
        "/views/0/heat_map/metric");
    row("four pins",
        fileWith(R"("charts": ["memory"], "pins": [)" + scenarioText() + "," + scenarioText() + "," + scenarioText() +
                 "," + scenarioText() + "]"),
        "too-many", "/views/0/pins");
    std::string model = fileWith(R"("charts": ["memory"])");
    model.replace(model.find("llama-3-8b"), 10, "lama-3-8b0");
    row("a scenario with an unknown model", model, "unknown-id", "/views/0/scenario/model");
}

} // namespace

class TestStageViews : public QObject
{
    Q_OBJECT
private slots:
    void whatIsWrittenIsReadBack()
    {
        std::vector<StageView> views;
        for (const Task task : {Task::Training, Task::Inference}) {
            Scenario scenario;
            scenario.task = task;
            scenario.model.id = "llama-3-70b";
            scenario.hardware.count = 64;
            views.push_back(usualView(scenario, {}, {}));
            views.back().name = "Ein “Name” mit Umlaut: ä";
            views.back().note = "First line\nsecond line";
            views.back().pins = {{"vorher", scenario}, {{}, scenario}};
            views.back().sweep = "count";
            views.back().heatMap = {.x = "count", .y = "tensor", .metric = "mfu", .fine = true};
        }
        const std::string text = writeViews(views);
        const auto again = readViews(text, catalog());
        QVERIFY2(again.has_value(), again ? "" : toText(again.error().front()).c_str());
        QVERIFY(*again == views);
        QCOMPARE(writeViews(*again), text);
        QVERIFY(readViews(writeViews({}), catalog())->empty());
    }

    void everyMistakeIsRefusedInItsPlace_data() { mistakes(); }

    void everyMistakeIsRefusedInItsPlace()
    {
        QFETCH(const std::string, text);
        QFETCH(const std::string, code);
        QFETCH(const std::string, path);
        const auto reading = readViews(text, catalog());
        QVERIFY(!reading);
        const Diagnostics& found = reading.error();
        const bool told = std::any_of(found.begin(), found.end(),
                                      [&](const Diagnostic& d) { return d.code == code && d.path == path; });
        QVERIFY2(told, toText(found.front()).c_str());
        QVERIFY2(found.front().line > 0 || found.front().path.empty(), toText(found.front()).c_str());
    }

    void aMisspeltChartIsRecognised()
    {
        const auto reading = readViews(fileWith(R"("charts": ["memroy"])"), catalog());
        QVERIFY(!reading);
        QVERIFY2(reading.error().front().hint.find("memory") != std::string::npos,
                 reading.error().front().hint.c_str());
    }

    void theUsualViewFitsItsTask()
    {
        for (const Task task : {Task::Training, Task::Inference}) {
            Scenario scenario;
            scenario.task = task;
            const StageView view = usualView(scenario, {"latency", "memory", "step_time"}, "sequence_length");
            QCOMPARE(view.charts.size(), std::size_t(2));
            for (const std::string& id : view.charts)
                QVERIFY2(suits(*chartRow(id), task), id.c_str());
            QCOMPARE(view.sliders.size(), StageView::mostSliders);
            for (const std::string& id : view.sliders)
                QVERIFY2(suits(*parameterRow(id), task), id.c_str());
            QCOMPARE(view.sweep, std::string(task == Task::Training ? "sequence_length" : ""));
            const StageView empty = usualView(scenario, {"no such chart"}, {});
            QVERIFY(!empty.charts.empty() && empty.charts.size() <= StageView::mostCharts);
        }
    }
};
HEADROOM_TEST(TestStageViews)

} // namespace headroom::test_stage_views
#include "test_stage_views.moc"
