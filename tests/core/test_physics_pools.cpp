// SPDX-License-Identifier: GPL-3.0-or-later
// Relations between services with a prefill pool that differ in one thing.
#include "core/scenario/effective.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_physics_pools
{

using test::Badness;
using test::Change;
using test::lessThroughput;
using test::PhysicsRelation;

namespace
{

constexpr int pairs = 1000; // of each relation
using W = InferenceWorkload;

/// What was drawn with a pool of `instances` of its own layout.
Change pool(std::int64_t instances, const Change& more = {})
{
    return [instances, more](PreparedScenario& p) {
        p.inference.scheduling = Scheduling::Disaggregated;
        p.hardware.pricePerGpuHour = 2;
        const Parallelism layout = prefillLayout(p);
        p.inference.prefillPool.count =
            instances * layout.tensor * layout.pipeline * layout.context * layout.attentionData;
        if (more)
            more(p);
    };
}
template <typename T>
Change set(T W::*field, std::type_identity_t<T> value)
{
    return [field, value](PreparedScenario& p) { p.inference.*field = value; };
}

/// Where nothing waits for memory: a pool that reads less leaves fewer to wait.
std::optional<double> laterFirst(const Evaluation& a, const Evaluation& b)
{
    return a.fits && b.fits ? std::optional(*b.ttftS / *a.ttftS) : std::nullopt;
}
std::optional<double> soonerFirst(const Evaluation& a, const Evaluation& b)
{
    return *a.ttftS / *b.ttftS;
}
std::optional<double> otherTokens(const Evaluation& a, const Evaluation& b)
{
    return 1 + std::abs(*b.tpotS / *a.tpotS - 1);
}
std::optional<double> cheaper(const Evaluation& a, const Evaluation& b)
{
    return *a.costPerHour / *b.costPerHour;
}
std::optional<double> busierPrefill(const Evaluation& a, const Evaluation& b)
{
    return b.pools->prefill.utilization / a.pools->prefill.utilization;
}
std::optional<double> narrowerDecode(const Evaluation& a, const Evaluation& b)
{
    return 1 + std::abs(b.pools->decode.requestsPerS / a.pools->decode.requestsPerS - 1);
}
/// Served is what neither pool, nor the load, forbids; both pools' figures are shares that add up.
std::optional<double> inconsistent(const Evaluation&, const Evaluation& e)
{
    const PoolsResult& p = *e.pools;
    const double served = *e.requestsPerS;
    double worst = served / std::min(p.prefill.requestsPerS, p.decode.requestsPerS);
    worst = std::max(worst, p.shownS / p.transferS);
    worst = std::max(worst, 1 + std::abs(p.ratio * p.decode.devices / p.decode.requestsPerS * p.prefill.requestsPerS /
                                             p.prefill.devices -
                                         1));
    worst = std::max(worst, *p.prefill.mbu);
    return worst;
}

const std::vector<PhysicsRelation>& relations()
{
    static const std::vector<PhysicsRelation> table = [] {
        std::vector<PhysicsRelation> r;
        const auto add = [&r](std::string name, const Change& first, const Change& second, Badness badness) {
            r.push_back({std::move(name), Task::Inference, first, second, std::move(badness), {}});
        };
        add("P what is served is what both pools can", {}, pool(3), inconsistent);
        add("P prefill pool x2 lowers tput", pool(2), pool(4), lessThroughput);
        add("P prefill pool x2 raises ttft", pool(2), pool(4), laterFirst);
        add("P prefill pool x2 cheaper an hour", pool(2), pool(4), cheaper);
        add("P prefill pool x2 busier", pool(2), pool(4), busierPrefill);
        add("P prefill pool x2 changes what decode could", pool(2), pool(4), narrowerDecode);
        add("P link x2 raises ttft", pool(2, set(&W::transferGbitPerS, 400)), set(&W::transferGbitPerS, 800),
            laterFirst);
        // Links so wide that they never decide how many decode.
        add("P link x2 changes tpot", pool(2, set(&W::transferGbitPerS, 5e6)), set(&W::transferGbitPerS, 1e7),
            otherTokens);
        add("P overlap raises ttft", pool(2, set(&W::transferOverlap, 0.0)), set(&W::transferOverlap, 0.5), laterFirst);
        add("P start lowers ttft", pool(2, set(&W::transferStartS, 1e-4)), set(&W::transferStartS, 1e-2), soonerFirst);
        const auto prefillPrice = [](double price) {
            return [price](PreparedScenario& p) { p.inference.prefillPool.pricePerGpuHour = price; };
        };
        add("P prefill price x2 cheaper", pool(2, prefillPrice(1)), prefillPrice(2), cheaper);
        return r;
    }();
    return table;
}

} // namespace

class TestPhysicsPools : public QObject
{
    Q_OBJECT
private slots:
    void relation_data() { test::addRelationRows(relations()); }
    void relation()
    {
        QFETCH(int, row);
        QVERIFY(test::physicsRelationHolds(relations()[static_cast<std::size_t>(row)], test::physicsCount(pairs)));
    }
    void cleanupTestCase() { test::reportPhysicsRelations(); }
};
HEADROOM_TEST(TestPhysicsPools)

} // namespace headroom::test_physics_pools
#include "test_physics_pools.moc"
