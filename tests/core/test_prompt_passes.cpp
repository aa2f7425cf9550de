// SPDX-License-Identifier: GPL-3.0-or-later
// Passes that read prompts and the caches before them, computed by hand: dealt prompts, windows, latents, states.
#include "core/predict/inference/inference_engine.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headroom::test_prompt_passes
{

using namespace inference;
using test::near;
using test::serving;

class TestPromptPasses : public QObject
{
    Q_OBJECT
private slots:
    /// One prompt on eight ranks of attention data lays an eighth of the experts' work on each that eight prompts lay.
    void expertsMeetThePromptsThatAreThere()
    {
        const PreparedScenario p = serving("deepseek-v3", "gb300", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.attentionData = s.parallelism.expert = 8;
            s.inference.promptTokens = 4000;
            s.inference.scheduling = Scheduling::Continuous;
        });
        const Machine bound = makeMachine(p, true);
        const LayerKind& kind = *std::ranges::find(p.model->kinds, true, &LayerKind::hasMoe);
        // Eight chosen of 256, of which each rank holds 32: of 32,000 tokens as many rows.
        const double routed = 58 * 2 * 32000.0 * kind.expertWeights * bound.experts.perFlop;
        const double one = prefillPass(p, bound, 1).computeS, eight = prefillPass(p, bound, 8).computeS;
        QVERIFY(near(eight - one, routed * 7 / 8));
        // Who is alone sees that pass, whoever else is served.
        const Machine m = makeMachine(p, false);
        const Engine engine(p, m);
        Serving few, many;
        engine.serve(1, few);
        engine.serve(64, many);
        QCOMPARE(many.ttftAloneS, few.ttftAloneS);
        const double t0 = std::min(m.profile.firstTokenS, p.calibration->inference.serving.lonelyFirstTokenS);
        const double alone = t0 + promptTime(p, m, prefillPass(p, m, 1)) + m.profile.stepS;
        QCOMPARE(*few.ttftAloneS, alone);
        QCOMPARE(engine.prompts().firstTokenAloneS(p, m), alone);
        QVERIFY(few.prefillS < 0.8 * many.prefillS);
        QCOMPARE(few.prefillPrompts, 1.0);
        QCOMPARE(many.prefillPrompts, 8.0);
    }

    /// A prompt leaves its keys and values in the cache: 32·8·256·2 bytes a token of Llama 3 8B. The bound writes those
    /// of new tokens and reads those of cached ones, so that half a prompt in the cache never makes it move more.
    void promptsWriteWhatTheyLeave()
    {
        const auto movesS = [](std::int64_t tokens, std::int64_t cached, std::int64_t context = 1) {
            const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", context, [&](Scenario& s) {
                s.parallelism.tensor = 1;
                s.parallelism.context = context;
                s.inference.promptTokens = tokens;
                s.inference.prefixCachedTokens = cached;
            });
            return prefillPass(p, makeMachine(p, true), 1).memoryS;
        };
        QVERIFY(near(movesS(2000, 0) - movesS(1000, 0), 1000 * 32 * 8 * 256 * 2.0 / 3.35e12));
        QVERIFY(near(movesS(2000, 1000), movesS(2000, 0)));
        // Context-parallel ranks hold a share each.
        QVERIFY(near(movesS(2000, 1000, 2), movesS(2000, 0, 2)));
        QVERIFY(near(movesS(2000, 0) - movesS(2000, 0, 2), 1000 * 32 * 8 * 256 * 2.0 / 3.35e12));
    }

    /// Ten new tokens behind 30,000 cached ones meet the last of them alone in layers with a window, and of each query
    /// what the indexer picks.
    void cachedPrefixesOfWindowsAreReadAsFarAsTheyReach()
    {
        const PreparedScenario p = serving("gemma-3-27b", "h100-sxm-80gb", 1);
        double reached = 0;
        for (const LayerKind& k : p.model->kinds)
            reached += k.count * cachedKeys(*p.model, k, 10, 30000);
        QCOMPARE(reached, 52 * 1024 + 10 * 30000.0);

        const PreparedScenario sparse = serving("deepseek-v3.2", "h200-sxm-141gb", 8);
        const LayerKind& picks = sparse.model->kinds.front();
        QCOMPARE(cachedKeys(*sparse.model, picks, 10, 30000), 10 * 2048.0);
        QCOMPARE(cachedKeys(*sparse.model, picks, 100, 30000), 30000.0);
    }

    /// Two requests on two ranks: one pass reads both prompts, so neither waits for the other's beside that.
    /// Counted once more, it left two in flight with 56.7 tokens a second where one had 59.3.
    void whatOnePassReadsIsWaitedForOnce()
    {
        const PreparedScenario p = serving("gpt-oss-120b", "h100-sxm-80gb", 4, [](Scenario& s) {
            s.parallelism.tensor = s.parallelism.attentionData = 2;
            s.inference.promptTokens = 4096;
            s.inference.outputTokens = 256;
            s.inference.compute = DataType::Fp32;
            s.efficiency.matmul = 0.1;
        });
        const Machine m = makeMachine(p, false);
        const Engine engine(p, m);
        Serving one, two, four;
        engine.serve(1, one);
        engine.serve(2, two);
        engine.serve(4, four);
        // Until the next pass half of one; that writes the answers' tokens, too, and takes what both prompts add to it.
        const double bothS = two.tpotS + 2 * two.work.turn.addedS;
        QVERIFY(bothS > two.prefillS + m.profile.stepS);
        QVERIFY(near(two.ttftS, m.profile.firstTokenS + two.tpotS / 2 + bothS));
        QVERIFY(near(two.tokensPerS, 2 * 256 / (bothS + 255 * two.tpotS)));
        QVERIFY(two.prefillS <= 2 * one.prefillS);
        QVERIFY(one.tokensPerS < two.tokensPerS && two.tokensPerS < four.tokensPerS);
        // Of four, two are read in another pass: each is in flight for its own prompt, the others' and its answer.
        const double stepS = totalOf(four.time) - four.time[std::size_t(TimePart::PrefillInterference)];
        const double spentS = four.ttftS - m.profile.firstTokenS - stepS / 2 + 255 * four.tpotS;
        QVERIFY(near(four.tokensPerS, 4 * 256 / spentS));
    }

    /// gpt-oss has heads of 64 values: FlashAttention 3 reads a prompt at the square root of a half of its rate, where
    /// the traffic does not decide, and FlashAttention 2, of an A100, at 0.5^0.165.
    void narrowHeadsReadPromptsSlower()
    {
        const auto rateOf = [](const char* model, const char* accelerator) {
            const PreparedScenario p =
                serving(model, accelerator, 1, [](Scenario& s) { s.inference.promptTokens = 32000; });
            const Machine m = makeMachine(p, false);
            double flop = 0, seconds = 0;
            for (const OperatorCost& row : passOperators(m, p, promptShape(p, m, 1)))
                if (row.name == "prompt attention" && row.flop > flop) {
                    flop = row.flop;
                    seconds = row.timeS - m.prefillAttention.startS * double(p.model->architecture.layers) / 2;
                }
            return flop / seconds / p.accelerator->peakFlops(DataType::Bf16);
        };
        const auto share = [](KernelFamily family) {
            return Calibration::builtIn()->inference.attention[static_cast<std::size_t>(family)].prefill;
        };
        QVERIFY(near(rateOf("gpt-oss-20b", "h100-sxm-80gb"), std::sqrt(0.5) * share(KernelFamily::Hopper)));
        QVERIFY(near(rateOf("gpt-oss-20b", "a100-sxm-80gb"), std::pow(0.5, 0.165) * share(KernelFamily::A100)));
    }

    /// Ten tokens behind 99,990 meet DeepSeek-V3's latents as they are: 61·10·(99,990 + 11 / 2) pairs of 16 heads a
    /// rank, 2·(512 + 512 + 64) FLOP each. Of 1,000 tokens the keys are projected up, and cost 2·(128 + 64 + 128).
    void fewNewTokensMeetLatents()
    {
        const auto reading = [](std::int64_t fresh) {
            const PreparedScenario p = serving("deepseek-v3", "h200-sxm-141gb", 8, [fresh](Scenario& s) {
                s.inference.promptTokens = 100000;
                s.inference.prefixCachedTokens = 100000 - fresh;
            });
            const Machine bound = makeMachine(p, true);
            const std::vector<OperatorCost> rows = passOperators(bound, p, promptShape(p, bound, 1));
            double flop = 0;
            for (const OperatorCost& row : rows)
                flop += row.name == "prompt attention" ? row.flop : 0;
            return std::pair(flop, prefillPass(p, bound, 1).computeS);
        };
        const auto [few, fewS] = reading(10);
        QVERIFY(near(few, 61 * 10 * 99995.5 * 16 * 2 * 1088));
        QVERIFY(near(reading(1000).first, 61 * 1000 * 99500.5 * 16 * 2 * 320));
        QVERIFY(fewS < 0.004); // expanding all takes 12.9 ms in 8 bit
    }

    /// 54 tokens behind 74 compute less by meeting the latents, of DeepSeek-V3 for each head and layer
    /// 54·2·512·256 + 54·101.5·2·1088 = 26 MFLOP instead of 128·2·512·256 + 54·101.5·2·320 = 37. But the pass is paced
    /// by what it reads, and absorbed matrices are of 16 bit where those that project are of 8.
    void theWayThroughLatentsGoesByTime()
    {
        const PreparedScenario p = serving("deepseek-v3", "h200-sxm-141gb", 8, [](Scenario& s) {
            s.inference.promptTokens = 128;
            s.inference.prefixCachedTokens = 74;
            s.inference.weights = DataType::Int8;
            s.inference.compute = DataType::Bf16;
        });
        const Machine bound = makeMachine(p, true);
        std::vector<std::string> names;
        for (const OperatorCost& row : passOperators(bound, p, promptShape(p, bound, 1)))
            names.push_back(row.name);
        QVERIFY(std::ranges::count(names, "latent up projection") > 0);
        QCOMPARE(std::ranges::count(names, "absorbed key up"), 0);
        const PassCost pass = prefillPass(p, bound, 1);
        QCOMPARE(pass.total(), pass.memoryS);
    }

    /// Behind the same prefix more new tokens never take less time, whichever way they go: by arithmetic alone that
    /// changes at 101, where l·(74 + l/2)·2·768 FLOP more a head's pair outweigh 74·2·512·256 of the prefix.
    void moreNewTokensTakeNoLess()
    {
        double before = 0;
        for (std::int64_t fresh = 1; fresh < 400; ++fresh) {
            const PreparedScenario p = serving("deepseek-v3", "h200-sxm-141gb", 8, [fresh](Scenario& s) {
                s.inference.promptTokens = 74 + fresh;
                s.inference.prefixCachedTokens = 74;
                s.inference.weights = DataType::Int8;
                s.inference.compute = DataType::Bf16;
            });
            const double taken = prefillPass(p, makeMachine(p, true), 1).total();
            QVERIFY2(taken >= before, std::to_string(fresh).c_str());
            before = taken;
        }
    }

    /// Eight stages of unlike layers, kernels that a factor lifts to the hardware's bound: longer prompts take no less.
    void longerPromptsNeverNeedLess()
    {
        double before = 0;
        for (const std::int64_t tokens : {1, 2, 3, 4, 5, 8, 12, 20}) {
            const PreparedScenario p =
                serving("nemotron-3-ultra-550b-a55b", "h100-sxm-80gb", 32, [tokens](Scenario& s) {
                    s.parallelism.tensor = 4;
                    s.parallelism.pipeline = 8;
                    s.inference.promptTokens = tokens;
                    s.efficiency.prefill = 10;
                });
            const double taken = promptsTime(p, makeMachine(p, false), 512);
            QVERIFY2(taken >= before, std::to_string(tokens).c_str());
            before = taken;
        }
    }

    /// Context parallelism cuts what has tokens: of Nemotron-H 8B 24 layers keep whole 8,192 · 128 values in
    /// 32 bit and the last three inputs of 8,192 + 2 · 8 · 128 channels in 16.
    void statesLieWholeOnEveryContextRank()
    {
        const auto cache = [](double context) {
            const PreparedScenario p = serving("nemotron-h-8b", "h100-sxm-80gb", 4);
            return sequenceCacheBytes(*p.model, 30000, {2, 2}, 1, context);
        };
        const double states = 24 * (8192 * 128 * 4.0 + 10240 * 3 * 2.0);
        QVERIFY(near(cache(4) - states, (cache(1) - states) / 4));
        const auto held = [](std::int64_t ranks) {
            const PreparedScenario p = serving("nemotron-h-8b", "h100-sxm-80gb", ranks, [ranks](Scenario& s) {
                s.parallelism.tensor = 1;
                s.parallelism.context = ranks;
            });
            return planMemory(p, makeMachine(p, false)).first.cachePerSequence;
        };
        QVERIFY(near(held(4) - states, (held(1) - states) / 4));
    }

    /// A rejected draft cannot be taken back out of a state: engines keep one for each token of a verifying pass.
    void eachDraftHasAState()
    {
        const auto of = [](std::optional<Drafting> method) {
            return serving("qwen3-next-80b-a3b", "h100-sxm-80gb", 4, [method](Scenario& s) {
                s.inference.drafting = method;
                s.inference.draftTokens = 3;
            });
        };
        const PreparedScenario plain = of({}), drafting = of(Drafting::Ngram);
        const Machine one = makeMachine(plain, false), four = makeMachine(drafting, false);
        QCOMPARE(four.speculation.verified(), 4.0);
        double states = 0; // of one token, bytes on a device
        for (const LayerKind& k : plain.model->kinds)
            states += k.count * stateBytes(k, one.kept(), 4);
        const double more =
            planMemory(drafting, four).first.cachePerSequence - planMemory(plain, one).first.cachePerSequence;
        const double tokens = 3 * (sequenceCacheBytes(*plain.model, 4097, one.kept(), 4) -
                                   sequenceCacheBytes(*plain.model, 4096, one.kept(), 4));
        QVERIFY(near(more, 3 * states + tokens));
        // Read once and written four times, not once.
        const std::array<double, 4> contexts{1000, 1000, 1000, 1000};
        QVERIFY(near(sequenceReadBytes(four, *plain.model, contexts) - sequenceReadBytes(one, *plain.model, contexts),
                     3 * states));
    }

    /// Llama 4's chunks of 8,192: tokens from 16,384 on see those of the third chunk alone, the 257th of it 257 keys.
    void chunksBeginAnew()
    {
        const PreparedScenario p = serving("llama-4-scout", "h200-sxm-141gb", 8);
        const auto kind = std::ranges::find(p.model->kinds, true, &LayerKind::chunked);
        QVERIFY(kind != p.model->kinds.end());
        const auto keys = [&](double context) { return decodeKeys(*p.model, *kind, context); };
        QCOMPARE(keys(8192), 8192.0);
        QCOMPARE(keys(16384), 8192.0);
        QCOMPARE(keys(16641), 257.0);
        QCOMPARE(cachedKeys(*p.model, *kind, 10, 16384), 0.0);
        QCOMPARE(cachedKeys(*p.model, *kind, 10, 16484), 100.0);
        // The queries of ten new tokens behind 16,484: 101 to 110 keys. Of whole chunks the mean.
        QVERIFY(near(promptKeys(*p.model, *kind, 10, 16484), 105.5));
        QVERIFY(near(promptKeys(*p.model, *kind, 16384, 0), 8193 / 2.0));
    }

    /// Engines run what drafts over the prompt, too, before its first token: as long as that model takes by itself.
    void aDraftModelReadsThePrompt()
    {
        const auto with = [](const char* model, bool drafts, Scheduling scheduling) {
            return evaluate(serving(model, "h100-sxm-80gb", 4, [&](Scenario& s) {
                s.inference.promptTokens = 4000;
                s.inference.outputTokens = 256;
                s.inference.batch = 16;
                s.inference.scheduling = scheduling;
                s.parallelism.tensor = 4;
                if (drafts) {
                    s.inference.drafting = Drafting::Draft;
                    s.inference.draftModel = CatalogId::from("llama-3.1-8b");
                    s.inference.draftTokens = 4;
                }
            }));
        };
        for (const Scheduling scheduling : {Scheduling::Static, Scheduling::Continuous}) {
            const Evaluation plain = with("llama-3.1-70b", false, scheduling),
                             drafted = with("llama-3.1-70b", true, scheduling),
                             draft = with("llama-3.1-8b", false, scheduling);
            const double added = drafted.prefill->timeS - plain.prefill->timeS;
            QVERIFY2(std::abs(added / draft.prefill->timeS - 1) < 0.02,
                     qPrintable(QString::number(added / draft.prefill->timeS)));
            QVERIFY(*drafted.ttftS > *plain.ttftS + 0.9 * draft.prefill->timeS);
            QVERIFY(std::abs(drafted.speculation->plainTpotS / *plain.tpotS - 1) <
                    1e-9); // without drafts nothing reads
        }
    }

    /// SGLang reads prompts in passes of their own, so their limit is of prompts alone: one that holds a whole prompt
    /// changes nothing beside 32 answers, and one below the batch is no mistake. The limit was refused there, and
    /// beyond it answers took its room: two chunks with a step between.
    void aLimitOfPassesOfPromptsIsOfPromptsAlone()
    {
        const auto with = [](InferenceSoftware software, std::int64_t most) {
            return [=](Scenario& s) {
                s.inference.software = software;
                s.inference.batch = 32;
                s.inference.promptTokens = 4000;
                s.inference.outputTokens = 200;
                if (most > 0)
                    s.inference.maxTokensPerPass = most;
            };
        };
        const auto apart = [&](std::int64_t most) {
            return serving("llama-3.1-8b", "h100-sxm-80gb", 1, with(InferenceSoftware::Sglang, most));
        };
        for (const double load : {0.0, 1.0}) {
            PreparedScenario whole = apart(4000), free = apart(0);
            if (load > 0)
                whole.inference.requestsPerS = free.inference.requestsPerS = load;
            const Evaluation a = evaluate(whole), b = evaluate(free);
            QVERIFY2(near(*a.ttftS, *b.ttftS, 0.02) && near(*a.tpotS, *b.tpotS, 0.02),
                     fmt::format("{} and {} of {} and {}", *a.ttftS, *a.tpotS, *b.ttftS, *b.tpotS).c_str());
        }
        double before = 0;
        for (const std::int64_t most : {1, 16, 32, 33, 64, 4000}) {
            const PreparedScenario p = apart(most);
            QVERIFY(checkSetup(p).empty());
            const Evaluation e = evaluate(p);
            QVERIFY2(e.batch == 32 && *e.tokensPerS > before, std::to_string(most).c_str());
            before = *e.tokensPerS;
        }
        Scenario mixing;
        mixing.task = Task::Inference;
        with(InferenceSoftware::Vllm, 32)(mixing);
        QCOMPARE(checkSetup(mixing.setup()).size(), std::size_t(1));
    }

    /// Where memory decides how many decode together, drafts take places: what they gain is beside as many sequences
    /// without them, not beside the more that their memory would hold.
    void aSpeedUpIsOfAsManySequences()
    {
        const auto with = [](bool drafts, std::int64_t batch) {
            return evaluate(test::serving("llama-3.1-70b", "h200-sxm-141gb", 8, [&](Scenario& s) {
                s.inference.promptTokens = 1000;
                s.inference.outputTokens = 500;
                s.parallelism.tensor = 8;
                batch > 0 ? void(s.inference.batch = batch) : void(s.inference.batchMax = true);
                if (drafts) {
                    s.inference.drafting = Drafting::Draft;
                    s.inference.draftModel = CatalogId::from("llama-3.1-8b");
                }
            }));
        };
        const Evaluation most = with(true, 0);
        QVERIFY(most.batch < 0.8 * with(false, 0).batch);
        const Evaluation alike = with(false, std::int64_t(most.batch));
        QVERIFY(std::abs(most.speculation->plainTpotS / *alike.tpotS - 1) < 1e-9);
        QVERIFY(most.speculation->speedup < 1 && *most.tokensPerS < *alike.tokensPerS);
        QVERIFY(std::abs(with(true, 4000).speculation->speedup / most.speculation->speedup - 1) < 1e-9); // cut to it
    }
};
HEADROOM_TEST(TestPromptPasses)

} // namespace headroom::test_prompt_passes
#include "test_prompt_passes.moc"
