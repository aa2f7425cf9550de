// SPDX-License-Identifier: GPL-3.0-or-later
// Points, series and axes carry the ids of what they show: nothing is found again by its words or its numbers.
#include "core/charts/axis.hpp"
#include "core/charts/catalog_charts.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/plan_charts.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explain/chart_point.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/support/language.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <set>

namespace headroom::test_chart_identity
{
namespace
{

using Kind = PointOrigin::Kind;

Kind kindOf(SeriesRole role)
{
    return role == SeriesRole::Published ? Kind::PublishedRun
           : role == SeriesRole::Own     ? Kind::OwnRun
                                         : Kind::Evaluation;
}

/// What a chart of the registry leaves unsaid; empty = nothing.
std::string unsaid(const ChartSpec& spec, const ChartContext& context)
{
    for (const Series& series : spec.series) {
        const MetricRow* metric = metricRow(series.metric);
        if (!metric || !appliesTo(*metric, context.scenario.task))
            return series.id + " shows no metric of the task: " + series.metric;
        for (const Point& point : series.points) {
            if (point.origin.kind != kindOf(series.role))
                return series.id + " does not say what its points are";
            if ((point.origin.kind == Kind::Evaluation) != point.origin.id.empty())
                return series.id + " has a point without a name";
            if (point.origin.kind != Kind::Evaluation && !runOfPoint(context, point))
                return series.id + " has a point that leads to no run";
        }
    }
    for (const Axis* axis : {&spec.x, &spec.y})
        if (axis->quantity.empty() || (!axis->parameter.empty() && axis->quantity != axis->parameter))
            return "an axis does not say what it shows: " + axis->label;
    if (spec.heatMap && !metricRow(spec.heatMap->metric))
        return "the map shows no metric: " + spec.heatMap->metric;
    const bool alongParameter = chartRow(spec.id)->swept && spec.id != "throughput";
    if (alongParameter && spec.x.parameter != sweepRow(context).id)
        return "x is not the swept parameter: " + spec.x.parameter;
    if (spec.heatMap && (!parameterRow(spec.x.parameter) || !parameterRow(spec.y.parameter)))
        return "an axis of the map is no parameter";
    return {};
}

/// Scenarios of all kinds with pins, and measured runs in hand, which have their like beside them.
std::vector<ChartContext> contexts()
{
    std::vector<ChartContext> all;
    test::RandomScenarios random(61);
    for (int round = 0; round < 6; ++round)
        for (const Task task : {Task::Training, Task::Inference})
            all.push_back(random.nextContext(task, 3));
    const MeasuredRuns& runs = *publishedRuns();
    for (std::size_t i = 0; i < runs.size(); i += std::max<std::size_t>(1, runs.size() / 80)) {
        ChartContext context;
        context.scenario = runs[i].prepared;
        context.evaluation = runs[i].evaluation;
        all.push_back(std::move(context));
    }
    return all;
}

/// The same measurement told by two sources: equal title, equal numbers.
MeasuredRun toldBy(const std::string& source, const PreparedScenario& like)
{
    Scenario run;
    run.model.id = "llama-3-8b";
    run.accelerator.id = "a100-sxm-80gb";
    run.setup() = like.setup();
    run.measured = {};
    run.measured.stepTimeS = 5;
    run.source = source;
    return *measuredRun(run, *prepare(run, Catalog::builtIn(), Calibration::builtIn()));
}

ChartContext llamaTraining()
{
    Scenario scenario;
    scenario.model.id = "llama-3-8b";
    scenario.accelerator.id = "a100-sxm-80gb";
    scenario.hardware.count = 8;
    ChartContext context;
    context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    context.evaluation = evaluate(context.scenario);
    return context;
}

} // namespace

class TestChartIdentity : public QObject
{
    Q_OBJECT
private slots:
    void everyChartSaysWhatItShows()
    {
        const auto own = std::make_shared<MeasuredRuns>(*publishedRuns());
        for (MeasuredRun& run : *own) // no published one has what the chart of throughput lays them by
            if (run.prepared.task == Task::Inference)
                run.prepared.measured.tokensPerS = run.evaluation.tokensPerS;
        std::set<std::string> withRuns;
        for (ChartContext& context : contexts()) {
            context.runs = std::make_shared<const RunShelf>(RunShelf{publishedRuns(), own});
            for (const ChartRow& row : chartRegistry()) {
                if (!(context.scenario.task == Task::Training ? row.training : row.inference))
                    continue;
                const ChartSpec spec = row.build(context);
                const std::string missing = unsaid(spec, context);
                QVERIFY2(missing.empty(), (spec.id + ": " + missing).c_str());
                for (const Series& series : spec.series)
                    if (kindOf(series.role) != Kind::Evaluation)
                        withRuns.insert(spec.id);
            }
        }
        const std::set<std::string> all{"utilization", "roofline", "loss_ladder", "memory",
                                        "step_time",   "latency",  "throughput",  "cost"};
        for (const std::string& id : all)
            QVERIFY2(withRuns.contains(id), id.c_str()); // each chart that shows runs did so at least once
    }

