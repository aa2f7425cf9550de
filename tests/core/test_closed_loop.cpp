// SPDX-License-Identifier: GPL-3.0-or-later
// Users who wait for their answers: each meets the requests of the others, not his own.
#include "core/plan/planner_limits.hpp"
#include "core/predict/inference/inference_users.hpp"
#include "tests/support/near.hpp"
#include "tests/support/pass_simulation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace headroom::test_closed_loop
{

using test::near;
using test::serving;

namespace
{

/// Llama 3.1 8B on one H100, lengths that do not spread.
PreparedScenario replica(std::int64_t prompt, std::int64_t output, const std::function<void(Scenario&)>& change = {})
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.batch = 96;
        s.inference.promptTokens = prompt;
        s.inference.outputTokens = output;
        s.inference.promptTokensCv = s.inference.outputTokensCv = 0;
        s.inference.targetPercentile = TargetPercentile::P99;
        if (change)
            change(s);
    });
}

/// As the planner asks.
Evaluation ofUsers(PreparedScenario s, double users, double thinkS)
{
    PlanRequest request;
    request.users = PlanUsers{users, thinkS};
    return planner::evaluateLoaded(request, s);
}

} // namespace

class TestClosedLoop : public QObject
{
    Q_OBJECT
private slots:
    /// Nobody else is there: TTFT and TPOT are those of a request alone, and nothing waits. TTFT was 1.11 times as
    /// long, TPOT 1.24 times.
    void aLoneUserHasTheReplicaToHimself()
    {
        for (const Scheduling scheduling : {Scheduling::Continuous, Scheduling::Static, Scheduling::Disaggregated})
            for (const double thinkS : {0.0, 2.0})
                for (const int ranks : {1, 4}) {
                    const PreparedScenario s = replica(4000, 50, [&](Scenario& x) {
                        x.inference.scheduling = scheduling;
                        x.hardware.count = scheduling == Scheduling::Disaggregated ? 8 : ranks;
                        x.parallelism.tensor = 1;
                        x.parallelism.attentionData = scheduling == Scheduling::Continuous ? ranks : 1;
                    });
                    PreparedScenario one = s;
                    one.inference.batch = 1;
                    const Evaluation alone = evaluate(one), e = ofUsers(s, 1, thinkS);
                    const double latencyS = alone.ttftAloneS.value_or(*alone.ttftS) + 49 * *alone.tpotS;
                    const std::string text =
                        fmt::format("scheduling {}, {} ranks, pause {}: {} of {}, wait {}", int(scheduling), ranks,
                                    thinkS, *e.requestLatencyS, latencyS, *e.queue->meanWaitS);
                    QVERIFY2(near(*e.requestLatencyS, latencyS, 1e-9), text.c_str());
                    QVERIFY2(*e.queue->meanWaitS == 0 && *e.queue->p99WaitS < 1e-9 * latencyS, text.c_str());
                    QVERIFY2(near(*e.tail->ttftS, *e.ttftS, 1e-9), text.c_str());
                }
    }

    /// Against passes one by one, with answers of exponential lengths: equal ones stay in waves. Requests a second were
    /// up to 0.81 of the simulated ones, TPOT 1.24 times.
    void usersMeetTheOthersAlone()
    {
        for (const auto& [prompt, output] : {std::pair(1000, 200), std::pair(4000, 50), std::pair(500, 100)})
            for (const double thinkS : {0.0, 2.0})
                for (const int users : {1, 2, 4, 16, 64}) {
                    const PreparedScenario s = replica(prompt, output);
                    const test::Draw draw = test::exponential(5);
                    const auto seen = test::simulatePasses(s, {0, users, thinkS}, 8000, [&, p = prompt, o = output] {
                        return test::RequestSize{double(p), std::max(1.0, std::round(double(o) * draw()))};
                    });
                    const Evaluation e = ofUsers(s, users, thinkS);
                    const std::string text = fmt::format(
                        "{}/{}, {} users, pause {}: {:.3f} of {:.3f} requests/s, TPOT {:.5f} of {:.5f}, TTFT {:.4f} of "
                        "{:.4f}",
                        prompt, output, users, thinkS, *e.requestsPerS, seen.requestsPerS, *e.tpotS, seen.tpotS,
                        *e.ttftS, seen.ttftS);
                    QVERIFY2(near(*e.requestsPerS, seen.requestsPerS, 0.06), text.c_str());
                    QVERIFY2(near(*e.tpotS, seen.tpotS, 0.08), text.c_str());
                }
    }

