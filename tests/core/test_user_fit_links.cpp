// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration to one's own runs: which of chip, link and network they tell, and which runs tell nothing.
#include "core/fit/user_fit.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>

namespace headroom::test_user_fit_links
{
namespace
{

/// A run of eight H100 a node, as a machine of these efficiencies makes it.
PreparedScenario ran(std::int64_t count, std::int64_t tensor, const Efficiency& truth,
                     const std::string& accelerator = "h100-sxm-80gb")
{
    PreparedScenario run = test::trainingCase("llama-3-8b", accelerator, count);
    run.training.software = TrainingSoftware::TorchFsdp;
    run.training.sequenceLength = 2048;
    run.parallelism.tensor = tensor;
    run.parallelism.sharding = Sharding::Fsdp;
    run.efficiency = truth;
    run.measured.stepTimeS = *evaluate(run).stepTimeS;
    run.efficiency = {};
    return run;
}

std::vector<PreparedScenario> cluster(const Efficiency& truth)
{
    std::vector<PreparedScenario> runs;
    for (const std::int64_t count : {8, 16, 32, 64, 128})
        for (const std::int64_t tensor : {1, 2, 4, 8})
            runs.push_back(ran(count, tensor, truth));
    return runs;
}

Efficiency compute(double factor)
{
    Efficiency e;
    e.matmul = e.attention = e.memoryBandwidth = factor;
    return e;
}

bool near(double value, double truth, double share = 0.04)
{
    return std::abs(value / truth - 1) < share;
}

std::string told(const Expected<UserFit>& fit)
{
    return fit ? userFitText(*fit) : toText(fit.error().front());
}

} // namespace

class TestUserFitLinks : public QObject
{
    Q_OBJECT
private slots:
    /// It was blamed on NVLink, and paid back with a chip 1.26 times as fast.
    void aSlowNetworkIsTheNetwork()
    {
        for (const double factor : {0.5, 0.25}) {
            Efficiency truth;
            truth.scaleOut = factor;
            const auto fit = fitToRuns(cluster(truth));
            QVERIFY2(fit && near(fit->efficiency.scaleOut, factor), told(fit).c_str());
            QVERIFY2(near(fit->efficiency.matmul, 1, 0.02) && near(fit->efficiency.scaleUp, 1), told(fit).c_str());
            QVERIFY(fit->errorAfter < 0.01);
        }
    }

    void aSlowLinkIsTheLink()
    {
        Efficiency truth;
        truth.scaleUp = 0.4;
        const auto fit = fitToRuns(cluster(truth));
        QVERIFY2(fit && near(fit->efficiency.scaleUp, 0.4), told(fit).c_str());
        QVERIFY2(near(fit->efficiency.matmul, 1, 0.02) && near(fit->efficiency.scaleOut, 1), told(fit).c_str());
    }

    void allThreeAreToldApart()
    {
        Efficiency truth = compute(0.85);
        truth.scaleUp = 0.6;
        truth.scaleOut = 0.5;
        const auto fit = fitToRuns(cluster(truth));
        QVERIFY2(fit && fit->shifts.size() == 3, told(fit).c_str());
        QVERIFY2(near(fit->efficiency.matmul, 0.85) && near(fit->efficiency.scaleUp, 0.6, 0.08) &&
                     near(fit->efficiency.scaleOut, 0.5),
                 told(fit).c_str());
    }

    void aSlowChipIsTheChip()
    {
        const auto fit = fitToRuns(cluster(compute(0.8)));
        QVERIFY2(fit && fit->shifts.size() == 1 && near(fit->efficiency.matmul, 0.8, 0.002), told(fit).c_str());
        std::vector<PreparedScenario> node;
        for (const std::int64_t count : {1, 2, 4, 8})
            node.push_back(ran(count, 1, compute(0.9)));
        const auto exact = fitToRuns(node);
        QVERIFY2(exact && near(exact->efficiency.matmul, 0.9, 0.001), told(exact).c_str());
        QCOMPARE(exact->efficiency.scaleOut, 1.0);
    }

    /// Many alike: how much of it the network is, nobody can tell.
    void whatCannotBeToldApartIsSaid()
    {
        Efficiency truth;
        truth.scaleOut = 0.3;
        const std::vector<PreparedScenario> runs(4, ran(64, 1, truth));
        const auto fit = fitToRuns(runs);
        QVERIFY2(fit && fit->shifts.size() == 1, told(fit).c_str());
        QVERIFY2(told(fit).find("cannot tell compute and network apart") != std::string::npos, told(fit).c_str());
    }

