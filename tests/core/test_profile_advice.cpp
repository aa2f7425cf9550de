// SPDX-License-Identifier: GPL-3.0-or-later
// What a profile says to change maps to changes of the scenario, what would bring most first.
#include "core/profile/profile_advice.hpp"
#include "core/profile/profile_print.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_profile_advice
{

using namespace profile;

namespace
{

PreparedScenario training(const std::function<void(Scenario&)>& change = {})
{
    return test::serving("llama-3-8b", "h100-sxm-80gb", 8, [&change](Scenario& s) {
        s.task = Task::Training;
        s.parallelism.tensor = 1;
        s.parallelism.sharding = Sharding::Fsdp;
        s.training.sequenceLength = 4096;
        s.training.checkpointing = Checkpointing::Full;
        s.training.software = TrainingSoftware::TorchFsdp;
        s.training.overlapDataParallel = 0.25;
        if (change)
            change(s);
    });
}

double predicted(const ProfileComparison& c, std::string_view id)
{
    const auto part = std::ranges::find(c.parts, id, &ProfilePart::id);
    return part == c.parts.end() ? 0 : part->predictedS.value_or(0);
}

/// The step as it was predicted.
MeasuredProfile asPredicted(const PreparedScenario& p)
{
    const ProfileComparison c = compareProfile({}, p, evaluate(p));
    MeasuredProfile m;
    m.matmulS = predicted(c, "matmul");
    m.attentionS = predicted(c, "attention");
    m.normS = predicted(c, "memory_bound");
    m.optimizerS = predicted(c, "optimizer");
    m.allGatherS = m.communicationS = predicted(c, "sharding_communication");
    m.launchBoundS = predicted(c, "host");
    m.stepS = m.sumS();
    return m;
}

struct Case {
    PreparedScenario prepared;
    Evaluation evaluation;
    ProfileComparison comparison;

    Case(const PreparedScenario& p, const MeasuredProfile& m)
        : prepared(p), evaluation(evaluate(p)), comparison(compareProfile(m, p, evaluation))
    {
    }
    [[nodiscard]] std::vector<ProfileAdvice> advice(const IsHeld& held = {}) const
    {
        return profileAdvice(comparison, prepared, evaluation, held);
    }
};

const ProfileAdvice* about(const std::vector<ProfileAdvice>& all, std::string_view part)
{
    const auto found =
        std::ranges::find_if(all, [part](const ProfileAdvice& advice) { return advice.finding.part == part; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

class TestProfileAdvice : public QObject
{
    Q_OBJECT
private slots:
    void aStepAsPredictedHasNothingToChange()
    {
        const PreparedScenario p = training();
        QVERIFY(Case(p, asPredicted(p)).advice().empty());
    }

    void exposedCommunicationIsOverlapped()
    {
        const PreparedScenario p = training();
        MeasuredProfile m = asPredicted(p);
        QVERIFY(m.allGatherS > 0);
        m.allGatherS *= 2;
        m.communicationS = m.allGatherS;
        m.stepS = m.sumS();
        const Case run(p, m);
        // Sharding is held, so that the overlap is what is left to change.
        const auto all = run.advice([](std::string_view id) { return id == "sharding"; });
        QCOMPARE(all.size(), std::size_t(1));
        QVERIFY(all.front().change);
        const ParameterEdit edit = all.front().change->edits.front();
        QCOMPARE(edit.row->id, std::string_view("overlap_data_parallel"));
        QCOMPARE(edit.value, 1.0);
        // What it brings, by hand: the measured part shrinks as the predicted one does, the others stay.
        PreparedScenario after = p;
        after.setup().training.overlapDataParallel = 1;
        const ProfileComparison then = compareProfile({}, after, evaluate(after));
        const double left =
            predicted(then, "sharding_communication") / predicted(run.comparison, "sharding_communication");
        QVERIFY(left < 0.9);
        QVERIFY(std::abs(all.front().bringsS - m.allGatherS * (1 - left)) < 1e-6 * m.stepS);
        QVERIFY2(all.front().change->text.find("100") != std::string::npos, all.front().change->text.c_str());
        // Held, nothing is left.
        const auto none = run.advice(
            [](std::string_view id) { return id == "sharding" || id.find("overlap") != std::string_view::npos; });
        QVERIFY(none.size() == 1 && !none.front().change);
        QVERIFY(std::abs(none.front().bringsS - none.front().finding.seconds) < 1e-12);
    }

    void fusedKernelsAndFlashAttentionAreProposed()
    {
        const PreparedScenario p = training([](Scenario& s) { s.training.flashAttention = FlashAttention::Off; });
        MeasuredProfile m = asPredicted(p);
        m.normS *= 4;
        m.attentionS *= 3;
        m.stepS = m.sumS();
        const auto all = Case(p, m).advice();
        const ProfileAdvice* fuse = about(all, "memory_bound");
        QVERIFY(fuse && fuse->change);
        QCOMPARE(fuse->change->edits.front().row->id, std::string_view("compile"));
        const ProfileAdvice* flash = about(all, "attention");
        QVERIFY(flash && flash->change);
        QCOMPARE(flash->change->edits.front().row->id, std::string_view("flash_attention"));
        QVERIFY(flash->change->after.fits);
        // What would bring most comes first.
        QVERIFY(std::ranges::is_sorted(all, std::greater(), &ProfileAdvice::bringsS));
        // What the scenario has already is not proposed.
        const PreparedScenario fused = training([](Scenario& s) { s.training.compile = true; });
        MeasuredProfile slow = asPredicted(fused);
        slow.normS *= 1.5;
        slow.stepS = slow.sumS();
        const auto left = Case(fused, slow).advice();
        QVERIFY(about(left, "memory_bound") && !about(left, "memory_bound")->change);
    }

    void oneChangeStandsBesideOneFinding()
    {
        const PreparedScenario p = training();
        MeasuredProfile m = asPredicted(p);
        m.normS *= 2;
        m.launchBoundS += 0.1 * m.stepS;
        m.stepS = m.sumS();
        const auto all = Case(p, m).advice();
        QVERIFY(about(all, "memory_bound") && about(all, "host"));
        const auto compiles = std::ranges::count_if(all, [](const ProfileAdvice& advice) {
            return advice.change && advice.change->edits.front().row->id == "compile";
        });
        QCOMPARE(compiles, std::ptrdiff_t(1));
    }

    void theCommandLineSaysIt()
    {
        const PreparedScenario p = training();
        MeasuredProfile m = asPredicted(p);
        m.normS *= 2;
        m.stepS = m.sumS();
        const Case run(p, m);
        ProfileReading reading;
        reading.devices.emplace_back();
        const auto all = run.advice();
        const std::string text = profileText(reading, &run.comparison, all);
        QVERIFY2(text.find("torch.compile → on: about ") != std::string::npos, text.c_str());
        const auto json = nlohmann::json::parse(profileJson(reading, m, &run.comparison, all));
        const auto& change = json["comparison"]["findings"][0]["change"];
        QVERIFY(change["parameter"] == "compile" && change["value"] == 1.0);
        QVERIFY(std::abs(change["brings_s"].get<double>() - all.front().bringsS) < 1e-9);
    }
};
HEADROOM_TEST(TestProfileAdvice)

} // namespace headroom::test_profile_advice
#include "test_profile_advice.moc"
