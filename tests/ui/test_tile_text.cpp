// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tile_text.hpp"

#include "core/units/format.hpp"
#include "tests/support/support.hpp"

using namespace headroom;
using namespace headroom::ui;

class TestTileText : public QObject
{
    Q_OBJECT

    static ChartContext context(const Scenario& scenario)
    {
        auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        if (!prepared)
            qFatal("%s", toText(prepared.error().front()).c_str());
        ChartContext result;
        result.evaluation = evaluate(*prepared);
        result.scenario = *prepared;
        return result;
    }

private slots:
    void aMeasurementIsShownWithThePredictionBesideIt()
    {
        Scenario scenario;
        ChartContext plain = context(scenario);
        const MetricRow& step = *metricRow("step_time_s");
        QVERIFY(!tileText(step, plain).observed);
        scenario.measured.stepTimeS = 30;
        const TileText text = tileText(step, context(scenario));
        QVERIFY(text.observed);
        QCOMPARE(text.number, std::string("30.0"));
        const std::string predicted = formatText(*plain.evaluation.stepTimeS, ValueFormat::Seconds);
        QCOMPARE(text.sub, "predicted " + predicted);
        QCOMPARE(text.brief, "pred. " + predicted); // a narrow tile cuts the word, not the figure
    }

    void aMeasuredTimeIsARateToo()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        const ChartContext plain = context(scenario);
        scenario.measured.stepTimeS = 2 * *plain.evaluation.stepTimeS;
        const TileText text = tileText(*metricRow("tokens_per_s_per_gpu"), context(scenario));
        QVERIFY(text.observed); // never a prediction beside observed figures without the word
        QCOMPARE(text.number,
                 formatValue(*plain.evaluation.tokensPerSPerGpu / 2, metricRow("tokens_per_s_per_gpu")->format).number);
        Scenario serving;
        serving.task = Task::Inference;
        serving.measured.tpotS = 0.5;
        QVERIFY(tileText(*metricRow("tpot_s"), context(serving)).observed);
        QVERIFY(!tileText(*metricRow("ttft_s"), context(serving)).observed);
    }

    void anOwnCalibrationIsNamedWhereItMovesAFigure()
    {
        Scenario scenario;
        const ChartContext plain = context(scenario);
        scenario.efficiency.matmul = 0.8;
        const ChartContext own = context(scenario);
        const TileText step = tileText(*metricRow("step_time_s"), own);
        QVERIFY(step.calibrated);
        QCOMPARE(step.sub, "built-in " + formatText(*plain.evaluation.stepTimeS, ValueFormat::Seconds));
        QVERIFY(!tileText(*metricRow("memory.used_bytes"), own).calibrated); // no multiplier changes memory
        scenario.measured.stepTimeS = 30;
        const TileText both = tileText(*metricRow("step_time_s"), context(scenario));
        QVERIFY(both.observed && !both.calibrated);
        QVERIFY2(both.sub.starts_with("calibrated "), both.sub.c_str());
        QVERIFY2(both.brief.starts_with("cal. "), both.brief.c_str());
    }

    void memoryBeyondTheCapacityIsMarked()
    {
        Scenario scenario;
        scenario.training.microBatch = 256;
        const TileText text = tileText(*metricRow("memory.used_bytes"), context(scenario));
        QCOMPARE(text.state, TileState::BeyondLimit);
        QVERIFY(*text.bar > 1);
        QVERIFY(text.sub.starts_with("lacks"));
    }

    /// The allocator's bytes fit, with the driver's own they do not: nothing may say both.
    void whatDoesNotFitLacksMemory()
    {
        Scenario scenario;
        ChartContext narrow = context(scenario);
        Evaluation& e = narrow.evaluation;
        e.fits = false;
        e.usedBytes = e.capacityBytes - 2e9;
        e.deviceBytes = e.capacityBytes + 1e9;
        const TileText text = tileText(*metricRow("memory.used_bytes"), narrow);
        QCOMPARE(text.state, TileState::BeyondLimit);
        QCOMPARE(text.sub, "lacks " + formatText(1e9, ValueFormat::Bytes));
        QVERIFY2(memoryNeedText(e).starts_with("needs " + formatText(e.deviceBytes, ValueFormat::Bytes)),
                 memoryNeedText(e).c_str());
    }

    void aRangeNamesItsUnitOnce()
    {
        ChartContext scenario = context(Scenario{});
        scenario.evaluation.stepTimeInterval = Interval{.low = 1.5, .high = 2.5};
        QCOMPARE(tileText(*metricRow("step_time_s"), scenario).sub, "1.50 to " + formatText(2.5, ValueFormat::Seconds));
        scenario.evaluation.stepTimeInterval = Interval{.low = 0.5, .high = 2.5};
        QVERIFY(tileText(*metricRow("step_time_s"), scenario).sub.starts_with(formatText(0.5, ValueFormat::Seconds)));
    }

    void differencesAreWords()
    {
        Scenario scenario;
        const ChartContext one = context(scenario);
        const PinnedScenario pin{'A', "", one.scenario, one.evaluation};
        const double step = *one.evaluation.stepTimeS;
        const MetricRow& row = *metricRow("step_time_s");
        QCOMPARE(differenceText(row, step, pin), std::string("same as A"));
        QCOMPARE(differenceText(row, step / 2, pin), formatText(2, ValueFormat::Plain) + "× faster than A");
        QCOMPARE(differenceText(row, step * 2, pin), formatText(2, ValueFormat::Plain) + "× slower than A");
    }

    void everyPinHasALine()
    {
        Scenario scenario;
        ChartContext now = context(scenario);
        const MetricRow& row = *metricRow("step_time_s");
        QVERIFY(tileText(row, now).pins.empty());
        for (const char letter : {'A', 'B', 'C'})
            now.pins.push_back({letter, "", now.scenario, now.evaluation});
        const TileText text = tileText(row, now);
        QCOMPARE(text.sub, std::string("same as A"));
        QVERIFY((text.pins == std::vector<std::string>{"same as B", "same as C"}));
        scenario.measured.stepTimeS = 1;
        ChartContext observed = context(scenario);
        observed.pins = now.pins;
        QCOMPARE(tileText(row, observed).pins.size(), std::size_t(3)); // beside "predicted …"
    }

    void theLargestPartsComeFirst()
    {
        Evaluation e;
        e.usedBytes = 412e9;
        e.capacityBytes = 320e9;
        e.part(MemoryPart::Weights) = 140e9;
        e.part(MemoryPart::KvCache) = 256e9;
        const std::string text = memoryNeedText(e);
        QVERIFY2(text.find("KV cache") < text.find("weights"), text.c_str());
        QVERIFY(text.find("412") != std::string::npos && text.find("320") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTileText)
#include "test_tile_text.moc"