    /// Runs repeat themselves within some percent; the constants found are not far off for that.
    void noiseMovesLittle()
    {
        Efficiency truth;
        truth.scaleOut = 0.5;
        std::vector<PreparedScenario> runs = cluster(truth);
        for (std::size_t i = 0; i < runs.size(); ++i)
            *runs[i].measured.stepTimeS *= 1 + 0.03 * std::sin(2.4 * double(i)); // golden angle: no pattern
        const auto fit = fitToRuns(runs);
        QVERIFY2(fit && near(fit->efficiency.scaleOut, 0.5, 0.15), told(fit).c_str());
        QVERIFY2(near(fit->efficiency.matmul, 1, 0.05), told(fit).c_str());
    }

    void aBadRunAmongGoodOnesIsLeftOut()
    {
        std::vector<PreparedScenario> runs;
        std::vector<std::string> names;
        for (const std::int64_t tensor : {1, 2, 4})
            for (const std::int64_t count : {8, 16, 32}) {
                runs.push_back(ran(count, tensor, compute(0.9)));
                names.push_back("good");
            }
        const auto alone = fitToRuns(runs, names);
        runs.push_back(runs.front());
        names.emplace_back("other model");
        *runs.back().measured.stepTimeS *= 4;
        const auto fit = fitToRuns(runs, names);
        QVERIFY2(fit.has_value(), told(fit).c_str());
        QCOMPARE(fit->efficiency, alone->efficiency);
        QVERIFY2(told(fit).find("left out, unlike the others: run \"other model\"") != std::string::npos,
                 told(fit).c_str());
        *runs.back().measured.stepTimeS *= 250;
        QVERIFY2(told(fitToRuns(runs, names)).find("milliseconds") != std::string::npos,
                 told(fitToRuns(runs, names)).c_str());
        // Of two nobody knows which is the bad one.
        const auto two = fitToRuns(std::vector{runs.front(), runs.back()}, std::vector<std::string>{"good", "bad"});
        QVERIFY(!two && two.error().front().code == "out-of-reach");
        QVERIFY2(told(two).find("run \"bad\"") != std::string::npos, told(two).c_str());
    }

    void anEndOfTheRangeIsNoResult()
    {
        PreparedScenario run = ran(8, 1, {});
        *run.measured.stepTimeS *= 1000;
        const auto milliseconds = fitToRuns(std::vector{run}, std::vector<std::string>{"in ms"});
        QVERIFY(!milliseconds && milliseconds.error().front().code == "out-of-reach");
        QVERIFY2(told(milliseconds).find("in ms") != std::string::npos, told(milliseconds).c_str());
        QVERIFY(milliseconds.error().front().hint.find("milliseconds") != std::string::npos);
        const Evaluation e = evaluate(run);
        QVERIFY(e.warnings.has(WarningCode::OtherUnitLikely));

        PreparedScenario rate = ran(16, 1, {});
        rate.measured = {};
        rate.measured.tokensPerS = *evaluate(rate).tokensPerS / 16;
        const auto ofOne = fitToRuns(std::vector{rate});
        QVERIFY(!ofOne && ofOne.error().front().hint.find("of each GPU, not of all") != std::string::npos);
        QVERIFY(evaluate(rate).warnings.has(WarningCode::OtherUnitLikely));
        rate.hardware.count = 8; // a multiplier of 0.125 would meet it
        rate.measured.tokensPerS = *evaluate(rate).tokensPerS / 8;
        QVERIFY2(told(fitToRuns(std::vector{rate})).find("of each GPU, not of all") != std::string::npos,
                 told(fitToRuns(std::vector{rate})).c_str());
        // Beyond what any machine is slow by, the unit is asked for without a cause.
        PreparedScenario far = ran(8, 1, {});
        *far.measured.stepTimeS *= 3770;
        const Evaluation slow = evaluate(far);
        QVERIFY(slow.warnings.has(WarningCode::OtherUnitLikely));
        const std::string text =
            warningText(WarningCode::OtherUnitLikely, slow.warnings.number(WarningCode::OtherUnitLikely), far);
        QVERIFY2(text.find("look at its unit") != std::string::npos, text.c_str());
        far.measured.peakMemoryBytes = 65; // GB
        QVERIFY(evaluate(far).warnings.has(WarningCode::PeakMemoryUnit));
        far.measured.peakMemoryBytes = 65e9;
        QVERIFY(!evaluate(far).warnings.has(WarningCode::PeakMemoryUnit));
        // A machine that is slow is no matter of units.
        *run.measured.stepTimeS /= 200;
        QVERIFY(!evaluate(run).warnings.has(WarningCode::OtherUnitLikely));
    }

