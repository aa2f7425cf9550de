// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles that cannot be of the scenario beside them.
#include "core/fit/user_fit.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/profile/profile_doubt.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>

namespace headroom::test_profile_doubt
{
namespace
{

PreparedScenario training()
{
    PreparedScenario run = test::trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
    run.parallelism.sharding = Sharding::Fsdp;
    return run;
}

/// The predicted parts of a machine whose matmuls are so much slower.
MeasuredProfile profileOf(PreparedScenario run, double slower)
{
    MeasuredProfile any;
    any.matmulS = any.stepS = 1;
    const auto parts = profile::compareProfile(any, run, evaluate(run)).parts;
    MeasuredProfile m;
    const auto of = [&](std::string_view id) {
        const auto part = std::ranges::find(parts, id, &profile::ProfilePart::id);
        return part == parts.end() ? 0 : part->predictedS.value_or(0);
    };
    m.matmulS = slower * of("matmul");
    m.attentionS = of("attention");
    m.elementwiseS = of("memory_bound");
    m.optimizerS = of("optimizer");
    m.stepS = m.sumS();
    return m;
}

} // namespace

class TestProfileDoubt : public QObject
{
    Q_OBJECT
private slots:
    void matmulsBeyondThePeakAreNotOfThisDevice()
    {
        const PreparedScenario run = training();
        for (const double slower : {0.9, 1.0, 2.0})
            QVERIFY(!profile::beatsLight(profileOf(run, slower), run));
        QVERIFY(profile::beatsLight(profileOf(run, 0.3), run)); // the step alone could be
        MeasuredProfile step = profileOf(run, 1);
        step.matmulS = 0;
        step.stepS /= 20;
        QVERIFY(profile::beatsLight(step, run));
        QVERIFY(!profile::beatsLight({}, run));
    }

    void aFitLeavesThemOut()
    {
        PreparedScenario impossible = training();
        impossible.measured.profile = profileOf(impossible, 0.3);
        const auto alone = fitToRuns(std::vector{impossible});
        QVERIFY(!alone && alone.error().front().code == "faster-than-ideal");
        PreparedScenario good = training();
        good.measured.profile = profileOf(good, 1.2);
        const auto fit = fitToRuns(std::vector{good, impossible});
        QVERIFY(fit && fit->leftOut == 1);
        QCOMPARE(fit->efficiency, fitToRuns(std::vector{good})->efficiency);
    }

    void theDeviceIsHeldAgainstTheScenario()
    {
        const PreparedScenario run = training();
        profile::ProfileReading reading;
        reading.devices.emplace_back();
        const auto doubts = [&](const char* device, double slower) {
            reading.devices.front().deviceName = device;
            std::string codes;
            for (const Diagnostic& doubt : profile::profileDoubts(reading, profileOf(run, slower), run))
                codes += doubt.code + " ";
            return codes;
        };
        QCOMPARE(doubts("NVIDIA H100 80GB HBM3", 1), std::string());
        QCOMPARE(doubts("", 1), std::string());
        QCOMPARE(doubts("NVIDIA A100-SXM4-80GB", 1), std::string("other-device "));
        QCOMPARE(doubts("NVIDIA A100-SXM4-80GB", 0.3), std::string("other-device faster-than-ideal "));
    }
};
HEADROOM_TEST(TestProfileDoubt)

} // namespace headroom::test_profile_doubt
#include "test_profile_doubt.moc"
