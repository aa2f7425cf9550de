// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_queue.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <rapidcheck.h>
#include <vector>

namespace headroom::test_queue
{

using test::near;
using test::serving;

using namespace inference;

namespace
{

/// Erlang C literally, by the textbook's sum; good for few servers only.
double textbookErlangC(int servers, double offered)
{
    double sum = 0, term = 1;
    for (int j = 0; j < servers; ++j) {
        sum += term;
        term *= offered / (j + 1);
    }
    const double busy = term * servers / (servers - offered);
    return busy / (sum + busy);
}

/// The chance to wait for one of `servers` under `offered`, in servers.
double erlangC(double servers, double offered)
{
    QueueInput q;
    q.requestsPerS = offered;
    q.serviceS = 1;
    q.servers = q.serversPerReplica = servers;
    return waitProbability(q);
}

/// Waits of requests that come at random, for batches of at most `places` that each take a second.
struct Batches {
    double meanS = 0, p95S = 0, busy = 0;

    Batches(double requestsPerS, std::size_t places)
    {
        constexpr std::size_t requests = 100000;
        std::mt19937 random(11); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
        std::exponential_distribution<double> pause(requestsPerS);
        std::vector<double> come(requests), waits;
        double now = 0, free = 0, worked = 0;
        for (double& one : come)
            one = now += pause(random);
        for (std::size_t first = 0; first < requests;) {
            const double start = std::max(free, come[first]);
            std::size_t last = first;
            while (last < requests && last - first < places && come[last] <= start)
                waits.push_back(start - come[last++]);
            first = last;
            free = start + 1;
            ++worked;
        }
        std::ranges::sort(waits);
        for (const double wait : waits)
            meanS += wait / requests;
        p95S = waits[requests * 95 / 100];
        busy = worked / free;
    }
};

} // namespace

class TestQueue : public QObject
{
    Q_OBJECT
private slots:
    /// What drives read for one prompt the next one waits for, though there are places for both: M/M/1, since how far
    /// lengths spread is not stated.
    void promptsQueueForTheDrives()
    {
        for (const double busy : {0.1, 0.5, 0.8}) {
            PreparedScenario s = test::serving("llama-3.1-8b", "h100-sxm-80gb", 1, [](Scenario& scenario) {
                scenario.inference.batch = 128;
                scenario.inference.promptTokens = 16000;
                scenario.inference.outputTokens = 100;
                scenario.inference.tierNvmeHits = 0.8;
                scenario.inference.nvmeGbPerS = 6.5;
            });
            const double readS = evaluate(s).tiers->loadBytes / 6.5e9;
            s.inference.requestsPerS = busy / readS;
            const Evaluation e = evaluate(s);
            QVERIFY(near(*e.queue->meanWaitS, busy / (1 - busy) * readS, 1e-3));
            QVERIFY(near(*e.queue->p99WaitS, std::log(busy / 0.01) * readS / (1 - busy), 1e-3));
            s.inference.nvmeGbPerS = 1000; // then the link is the narrower
            QVERIFY(evaluate(s).queue->meanWaitS.value() < 0.05 * readS);
        }
    }