    void whatBringsNothingNearerIsRefused()
    {
        std::vector<PreparedScenario> runs(3, ran(8, 1, {}));
        *runs[0].measured.stepTimeS *= 1.1;
        *runs[1].measured.stepTimeS /= 1.1;
        *runs[2].measured.stepTimeS *= 1.02;
        const auto fit = fitToRuns(runs);
        QVERIFY2(fit && fit->errorAfter < fit->errorBefore, told(fit).c_str());
        runs[2] = ran(8, 1, {});
        runs.push_back(runs[0]);
        runs.push_back(runs[1]);
        runs.erase(runs.begin() + 2);
        const auto none = fitToRuns(runs);
        QVERIFY2(!none && none.error().front().code == "no-nearer", told(none).c_str());
    }

    void machinesThatDifferAreRefused()
    {
        std::vector<PreparedScenario> runs{ran(8, 1, compute(0.9)), ran(8, 1, compute(0.5), "a100-sxm-80gb")};
        const auto fit = fitToRuns(runs);
        QVERIFY(!fit && fit.error().front().code == "accelerators-differ");
        QVERIFY2(told(fit).find("H100") != std::string::npos && told(fit).find("A100") != std::string::npos,
                 told(fit).c_str());
        runs[0] = ran(8, 1, {}); // as predicted
        runs.push_back(runs[0]);
        *runs[0].measured.stepTimeS *= 1.02;
        *runs[2].measured.stepTimeS /= 1.02;
        const auto plain = fitToRuns(runs);
        QVERIFY2(!plain && plain.error().front().code == "accelerators-differ", told(plain).c_str());
        runs = {ran(8, 1, compute(0.9)), runs[1]};
        runs[1] = ran(8, 1, compute(0.92), "a100-sxm-80gb");
        QVERIFY(fitToRuns(runs).has_value());
    }

    /// Multipliers know whose they are, in a file and in what is said of them.
    void multipliersSayWhatTheyWereFittedOn()
    {
        const auto fit = fitToRuns(std::vector{ran(8, 1, compute(0.9))});
        QCOMPARE(fit->fittedOn.training, std::vector<std::string>{"h100-sxm-80gb"});
        const std::string object = efficiencyJson(fit->efficiency, fit->fittedOn);
        QVERIFY2(object.ends_with(R"(, "fitted_on": {"training": ["h100-sxm-80gb"]}})"), object.c_str());
        const auto read = readEfficiency(object);
        QVERIFY(read && read->efficiency == fit->efficiency && read->fittedOn == fit->fittedOn);
        QVERIFY(readEfficiency(R"({"matmul": 0.9})")->fittedOn == FittedOn()); // a file of before
        QVERIFY(!readEfficiency(R"({"matmul": 0.9, "fitted_on": {"training": 7}})"));

        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.efficiency = fit->efficiency;
        scenario.fittedOn = fit->fittedOn;
        QCOMPARE(readScenario(writeScenario(scenario), Catalog::builtIn())->scenario, scenario);
        const auto said = [](const Scenario& s) {
            const auto p = *prepare(s, Catalog::builtIn(), Calibration::builtIn());
            return warningText(WarningCode::EfficiencyOverridden, 0, p);
        };
        QVERIFY(said(scenario).find("other runs") == std::string::npos);
        Scenario other = scenario;
        other.accelerator.id = "a100-sxm-80gb";
        QVERIFY2(said(other).find("other runs (training on h100-sxm-80gb); this is training on a100-sxm-80gb") !=
                     std::string::npos,
                 said(other).c_str());
        other = scenario;
        other.task = Task::Inference;
        QVERIFY2(said(other).find("this is inference on h100-sxm-80gb") != std::string::npos, said(other).c_str());
        other.fittedOn = {}; // nobody says
        QVERIFY(said(other).find("other runs") == std::string::npos);
    }
};
HEADROOM_TEST(TestUserFitLinks)

} // namespace headroom::test_user_fit_links
#include "test_user_fit_links.moc"
