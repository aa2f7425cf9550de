// SPDX-License-Identifier: GPL-3.0-or-later
// Speculative decoding: what drafting and verifying cost, what is refused, and published runs.
#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/predict/key_effects.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::test_speculation
{

using test::near;
using test::serving;

namespace
{

/// Llama 3.1 8B on one H100, batch 1.
PreparedScenario drafting(std::optional<Drafting> method, std::int64_t drafts = 3, std::int64_t batch = 1)
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.batch = batch;
        s.inference.drafting = method;
        s.inference.draftTokens = drafts;
    });
}

Expected<PreparedScenario> read(const std::string& model, const std::string& speculative)
{
    const std::string text =
        fmt::format(R"({{"format": "headroom-scenario", "version": 1, "model": "{}", "hardware": {{"accelerator": )"
                    R"("h100-sxm-80gb"}}, "workload": {{"task": "inference", "speculative": {}}}}})",
                    model, speculative);
    const auto reading = readScenario(text, Catalog::builtIn());
    if (!reading)
        return tl::unexpected(reading.error());
    return prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// A published time per token with drafts. Length 0: not published.
struct DraftRun {
    Drafting method;
    std::int64_t drafts, batch, prompt, output;
    double length, tpotMs, plainMs;
};

/// vLLM issue 20780: Llama 3.1 8B, MT-Bench, one H100 (the GPU after pull request 16937 of the same author).
constexpr std::array vllmRuns{DraftRun{Drafting::Eagle, 2, 1, 300, 256, 2.10, 4.37, 7.07},
                              DraftRun{Drafting::Eagle, 3, 1, 300, 256, 2.29, 4.29, 7.07},
                              DraftRun{Drafting::Eagle, 4, 1, 300, 256, 2.39, 4.48, 7.07},
                              DraftRun{Drafting::Eagle, 5, 1, 300, 256, 2.43, 4.71, 7.07},
                              DraftRun{Drafting::Eagle, 6, 1, 300, 256, 2.45, 4.94, 7.07},
                              DraftRun{Drafting::Eagle, 7, 1, 300, 256, 2.47, 5.20, 7.07},
                              DraftRun{Drafting::Eagle3, 2, 1, 300, 256, 2.36, 4.32, 7.07},
                              DraftRun{Drafting::Eagle3, 3, 1, 300, 256, 2.79, 4.09, 7.07},
                              DraftRun{Drafting::Eagle3, 5, 1, 300, 256, 3.32, 4.13, 7.07},
                              DraftRun{Drafting::Eagle3, 6, 1, 300, 256, 3.46, 4.20, 7.07},
                              DraftRun{Drafting::Eagle3, 7, 1, 300, 256, 3.54, 4.29, 7.07}};

/// Qwen3.5 397B, fp8, SGLang 0.5.9, tensor 4 on four B300, three MTP drafts (aiconfigurator silicon_sample.csv; the
/// drafts after the launch script of InferenceX). The first nine have a run without drafts; SGLang's time for each
/// sequence was fitted to them, and the other fourteen were laid aside.
constexpr std::array sglangRuns{DraftRun{Drafting::Mtp, 3, 4, 1024, 1024, 0, 5.305969, 8.648086},
                                DraftRun{Drafting::Mtp, 3, 8, 1024, 1024, 0, 6.865456, 9.729113},
                                DraftRun{Drafting::Mtp, 3, 16, 1024, 1024, 0, 9.226946, 11.95628},
                                DraftRun{Drafting::Mtp, 3, 32, 1024, 1024, 0, 12.06267, 15.16032},
                                DraftRun{Drafting::Mtp, 3, 256, 1024, 1024, 0, 45.05881, 35.17578},
                                DraftRun{Drafting::Mtp, 3, 8, 8192, 1024, 0, 7.941335, 10.66443},
                                DraftRun{Drafting::Mtp, 3, 16, 8192, 1024, 0, 11.49448, 13.33787},
                                DraftRun{Drafting::Mtp, 3, 64, 8192, 1024, 0, 27.69015, 26.27925},
                                DraftRun{Drafting::Mtp, 3, 128, 8192, 1024, 0, 47.90591, 40.22729},
                                DraftRun{Drafting::Mtp, 3, 16, 1024, 1024, 0, 10.02346, 0},
                                DraftRun{Drafting::Mtp, 3, 32, 1024, 1024, 0, 13.79609, 0},
                                DraftRun{Drafting::Mtp, 3, 64, 1024, 1024, 0, 18.39388, 0},
                                DraftRun{Drafting::Mtp, 3, 128, 1024, 1024, 0, 29.47617, 0},
                                DraftRun{Drafting::Mtp, 3, 256, 1024, 1024, 0, 47.87485, 0},
                                DraftRun{Drafting::Mtp, 3, 4, 1024, 8192, 0, 5.089607, 0},
                                DraftRun{Drafting::Mtp, 3, 32, 1024, 8192, 0, 10.83707, 0},
                                DraftRun{Drafting::Mtp, 3, 128, 1024, 8192, 0, 24.12971, 0},
                                DraftRun{Drafting::Mtp, 3, 256, 1024, 8192, 0, 37.52673, 0},
                                DraftRun{Drafting::Mtp, 3, 4, 8192, 1024, 0, 6.579993, 0},
                                DraftRun{Drafting::Mtp, 3, 8, 8192, 1024, 0, 8.541306, 0},
                                DraftRun{Drafting::Mtp, 3, 32, 8192, 1024, 0, 18.56069, 0},
                                DraftRun{Drafting::Mtp, 3, 128, 8192, 1024, 0, 52.69032, 0},
                                DraftRun{Drafting::Mtp, 3, 256, 8192, 1024, 0, 91.37081, 0}};
constexpr std::size_t fittedRuns = 9;
/// One acceptance length for the source, which publishes none.
constexpr double sglangLength = 2.6;

PreparedScenario scenarioOf(const DraftRun& run)
{
    const bool mtp = run.method == Drafting::Mtp;
    return serving(mtp ? "qwen3.5-397b-a17b" : "llama-3.1-8b", mtp ? "b300-sxm" : "h100-sxm-80gb", mtp ? 4 : 1,
                   [&](Scenario& s) {
                       InferenceWorkload& w = s.inference;
                       w.batch = run.batch;
                       w.promptTokens = run.prompt;
                       w.outputTokens = run.output;
                       w.weights = mtp ? DataType::Fp8 : DataType::Bf16;
                       w.software = mtp ? InferenceSoftware::Sglang : InferenceSoftware::VllmSync;
                       w.drafting = run.method;
                       w.draftTokens = run.drafts;
                       w.acceptanceLength = run.length > 0 ? run.length : sglangLength;
                   });
}

double errorOf(const DraftRun& run)
{
    return std::abs(*evaluate(scenarioOf(run)).tpotS * 1000 / run.tpotMs - 1);
}

} // namespace

