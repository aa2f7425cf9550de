// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every chart of the registry, over random scenarios.
#include "core/charts/chart_registry.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explore/dividing_values.hpp"
#include "core/metrics/words.hpp"
#include "core/runs/measured_run.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/support/say.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::test_charts
{
namespace
{

constexpr int scenariosPerTask = 250;

bool isFinite(const Series& series)
{
    const auto finite = [](double value) { return std::isfinite(value); };
    const bool pointsAre = std::ranges::all_of(series.points, [&](const Point& point) {
        return finite(point.x) && finite(point.y) && finite(point.base.value_or(0)) && point.size >= 0 &&
               point.size <= 1;
    });
    return pointsAre && (!series.band || (std::ranges::all_of(series.band->low, finite) &&
                                          std::ranges::all_of(series.band->high, finite)));
}

bool isUsable(const Axis& axis)
{
    return std::isfinite(axis.minimum) && std::isfinite(axis.maximum) && axis.minimum < axis.maximum &&
           (axis.scale == AxisScale::Linear || axis.minimum > 0) && !axis.label.empty();
}

bool holds(const Axis& axis, double value)
{
    const double margin = 1e-9 * std::max(std::abs(axis.minimum), std::abs(axis.maximum));
    return value >= axis.minimum - margin && value <= axis.maximum + margin;
}

/// Charts whose range cuts lines on purpose: the memory far above the capacity, the ideal beside a low MFU.
bool mayCut(const ChartSpec& spec, const Series& series)
{
    return spec.id == "memory" || (spec.id == "utilization" && series.role == SeriesRole::Ideal);
}

/// Empty when all is well, else what is wrong.
std::string faultOf(const ChartSpec& spec)
{
    if (spec.title.empty() || spec.reading.empty() || spec.summary.empty())
        return "says nothing";
    if (!spec.reading.ends_with('.') || spec.reading.find("nan") != std::string::npos ||
        spec.reading.find("inf ") != std::string::npos)
        return "reads badly: " + spec.reading;
    if (!isUsable(spec.x) || !isUsable(spec.y))
        return "unusable axis";
    std::set<std::string> ids;
    std::size_t points = 0;
    for (const Series& series : spec.series) {
        points += series.points.size();
        if (series.label.empty() || !ids.insert(series.id).second)
            return "series without label or with a second id " + series.id;
        if (!isFinite(series))
            return "not finite: " + series.id;
        if (series.kind != SeriesKind::Points && !std::ranges::is_sorted(series.points, {}, &Point::x))
            return "not sorted: " + series.id;
        if (series.band &&
            (series.band->low.size() != series.points.size() || series.band->high.size() != series.points.size()))
            return "band of another length: " + series.id;
        for (const Point& point : series.points)
            if (!holds(spec.x, point.x) || (!mayCut(spec, series) && !holds(spec.y, point.y)))
                return "outside the range: " + series.id + " at " + std::to_string(point.x) + ", " +
                       std::to_string(point.y);
    }
    for (const Guide& guide : spec.guides)
        if (!std::isfinite(guide.x) || !std::isfinite(guide.y) || guide.label.empty())
            return "guide not finite or without label";
    if (spec.heatMap) {
        const HeatMap& map = *spec.heatMap;
        if (map.value.size() != map.x.size() * map.y.size() || map.infeasible.size() != map.value.size() ||
            map.value.empty() || !(map.minimum < map.maximum) ||
            !std::ranges::all_of(map.value, [](double value) { return std::isfinite(value); }))
            return "heat map";
        return {};
    }
    return points == 0 ? "nothing is drawn: a chart shows something for every scenario" : "";
}

} // namespace

class TestCharts : public QObject
{
    Q_OBJECT
private slots:
    void rowsAreComplete()
    {
        std::set<std::string_view> ids;
        for (const ChartRow& row : chartRegistry()) {
            QVERIFY(ids.insert(row.id).second);
            QVERIFY(!row.title.empty() && row.description.ends_with('.') && (row.training || row.inference));
            QCOMPARE(chartRow(row.id), &row);
        }
        QVERIFY(chartRow("pie") == nullptr);
    }

    void everyChartOfEveryScenario_data()
    {
        QTest::addColumn<int>("task");
        QTest::newRow("training") << 0;
        QTest::newRow("inference") << 1;
    }
    void everyChartOfEveryScenario()
    {
        QFETCH(int, task);
        const Task which = task == 0 ? Task::Training : Task::Inference;
        const auto shelf = std::make_shared<const RunShelf>(RunShelf{publishedRuns(), publishedRuns()});
        test::RandomScenarios scenarios(20250117);
        for (int i = 0; i < scenariosPerTask; ++i) {
            ChartContext context = scenarios.nextContext(which, i % 4);
            context.runs = shelf;
            shareCurves(context);
            for (const ChartRow& row : chartRegistry()) {
                if (!(which == Task::Training ? row.training : row.inference))
                    continue;
                const ChartSpec spec = row.build(context);
                const std::string fault = faultOf(spec);
                QVERIFY2(fault.empty(), (std::string(row.id) + " of scenario " + std::to_string(i) + " (" +
                                         context.scenario.model->architecture.id + " on " +
                                         context.scenario.accelerator->id + "): " + fault)
                                            .c_str());
                QCOMPARE(spec.id, std::string(row.id));
            }
        }
    }

    /// Two roofs are two things: on GeForce cards 16-bit sums go at twice the rate of those with 32 bits.
    void everyRoofHasANameOfItsOwn()
    {
        std::size_t twice = 0;
        for (const auto& device : Catalog::builtIn().accelerators())
            for (const InferenceSoftware software : {InferenceSoftware::Vllm, InferenceSoftware::LlamaCpp}) {
                Scenario scenario;
                scenario.model.id = "qwen3-4b";
                scenario.task = Task::Inference;
                scenario.accelerator.id = device->id;
                scenario.inference.software = software;
                const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
                if (!prepared)
                    continue;
                ChartContext context;
                context.scenario = *prepared;
                context.evaluation = evaluate(*prepared);
                std::set<std::string> names;
                for (const Series& series : chartRow("roofline")->build(context).series)
                    if (series.id.starts_with("roof")) {
                        QVERIFY2(names.insert(series.label).second, (device->id + ": " + series.label).c_str());
                        twice += series.label == "fp16, 16-bit sums" ? 1 : 0;
                    }
            }
        QVERIFY(twice > 0);
    }

    /// The step's point on the roofline is the scenario's intensity, the one that a pin of it and the lessons have.
    void thePointOnTheRooflineIsTheIntensity()
    {
        test::RandomScenarios scenarios(11);
        int points = 0;
        for (const Task task : {Task::Training, Task::Inference})
            for (int i = 0; i < 20; ++i) {
                const ChartContext context = scenarios.nextContext(task, 0);
                for (const Guide& guide : chartRow("roofline")->build(context).guides)
                    if (guide.kind == GuideKind::OperatingPoint && guide.role == SeriesRole::Current) {
                        QCOMPARE(guide.x, context.evaluation.intensityFlopPerByte);
                        ++points;
                    }
            }
        QVERIFY(points > 30);
    }

    void sharedCurvesChangeNothing()
    {
        test::RandomScenarios scenarios(7);
        for (const Task task : {Task::Training, Task::Inference}) {
            const ChartContext alone = scenarios.nextContext(task, 2);
            ChartContext shared = alone;
            shareCurves(shared);
            for (const ChartRow& row : chartRegistry())
                if (task == Task::Training ? row.training : row.inference)
                    QVERIFY2(row.build(alone) == row.build(shared), row.id.data());
        }
    }

    /// What was evaluated of the pins is taken over where the next curves have the same points: moving anything gives
    /// what curves made anew give.
    void curvesBeforeChangeNothing()
    {
        test::RandomScenarios scenarios(19);
        std::size_t taken = 0;
        for (const Task task : {Task::Training, Task::Inference})
            for (const char* axis : {"", "sequence_length", "input_tokens"})
                for (int i = 0; i < 20; ++i) {
                    ChartContext context = scenarios.nextContext(task, 3);
                    shareCurves(context);
                    const auto before = context.curves;
                    const ChartContext other = scenarios.nextContext(task, 0);
                    context.scenario = other.scenario;
                    context.evaluation = other.evaluation;
                    context.sweepParameter = axis;
                    ChartContext anew = context;
                    shareCurves(anew);
                    shareCurves(context, before.get());
                    QVERIFY(context.curves != before);
                    for (const ChartRow& row : chartRegistry())
                        if (task == Task::Training ? row.training : row.inference)
                            QVERIFY2(row.build(context) == row.build(anew), row.id.data());
                    if (before->row == context.curves->row)
                        for (const PinCurve& pin : before->pins)
                            for (const SweepPoint& point : context.curves->ofPin(pin.letter)->points)
                                taken += std::ranges::count(pin.points, point.value, &SweepPoint::value) > 0 ? 1 : 0;
                }
        QVERIFY(taken > 1000);
    }

    void anyParameterCanBeTheAxis()
    {
        test::RandomScenarios scenarios(11);
        for (const Task task : {Task::Training, Task::Inference}) {
            ChartContext context = scenarios.nextContext(task, 1);
            for (const ParameterRow& parameter : parameterRegistry()) {
                context.sweepParameter = parameter.id;
                shareCurves(context);
                for (const ChartRow& row : chartRegistry()) {
                    if (!(task == Task::Training ? row.training : row.inference))
                        continue;
                    const std::string fault = faultOf(row.build(context));
                    QVERIFY2(fault.empty(),
                             (std::string(row.id) + " over " + context.sweepParameter + ": " + fault).c_str());
                }
            }
        }
    }

    /// Gradients and the optimizer's copies shrink on their chart where a step is fullest elsewhere: it says why.
    void bandsThatFallAreExplained()
    {
        const auto noteOf = [](TrainingSoftware software) {
            Scenario scenario;
            scenario.model.id = "llama-3.1-8b";
            scenario.accelerator.id = "h100-sxm-80gb";
            scenario.hardware.count = 8;
            scenario.training.sequenceLength = 8192;
            scenario.training.checkpointing = Checkpointing::SelectiveOp;
            scenario.training.software = software;
            ChartContext context;
            context.scenario = prepare(scenario, Catalog::builtIn(), Calibration::builtIn()).value();
            context.evaluation = evaluate(context.scenario);
            return chartRow("memory")->build(context).note;
        };
        constexpr std::string_view why = "what each part adds to a step's fullest moment";
        QVERIFY2(noteOf(TrainingSoftware::TorchFsdp).find(why) != std::string::npos,
                 noteOf(TrainingSoftware::TorchFsdp).c_str());
        QVERIFY2(noteOf(TrainingSoftware::Megatron).find(why) == std::string::npos,
                 noteOf(TrainingSoftware::Megatron).c_str());
    }

    /// Who asks for more than can be served waits without bound: a TTFT of a replica kept full, which falls as the load
    /// passes the capacity, is nobody's.
    void latencyBeyondTheCapacityIsNotDrawn()
    {
        const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
            "hardware": {"accelerator": "h100-sxm-80gb"},
            "workload": {"task": "inference", "batch": "max", "requests_per_s": 1}})",
                                       Catalog::builtIn());
        ChartContext context;
        context.scenario = *prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        context.sweepParameter = "requests_per_s";
        const double capacity = context.evaluation.queue->capacityRequestsPerS;
        const ChartSpec spec = chartRow("latency")->build(context);
        const auto last = [&spec](std::string_view id) {
            return std::ranges::find(spec.series, id, &Series::id)->points.back().x;
        };
        for (const char* id : {"ttft", "request"})
            QVERIFY2(last(id) > 0.8 * capacity && last(id) < 1.02 * capacity, id);
        QVERIFY(last("tpot") > 2 * capacity);
        QVERIFY2(spec.reading.find("more is asked for than can be served") != std::string::npos, spec.reading.c_str());
    }

    /// What limits has one answer: the chart names the resource that the status line names.
    void theRooflineNamesWhatBinds()
    {
        std::set<BoundBy> seen;
        int beyond = 0;
        for (const EmbeddedFile& file : embeddedFolder("scenarios/")) {
            const auto reading = readScenario(file.text, Catalog::builtIn());
            ChartContext context;
            context.scenario = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
            context.evaluation = evaluate(context.scenario);
            const std::string told = chartRow("roofline")->build(context).reading;
            const BoundBy by = context.evaluation.boundBy;
            const std::string bound = said(resource(by));
            // Left of the ridge memory is the roof, right of it arithmetic: the other is named with a "yet".
            const bool left = told.find("sits left") != std::string::npos;
            const bool roof = by != (left ? BoundBy::Compute : BoundBy::MemoryBandwidth);
            const std::string expected =
                roof ? "is bound by " + bound + "." : "yet " + bound + " takes the largest share of its time.";
            QVERIFY2(told.ends_with(expected), (told + " / " + expected).c_str());
            beyond += roof ? 0 : 1;
            seen.insert(by);
        }
        QVERIFY(seen.size() > 2);
        QVERIFY(beyond > 0);
    }

    /// "From 33 % to 33 %" is no rise.
    void aRiseOfNothingIsNone()
    {
        const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "mixtral-8x7b",
            "hardware": {"accelerator": "h100-sxm-80gb", "count": 64},
            "workload": {"task": "training", "global_batch": 256, "checkpointing": "selective_op",
                         "expert_imbalance": 1.2, "software": "megatron"},
            "parallelism": {"expert": 8, "sharding": "zero1"}})",
                                       Catalog::builtIn());
        ChartContext context;
        context.scenario = *prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        const std::string told = chartRow("utilization")->build(context).reading;
        QVERIFY2(told.starts_with("MFU stays near 33"), told.c_str());
    }

    /// Charts drew micro-batches that the slider beside them cannot have.
    void microBatchesAreThoseThatDivideTheGlobalBatch()
    {
        const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
            "hardware": {"accelerator": "h100-sxm-80gb", "count": 64},
            "workload": {"task": "training", "global_batch": 768}})",
                                       Catalog::builtIn());
        ChartContext context;
        context.scenario = *prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        context.sweepParameter = "micro_batch";
        const std::vector<double> dividing{1, 2, 3, 4, 6, 12};
        QVERIFY(dividingValues(*parameterRow("micro_batch"), context.scenario) == dividing);
        for (const char* id : {"utilization", "memory", "heat_map"}) {
            const ChartSpec spec = chartRow(id)->build(context);
            QCOMPARE(spec.x.minimum, 1.0);
            QCOMPARE(spec.x.maximum, 12.0);
            if (spec.heatMap)
                QVERIFY(spec.heatMap->x == dividing);
            for (const Series& series : spec.series)
                for (const Point& point : series.points)
                    QVERIFY2(std::ranges::find(dividing, point.x) != dividing.end(), series.id.c_str());
        }
        // All points are of the same work: a step of the same sequences.
        const auto curves = curvesOf(context);
        for (const SweepPoint& point : curves->expected)
            QCOMPARE(point.evaluation.tokensPerStep, context.evaluation.tokensPerStep);
    }
};
HEADROOM_TEST(TestCharts)

} // namespace headroom::test_charts
#include "test_charts.moc"
