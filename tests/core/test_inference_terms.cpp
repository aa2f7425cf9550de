// SPDX-License-Identifier: GPL-3.0-or-later
// What engines add to the kernels of the tables, and kernels that only some models start.
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_inference_terms
{

using namespace inference;
using test::serving;

class TestInferenceTerms : public QObject
{
    Q_OBJECT
private slots:
    /// DeepSeek-V3 on eight tensor ranks: each holds the down projections of latent attention whole, 7168·(1536 + 512 +
    /// 64) in all 61 layers, and the 58 routers of 256 experts; of the rest an eighth. DeepSeek-V3.2's indexer is
    /// whole, too: 64 heads of 128 from 1536 latents, its key and its weights of heads.
    void latentProjectionsLieWholeOnEachRank()
    {
        const auto bytes = [](const char* model, double tensor) {
            const PreparedScenario p = serving(model, "h200-sxm-141gb", std::int64_t(tensor), [&](Scenario& s) {
                s.parallelism.tensor = std::int64_t(tensor);
                s.inference.weights = DataType::Bf16;
            });
            return inference::storedWeightBytes(*p.model, inference::makeMachine(p, false));
        };
        const double down = 61 * 7168.0 * (1536 + 512 + 64), routers = 58 * 7168.0 * 256;
        const double index = 61 * (64 * 128 * 1536.0 + 7168 * 128.0 + 7168 * 64.0);
        for (const auto& [model, whole] :
             {std::pair("deepseek-v3", down + routers), std::pair("deepseek-v3.2", down + routers + index)}) {
            const double beyond = bytes(model, 8) - bytes(model, 1) / 8;
            QVERIFY2(std::abs(beyond / (2 * whole * 7 / 8) - 1) < 1e-9, std::to_string(beyond).c_str());
        }
    }

    /// DeepSeek-V3 in 8 bit on eight tensor ranks of vLLM: beside the stored up projections of 16 heads, 512 · (128 +
    /// 128) in all 61 layers, lie those that answers multiply in 16 bit. 16-bit ones are the same, and the bound has no
    /// copy.
    void absorbedProjectionsLieBesideNarrowOnes()
    {
        const auto beside = [](InferenceSoftware software, DataType weights, EfficiencyBase base) {
            const PreparedScenario p = serving("deepseek-v3", "h200-sxm-141gb", 8, [&](Scenario& s) {
                s.parallelism.tensor = 8;
                s.inference.weights = weights;
                s.inference.software = software;
                s.efficiency.base = base;
            });
            const double stored = storedWeightBytes(*p.model, makeMachine(p, base == EfficiencyBase::Ideal));
            return std::round((evaluate(p).part(MemoryPart::Weights) - stored) / 1e6); // MB
        };
        constexpr auto vllm = InferenceSoftware::Vllm;
        constexpr auto expected = EfficiencyBase::Expected;
        QCOMPARE(beside(vllm, DataType::Fp8, expected), std::round(61 * 16 * 512 * 256 * 2 / 1e6));
        QCOMPARE(beside(vllm, DataType::Bf16, expected), 0.0);
        QCOMPARE(beside(vllm, DataType::Fp8, EfficiencyBase::Ideal), 0.0);
        QCOMPARE(beside(InferenceSoftware::LlamaCpp, DataType::Int8, expected), 0.0);
    }

    /// An engine that reads the cache once per query head reads as much of one key/value head as of one for each of
    /// them, on any number of ranks: it was read 64 times on each of eight ranks that have eight query heads.
    void ranksReadTheCacheForTheirOwnQueries()
    {
        const auto attentionS = [](std::int64_t tensor, std::int64_t kvHeads, InferenceSoftware software) {
            PreparedScenario p = serving("llama-2-70b", "a100-sxm-80gb", tensor, [&](Scenario& s) {
                s.parallelism.tensor = tensor;
                s.inference.software = software;
                s.inference.batch = 64;
            });
            ModelProfile model = *p.model;
            for (LayerKind& k : model.kinds)
                k.attention.kvHeads = kvHeads;
            p.model = std::make_shared<const ModelProfile>(std::move(model));
            return evaluate(p).part(TimePart::Attention);
        };
        constexpr auto reads = InferenceSoftware::TrtLlm2023;
        for (const std::int64_t tensor : {1, 8}) {
            const double one = attentionS(tensor, 1, reads), eight = attentionS(tensor, 8, reads);
            QVERIFY2(std::abs(one / eight - 1) < 1e-9, std::to_string(one / eight).c_str());
        }
    }

    /// vLLM starts a kernel of its own before each matmul of 8 or 4 bit; matmuls of 16 bit have nothing to quantise.
    void quantisingTakesAKernelInVllm()
    {
        const auto start = [](InferenceSoftware software, DataType weights) {
            const PreparedScenario p = serving("llama-3-70b", "b200-sxm", 1, [&](Scenario& s) {
                s.inference.software = software;
                s.inference.weights = weights;
            });
            return makeMachine(p, false).dense.rate.startS;
        };
        const double more =
            start(InferenceSoftware::Vllm, DataType::Fp8) - start(InferenceSoftware::TrtLlm, DataType::Fp8);
        QVERIFY(more > 1e-6 && more < 1e-5);
        QCOMPARE(start(InferenceSoftware::Vllm, DataType::Bf16), start(InferenceSoftware::TrtLlm, DataType::Bf16));
        const double four =
            start(InferenceSoftware::Vllm, DataType::Fp4) - start(InferenceSoftware::TrtLlm, DataType::Fp4);
        QVERIFY(std::abs(four / more - 1) < 1e-9);
    }

    /// vLLM before 0.14 schedules between steps: a step takes that much longer, and the more sequences the more.
    void theHostOverlapsInLaterVllm()
    {
        const auto tpot = [](InferenceSoftware software, std::int64_t batch) {
            return *evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                        s.inference.software = software;
                        s.inference.batch = batch;
                        s.inference.scheduling = Scheduling::Disaggregated; // no prompts between the steps
                    })).tpotS;
        };
        const double one = tpot(InferenceSoftware::VllmSync, 1) - tpot(InferenceSoftware::Vllm, 1);
        const double many = tpot(InferenceSoftware::VllmSync, 64) - tpot(InferenceSoftware::Vllm, 64);
        QVERIFY(one > 5e-4 && one < 3e-3);
        QVERIFY(many > one + 1e-3);
    }

    /// vLLM up to 0.7 keeps memory for a prompt as long as the model allows: 131,072 tokens of Llama 3.1 405B on eight
    /// GPUs are 2 · 3 · (16,384 + 53,248 / 8) bytes each, 18.1 GB.
    void oldVllmReservesTheLongestPrompt()
    {
        const auto activations = [](InferenceSoftware software) {
            const PreparedScenario p =
                serving("llama-3.1-405b", "h200-sxm-141gb", 8, [&](Scenario& s) { s.inference.software = software; });
            return planMemory(p, makeMachine(p, false)).activations(1);
        };
        QCOMPARE(activations(InferenceSoftware::Vllm2024), 131072.0 * 6 * (16384 + 53248 / 8));
        QVERIFY(activations(InferenceSoftware::Vllm) < 0.1 * activations(InferenceSoftware::Vllm2024));
    }

    /// llama.cpp with FlashAttention reads its cache at the rate of the family: 2 · 8 heads of 128, two bytes each, in
    /// 32 layers for each token of the context. Its share is that of kernels without.
    void llamaCppReadsItsCacheInFullWithFlashAttention()
    {
        const InferenceCalibration& c = Calibration::builtIn()->inference;
        const auto share = c.engines[static_cast<std::size_t>(InferenceSoftware::LlamaCpp)].cacheReadShare;
        const double rate = c.attention[static_cast<std::size_t>(KernelFamily::Ada)].decodeMemory * 1008e9;
        const auto perToken = [](FlashAttention flash, InferenceSoftware engine = InferenceSoftware::LlamaCpp) {
            const auto step = [flash, engine](std::int64_t context) {
                return *evaluate(serving("llama-3-8b", "rtx-4090", 1, [&](Scenario& s) {
                            s.inference.software = engine;
                            s.inference.scheduling = Scheduling::Static;
                            s.inference.flashAttention = flash;
                            s.inference.promptTokens = context;
                            s.inference.outputTokens = 8;
                            s.inference.batch = 1;
                        })).tpotS;
            };
            return (step(6000) - step(2000)) / 4000;
        };
        QVERIFY(share < 0.5);
        const double seconds = 32 * 2 * 8 * 128 * 2 / rate;
        QVERIFY(std::abs(perToken(FlashAttention::On) / seconds - 1) < 1e-6);
        QVERIFY(std::abs(perToken(FlashAttention::Off) * share / seconds - 1) < 1e-6);
        // Its releases of 2024 took FlashAttention only when they were asked to, and no run says that they were.
        const double unasked = perToken(FlashAttention::On, InferenceSoftware::LlamaCpp2024);
        QVERIFY(std::abs(unasked / perToken(FlashAttention::Off, InferenceSoftware::LlamaCpp2024) - 1) < 1e-9);
        QVERIFY(unasked > seconds * 2);
    }

    /// So it keeps the scores of its chunk of 512 tokens, too, and writes them: by hand, 32 heads that each look at
    /// 6,000 tokens, and two values of two bytes for each.
    void whatTakesFlashAttentionIsATraitOfTheEngine()
    {
        const auto with = [](FlashAttention flash, InferenceSoftware engine) {
            return evaluate(serving("llama-3-8b", "rtx-4090", 1, [&](Scenario& s) {
                s.inference.software = engine;
                s.inference.scheduling = Scheduling::Static;
                s.inference.flashAttention = flash;
                s.inference.promptTokens = 6000;
                s.inference.outputTokens = 8;
                s.inference.batch = 1;
            }));
        };
        using enum InferenceSoftware;
        const auto activations = [](const Evaluation& e) { return e.part(MemoryPart::Activations); };
        const double scores = 512.0 * 6000 * 32 * 2 * 2;
        const Evaluation unasked = with(FlashAttention::On, LlamaCpp2024),
                         off = with(FlashAttention::Off, LlamaCpp2024);
        QCOMPARE(activations(unasked), activations(off));
        QCOMPARE(*unasked.ttftS, *off.ttftS);
        QVERIFY(std::abs(activations(unasked) - activations(with(FlashAttention::On, LlamaCpp)) - scores) < 1);
        QVERIFY(std::abs(activations(with(FlashAttention::Off, LlamaCpp)) - activations(unasked)) < 1);
    }

    /// Where no run is like it, the interval is that of such cases and a note says so: chips that no run is of,
    /// whoever's engine it is, and replicas larger than any of today's engines'. llama.cpp's runs have Apple's chips.
    void noRunLikeItMakesTheIntervalWide()
    {
        const Residuals& none =
            Calibration::builtIn()->inference.residuals[static_cast<std::size_t>(ResidualClass::Unfitted)];
        const auto with = [](const char* model, const char* accelerator, std::int64_t devices,
                             InferenceSoftware engine) {
            return evaluate(serving(model, accelerator, devices, [&](Scenario& s) {
                s.inference.software = engine;
                s.inference.weights = DataType::Fp8;
                s.parallelism.tensor = 1;
                s.parallelism.attentionData = s.parallelism.expert = devices;
            }));
        };
        const auto isWide = [&none](const Evaluation& e) {
            return std::abs(e.tpotInterval->high * none.tpot.low / *e.tpotS - 1) < 1e-12;
        };
        using enum InferenceSoftware;
        const Evaluation arc = with("llama-3-8b", "arc-b580", 1, LlamaCpp);
        QVERIFY(isWide(arc) && arc.warnings.has(WarningCode::FamilyWithoutFit));
        const Evaluation apple = with("llama-3-8b", "apple-m1-max", 1, LlamaCpp);
        QVERIFY(!isWide(apple) && !apple.warnings.has(WarningCode::FamilyWithoutFit));
        QVERIFY(with("llama-3-8b", "apple-m1-max", 1, Vllm).warnings.has(WarningCode::FamilyWithoutFit));
        QVERIFY(isWide(with("llama-3-8b", "v100-sxm2-32gb", 1, Vllm2024)));
        const Evaluation eight = with("deepseek-v3", "h200-sxm-141gb", 8, Sglang);
        QVERIFY(!isWide(eight) && !eight.warnings.has(WarningCode::ReplicaBeyondRuns));
        const Evaluation sixteen = with("deepseek-v3", "h200-sxm-141gb", 16, Sglang);
        QVERIFY(isWide(sixteen) && sixteen.warnings.has(WarningCode::ReplicaBeyondRuns));
    }

    /// Matmuls of 32 bit leave values of four bytes: in memory, in the traffic of small kernels and on every link.
    void wideActivationsTakeFourBytes()
    {
        const auto computing = [](DataType compute) {
            return serving("llama-3-8b", "h100-sxm-80gb", 8, [&](Scenario& s) {
                s.parallelism.tensor = 4;
                s.parallelism.pipeline = 2;
                s.inference.batch = 32;
                s.inference.promptTokens = 4096;
                s.inference.weights = s.inference.kvCache = DataType::Fp32;
                s.inference.compute = compute;
                s.inference.flashAttention = FlashAttention::Off;
            });
        };
        const PreparedScenario half = computing(DataType::Bf16), whole = computing(DataType::Fp32);
        const Machine two = makeMachine(half, false), four = makeMachine(whole, false);
        QCOMPARE(planMemory(whole, four).activations(8), 2 * planMemory(half, two).activations(8));
        const auto links = [](const PreparedScenario& p, const Machine& m) {
            return passCost(m, p, decodeShape(m, 32)).linkS;
        };
        QCOMPARE(links(whole, four), 2 * links(half, two));
        // With the sends between stages.
        QCOMPARE(prefillPass(whole, four, 4).linkS, 2 * prefillPass(half, two, 4).linkS);
        const auto small = [](const PreparedScenario& p, const Machine& m) {
            const std::vector<OperatorCost> rows = passOperators(m, p, decodeShape(m, 32));
            return std::ranges::find(rows, "norms, activation, residual", &OperatorCost::name)->bytes;
        };
        QCOMPARE(small(whole, four), 2 * small(half, two));
    }

    /// A block that several kinds of layers have is timed once for all of them; the rows of the operators are kind by
    /// kind. One attention under two feed-forwards, two attentions over one, both, and mixers that keep states.
    void sharedBlocksAreTimedForAllTheirLayers()
    {
        for (const char* model : {"deepseek-v3", "gpt-oss-120b", "gemma-3-27b", "llama-4-maverick",
                                  "qwen3-next-80b-a3b", "jamba-1.5-large", "deepseek-v3.2", "llama-3-70b"}) {
            const PreparedScenario p = serving(model, "b200-sxm", 8, [](Scenario& s) { s.parallelism.tensor = 8; });
            const Machine m = makeMachine(p, false);
            PassShape shape = decodeShape(m, 48);
            shape.prompts = 0.5;
            shape.length = 700;
            const PassCost pass = passCost(m, p, shape);
            double seconds = 0;
            for (const OperatorCost& row : passOperators(m, p, shape))
                seconds += row.timeS;
            QVERIFY2(std::abs(seconds / pass.total() - 1) < 1e-12, model);
        }
    }

    /// 256 experts on 72 ranks: the fullest holds four, as each does on 64. In bytes kept, bytes read and FLOP.
    void wholeExpertsLieOnADevice()
    {
        const auto on = [](std::int64_t ranks) {
            return serving("deepseek-v3", "gb200", ranks, [ranks](Scenario& s) {
                s.parallelism.tensor = 1;
                s.parallelism.attentionData = s.parallelism.expert = ranks;
                s.inference.batch = 576;
            });
        };
        const PreparedScenario some = on(64), more = on(72);
        const Machine few = makeMachine(some, true), many = makeMachine(more, true);
        const LayerKind& kind = *std::ranges::find(some.model->kinds, true, &LayerKind::hasMoe);
        QCOMPARE(many.sizes.expertsHeld(kind), 4.0);
        QCOMPARE(layerWeightBytes(many, kind, some.model->hidden), layerWeightBytes(few, kind, some.model->hidden));
        const auto experts = [](const PreparedScenario& p, const Machine& m) {
            const std::vector<OperatorCost> rows = passOperators(m, p, decodeShape(m, 576));
            return std::ranges::find(rows, "routed experts", &OperatorCost::name)->flop;
        };
        QVERIFY(std::abs(experts(more, many) / experts(some, few) - 1) < 1e-12);
    }

    /// Eight key/value heads on 16 ranks: each holds one whole, twice its sixteenth.
    void wholeHeadsLieOnADevice()
    {
        const PreparedScenario p =
            serving("llama-3-70b", "h100-sxm-80gb", 16, [](Scenario& s) { s.parallelism.tensor = 16; });
        const Machine m = makeMachine(p, false);
        const LayerKind& kind = p.model->kinds.front();
        const double hidden = p.model->hidden, head = 2 * hidden * 128; // keys and values
        QCOMPARE(layerWeightBytes(m, kind, hidden), 2 * ((kind.mixerWeights + kind.denseWeights) / 16 + head / 2));
    }

    /// The catalogue knows no host link of TPU v7: what a scenario states counts, and no bound is slower than it.
    void theBoundReadsFromTheHostAsFastAsStated()
    {
        PreparedScenario p = serving("llama-3-8b", "tpu-v7", 1, [](Scenario& s) {
            s.inference.hostWeightsGb = 10;
            s.inference.hostLinkGbPerS = 64;
        });
        QCOMPARE(makeMachine(p, false).hostLink, 64e9);
        QCOMPARE(makeMachine(p, true).hostLink, 64e9);
        const double expected = *evaluate(p).tpotS;
        p.efficiency.base = EfficiencyBase::Ideal;
        QVERIFY(*evaluate(p).tpotS <= expected);
    }

    /// vLLM fetches nothing ahead: where everything overlaps, no two layers take the room of sequences.
    void theBoundHoldsAsManySequences()
    {
        const PreparedScenario p = serving("llama-3.1-405b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.pipeline = 8;
            s.inference.weights = DataType::Int8;
            s.inference.software = InferenceSoftware::Vllm2024;
            s.inference.hostWeightsGb = 40;
        });
        QCOMPARE(planMemory(p, makeMachine(p, true)).maxBatch, planMemory(p, makeMachine(p, false)).maxBatch);
    }

    /// Of a prompt that the cache holds whole its last token is computed, against those before it and itself.
    void aCachedPromptIsNotOneKeyLonger()
    {
        const auto ideal = [](std::int64_t cached) {
            PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.promptTokens = 100000;
                s.inference.prefixCachedTokens = cached;
                s.efficiency.base = EfficiencyBase::Ideal;
            });
            p.accounting = Convention::Exact;
            return *evaluate(p).prefill->mfu;
        };
        QCOMPARE(ideal(100000), ideal(99999));
    }

    /// Nine sequences on eight ranks: one of them has two, and the others wait for it.
    void theFullestRankSetsThePace()
    {
        const auto pass = [](std::int64_t batch) {
            const PreparedScenario p = serving("deepseek-v3", "h200-sxm-141gb", 8, [&](Scenario& s) {
                s.parallelism.tensor = 1;
                s.parallelism.attentionData = s.parallelism.expert = 8;
                s.inference.promptTokens = 30000;
            });
            return decodePass(p, makeMachine(p, false), double(batch));
        };
        const auto part = [&](std::int64_t batch, TimePart which) {
            return pass(batch).time[static_cast<std::size_t>(which)];
        };
        QCOMPARE(part(9, TimePart::Attention), part(16, TimePart::Attention));
        QCOMPARE(part(9, TimePart::ExpertParallel), part(16, TimePart::ExpertParallel));
        QVERIFY(part(8, TimePart::Attention) < part(9, TimePart::Attention));
        QVERIFY(part(17, TimePart::Attention) > part(16, TimePart::Attention));
        // All nine meet in the experts, not sixteen.
        QVERIFY(part(8, TimePart::Experts) < part(9, TimePart::Experts));
        QVERIFY(part(9, TimePart::Experts) < part(16, TimePart::Experts));
    }

    /// Norms of queries and keys, latent attention and biased routing start kernels; an indexer starts many.
    void smallKernelsCount()
    {
        const Calibration calibration = *Calibration::builtIn();
        const double start = calibration.inference.smallKernels.startS,
                     many = calibration.inference.smallKernels.indexerS;
        QVERIFY(start > 0 && many > 10 * start);
        const auto fixed = [](const char* model, double small, double indexer) {
            PreparedScenario p = serving(model, "b200-sxm", 8);
            auto changed = std::make_shared<Calibration>(*p.calibration);
            changed->inference.smallKernels = {small, indexer};
            p.calibration = changed;
            return decodePass(p, makeMachine(p, false), 1).fixedS;
        };
        const auto added = [&](const char* model) { return (fixed(model, start, 0) - fixed(model, 0, 0)) / start; };
        QVERIFY(std::abs(added("qwen3-32b") - 64 * 2) < 1e-6);
        QVERIFY(std::abs(added("llama-3-70b")) < 1e-6);
        QVERIFY(std::abs(added("deepseek-r1") - (61 * 4 + 58 * 2)) < 1e-6);
        QVERIFY(std::abs((fixed("glm-5", 0, many) - fixed("glm-5", 0, 0)) / many - 78) < 1e-6);
        QVERIFY(std::abs(fixed("deepseek-r1", 0, many) - fixed("deepseek-r1", 0, 0)) < 1e-12);
    }
};
HEADROOM_TEST(TestInferenceTerms)

} // namespace headroom::test_inference_terms
#include "test_inference_terms.moc"