    /// Axes are of one quantity by its id: in two languages they are, and two kinds of parts are not, though both are
    /// called "Part".
    void anAxisIsKnownWhateverItIsCalled()
    {
        static const Phrases german = Phrases::embedded("de");
        const ChartContext context = llamaTraining();
        for (const ChartRow& row : chartRegistry()) {
            if (!row.training)
                continue;
            const ChartSpec english = row.build(context);
            speak(&german);
            const ChartSpec other = row.build(context);
            speak(nullptr);
            QVERIFY2(sameQuantity(english.x, other.x) && sameQuantity(english.y, other.y), english.id.c_str());
        }
        const ChartSpec parts = chartRow("time_breakdown")->build(context), ours = chartRow("profile")->build(context);
        QCOMPARE(parts.x.label, ours.x.label);
        QVERIFY(!sameQuantity(parts.x, ours.x));
    }

    /// Beside a pin of the other task, too: letter, colour and id of a pin are the same in every chart.
    void aPinIsKnownByItsLetterInEveryChart()
    {
        std::set<char> shown;
        test::RandomScenarios random(63);
        for (const Task task : {Task::Training, Task::Inference}) {
            ChartContext context = random.nextContext(task, 3);
            const Task other = task == Task::Training ? Task::Inference : Task::Training;
            const PreparedScenario odd = random.next(other);
            context.pins[0] = {.letter = 'A', .name = "", .prepared = odd, .evaluation = evaluate(odd)};
            for (const ChartRow& row : chartRegistry()) {
                if (!(task == Task::Training ? row.training : row.inference))
                    continue;
                const ChartSpec spec = row.build(context);
                for (const Series& series : spec.series)
                    if (const char letter = pinLetter(series.role)) {
                        const auto pin = std::ranges::find(context.pins, letter, &PinnedScenario::letter);
                        QCOMPARE(series.label, pinLabel(*pin));
                        QCOMPARE(series.slot, letter - 'A' + 1);
                        QVERIFY2(series.id.starts_with(std::string("pin-") + char(letter - 'A' + 'a')),
                                 series.id.c_str());
                        shown.insert(letter);
                    }
                for (const Guide& guide : spec.guides)
                    if (const char letter = pinLetter(guide.role))
                        QCOMPARE(guide.label, std::string(1, letter));
            }
        }
        QCOMPARE(shown, (std::set{'B', 'C'})); // the odd one stands in no line
    }

    /// Whoever reads a colour in a chart reads one scenario.
    void noOtherLineHasTheColourOfAPin()
    {
        std::set<std::string> met;
        test::RandomScenarios random(64);
        for (int round = 0; round < 60; ++round) {
            const ChartContext context = random.nextContext(round % 2 ? Task::Training : Task::Inference, 3);
            for (const ChartRow& row : chartRegistry()) {
                if (!(context.scenario.task == Task::Training ? row.training : row.inference))
                    continue;
                const ChartSpec spec = row.build(context);
                const auto shows = [](const Series& series) { return pinLetter(series.role) != 0; };
                if (std::ranges::none_of(spec.series, shows))
                    continue;
                for (const Series& series : spec.series)
                    if (series.kind == SeriesKind::Line && !shows(series)) {
                        QVERIFY2(series.slot < 1 || series.slot > 3, (spec.id + " " + series.id).c_str());
                        met.insert(series.id);
                    }
            }
        }
        for (const char* id : {"hfu", "energy", "prefill_pool", "decode_pool", "plain", "late", "worst"})
            QVERIFY2(met.contains(id), id);
    }