    /// Against passes one by one: the load was called beyond capacity, and the wait for a place left out.
    void moreUsersThanPlacesWaitForOne()
    {
        for (const auto& [prompt, output] : {std::pair(1000, 200), std::pair(4000, 50), std::pair(500, 100)})
            for (const int batch : {1, 8, 32})
                for (const auto& [thinkS, crowd] : {std::pair(0.0, 1.2), std::pair(0.0, 4.0), std::pair(2.0, 1.0),
                                                    std::pair(2.0, 2.0), std::pair(20.0, 1.0)}) {
                    PreparedScenario s = replica(prompt, output, [](Scenario& x) { x.inference.outputTokensCv = 1; });
                    s.inference.batch = batch;
                    const double capacity = *evaluate(s).requestsPerS;
                    const int users = int(std::ceil(crowd * (batch + capacity * thinkS)));
                    const test::Draw draw = test::exponential(5);
                    const auto seen = test::simulatePasses(s, {0, users, thinkS}, 8000, [&, p = prompt, o = output] {
                        return test::RequestSize{double(p), std::max(1.0, std::round(double(o) * draw()))};
                    });
                    const Evaluation e = ofUsers(s, users, thinkS);
                    const double latencyS = *e.requestLatencyS + *e.queue->meanWaitS;
                    const std::string text =
                        fmt::format("{}/{}, {} places, {} users, pause {}: {:.3f} of {:.3f} requests/s, latency {:.3f} "
                                    "of {:.3f}, late TTFT {:.3f} of {:.3f}",
                                    prompt, output, batch, users, thinkS, *e.requestsPerS, seen.requestsPerS, latencyS,
                                    seen.latencyS, *e.tail->ttftS, seen.late(0.99));
                    QVERIFY2(near(*e.requestsPerS, seen.requestsPerS, 0.02), text.c_str());
                    // Near the capacity a queue's length is the reciprocal of a small difference.
                    QVERIFY2(near(latencyS, seen.latencyS, crowd > 1 ? 0.08 : 0.12), text.c_str());
                    QVERIFY2(near(*e.requestsPerS * (latencyS + thinkS), users, 0.015), text.c_str()); // Little
                    QVERIFY2(*e.tail->ttftS > 0.9 * seen.late(0.99), text.c_str());
                    QVERIFY2(!e.warnings.has(WarningCode::LoadBeyondCapacity) && e.queue->utilization <= 1,
                             text.c_str());
                }
    }

    /// Little's law of engines that take 0.2 s beside the passes to answer first (SGLang's fitted runs), and of static
    /// batches, whose places are held until the longest answer ends: users who never pause are always under way.
    void whatIsBesideThePlaceIsNoWaitForIt()
    {
        for (const auto& [scheduling, engine, output, most] :
             {std::tuple(Scheduling::Continuous, InferenceSoftware::Sglang, 10, 0.01),
              std::tuple(Scheduling::Continuous, InferenceSoftware::Sglang, 100, 0.01),
              std::tuple(Scheduling::Static, InferenceSoftware::Vllm, 100, 0.001),
              std::tuple(Scheduling::Disaggregated, InferenceSoftware::Vllm, 100, 0.03)})
            for (const double users : {20.0, 60.0, 400.0})
                for (const double thinkS : {0.0, 0.5}) {
                    const PreparedScenario s = replica(100, output, [&, e = engine, c = scheduling](Scenario& x) {
                        x.inference.batch = 8;
                        x.inference.software = e;
                        x.inference.scheduling = c;
                        x.inference.outputTokensCv = 1;
                    });
                    const Evaluation e = ofUsers(s, users, thinkS);
                    const double all = *e.requestsPerS * (*e.requestLatencyS + *e.queue->meanWaitS + thinkS);
                    QVERIFY2(near(all, users, most),
                             fmt::format("scheduling {}, {} tokens, {} users, pause {}: {}; X {} cap {} W {} L {}",
                                         int(scheduling), output, users, thinkS, all, *e.requestsPerS,
                                         e.queue->capacityRequestsPerS, *e.queue->meanWaitS, *e.requestLatencyS)
                                 .c_str());
                }
    }