    void oneServerWaitsWithItsUtilization()
    {
        for (const double load : {0.1, 0.5, 0.9, 0.999})
            QVERIFY(near(erlangC(1, load), load, 1e-12));
    }
    void agreesWithTheTextbook()
    {
        QVERIFY(rc::check("small systems", [] {
            const int servers = *rc::gen::inRange(1, 60);
            const double load = 0.001 * *rc::gen::inRange(1, 999);
            RC_ASSERT(near(erlangC(servers, load * servers), textbookErlangC(servers, load * servers), 1e-9));
        }));
    }
    void aMillionServersStayFiniteAndQuick()
    {
        const auto start = std::chrono::steady_clock::now();
        for (const double load : {0.01, 0.5, 0.99, 0.999, 0.99999, 0.9999999}) {
            const double waits = erlangC(1e6, load * 1e6);
            QVERIFY2(waits >= 0 && waits <= 1, qPrintable(QString::number(waits)));
        }
        // Halfin and Whitt: with k = a + β·√a servers the chance to wait is 1/(1 + β·Φ(β)/φ(β)); β = 1: 0.2234.
        const double offered = 1e6 - 1e3 + 0.5;
        QVERIFY(near(erlangC(1e6, offered), 0.2234, 0.01));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        QVERIFY2(took.count() < 0.5 * test::timesSlower, "a sum over a million terms would be slow");
    }
    void waitingGrowsWithLoad()
    {
        QVERIFY(rc::check("monotone", [] {
            const double servers = *rc::gen::inRange(1, 5000);
            const double a = 0.001 * *rc::gen::inRange(0, 999), b = 0.001 * *rc::gen::inRange(0, 999);
            RC_ASSERT(erlangC(servers, std::min(a, b) * servers) <= erlangC(servers, std::max(a, b) * servers));
        }));
    }
    void mm1ByHand()
    {
        // One server, Poisson arrivals, exponential service: W = ρ/(1 − ρ)·S, p95 = −ln(0.05/ρ)·S/(1 − ρ).
        const QueueResult r = queueing({0.8, 1.0, 1, 1, 1.0});
        QVERIFY(near(r.utilization, 0.8, 1e-12));
        QVERIFY(near(*r.meanWaitS, 4.0, 1e-9));
        QVERIFY(near(*r.p95WaitS, std::log(0.8 / 0.05) * 5, 1e-9));
        QCOMPARE(r.replicasNeeded, 1.0);
    }
    void constantServiceHalvesTheWait()
    {
        const QueueResult variable = queueing({0.8, 1.0, 1, 1, 1.0}), constant = queueing({0.8, 1.0, 1, 1, 0.0});
        QVERIFY(near(*constant.meanWaitS, *variable.meanWaitS / 2, 1e-12));
    }
    void overloadIsAnAnswer()
    {
        const QueueResult r = queueing({10, 2.0, 16, 8, 1.0}); // 20 busy servers wanted, 16 there
        QVERIFY(r.utilization > 1);
        QVERIFY(!r.meanWaitS && !r.p95WaitS);
        QCOMPARE(r.replicasNeeded, 3.0);
        QCOMPARE(queueing({8, 2.0, 16, 8, 1.0}).replicasNeeded, 3.0); // exactly full is not enough
    }
    void exactlyFullIsFullHoweverItRounds()
    {
        QVERIFY(rc::check("users who never pause", [] {
            const double serviceS = 0.001 * *rc::gen::inRange(1, 100000) / 7;
            const double perReplica = *rc::gen::inRange(1, 300), replicas = *rc::gen::inRange(1, 50);
            const double servers = perReplica * replicas;
            const QueueResult r = queueing({servers / serviceS, serviceS, servers, perReplica, 1.0});
            RC_ASSERT(r.utilization == 1.0);
            RC_ASSERT(!r.meanWaitS && !r.p95WaitS);
            RC_ASSERT(r.replicasNeeded == replicas + 1);
        }));
    }
    /// The chain state by state: with n in flight on each of r replicas a request takes the line's time at n ÷ r.
    void servicesThatTakeLongerInCompany()
    {
        QVERIFY(rc::check("small systems", [] {
            const int places = *rc::gen::inRange(2, 12), replicas = *rc::gen::inRange(1, 4);
            const int servers = places * replicas;
            const double full = 2, lone = 0.1 * *rc::gen::inRange(1, 21);
            const double load = 0.001 * *rc::gen::inRange(1, 999) * servers / full;
            double state = 1, sum = 1;
            for (int n = 1; n <= servers; ++n) {
                const double company = std::max(0.0, double(n) / replicas - 1) / (places - 1);
                state *= load * (lone + (full - lone) * company) / n;
                sum += state;
            }
            const double ratio = load * full / servers; // of the states beyond, each to the one before
            const double expected = state / (1 - ratio) / (sum + state * ratio / (1 - ratio));
            QueueInput q{load, full, double(servers), double(places), 1.0, lone};
            RC_ASSERT(near(waitProbability(q), expected, 1e-9));
            q.loneServiceS = full;
            RC_ASSERT(near(waitProbability(q), erlangC(servers, load * full), 1e-9));
            RC_ASSERT(waitProbability({load, full, double(servers), double(places), 1.0, lone}) <=
                      waitProbability(q) * (1 + 1e-9));
        }));
    }
    /// Renewal theory by hand: at any moment the answer in hand has a mean length of out·(1 + c²), half of it written.
    void longAnswersAreMetMoreOften()
    {
        InferenceWorkload w;
        w.promptTokens = 1000;
        w.outputTokens = 200;
        const auto mean = [&w] {
            const auto contexts = decodeContexts(w);
            return (contexts[0] + contexts[1] + contexts[2] + contexts[3]) / 4;
        };
        QCOMPARE(mean(), 1100.0);
        w.outputTokensCv = 0;
        QCOMPARE(mean(), 1100.0);
        w.outputTokensCv = 1;
        QCOMPARE(mean(), 1200.0);
        w.outputTokensCv = 20; // as far as the farthest percent
        w.outputTokensP99 = 1500;
        QCOMPARE(mean(), 1750.0);
    }

