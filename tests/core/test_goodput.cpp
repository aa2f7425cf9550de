// SPDX-License-Identifier: GPL-3.0-or-later
// What failures leave of a training: Daly's model, published runs, what it does to time and money, the file's keys.
#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/goodput.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_goodput
{

using test::near;

namespace
{

constexpr double minute = 60, hour = 3600;

/// The training workload's keys beside the task, with `reliability` as given.
Scenario read(const std::string& reliability, const std::string& task = "training")
{
    const auto result = readScenario(
        R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware": {"accelerator": )"
        R"("h100-sxm-80gb", "count": 64, "price_per_gpu_hour": 2}, "workload": {"task": ")" +
            task + R"(")" + reliability + "}}",
        Catalog::builtIn());
    if (!result)
        return {};
    return result->scenario;
}

PreparedScenario training(std::int64_t gpus, double gpuHours)
{
    Scenario s = read(R"(, "sequence_length": 8192, "training_tokens": 1e12)");
    s.hardware.count = gpus;
    s.training.reliability.gpuMtbfHours = gpuHours;
    return *prepare(s, Catalog::builtIn(), Calibration::builtIn());
}

} // namespace

class TestGoodput : public QObject
{
    Q_OBJECT
private slots:
    /// Captions of figures 3 to 5 of Daly 2006: a dump of 5 minutes, a restart of 10.
    void dalysBestIntervals()
    {
        QVERIFY(near(bestCheckpointInterval({24 * hour, 5 * minute, 10 * minute}), 117 * minute, 0.01));
        QVERIFY(near(bestCheckpointInterval({6 * hour, 5 * minute, 10 * minute}), 57 * minute, 0.01));
        QVERIFY(near(bestCheckpointInterval({15 * minute, 5 * minute, 10 * minute}), 9.1 * minute, 0.01));
        QCOMPARE(bestCheckpointInterval({2 * minute, 5 * minute, 10 * minute}), 2 * minute); // δ ≥ 2M: M
    }

    /// 466 interruptions in 54 days on 16,384 GPUs; more than 90 % effective (Llama 3, section 3.3.4).
    void llama3()
    {
        const FailureModel model{54 * 24 * hour / 466, 5, 600};
        const double interval = bestCheckpointInterval(model);
        QVERIFY(near(interval, 313, 0.005));
        QVERIFY(near(effectiveTrainingTimeRatio(model, interval), 0.912, 0.001));
        const FailureModel slower{model.mtbf, 5, 1200};
        QVERIFY(near(effectiveTrainingTimeRatio(slower, interval), 0.859, 0.001));
    }

    void theBestIntervalBeatsItsNeighbours()
    {
        for (const double mtbf : {900.0, 1e4, 1e6, 1e9})
            for (const double checkpoint : {0.001, 1.0, 60.0, 300.0}) {
                const FailureModel model{mtbf, checkpoint, 600};
                const double best = bestCheckpointInterval(model), ratio = effectiveTrainingTimeRatio(model, best);
                for (const double factor : {0.8, 1.25})
                    QVERIFY(effectiveTrainingTimeRatio(model, factor * best) < ratio);
            }
    }

    void extremesStayFinite()
    {
        for (const double mtbf : {1e-3, 1.0, 1e12})
            for (const double checkpoint : {1e-3, 1e7})
                for (const double restart : {0.0, 1e7})
                    for (const double interval : {1e-3, 1.0, 1e7}) {
                        const double ratio = effectiveTrainingTimeRatio({mtbf, checkpoint, restart}, interval);
                        QVERIFY(ratio >= leastTrainingTimeRatio && ratio <= 1);
                    }
        PreparedScenario p = training(1048576, 1e3);
        p.training.reliability.restartS = 1e7;
        const Evaluation e = evaluate(p);
        QVERIFY(std::isfinite(*e.secondsToTrain) && std::isfinite(*e.costToTrain));
        QVERIFY(e.warnings.has(WarningCode::FailsBeforeRestart));
        p.training.reliability.restartS = 1;
        QVERIFY(!evaluate(p).warnings.has(WarningCode::FailsBeforeRestart));
        p.training.reliability.checkpointS = 1e7;
        QVERIFY(evaluate(p).warnings.has(WarningCode::FailsBeforeRestart));
    }