class TestSpeculation : public QObject
{
    Q_OBJECT
private slots:
    /// The prompts' pass gives the first token; for the second one a whole cycle runs.
    void aCycleCountsWholeInAStaticBatch()
    {
        PreparedScenario p = drafting(Drafting::Eagle3);
        p.inference.scheduling = Scheduling::Static;
        for (const std::int64_t output : {1, 2, 100}) {
            p.inference.outputTokens = output;
            const Evaluation e = evaluate(p);
            const double after = output == 1 ? 0 : output == 2 ? e.speculation->cycleS : 99 * *e.tpotS;
            QVERIFY2(near(*e.tokensPerS, double(output) / (*e.ttftS + after), 1e-6),
                     qPrintable(QString::number(output)));
        }
    }

    /// A head of Llama 3.1 8B moves 1.6 GB with the model's own LM head, 0.85 GB with EAGLE-3's small one: on 3.35 TB/s
    /// 0.46 and 0.25 ms.
    void aHeadMovesItsWeights()
    {
        const auto bytes = [](Drafting method) {
            const PreparedScenario p = drafting(method);
            const inference::Machine m = inference::makeMachine(p, false);
            return inference::Drafter(p, m).bytes({1, 1, 1, 1}, 1);
        };
        QVERIFY(near(bytes(Drafting::Eagle) / 3.35e12, 0.46e-3, 0.03));
        QVERIFY(near(bytes(Drafting::Eagle3) / 3.35e12, 0.25e-3, 0.05));
        QCOMPARE(bytes(Drafting::Ngram), 0.0);
    }

