// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing scenarios: what changed, which is best, in words, and as text that travels.
#include "core/charts/chart_registry.hpp"
#include "core/comparison/comparison.hpp"
#include "core/explain/tile_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/scenario/command_line.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "tests/support/compared.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>

namespace headroom::test_comparison
{
namespace
{

PreparedScenario prepared(const Scenario& scenario)
{
    auto made = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    return made ? *made : PreparedScenario{};
}

ChartContext contextOf(const Scenario& now, const std::vector<Scenario>& pins)
{
    ChartContext context;
    context.scenario = prepared(now);
    context.evaluation = evaluate(context.scenario);
    char letter = 'A';
    for (const Scenario& pin : pins) {
        PreparedScenario ready = prepared(pin);
        const Evaluation evaluation = evaluate(ready);
        context.pins.push_back({letter++, pin.name, std::move(ready), evaluation, {}});
    }
    return context;
}

const ComparisonRow& rowOf(const Comparison& comparison, std::string_view id)
{
    static const ComparisonRow none;
    const auto found = std::ranges::find_if(comparison.rows, [id](const auto& row) { return row.metric->id == id; });
    return found == comparison.rows.end() ? none : *found;
}

/// What a shell prints for a command.
std::string shell(const std::string& command)
{
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 512> buffer{};
    while (pipe && std::fgets(buffer.data(), buffer.size(), pipe))
        text += buffer.data();
    if (pipe)
        pclose(pipe);
    return text;
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    void whatChangedIsListedAndNothingElse()
    {
        Scenario before, after;
        QVERIFY(differences(prepared(before), prepared(after)).empty());
        after.training.microBatch = 4;
        after.accelerator.id = "a100-sxm-80gb";
        const auto changes = differences(prepared(before), prepared(after));
        QCOMPARE(changes.size(), std::size_t(2));
        QCOMPARE(changes[0].label, std::string("Accelerator"));
        QVERIFY(changes[0].after.find("A100") != std::string::npos);
        QCOMPARE(changes[1].parameterId, std::string("micro_batch"));
        QCOMPARE(changes[1].before, parameterText(*parameterRow("micro_batch"), 1));
    }

    void whatFollowsByItselfIsNoChange()
    {
        Scenario before, after;
        before.parallelism.tensor = after.parallelism.tensor = 1;
        after.training.microBatch = 2; // an automatic global batch follows
        for (const ScenarioDifference& change : differences(prepared(before), prepared(after)))
            QVERIFY2(change.parameterId == "micro_batch", change.parameterId.c_str());
    }

    /// No price is not 0. A published MFU is no setting.
    /// "Prefill GPUs 2 → 4 (automatic)" of one pool.
    void whatIsNotInUseHasNoValue()
    {
        Scenario before, after;
        before.task = after.task = Task::Inference;
        before.hardware.count = after.hardware.count = 4;
        before.inference.scheduling = Scheduling::Disaggregated;
        before.inference.prefillPool.count = 2;
        const auto found = differences(prepared(before), prepared(after));
        const auto pool = std::ranges::find(found, "prefill_count", &ScenarioDifference::parameterId);
        QVERIFY(pool != found.end());
        QCOMPARE(pool->after, std::string("—"));
    }

    void whatIsMissingIsNotStated()
    {
        Scenario before, after;
        before.hardware.pricePerGpuHour = 3;
        before.measured.mfu = 0.38;
        const auto changes = differences(before, after);
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes.front().after, std::string("not stated"));
    }

    /// It went from the table as soon as a slider moved, and "What changed" said "Published MFU 38 % → not stated".
    void aMeasurementOfOtherSettingsIsSaid()
    {
        const std::string sentence = "Measured with tensor parallel 8: MFU 38 %.";
        ChartContext context = contextOf({}, {Scenario()});
        context.pins.front().otherMeasurement = sentence;
        const Comparison c = compare(context.scenario, context.evaluation, context.pins);
        QCOMPARE(c.columns.back().otherMeasurement, sentence);
        const std::string markdown = comparisonMarkdown(c);
        QVERIFY2(markdown.find("\nA: " + sentence + "\n") != std::string::npos, markdown.c_str());
        QVERIFY(comparisonCsv(c).ends_with("\nother_measurement,," + sentence + "\n"));
    }

