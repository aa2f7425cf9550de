// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts that come when they come, read in the passes of an engine: closed forms against passes that are simulated.
#include "core/predict/inference/inference_reading.hpp"
#include "tests/support/near.hpp"
#include "tests/support/pass_simulation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/serving_simulation.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <vector>

namespace headroom::test_reading_queue
{

using inference::ReadingQueue;
using inference::ReadingWait;
using inference::waitToBeRead;
using test::near;
using test::serving;

namespace
{

/// What the prompts of a ReadingQueue met, in the mean.
struct Met {
    double waitS = 0, beside = 0, leftBehind = 0;
    double readers = 0;        ///< over passes that read
    std::vector<double> lateS; ///< the wait and the prompts beside it, of each, the shortest first
};

/// Passes one after the other; each takes whoever has come, up to the most.
Met simulate(const ReadingQueue& q, std::size_t prompts)
{
    const test::Draw between = test::exponential(11), length = q.lengths > 0 ? test::exponential(5) : test::constant();
    std::deque<double> waiting;
    std::vector<double> read;
    Met met;
    double now = 0, next = between() / q.requestsPerS, passes = 0;
    const auto come = [&] {
        for (; next <= now; next += between() / q.requestsPerS)
            waiting.push_back(next);
    };
    while (met.lateS.size() < prompts) {
        const std::size_t n = std::min(waiting.size(), static_cast<std::size_t>(q.most));
        read.clear();
        double addedS = 0;
        for (std::size_t i = 0; i < n; ++i) {
            read.push_back(q.promptS * length());
            addedS += read.back();
        }
        for (const double own : read) {
            const double waitS = now - waiting.front();
            waiting.pop_front();
            met.waitS += waitS;
            met.lateS.push_back(waitS + addedS - own);
        }
        now += n > 0 ? q.basePassS + addedS : q.emptyPassS;
        come();
        met.beside += double(n) * (double(n) - 1);
        met.leftBehind += double(n) * double(waiting.size());
        passes += n > 0 ? 1 : 0;
    }
    const auto all = static_cast<double>(met.lateS.size());
    for (double* sum : {&met.waitS, &met.beside, &met.leftBehind})
        *sum /= all;
    met.readers = all / passes;
    std::ranges::sort(met.lateS);
    return met;
}

/// The time that a share of the requests stay under, by the tail that the queue of a scenario has.
double quantile(const ReadingQueue& q, const ReadingWait& w, double late)
{
    const double meanS = w.meanS + w.beside * q.promptS, cv = std::sqrt(w.variation);
    if (cv <= 1)
        return meanS * (1 + cv * (std::log(1 / late) - 1));
    const double share = 2 / (1 + w.variation);
    return meanS / share * std::log(share / late);
}

} // namespace

class TestReadingQueue : public QObject
{
    Q_OBJECT
private slots:
    /// Passes of all kinds: that take longer with each prompt or as long with one as with many, that are there without
    /// a prompt or hardly, with room for one prompt and for more than ever come, at loads from a fifth to 85 %.
    void waitsAreThoseOfTheSimulation()
    {
        struct Kind {
            double emptyS, baseS, promptS;
        };
        for (const Kind& kind :
             {Kind{1, 1, 0.05}, {1, 1, 1}, {1, 1, 10}, {1, 0, 0.3}, {1, 0, 10}, {1, 3, 0.2}, {1, 3, 1}})
            for (const double most : {1.0, 2.0, 4.0, 8.0, 64.0})
                for (const double load : {0.2, 0.5, 0.85})
                    for (const double lengths : {0.0, 1.0}) {
                        ReadingQueue q{0, kind.emptyS, kind.baseS, kind.promptS, most, 1, lengths};
                        q.requestsPerS = load / (kind.baseS / most + kind.promptS);
                        const ReadingWait said = waitToBeRead(q);
                        const Met met = simulate(q, 30000);
                        const double lateS = met.lateS[met.lateS.size() * 95 / 100];
                        const std::string text = fmt::format(
                            "{} {} {}, {} at most, load {}, lengths {}: wait {:.3f} of {:.3f}, beside {:.2f} of "
                            "{:.2f}, "
                            "behind {:.2f} of {:.2f}, late {:.3f} of {:.3f}",
                            kind.emptyS, kind.baseS, kind.promptS, most, load, lengths, said.meanS, met.waitS,
                            said.beside, met.beside, said.leftBehind, met.leftBehind, quantile(q, said, 0.05), lateS);
                        QVERIFY2(near(said.meanS, met.waitS, 0.2), text.c_str());
                        QVERIFY2(near(said.leftBehind, met.leftBehind, 0.15), text.c_str());
                        QVERIFY2(near(said.meanS + said.beside * q.promptS, met.waitS + met.beside * q.promptS, 0.2),
                                 text.c_str());
                        QVERIFY2(near(quantile(q, said, 0.05), lateS, 0.25), text.c_str());
                    }
    }

