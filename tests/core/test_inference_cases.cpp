// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of the inference predictor that can be worked out by hand.
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <array>
#include <cmath>

namespace headroom::test_inference_cases
{

using namespace inference;
using test::serving;

class TestInferenceCases : public QObject
{
    Q_OBJECT
private slots:
    void distinctExpertsOfMixtral()
    {
        constexpr std::array<std::pair<double, double>, 5> expected{
            {{1, 2.00}, {2, 3.50}, {4, 5.47}, {8, 7.20}, {16, 7.92}}};
        const auto met = [](double experts, double topK, double tokens) {
            return distinctExperts(experts, expertMissLog(experts, topK), tokens);
        };
        for (const auto& [tokens, experts] : expected)
            QVERIFY(std::abs(met(8, 2, tokens) - experts) < 0.005);
        QVERIFY(std::abs(met(256, 8, 32) - 163) < 0.5); // DeepSeek-V3
        QCOMPARE(met(8, 8, 1), 8.0);
        QVERIFY(std::abs(met(1e6, 1, 1) - 1) < 1e-9); // no cancellation
    }

    /// Llama 2 7B, 1.2 times as slow as predicted, published by the weights alone: the same MBU as its time gives.
    void aShareOfTheBandwidthIsATimeWhereItsCountIsKnown()
    {
        PreparedScenario p = serving("llama-2-7b", "a100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.batch = 16;
            s.inference.promptTokens = 2000;
        });
        const Evaluation predicted = evaluate(p);
        const double time = 1.2 * *predicted.tpotS;
        p.measured.tpotS = time;
        const double observed = *evaluate(p).observed->mbu;
        QVERIFY(std::abs(observed - *predicted.mbu / 1.2) < 1e-12);
        p.measured = {};
        p.measured.mbu = 2 * (p.model->parameters.total - p.model->embeddingParameters) / time / 2039e9;
        QCOMPARE(*evaluate(p).observed->mbu, *p.measured.mbu); // of a count that nobody states: as published
        p.measured.bandwidthCount = BandwidthCount::Weights;
        const Evaluation counted = evaluate(p);
        QVERIFY(std::abs(*counted.observed->mbu / observed - 1) < 1e-3);
        QVERIFY(std::abs(*counted.observed->stepTimeS / time - 1) < 1e-3);
        p.measured.achievedBandwidthGbPerS = *p.measured.mbu * 2039;
        p.measured.mbu.reset();
        QVERIFY(std::abs(*evaluate(p).observed->stepTimeS / time - 1) < 1e-3);
    }

    void cacheSizes()
    {
        const auto bytes = [](const char* model, double tokens, double tensor = 1) {
            return sequenceCacheBytes(*serving(model, "h100-sxm-80gb", 1).model, tokens, {2, 1}, tensor);
        };
        QCOMPARE(bytes("llama-2-7b", 2048), 1073741824.0);                   // 1 GiB
        QCOMPARE(bytes("llama-3-8b", 8192), 2.0 * 8192 * 8 * 128 * 2 * 32);  // 1.07 GB
        QCOMPARE(bytes("llama-3-70b", 8192), 2.0 * 8192 * 8 * 128 * 2 * 80); // 2.68 GB
        // Key/value heads are never split below one a device; a latent cache is not split at all.
        QCOMPARE(bytes("llama-3-70b", 8192, 8), bytes("llama-3-70b", 8192) / 8);
        QCOMPARE(bytes("llama-3-70b", 8192, 16), bytes("llama-3-70b", 8192, 8));
        QCOMPARE(bytes("deepseek-v3", 1000, 8), bytes("deepseek-v3", 1000));
        QCOMPARE(bytes("deepseek-v3", 1000), 1000.0 * 61 * 576 * 2);
        // Gemma 3 27B: 10 full layers, 52 with a window of 1024.
        QCOMPARE(bytes("gemma-3-27b", 8192), 2.0 * 16 * 128 * 2 * (10 * 8192.0 + 52 * 1024));
    }

