// SPDX-License-Identifier: GPL-3.0-or-later
// What serving sends over which link: tokens to their experts, keys and values to context ranks, stages' values.
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_serving_links
{

using namespace inference;
using test::near;
using test::serving;

namespace
{

/// `ranks` of attention data; each expert on ranks / `expert` of them.
PreparedScenario attentionData(const char* model, const char* accelerator, std::int64_t ranks, std::int64_t expert,
                               const std::function<void(Scenario&)>& change = {})
{
    return serving(model, accelerator, ranks, [&](Scenario& s) {
        s.parallelism.tensor = 1;
        s.parallelism.attentionData = ranks;
        s.parallelism.expert = expert;
        s.inference.weights = DataType::Fp8;
        s.inference.promptTokens = 2000;
        if (change)
            change(s);
    });
}

/// Eight H200 that share each prompt.
PreparedScenario contextRanks(const char* model, std::int64_t prompt, std::int64_t cached = 0)
{
    return serving(model, "h200-sxm-141gb", 8, [&](Scenario& s) {
        s.parallelism.tensor = 1;
        s.parallelism.context = 8;
        s.inference.promptTokens = prompt;
        s.inference.prefixCachedTokens = cached;
    });
}

double exchangeS(const PassCost& cost)
{
    return cost.time[static_cast<std::size_t>(TimePart::ExpertParallel)];
}

} // namespace

class TestServingLinks : public QObject
{
    Q_OBJECT
private slots:
    /// DeepSeek-V3 on four nodes of eight H100, four prompts of 2,000 tokens a GPU. A token needs three other nodes
    /// with a probability of 1 − (3/4)^8 each, and crosses once for each of them: 2.70 times, not 7.75.
    void aTokenCrossesOnceForEachNode()
    {
        const PreparedScenario p = attentionData("deepseek-v3", "h100-sxm-80gb", 32, 32);
        const double crossing = 3 * (1 - std::pow(0.75, 8)), network = 400e9 / 8;
        const double values = 4 * 2000 * 7168 * crossing; // one way, a layer
        const Machine m = makeMachine(p, false);
        const InferenceLinkConstants& l = p.calibration->inference.links;
        QVERIFY(near(exchangeS(prefillPass(p, m, 128)),
                     2 * 58 * (l.scaleOutStartS + 2 * values / (network * l.exchangeShare))));
        // The bound sends 8 bit there, as the experts multiply them, and 16 bit back.
        const Machine bound = makeMachine(p, true);
        const double there = storedBytes(DataType::Fp8);
        QVERIFY(near(prefillPass(p, bound, 128).linkS, 58 * (there + 2) * values / network));
        // SGLang read 52,300 prompt tokens a second and node on these (LMSYS, 2025-05-05): possible.
        QVERIFY(prefillPass(p, bound, 128).total() < 128 * 2000.0 / (4 * 52300));
    }

    /// Tensor ranks fill each node, so of two context ranks each lies on a node of its own: half a prompt's keys and
    /// values go over the network in each layer, one KV head of 2 · 128 values of 2 bytes a token.
    void contextRanksBesideFullNodesMeetOverTheNetwork()
    {
        const auto exchange = [](std::int64_t tensor, bool ideal) {
            const PreparedScenario p = serving("llama-3-70b", "h100-sxm-80gb", 16, [&](Scenario& s) {
                s.parallelism.tensor = tensor;
                s.parallelism.context = 16 / tensor;
                s.inference.promptTokens = 8000;
            });
            return prefillPass(p, makeMachine(p, ideal), 1).time[static_cast<std::size_t>(TimePart::ContextParallel)];
        };
        const InferenceLinkConstants& l = Calibration::builtIn()->inference.links;
        const double bytes = 4000 * 2 * 128 * 2, network = 400e9 / 8;
        QVERIFY(near(exchange(8, false), 80 * (l.scaleOutStartS + bytes / (network * l.scaleOutShare))));
        // Four context ranks, two of them in each node: half of what the others hold comes over two adapters each.
        QVERIFY(exchange(4, false) > 80 * l.scaleOutStartS);
    }

    /// GPT-J's attention and feed-forward are added before anything reads them: one sum a layer has to be. vLLM makes
    /// two of it, and one of Falcon's; the bound is of one whatever the engine does.
    void aParallelBlockNeedsOneSum()
    {
        struct Sums {
            double made = 0, bound = 0; ///< a layer
        };
        const auto sums = [](const char* model, InferenceSoftware software, bool ideal = false) {
            const PreparedScenario p =
                serving(model, "h100-sxm-80gb", 8, [&](Scenario& s) { s.inference.software = software; });
            const Machine m = makeMachine(p, ideal);
            const PassCost pass = decodePass(p, m, 1);
            const double bytes = p.model->layers * 2.0 * p.model->hidden;
            return Sums{pass.linkS / (bytes * m.allReduce.perByte),
                        pass.lightLinkS / (bytes * m.allReduce.lightPerByte)};
        };
        const auto are = [](Sums have, double made, double bound) {
            return std::abs(have.made - made) < 1e-9 && std::abs(have.bound - bound) < 1e-9;
        };
        QVERIFY(are(sums("llama-3-70b", InferenceSoftware::Tuned), 2, 2));
        QVERIFY(are(sums("gpt-j-6b", InferenceSoftware::Tuned), 1, 1));
        QVERIFY(are(sums("gpt-j-6b", InferenceSoftware::Vllm), 2, 1));
        QVERIFY(are(sums("gpt-j-6b", InferenceSoftware::Vllm, true), 1, 1));
        QVERIFY(are(sums("falcon-180b", InferenceSoftware::Vllm), 1, 1));
        QVERIFY(are(sums("falcon-180b", InferenceSoftware::TrtLlm2023), 2, 1));
        QVERIFY(are(sums("pythia-6.9b", InferenceSoftware::FasterTransformer), 1, 1));
        QVERIFY(are(sums("command-a-111b", InferenceSoftware::Sglang), 2, 1));
    }

    /// Where the network is the faster link, copies inside the nodes take longer: seven of eight.
    void theSlowerOfTwoLinksCounts()
    {
        const PreparedScenario p = attentionData("deepseek-v3", "h100-sxm-80gb", 16, 16,
                                                 [](Scenario& s) { s.hardware.scaleOutGbitPerS = 1e5; });
        const InferenceLinkConstants& l = p.calibration->inference.links;
        const double bytes = 2.0 * 2000 * 7168 * 8 * 7 / 8;
        QVERIFY(near(exchangeS(prefillPass(p, makeMachine(p, false), 16)),
                     2 * 58 * (l.scaleOutStartS + bytes / (450e9 * l.exchangeShare))));
    }

    /// DeepSeek-V3 sends a token to four nodes at most: 3.5 others at the mean.
    void noTokenNeedsMoreNodesThanItsRoutingAllows()
    {
        const PreparedScenario p = attentionData("deepseek-v3", "h100-sxm-80gb", 128, 128);
        const InferenceLinkConstants& l = p.calibration->inference.links;
        QVERIFY(near(exchangeS(prefillPass(p, makeMachine(p, false), 128)),
                     2 * 58 * (l.scaleOutStartS + 2.0 * 2000 * 7168 * 3.5 / (50e9 * l.exchangeShare))));
    }

    /// Each expert on several ranks: all of them need its tokens. Split over all eight, an expert needs seven copies of
    /// every token, whatever k is; with k = 2 of Mixtral, two groups of two ranks need 4·7/8.
    void everyRankOfAnExpertGetsItsTokens()
    {
        const auto copies = [](const char* model, std::int64_t ranks, std::int64_t expert, double k) {
            return makeMachine(attentionData(model, "h200-sxm-141gb", ranks, expert), false).exchange.oneWay(k).copies;
        };
        for (const std::int64_t expert : {1, 2, 4, 8})
            QVERIFY(near(copies("deepseek-v3", 8, expert, 8), 7));
        QVERIFY(near(copies("mixtral-8x7b", 8, 1, 2), 7) && near(copies("mixtral-8x7b", 8, 2, 2), 7));
        QVERIFY(near(copies("mixtral-8x7b", 8, 4, 2), 3.5) && near(copies("mixtral-8x7b", 8, 8, 2), 1.75));
        // Over two nodes: both halves reach seven others on each.
        QVERIFY(near(copies("mixtral-8x7b", 16, 1, 2), 14));
        // It crosses to the other node where that holds a part of each expert; else for two experts of eight.
        QVERIFY(near(remoteCopies(2, 1, 2, 3.5), 1) && near(remoteCopies(2, 2, 2, 3.5), 0.75));
        // Four nodes as two places of two nodes: three others with 1 − 1/4 each.
        QVERIFY(near(remoteCopies(4, 2, 2, 3.5), 3 * 0.75));
    }

    /// Eight experts of a token lie on 8·(1 − (7/8)^8) = 5.25 of eight ranks: the bound sends it to each of them once.
    void theBoundSendsATokenToARankOnce()
    {
        const Machine bound = makeMachine(attentionData("deepseek-v3", "h200-sxm-141gb", 8, 8), true);
        QVERIFY(near(bound.exchange.oneWay(8).copies, 8 * (1 - std::pow(0.875, 8)) * 7 / 8));
    }

    /// Four cards with bridges between two share the host's link, as cards without any bridge do; so do stages.
    void cardsWithoutACommonBridgeMeetOnTheHost()
    {
        const PreparedScenario p = attentionData("qwen3-30b-a3b", "rtx-a6000", 4, 4,
                                                 [](Scenario& s) { s.inference.weights = DataType::Int4; });
        const double host = p.accelerator->hostLinkGbPerS * 1e9;
        const InferenceLinkConstants& l = p.calibration->inference.links;
        const Machine m = makeMachine(p, false);
        QVERIFY(p.accelerator->scaleUpDomain == 2 && host > 0);
        QVERIFY(!m.exchange.group.crossesNodes() && near(m.exchange.inside.perByte, 1 / (host * l.exchangeShare)));
        QVERIFY(near(m.exchange.inside.startS, l.exchangeStartS));
        const auto staged = [](std::int64_t stages) {
            return serving("qwen3-30b-a3b", "rtx-a6000", stages, [stages](Scenario& s) {
                s.inference.weights = DataType::Int4;
                s.parallelism.tensor = 1;
                s.parallelism.pipeline = stages;
            });
        };
        const double bridge = p.accelerator->scaleUpGbPerS * 1e9;
        QVERIFY(near(makeMachine(staged(2), false).send.perByte, 1 / (bridge * l.sendShare)));
        QVERIFY(near(makeMachine(staged(4), false).send.perByte, 1 / (host * l.sendShare)));
        QVERIFY(near(makeMachine(staged(4), false).send.startS, l.sendStartS));
        QVERIFY(!test::warns(p, WarningCode::NicAssumed) && !test::warns(staged(4), WarningCode::NicAssumed));
    }

    /// A network that nothing crosses needs no assumption; one that experts cross does.
    void anAssumedNetworkIsSaidWhereItIsUsed()
    {
        QVERIFY(!test::warns(serving("qwen3-8b", "rtx-3090", 4), WarningCode::NicAssumed));
        QVERIFY(test::warns(attentionData("qwen3-30b-a3b", "rtx-3090", 16, 16), WarningCode::NicAssumed));
    }

    /// Gemma 3 1B over eight ranks of an L40S: four layers of 26 see everything, the others 512 tokens. A rank gets
    /// seven eighths of the prompt's keys and values, 1,024 B a token and layer, or those 512 tokens.
    void anAssumedHostLinkIsSaidWhereItIsUsed()
    {
        const auto warns = [](const PreparedScenario& p) {
            return evaluate(p).warnings.has(WarningCode::HostLinkAssumed);
        };
        PreparedScenario p = serving("qwen3-8b", "gb10", 1);
        QVERIFY(!warns(p));
        p.inference.tierHostGb = 100;
        QVERIFY(warns(p));
        QCOMPARE(evaluate(p).warnings.number(WarningCode::HostLinkAssumed), 31.5);
        p.inference.hostLinkGbPerS = 50;
        QVERIFY(!warns(p));
        const auto pair = [](std::int64_t perNode) {
            return serving("qwen3-8b", "gb10", 2, [&](Scenario& s) {
                s.parallelism.tensor = 2;
                s.hardware.perNode = perNode;
            });
        };
        QVERIFY(!warns(pair(1)) && warns(pair(2)));
    }

    void contextRanksSendWhatAWindowReaches()
    {
        const PreparedScenario p = serving("gemma-3-1b", "l40s", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.context = 8;
            s.inference.promptTokens = 128000;
        });
        const Machine bound = makeMachine(p, true), m = makeMachine(p, false);
        const double bytes = 1024 * (4 * 112000.0 + 22 * 512), host = p.accelerator->hostLinkGbPerS * 1e9;
        QVERIFY(near(prefillPass(p, bound, 1).linkS, bytes / host));
        // Sums move everything twice, of which seven eighths are others'.
        QVERIFY(near(m.contextGather.perByte, m.contextMerge.perByte * 8 / 7 / 2));
        QVERIFY(near(prefillPass(p, m, 1).linkS, bytes * m.contextGather.perByte));
    }

    /// What is compressed travels compressed, and with the small cache that its indexer scans: of eight ranks each gets
    /// what the seven others keep.
    void contextRanksSendWhatTheyKeep()
    {
        for (const char* model : {"deepseek-v4-flash", "deepseek-v3.2"}) {
            const PreparedScenario p = contextRanks(model, 128000);
            const Machine bound = makeMachine(p, true);
            const double kept = sequenceCacheBytes(*p.model, 128000, bound.kept(), 1, 8, 0);
            QVERIFY(near(prefillPass(p, bound, 1).linkS, 7 * kept / (p.accelerator->scaleUpGbPerS * 1e9)));
        }
    }

    /// A rank holds an eighth of a cached prefix, and its new tokens see the rest, too. Where they are few, they go to
    /// the prefix: 32 queries of 128 values each, and results of as many in 32 bit.
    void aCachedPrefixLiesOnAllContextRanks()
    {
        const auto moved = [](std::int64_t cached) {
            const PreparedScenario p = contextRanks("llama-3-8b", 8000, cached);
            return prefillPass(p, makeMachine(p, false), 1).linkS;
        };
        QVERIFY(near(moved(4000), moved(0)));
        const double each = 7 * (8 * 2 * 128 * 2 + 32 * 128 * (2 + 4));
        QVERIFY(near(moved(7992) / moved(0), each / (7000 * 8 * 2 * 128 * 2)));
    }

    /// Qwen3-Next keeps 32 states of 128 · 128 values in 36 of its layers: those of seven ranks reach the eighth,
    /// beside keys and values of two heads of 256 values in the twelve others.
    void statesOfContextRanksReachEachOther()
    {
        const PreparedScenario p = contextRanks("qwen3-next-80b-a3b", 8000);
        const Machine m = makeMachine(p, false);
        const LayerKind& linear = *std::ranges::find(p.model->kinds, MixerKind::Linear, &LayerKind::mixer);
        const double kept = stateValueBytes(linear, m.kept()).state;
        const double bytes = 12 * 7000.0 * 2 * 2 * 256 * 2 + 36 * 7 * 32 * 128 * 128 * kept;
        QVERIFY(near(prefillPass(p, m, 1).linkS, bytes * m.contextGather.perByte));
    }

    /// DeepSeek-V3 sends 576 values of a token, from which each rank makes keys and values of 128 heads for itself, of
    /// 128 + 128 values by 512: all 8,000 tokens, where the bound makes those of its own 1,000.
    void contextRanksProjectTheLatentsOfAll()
    {
        const PreparedScenario p = contextRanks("deepseek-v3", 8000);
        const auto flop = [&p](bool ideal) {
            return prefillPass(p, makeMachine(p, ideal), 1).lightComputeS * p.accelerator->peakFlops(DataType::Bf16);
        };
        QVERIFY(near(flop(false) - flop(true), 61 * 2.0 * 7000 * 512 * 128 * 256));
    }

    /// No exchange is faster than the link, whatever a sum's rate says.
    void aGatherIsNoFasterThanItsLink()
    {
        const LinkRate sum{1e-6, 1e-12, 0, 7e-12};
        QVERIFY(near(gatherRate(sum, 8, false).perByte, 8e-12) && near(gatherRate(sum, 8, false).startS, 1e-6));
        QCOMPARE(gatherRate(sum, 1, false).perByte, 0.0);
    }

    /// A draft model lies on the last of four stages alone: the mean GPU moves a quarter of it. 70B in 16 bit: its
    /// layers and head over four, 35.3 GB; the draft of 8B, 16.1 GB each of four times; three tokens a cycle.
    void draftsOfThePipelinesLastStageCountOnce()
    {
        const auto moved = [](bool drafts) {
            return evaluate(serving("llama-3.1-70b", "h100-sxm-80gb", 4,
                                    [drafts](Scenario& s) {
                                        s.parallelism.tensor = 1;
                                        s.parallelism.pipeline = 4;
                                        s.inference.weights = DataType::Bf16;
                                        s.inference.batch = 8;
                                        if (!drafts)
                                            return;
                                        s.inference.drafting = Drafting::Draft;
                                        s.inference.draftModel = CatalogId::from("llama-3.1-8b");
                                        s.inference.draftTokens = 4;
                                        s.inference.acceptanceLength = 3;
                                    }))
                .bytesMoved;
        };
        const double draft = (3 * moved(true) - moved(false)); // of a cycle: four passes over four stages
        QVERIFY(draft > 15.0e9 && draft < 17.0e9);
    }
};
HEADROOM_TEST(TestServingLinks)

} // namespace headroom::test_serving_links
#include "test_serving_links.moc"