    void aScenarioWithoutDraftsIsWhatItWas()
    {
        const Evaluation e = evaluate(drafting({}));
        QVERIFY(!e.speculation);
        QCOMPARE(e.part(TimePart::Draft), 0.0);
        QCOMPARE(e.flops.hardware, e.flops.model);
    }

    void partsAddUpAndNothingIsFree()
    {
        for (const Drafting method : {Drafting::Eagle, Drafting::Eagle3, Drafting::Medusa, Drafting::Ngram}) {
            const PreparedScenario p = drafting(method, 4, 8);
            const Evaluation e = evaluate(p), plain = evaluate(drafting({}, 4, 8));
            const SpeculationResult& s = *e.speculation;
            double sum = 0;
            for (const double part : e.time)
                sum += part;
            QVERIFY(near(sum, *e.tpotS, 1e-12));
            QVERIFY(near(s.cycleS, s.verifyS + s.draftS + s.hostS, 1e-12));
            QVERIFY(near(s.plainTpotS, *plain.tpotS, 1e-12));
            QVERIFY(s.verifyS > 0 && s.cycleS >= *plain.tpotS - plain.part(TimePart::PrefillInterference));
            QVERIFY(*e.hfu > *e.mfu && *e.hfu <= 1 && *e.mbu <= 1);
            QVERIFY(e.usedBytes >= plain.usedBytes);
            QVERIFY(e.maxBatch <= plain.maxBatch);
            // Wide, for nobody says what is accepted.
            QVERIFY(e.warnings.has(WarningCode::AcceptanceAssumed));
            QVERIFY(e.tpotInterval->high / e.tpotInterval->low > plain.tpotInterval->high / plain.tpotInterval->low);
        }
    }

    /// None accepted: a longer step for the same token.
    void draftsThatNobodyAcceptsCost()
    {
        PreparedScenario p = drafting(Drafting::Eagle3);
        p.inference.acceptance = Acceptance::of(0);
        const Evaluation e = evaluate(p);
        QVERIFY(e.speculation->speedup < 1);
        QCOMPARE(e.speculation->tokensPerCycle, 1.0);
        p.inference.acceptance = Acceptance::of(1);
        QVERIFY(evaluate(p).speculation->speedup > 1.5);
    }

    void anIdealCycleIsNoSlower()
    {
        for (const std::int64_t batch : {1, 32, 1024}) {
            PreparedScenario p = drafting(Drafting::Eagle, 5, batch);
            const double expected = *evaluate(p).tpotS;
            p.efficiency.base = EfficiencyBase::Ideal;
            QVERIFY(*evaluate(p).tpotS <= expected * (1 + 1e-9));
        }
    }

    void anAnswerShorterThanACycleTakesAWholeOne()
    {
        PreparedScenario plain = drafting({}), drafted = drafting(Drafting::Eagle);
        plain.inference.outputTokens = drafted.inference.outputTokens = 1;
        QVERIFY(*evaluate(drafted).requestsPerS <= *evaluate(plain).requestsPerS);
    }

    /// The gain falls with the batch, and ends (nine runs; the last two of each length are slower with drafts).
    void theGainEndsAtSomeBatch()
    {
        const auto speedup = [](std::size_t i) { return evaluate(scenarioOf(sglangRuns[i])).speculation->speedup; };
        QVERIFY(speedup(0) > speedup(2));
        QVERIFY(speedup(0) > 1.4 && speedup(0) < 1.8); // measured 1.63
        QVERIFY(speedup(4) < 1);                       // measured 0.78
    }