    /// A training in phases beside one of one piece, and beside one whose second phase has longer sequences.
    void phasesAreDifferencesToo()
    {
        Scenario before, after;
        after.phases = {{"main", 14.8e12, {}, {}, {}, {}, {}, {}, {}, {}},
                        {"long", 1e11, 32768, {}, {}, {}, {}, {}, {}, {}}};
        auto changes = differences(before, after);
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes[0].label, std::string("Phases"));
        QCOMPARE(changes[0].before, std::string("none"));
        QVERIFY2(changes[0].after.starts_with("main: 14.8") && changes[0].after.find("; long: ") != std::string::npos,
                 changes[0].after.c_str());
        before = after;
        QVERIFY(differences(before, after).empty());
        after.phases[1].sequenceLength = 131072;
        changes = differences(before, after);
        QCOMPARE(changes.size(), std::size_t(1));
        QVERIFY2(changes[0].before != changes[0].after, changes[0].after.c_str());
        QVERIFY(differences(prepared(before), prepared(after)).size() == 1);
    }

    /// One run, published against the dense peak of 989.4 TFLOP/s and against the sparse one of 1,979: 1,979 ÷ 989.4
    /// apart as published, and the same run all the same. Beside what is predicted both are of the device's own peak.
    void sharesOfTwoPeaksAreComparedOnOne()
    {
        Scenario dense, sparse;
        dense.hardware.count = sparse.hardware.count = 8;
        dense.measured.mfu = 0.4;
        sparse.measured.mfu = 0.4 * 989.4 / 1979;
        sparse.measured.peakTflops = 1979;
        for (const auto& [now, pin] : {std::pair(sparse, dense), std::pair(dense, sparse)}) {
            const ChartContext context = contextOf(now, {pin});
            const Comparison both = compare(context.scenario, context.evaluation, context.pins);
            const ComparisonRow& row = rowOf(both, "observed.mfu");
            QCOMPARE(*row.values[0], 0.4);
            QCOMPARE(*row.values[1], 0.4);
            QCOMPARE(row.words[1], std::string("same"));
            QVERIFY(!row.best);
            QCOMPARE(row.label, std::string("MFU, observed, of the device's own peak"));
            QCOMPARE(differenceText(*metricRow("mfu"), context, context.pins[0]), std::string("same as A"));
            const ChartSpec chart = chartRow("conventions")->build(context);
            const auto shares = [&](const std::function<bool(const Series&)>& of) {
                std::map<double, double> at;
                for (const Series& series : chart.series)
                    for (const Point& point : series.points)
                        if (of(series))
                            at[point.x] = point.y;
                return at;
            };
            const auto bars = shares([](const Series& s) { return s.id == "chosen" || s.id == "others"; });
            const auto marks = shares([](const Series& s) { return s.id != "chosen" && s.id != "others"; });
            QCOMPARE(bars.size(), marks.size());
            for (const auto& [x, share] : bars)
                QVERIFY(std::abs(marks.at(x) / share - 1) < 1e-9);
        }
        const ChartContext published = contextOf(dense, {dense}); // no other peak is stated
        const Comparison same = compare(published.scenario, published.evaluation, published.pins);
        QCOMPARE(rowOf(same, "observed.mfu").label, std::string("MFU, observed"));
    }

    /// A pin of another task is shown: it is neither better nor worse, and takes no other's place.
    void anotherTaskIsNotRanked()
    {
        Scenario slow, fast, serving;
        fast.training.microBatch = 4;
        fast.parallelism.tensor = slow.parallelism.tensor = 8;
        fast.hardware.count = slow.hardware.count = serving.hardware.count = 8;
        slow.training.microBatch = 1;
        serving.task = Task::Inference;
        for (const std::size_t batch : {1, 4096}) {
            serving.inference.batch = std::int64_t(batch);
            const ChartContext alone = contextOf(slow, {fast}), with = contextOf(slow, {fast, serving});
            const Comparison two = compare(alone.scenario, alone.evaluation, alone.pins);
            const Comparison three = compare(with.scenario, with.evaluation, with.pins);
            QCOMPARE(three.columns[2].otherTask, std::string("serving"));
            std::size_t shared = 0;
            for (const ComparisonRow& row : three.rows) {
                QVERIFY2(row.best != std::size_t(2) && row.words[2].empty(), row.metric->id.data());
                shared += row.values[0] && row.values[2] ? 1 : 0;
                if (row.values[0])
                    QVERIFY2(row.best == rowOf(two, row.metric->id).best, row.metric->id.data());
            }
            QVERIFY(shared > 3); // else nothing was asked
            QVERIFY(rowOf(three, "mfu").best);
            const std::string tile = differenceText(*metricRow("mfu"), with, with.pins[1]);
            QVERIFY2(tile.starts_with("B serves: "), tile.c_str());
            QVERIFY(comparisonMarkdown(three).find("(serving: not ranked)") != std::string::npos);
        }
    }

