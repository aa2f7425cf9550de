// SPDX-License-Identifier: GPL-3.0-or-later
// What the program chooses, it says: why fewer sequences decode together, what is computed again, what has no effect.
#include "core/explain/result_notes.hpp"
#include "core/predict/key_effects.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <tuple>

namespace headroom::test_said_choices
{

using test::serving;

class TestSaidChoices : public QObject
{
    Q_OBJECT

    static bool has(const Evaluation& e, WarningCode code) { return e.warnings.has(code); }
    static Evaluation engine(const std::function<void(InferenceWorkload&)>& change)
    {
        return evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
            s.inference.software = InferenceSoftware::Vllm;
            s.inference.promptTokens = 1024;
            s.inference.outputTokens = 256;
            change(s.inference);
        }));
    }

    /// Two classes with the mean lengths of the workload.
    static void takeMix(PreparedScenario& p)
    {
        InferenceWorkload& w = p.inference;
        RequestClass shorter, longer;
        shorter.share = longer.share = 0.5;
        shorter.promptTokens = longer.promptTokens = w.promptTokens;
        shorter.outputTokens = w.outputTokens / 2;
        longer.outputTokens = w.outputTokens + w.outputTokens / 2;
        w.mix = RequestMix{{shorter, longer}, 2};
    }

