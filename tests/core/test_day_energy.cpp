// SPDX-License-Identifier: GPL-3.0-or-later
// The power of a day whose replicas follow the load.
#include "core/explain/derive.hpp"
#include "core/predict/day.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"

#include <cmath>

namespace headroom::test_day_energy
{

using test::near;

namespace
{

/// Llama 3 8B on one H100 a replica, asked for twice what one of them serves.
PreparedScenario service()
{
    Scenario s;
    s.task = Task::Inference;
    s.model.id = "llama-3-8b";
    s.accelerator.id = "h100-sxm-80gb";
    s.hardware.count = 1;
    s.hardware.pricePerGpuHour = 2;
    s.hardware.power.carbonGPerKwh = 400;
    s.inference.batch = 32;
    s.inference.promptTokens = 1000;
    s.inference.outputTokens = 200;
    s.inference.requestsPerS = 1;
    PreparedScenario p = prepare(s, Catalog::builtIn(), Calibration::builtIn()).value();
    p.inference.requestsPerS = 2 * evaluate(p).queue->capacityRequestsPerS;
    return p;
}

} // namespace

class TestDayEnergy : public QObject
{
    Q_OBJECT

private slots:
    /// Throughput, load and latency were those of the scenario's own replicas, cost and watts of those that run: 3,729
    /// tokens/s at $0.235 a million beside $10.42 an hour, a load of 330 % beside nobody late.
    void allFiguresAreOfWhatRuns()
    {
        for (const std::int64_t own : {1, 8}) {
            PreparedScenario p = service();
            p.hardware.count = own;
            p.inference.loadProfile = LoadProfile{};
            for (std::size_t i = 0; i < LoadProfile::hours; ++i)
                p.inference.loadProfile->factors[i] = i < 12 ? 0.5 : 1.5;
            p.inference.autoscale.min = 1;
            const Evaluation e = evaluate(p);
            QVERIFY(near(*e.costPerMillionTokens, *e.costPerHour / 3600 / *e.tokensPerS * 1e6));
            QVERIFY(near(*e.joulesPerToken, *e.watts / *e.tokensPerS));
            QVERIFY(near(*e.requestsPerS, *p.inference.requestsPerS));
            QVERIFY(near(e.queue->utilization, *p.inference.requestsPerS / e.queue->capacityRequestsPerS));
            QVERIFY(near(e.queue->capacityRequestsPerS, e.day->replicas * e.day->replicaRequestsPerS));
            QVERIFY(!e.warnings.has(WarningCode::LoadBeyondCapacity));
            // By hand: each of those that run has its share, as one replica alone.
            PreparedScenario each = p;
            takeDay(each.inference, {});
            each.hardware.count = 1;
            *each.inference.requestsPerS /= e.day->replicas;
            const Evaluation one = evaluate(each);
            QVERIFY2(near(*e.tpotS, *one.tpotS, 1e-6) && near(e.batch, one.batch, 1e-6),
                     std::to_string(*e.tpotS / *one.tpotS).c_str());
        }
    }

    /// An even day is served by as many as a scenario without one states: whatever the scenario's own number, it takes
    /// their energy but for what a fuller batch saves.
    void powerIsOfWhatRuns()
    {
        for (const bool pools : {false, true}) {
            PreparedScenario p = service();
            if (pools) {
                p.inference.scheduling = Scheduling::Disaggregated;
                p.inference.prefillPool.count = 5;
            }
            PreparedScenario fixed = p;
            p.inference.loadProfile = LoadProfile{};
            p.inference.loadProfile->factors.fill(1);
            p.inference.autoscale.min = 1;
            const Evaluation first = evaluate(p);
            fixed.hardware.count = std::llround(first.day->replicas);
            if (pools)
                fixed.inference.prefillPool.count = std::llround(first.day->gpuHours / 24) - fixed.hardware.count;
            const Evaluation alone = evaluate(fixed);
            for (const std::int64_t replicas : {2, 3, 8, 40}) {
                p.hardware.count = replicas;
                const Evaluation e = evaluate(p);
                QCOMPARE(e.day->gpuHours, first.day->gpuHours);
                QVERIFY2(test::near(*e.watts, *alone.watts, 0.05), std::to_string(*e.watts / *alone.watts).c_str());
                QCOMPARE(*e.costPerHour, *e.day->cost / 24);
                QVERIFY(test::near(*e.costPerHour, *alone.costPerHour, 1e-9));
                if (pools) {
                    QVERIFY(test::near(*e.pools->decode.costPerHour, *alone.pools->decode.costPerHour, 1e-9));
                    QVERIFY(test::near(*e.pools->prefill.costPerHour, *alone.pools->prefill.costPerHour, 1e-9));
                }
                for (const char* id : {"cost.per_hour", "cost.per_million_tokens", "day.cost"})
                    QVERIFY(test::near(derive(id, p, e).steps.back().value, *metricRow(id)->value(e), 1e-9));
                QVERIFY(test::near(*e.joulesPerToken, *alone.joulesPerToken, 0.05));
                QVERIFY(test::near(*e.site->carbonGPerMillionTokens, *alone.site->carbonGPerMillionTokens, 0.05));
                QCOMPARE(derive("energy.watts", p, e).steps.back().value, *e.watts);
                QCOMPARE(derive("energy.joules_per_token", p, e).steps.back().value, *e.joulesPerToken);
            }
        }
    }
};
HEADROOM_TEST(TestDayEnergy)

} // namespace headroom::test_day_energy
#include "test_day_energy.moc"
