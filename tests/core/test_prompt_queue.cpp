// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts queue for the devices that read them: what late requests wait, against a scheduler that is simulated.
#include "core/explain/derive.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/serving_simulation.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <vector>

namespace headroom::test_prompt_queue
{

using test::near;
using test::serving;

namespace
{

/// Llama 3.1 8B on one H100: long prompts, short answers.
PreparedScenario reader(std::int64_t prompt, std::int64_t output, const std::function<void(Scenario&)>& change = {})
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.batch = 64;
        s.inference.promptTokens = prompt;
        s.inference.outputTokens = output;
        s.inference.promptTokensCv = 0;
        s.inference.outputTokensCv = 0;
        s.inference.targetPercentile = TargetPercentile::P95;
        if (change)
            change(s);
    });
}

Evaluation loaded(PreparedScenario s, double requestsPerS)
{
    s.inference.requestsPerS = requestsPerS;
    return evaluate(s);
}

} // namespace

class TestPromptQueue : public QObject
{
    Q_OBJECT
private slots:
    /// Long prompts, short answers: a request that comes meets whole queues of prompts, which a batch that is kept full
    /// has not: TPOT was a third of the simulated one, and the late TTFT a fourth.
    void aLoadOfLongPromptsIsThatOfTheSimulation()
    {
        for (const auto& [prompt, output] : {std::pair(8000, 50), std::pair(8000, 200), std::pair(4000, 50)})
            for (const double load : {0.3, 0.5, 0.7, 0.85}) {
                const PreparedScenario s = reader(prompt, output);
                const double rate = load * *evaluate(s).requestsPerS;
                const Evaluation e = loaded(s, rate);
                const double together = s.calibration->inference.serving.togetherTokens;
                const test::SimulatedServing run =
                    test::simulateServing(s, rate, 20000, test::exponential(11), test::answers(test::constant()),
                                          std::max(1.0, together / double(prompt)));
                const double latencyS = *e.requestLatencyS + *e.queue->meanWaitS;
                const std::string text = fmt::format("{}/{} at {}: TPOT {:.4f} of {:.4f}, "
                                                     "latency {:.3f} of {:.3f}, late TTFT "
                                                     "{:.3f} of {:.3f}",
                                                     prompt, output, load, run.tpotS, *e.tpotS, run.latencyS, latencyS,
                                                     run.ttftP95S, *e.tail->ttftS);
                // Near the capacity a queue's length is the reciprocal of a small difference.
                const double allowed = load > 0.8 ? 0.25 : 0.15;
                QVERIFY2(near(*e.tpotS, run.tpotS, allowed), text.c_str());
                QVERIFY2(near(latencyS, run.latencyS, allowed), text.c_str());
                QVERIFY2(near(*e.tail->ttftS, run.ttftP95S, allowed), text.c_str());
            }
    }

    /// The late wait is that of the exponential tail that has the wait's mean and spread, less the mean, which TTFT
    /// has.
    void lateRequestsWaitLonger()
    {
        const PreparedScenario s = reader(8000, 50);
        const Evaluation e = loaded(s, 3);
        const WaitTail& wait = e.queue->prompts;
        QVERIFY(near(*e.tail->waitS, wait.meanS * std::log(wait.share / 0.05) - wait.countedS, 1e-9));
        // Lengths that spread wait longer, and so do those of an unknown spread: as long as with a variation of 1, but
        // for the pairs of tokens, which are those of the mean length.
        PreparedScenario spread = s;
        spread.inference.promptTokensCv = 1;
        const Evaluation far = loaded(spread, 3);
        spread.inference.promptTokensCv.reset();
        const Evaluation unknown = loaded(spread, 3);
        QVERIFY(unknown.queue->prompts.meanS > 1.3 * wait.meanS &&
                unknown.queue->prompts.meanS < far.queue->prompts.meanS);
        QVERIFY(*far.queue->p95WaitS > 1.3 * *e.queue->p95WaitS && *far.ttftS > *e.ttftS);
    }

    /// One request after the other: nobody's prompt waits for another's, and the wait is for the place.
    void onePlaceHasNoPromptsBeforeItsOwn()
    {
        const PreparedScenario s = reader(8000, 50, [](Scenario& scenario) { scenario.inference.batch = 1; });
        const Evaluation e = loaded(s, 1);
        QVERIFY(near(*e.ttftS, *e.ttftAloneS, 1e-9));
        QVERIFY(e.part(TimePart::PrefillInterference) == 0);
        const double places = *e.queue->meanWaitS / e.queue->waitingShare * std::log(e.queue->waitingShare / 0.05);
        QVERIFY(near(*e.tail->waitS, places, 1e-9));
    }