    /// DeepSeek-V3's report: 85 to 90 % of its second tokens are accepted, 1.8 times the tokens a second. SGLang (pull
    /// request 3582): 1.76 times at a length of 1.9. The GPUs are not stated: 16 H800 as DeepSeek serves.
    void deepSeeksOwnDraftsGainWhatItSays()
    {
        const auto speedup = [](std::int64_t drafts, double length) {
            return evaluate(serving("deepseek-v3", "h800-sxm-80gb", 16,
                                    [&](Scenario& s) {
                                        InferenceWorkload& w = s.inference;
                                        w.weights = DataType::Fp8;
                                        w.software = InferenceSoftware::Sglang;
                                        w.drafting = Drafting::Mtp;
                                        w.draftTokens = drafts;
                                        w.acceptanceLength = length;
                                    }))
                .speculation->speedup;
        };
        QVERIFY2(std::abs(speedup(1, 1.875) / 1.8 - 1) < 0.1, qPrintable(QString::number(speedup(1, 1.875))));
        QVERIFY2(std::abs(speedup(2, 1.9) / 1.76 - 1) < 0.1, qPrintable(QString::number(speedup(2, 1.9))));
    }

    /// DeepSeek-R1 on Gaudi (vllm-fork, pull request 1264), one draft, 1.88 tokens: 1.6 and 1.5 times at 4 and 32;
    /// eight Gaudi 3, which is not stated. Why nothing is left at 256 no figure says (docs/method/speculation.md).
    void draftsOnGaudiGainAboutAsMuch()
    {
        for (const auto& row : {std::pair{4, 1.6}, {32, 1.5}}) {
            const double published = row.second;
            const double speedup = evaluate(serving("deepseek-r1", "gaudi3", 8, [&](Scenario& s) {
                                       InferenceWorkload& w = s.inference;
                                       w.batch = row.first;
                                       w.promptTokens = w.outputTokens = 1000;
                                       w.weights = DataType::Fp8;
                                       w.software = InferenceSoftware::Vllm;
                                       w.drafting = Drafting::Mtp;
                                       w.draftTokens = 1;
                                       w.acceptanceLength = 1.88;
                                       s.parallelism.expert = 8;
                                   })).speculation->speedup;
            QVERIFY2(std::abs(speedup / published - 1) < 0.15, qPrintable(QString::number(speedup)));
        }
    }

    void publishedRunsAreMet()
    {
        std::vector<double> vllm, fitted, laidAside;
        for (const DraftRun& run : vllmRuns)
            vllm.push_back(errorOf(run));
        for (std::size_t i = 0; i < sglangRuns.size(); ++i)
            (i < fittedRuns ? fitted : laidAside).push_back(errorOf(sglangRuns[i]));
        const std::string words = fmt::format("median error: vLLM {:.1f} %, SGLang {:.1f} %, laid aside {:.1f} %",
                                              100 * median(vllm), 100 * median(fitted), 100 * median(laidAside));
        qInfo("%s", words.c_str());
        QVERIFY2(median(vllm) <= 0.12 && median(fitted) <= 0.12 && median(laidAside) <= 0.12, words.c_str());
    }

    void badKeysAreRefusedWhereTheyStand()
    {
        const auto refused = [](const std::string& speculative, const char* path, const char* words) {
            const auto p = read("llama-3.1-8b", speculative);
            const std::string text = p ? "accepted" : toText(p.error().front());
            QVERIFY2(!p && p.error().front().path == path && text.find(words) != std::string::npos, text.c_str());
        };
        const char* length = "/workload/speculative/acceptance_length";
        refused(R"({"method": "eagle", "acceptance_length": 4.2})", length, "at most 4");
        refused(R"({"method": "eagle", "acceptance_length": 2, "acceptance": 0.8})", length, "leave one of them out");
        refused(R"({"method": "eagle", "acceptance": 1.2})", "/workload/speculative/acceptance", "from 0 to 1");
        refused(R"({"method": "eagle", "acceptance": [0.8, "x"]})", "/workload/speculative/acceptance/1",
                "from 0 to 1");
        refused(R"({"method": "eagle", "acceptance": []})", "/workload/speculative/acceptance", "positions");
        refused(R"({"method": "eagle", "draft_tokens": 17})", "/workload/speculative/draft_tokens", "16");
        refused(R"({"method": "mtp"})", "/workload/speculative/method", "eagle3");
        refused(R"({"method": "draft"})", "/workload/speculative/draft_model", "smaller model");
        refused(R"({"method": "draft", "draft_model": "llama-3.2-1bb"})", "/workload/speculative/draft_model",
                "llama-3.2-1b");
        QVERIFY(read("deepseek-v3", R"({"method": "mtp"})").has_value());
        QVERIFY(read("llama-3.1-8b", R"({"method": "draft", "draft_model": "llama-3.2-1b"})").has_value());
    }