    /// Against static batches one by one, each begun when the one before has ended: who comes meanwhile waits for that,
    /// and asks the more seldom. Requests a second were up to 1.25 times the simulated ones.
    void aStaticBatchUnderWayIsPartOfTheRound()
    {
        PreparedScenario s = replica(300, 100, [](Scenario& x) {
            x.inference.batch = 8;
            x.inference.scheduling = Scheduling::Static;
        });
        std::array<double, 9> batchS{};
        for (std::int64_t b = 1; b <= 8; ++b) {
            PreparedScenario one = s;
            one.inference.batch = b;
            batchS[std::size_t(b)] = double(b) / *evaluate(one).requestsPerS;
        }
        for (const int users : {1, 2, 4, 8, 12, 24, 40})
            for (const double thinkS : {1.0, 5.0}) {
                const test::Draw draw = test::exponential(3);
                std::priority_queue<double, std::vector<double>, std::greater<>> coming;
                for (int i = 0; i < users; ++i)
                    coming.push(thinkS * draw());
                double now = 0;
                int ended = 0;
                while (ended < 20000) {
                    now = std::max(now, coming.top());
                    std::size_t n = 0;
                    for (; n < 8 && !coming.empty() && coming.top() <= now; ++n)
                        coming.pop();
                    now += batchS[n];
                    ended += int(n);
                    for (std::size_t i = 0; i < n; ++i)
                        coming.push(now + thinkS * draw());
                }
                const Evaluation e = ofUsers(s, users, thinkS);
                QVERIFY2(
                    near(*e.requestsPerS, ended / now, 0.08),
                    fmt::format("{} users, pause {}: {} of {} requests/s", users, thinkS, *e.requestsPerS, ended / now)
                        .c_str());
            }
        QCOMPARE(*ofUsers(s, 4, 0).queue->meanWaitS, 0.0); // who never pauses comes as a batch ends
    }

    /// One place by hand: n users find what n − 1 leave there, R(n) = S·(1 + Q(n − 1)) (Reiser and Lavenberg).
    void oneServerIsMeanValueAnalysis()
    {
        const double serviceS = 0.7, thinkS = 3;
        double queue = 0;
        for (int users = 1; users <= 60; ++users) {
            const double residenceS = serviceS * (1 + queue);
            queue = users / (residenceS + thinkS) * residenceS;
            inference::QueueInput q{.serviceS = serviceS, .users = double(users), .thinkS = thinkS};
            QVERIFY2(near(1 + inference::waitOfUsers(q).meanS, 1 + residenceS - serviceS, 1e-9),
                     fmt::format("{}: {}", users, inference::waitOfUsers(q).meanS).c_str());
        }
    }

    /// Without a pause everybody is always there: n − k wait. Equal services wait no less.
    void withoutAPauseAllOthersAreThere()
    {
        for (const double variation : {0.0, 1.0, 4.0})
            for (const double users : {9.0, 12.5, 2e6}) {
                inference::QueueInput q{
                    .serviceS = 2, .servers = 8, .serversPerReplica = 4, .squaredVariation = variation};
                q.users = users;
                q.thinkS = 0;
                q.requestsPerS = 4;
                const QueueResult r = inference::queueing(q);
                QVERIFY(near(*r.meanWaitS, (users - 8) * 2 / 8, 1e-9));
                QCOMPARE(r.replicasNeeded, std::ceil(users / 4));
                QVERIFY(*r.p99WaitS >= *r.p95WaitS && *r.p95WaitS >= *r.meanWaitS);
            }
    }

