// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/nearest_runs.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::test_runs
{
namespace
{

const MeasuredRun& anyRun()
{
    const MeasuredRuns& runs = *publishedRuns();
    return runs[std::size_t(*rc::gen::inRange(0, int(runs.size())))];
}

MeasuredRun runOf(const std::string& text)
{
    const auto reading = readScenario(text, Catalog::builtIn());
    if (!reading)
        qFatal("%s", toText(reading.error().front()).c_str());
    auto run = measuredRun(reading->scenario, *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn()));
    if (!run)
        qFatal("nothing measured");
    return *std::move(run);
}

/// A run in JSON with ' for ".
MeasuredRun quoted(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return runOf(text);
}

MeasuredRun llama(int count, int sequence, const std::string& model = "llama-3-8b",
                  const std::string& gpu = "a100-sxm-80gb")
{
    return quoted("{'format': 'headroom-scenario', 'version': 1, 'model': '" + model +
                  "', 'hardware': {'accelerator': '" + gpu + "', 'count': " + std::to_string(count) +
                  "}, 'workload': {'task': 'training', 'sequence_length': " + std::to_string(sequence) +
                  "}, 'measured': {'tokens_per_s_per_gpu': 2900}, 'source': 'x'}");
}

} // namespace

class TestRuns : public QObject
{
    Q_OBJECT
private slots:
    void everyLineOfTheSelectionIsRead()
    {
        std::size_t lines = 0, bytes = 0;
        for (const EmbeddedFile& file : embeddedFolder("published_runs/")) {
            lines += std::size_t(std::ranges::count(file.text, '\n'));
            bytes += file.text.size();
        }
        QVERIFY(lines >= 200);
        QVERIFY(bytes <= 400'000);
        QCOMPARE(publishedRuns()->size(), lines);
    }

    void theSelectionIsSpread()
    {
        std::set<std::string> models, accelerators, training, inference;
        for (const MeasuredRun& run : *publishedRuns()) {
            models.insert(run.features.modelName);
            accelerators.insert(run.features.accelerator);
            (run.prepared.task == Task::Training ? training : inference).insert(run.name);
        }
        QVERIFY(models.size() >= 60);
        QVERIFY(accelerators.size() >= 25);
        QVERIFY(training.size() >= 150);
        QVERIFY(inference.size() >= 150);
    }

    void everyRunHasASourceThatWasReadAndAFigure()
    {
        for (const MeasuredRun& run : *publishedRuns()) {
            QVERIFY2(!run.source.empty() && !run.source.starts_with("recalled"), run.name.c_str());
            const auto says = [&](std::string_view metric) {
                return runFigure(run, metric, Convention::Standard).has_value();
            };
            QVERIFY2(says("step_time_s") || says("tokens_per_s") || says("tpot_s") || says("ttft_s"), run.name.c_str());
            QVERIFY2(sourceUrl(run.source).starts_with("https://"), run.source.c_str());
        }
    }

    void distanceIsAMetric()
    {
        const auto held = rc::check("distance", [] {
            const RunFeatures& a = anyRun().features;
            const RunFeatures& b = anyRun().features;
            const RunFeatures& c = anyRun().features;
            RC_ASSERT(runDistance(a, a) == 0);
            RC_ASSERT(runDistance(a, b) == runDistance(b, a));
            RC_ASSERT(runDistance(a, b) >= 0);
            if (a.task == b.task && b.task == c.task)
                RC_ASSERT(runDistance(a, c) <= runDistance(a, b) + runDistance(b, c) + 1e-9);
        });
        QVERIFY(held);
    }

    void distanceAlongAParameterLeavesOnlyThatOut()
    {
        const RunFeatures a = llama(64, 8192).features;
        QCOMPARE(runDistance(llama(256, 8192).features, a, "count"), 0.0);
        QVERIFY(runDistance(llama(256, 8192).features, a) > 0);
        QVERIFY(runDistance(llama(256, 4096).features, a, "count") > 0);
        QVERIFY(hasDistanceTerm("micro_batch", Task::Training));
        QVERIFY(!hasDistanceTerm("micro_batch", Task::Inference));
        QVERIFY(!hasDistanceTerm("price_per_gpu_hour", Task::Training));
        for (const DistanceTerm& term : distanceTerms())
            for (const std::string_view id : term.parameters)
                QVERIFY2(parameterRow(id), std::string(id).c_str());
    }

    void moreDifferenceIsFarther()
    {
        const RunFeatures here = llama(64, 8192).features;
        const double fewer = runDistance(llama(32, 8192).features, here);
        const double family = runDistance(llama(32, 8192, "llama-3-70b").features, here);
        const double machine = runDistance(llama(32, 8192, "llama-3-70b", "mi300x").features, here);
        QVERIFY(0 < fewer && fewer < family && family < machine);
        QCOMPARE(fewer, 0.5);
    }

    void differenceIsSaid()
    {
        const RunFeatures here = llama(64, 8192).features;
        QCOMPARE(differenceText(here, here), std::string("same model, same GPU"));
        QCOMPARE(differenceText(llama(128, 4096).features, here),
                 std::string("same model, same GPU, sequence length 4k instead of 8k, 128 instead of 64 GPUs"));
        QCOMPARE(differenceText(llama(64, 8192, "llama-2-13b", "h100-sxm-80gb").features, here),
                 std::string("Llama 2 13B instead of Llama 3 8B, H100 SXM5 80GB instead of A100 SXM4 80GB"));
        // Both ways round, each pair of runs has words.
        const auto held = rc::check("words", [] {
            const RunFeatures& a = anyRun().features;
            const RunFeatures& b = anyRun().features;
            RC_PRE(a.task == b.task);
            const std::string text = differenceText(a, b);
            RC_ASSERT(!text.empty());
            RC_ASSERT(text.find(", ,") == std::string::npos);
            RC_ASSERT(text.find("nan") == std::string::npos);
        });
        QVERIFY(held);
    }

    void nearestComeFirstAndAreTheNearest()
    {
        const MeasuredRuns& runs = *publishedRuns();
        const auto held = rc::check("nearest", [&] {
            const MeasuredRun& here = anyRun();
            const auto near = nearestRuns(runs, here.features, {.most = 12});
            RC_ASSERT(near.size() == 12u);
            RC_ASSERT(near.front().distance == 0);
            RC_ASSERT(std::ranges::is_sorted(near, {}, &NearRun::distance));
            const auto closer = std::ranges::count_if(runs, [&](const MeasuredRun& run) {
                return runDistance(run.features, here.features) < near.back().distance;
            });
            RC_ASSERT(closer <= 11);
            const auto within = nearestRuns(runs, here.features, {.most = 100, .within = 3});
            RC_ASSERT(std::ranges::all_of(within, [](const NearRun& run) { return run.distance <= 3; }));
        });
        QVERIFY(held);
    }

    void figuresFollowTheConventionThatIsAskedFor()
    {
        // pytorch/torchtitan docs/performance.md: 2904 tokens/s/GPU, 56.8 % as PaLM counts.
        const MeasuredRun run = quoted("{'format':'headroom-scenario','version':1,'model':'llama-3-8b',"
                                       "            'hardware':{'accelerator':'a100-sxm-80gb','count':64},"
                                       "            'workload':{'task':'training','sequence_length':8192,"
                                       "                        'checkpointing':{'mode':'selective_layer','every':2}},"
                                       "            'measured':{'tokens_per_s_per_gpu':2904},'source':'x'}");
        QVERIFY(std::abs(runFigure(run, "mfu", Convention::Palm)->measured - 0.568) < 0.0015);
        const auto palm = runFigure(run, "mfu", Convention::Palm), exact = runFigure(run, "mfu", Convention::Exact);
        QVERIFY(exact->measured < palm->measured);
        QVERIFY(std::abs(exact->predicted / exact->measured - palm->predicted / palm->measured) < 1e-12);
        QCOMPARE(runFigure(run, "mfu", Convention::Standard)->predicted, *run.evaluation.mfu);
        QCOMPARE(runFigure(run, "tokens_per_s_per_gpu", Convention::Standard)->measured, 2904.0);
        QVERIFY(!runFigure(run, "tpot_s", Convention::Standard));
        QVERIFY(!runFigure(run, "memory.used_bytes", Convention::Standard));
    }

    void ratesAtAnUnknownBatchSayNothingOfOneStep()
    {
        const MeasuredRun run = quoted(
            "{'format':'headroom-scenario','version':1,'model':'llama-3-8b',"
            "            'hardware':{'accelerator':'h100-sxm-80gb'},'workload':{'task':'inference','batch':'max'},"
            "            'measured':{'tokens_per_s':9000},'source':'x'}");
        QVERIFY(runFigure(run, "tokens_per_s", Convention::Standard));
        QVERIFY(!runFigure(run, "mbu", Convention::Standard));
        QVERIFY(!runFigure(run, "mfu", Convention::Standard));
    }

    void theNearestRunIsToldWithItsSource()
    {
        const auto reading =
            readScenario(*embeddedFile("scenarios/07-llama-3-8b-64-a100-selective-layer.headroom"), Catalog::builtIn());
        const auto prepared = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
        const auto text = nearestRunText(*publishedRuns(), "mfu", prepared, evaluate(prepared));
        QVERIFY(text.has_value());
        QVERIFY2(text->sentence.starts_with("The nearest published run measured "), text->sentence.c_str());
        QVERIFY(text->sentence.find("; Headroom predicts ") != std::string::npos);
        QVERIFY2(text->run.starts_with("Llama 3 8B on 64 × A100"), text->run.c_str());
        QCOMPARE(text->url, std::string("https://github.com/pytorch/torchtitan"));
        QVERIFY(!nearestRunText(*publishedRuns(), "cost.per_hour", prepared, evaluate(prepared)));
    }

    /// Efficiencies of the scenario are of its own machines: what is predicted of another's run is not theirs.
    void thePredictionOfAPublishedRunSaysWhoseItIs()
    {
        const auto reading =
            readScenario(*embeddedFile("scenarios/07-llama-3-8b-64-a100-selective-layer.headroom"), Catalog::builtIn());
        auto prepared = *prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
        const auto plain = nearestRunText(*publishedRuns(), "mfu", prepared, evaluate(prepared));
        prepared.efficiency.matmul = 0.5;
        const auto own = nearestRunText(*publishedRuns(), "mfu", prepared, evaluate(prepared));
        QVERIFY(plain && own);
        QVERIFY2(own->sentence.find("; the built-in calibration predicts ") != std::string::npos,
                 own->sentence.c_str());
        QCOMPARE(own->figure.predicted, plain->figure.predicted);
    }

    /// A memory figure that is far off is not left without a word.
    void aMemoryFarFromThePredictionSaysWhy()
    {
        const auto runWith = [](double bytes) {
            return quoted("{'format':'headroom-scenario','version':1,'model':'llama-3-8b',"
                          "'hardware':{'accelerator':'h100-sxm-80gb','count':64},'workload':{'task':'training'},"
                          "'measured':{'step_time_s':20,'peak_memory_bytes':" +
                          std::to_string(static_cast<long long>(bytes)) + "},'source':'x'}");
        };
        const double predicted = runWith(4e10).evaluation.usedBytes;
        const auto told = [&](double bytes) {
            const MeasuredRun run = runWith(bytes);
            const auto text = nearestRunText({run}, "memory.used_bytes", run.prepared, run.evaluation);
            return text ? text->sentence : std::string("nothing");
        };
        QVERIFY2(told(predicted * 1.5).find("They are far apart") != std::string::npos, told(predicted * 1.5).c_str());
        const std::string near = told(predicted);
        QVERIFY2(near.find("Headroom predicts") != std::string::npos && near.find("far apart") == std::string::npos,
                 near.c_str());
    }

    void sourcesBecomeAddressesOnlyWhereTheyNameAPlace()
    {
        QCOMPARE(sourceUrl("pytorch/torchtitan/docs/performance.md@1ea476e9f (2024-04-24)"),
                 std::string("https://github.com/pytorch/torchtitan"));
        QCOMPARE(sourceUrl("docs.nvidia.com/nim/benchmarking/llm (8 GPUs)"),
                 std::string("https://docs.nvidia.com/nim/benchmarking/llm"));
        QCOMPARE(sourceUrl("our cluster, last night"), std::string());
        QCOMPARE(sourceUrl(""), std::string());
        QCOMPARE(sourceUrl("javascript:alert(1)/x"), std::string());
        QCOMPARE(sourceUrl("<b>/x"), std::string());
    }

    void searchFitsIntoAFrame()
    {
        const MeasuredRuns& runs = *publishedRuns();
        const RunFeatures here = llama(64, 8192).features;
        std::size_t found = 0;
        QBENCHMARK
        {
            found += nearestRuns(runs, here, {.metric = "mfu", .most = 8}).size();
        }
        QVERIFY(found > 0);
    }
};
HEADROOM_TEST(TestRuns)

} // namespace headroom::test_runs
#include "test_runs.moc"
