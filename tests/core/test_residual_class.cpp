// SPDX-License-Identifier: GPL-3.0-or-later
// Whose residuals an interval takes, where the runs end.
#include "core/predict/inference/inference_machine.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"

namespace headroom::test_residual_class
{

using namespace inference;
using test::near;
using test::serving;
using test::warns;

namespace
{

/// TensorRT-LLM on eight H200 with as large a batch as fits.
PreparedScenario fullBatch(const char* model, std::int64_t attentionData = 1)
{
    return serving(model, "h200-sxm-141gb", 8, [attentionData](Scenario& s) {
        s.inference.software = InferenceSoftware::TrtLlm;
        s.inference.weights = DataType::Fp8;
        s.inference.batchMax = true;
        s.parallelism.attentionData = attentionData;
        s.parallelism.tensor = 8 / attentionData;
    });
}

PreparedScenario llamaCpp(const char* accelerator, InferenceSoftware engine = InferenceSoftware::LlamaCpp)
{
    return serving("llama-3-8b", accelerator, 1, [engine](Scenario& s) {
        s.inference.software = engine;
        s.inference.weights = DataType::Int4;
        s.inference.batch = 1;
    });
}

} // namespace

class TestResidualClass : public QObject
{
    Q_OBJECT
private slots:
    /// All runs with a full batch of experts are Mixtral's: their interval of 18 % stood beside DeepSeek-V3, too.
    void aFullBatchOfManyExpertsIsWide()
    {
        constexpr WarningCode beyond = WarningCode::FullBatchBeyondRuns;
        const PreparedScenario few = fullBatch("mixtral-8x7b"), many = fullBatch("deepseek-v3");
        QVERIFY(makeMachine(few, false).residualClass == ResidualClass::SaturatedMoe && !warns(few, beyond));
        QVERIFY(makeMachine(many, false).residualClass == ResidualClass::Unfitted && warns(many, beyond));
        const PreparedScenario dealt = fullBatch("mixtral-8x7b", 8);
        QVERIFY(makeMachine(dealt, false).residualClass == ResidualClass::Unfitted && warns(dealt, beyond));
        PreparedScenario stated = many;
        stated.inference.batchMax = false;
        stated.inference.batch = 64;
        QVERIFY(makeMachine(stated, false).residualClass == ResidualClass::ModernMoe && !warns(stated, beyond));
    }

    /// Of today's engines on such cards the runs are TensorRT-LLM's on L40S: their 15 % stood beside every other card.
    void cardsUnlikeTheFittedOnesAreWide()
    {
        using enum WarningCode;
        const auto on = [](const char* model, const char* accelerator, auto change) {
            return serving(model, accelerator, 8, [&](Scenario& s) {
                s.inference.software = InferenceSoftware::TrtLlm;
                s.inference.weights = DataType::Fp8;
                s.inference.batch = 16;
                s.parallelism.tensor = 8;
                change(s);
            });
        };
        const auto asIs = [](Scenario&) {};
        const auto isWide = [](const PreparedScenario& p, WarningCode why) {
            return makeMachine(p, false).residualClass == ResidualClass::Unfitted && warns(p, why);
        };
        const auto full = [](Scenario& s) { s.inference.batchMax = true; };
        for (const PreparedScenario& p :
             {on("llama-3-8b", "l40s", asIs), on("llama-3-8b", "rtx-4090", asIs), on("mixtral-8x7b", "l40s", full)}) {
            QVERIFY(makeMachine(p, false).residualClass == ResidualClass::Consumer);
            QVERIFY(!warns(p, SoftwareWithoutFit) && !warns(p, FullBatchBeyondRuns));
        }
        for (const char* card : {"rtx-3090", "a10", "rtx-5090", "rtx-pro-6000-bw-ws"})
            QVERIFY2(isWide(on("llama-3-8b", card, asIs), SoftwareWithoutFit), card);
        QVERIFY(isWide(on("llama-3-8b", "gb10", [](Scenario& s) { s.hardware.count = s.parallelism.tensor = 1; }),
                       SoftwareWithoutFit));
        QVERIFY(isWide(on("llama-3-8b", "l40s", [](Scenario& s) { s.inference.weights = DataType::Fp4; }),
                       SoftwareWithoutFit));
        QVERIFY(isWide(on("mixtral-8x7b", "l40s",
                          [](Scenario& s) {
                              s.parallelism.tensor = 1;
                              s.parallelism.attentionData = 8;
                          }),
                       SoftwareWithoutFit));
        QVERIFY(isWide(on("qwen3-30b-a3b", "l40s", full), FullBatchBeyondRuns));
        const PreparedScenario other = on("llama-3-8b", "rtx-5090", asIs);
        QVERIFY(warningText(SoftwareWithoutFit, evaluate(other).warnings.number(SoftwareWithoutFit), other)
                    .find("only runs of Ada's") != std::string::npos);
        QVERIFY(isWide(serving("llama-3-8b", "h100-sxm-80gb", 1,
                               [](Scenario& s) { s.inference.software = InferenceSoftware::Tgi; }),
                       SoftwareWithoutFit)); // an engine without any run
    }