    void keysThatSayNothingAreNamed()
    {
        QVERIFY(hasKeyWithoutEffect(*read("llama-3.1-8b", R"({"draft_tokens": 5})")));
        QVERIFY(hasKeyWithoutEffect(*read("llama-3.1-8b", R"({"method": "eagle", "draft_model": "llama-3.2-1b"})")));
        QVERIFY(!hasKeyWithoutEffect(*read("llama-3.1-8b", R"({"method": "eagle"})")));
        // A slider may ask for what the model has not.
        const PreparedScenario p = drafting({});
        PreparedScenario asked = p;
        asked.inference.drafting = Drafting::Mtp;
        QVERIFY(hasKeyWithoutEffect(asked));
        QCOMPARE(*evaluate(asked).tpotS, *evaluate(p).tpotS);
    }

    /// What a file says comes back as it was.
    void aFileKeepsItsKeys()
    {
        const char* all = R"({"method": "draft", "draft_tokens": 5, "acceptance": [0.9, 0.7], "acceptance_decay": 0.8,)"
                          R"( "draft_model": "llama-3.2-1b"})";
        const std::string text = fmt::format(R"({{"format": "headroom-scenario", "version": 1, "model": )"
                                             R"("llama-3.1-8b", "hardware": {{"accelerator": "h100-sxm-80gb"}}, )"
                                             R"("workload": {{"task": "inference", "speculative": {}}}}})",
                                             all);
        const auto once = readScenario(text, Catalog::builtIn());
        QVERIFY(once.has_value());
        const auto twice = readScenario(writeScenario(once->scenario), Catalog::builtIn());
        QVERIFY(twice.has_value() && twice->scenario == once->scenario);
        QVERIFY(twice->scenario.inference.acceptance->stated == 2);
    }

    /// A length belongs to its number of drafts; with another number the acceptance stays, not the length.
    void moreDraftsKeepTheAcceptance()
    {
        Setup s = drafting(Drafting::Eagle3).setup();
        parameterRow("acceptance_length")->set(s, 2.5);
        const double before = parameterRow("acceptance")->get(s);
        parameterRow("draft_tokens")->set(s, 6);
        QVERIFY(!s.inference.acceptanceLength);
        QVERIFY(near(s.inference.acceptance->byPosition[0], before, 1e-12));
        QVERIFY(parameterRow("acceptance_length")->get(s) > 2.5);
    }

    void theLatencyChartSaysWhereDraftsPay()
    {
        ChartContext context;
        context.scenario = scenarioOf(sglangRuns[2]);
        context.evaluation = evaluate(context.scenario);
        const ChartSpec spec = chartRow("latency")->build(context);
        QVERIFY(std::ranges::any_of(spec.series, [](const Series& s) { return s.id == "plain"; }));
        QVERIFY2(spec.reading.find("Drafts pay up to") != std::string::npos, spec.reading.c_str());
        context.sweepParameter = "draft_tokens";
        QVERIFY(chartRow("latency")->build(context).reading.find("TPOT is shortest with") != std::string::npos);
        context.scenario.inference.drafting.reset();
        context.evaluation = evaluate(context.scenario);
        const ChartSpec plain = chartRow("latency")->build(context);
        QVERIFY(std::ranges::none_of(plain.series, [](const Series& s) { return s.id == "plain"; }));
    }
};
HEADROOM_TEST(TestSpeculation)

} // namespace headroom::test_speculation
#include "test_speculation.moc"
