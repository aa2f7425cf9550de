// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/user_fit.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_user_fit
{
namespace
{

PreparedScenario example(const std::string& name)
{
    const auto reading = readScenario(*embeddedFile("scenarios/" + name + ".headroom"), Catalog::builtIn());
    PreparedScenario prepared = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
    prepared.measured = {};
    return prepared;
}

PreparedScenario training()
{
    return example("07-llama-3-8b-64-a100-selective-layer");
}

/// The run of a machine whose efficiencies are not the built-in ones.
PreparedScenario ranAt(PreparedScenario run, const Efficiency& truth)
{
    run.efficiency = truth;
    const Evaluation e = evaluate(run);
    run.efficiency = {};
    run.measured = {};
    if (run.task == Task::Training)
        run.measured.stepTimeS = *e.stepTimeS;
    else {
        run.measured.tpotS = *e.tpotS;
        run.measured.ttftS = *e.ttftS;
    }
    return run;
}

/// What a profiler would show of it, without a time of the step.
PreparedScenario profiledAt(PreparedScenario run, const Efficiency& truth)
{
    run.efficiency = truth;
    MeasuredProfile any;
    any.matmulS = any.stepS = 1;
    const auto parts = profile::compareProfile(any, run, evaluate(run)).parts;
    const auto of = [&](std::string_view id) {
        const auto part = std::ranges::find(parts, id, &profile::ProfilePart::id);
        return part == parts.end() ? 0 : part->predictedS.value_or(0);
    };
    run.efficiency = {};
    run.measured = {};
    MeasuredProfile& m = run.measured.profile;
    m.matmulS = of("matmul");
    m.attentionS = of("attention");
    m.elementwiseS = of("memory_bound");
    m.optimizerS = of("optimizer");
    m.allGatherS = m.communicationS = of("sharding_communication");
    m.launchBoundS = of("host") + 0.5; // a profiler slows the host
    m.stepS = m.sumS();
    return run;
}

Efficiency compute(double factor)
{
    Efficiency e;
    e.matmul = e.attention = e.memoryBandwidth = factor;
    return e;
}

} // namespace

class TestUserFit : public QObject
{
    Q_OBJECT
private slots:
    void aProfileTellsTheParts()
    {
        Efficiency truth;
        truth.matmul = 0.7;
        truth.attention = 0.9;
        truth.memoryBandwidth = 0.8;
        const PreparedScenario run = profiledAt(training(), truth);
        const auto fit = fitToRuns(std::span(&run, 1));
        QVERIFY(fit.has_value());
        QVERIFY(std::abs(fit->efficiency.matmul / 0.7 - 1) < 0.01);
        QVERIFY(std::abs(fit->efficiency.attention / 0.9 - 1) < 0.01);
        QVERIFY(std::abs(fit->efficiency.memoryBandwidth / 0.8 - 1) < 0.02);
        QCOMPARE(fit->efficiency.host, 1.0);
        // The error is that of the step, of which the host's half second more is left: not that of its parts.
        const double step = run.measured.profile.stepS, host = 0.5;
        QVERIFY2(std::abs(fit->errorAfter - host / step) < 0.01, userFitText(*fit).c_str());
        QVERIFY(fit->errorBefore > fit->errorAfter);

        // A time beside it moves the parts together.
        PreparedScenario timed = run;
        Efficiency slower = truth;
        slower.matmul *= 0.9;
        slower.attention *= 0.9;
        slower.memoryBandwidth *= 0.9;
        timed.measured.stepTimeS = ranAt(training(), slower).measured.stepTimeS;
        const auto both = fitToRuns(std::span(&timed, 1));
        QVERIFY(both.has_value());
        QVERIFY(std::abs(both->efficiency.matmul / both->efficiency.attention / (0.7 / 0.9) - 1) < 0.01);
        QVERIFY(std::abs(both->efficiency.matmul / 0.63 - 1) < 0.02);
        timed.efficiency = both->efficiency;
        QVERIFY(std::abs(*evaluate(timed).stepTimeS / *timed.measured.stepTimeS - 1) < 1e-3);
    }

    void oneRunIsMet()
    {
        const PreparedScenario run = ranAt(training(), compute(0.8));
        const auto fit = fitToRuns(std::span(&run, 1));
        QVERIFY(fit.has_value());
        QCOMPARE(fit->shifts.size(), std::size_t(1)); // one run cannot tell the network from the chip
        QVERIFY(std::abs(fit->efficiency.matmul - 0.8) < 1e-3);
        QCOMPARE(fit->efficiency.attention, fit->efficiency.matmul);
        QCOMPARE(fit->efficiency.scaleOut, 1.0);
        QVERIFY(fit->errorBefore > 0.05);
        QVERIFY(fit->errorAfter < 1e-3);
        QVERIFY(userFitText(*fit).find("meets the one run") != std::string::npos); // no error rate of one
    }

    void computeAndCommunicationAreToldApart()
    {
        Efficiency truth = compute(0.85);
        truth.scaleUp = truth.scaleOut = 0.6;
        std::vector<PreparedScenario> runs;
        for (const std::int64_t microBatch : {1, 1, 2, 4})
            for (const std::int64_t tensor : {1, 8}) {
                PreparedScenario run = training();
                run.training.microBatch = microBatch;
                run.training.globalBatch.reset();
                run.training.sequenceLength = 2048;
                run.parallelism.tensor = tensor;
                runs.push_back(ranAt(run, truth));
            }
        const auto fit = fitToRuns(runs);
        QVERIFY(fit.has_value());
        QVERIFY2(std::abs(fit->efficiency.matmul - 0.85) < 0.02, userFitText(*fit).c_str());
        QVERIFY2(std::abs(fit->efficiency.scaleOut - 0.6) < 0.05, userFitText(*fit).c_str());
    }

    void servingFitsDecodeAndPrefill()
    {
        Efficiency truth;
        truth.decode = 0.7;
        truth.prefill = 1.3;
        const PreparedScenario run = ranAt(example("10-llama-2-70b-int8-2-h100"), truth);
        const auto fit = fitToRuns(std::span(&run, 1));
        QVERIFY(fit.has_value());
        QVERIFY2(std::abs(fit->efficiency.decode - 0.7) < 0.01, userFitText(*fit).c_str());
        QVERIFY2(std::abs(fit->efficiency.prefill - 1.3) < 0.02, userFitText(*fit).c_str());
        QCOMPARE(fit->efficiency.matmul, 1.0);
    }

    void theRightConstantsStay()
    {
        const PreparedScenario run = ranAt(training(), {});
        const auto fit = fitToRuns(std::span(&run, 1));
        QVERIFY(std::abs(fit->efficiency.matmul - 1) < 1e-3);
    }

    void earlierMultipliersDoNotMatter()
    {
        PreparedScenario run = ranAt(training(), compute(0.8));
        const auto fresh = fitToRuns(std::span(&run, 1));
        run.efficiency = compute(0.5);
        const auto again = fitToRuns(std::span(&run, 1));
        QCOMPARE(again->efficiency, fresh->efficiency);
    }

    void noMultiplierBeatsTheSpeedOfLight()
    {
        Efficiency most = compute(4);
        most.scaleUp = most.scaleOut = 4;
        for (const auto& [path, text] : embeddedFolder("scenarios/")) {
            const auto reading = readScenario(text, Catalog::builtIn());
            PreparedScenario run = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
            run.efficiency = most;
            const Evaluation lifted = evaluate(run);
            run.efficiency = {};
            run.efficiency.base = EfficiencyBase::Ideal;
            const Evaluation ideal = evaluate(run);
            const std::string name(path);
            if (run.task == Task::Training)
                QVERIFY2(*lifted.stepTimeS >= *ideal.stepTimeS * (1 - 1e-9), name.c_str());
            else
                QVERIFY2(*lifted.tpotS >= *ideal.tpotS * (1 - 1e-9), name.c_str());
        }
    }

    void noMultiplierWidensALink()
    {
        PreparedScenario run = example("15-mixtral-8x7b-serving-4-a100");
        run.parallelism.tensor = 1; // tokens are exchanged between the ranks
        run.parallelism.attentionData = run.parallelism.expert = 4;
        run.efficiency.scaleUp = 100;
        const double whole = *evaluate(run).tpotS;
        run.efficiency.scaleUp = 1000;
        QCOMPARE(*evaluate(run).tpotS, whole);
    }

    void runsFasterThanLightDecideNothing()
    {
        PreparedScenario impossible = training();
        impossible.measured.stepTimeS = 1e-9;
        const auto alone = fitToRuns(std::span(&impossible, 1));
        QVERIFY(!alone.has_value());
        QCOMPARE(alone.error().front().code, std::string("faster-than-ideal"));

        const std::vector<PreparedScenario> both{ranAt(training(), compute(0.8)), impossible};
        const auto fit = fitToRuns(both);
        QCOMPARE(fit->efficiency, fitToRuns(std::span(both).first(1))->efficiency);
        QCOMPARE(fit->leftOut, std::size_t(1));
        QVERIFY2(userFitText(*fit).ends_with("one run left out, faster than the speed of light"),
                 userFitText(*fit).c_str());
    }

    void absurdRunsAreRefused()
    {
        PreparedScenario run = training();
        run.measured.stepTimeS = 1e9;
        QCOMPARE(fitToRuns(std::span(&run, 1)).error().front().code, std::string("out-of-reach"));
    }

    void nothingMeasuredIsAnError()
    {
        QVERIFY(!fitToRuns({}).has_value());
        PreparedScenario run = training();
        run.measured.peakMemoryBytes = 1e10;
        const auto fit = fitToRuns(std::span(&run, 1));
        QVERIFY(!fit.has_value());
        QVERIFY(!fit.error().front().hint.empty());
    }

    void theObjectIsOneOfTheScenarioFormat()
    {
        Efficiency e = compute(0.9);
        e.decode = 1.25;
        QCOMPARE(efficiencyJson(e),
                 std::string("{\"matmul\": 0.9, \"attention\": 0.9, \"memory_bandwidth\": 0.9, \"decode\": 1.25}"));
        QCOMPARE(efficiencyJson({}), std::string("{}"));
    }
};
HEADROOM_TEST(TestUserFit)

} // namespace headroom::test_user_fit
#include "test_user_fit.moc"