    void publishedRunsHaveIdsOfTheirOwn()
    {
        std::set<std::string> ids;
        for (const MeasuredRun& run : *publishedRuns())
            QVERIFY2(!run.id.empty() && ids.insert(run.id).second, run.name.c_str());
    }

    void runsOfEqualTitleAndNumbersAreToldApart()
    {
        ChartContext context = llamaTraining();
        const auto own = std::make_shared<const MeasuredRuns>(
            MeasuredRuns{toldBy("the one", context.scenario), toldBy("the other", context.scenario)});
        context.runs = std::make_shared<const RunShelf>(RunShelf{nullptr, own});
        const ChartSpec spec = chartRow("step_time")->build(context);
        const auto series = std::ranges::find(spec.series, SeriesRole::Own, &Series::role);
        QVERIFY(series != spec.series.end());
        QCOMPARE(series->points.size(), std::size_t(2));
        std::set<std::string> found;
        for (const Point& point : series->points)
            found.insert(runOfPoint(context, point)->source);
        QCOMPARE(found, (std::set<std::string>{"the one", "the other"}));
    }

    void anAxisIsKnownInEveryLanguage()
    {
        const ChartContext context = llamaTraining();
        const ChartSpec spec = chartRow("heat_map")->build(context);
        const auto asked = chartPoint(context, spec, "heatmap", 0);
        QVERIFY(asked && !asked->where.empty());
        static const Phrases german = Phrases::embedded("de");
        speak(&german);
        const auto later = chartPoint(context, spec, "heatmap", 0);
        speak(nullptr);
        QVERIFY(later && later->evaluation == asked->evaluation && !later->where.empty());
    }

    void devicesOfOneNameAreToldApart()
    {
        const auto first = Catalog::builtIn().accelerator("h100-sxm-80gb");
        auto renamed = *Catalog::builtIn().accelerator("a100-sxm-80gb");
        renamed.name = first->name;
        const std::vector<std::shared_ptr<const Accelerator>> shown{first, std::make_shared<Accelerator>(renamed)};
        CatalogChartInput input;
        input.shown = shown;
        const ChartSpec spec = peakOverBandwidth(input);
        std::set<std::string> ids;
        for (const Series& series : spec.series)
            for (int i = 0; i < int(series.points.size()); ++i)
                ids.insert(acceleratorAt(spec, series.id, i));
        QCOMPARE(ids, (std::set<std::string>{first->id, renamed.id}));
    }

    void dotsOfThePlanNameTheirDeployment()
    {
        const ChartContext context = llamaTraining();
        PlanResult result;
        PlanRequest request;
        request.base = context.scenario;
        for (const std::int64_t tensor : {1, 2, 4}) {
            PlanOption option{context.scenario, context.evaluation, {}, {}};
            option.scenario.parallelism.tensor = tensor;
            option.values.fill(double(tensor));
            result.ranked.push_back(option);
        }
        result.front = {result.ranked.front()};
        std::set<std::string> ids;
        const ChartSpec spec = charts::planFront(request, result);
        QVERIFY(!spec.series.empty());
        for (const Series& series : spec.series)
            for (const Point& point : series.points) {
                QVERIFY2(point.origin.kind == Kind::Layout, series.id.c_str());
                ids.insert(point.origin.id);
            }
        QCOMPARE(ids.size(), std::size_t(3));
        QVERIFY(ids.contains(deploymentId(result.front.front())));
    }
};
HEADROOM_TEST(TestChartIdentity)

} // namespace headroom::test_chart_identity
#include "test_chart_identity.moc"