    /// By hand: room for one prompt, and passes as long as they are without one, is M/D/1 with vacations: the rest of
    /// the pass under way, and as often as prompts wait, one pass more.
    void oneAtATimeIsTheSimplestQueue()
    {
        const double perS = 0.6;
        const ReadingWait w = waitToBeRead({perS, 0.5, 0, 1, 1, 1, 0});
        QVERIFY(near(w.meanS, 0.5 / 2 + perS / (2 * (1 - perS)), 1e-6));
        QVERIFY(near(w.leftBehind, perS * (w.meanS + 1), 1e-6));
        QCOMPARE(w.beside, 0.0);
        // Lengths that vary as exponential ones do make that part twice as long.
        QVERIFY(near(waitToBeRead({perS, 0.5, 0, 1, 1, 1, 1}).meanS, 0.5 / 2 + perS / (1 - perS), 1e-6));
        QVERIFY(!waitToBeRead({1, 0.5, 0, 1, 1, 1, 0}).ends());
    }

    /// By hand: with room for all, those that come in a pass are read in the next. Passes of s + b·n with b·λ = ½ last
    /// 2s in the mean, and whoever comes meets a longer one: 2s·(1 + ½·b/(s·(1 + ½))).
    void roomForAllIsOnePassAfterTheOther()
    {
        const ReadingWait w = waitToBeRead({1, 1, 1, 0.5, 1e6, 1, 0});
        const double metS = 2 * (1 + 0.5 * 0.5 / 1.5);
        QVERIFY2(near(w.meanS, metS / 2, 1e-6), std::to_string(w.meanS).c_str());
        QVERIFY(near(w.beside, metS, 1e-3));
        QVERIFY(near(w.ownPassS, 1 + 0.5 * (1 + metS), 1e-3));
    }

    /// TTFT, its 95th percentile and TPOT of an engine that mixes prompts into the passes of answers, against those
    /// passes one by one. TTFT was as little as half of it, its percentile 0.37 of it, and TPOT of short answers 0.6.
    void aLoadIsThatOfTheEnginesPasses()
    {
        for (const auto& [model, gpus] : {std::pair("llama-3.1-8b", 1), std::pair("llama-3.1-70b", 8)})
            for (const auto& [prompt, output] :
                 {std::pair(100, 100), std::pair(100, 10), std::pair(500, 50), std::pair(500, 500),
                  std::pair(1000, 200), std::pair(1000, 16), std::pair(4000, 50), std::pair(16, 256)})
                for (const double load : {0.3, 0.6, 0.85}) {
                    PreparedScenario s =
                        serving(model, "h100-sxm-80gb", gpus, [&, p = prompt, o = output](Scenario& x) {
                            x.inference.batch = 256;
                            x.inference.promptTokens = p;
                            x.inference.outputTokens = o;
                            x.inference.promptTokensCv = x.inference.outputTokensCv = 0;
                            x.inference.targetPercentile = TargetPercentile::P95;
                        });
                    const double rate = load * *evaluate(s).requestsPerS;
                    const test::SimulatedPasses seen = test::simulatePasses(s, {rate}, 20000);
                    s.inference.requestsPerS = rate;
                    const Evaluation e = evaluate(s);
                    const double engineS = s.calibration->inference.profiles[0][0].firstTokenS; // not in the passes
                    const double ttftS = *e.ttftS + *e.queue->meanWaitS - engineS, lateS = *e.tail->ttftS - engineS;
                    const std::string text = fmt::format(
                        "{} {}/{} at {}: TTFT {:.4f} of {:.4f}, late {:.4f} of {:.4f}, TPOT {:.5f} of {:.5f}", model,
                        prompt, output, load, ttftS, seen.ttftS, lateS, seen.late(0.95), *e.tpotS, seen.tpotS);
                    // Near the capacity a queue's length is the reciprocal of a small difference.
                    QVERIFY2(near(ttftS, seen.ttftS, load > 0.8 ? 0.15 : 0.06), text.c_str());
                    QVERIFY2(near(lateS, seen.late(0.95), 0.2), text.c_str());
                    QVERIFY2(near(*e.tpotS, seen.tpotS, 0.1), text.c_str());
                }
    }