    void whatWasMeasuredStandsUnderWhatIsPredicted()
    {
        Scenario plain, measured;
        measured.measured.stepTimeS = 100;
        for (const bool any : {false, true}) {
            const ChartContext context = contextOf(any ? measured : plain, {plain});
            const Comparison table = compare(context.scenario, context.evaluation, context.pins);
            const auto at = std::ranges::find(table.rows, std::string("mfu"),
                                              [](const ComparisonRow& row) { return std::string(row.metric->id); });
            QVERIFY(at != table.rows.end());
            QCOMPARE(at->label, std::string(any ? "MFU, predicted" : "MFU"));
            if (any)
                QCOMPARE((at + 1)->label, std::string("MFU, observed"));
            const bool bare = std::ranges::any_of(table.rows, [](const auto& row) { return row.label == "Tokens/s"; });
            QCOMPARE(bare, !any);
        }
    }

    void theBestIsMarkedByTheMetricsSense()
    {
        Scenario slow, fast;
        slow.training.microBatch = 1;
        fast.training.microBatch = 1;
        slow.hardware.count = fast.hardware.count = 8;
        fast.accelerator.id = "b200-sxm-180gb";
        slow.accelerator.id = "a100-sxm-80gb";
        if (!prepare(fast, Catalog::builtIn(), Calibration::builtIn()))
            fast.accelerator.id = "h100-sxm-80gb";
        const Comparison comparison = test::compared(contextOf(fast, {slow}));
        QCOMPARE(comparison.columns.size(), std::size_t(2));
        QVERIFY(rowOf(comparison, "step_time_s").best == std::size_t(0));
        QVERIFY(rowOf(comparison, "tokens_per_s").best == std::size_t(0));
        QVERIFY2(rowOf(comparison, "step_time_s").words[1].ends_with("faster"),
                 rowOf(comparison, "step_time_s").words[1].c_str());
        QVERIFY(!rowOf(comparison, "memory.capacity_bytes").best);
    }

    /// A step of four times the tokens takes longer and is the better one: the row says what it is the best in.
    void theBestStepPerTokenSaysSo()
    {
        Scenario small, large;
        large.training.microBatch = 4;
        const Comparison comparison = test::compared(contextOf(large, {small}));
        const ComparisonRow& row = rowOf(comparison, "step_time_s");
        QVERIFY(row.best == std::size_t(0) && *row.values[0] > *row.values[1]);
        QCOMPARE(row.label, std::string("Step time, best per token"));
        QCOMPARE(rowOf(test::compared(contextOf(small, {small})), "step_time_s").label, std::string("Step time"));
    }

    void equalsHaveNoBest()
    {
        const Scenario scenario;
        const Comparison comparison = test::compared(contextOf(scenario, {scenario, scenario}));
        for (const ComparisonRow& row : comparison.rows) {
            QVERIFY(!row.best);
            QVERIFY(row.words[1] == "same" || !row.values[1]);
        }
        QVERIFY(comparison.columns[1].changes.empty());
    }

    void whatDoesNotFitIsNotTheBest()
    {
        Scenario fits, large;
        large.training.microBatch = 512;
        const ChartContext context = contextOf(fits, {large});
        QVERIFY(context.evaluation.fits || context.pins[0].evaluation.fits == context.evaluation.fits);
        const Comparison comparison = test::compared(context);
        if (context.evaluation.fits && !context.pins[0].evaluation.fits)
            for (const ComparisonRow& row : comparison.rows)
                QVERIFY2(!(row.best == std::size_t(1)), std::string(row.metric->id).c_str());
    }