    void failuresChangeTheCalendarAlone()
    {
        const PreparedScenario p = training(64, 5e4);
        PreparedScenario without = p;
        without.training.reliability.gpuMtbfHours.reset();
        const Evaluation with = evaluate(p), plain = evaluate(without);
        QVERIFY(with.goodput && !plain.goodput);
        QCOMPARE(*with.stepTimeS, *plain.stepTimeS);
        QCOMPARE(*with.mfu, *plain.mfu);
        QCOMPARE(*with.tokensPerS, *plain.tokensPerS);
        QVERIFY(near(*with.secondsToTrain * with.goodput->ettr, *plain.secondsToTrain, 1e-12));
        QVERIFY(near(*with.costToTrain * with.goodput->ettr, *plain.costToTrain, 1e-12));
        QVERIFY(with.goodput->ettrLow < with.goodput->ettr); // 64 GPUs: failures may be four times as frequent
        QCOMPARE(evaluate(training(2048, 5e4)).goodput->ettrLow, evaluate(training(2048, 5e4)).goodput->ettr);
    }

    void sparesArePaidForAndMaintenanceTakesTime()
    {
        PreparedScenario p = training(64, 5e4);
        const Evaluation before = evaluate(p);
        p.training.reliability.spares = 16;
        const Evaluation spared = evaluate(p);
        QCOMPARE(*spared.costPerHour, 2.0 * 80);
        QCOMPARE(*spared.secondsToTrain, *before.secondsToTrain);
        QVERIFY(near(*spared.costToTrain, *before.costToTrain * 80 / 64, 1e-12));
        p.training.reliability.maintenance = 0.2;
        QVERIFY(near(*evaluate(p).secondsToTrain, *before.secondsToTrain / 0.8, 1e-12));
        p.training.reliability.stragglerSigma = 0.05; // 64 ranks wait for the slowest
        QVERIFY(near(*evaluate(p).secondsToTrain, *before.secondsToTrain / 0.8 * (1 + 0.05 * 2.33669),
                     1e-4)); // Φ⁻¹(63.625 ÷ 64.25)
        QCOMPARE(*evaluate(p).stepTimeS, *before.stepTimeS);
    }

    /// √(2 ln n) was 2.09 times the mean maximum of two ranks, and 23 % more than that of 64.
    void stragglersAreTheMeanMaximum()
    {
        QCOMPARE(stragglerFactor(0.1, 1), 1.0);
        // Harter, Expected values of normal order statistics (Biometrika 48, 1961): of 2, 8, 100 and 400 values.
        for (const auto& [ranks, mean, off] : {std::tuple(2.0, 0.56419, 0.05), std::tuple(8.0, 1.42360, 0.008),
                                               std::tuple(100.0, 2.50759, 0.007), std::tuple(400.0, 2.96818, 0.007)})
            QVERIFY2(near((stragglerFactor(0.1, ranks) - 1) / 0.1, mean, off), qPrintable(QString::number(ranks)));
    }

    void aCheckpointHoldsWhatLearns()
    {
        PreparedScenario p = training(8, 5e4);
        const auto bytesEach = [&p] {
            const Evaluation e = evaluate(p);
            return e.goodput->checkpointBytes / e.trainableParameters;
        };
        QCOMPARE(bytesEach(), 14.0); // weight 2, master copy 4, moments 8
        p.training.masterWeights = MasterWeights::None;
        QCOMPARE(bytesEach(), 6.0);
        p.training.precision = DataType::Fp32;
        QCOMPARE(bytesEach(), 12.0);
        p.training.method = Method::Lora;
        QCOMPARE(bytesEach(), 12.0);
    }

    /// A rate is waited for; without one the GPUs copy their parts to the hosts at once.
    void theCheckpointTime()
    {
        PreparedScenario p = training(8, 5e4);
        const double bytes = evaluate(p).goodput->checkpointBytes, copy = evaluate(p).goodput->checkpointS;
        QVERIFY(copy > bytes / 8 / (p.accelerator->hostLinkGbPerS * 1e9));
        p.hardware.count = 16;
        QVERIFY(near(evaluate(p).goodput->checkpointS, copy / 2, 1e-12));
        p.training.reliability.checkpointGbPerS = 2;
        QVERIFY(near(evaluate(p).goodput->checkpointS, bytes / 2e9, 1e-12));
        p.training.reliability.checkpointS = 7;
        QCOMPARE(evaluate(p).goodput->checkpointS, 7.0);
        QVERIFY(evaluate(p).warnings.has(WarningCode::KeyWithoutEffect));
    }