    /// Ever more users who ask ever more seldom are a load without end.
    void manyUsersAreALoad()
    {
        inference::QueueInput q{.requestsPerS = 3.2, .serviceS = 2, .servers = 8, .serversPerReplica = 8};
        q.loneServiceS = 1;
        const QueueResult open = inference::queueing(q);
        q.users = 1e7;
        q.thinkS = 1e7 / 3.2;
        const QueueResult closed = inference::queueing(q);
        QVERIFY(near(*closed.meanWaitS, *open.meanWaitS, 1e-4));
        QVERIFY(near(closed.waitingShare, open.waitingShare, 1e-4));
        QVERIFY(near(*closed.p99WaitS, *open.p99WaitS, 1e-3));
    }

    /// A plan that says how soon the first token has to come lets users wait so long, and one that does not gives all
    /// of them a place or a pause.
    void aPlanLetsUsersWaitAsLongAsTheTargetSays()
    {
        PreparedScenario s = replica(1000, 200, [](Scenario& x) { x.inference.batch = 8; });
        PlanRequest request;
        request.users = PlanUsers{12, 0};
        const auto missed = [&](double ttftS) {
            s.inference.ttftTargetS = ttftS > 0 ? std::optional(ttftS) : std::nullopt;
            return planner::shortfall(request, s, ofUsers(s, 12, 0));
        };
        s.users = 12;
        const planner::Shortfall load = missed(0);
        QVERIFY(load.kind == planner::LimitKind::Load && near(load.value, 12.0 / 8, 0.02));
        QVERIFY(!missed(5).any());
        QVERIFY(missed(0.5).kind == planner::LimitKind::Ttft);
    }

    /// Prompts that spread without a mix, against passes one by one that are kept full: of attention, which sees pairs
    /// of tokens, the longer ones have more. Requests a second were up to 1.25 times the simulated ones.
    void longerPromptsHaveMoreOfAttention()
    {
        constexpr int requests = 6000, users = 16;
        for (const auto& [model, prompt, output] :
             {std::tuple("llama-3.1-8b", 4000, 10), std::tuple("llama-3.1-8b", 4000, 50),
              std::tuple("llama-3.1-8b", 12000, 10), std::tuple("llama-3.1-8b", 12000, 100)})
            for (const double spread : {0.0, 0.5, 1.0, 1.5}) {
                std::mt19937_64 engine(3);
                std::normal_distribution<double> normal;
                const double variance = std::log1p(spread * spread);
                std::vector<double> lengths(requests + users);
                double sum = 0, squares = 0;
                for (double& length : lengths) {
                    length = std::round(prompt * std::exp(std::sqrt(variance) * normal(engine) - variance / 2));
                    length = std::clamp(length, 1.0, 131072.0);
                    sum += length;
                    squares += length * length;
                }
                const double mean = sum / double(lengths.size());
                const double cv = std::sqrt(std::max(0.0, squares / double(lengths.size()) / (mean * mean) - 1));
                const PreparedScenario s = serving(model, "h100-sxm-80gb", 1, [&, o = output](Scenario& x) {
                    x.inference.batch = users;
                    x.inference.promptTokens = std::llround(mean);
                    x.inference.outputTokens = o;
                    x.inference.promptTokensCv = cv;
                    x.inference.outputTokensCv = 0;
                });
                std::size_t next = 0;
                const auto seen = test::simulatePasses(s, {0, users, 0}, requests, [&, o = output] {
                    return test::RequestSize{lengths[next++], double(o)};
                });
                const Evaluation e = evaluate(s);
                const std::string text = fmt::format("{} {}/{}, variation {}: {:.4f} of {:.4f} requests/s", model,
                                                     prompt, output, cv, *e.requestsPerS, seen.requestsPerS);
                QVERIFY2(near(*e.requestsPerS, seen.requestsPerS, 0.02), text.c_str());
            }
    }