    void whatCannotBeEvaluatedKeepsItsColumnAndSaysWhy()
    {
        Scenario impossible, pin;
        impossible.parallelism.tensor = 3;
        const PreparedScenario ready = prepared(pin);
        const Evaluation evaluation = evaluate(ready);
        const Comparison comparison =
            compare({{.scenario = &impossible, .name = "in hand", .refusal = "3 does not divide 32"},
                     {.letter = "A", .scenario = &pin, .prepared = &ready, .evaluation = &evaluation}});
        QCOMPARE(comparison.columns.size(), std::size_t(2));
        QVERIFY(comparison.rows.size() > 10);
        const ComparisonRow& mfu = rowOf(comparison, "mfu");
        QVERIFY(!mfu.values[0] && mfu.values[1] && mfu.words[1].empty() && !mfu.best);
        const auto& changes = comparison.columns[1].changes;
        QVERIFY(std::ranges::any_of(changes, [](const auto& change) { return change.parameterId == "tensor"; }));
        const std::string text = comparisonMarkdown(comparison);
        QVERIFY(text.find("now: in hand (cannot be evaluated)") != std::string::npos);
        QVERIFY(text.find("Now cannot be evaluated: 3 does not divide 32") != std::string::npos);
    }

    void countsOfFlopHaveThreeDigits()
    {
        const Comparison comparison = test::compared(contextOf(Scenario(), {}));
        for (const char* id : {"flops.model", "flops.hardware"}) {
            const ComparisonRow& row = rowOf(comparison, id);
            const std::string text = formatText(*row.values[0], row.metric->format);
            QVERIFY2(text.ends_with("FLOP") && std::ranges::count_if(text, isdigit) == 3, text.c_str());
            QVERIFY(comparisonCsv(comparison).find(exactNumber(*row.values[0])) != std::string::npos);
        }
    }

    void markdownHasARowForEveryMetricAndTheChanges()
    {
        Scenario now, pin;
        now.training.microBatch = 4;
        const Comparison comparison = test::compared(contextOf(now, {pin}));
        const std::string text = comparisonMarkdown(comparison);
        std::size_t rows = 0;
        for (std::size_t at = text.find("\n| "); at != std::string::npos; at = text.find("\n| ", at + 1))
            ++rows;
        QCOMPARE(rows, comparison.rows.size());
        QVERIFY(text.find("What changed from A:\n- ") != std::string::npos);
        const std::string csv = comparisonCsv(comparison);
        QCOMPARE(static_cast<std::size_t>(std::ranges::count(csv, '\n')), comparison.rows.size() + 1);
    }

    void pinsStandOnEveryChart()
    {
        for (const Task task : {Task::Training, Task::Inference}) {
            Scenario now, pin;
            now.task = pin.task = task;
            now.hardware.pricePerGpuHour = pin.hardware.pricePerGpuHour = 2;
            pin.training.microBatch = 4;
            pin.inference.batch = 16;
            const ChartContext context = contextOf(now, {pin});
            for (const ChartRow& row : chartRegistry()) {
                if (!(task == Task::Training ? row.training : row.inference) || row.comesWith)
                    continue; // one profiled step, or one run's phases, stand alone
                const ChartSpec spec = row.build(context);
                const auto pinned = [](const auto& drawn) { return drawn.role == SeriesRole::PinA; };
                QVERIFY2(std::ranges::any_of(spec.series, pinned) || std::ranges::any_of(spec.guides, pinned),
                         std::string(row.id).c_str());
            }
        }
    }

    void theCommandLineCarriesTheScenarioThroughAShell()
    {
        Scenario scenario;
        scenario.name = "it's \"8\\n\" $HOME `date`";
        const std::string command = commandLine(scenario);
        QCOMPARE(std::ranges::count(command, '\n'), 0);
        const std::string printed = shell(command.substr(0, command.find(" | headroom-cli")));
        QCOMPARE(printed, writeScenarioLine(scenario) + "\n");
        QVERIFY(command.ends_with("| headroom-cli evaluate -"));
    }
};
HEADROOM_TEST(TestComparison)

} // namespace headroom::test_comparison
#include "test_comparison.moc"
