// SPDX-License-Identifier: GPL-3.0-or-later
// A profile beside the prediction: its parts, what they are likely from, and how a scenario keeps them.
#include "core/charts/chart_registry.hpp"
#include "core/explain/chart_point.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/profile/profile_print.hpp"
#include "core/profile/profile_table.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_trace.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

namespace headroom::test_profile_comparison
{

using namespace profile;
using test::SampleTrace;
using test::serving;

namespace
{

PreparedScenario training(Checkpointing checkpointing = Checkpointing::None)
{
    return serving("llama-3-8b", "h100-sxm-80gb", 8, [checkpointing](Scenario& s) {
        s.task = Task::Training;
        s.parallelism.tensor = 1;
        s.parallelism.sharding = Sharding::Fsdp;
        s.training.sequenceLength = 8192;
        s.training.checkpointing = checkpointing;
        s.training.software = TrainingSoftware::TorchFsdp;
    });
}

/// A step as it was predicted, as a profile would show it.
MeasuredProfile asPredicted(const ProfileComparison& c)
{
    MeasuredProfile m;
    const auto of = [&](std::string_view id) {
        const auto part = std::ranges::find(c.parts, id, &ProfilePart::id);
        return part == c.parts.end() ? 0 : part->predictedS.value_or(0);
    };
    m.matmulS = of("matmul");
    m.attentionS = of("attention");
    m.normS = of("memory_bound");
    m.optimizerS = of("optimizer");
    m.allGatherS = m.communicationS = of("sharding_communication");
    m.launchBoundS = of("host");
    m.stepS = m.sumS();
    return m;
}

MeasuredProfile sample()
{
    MeasuredProfile m;
    m.matmulS = 0.5;
    m.launchBoundS = 0.25;
    m.stepS = 0.75;
    m.steps = 3;
    m.ranks = 8;
    return m;
}

Scenario scenarioWith(const MeasuredProfile& m)
{
    Scenario s;
    s.measured.profile = m;
    return s;
}

} // namespace

class TestProfileComparison : public QObject
{
    Q_OBJECT
private slots:
    void bothSidesAddUp_data()
    {
        QTest::addColumn<int>("checkpointing");
        for (const auto mode : {Checkpointing::None, Checkpointing::SelectiveOp, Checkpointing::Full})
            QTest::newRow(std::to_string(int(mode)).c_str()) << int(mode);
    }
    void bothSidesAddUp()
    {
        QFETCH(const int, checkpointing);
        const PreparedScenario p = training(static_cast<Checkpointing>(checkpointing));
        const Evaluation e = evaluate(p);
        const ProfileComparison c = compareProfile(sample(), p, e);
        // Recomputation is laid to what it repeats, and nothing is lost by it.
        QVERIFY(std::abs(c.predictedS / *e.stepTimeS - 1) < 1e-9);
        double measured = 0;
        for (const ProfilePart& part : c.parts)
            measured += part.measuredS.value_or(0);
        QVERIFY(std::abs(measured - c.measuredS) < 1e-12);
        if (checkpointing == int(Checkpointing::Full))
            QVERIFY(*c.parts.front().predictedS > e.part(TimePart::Matmul) * 1.2);
    }

    void aStepAsPredictedHasNoCauses()
    {
        const PreparedScenario p = training();
        const Evaluation e = evaluate(p);
        const MeasuredProfile same = asPredicted(compareProfile(sample(), p, e));
        const ProfileComparison c = compareProfile(same, p, e);
        QVERIFY(c.largest() == nullptr);
        for (const ProfilePart& part : c.parts)
            QVERIFY2(part.cause.empty() && std::abs(part.differenceS()) < 1e-9, std::string(part.id).c_str());
    }

    void theLargestDifferenceIsNamedWithItsCause()
    {
        const PreparedScenario p = training();
        const Evaluation e = evaluate(p);
        MeasuredProfile late = asPredicted(compareProfile(sample(), p, e));
        late.launchBoundS += 0.5;
        late.otherS += 0.1;
        late.stepS = late.sumS();
        const ProfileComparison c = compareProfile(late, p, e);
        QVERIFY(c.largest() != nullptr);
        QCOMPARE(c.largest()->id, std::string_view("host"));
        QVERIFY(c.largest()->cause.find("launches") != std::string::npos);
        // A part that the prediction does not have.
        const auto other = std::ranges::find(c.parts, "other", &ProfilePart::id);
        QVERIFY(other != c.parts.end() && !other->predictedS && other->measuredS);
    }