    void anIntervalBeyondTheRunIsSaid()
    {
        PreparedScenario p = training(64, 5e4);
        p.training.reliability.checkpointIntervalS = 1e7;
        const Evaluation without = evaluate(p);
        QVERIFY(without.warnings.has(WarningCode::CheckpointBeyondRun));
        // Each failure takes the whole run at most.
        const double run = *p.training.trainingTokens / *without.tokensPerS;
        QVERIFY(near(without.goodput->intervalS, run, 1e-12));
        p.training.reliability.checkpointIntervalS = 0.999 * run;
        QVERIFY(near(*evaluate(p).secondsToTrain, *without.secondsToTrain, 0.01));
        p.training.reliability.checkpointIntervalS = 3600;
        QVERIFY(!evaluate(p).warnings.has(WarningCode::CheckpointBeyondRun));
    }

    /// The best interval was longer than the run: an ETTR of 0.88 where the same interval, stated, gave 0.39.
    void theBestIntervalIsNoLongerThanTheRun()
    {
        PreparedScenario p = test::trainingCase("llama-3.1-405b", "h100-sxm-96gb", 128);
        p.training.trainingTokens = 1e8;
        p.training.reliability.gpuMtbfHours = 5e4;
        p.training.reliability.checkpointGbPerS = 0.5;
        const Evaluation best = evaluate(p);
        const double run = *p.training.trainingTokens / *best.tokensPerS;
        QVERIFY(near(best.goodput->intervalS, run, 1e-12));
        QVERIFY(near(best.goodput->bestIntervalS, run, 1e-12));
        for (const double interval : {run, 100 * run}) {
            p.training.reliability.checkpointIntervalS = interval;
            QCOMPARE(evaluate(p).goodput->ettr, best.goodput->ettr);
        }
    }

    /// Checkpoints are written between two steps.
    void anIntervalWithinAStepIsAStep()
    {
        PreparedScenario p = training(64, 5e4);
        p.training.reliability.checkpointIntervalS = 0.001;
        const Evaluation e = evaluate(p);
        QCOMPARE(e.goodput->intervalS, *e.stepTimeS);
        QVERIFY(e.warnings.has(WarningCode::CheckpointWithinStep));
        p.training.reliability.checkpointIntervalS = *e.stepTimeS;
        QVERIFY(!evaluate(p).warnings.has(WarningCode::CheckpointWithinStep));
        QCOMPARE(evaluate(p).goodput->ettr, e.goodput->ettr);
    }

    /// Eight context ranks hold the same states: without sharding one GPU of them writes.
    void contextRanksWriteNoPartOfTheirOwn()
    {
        PreparedScenario p = training(8, 5e4);
        p.parallelism.sharding = Sharding::None;
        const double one = evaluate(p).goodput->checkpointS;
        p.parallelism.context = 8;
        QCOMPARE(evaluate(p).goodput->checkpointS, one);
    }

    /// One GPU copied the experts of all: 654 GB, of which it holds an eighth.
    void ranksCopyTheExpertsThatTheyHold()
    {
        PreparedScenario p = test::trainingCase("mixtral-8x7b", "h100-sxm-80gb", 8);
        p.training.reliability.gpuMtbfHours = 5e4;
        p.parallelism.sharding = Sharding::None;
        const Evaluation one = evaluate(p);
        p.parallelism.expert = 8;
        const Evaluation spread = evaluate(p);
        QCOMPARE(spread.goodput->checkpointBytes, one.goodput->checkpointBytes);
        const double experts = p.model->parameters.total - p.model->parameters.active; // six of eight
        const double held = 1 - 7 * (experts / 6) / p.model->parameters.total;
        QVERIFY(near(spread.goodput->checkpointS, one.goodput->checkpointS * held, 1e-9));
    }

    /// What is offloaded lies in the host's memory: its link carries none of it.
    void offloadedStatesAreCopiedWithinTheHost()
    {
        PreparedScenario p = training(8, 5e4);
        const double onDevice = evaluate(p).goodput->checkpointS;
        p.training.offload = Offload::Optimizer;
        const double n = evaluate(p).totalParameters, rate = p.calibration->training.constants.hostMemoryRate / 8;
        const double host = 2 * 12 * n / 8 / rate;
        QVERIFY(near(evaluate(p).goodput->checkpointS, onDevice * 2 / 14 + host, 1e-9));
        p.training.offload = Offload::Parameters;
        QVERIFY(near(evaluate(p).goodput->checkpointS, 2 * 14 * n / 8 / rate, 1e-9));
    }