    /// Near the capacity of long prompts and short answers no pass takes more prompts than it has room for. TPOT was up
    /// to 5.3 times the simulated one.
    void shortAnswersMeetFullPassesAtMost()
    {
        for (const auto& [prompt, output] :
             {std::pair(1000, 4), std::pair(1000, 16), std::pair(500, 10), std::pair(4000, 4), std::pair(4000, 10)}) {
            PreparedScenario s = serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&, p = prompt, o = output](Scenario& x) {
                x.inference.batch = 256;
                x.inference.promptTokens = p;
                x.inference.outputTokens = o;
                x.inference.promptTokensCv = x.inference.outputTokensCv = 0;
            });
            s.inference.requestsPerS = 0.95 * *evaluate(s).requestsPerS;
            const test::SimulatedPasses seen = test::simulatePasses(s, {*s.inference.requestsPerS}, 60000);
            const Evaluation e = evaluate(s);
            const double ttftS = *e.ttftS + *e.queue->meanWaitS;
            const std::string text = fmt::format("{}/{}: TTFT {:.4f} of {:.4f}, TPOT {:.5f} of {:.5f}", prompt, output,
                                                 ttftS, seen.ttftS, *e.tpotS, seen.tpotS);
            QVERIFY2(*e.tpotS > 0.95 * seen.tpotS && *e.tpotS < 1.45 * seen.tpotS, text.c_str());
            QVERIFY2(near(ttftS, seen.ttftS, 0.2), text.c_str());
        }
    }

    /// An engine whose prompts have passes of their own: TPOT follows from the load, and places that do not bind change
    /// nothing. It was capped by that of a full batch, whose prompts share passes: 20 ms at 32 places, 37 ms at 256.
    void promptsApartSlowAnswersByTheLoad()
    {
        for (const auto& [model, accelerator, engine, prompt, output] :
             {std::tuple("llama-3.2-1b", "t4", InferenceSoftware::DeepSpeed, 50, 16),
              std::tuple("llama-3.1-8b", "h100-sxm-80gb", InferenceSoftware::Sglang, 500, 100),
              std::tuple("llama-3.1-8b", "h100-sxm-80gb", InferenceSoftware::Sglang, 50, 16),
              std::tuple("llama-3.1-8b", "a100-sxm-80gb", InferenceSoftware::Transformers, 200, 32)})
            for (const double load : {0.2, 0.35, 0.5, 0.7, 0.9}) {
                PreparedScenario s =
                    serving(model, accelerator, 1, [&, p = prompt, o = output, g = engine](Scenario& x) {
                        x.inference.batch = 32;
                        x.inference.software = g;
                        x.inference.promptTokens = p;
                        x.inference.outputTokens = o;
                        x.inference.promptTokensCv = x.inference.outputTokensCv = 0;
                    });
                const double rate = load * *evaluate(s).requestsPerS;
                s.inference.requestsPerS = rate;
                double before = 0;
                for (const std::int64_t places : {32, 64, 256}) {
                    s.inference.batch = places;
                    const test::SimulatedPasses seen = test::simulatePasses(s, {rate}, 5000);
                    const Evaluation e = evaluate(s);
                    const std::string text =
                        fmt::format("{} {}/{}, {} places at {}: TPOT {:.5f} of {:.5f}, {:.1f} of {:.1f} answers", model,
                                    prompt, output, places, load, *e.tpotS, seen.tpotS, e.batch, seen.answers);
                    const double ratio = *e.tpotS / seen.tpotS;
                    QVERIFY2(load < 0.5 ? near(ratio, 1, 0.065) : ratio > 0.9 && ratio < 1.55, text.c_str());
                    QVERIFY2(before == 0 || load > 0.5 || near(*e.tpotS, before, 1e-3), text.c_str());
                    before = *e.tpotS;
                }
            }
    }

    /// Answers that spread end one by one, and whoever waits is read as one ends: few prompts share a pass. Capacity
    /// was that of full passes of prompts, up to 2.3 times the simulated one, and no wait was said up to there.
    void answersThatSpreadEndOneByOne()
    {
        for (const auto& [model, accelerator, gpus, ranks, prompt, output] :
             {std::tuple("llama-3.1-70b", "h100-sxm-80gb", 4, 1, 200, 200),
              std::tuple("deepseek-v3", "h200-sxm-141gb", 8, 1, 300, 400),
              std::tuple("deepseek-v3", "h200-sxm-141gb", 8, 8, 2000, 400)}) {
            PreparedScenario s =
                serving(model, accelerator, gpus, [&, g = gpus, a = ranks, p = prompt, o = output](Scenario& x) {
                    x.inference.software = InferenceSoftware::Sglang;
                    x.inference.weights = DataType::Fp8;
                    x.inference.batch = 128;
                    x.inference.promptTokens = p;
                    x.inference.outputTokens = o;
                    x.inference.promptTokensCv = 0;
                    x.inference.outputTokensCv = 1;
                    x.parallelism.tensor = g / a;
                    x.parallelism.attentionData = a;
                    x.parallelism.expert = a;
                });
            s.inference.requestsPerS = 1;
            const double says = evaluate(s).queue->capacityRequestsPerS;
            const test::Draw draw = test::exponential(7);
            const auto sizes = [&, p = prompt, o = output] {
                return test::RequestSize{double(p), std::max(1.0, std::round(o * draw()))};
            };
            const double serves = test::simulatePasses(s, {10 * says}, 4000, sizes).requestsPerS;
            QVERIFY2(near(says, serves, 0.12),
                     fmt::format("{} on {} ranks: {:.2f} of {:.2f} requests/s", model, ranks, says, serves).c_str());
        }
    }

    /// Where ranks of attention data share a pass, few of the prompts that it reads do. Others' prompts cost a token as
    /// much at 3 requests a second as at 8; simulated one by one, 4.35 are served of spread answers and 5.9 of equal.
    void ranksReadWhatHasCome()
    {
        PreparedScenario s = serving("deepseek-v3", "h200-sxm-141gb", 8, [](Scenario& x) {
            x.inference.software = InferenceSoftware::Vllm;
            x.inference.weights = DataType::Fp8;
            x.inference.batch = 256;
            x.inference.promptTokens = 2000;
            x.inference.outputTokens = 400;
            x.parallelism.tensor = 1;
            x.parallelism.attentionData = x.parallelism.expert = 8;
        });
        double before = 0;
        for (const double rate : {1.0, 2.0, 3.0, 4.0}) {
            s.inference.requestsPerS = rate;
            const Evaluation e = evaluate(s);
            const double others = e.part(TimePart::PrefillInterference);
            QVERIFY2(others > 1.2 * before, fmt::format("{} at {}", others, rate).c_str());
            QVERIFY(near(e.queue->capacityRequestsPerS, 4.35, 0.12));
            before = others;
        }
    }

    /// Where prompts have passes of their own, too, a limit of tokens a pass leaves one capacity: at 80 % of what was
    /// said to be served the late waited without end.
    void onlyWhatIsReadIsServed()
    {
        for (const auto& [prompt, output] : {std::pair(520, 2), std::pair(600, 1), std::pair(400, 30)}) {
            PreparedScenario s = serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&, p = prompt, o = output](Scenario& x) {
                x.inference.software = InferenceSoftware::Sglang;
                x.inference.batch = 64;
                x.inference.promptTokens = p;
                x.inference.outputTokens = o;
                x.inference.maxTokensPerPass = 512;
            });
            s.inference.requestsPerS = 1;
            const double capacity = evaluate(s).queue->capacityRequestsPerS;
            s.inference.requestsPerS = 0.98 * capacity;
            QVERIFY2(evaluate(s).queue->p95WaitS, fmt::format("{} and {} at {}", prompt, output, capacity).c_str());
        }
    }

    /// By hand: at 97 % of what the link carries a cache is loaded in 94 ms, and the wait for it is a queue's, not an
    /// answer's: TPOT was 23.7 ms of 9.3 simulated, and 31 were in hand.
    void whoWaitsForTheLinkHasNoAnswerInHand()
    {
        PreparedScenario s = serving("llama-3.1-8b", "h100-sxm-80gb", 1, [](Scenario& x) {
            x.inference.software = InferenceSoftware::Vllm;
            x.inference.batch = 64;
            x.inference.promptTokens = 8000;
            x.inference.outputTokens = 50;
            x.inference.promptTokensCv = x.inference.outputTokensCv = 0;
            x.inference.tierHostGb = 500;
            x.inference.tierHostHits = 0.9;
            x.inference.hostLinkGbPerS = 8;
        });
        s.inference.requestsPerS = 0.97 * *evaluate(s).requestsPerS;
        const Evaluation slow = evaluate(s);
        s.inference.hostLinkGbPerS = 16;
        const Evaluation fast = evaluate(s);
        QVERIFY2(near(*slow.tpotS, *fast.tpotS, 0.03) && near(slow.batch, fast.batch, 0.05),
                 fmt::format("{} of {} s, {} of {}", *slow.tpotS, *fast.tpotS, slow.batch, fast.batch).c_str());
    }

    /// By hand: one of two places has one other to wait for, however the load grows: no more than its prompt comes
    /// between the first token and the second. It was 1.15 s of 1 s at 60 % of the capacity, and less at 63 %.
    void onlyThoseWithAPlaceComeBetween()
    {
        PreparedScenario s = serving("llama-3.1-70b", "mi300x", 1, [](Scenario& x) {
            x.inference.batch = 2;
            x.inference.software = InferenceSoftware::LlamaCpp;
            x.inference.promptTokens = 4000;
            x.inference.outputTokens = 2;
        });
        const Evaluation full = evaluate(s);
        double before = 0;
        for (const double load : {0.1, 0.3, 0.5, 0.6, 0.63, 0.7, 0.9, 0.99}) {
            s.inference.requestsPerS = load * *full.requestsPerS;
            const Evaluation e = evaluate(s);
            const std::string text = fmt::format("at {}: {} s", load, *e.tpotS);
            QVERIFY2(*e.tpotS <= *full.tpotS + full.prefill->timeS && *e.tpotS >= before * (1 - 1e-9), text.c_str());
            before = *e.tpotS;
        }
    }

    /// Ranks of attention data get prompts one after the other and read them in common passes, one each.
    void ranksReadWhatComesMeanwhile()
    {
        for (const int ranks : {2, 4, 8})
            for (const double load : {0.05, 0.1, 0.3, 0.5, 0.7, 0.85}) {
                const ReadingWait said = waitToBeRead({load * ranks, 0, 1, 0, double(ranks), 1, 0});
                const test::Draw between = test::exponential(11);
                std::vector<std::deque<double>> waiting(static_cast<std::size_t>(ranks));
                double now = 0, next = between() / (load * ranks), waitedS = 0, turns = 0;
                std::size_t come = 0, read = 0;
                while (read < 50000) {
                    if (come == read)
                        now = std::max(now, next);
                    for (; next <= now; next += between() / (load * ranks))
                        waiting[come++ % waiting.size()].push_back(next);
                    for (std::deque<double>& rank : waiting)
                        if (!rank.empty()) {
                            waitedS += now - rank.front();
                            rank.pop_front();
                            ++read;
                        }
                    now += 1;
                    turns += 1;
                }
                const double readers = double(read) / turns;
                const std::string text =
                    fmt::format("{} ranks at {}: wait {:.3f} of {:.3f}, readers {:.2f} of {:.2f}", ranks, load,
                                said.meanS, waitedS / double(read), said.readers, readers);
                QVERIFY2(near(said.meanS, waitedS / double(read), 0.2), text.c_str());
                QVERIFY2(near(said.readers, readers, 0.15), text.c_str());
            }
    }
};
HEADROOM_TEST(TestReadingQueue)

} // namespace headroom::test_reading_queue
#include "test_reading_queue.moc"