    void sendsAreTheExpertsWhereNothingElseSends()
    {
        MeasuredProfile m = sample();
        m.sendRecvS = m.communicationS = 0.25;
        m.stepS = m.sumS();
        PreparedScenario p = training();
        const auto measuredOf = [&](std::string_view id) {
            const ProfileComparison c = compareProfile(m, p, evaluate(p));
            const auto part = std::ranges::find(c.parts, id, &ProfilePart::id);
            return part == c.parts.end() ? 0 : part->measuredS.value_or(0);
        };
        QCOMPARE(measuredOf("sends"), 0.25);
        p.parallelism.expert = 8;
        QCOMPARE(measuredOf("sends"), 0.0);
        QCOMPARE(measuredOf("expert_communication"), 0.25);
    }

    void aDecodeStepIsOfAllTokensOfACycle()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.drafting = Drafting::Eagle3;
            s.inference.acceptanceLength = 3;
        });
        const Evaluation e = evaluate(p);
        QVERIFY(e.speculation);
        const double parts = std::accumulate(e.time.begin(), e.time.end(), 0.0);
        QVERIFY(std::abs(compareProfile(sample(), p, e).predictedS / (parts * e.speculation->tokensAdded) - 1) < 1e-9);
    }

    /// They stood with the sends between stages of a pipeline.
    void weightsFromTheHostAreCopies()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.hostWeightsGb = 8;
            s.inference.hostOverlap = 0;
        });
        const Evaluation e = evaluate(p);
        QVERIFY(e.part(TimePart::HostLink) > 0);
        const ProfileComparison c = compareProfile(sample(), p, e);
        const auto copies = std::ranges::find(c.parts, "copy", &ProfilePart::id);
        QVERIFY(copies != c.parts.end() && copies->predictedS);
        QCOMPARE(*copies->predictedS, e.part(TimePart::HostLink));
        QVERIFY(std::ranges::find(c.parts, "sends", &ProfilePart::id) == c.parts.end());
        QVERIFY(std::abs(c.predictedS / totalOf(e.time) - 1) < 1e-9);
    }

    /// A profiler may leave a step mostly idle: what the kernels differ by still counts.
    void servingAddsUpAndSeesBehindIdleTime()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario&) {});
        const Evaluation e = evaluate(p);
        MeasuredProfile m = sample();
        m.matmulS = 2 * e.part(TimePart::Matmul);
        m.optimizerS = 1e-5; // no optimizer runs in serving
        m.launchBoundS = 100 * *e.tpotS;
        m.stepS = m.sumS();
        const ProfileComparison c = compareProfile(m, p, e);
        double measured = 0;
        for (const ProfilePart& part : c.parts)
            measured += part.measuredS.value_or(0);
        QVERIFY(std::abs(measured / m.stepS - 1) < 1e-12);
        QCOMPARE(c.largest()->id, std::string_view("host"));
        const auto matmul = std::ranges::find(c.parts, "matmul", &ProfilePart::id);
        QVERIFY(matmul->differenceS() < 0.01 * m.stepS && !matmul->cause.empty());
        // What the profiler adds to the host is nothing to mend: the matmuls are.
        QVERIFY(c.profilerSlowed);
        QCOMPARE(profileFindings(c).front().part, std::string_view("matmul"));
    }

    void matmulsAreHeldAgainstTheirShapes()
    {
        const auto h100 = Catalog::builtIn().accelerator("h100-sxm-80gb");
        const MatmulShape large{1, 8192, 8192, 8192, "c10::BFloat16"}, thin{1, 1, 8192, 8192, "c10::BFloat16"};
        QVERIFY(std::abs(allowedSeconds(large, *h100) - large.flop() / h100->peakFlops(DataType::Bf16)) < 1e-12);
        const double bytes = 2.0 * (8192 + 8192.0 * 8192 + 8192);
        QVERIFY(std::abs(allowedSeconds(thin, *h100) - bytes / h100->memoryBandwidth()) < 1e-12);
        QCOMPARE(allowedSeconds({1, 8, 8, 8, "complex"}, *h100), 0.0);

        SampleTrace trace;
        trace.event(
            "cpu_op", "aten::mm", 0, 5,
            R"("External id": 1, "Input Dims": [[8192, 8192], [8192, 8192]], "Input type": ["c10::BFloat16", "c10::BFloat16"])");
        trace.kernel("nvjet_hsh_128x256", 10, 2e6 * allowedSeconds(large, *h100), 1, 0, R"(, "External id": 1)");
        const auto reading = readProfile(trace.text(), "a.json");
        const PreparedScenario p = training();
        const ProfileComparison c = compareProfile(measuredProfile(*reading, h100.get()), p, evaluate(p));
        QVERIFY(c.allowedShare && std::abs(*c.allowedShare - 0.5) < 1e-3);
        QVERIFY(c.matmulShare && std::abs(*c.matmulShare - 0.5) < 1e-3);
        QVERIFY(std::ranges::any_of(c.notes, [](const std::string& note) { return note.find("50") != note.npos; }));
        const auto json = nlohmann::json::parse(profileJson(*reading, measuredProfile(*reading), &c));
        QVERIFY(std::abs(json["comparison"]["matmul_share_of_shapes"].get<double>() - 0.5) < 1e-3);
    }

    void theShapesAreKeptAndDrawnOnTheRoofline()
    {
        const auto h100 = Catalog::builtIn().accelerator("h100-sxm-80gb");
        SampleTrace trace;
        const auto matmul = [&](int id, std::int64_t m, std::int64_t n, std::int64_t k, double start, double us) {
            trace.event("cpu_op", "aten::mm", start, 5,
                        fmt::format(R"("External id": {}, "Input Dims": [[{}, {}], [{}, {}]], )"
                                    R"("Input type": ["c10::BFloat16", "c10::BFloat16"])",
                                    id, m, k, k, n));
            trace.kernel("nvjet_hsh_128x256", start + 10, us, id, 0, fmt::format(R"(, "External id": {})", id));
        };
        matmul(1, 8192, 4096, 4096, 0, 600);
        matmul(2, 8192, 14336, 4096, 1000, 1500);
        const auto reading = readProfile(trace.text(), "a.json");
        QVERIFY(reading);
        const MeasuredProfile measured = measuredProfile(*reading, h100.get());
        QVERIFY(measured.shapes && measured.shapes->count == 2);
        const MeasuredShape& first = measured.shapes->shapes().front(); // the longest
        QCOMPARE(shapeId(first), std::string("1x8192x14336x4096.bf16"));
        QVERIFY(std::abs(first.seconds - 1.5e-3) < 1e-9);

        const auto again = readScenario(writeScenario(scenarioWith(measured)), Catalog::builtIn());
        QVERIFY2(again, again ? "" : toText(again.error().front()).c_str());
        QVERIFY(again->scenario.measured.profile == measured);

        ChartContext context;
        context.scenario = training();
        context.scenario.measured.profile = measured;
        context.evaluation = evaluate(context.scenario);
        const ChartSpec chart = chartRow("roofline")->build(context);
        const auto series = std::ranges::find(chart.series, "profiled_matmuls", &Series::id);
        QVERIFY(series != chart.series.end());
        QCOMPARE(series->points.size(), std::size_t(2));
        const Point& point = series->points.front();
        QVERIFY(point.origin.kind == PointOrigin::Kind::Shape);
        QCOMPARE(point.origin.id, shapeId(first));
        QVERIFY(std::abs(point.y / (first.flop() / 1.5e-3) - 1) < 1e-9);
        QVERIFY(point.x <= chart.x.maximum && point.y <= chart.y.maximum && point.y >= chart.y.minimum);
        const auto at = chartPoint(context, chart, "profiled_matmuls", 0);
        QVERIFY(at && at->where.find("14336") != std::string::npos);
        context.scenario.measured.profile.shapes.reset();
        const ChartSpec without = chartRow("roofline")->build(context);
        QVERIFY(std::ranges::find(without.series, "profiled_matmuls", &Series::id) == without.series.end());
    }

    void badShapesAreRefused()
    {
        MeasuredProfile m = sample();
        m.shapes.emplace();
        m.shapes->count = 1;
        m.shapes->all[0] = {1, 8, 8, 8, DataType::Bf16, 1, 0.5};
        const std::string good = writeScenario(scenarioWith(m));
        QVERIFY(readScenario(good, Catalog::builtIn()));
        const auto refused = [&](const char* what, const char* by, const char* path) {
            std::string text = good;
            QVERIFY(text.find(what) != std::string::npos);
            text.replace(text.find(what), std::string_view(what).size(), by);
            const auto reading = readScenario(text, Catalog::builtIn());
            QVERIFY2(!reading, by);
            QCOMPARE(reading.error().front().path, std::string(path));
            QVERIFY(reading.error().front().line > 0);
        };
        refused("\"bf16\"", "\"native\"", "/measured/profile/shapes/0/type");
        refused("\"m\": 8", "\"m\": 0", "/measured/profile/shapes/0/m");
        refused("\"time_s\": 0.5", "\"time_s\": 0", "/measured/profile/shapes/0/time_s");
        refused("\"k\": 8", "\"q\": 8", "/measured/profile/shapes/0");
    }

    void whatWouldBringMostComesFirst()
    {
        const PreparedScenario p = training();
        const Evaluation e = evaluate(p);
        MeasuredProfile m = asPredicted(compareProfile(sample(), p, e));
        m.allGatherS += 0.21;
        m.communicationS = m.allGatherS;
        m.matmulS += 0.4;
        m.attentionS *= 0.5;
        m.shapedMatmulS = m.matmulS;
        m.allowedMatmulS = 0.71 * m.matmulS;
        m.stepS = m.sumS();
        const ProfileComparison c = compareProfile(m, p, e);
        const auto findings = profileFindings(c);
        QCOMPARE(findings.size(), std::size_t(2));
        QCOMPARE(findings[0].part, std::string_view("matmul"));
        QVERIFY2(findings[0].text.find("71") != std::string::npos, findings[0].text.c_str());
        QVERIFY2(findings[1].text.find("all-gather exposed for") != std::string::npos &&
                     findings[1].text.find("no overlap") != std::string::npos,
                 findings[1].text.c_str());
        const auto rows = profileTable(c);
        QCOMPARE(rows.size(), c.parts.size() + 1);
        QVERIFY(rows.front().difference.starts_with("+"));
        const std::string markdown = profileMarkdown(c);
        QVERIFY(markdown.find("| Matmuls | ") != std::string::npos);
        QVERIFY(markdown.find("71") != std::string::npos);
        QVERIFY(profileMarkdown(compareProfile({}, p, e)).empty());
    }

    void profilesStandSideBySide()
    {
        PreparedScenario before = training(), now = training();
        before.measured.profile = sample();
        now.measured.profile = sample();
        now.measured.profile.launchBoundS = 0.05;
        now.measured.profile.stepS = 0.55;
        const Evaluation e = evaluate(before);
        const std::vector<ComparedScenario> both{{.prepared = &now, .evaluation = &e},
                                                 {.letter = "A", .prepared = &before, .evaluation = &e}};
        const ProfilesAcross across = profilesAcross(both);
        QCOMPARE(across.letters, (std::vector<std::string>{"", "A"}));
        const auto host = std::ranges::find(across.parts, "host", &PartAcross::id);
        QVERIFY(host != across.parts.end() && host->measuredS[0] == 0.05 && host->measuredS[1] == 0.25);
        QCOMPARE(across.parts.back().id, std::string_view("step"));
        // A part that one of three has alone stays empty for the others.
        PreparedScenario third = before;
        third.measured.profile.waitingForDataS = 0.1;
        third.measured.profile.stepS += 0.1;
        const ProfilesAcross three = profilesAcross({both[0], both[1], {"B", nullptr, &third, &e, {}, {}}});
        const auto data = std::ranges::find(three.parts, "data", &PartAcross::id);
        QVERIFY(data != three.parts.end() && data->measuredS.size() == 3);
        QVERIFY(!data->measuredS[0] && !data->measuredS[1] && data->measuredS[2] == 0.1);
        QVERIFY(profilesMarkdown(across).find("| Step | 550") != std::string::npos);
        QVERIFY(profilesCsv(across, compare(both)).find("profile.host,0.05,0.25\n") != std::string::npos);
        // One profile alone stands beside none.
        before.measured.profile = {};
        QVERIFY(profilesAcross(both).parts.empty() && profilesMarkdown(profilesAcross(both)).empty());
    }

    void aScenarioKeepsTheParts()
    {
        const Scenario s = scenarioWith(sample());
        const std::string text = writeScenario(s);
        QVERIFY(text.find("\"matmul_s\": 0.5") != std::string::npos);
        const auto again = readScenario(text, Catalog::builtIn());
        QVERIFY2(again, again ? "" : toText(again.error().front()).c_str());
        QVERIFY(again->scenario.measured.profile == sample());
        QVERIFY(writeScenario(Scenario()).find("profile") == std::string::npos);
        // A profile is a measurement: it stays with its settings, and its step is no step time.
        Scenario moved = s;
        moved.training.microBatch = 4;
        moved = afterEdit(s, moved);
        QVERIFY(moved.measuredWith && moved.measured.profile == sample());
        const auto prepared = prepare(s, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared);
        const Evaluation e = evaluate(*prepared);
        QVERIFY(!e.observed || !e.observed->stepTimeS);
    }

    void partsThatDoNotAddUpAreRefused()
    {
        MeasuredProfile wrong = sample();
        wrong.stepS = 0.9;
        const auto reading = readScenario(writeScenario(scenarioWith(wrong)), Catalog::builtIn());
        QVERIFY(!reading);
        QCOMPARE(reading.error().front().code, std::string("parts-differ"));
        QCOMPARE(reading.error().front().path, std::string("/measured/profile"));
        wrong.stepS = 0; // parts without a whole
        QVERIFY(!readScenario(writeScenario(scenarioWith(wrong)), Catalog::builtIn()));
    }
};
HEADROOM_TEST(TestProfileComparison)

} // namespace headroom::test_profile_comparison
#include "test_profile_comparison.moc"