    /// By hand, Little's law: of 200 that are asked for at once those that do not fit wait for those that do, so all of
    /// them are under way for 200 ÷ requests/s. Each of the waiting took a token too long: 16 tokens took longer
    /// than 32.
    void thoseThatDoNotFitWaitForThoseThatDo()
    {
        double before = 0;
        for (const std::int64_t output : {16, 32, 64}) {
            const PreparedScenario s = serving("llama-3.1-70b", "h100-sxm-80gb", 4, [&](Scenario& x) {
                x.inference.batch = 200;
                x.inference.promptTokens = 4000;
                x.inference.outputTokens = output;
                x.inference.drafting = Drafting::Eagle;
                x.inference.software = InferenceSoftware::TrtLlm;
            });
            const Evaluation e = evaluate(s);
            const std::string text = fmt::format("{} tokens, {} fit: {} s, {} a second", output, e.batch,
                                                 *e.requestLatencyS, *e.requestsPerS);
            QVERIFY2(e.batch < 150, text.c_str());
            QVERIFY2(near(*e.requestLatencyS * *e.requestsPerS, 200, 0.02), text.c_str());
            QVERIFY2(*e.requestLatencyS > before, text.c_str());
            before = *e.requestLatencyS;
        }
    }

    /// A replica with one place reads one prompt at a time, however many ranks it has and whatever the load: it took
    /// two beside each other, and TTFT fell where the load came to the capacity.
    void onePlaceReadsOnePrompt()
    {
        PreparedScenario s = replica(4000, 16, [](Scenario& x) {
            x.inference.batch = 1;
            x.hardware.count = 4;
            x.parallelism.attentionData = 4;
            x.parallelism.tensor = 1;
        });
        const double capacity = *evaluate(s).requestsPerS;
        for (const double load : {0.1, 0.6, 0.99, 1.5}) {
            s.inference.requestsPerS = load * capacity;
            const Evaluation e = evaluate(s);
            QVERIFY2(near(*e.ttftS, *e.ttftAloneS, 1e-9), fmt::format("{}: {}", load, *e.ttftS).c_str());
        }
    }

    /// By hand: as many as there are places never wait for one; of n who are more, each waits as if n − 1 asked.
    void usersWithAPlaceEachWaitForNone()
    {
        const PreparedScenario s = replica(1000, 200, [](Scenario& x) { x.inference.batch = 8; });
        QCOMPARE(*ofUsers(s, 8, 0.5).queue->meanWaitS, 0.0);
        QVERIFY(*ofUsers(s, 12, 5).queue->meanWaitS > 0);
        PreparedScenario crowd = s;
        crowd.inference.requestsPerS = *ofUsers(s, 12, 5).requestsPerS;
        QVERIFY(*ofUsers(s, 12, 5).queue->meanWaitS < *evaluate(crowd).queue->meanWaitS);
    }

    /// They never pause and fill the replica, as the static count of its places does: another replica is not needed.
    /// Two were, at twice the price.
    void usersWithoutAPauseFillWhatTheyHave()
    {
        const PreparedScenario s = replica(1000, 200, [](Scenario& x) { x.inference.batch = 8; });
        const Evaluation full = ofUsers(s, 8, 0);
        QCOMPARE(full.queue->utilization, 1.0);
        QCOMPARE(full.queue->replicasNeeded, 1.0);
        QCOMPARE(*full.queue->meanWaitS, 0.0);
        QVERIFY(!full.warnings.has(WarningCode::LoadBeyondCapacity));
        QVERIFY(near(*full.tokensPerS, *evaluate(s).tokensPerS, 1e-9));
        PlanRequest request;
        request.users = PlanUsers{8, 0};
        QVERIFY(!planner::shortfall(request, s, full).any());
        const double waitS = 9 / *full.requestsPerS - *full.requestLatencyS; // Little: one of nine waits for a place
        QVERIFY(near(*ofUsers(s, 9, 0).queue->meanWaitS, waitS, 0.01));
    }
};
HEADROOM_TEST(TestClosedLoop)

} // namespace headroom::test_closed_loop
#include "test_closed_loop.moc"