    /// No fitted run of today's engines has two stages; llama.cpp's have.
    void pipelinesOfTodaysEnginesAreWide()
    {
        const auto stages = [](InferenceSoftware engine, std::int64_t pipeline) {
            return serving("llama-3-70b", "h100-sxm-80gb", 8, [=](Scenario& s) {
                s.inference.software = engine;
                s.inference.weights = engine == InferenceSoftware::LlamaCpp ? DataType::Int4 : DataType::Bf16;
                s.inference.batch = 16;
                s.parallelism.pipeline = pipeline;
                s.parallelism.tensor = 8 / pipeline;
            });
        };
        constexpr WarningCode beyond = WarningCode::ReplicaBeyondRuns;
        for (const InferenceSoftware engine :
             {InferenceSoftware::Vllm, InferenceSoftware::Sglang, InferenceSoftware::TrtLlm}) {
            const PreparedScenario one = stages(engine, 1), two = stages(engine, 2);
            QVERIFY(makeMachine(one, false).residualClass == ResidualClass::ModernDense && !warns(one, beyond));
            QVERIFY(makeMachine(two, false).residualClass == ResidualClass::Unfitted && warns(two, beyond));
            QVERIFY(warningText(beyond, evaluate(two).warnings.number(beyond), two).find("pipeline stage") !=
                    std::string::npos);
        }
        const PreparedScenario local = stages(InferenceSoftware::LlamaCpp, 8);
        QVERIFY(makeMachine(local, false).residualClass == ResidualClass::Consumer && !warns(local, beyond));
    }

    /// A stated release that no run has may be faster; vLLM's runs end at 0.19, on AMD at 0.9.
    void releasesNewerThanAllRunsMayBeFaster()
    {
        constexpr WarningCode older = WarningCode::RunsOfOlderReleases;
        const auto of = [](const char* accelerator, const char* release, bool max = false) {
            return serving("llama-3.1-8b", accelerator, 1, [=](Scenario& s) {
                s.inference.software = InferenceSoftware::Vllm;
                s.inference.softwareVersion = SoftwareVersion::from(release);
                s.inference.batch = 16;
                s.inference.batchMax = max;
            });
        };
        const PreparedScenario newest = of("h100-sxm-80gb", "0.30.0");
        const Evaluation known = evaluate(of("h100-sxm-80gb", "0.19.1")), later = evaluate(newest);
        const double newer =
            newest.calibration->inference.engines[static_cast<std::size_t>(InferenceSoftware::Vllm)].newerReleases;
        QVERIFY(newer > 1 && later.warnings.has(older) && !known.warnings.has(older));
        QVERIFY(near(later.tpotInterval->low, known.tpotInterval->low / newer));
        QVERIFY(near(later.tpotInterval->high, known.tpotInterval->high));
        QVERIFY(near(*later.tpotS, *known.tpotS));
        QVERIFY(warningText(older, later.warnings.number(older), newest).find("before 0.20") != std::string::npos);
        QVERIFY(evaluate(of("h100-sxm-80gb", "0.30.0", true)).tokensPerSInterval->high >
                1.1 * evaluate(of("h100-sxm-80gb", "0.19.1", true)).tokensPerSInterval->high);
        QVERIFY(warns(of("mi300x", "0.19.1"), older) && !warns(of("mi300x", "0.9.1"), older));
        QVERIFY(!warns(serving("llama-3.1-8b", "h100-sxm-80gb", 1,
                               [](Scenario& s) { s.inference.software = InferenceSoftware::Vllm; }),
                       older)); // states no release
    }