    /// Of two places and a light load half of the wait was counted.
    void requestsWaitForTheBatchUnderWay()
    {
        const PreparedScenario p = test::serving("llama-3-8b", "h100-sxm-80gb", 1,
                                                 [](Scenario& s) { s.inference.scheduling = Scheduling::Static; });
        const Machine machine = makeMachine(p, false);
        for (const std::size_t places : {1, 2, 3, 4, 8, 32}) {
            for (const double load : {0.05, 0.2, 0.5, 0.8, 0.9}) {
                QueueInput input;
                input.requestsPerS = load * double(places);
                input.serviceS = 1;
                input.servers = input.serversPerReplica = double(places);
                input.squaredVariation = 0;
                const Batches seen(input.requestsPerS, places);
                Serving v;
                v.batch = v.mostBatch = double(places);
                v.tokensPerS = v.loneTokensPerS = v.batch * double(p.inference.outputTokens);
                v.busy = seen.busy;
                QueueResult queue = queueing(input);
                addReadingWait(p, machine, v, queue);
                const std::string what = fmt::format("{} places, load {}: mean {} for {}, late {} for {}", places, load,
                                                     *queue.meanWaitS, seen.meanS, *queue.p95WaitS, seen.p95S);
                QVERIFY2(near(*queue.meanWaitS, seen.meanS, 0.12), what.c_str());
                QVERIFY2(*queue.p95WaitS < 1.25 * seen.p95S + 0.02 && *queue.p95WaitS > 0.96 * seen.p95S - 0.02,
                         what.c_str());
            }
        }
    }

    /// Who has his answer before the longest of its batch ends waits for that: no more requests are under way than
    /// there are people.
    void usersOfAStaticBatchWaitForItsEnd()
    {
        for (const double users : {10.0, 60.0, 100.0}) {
            PreparedScenario p = test::serving("llama-3.1-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
                s.inference.batch = 128;
                s.inference.promptTokens = 512;
                s.inference.outputTokens = 256;
                s.inference.outputTokensP99 = 1024;
                s.inference.scheduling = Scheduling::Static;
            });
            const double requestsPerS = requestsOfUsers(p, users, 0);
            p.inference.requestsPerS = requestsPerS;
            p.users = users;
            const Evaluation e = evaluate(p);
            QVERIFY(near(requestsPerS * (*e.requestLatencyS + *e.queue->meanWaitS), users, 1e-6));
            QVERIFY(near(e.batch, users, 1e-6));
        }
    }

    void lengthsFromMeanAndPercentile()
    {
        QCOMPARE(squaredVariation(100, 100), 0.0);
        QCOMPARE(squaredVariation(100, 50), 0.0);
        for (const double sigma : {0.1, 0.5, 1.0, 1.5}) {
            const double p95 = 100 * std::exp(1.6448536269514722 * sigma - sigma * sigma / 2);
            QVERIFY(near(squaredVariation(100, p95), std::exp(sigma * sigma) - 1, 1e-9));
        }
        QVERIFY(std::isfinite(squaredVariation(1, 1e9)));
    }

    /// By hand: of n batches that end any time within S the soonest does after S ÷ (n + 1), and all but 5 % of the time
    /// within S·(1 − 0.05^(1/n)). It was S ÷ 2n, as if something kept them at even distances.
    void whoeverWaitsTakesTheSoonestBatch()
    {
        const auto waits = [](std::int64_t replicas) {
            PreparedScenario p = serving("llama-3.1-8b", "h100-sxm-80gb", replicas, [](Scenario& s) {
                s.parallelism.tensor = 1;
                s.inference.scheduling = Scheduling::Static;
                s.inference.batch = 32;
                s.inference.promptTokens = 1000;
                s.inference.outputTokens = 200;
                s.inference.promptTokensCv = s.inference.outputTokensCv = 0;
            });
            p.inference.requestsPerS = 0.6 * *evaluate(p).requestsPerS;
            return *evaluate(p).queue;
        };
        const QueueResult one = waits(1), four = waits(4);
        QVERIFY2(near(*four.meanWaitS / *one.meanWaitS, 2.0 / 5, 0.02), std::to_string(*four.meanWaitS).c_str());
        const double late = (1 - std::pow(0.05, 0.25)) / 0.95;
        QVERIFY2(near(*four.p95WaitS / *one.p95WaitS, late, 0.02), std::to_string(*four.p95WaitS).c_str());
    }
};
HEADROOM_TEST(TestQueue)

} // namespace headroom::test_queue
#include "test_queue.moc"
