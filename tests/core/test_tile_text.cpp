// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/tile_text.hpp"

#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_tile_text
{

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

    /// A load decides how much of the batch is in use: "batch now 4" beside a slider at 64 would be a riddle.
    void whatIsInFlightIsNotCalledTheBatch()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        QVERIFY(tileText(*metricRow("max_batch"), context(scenario)).sub.starts_with("batch now "));
        scenario.inference.requestsPerS = 0.5;
        QVERIFY(tileText(*metricRow("max_batch"), context(scenario)).sub.ends_with(" decoding"));
    }

    void theDaysFiguresHaveFewerLettersForANarrowTile()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        scenario.hardware.pricePerGpuHour = 2;
        scenario.inference.requestsPerS = 0.5;
        scenario.inference.loadProfile = LoadProfile::shaped(LoadShape::Office, 4);
        scenario.inference.autoscale.target = 0.7;
        const ChartContext day = context(scenario);
        QVERIFY(day.evaluation.day);
        for (const char* id : {"day.gpu_hours", "day.cost"}) {
            const TileText text = tileText(*metricRow(id), day);
            QVERIFY(text.sub.starts_with("sized for the peak: ") && text.brief.starts_with("fixed: "));
            QCOMPARE(text.sub.substr(text.sub.find(": ")), text.brief.substr(text.brief.find(": ")));
        }
    }

    /// The plan shows the busiest hour on few replicas, the tile the mean load on all of them: it says so.
    void aDaysLatencyIsThatOfItsMeanLoad()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        scenario.inference.requestsPerS = 0.5;
        scenario.inference.ttftTargetS = 1;
        for (const bool hasDay : {false, true}) {
            if (hasDay)
                scenario.inference.loadProfile = LoadProfile::shaped(LoadShape::Office, 4);
            const ChartContext shown = context(scenario);
            QCOMPARE(shown.evaluation.day.has_value(), hasDay);
            for (const char* id : {"tpot_s", "ttft_s", "tail.ttft_s"}) {
                const TileText text = tileText(*metricRow(id), shown);
                QVERIFY2(text.sub.starts_with("mean load: ") == hasDay, text.sub.c_str());
                QCOMPARE(text.brief == "at mean load", hasDay);
            }
            const std::string note = warningText(WarningCode::LoadDecidesBatch, 1, shown.scenario);
            QCOMPARE(note.find("not of the busiest hour") != std::string::npos, hasDay);
        }
    }

    /// The update of a 70B fits on 64 GPUs; a copy that generates on one of them lacks room, and the tile says so.
    void memoryDoesNotFitWhereGeneratingDoesNot()
    {
        Scenario scenario;
        scenario.model.id = "llama-3.1-70b";
        scenario.hardware.count = 64;
        scenario.training.checkpointing = Checkpointing::Full;
        scenario.training.rl.prompts = 64;
        scenario.training.rl.rolloutTensor = 1;
        const MetricRow& memory = *metricRow("memory.used_bytes");
        const ChartContext one = context(scenario);
        QVERIFY(one.evaluation.fits && one.evaluation.rl && !one.evaluation.rl->fits);
        const TileText text = tileText(memory, one);
        QVERIFY2(text.sub.starts_with("generating lacks "), text.sub.c_str());
        QVERIFY(text.state == TileState::BeyondLimit);
        scenario.training.rl.rolloutTensor = 8;
        QVERIFY(tileText(memory, context(scenario)).sub.ends_with(", fits"));
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

    /// "communication" below an MFU is a riddle.
    void whatBindsIsSaidToBind()
    {
        ChartContext now = context(Scenario{});
        now.evaluation.boundBy = BoundBy::Communication;
        const TileText text = tileText(*metricRow("mfu"), now);
        QCOMPARE(text.sub, std::string("communication-bound"));
        QCOMPARE(text.brief, std::string("by communication"));
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

    void memoryThatMayNotFitIsNotGreen()
    {
        Scenario scenario;
        ChartContext narrow = context(scenario);
        narrow.evaluation.warnings = {};
        narrow.evaluation.fits = true;
        QCOMPARE(tileText(*metricRow("memory.used_bytes"), narrow).state, TileState::WithinLimit);
        narrow.evaluation.warnings.add(WarningCode::MemoryMayNotFit, 90e9);
        const TileText text = tileText(*metricRow("memory.used_bytes"), narrow);
        QCOMPARE(text.state, TileState::Plain);
        QVERIFY(text.sub.ends_with(", may not fit"));
        QCOMPARE(text.brief, std::string("may not fit"));
    }

    /// Of two pools the figure is that of the GPUs that decode: where the others lack memory, it says who.
    void thePoolThatLacksMemoryIsNamed()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        ChartContext pools = context(scenario);
        Evaluation& e = pools.evaluation;
        e.pools.emplace();
        e.fits = false;
        e.pools->decode.fits = true;
        e.usedBytes = e.capacityBytes / 2;
        e.pools->prefill.capacityBytes = 80e9;
        e.pools->prefill.usedBytes = 90e9;
        const TileText text = tileText(*metricRow("memory.used_bytes"), pools);
        QCOMPARE(text.state, TileState::BeyondLimit);
        QCOMPARE(text.sub, "prefill lacks " + formatText(10e9, ValueFormat::Bytes));
        QCOMPARE(text.brief, std::string("does not fit")); // no tile beside it gives way
        QCOMPARE(decisiveMemory(e).usedBytes, 90e9);
        QCOMPARE(decisiveMemory(e).capacityBytes, 80e9);
        e.pools->decode.fits = false;
        e.usedBytes = e.capacityBytes + 1e9;
        QCOMPARE(tileText(*metricRow("memory.used_bytes"), pools).sub, "lacks " + formatText(1e9, ValueFormat::Bytes));
        QCOMPARE(decisiveMemory(e).usedBytes, e.usedBytes);
    }

    /// Used memory is what the driver shows: what it says is missing is what is beyond the capacity.
    void whatDoesNotFitLacksMemory()
    {
        Scenario scenario;
        ChartContext narrow = context(scenario);
        Evaluation& e = narrow.evaluation;
        e.fits = false;
        e.usedBytes = e.deviceBytes = e.capacityBytes + 1e9;
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
        ChartContext one = context(scenario);
        const PinnedScenario pin{'A', "", one.scenario, one.evaluation};
        const double step = *one.evaluation.stepTimeS;
        const auto words = [&](double seconds) {
            one.evaluation.stepTimeS = seconds;
            return differenceText(*metricRow("step_time_s"), one, pin);
        };
        QCOMPARE(words(step), std::string("same as A"));
        QCOMPARE(words(step / 2), formatText(2, ValueFormat::Plain) + "× faster than A");
        QCOMPARE(words(step * 2), formatText(2, ValueFormat::Plain) + "× slower than A");
    }

    /// An observation beside a prediction says nothing about the two scenarios.
    void likeIsComparedWithLike()
    {
        Scenario now, before;
        now.measured.stepTimeS = 30;
        const MetricRow& row = *metricRow("step_time_s");
        ChartContext here = context(now);
        const auto pin = [&](const Scenario& scenario) {
            const ChartContext there = context(scenario);
            return PinnedScenario{'A', "", there.scenario, there.evaluation};
        };
        QCOMPARE(differenceText(row, here, pin(before)), std::string("predicted: same as A"));
        before.measured.stepTimeS = 60;
        QCOMPARE(differenceText(row, here, pin(before)), formatText(2, ValueFormat::Plain) + "× faster than A");
        here = context(Scenario{});
        QCOMPARE(differenceText(row, here, pin(before)), std::string("same as A"));
        QCOMPARE(differenceText(*metricRow("mfu"), here, pin(before)), std::string("same as A"));
    }

    /// A step of eight times the tokens takes longer and is no slower.
    void stepsOfOtherWorkAreComparedTokenByToken()
    {
        Scenario before, now;
        before.training.globalBatch = 64;
        const ChartContext there = context(before), here = context(now);
        const PinnedScenario pin{'A', "", there.scenario, there.evaluation};
        const double ratio = *there.evaluation.tokensPerS / *here.evaluation.tokensPerS;
        const std::string words = differenceText(*metricRow("step_time_s"), here, pin);
        QVERIFY2(words.find("per token") != std::string::npos, words.c_str());
        QVERIFY2(std::abs(ratio - 1) < 0.01 ||
                     words.starts_with(formatText(std::max(ratio, 1 / ratio), ValueFormat::Plain)),
                 words.c_str());
    }

    void whatCannotHaveBeenMeasuredIsCalledSo()
    {
        Scenario scenario;
        const ChartContext plain = context(scenario);
        scenario.measured.stepTimeS = 1e-3;
        ChartContext now = context(scenario);
        const TileText mfu = tileText(*metricRow("mfu"), now);
        QVERIFY(!mfu.observed);
        QCOMPARE(mfu.number, tileText(*metricRow("mfu"), plain).number);
        QVERIFY2(mfu.sub.starts_with("measured ") && mfu.sub.ends_with(": impossible"), mfu.sub.c_str());
        now.pins.push_back({'A', "", plain.scenario, plain.evaluation});
        QCOMPARE(tileText(*metricRow("step_time_s"), now).pins.front(), std::string("same as A"));
        scenario = {};
        scenario.task = Task::Inference;
        scenario.measured.tpotS = 1e-6;
        QVERIFY(!tileText(*metricRow("tpot_s"), context(scenario)).observed);
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
        QVERIFY((text.pins == std::vector<std::string>{"same as A", "same as B", "same as C"}));
        scenario.measured.stepTimeS = 1;
        ChartContext observed = context(scenario);
        observed.pins = now.pins;
        QCOMPARE(tileText(row, observed).pins.size(), std::size_t(3)); // beside "predicted …"
        // A tile without room is cut at the end: whose the difference is stands first.
        QCOMPARE(tileText(row, observed).briefPins.front(), std::string("pred. A: same"));
        QVERIFY((text.briefPins == std::vector<std::string>{"A: same", "B: same", "C: same"}));
    }

    /// A narrow tile has no room for "A: 6.6× slower per token".
    void aStepOfOtherTokensIsComparedInFewLetters()
    {
        Scenario scenario;
        ChartContext now = context(scenario);
        scenario.training.sequenceLength *= 4;
        const ChartContext other = context(scenario);
        now.pins.push_back({'A', "", other.scenario, other.evaluation});
        const TileText text = tileText(*metricRow("step_time_s"), now);
        QVERIFY2(text.pins.front().ends_with("per token than A"), text.pins.front().c_str());
        QVERIFY2(text.briefPins.front().starts_with("A: ") && text.briefPins.front().ends_with("r/token"),
                 text.briefPins.front().c_str());
    }

    /// A red triangle beside "A trains: 29.9 GB" would say that of the pin.
    void aPinTakesNoTilesOwnWords()
    {
        Scenario training, serving;
        training.training.microBatch = 256;
        serving.task = Task::Inference;
        serving.inference.tpotTargetS = 1e-6;
        for (const auto& [id, scenario, other] :
             {std::tuple("memory.used_bytes", training, serving), std::tuple("tpot_s", serving, training)}) {
            ChartContext now = context(scenario);
            const TileText alone = tileText(*metricRow(id), now);
            QCOMPARE(alone.state, TileState::BeyondLimit);
            const ChartContext there = context(other);
            now.pins.push_back({'A', "", there.scenario, there.evaluation});
            const TileText text = tileText(*metricRow(id), now);
            QCOMPARE(text.sub, alone.sub);
            QCOMPARE(text.brief, alone.brief);
            QCOMPARE(text.pins.size(), std::size_t(1));
        }
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
HEADROOM_TEST(TestTileText)

} // namespace headroom::test_tile_text
#include "test_tile_text.moc"