private slots:
    /// Memory holds 356 sequences; a pass of 300 tokens takes 60.8 in the mean, five tokens each.
    void whatCutsTheBatchIsNamed()
    {
        const Evaluation pass = engine([](InferenceWorkload& w) {
            w.batch = 256;
            w.maxTokensPerPass = 300;
        });
        QVERIFY(has(pass, WarningCode::BatchLimitedByPass) && !has(pass, WarningCode::BatchLimitedByMemory));
        QCOMPARE(pass.batch, 1 + 255 * 300 / 1279.0);
        const Evaluation most = engine([](InferenceWorkload& w) {
            w.batchMax = true;
            w.maxTokensPerPass = 300;
        });
        QVERIFY(has(most, WarningCode::BatchLimitedByPass));
        const Evaluation memory = engine([](InferenceWorkload& w) { w.batch = 2000; });
        QVERIFY(has(memory, WarningCode::BatchLimitedByMemory) && !has(memory, WarningCode::BatchLimitedByPass));
        const Evaluation asked = engine([](InferenceWorkload& w) { w.batch = 64; });
        for (const WarningCode code :
             {WarningCode::BatchLimitedByPass, WarningCode::BatchLimitedByMemory, WarningCode::BatchAtMost})
            QVERIFY(!has(asked, code));
    }

    void maxIsNotEndless()
    {
        const auto small = [](bool max) {
            return evaluate(serving("llama-3.2-1b", "h200-sxm-141gb", 1, [max](Scenario& s) {
                s.inference.promptTokens = 100;
                s.inference.outputTokens = 100;
                s.inference.batch = 4000;
                s.inference.batchMax = max;
            }));
        };
        QVERIFY(has(small(true), WarningCode::BatchAtMost));
        QVERIFY(small(true).batch < 4000 && !has(small(false), WarningCode::BatchAtMost));
        QVERIFY(!has(engine([](InferenceWorkload& w) { w.batchMax = true; }), WarningCode::BatchAtMost));
    }

    /// Latents that are projected again save memory and cost time.
    void whatIsComputedAgainIsSaid()
    {
        const auto deepseek = [](const char* accelerator) {
            return evaluate(serving("deepseek-v2", accelerator, 256, [](Scenario& s) {
                s.task = Task::Training;
                s.parallelism = {};
                s.parallelism.pipeline = 8;
                s.parallelism.expert = 32;
                s.parallelism.sharding = Sharding::Zero1;
                s.training.globalBatch = 256;
                s.training.checkpointing = Checkpointing::Unknown;
                s.training.gradients = Gradients::Bf16;
                s.training.software = TrainingSoftware::Megatron;
            }));
        };
        QVERIFY(has(deepseek("h100-sxm-80gb"), WarningCode::ProjectsAgain));
        QVERIFY(!has(deepseek("h200-sxm-141gb"), WarningCode::ProjectsAgain));
    }

    /// A stack was said to save what it cannot.
    void aStackSavesWhatItCan()
    {
        const auto saves = [](const char* what, TrainingSoftware software, DataType precision, Method method) {
            const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [&](Scenario& s) {
                s.task = Task::Training;
                s.parallelism = {};
                s.parallelism.sharding = Sharding::Zero1;
                s.training.software = software;
                s.training.precision = precision;
                s.training.method = method;
            });
            return warningText(WarningCode::SavesMemory, 0.5, p)
                .ends_with("of what it can (" + std::string(what) + ").");
        };
        using enum TrainingSoftware;
        QVERIFY(saves("16-bit gradients", Megatron, DataType::Bf16, Method::Full));
        QVERIFY(saves("16-bit gradients, 8-bit stores", Megatron, DataType::Fp8, Method::Full));
        QVERIFY(saves("8-bit stores", Megatron, DataType::Fp8, Method::Lora));
        QVERIFY(saves("the loss in pieces", TorchFsdp, DataType::Bf16, Method::Full));
    }

    /// 36 layers in 16 pieces: four have three layers, and each stage has one of them.
    void unevenPiecesMayMakeEvenStages()
    {
        const auto text = [](std::int64_t pipeline, std::int64_t chunks) {
            const PreparedScenario p = serving("mimo-7b", "h100-sxm-80gb", 16 * pipeline, [&](Scenario& s) {
                s.task = Task::Training;
                s.parallelism = {};
                s.parallelism.pipeline = pipeline;
                s.parallelism.virtualPipeline = chunks;
            });
            return evaluate(p).warnings.has(WarningCode::LayersNotDivisible)
                       ? warningText(WarningCode::LayersNotDivisible, 0, p)
                       : std::string();
        };
        QCOMPARE(text(4, 4), std::string("36 layers do not divide into 16 pipeline pieces: some pieces hold one layer "
                                         "more than others, and stages as many."));
        QVERIFY(text(8, 1).find("some stages hold") != std::string::npos);
        QCOMPARE(text(4, 3), std::string());
    }

    void chunksOfOneStageAreNone()
    {
        PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism = {};
        });
        QVERIFY(!hasKeyWithoutEffect(p));
        p.parallelism.virtualPipeline = 4;
        QVERIFY(hasKeyWithoutEffect(p));
        p.parallelism.pipeline = 2;
        QVERIFY(!hasKeyWithoutEffect(p));
    }

    /// Only 16-bit weights have copies of 32 bits, and gradients to choose.
    void statesOf32BitsAreNoChoice()
    {
        PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism = {};
            s.training.gradients = Gradients::Bf16;
        });
        QVERIFY(!hasKeyWithoutEffect(p));
        for (const auto change : {+[](TrainingWorkload& w) { w.method = Method::Lora; },
                                  +[](TrainingWorkload& w) { w.precision = DataType::Fp32; },
                                  +[](TrainingWorkload& w) { w.precision = DataType::Tf32; }}) {
            PreparedScenario other = p;
            change(other.training);
            QVERIFY(hasKeyWithoutEffect(other));
            const double bytes = evaluate(other).usedBytes;
            other.training.gradients.reset();
            QVERIFY(!hasKeyWithoutEffect(other));
            QCOMPARE(evaluate(other).usedBytes, bytes);
        }
    }

    /// Training was warned of them, serving was not.
    void spotServingIsInterruptedToo()
    {
        PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario&) {});
        p.hardware.priceKind = PriceKind::Spot;
        const auto warned = [&p] {
            return keysWithoutEffectText(p).find("that is not counted in serving") != std::string::npos;
        };
        QVERIFY(!warned()); // nobody says that they are taken back
        p.hardware.spotMtbfHours = 100;
        QVERIFY(warned());
    }

    /// Said to have no effect while memory or step changed with them.
    void whatChangesTheResultIsNotCalledIdle()
    {
        const auto training = [](const char* model, std::int64_t gpus) {
            return serving(model, "h100-sxm-80gb", gpus, [](Scenario& s) {
                s.task = Task::Training;
                s.parallelism = {};
            });
        };
        const auto differs = [](PreparedScenario with, const PreparedScenario& without) {
            const Evaluation a = evaluate(with), b = evaluate(without);
            return a.usedBytes != b.usedBytes || *a.stepTimeS != *b.stepTimeS;
        };
        for (const std::int64_t gpus : {1, 8})
            for (const Offload offload : {Offload::None, Offload::Optimizer})
                for (const bool inBackward : {false, true})
                    for (const auto& [sharding, stack] : {std::pair(Sharding::Zero1, TrainingSoftware::Tuned),
                                                          std::pair(Sharding::Zero2, TrainingSoftware::Tuned),
                                                          std::pair(Sharding::Fsdp, TrainingSoftware::Tuned),
                                                          std::pair(Sharding::Zero1, TrainingSoftware::TorchFsdp),
                                                          std::pair(Sharding::Zero2, TrainingSoftware::TorchFsdp),
                                                          std::pair(Sharding::Fsdp, TrainingSoftware::TorchFsdp)}) {
                        PreparedScenario p = training("llama-3-8b", gpus);
                        p.training.software = stack;
                        p.parallelism.tensor = gpus;
                        p.training.offload = offload;
                        if (inBackward)
                            p.training.optimizerInBackward = true;
                        p.parallelism.sharding = Sharding::None;
                        const PreparedScenario without = p;
                        p.parallelism.sharding = sharding;
                        const bool said = keysWithoutEffectText(p).find("sharding = ") != std::string::npos;
                        QVERIFY(!(said && differs(p, without)));
                        if (gpus == 1 && offload == Offload::None && !inBackward)
                            QVERIFY(said);
                    }
        PreparedScenario p = training("mixtral-8x7b", 8);
        const PreparedScenario without = p;
        p.training.fusedDispatch = true;
        QVERIFY(differs(p, without));
        QVERIFY(keysWithoutEffectText(p).empty());
        p.training.overlapExpert = 0.5;
        QVERIFY(keysWithoutEffectText(p).find("overlap.expert has no effect: all experts") == 0);
    }

    void draftsThatNobodyTakesAreSaid()
    {
        const auto draft = [](const char* model) {
            return serving("qwen2.5-72b", "h100-sxm-80gb", 8, [model](Scenario& s) {
                s.parallelism.tensor = 8;
                s.inference.drafting = Drafting::Draft;
                s.inference.draftModel = CatalogId::from(model);
            });
        };
        PreparedScenario p = draft("qwen2.5-0.5b"); // one tokenizer, padded otherwise
        QVERIFY(keysWithoutEffectText(p).empty());
        QVERIFY(keysWithoutEffectText(draft("llama-3.2-1b")).find("128,256 tokens, that of Qwen2.5 72B has 152,064") !=
                std::string::npos);
        p.inference.drafting = Drafting::Eagle;
        p.inference.draftModel.reset();
        p.inference.draftTokens = 2;
        p.inference.acceptance = Acceptance{{0.8, 0.7, 0.6}, 3};
        QVERIFY(keysWithoutEffectText(p).find("acceptance states 3 positions, and 2 are drafted") == 0);
        p.inference.draftTokens = 3;
        QVERIFY(keysWithoutEffectText(p).empty());
        QVERIFY(!evaluate(p).warnings.has(WarningCode::AcceptanceAssumed));
        p.inference.acceptance.reset();
        QVERIFY(evaluate(p).warnings.has(WarningCode::AcceptanceAssumed));
        p.inference.outputTokens = 1; // nothing is drafted
        QVERIFY(!evaluate(p).warnings.has(WarningCode::AcceptanceAssumed));
    }

    /// Each changed nothing and was passed over.
    void whatChangesNothingIsNamed()
    {
        using Change = void (*)(PreparedScenario&);
        const Change asItIs = [](PreparedScenario&) {};
        const Change oneGpu = [](PreparedScenario& p) { p.hardware.count = 1; };
        const Change mamba = [](PreparedScenario& p) { p.model = serving("mamba-2-2.7b", "a100-sxm-80gb", 1).model; };
        const Change atLight = [](PreparedScenario& p) { p.efficiency.base = EfficiencyBase::Ideal; };
        const std::tuple<Task, const char*, Change, Change> rows[] = {
            {Task::Inference, "sharding has", asItIs, [](auto& p) { p.parallelism.sharding = Sharding::Zero1; }},
            {Task::Inference, "sequence_parallel has", asItIs, [](auto& p) { p.parallelism.sequenceParallel = true; }},
            {Task::Inference, "host_memory_gb has", asItIs, [](auto& p) { p.hardware.hostMemoryGb = 64; }},
            {Task::Training, "host_memory_gb has", asItIs, [](auto& p) { p.hardware.hostMemoryGb = 64; }},
            {Task::Inference, "spot_mtbf_hours has", asItIs, [](auto& p) { p.hardware.spotMtbfHours = 5; }},
            {Task::Inference, "The keys of 'speculative'", asItIs, [](auto& p) { p.inference.acceptanceDecay = 0.5; }},
            {Task::Inference, "The version of flash_attention", asItIs,
             [](auto& p) { p.inference.flashAttention = FlashAttention::V3; }},
            {Task::Inference, "The version of the software has", asItIs,
             [](auto& p) { p.inference.softwareVersion = SoftwareVersion::from("0.9"); }},
            {Task::Inference, "arrival and admission_wait", atLight, [](auto& p) { p.inference.admissionWait = 5; }},
            {Task::Inference, "A 50th percentile", [](auto& p) { p.inference.promptTokensCv = 0.5; },
             [](auto& p) { p.inference.promptTokensP50 = 100; }},
            {Task::Inference, "Percentiles of the answers", [](auto& p) { takeMix(p); },
             [](auto& p) { p.inference.outputTokensP50 = 100; }},
            {Task::Inference, "host_memory.gb_per_s counts as 31.5: ",
             [](auto& p) {
                 p.inference.hostWeightsGb = 1;
                 p.inference.hostLinkGbPerS = p.accelerator->hostLinkGbPerS;
             },
             [](auto& p) { p.inference.hostLinkGbPerS = 1000; }},
            {Task::Training, "flash_attention = 1 counts", asItIs,
             [](auto& p) { p.training.flashAttention = FlashAttention::V1; }},
            {Task::Training, "flash_attention has no effect: Mamba", mamba,
             [](auto& p) { p.training.flashAttention = FlashAttention::Off; }},
            {Task::Training, "flash_attention has no effect: Mamba", mamba,
             [](auto& p) { p.training.flashAttention = FlashAttention::V3; }},
            {Task::Training, "checkpointing has", mamba,
             [](auto& p) { p.training.checkpointing = Checkpointing::AttentionOnly; }},
            {Task::Training, "overlap.expert and", asItIs, [](auto& p) { p.training.overlapExpert = 0.5; }},
            {Task::Training, "overlap.expert and", asItIs, [](auto& p) { p.training.fusedDispatch = true; }},
            {Task::Training, "overlap.tensor has", asItIs, [](auto& p) { p.training.overlapTensor = 0; }},
            {Task::Training, "multi_token_prediction has", asItIs,
             [](auto& p) { p.training.multiTokenPrediction = true; }},
            {Task::Training, "overlap.data_parallel has", oneGpu, [](auto& p) { p.training.overlapDataParallel = 0; }},
            {Task::Training, "Stated overlaps have", atLight, [](auto& p) { p.training.overlapDataParallel = 0; }},
            {Task::Training, "sequence_parallel has", asItIs, [](auto& p) { p.parallelism.sequenceParallel = true; }},
            {Task::Training, "sharding = zero1 has", oneGpu, [](auto& p) { p.parallelism.sharding = Sharding::Zero1; }},
            {Task::Training, "packed_sample_tokens = 9,000 counts as 4,096", asItIs,
             [](auto& p) { p.training.packedSampleTokens = 9000; }},
            {Task::Training, "The version of the software has", asItIs,
             [](auto& p) { p.training.softwareVersion = SoftwareVersion::from("2.5"); }},
        };
        for (const auto& [task, text, base, change] : rows) {
            const Task t = task;
            PreparedScenario p = serving("llama-3-8b", "a100-sxm-80gb", 8, [t](Scenario& s) {
                s.task = t;
                if (t == Task::Training)
                    s.parallelism = {};
            });
            base(p);
            Evaluation before = evaluate(p);
            QVERIFY2(keysWithoutEffectText(p).empty(), text);
            change(p);
            Evaluation after = evaluate(p);
            QVERIFY2(has(after, WarningCode::KeyWithoutEffect), text);
            QVERIFY2(keysWithoutEffectText(p).starts_with(text), keysWithoutEffectText(p).c_str());
            after.warnings = before.warnings;
            QVERIFY2(after == before, text);
        }
        PreparedScenario later =
            serving("llama-3-8b", "a100-sxm-80gb", 8, [](Scenario& s) { s.task = Task::Training; });
        later.training.flashAttention = FlashAttention::V3;
        QVERIFY(keysWithoutEffectText(later).find("is for Hopper, and the A100") != std::string::npos);
        // What would be taken without it acts: FSDP's gradients leave for the host.
        PreparedScenario offloads = serving("llama-3.2-1b", "a100-sxm-80gb", 2, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism = {};
            s.parallelism.tensor = 2;
            s.parallelism.sharding = Sharding::Zero1;
        });
        QVERIFY(keysWithoutEffectText(offloads).starts_with("sharding = zero1 has no effect"));
        offloads.training.offload = Offload::Optimizer;
        const double zero = evaluate(offloads).usedBytes;
        QVERIFY(keysWithoutEffectText(offloads).empty());
        offloads.parallelism.sharding.reset();
        QVERIFY(evaluate(offloads).usedBytes < zero);
        PreparedScenario answers = serving("llama-3-8b", "a100-sxm-80gb", 8, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism = {};
            s.training.rl.prompts = 64;
        });
        const double step = evaluate(answers).rl->stepS;
        QVERIFY(keysWithoutEffectText(answers).empty());
        answers.training.packedSampleTokens = 512;
        QVERIFY(keysWithoutEffectText(answers).starts_with("packed_sample_tokens changes no step"));
        QCOMPARE(evaluate(answers).rl->stepS, step);
        PreparedScenario burst = serving("llama-3-8b", "a100-sxm-80gb", 1);
        burst.inference.arrival = Arrival::Burst;
        QVERIFY(keysWithoutEffectText(burst).empty());
        burst.inference.requestsPerS = 0.1;
        QVERIFY(keysWithoutEffectText(burst).starts_with("arrival has no effect beside requests_per_s"));
    }

    /// GPT-3 has no gate: a step with adapters of it alone was predicted, and trained nothing.
    void adaptersOfNothingAreRefused()
    {
        PreparedScenario p = serving("gpt-3-small", "h100-sxm-80gb", 1, [](Scenario& s) { s.task = Task::Training; });
        p.training.method = Method::Lora;
        p.training.loraTargets.bits = LoraTargets::Gate | LoraTargets::Up;
        QVERIFY(checkSetup(p).empty());
        p.training.loraTargets.bits = LoraTargets::Gate;
        QCOMPARE(checkSetup(p).front().path, std::string("/workload/lora/targets"));
        p.training.method = Method::Full;
        QVERIFY(checkSetup(p).empty());
    }

    void ranksOfAContextHoldTokens()
    {
        PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.task = Task::Training;
            s.training.sequenceLength = 4;
        });
        p.parallelism.tensor = 1;
        p.parallelism.context = 4;
        QVERIFY(checkSetup(p).empty());
        p.parallelism.context = 8;
        QCOMPARE(checkSetup(p).front().path, std::string("/parallelism/context"));
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestSaidChoices)

} // namespace headroom::test_said_choices
#include "test_said_choices.moc"