    /// vLLM on a 24 GB RTX 4090 with Llama 3.1 8B reports 41,408 cache tokens; the design's own figure is 40,334.
    void cacheTokensThatVllmReports()
    {
        const PreparedScenario p = serving("llama-3.1-8b", "rtx-4090", 1, [](Scenario& s) {
            s.inference.batch = 256;
            s.inference.promptTokens = 858;
            s.inference.outputTokens = 652;
        });
        const MemoryPlan plan = planMemory(p, makeMachine(p, false));
        const StageNeed& stage = plan.fullest(256);
        const double perToken = stage.cachePerSequence / (858 + 652);
        const double tokens = plan.freeShare * (plan.capacity - plan.fixedNeed(stage, 256)) / perToken;
        QVERIFY(std::abs(tokens / 41408 - 1) < 0.03);
    }

    /// Mixtral at batch 16 reads 7.92 of 8 experts: 13.9 ms of weights on two H100 in 16 bit (less what the input
    /// embedding has in it), never the 4.8 ms that the active parameters alone would give.
    void mixtralReadsAlmostAllExperts()
    {
        const PreparedScenario p = serving("mixtral-8x7b", "h100-sxm-80gb", 2, [](Scenario& s) {
            s.inference.batch = 16;
            s.inference.promptTokens = 1024;
            s.efficiency.base = EfficiencyBase::Ideal;
        });
        const Evaluation r = evaluate(p);
        QVERIFY2(*r.tpotS >= 13.9e-3 * 7.92 / 8, qPrintable(QString::number(*r.tpotS)));
        QVERIFY(*r.tpotS < 16e-3);
    }

    void llama2InInt8OnTwoAndOneH100()
    {
        const auto change = [](Scenario& s) {
            s.inference.weights = DataType::Int8;
            s.inference.batch = 1;
            s.inference.promptTokens = 128;
            s.inference.outputTokens = 128;
            s.measured.tpotS = 0.030;
        };
        const Evaluation two = evaluate(serving("llama-2-70b", "h100-sxm-80gb", 2, change));
        const double moved = 2 * two.bytesMoved / 0.030;
        QVERIFY2(moved > 2.1e12 && moved < 2.35e12, qPrintable(QString::number(moved)));
        QVERIFY(*two.observed->mbu > 0.31 && *two.observed->mbu < 0.35);
        const Evaluation one = evaluate(serving("llama-2-70b", "h100-sxm-80gb", 1, change));
        QVERIFY(one.fits);
        const Evaluation eight = evaluate(serving("llama-2-70b", "h100-sxm-80gb", 1, [&](Scenario& s) {
            change(s);
            s.inference.batch = 8;
            s.inference.promptTokens = 3584;
            s.inference.outputTokens = 512;
        }));
        QVERIFY(!eight.fits);
        QVERIFY(eight.warnings.has(WarningCode::DoesNotFit));
    }