    void thePresenceOfTheObjectCounts()
    {
        QVERIFY(!countsFailures(read("").training));
        for (const char* object : {"{}", R"({"restart_s": 600})", R"({"spares": 4})"})
            QVERIFY2(countsFailures(read(std::string(R"(, "reliability": )") + object).training), object);
        const Scenario stated = read(R"(, "reliability": {})");
        QCOMPARE(*stated.training.reliability.gpuMtbfHours, usualGpuMtbfHours);
        const auto again = readScenario(writeScenario(stated), Catalog::builtIn());
        QVERIFY(again && again->scenario == stated);
        QVERIFY(!readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware": )"
                              R"({"accelerator": "h100-sxm-80gb"}, "workload": {"task": "inference", )"
                              R"("reliability": {}}})",
                              Catalog::builtIn()));
    }

    /// n·ETTR is largest at n = M₁ ÷ R where checkpoints cost next to nothing: 300,000 at 50,000 hours and ten minutes.
    void failuresAloneStopHelpingWhereTheyComeAsOftenAsRestartsEnd()
    {
        double best = 0, most = 0;
        for (double gpus = 1e5; gpus <= 1e6; gpus += 1e3) {
            const FailureModel model{5e4 * hour / gpus, 1e-4, 600};
            const double done = gpus * effectiveTrainingTimeRatio(model, bestCheckpointInterval(model));
            if (done > most) {
                most = done;
                best = gpus;
            }
        }
        QVERIFY(near(best, 3e5, 0.02));
    }

    void theChartNamesWhereMoreGpusStopHelping()
    {
        const auto drawn = [](const PreparedScenario& p) {
            ChartContext context;
            context.scenario = p;
            context.evaluation = evaluate(p);
            return chartRow("more_gpus")->build(context);
        };
        const auto lineOf = [](const ChartSpec& spec, std::string_view id) -> const Series* {
            const auto found = std::ranges::find(spec.series, id, &Series::id);
            return found == spec.series.end() ? nullptr : &*found;
        };
        PreparedScenario p = training(4096, 5e4);
        p.training.reliability.checkpointS = 1e-3;
        const ChartSpec spec = drawn(p);
        const Series& effective = *lineOf(spec, "effective");
        const auto best = std::ranges::max_element(effective.points, {}, &Point::y);
        QVERIFY(best->x > 4096 && best->x < 3e5); // gradients take their share before failures alone would
        const auto guide = std::ranges::find(spec.guides, GuideKind::Vertical, &Guide::kind);
        QVERIFY(guide != spec.guides.end() && guide->x == best->x);
        QVERIFY(spec.reading.find("stop helping") != std::string::npos);
        QVERIFY(lineOf(spec, "running") && lineOf(spec, "ideal") && !lineOf(spec, "worst"));
        for (std::size_t i = 0; i < effective.points.size(); ++i)
            QVERIFY(effective.points[i].y < lineOf(spec, "running")->points[i].y);

        p.hardware.count = 512; // small jobs may fail four times as often
        QVERIFY(lineOf(drawn(p), "worst"));
        p.training.reliability.gpuMtbfHours.reset();
        p.training.reliability.checkpointS.reset();
        const ChartSpec plain = drawn(p); // failures do not count: said
        QVERIFY(!lineOf(plain, "running") && plain.note.find("not counted") != std::string::npos);
    }

    /// Whoever reads a time to train learns whether failures are in it.
    void theTimeToTrainSaysWhatItCounts()
    {
        PreparedScenario p = training(64, 5e4);
        const auto assumed = [](const PreparedScenario& of) {
            std::string all;
            for (const std::string& line : derive("seconds_to_train", of, evaluate(of)).assumptions)
                all += line;
            return all;
        };
        QVERIFY(assumed(p).find("not counted") == std::string::npos);
        p.training.reliability.gpuMtbfHours.reset();
        QVERIFY(assumed(p).find("Failures are not counted") != std::string::npos);
    }
};
HEADROOM_TEST(TestGoodput)

} // namespace headroom::test_goodput
#include "test_goodput.moc"