    /// Its interval reaches to what later releases do, on one side only.
    void laterReleasesOfLlamaCppMayBeFaster()
    {
        constexpr WarningCode older = WarningCode::RunsOfOlderReleases;
        const PreparedScenario p = llamaCpp("rtx-4090");
        const Evaluation e = evaluate(p);
        const InferenceCalibration& c = p.calibration->inference;
        const Residuals& q = c.residuals[static_cast<std::size_t>(ResidualClass::Consumer)];
        const double newer = c.engines[static_cast<std::size_t>(InferenceSoftware::LlamaCpp)].newerReleases;
        QVERIFY(newer > 1 && e.warnings.has(older));
        QVERIFY(near(e.tpotInterval->low, *e.tpotS / q.tpot.high / newer));
        QVERIFY(near(e.tpotInterval->high, *e.tpotS / q.tpot.low));
        QVERIFY(!warns(llamaCpp("a100-sxm-80gb", InferenceSoftware::LlamaCpp2024), older));
        QVERIFY(!warns(llamaCpp("arc-b580"), older)); // wide for another reason
    }

    /// SGLang's runs are of bursts and of benchmarks that begin with one, 16 requests of a dense model at the fewest:
    /// two requests to one of 8B waited 0.19 s before their prompts were read, one 0.01 s.
    void aFirstTokenWaitsForNoBurstOfOthers()
    {
        constexpr WarningCode start = WarningCode::FirstTokenOfBursts;
        const auto first = [](const char* model, std::int64_t batch, Arrival arrival = Arrival::Steady) {
            return evaluate(serving(model, "h200-sxm-141gb", 8, [=](Scenario& s) {
                s.inference.software = InferenceSoftware::Sglang;
                s.inference.weights = DataType::Fp8;
                s.inference.arrival = arrival;
                s.inference.batch = batch;
            }));
        };
        const double alone = *first("llama-3.1-8b", 1).ttftS, two = *first("llama-3.1-8b", 2).ttftS,
                     few = *first("llama-3.1-8b", 4).ttftS, many = *first("llama-3.1-8b", 16).ttftS;
        QVERIFY(alone < two && two < few && few < many && two - alone < 0.04 && many - alone > 0.18);
        const Evaluation steady = first("deepseek-v3", 4);
        QVERIFY(steady.warnings.has(start) && steady.ttftInterval->low < *steady.ttftS - 0.15);
        QVERIFY(!first("deepseek-v3", 1).warnings.has(start));
        QVERIFY(!first("deepseek-v3", 4, Arrival::Burst).warnings.has(start));
    }

    /// A load comes one by one: published first tokens of 32 to 74 ms were predicted at 143 to 229.
    void aLoadDoesNotBeginWithABurst()
    {
        const auto loaded = [](double requestsPerS) {
            return evaluate(serving("llama-3.1-8b", "h200-sxm-141gb", 1, [=](Scenario& s) {
                s.inference.software = InferenceSoftware::Sglang;
                s.inference.batch = 64;
                s.inference.requestsPerS = requestsPerS;
            }));
        };
        const Evaluation seldom = loaded(0.01), often = loaded(5);
        QVERIFY(!often.warnings.has(WarningCode::FirstTokenOfBursts));
        QVERIFY(*often.ttftS < *seldom.ttftS + 0.05);
        QVERIFY(often.ttftInterval->high > *often.ttftS + 0.15);
    }

    /// TensorRT-LLM keeps what no query will see again: half of gpt-oss's layers have a window of 128 tokens.
    void whoKeepsWholeWindowsHoldsFewer()
    {
        const auto most = [](InferenceSoftware engine) {
            return *evaluate(serving("gpt-oss-20b", "h200-sxm-141gb", 1, [engine](Scenario& s) {
                        s.inference.software = engine;
                        s.inference.weights = DataType::Native;
                        s.inference.promptTokens = 8000;
                        s.inference.outputTokens = 1000;
                        s.inference.batch = 4;
                    })).maxBatch;
        };
        // 9,000 tokens in 12 layers and 128 in 12, or 9,000 in all 24.
        const double ratio = most(InferenceSoftware::Sglang) / most(InferenceSoftware::TrtLlm);
        QVERIFY2(ratio > 1.6 && ratio < 2.6, qPrintable(QString::number(ratio)));
    }
};
HEADROOM_TEST(TestResidualClass)

} // namespace headroom::test_residual_class
#include "test_residual_class.moc"