    /// The ridge of an H100 lies at 295 FLOP a byte: with 2-byte weights and little cache, at 295 sequences.
    void decodeCrossesTheRidgeNearThreeHundred()
    {
        const auto at = [](std::int64_t batch, EfficiencyBase base) {
            return evaluate(serving("llama-2-70b", "h100-sxm-80gb", 8, [&](Scenario& s) {
                s.inference.batch = batch;
                s.inference.promptTokens = 1;
                s.inference.outputTokens = 1;
                s.efficiency.base = base;
            }));
        };
        QVERIFY(std::abs(at(1, EfficiencyBase::Ideal).ridgeFlopPerByte - 295.3) < 0.1);
        QCOMPARE(at(256, EfficiencyBase::Ideal).boundBy, BoundBy::MemoryBandwidth);
        QCOMPARE(at(330, EfficiencyBase::Ideal).boundBy, BoundBy::Compute);
        // As engines sustain it, activations move too and shift the crossing up.
        QVERIFY(at(224, EfficiencyBase::Expected).boundBy != BoundBy::Compute);
        QCOMPARE(at(512, EfficiencyBase::Expected).boundBy, BoundBy::Compute);
        double mfu = 0, mbu = 2;
        for (std::int64_t batch = 1; batch <= 256; batch *= 2) {
            const Evaluation r = evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.batch = batch;
                s.inference.promptTokens = 128;
                s.inference.outputTokens = 16;
                s.inference.scheduling = Scheduling::Static;
            }));
            QVERIFY2(*r.mfu > mfu && *r.mbu < mbu, qPrintable(QString::number(batch)));
            mfu = *r.mfu;
            mbu = *r.mbu;
        }
    }

    /// Weights at bytes over bandwidth: the plainest case of the bound.
    void idealDecodeIsBytesOverBandwidth()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.promptTokens = 1000;
            s.inference.outputTokens = 8;
            s.efficiency.base = EfficiencyBase::Ideal;
        });
        const double weights = 2 * (8030261248.0 - 128256.0 * 4096 - 65.0 * 4096); // no embedding, no norms
        const double cache = 1004.0 * 2 * 8 * 128 * 2 * 32;
        const double least = (weights + cache) / 3350e9;
        QVERIFY2(std::abs(*evaluate(p).tpotS / least - 1) < 1e-3, qPrintable(QString::number(*evaluate(p).tpotS)));
        QVERIFY(std::abs(evaluate(p).bytesMoved / (weights + cache) - 1) < 1e-9);
    }

    /// gpt-fast's Llama 2 7B row: 104.9 tokens/s and 1397.31 GB/s, the input embedding and an allocated cache counted
    /// or not by version of its table; without both the layers and the head make 1386 GB/s.
    void bandwidthColumnOfGptFast()
    {
        const Evaluation r = evaluate(serving("llama-2-7b", "a100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.software = InferenceSoftware::GptFast;
            s.inference.scheduling = Scheduling::Static;
            s.inference.promptTokens = 5;
            s.inference.outputTokens = 200;
            s.measured.tpotS = 0.009532888;
            s.measured.bandwidthCount = BandwidthCount::WeightsAndCache;
        }));
        QVERIFY2(std::abs(*r.observed->achievedBandwidthGbPerS / 1397.31 - 1) < 0.01,
                 qPrintable(QString::number(*r.observed->achievedBandwidthGbPerS)));
    }

    /// Its tables mix three counts; an unstated one is the one that comes nearest, and is named. Rows of its README.
    void countsThatGptFastUsed()
    {
        struct Row {
            const char *model, *count;
            std::int64_t tensor;
            DataType weights;
            double tpotS, gigabytesPerS;
        };
        for (const Row& row :
             std::initializer_list<Row>{{"llama-2-7b", "weights_and_cache", 1, DataType::Bf16, 0.009532888, 1397.31},
                                        {"llama-2-7b", "weights_and_embedding", 4, DataType::Bf16, 0.003936698, 955.83},
                                        {"llama-3.1-8b", "weights", 4, DataType::Bf16, 0.00460384, 986.32},
                                        {"llama-3.1-70b", "weights", 1, DataType::Int8, 0.05543237, 1253.78}}) {
            const PreparedScenario p = serving(row.model, "a100-sxm-80gb", row.tensor, [&](Scenario& s) {
                s.inference.software = InferenceSoftware::GptFast;
                s.inference.scheduling = Scheduling::Static;
                s.inference.promptTokens = 5;
                s.inference.outputTokens = 200;
                s.inference.weights = row.weights;
                s.inference.compute = DataType::Bf16;
                s.measured.tpotS = row.tpotS;
                s.measured.achievedBandwidthGbPerS = row.gigabytesPerS;
            });
            QCOMPARE(publishedCount(makeMachine(p, false), p, 1, row.tpotS).name, std::string_view(row.count));
            QVERIFY(std::abs(*evaluate(p).observed->achievedBandwidthGbPerS / row.gigabytesPerS - 1) < 0.005);
        }
    }

    /// llama.cpp's kernels of batch 1 keep so many loads in flight as the device has units and clocks for: an A100's
    /// HBM gives more than they ask for, a card's memory does not.
    void loadsInFlightLimitLlamaCpp()
    {
        const auto perByte = [](const char* accelerator, InferenceSoftware software, double* bandwidth) {
            const PreparedScenario p =
                serving("llama-3-8b", accelerator, 1, [&](Scenario& s) { s.inference.software = software; });
            *bandwidth = p.accelerator->memoryBandwidth();
            return makeMachine(p, false).dense.rate.perByte;
        };
        double hbm = 0, card = 0;
        const double a100 = perByte("a100-sxm-80gb", InferenceSoftware::LlamaCpp, &hbm);
        const double limit = Calibration::builtIn()
                                 ->inference.engines[static_cast<std::size_t>(InferenceSoftware::LlamaCpp)]
                                 .bytesPerClock *
                             108 * 1410e6;
        QVERIFY(std::abs(a100 * limit - 1) < 1e-9);
        QVERIFY(limit < 0.7 * hbm && perByte("a100-sxm-80gb", InferenceSoftware::Vllm, &hbm) < 0.8 * a100);
        const double gddr = perByte("rtx-3090", InferenceSoftware::LlamaCpp, &card);
        QVERIFY(gddr == perByte("rtx-3090", InferenceSoftware::Vllm, &card));
    }

    /// A pass with prompts is launched kernel by kernel: a short prompt on many devices costs the host's time, a long
    /// one its own.
    void promptsCostAtLeastTheirLaunches()
    {
        const auto prefill = [](std::int64_t prompt, double host) {
            return evaluate(serving("llama-3.1-8b", "h100-sxm-80gb", 8,
                                    [&](Scenario& s) {
                                        s.inference.software = InferenceSoftware::TrtLlm;
                                        s.inference.batch = 64;
                                        s.inference.promptTokens = prompt;
                                        s.efficiency.host = host;
                                    }))
                .prefill->timeS;
        };
        const double launch = Calibration::builtIn()
                                  ->inference
                                  .profiles[static_cast<std::size_t>(InferenceSoftware::TrtLlm)]
                                           [static_cast<std::size_t>(VendorGroup::Nvidia)]
                                  .promptLaunchS;
        QVERIFY(launch > 0);
        QVERIFY(std::abs(prefill(16, 1) / (32 * launch) - 1) < 1e-9);
        QVERIFY(std::abs(prefill(16, 0.5) / (32 * launch) - 0.5) < 1e-9);
        QVERIFY(prefill(32768, 1) > 64 * launch && prefill(32768, 1) == prefill(32768, 0.5));
    }

    void fourBitMixturesKeepAttentionInSixteenBit()
    {
        const auto projection = [](const char* model, DataType weights = DataType::Fp4) {
            return makeMachine(serving(model, "b200-sxm", 1, [&](Scenario& s) { s.inference.weights = weights; }),
                               false);
        };
        QCOMPARE(projection("mixtral-8x7b").projection.bytes, 2.0);
        QCOMPARE(projection("mixtral-8x7b").routed.bytes, 0.5625);
        QCOMPARE(projection("llama-3-70b").projection.bytes, 0.5625);
        QCOMPARE(projection("llama-3-70b").head.bytes, 2.0);
        // GPTQ and AWQ quantise attention, too; Kimi's own checkpoint does not.
        QVERIFY(projection("qwen3-30b-a3b", DataType::Int4).projection.bytes < 0.6);
        QCOMPARE(projection("kimi-k2", DataType::Int4).projection.bytes, 2.0);
    }

    void nativeFollowsTheCheckpoint()
    {
        const auto weights = [](const char* model, const char* accelerator) {
            const PreparedScenario p =
                serving(model, accelerator, 1, [](Scenario& s) { s.inference.weights = DataType::Native; });
            return resolvePrecisions(p.inference, p.model->architecture, *p.accelerator, {});
        };
        QCOMPARE(weights("deepseek-r1", "h100-sxm-80gb").weights, DataType::Fp8);
        QVERIFY(weights("deepseek-r1", "h100-sxm-80gb").blockScales);
        QCOMPARE(weights("gpt-oss-120b", "h100-sxm-80gb").weights, DataType::Mxfp4);
        QCOMPARE(weights("gpt-oss-120b", "h100-sxm-80gb").compute, DataType::Bf16);
        QCOMPARE(weights("llama-3-8b", "h100-sxm-80gb").weights, DataType::Bf16);
        QCOMPARE(weights("deepseek-r1", "a100-sxm-80gb").compute, DataType::Bf16); // no fp8 there
    }

    void anEngineWithoutFitIsTunedAndSaysSo()
    {
        const auto with = [](InferenceSoftware software) {
            return evaluate(
                serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) { s.inference.software = software; }));
        };
        const Evaluation tgi = with(InferenceSoftware::Tgi), tuned = with(InferenceSoftware::Tuned);
        QVERIFY(tgi.warnings.has(WarningCode::SoftwareWithoutFit));
        QVERIFY(!tuned.warnings.has(WarningCode::SoftwareWithoutFit));
        QVERIFY(!with(InferenceSoftware::Vllm).warnings.has(WarningCode::SoftwareWithoutFit));
        QCOMPARE(*tgi.tpotS, *tuned.tpotS);
        const auto& llama = Calibration::builtIn()->inference.profiles[std::size_t(InferenceSoftware::LlamaCpp)];
        QCOMPARE(llama[std::size_t(VendorGroup::Amd)].prefill, llama[std::size_t(VendorGroup::Nvidia)].prefill);
    }

    void allReduceTableAndWhatLiesBetween()
    {
        const PreparedScenario p = serving("llama-3-70b", "h100-sxm-80gb", 8);
        WarningSet warnings;
        const auto at = [&](double ranks) { return allReduceRate(p, ranks, 0, false, warnings); };
        // 3.5 µs in a loop of them, and 5 that ranks wait for each other.
        QVERIFY(std::abs(at(2).startS - 8.5e-6) < 1e-12 && std::abs(1 / at(2).perByte - 286e9) < 1);
        QVERIFY(std::abs(at(8).bumpS - 15e-6) < 1e-12);
        QVERIFY(at(3).startS > at(2).startS && at(3).startS < at(4).startS);
        QVERIFY(at(16).startS > at(8).startS + 24e-6); // a second node
        QVERIFY(!warnings.has(WarningCode::NicAssumed));
        // A ring of 8 hops 14 times; the bound hops nowhere.
        QVERIFY(std::abs(allReduceRate(p, 8, 3e-6, false, warnings).startS - at(8).startS - 14 * 3e-6) < 1e-12);
        QCOMPARE(allReduceRate(p, 8, 3e-6, true, warnings).startS, 0.0);
        const PreparedScenario cards = serving("llama-3-70b", "l40s", 4);
        const double share = Calibration::builtIn()->inference.links.pcieShare[1];
        QVERIFY(std::abs(1 / allReduceRate(cards, 4, 0, false, warnings).perByte - 31.5e9 * share) < 1);
        static_cast<void>(allReduceRate(cards, 16, 0, false, warnings));
        QVERIFY(warnings.has(WarningCode::NicAssumed));
    }

    void maximumBatchIsTheLargestThatFits()
    {
        const auto with = [](bool most, std::int64_t batch) {
            return evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.batchMax = most;
                s.inference.batch = batch;
                s.inference.promptTokens = 4096;
            }));
        };
        const Evaluation most = with(true, 1);
        QVERIFY(most.fits && most.batch == *most.maxBatch && most.batch > 20);
        const auto n = static_cast<std::int64_t>(most.batch);
        QVERIFY(with(false, n).fits);
        const Evaluation beyond = with(false, n + 1);
        QVERIFY(!beyond.fits && beyond.warnings.has(WarningCode::BatchLimitedByMemory));
        QCOMPARE(beyond.batch, most.batch);
        QVERIFY(*beyond.ttftS > *with(false, n).ttftS); // somebody waits
    }

    /// Under even routing the bound of this batch would be 13.8 ms; prompts that are alike touch fewer experts.
    void fasterThanLightIsSaid()
    {
        const auto warned = [](double tpot) {
            return evaluate(serving("mixtral-8x7b", "h100-sxm-80gb", 2,
                                    [&](Scenario& s) {
                                        s.inference.batch = 16;
                                        s.measured.tpotS = tpot;
                                    }))
                .warnings.has(WarningCode::FasterThanIdeal);
        };
        QVERIFY(warned(0.003));
        QVERIFY(!warned(0.013));
    }

    /// `causal` counts Gemma's windows as if every token filled them; the prompts run at the bound.
    void promptsBeyondTheirPeakAreSaid()
    {
        const PreparedScenario p = serving("gemma-3-1b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.accounting = Convention::Causal;
            s.efficiency.prefill = 10;
        });
        const Evaluation r = evaluate(p);
        QVERIFY(*r.prefill->mfu > 1);
        QVERIFY(r.warnings.has(WarningCode::MfuOverOne));
        const std::string text = warningText(WarningCode::MfuOverOne, *r.prefill->mfu, p);
        QVERIFY2(text.find("full square") == std::string::npos, text.c_str());
    }

    void queueFollowsTheServiceTime()
    {
        const auto with = [](double rate) {
            return evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.batch = 16;
                s.inference.requestsPerS = rate;
            }));
        };
        const Evaluation light = with(0.1), heavy = with(1e3);
        QVERIFY(light.queue->utilization < 0.1 && *light.queue->meanWaitS < 1e-6);
        QVERIFY(heavy.queue->utilization > 1 && !heavy.queue->meanWaitS);
        QCOMPARE(heavy.queue->replicasNeeded, std::floor(heavy.queue->utilization) + 1);
    }
};
HEADROOM_TEST(TestInferenceCases)

} // namespace headroom::test_inference_cases
#include "test_inference_cases.moc"