    /// Devices that only read: as many as a full batch needs, so ρ is the load.
    void readersApartHaveAQueueOfTheirOwn()
    {
        const PreparedScenario s = reader(8000, 50, [](Scenario& scenario) {
            scenario.hardware.count = 8;
            scenario.inference.scheduling = Scheduling::Disaggregated;
        });
        const double capacity = *evaluate(s).requestsPerS;
        const Evaluation calm = loaded(s, 0.3 * capacity), busy = loaded(s, 0.9 * capacity);
        QVERIFY2(*busy.queue->meanWaitS > 0.1 * busy.prefill->timeS, fmt::format("{}", *busy.queue->meanWaitS).c_str());
        QVERIFY(*busy.queue->meanWaitS > *calm.queue->meanWaitS && *busy.queue->p95WaitS > *busy.queue->meanWaitS);
        QVERIFY(*busy.tail->ttftS > *busy.ttftS + *busy.queue->meanWaitS);
    }

    /// A static batch lasts as long as its longest answer. Of two that are log-normal that has 2·Φ(σ/√2) times the mean
    /// length; of two of a mix in equal shares, 100 and 300 tokens, three in four have the longer one.
    void aStaticBatchWaitsForItsLongestAnswer()
    {
        const auto two = [](const std::function<void(Scenario&)>& change) {
            return evaluate(reader(1000, 200, [&](Scenario& s) {
                s.inference.batch = 2;
                s.inference.scheduling = Scheduling::Static;
                change(s);
            }));
        };
        const auto batchS = [](const Evaluation& r, double longest) { return *r.ttftS + (longest - 1) * *r.tpotS; };
        const double variation = 1.5, sigma = std::sqrt(std::log1p(variation * variation));
        const double longest = 200 * std::erfc(-sigma / 2);
        const Evaluation spread = two([&](Scenario& s) { s.inference.outputTokensCv = variation; });
        QVERIFY(near(*spread.tokensPerS, 2 * 200 / batchS(spread, longest), 1e-6));
        const Evaluation mixed = two([](Scenario& s) {
            s.inference.outputTokensCv.reset();
            s.inference.mix = RequestMix{{RequestClass{0.5, 1000, 100}, RequestClass{0.5, 1000, 300}}, 2};
        });
        QVERIFY(near(*mixed.tokensPerS, 2 * 200 / batchS(mixed, 250), 1e-9));
        const Evaluation equal = two([](Scenario&) {});
        QVERIFY(near(*equal.tokensPerS, 2 * 200 / batchS(equal, 200), 1e-9));
        // No answer is longer than the model's context leaves: 8,192 − 1,000 tokens.
        InferenceWorkload wide;
        wide.promptTokens = 1000;
        wide.outputTokens = 2000;
        wide.outputTokensCv = 3;
        QVERIFY(inference::longestAnswer(wide, 256, 8192) <= 7192);
        QVERIFY(inference::longestAnswer(wide, 256, 8192) > 7000);
        QVERIFY(inference::longestAnswer(wide, 256, 0) > 20000);
    }

    /// One replica that takes up whoever waits, up to 32, and answers all of them: it said that nobody waits.
    void aStaticBatchWaitsForTheOneBeforeIt()
    {
        const PreparedScenario s = reader(1000, 200, [](Scenario& scenario) {
            scenario.inference.batch = 32;
            scenario.inference.scheduling = Scheduling::Static;
        });
        std::vector<double> batchS{0};
        for (int n = 1; n <= 32; ++n) {
            PreparedScenario one = s;
            one.inference.batch = n;
            batchS.push_back(n * 200.0 / *evaluate(one).tokensPerS);
        }
        for (const double load : {0.3, 0.5, 0.7}) {
            const double rate = load * *evaluate(s).requestsPerS;
            const Evaluation e = loaded(s, rate);
            const test::Draw between = test::exponential(11);
            std::deque<double> waiting;
            double now = 0, next = between() / rate, waitedS = 0;
            int served = 0;
            while (served < 20000) {
                now = waiting.empty() ? std::max(now, next) : now;
                for (; next <= now; next += between() / rate)
                    waiting.push_back(next);
                std::size_t taken = 0;
                for (; taken < 32 && !waiting.empty(); ++taken) {
                    waitedS += now - waiting.front();
                    waiting.pop_front();
                }
                served += int(taken);
                now += batchS[taken];
            }
            const std::string text = fmt::format("{}: {:.3f} of {:.3f} s", load, waitedS / served, *e.queue->meanWaitS);
            QVERIFY2(near(waitedS / served, *e.queue->meanWaitS, 0.12), text.c_str());
            QVERIFY(*e.queue->p95WaitS > 1.7 * *e.queue->meanWaitS);
        }
    }

    void theWaitOpensIntoItsFormula()
    {
        const PreparedScenario s = reader(8000, 50);
        PreparedScenario busy = s;
        busy.inference.requestsPerS = 3;
        const Evaluation e = evaluate(busy);
        const Derivation derivation = derive("tail.wait_s", busy, e);
        QCOMPARE(derivation.steps.back().formula, std::string("w × ln(C ÷ 0.05) − w_m"));
        QVERIFY(near(derivation.steps.back().value, *e.tail->waitS, 1e-12));
    }
};
HEADROOM_TEST(TestPromptQueue)

} // namespace headroom::test_prompt_queue
#include "test_prompt_queue.moc"
