// SPDX-License-Identifier: GPL-3.0-or-later
// What a stated load makes of a deployment: batch in flight, latency, cost, energy; and GPUs that only read prompts.
#include "core/charts/chart_registry.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_machine.hpp"
#include "core/scenario/effective.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_load
{

using test::near;
using test::serving;

namespace
{

Evaluation loaded(PreparedScenario scenario, std::optional<double> requestsPerS)
{
    scenario.inference.requestsPerS = requestsPerS;
    return evaluate(scenario);
}

/// Replicas that follow a day are as many as it needs (test_day_energy): here the scenario's own.
PreparedScenario fixedFleet(PreparedScenario scenario)
{
    scenario.inference.autoscale = {};
    return scenario;
}

PreparedScenario priced(PreparedScenario scenario)
{
    scenario.hardware.pricePerGpuHour = 2;
    scenario.measured = {};
    return scenario;
}

QByteArray where(int seed, double load)
{
    return QStringLiteral("scenario %1 at %2 requests/s").arg(seed).arg(load, 0, 'g', 17).toUtf8();
}

constexpr int scenarios = 600;

} // namespace

class TestLoad : public QObject
{
    Q_OBJECT
private slots:
    /// Audit case d13: $2 an hour for 0.1 × 256 × 3600 tokens. It read $0.185, of tokens that nobody asks for.
    void anIdleGpuIsPaidByTheFewWhoUseIt()
    {
        const PreparedScenario s = priced(serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& scenario) {
            scenario.inference.batch = 32;
            scenario.inference.requestsPerS = 0.1;
        }));
        const Evaluation e = evaluate(s), full = loaded(s, std::nullopt);
        QVERIFY(near(*e.costPerMillionTokens, 2 / (0.1 * 256 * 3600) * 1e6));
        QVERIFY(near(*e.tokensPerS, 25.6) && near(*e.requestsPerS, 0.1));
        QCOMPARE(e.batch, 1.0);
        QVERIFY(*e.tpotS < *full.tpotS && *e.ttftS < *full.ttftS);
        QVERIFY(*e.watts < *full.watts);
        QVERIFY(near(*e.joulesPerToken, *e.watts / 25.6));
        QVERIFY(near(e.queue->utilization, 0.1 / *full.requestsPerS));
        QVERIFY(e.warnings.has(WarningCode::LoadDecidesBatch) && !full.warnings.has(WarningCode::LoadDecidesBatch));
        QCOMPARE(e.usedBytes, full.usedBytes); // the engine keeps room for the whole batch
    }

    /// A load that a whole number of sequences carries is carried by them, whatever more there could be.
    void inFlightIsWhatCarriesTheLoad()
    {
        for (const Scheduling scheduling : {Scheduling::Static, Scheduling::Continuous, Scheduling::Disaggregated})
            for (const std::int64_t sequences : {2, 3, 7, 20, 64}) {
                const PreparedScenario s = serving("llama-3-70b", "h100-sxm-80gb", 8, [&](Scenario& scenario) {
                    scenario.parallelism.tensor = 4;
                    scenario.inference.batch = 64;
                    scenario.inference.scheduling = scheduling;
                });
                PreparedScenario exact = s;
                exact.inference.batch = sequences;
                const Evaluation alone = evaluate(exact);
                if (scheduling != Scheduling::Static && sequences < 64)
                    continue; // fewer would have their own ratio of pools, or come when others end
                const Evaluation e = loaded(s, *alone.requestsPerS);
                QVERIFY(near(e.batch, double(sequences)));
                QVERIFY(near(*e.tpotS, *alone.tpotS) && near(*e.ttftS, *alone.ttftS));
                QVERIFY(near(*e.tokensPerS, *alone.tokensPerS) && near(*e.mbu, *alone.mbu));
            }
    }

    /// Prompts in chunks: four batches from 2.4 to 3 carry this load, and the slider of the batch led to all of them.
    void whatCarriesALoadDoesNotDependOnHowMuchMoreIsAllowed()
    {
        PreparedScenario s = serving("jamba-1.5-mini", "trainium1", 32, [](Scenario& scenario) {
            scenario.parallelism.tensor = 8;
            scenario.parallelism.pipeline = scenario.parallelism.attentionData = 2;
            scenario.inference.promptTokens = 4096;
            scenario.inference.outputTokens = 1;
            scenario.inference.requestsPerS = 1;
            scenario.inference.weights = DataType::Fp32;
            scenario.inference.compute = DataType::Bf16;
            scenario.inference.scheduling = Scheduling::Static;
            scenario.inference.flashAttention = FlashAttention::Off;
            scenario.inference.software = InferenceSoftware::LlamaCpp;
            scenario.efficiency.matmul = scenario.efficiency.memoryBandwidth = 0.1;
            scenario.inference.expertImbalance = scenario.parallelism.expert = 2;
        });
        std::vector<double> found;
        for (const std::int64_t allowed : {8, 14, 20, 31, 62, 124, 2000}) {
            s.inference.batch = allowed;
            found.push_back(evaluate(s).batch);
        }
        QVERIFY(found.front() > 2 && found.front() < 4);
        for (const double batch : found)
            QVERIFY2(near(batch, found.front()), qPrintable(QString::number(batch)));
    }

    void moreLoadNeverHelpsThoseWhoWaitNorCostsMoreAToken()
    {
        test::RandomScenarios random(20);
        int below = 0, between = 0;
        for (int i = 0; i < scenarios; ++i) {
            const PreparedScenario s = fixedFleet(priced(random.next(Task::Inference)));
            if (hasPrefillPool(s) && !s.inference.prefillPool.count)
                continue; // grows with the load
            const double inTurn = *loaded(s, std::nullopt).requestsPerS;
            const Evaluation full = loaded(s, 20 * inTurn); // answers then end one by one
            const double capacity = full.queue->capacityRequestsPerS;
            QVERIFY2(capacity <= inTurn * (1 + 1e-9), where(i, capacity).constData());
            // Prompts that have passes of their own share them the better the fuller the replica is: answers are slowed
            // most before that (test_reading_queue).
            const bool apart = s.inference.scheduling == Scheduling::Continuous &&
                               !inference::makeMachine(s, false).engine.mixesPrompts;
            Evaluation before;
            for (const double share : {1e-6, 0.01, 0.2, 0.5, 0.8, 0.95, 0.999, 1.0, 1.5, 20.0}) {
                const double load = share * capacity;
                const Evaluation e = loaded(s, load);
                const auto here = [&] { return where(i, load); };
                QVERIFY2(near(e.queue->utilization, share), here().constData());
                QVERIFY2(near(e.queue->capacityRequestsPerS, capacity), here().constData());
                QVERIFY2(near(*e.requestsPerS, std::min(load, capacity)), here().constData());
                QVERIFY2(near(*e.costPerMillionTokens, *e.costPerHour / 3600 / *e.tokensPerS * 1e6),
                         here().constData());
                QVERIFY2(!e.watts || near(*e.joulesPerToken, *e.watts / *e.tokensPerS), here().constData());
                QVERIFY2(e.batch >= 1 && e.batch <= full.batch, here().constData());
                QVERIFY2(apart || *e.tpotS <= *full.tpotS * (1 + 1e-9), here().constData());
                QVERIFY2(!e.tokensPerSInterval || (e.tokensPerSInterval->low <= *e.tokensPerS &&
                                                   *e.tokensPerS <= e.tokensPerSInterval->high),
                         here().constData());
                if (share >= 1) {
                    QVERIFY2(near(e.batch, full.batch) && near(*e.tpotS, *full.tpotS), here().constData());
                    QVERIFY2(e.warnings.has(WarningCode::LoadBeyondCapacity) || share == 1, here().constData());
                } else {
                    ++below;
                    between += e.batch > 1 && e.batch < full.batch ? 1 : 0;
                }
                if (before.queue) {
                    QVERIFY2(!e.queue->meanWaitS || *e.queue->meanWaitS >= *before.queue->meanWaitS,
                             here().constData());
                    QVERIFY2(*e.ttftS >= *before.ttftS * (1 - 1e-9), here().constData());
                    // More in flight share more passes, which shortens a prompt's turn: what the late see counts.
                    QVERIFY2(!e.queue->p95WaitS || *e.ttftS + *e.queue->p95WaitS >=
                                                       (*before.ttftS + *before.queue->p95WaitS) * (1 - 1e-9),
                             here().constData());
                    QVERIFY2(*e.costPerMillionTokens <= *before.costPerMillionTokens * (1 + 1e-12), here().constData());
                    // Prompts share passes the better, the more wait: llama.cpp, 0.95 to 0.999 of the capacity, 1.3 %
                    // less.
                    const bool shares = apart && s.inference.maxTokensPerPass > 2 * s.inference.promptTokens;
                    const bool slower =
                        e.batch >= before.batch * (1 - 1e-9) && (shares || *e.tpotS >= *before.tpotS * (1 - 1e-9));
                    QVERIFY2(slower || (apart && e.batch > full.batch - 1 - 1e-9), here().constData());
                }
                before = e;
            }
            PreparedScenario dear = s;
            *dear.hardware.pricePerGpuHour *= 2;
            if (auto& prefill = dear.inference.prefillPool.pricePerGpuHour)
                *prefill *= 2;
            const Evaluation one = loaded(s, 0.3 * capacity), two = loaded(dear, 0.3 * capacity);
            QVERIFY(near(*two.costPerMillionTokens, 2 * *one.costPerMillionTokens));
        }
        QVERIFY2(between > below / 10, "loads that decide nothing test nothing");
    }

    /// A hair's breadth of load moves nothing by more than its like: no figure jumps where one in flight become two.
    void aLoadHasNoSteps()
    {
        test::RandomScenarios random(21);
        for (int i = 0; i < scenarios / 4; ++i) {
            const PreparedScenario s = priced(random.next(Task::Inference));
            const double capacity = *loaded(s, std::nullopt).requestsPerS;
            for (double share = 0.0005; share < 1; share *= 1.7) {
                const Evaluation a = loaded(s, share * capacity), b = loaded(s, share * capacity * (1 + 1e-6));
                QVERIFY2(near(*a.tpotS, *b.tpotS, 1e-4) && near(*a.ttftS, *b.ttftS, 1e-4),
                         where(i, share * capacity).constData());
                QVERIFY2(near(a.batch, b.batch, 1e-4), where(i, share * capacity).constData());
            }
        }
    }

    /// Throughput against speed is what a deployment could do: the load's own point would be all of it.
    void theThroughputChartKeepsItsCurve()
    {
        ChartContext context;
        context.scenario = priced(serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& scenario) {
            scenario.inference.batch = 32;
            scenario.inference.requestsPerS = 0.1;
        }));
        context.evaluation = evaluate(context.scenario);
        const ChartSpec under = chartRow("throughput")->build(context);
        context.scenario.inference.requestsPerS.reset();
        context.evaluation = evaluate(context.scenario);
        const ChartSpec full = chartRow("throughput")->build(context);
        QCOMPARE(under.series.size(), full.series.size());
        for (std::size_t i = 0; i < full.series.size(); ++i)
            QVERIFY(under.series[i] == full.series[i]);
        QVERIFY(under.note.find("of which the load takes") != std::string::npos);
    }

    /// Audit case d3 served disaggregated: 37.7 requests a second of one GPU, where 8.9 is what it can do.
    void prefillIsDoneBySomebody()
    {
        const auto with = [](Scheduling scheduling) {
            return evaluate(priced(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& scenario) {
                scenario.inference.batch = 32;
                scenario.inference.promptTokens = 4096;
                scenario.inference.outputTokens = 64;
                scenario.inference.scheduling = scheduling;
            })));
        };
        const Evaluation together = with(Scheduling::Continuous), apart = with(Scheduling::Disaggregated);
        QVERIFY(*apart.tpotS < *together.tpotS);
        QVERIFY2(*apart.requestsPerS < 1.1 * *together.requestsPerS, "the same GPUs do the same work");
        QVERIFY(*apart.requestsPerS > 0.8 * *together.requestsPerS);
        QVERIFY(*apart.costPerMillionTokens > 0.9 * *together.costPerMillionTokens);
        QVERIFY(near(*apart.costPerHour, 2));
        QVERIFY(apart.warnings.has(WarningCode::PoolsShareGpus));
        const double prefillShare = apart.warnings.number(WarningCode::PoolsShareGpus);
        QVERIFY(prefillShare > 0.5 && prefillShare < 1); // 4,096 tokens in, 64 out
    }

    /// A faster memory decodes faster under the same load: who writes the answers is not given fewer GPUs for it.
    void fasterMemoryNeverSlowsALoadedPool()
    {
        test::RandomScenarios random(23);
        for (int i = 0; i < scenarios; ++i) {
            PreparedScenario s = fixedFleet(priced(random.next(Task::Inference)));
            s.inference.scheduling = Scheduling::Disaggregated;
            s.efficiency.base = EfficiencyBase::Expected;
            const double load = (0.05 + 0.09 * (i % 10)) * *loaded(s, std::nullopt).requestsPerS;
            PreparedScenario fast = s;
            auto device = std::make_shared<Accelerator>(*s.accelerator);
            device->memoryBandwidthGbPerS *= 2;
            fast.accelerator = device;
            QVERIFY2(*loaded(fast, load).tpotS <= *loaded(s, load).tpotS * (1 + 1e-9), where(i, load).constData());
        }
    }

    /// The ratio keeps both busy: each pool's own rate, times its share, is what the whole serves.
    void bothPoolsAreBusy()
    {
        test::RandomScenarios random(22);
        for (int i = 0; i < scenarios; ++i) {
            PreparedScenario s = priced(random.next(Task::Inference));
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.requestsPerS.reset();
            const Evaluation e = evaluate(s);
            if (e.pools)
                continue; // it divides nothing: test_pools
            const double share = e.warnings.number(WarningCode::PoolsShareGpus);
            // Whoever reads the prompt gives the first token. A cycle of drafts that accepts more than are wanted is a
            // whole one all the same.
            const double written =
                std::max(double(s.inference.outputTokens) - 1, e.speculation ? e.speculation->tokensAdded : 1);
            const double decode = (1 - share) * e.batch * e.replicas / (*e.tpotS * written);
            const double rounding = 1e-6 / (1 - share); // the warning holds a float
            QVERIFY2(near(decode, *e.requestsPerS, rounding), where(i, decode).constData());
            QVERIFY(share > 0 && share < 1);
            // Twice the replicas serve twice as much.
            PreparedScenario twice = s;
            twice.hardware.count *= 2;
            twice.parallelism.replicas = servingReplicas(s) * 2;
            QVERIFY(near(*evaluate(twice).requestsPerS, 2 * *e.requestsPerS));
        }
    }
};
HEADROOM_TEST(TestLoad)

} // namespace headroom::test_load
#include "test_load.moc"
