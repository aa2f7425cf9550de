// SPDX-License-Identifier: GPL-3.0-or-later
// Relations between services that differ in what they keep below the accelerators' memory.
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_physics_tiers
{

using test::Badness;
using test::Change;
using test::moreMemory;
using test::PhysicsRelation;

namespace
{

constexpr int pairs = 1000; // of each relation
using W = InferenceWorkload;

/// What was drawn without a load and with nothing below the memory but what `more` puts there.
Change bare(const Change& more)
{
    return [more](PreparedScenario& p) {
        W& w = p.inference;
        constexpr W none;
        for (std::optional<double> W::*field :
             {&W::hostWeightsGb, &W::hostLinkGbPerS, &W::hostOverlap, &W::tierHostGb, &W::tierNvmeGb, &W::tierHostHits,
              &W::tierNvmeHits, &W::nvmeGbPerS, &W::prefixHitRate, &W::requestsPerS})
            w.*field = none.*field;
        w.tierLayerwise.reset();
        w.loadProfile.reset();
        w.prefixCachedTokens = 0;
        if (more)
            more(p);
    };
}
template <typename T>
Change set(T W::*field, std::type_identity_t<T> value)
{
    return [field, value](PreparedScenario& p) { p.inference.*field = value; };
}
Change both(const Change& a, const Change& b)
{
    return [a, b](PreparedScenario& p) {
        a(p);
        b(p);
    };
}

/// Where as many decode together and none waits for memory.
bool alike(const Evaluation& a, const Evaluation& b)
{
    return a.fits && b.fits && a.batch == b.batch && !a.warnings.has(WarningCode::BatchLimitedByMemory) &&
           !b.warnings.has(WarningCode::BatchLimitedByMemory);
}
std::optional<double> slowerToken(const Evaluation& a, const Evaluation& b)
{
    return alike(a, b) ? std::optional(*b.tpotS / *a.tpotS) : std::nullopt;
}
std::optional<double> quickerToken(const Evaluation& a, const Evaluation& b)
{
    return alike(a, b) ? std::optional(*a.tpotS / *b.tpotS) : std::nullopt;
}
std::optional<double> laterFirst(const Evaluation& a, const Evaluation& b)
{
    return alike(a, b) ? std::optional(*b.ttftS / *a.ttftS) : std::nullopt;
}
std::optional<double> soonerFirst(const Evaluation& a, const Evaluation& b)
{
    return alike(a, b) ? std::optional(*a.ttftS / *b.ttftS) : std::nullopt;
}
/// Under one load: what serves it more slowly has more in hand, and both serve it.
std::optional<double> soonerUnderLoad(const Evaluation& a, const Evaluation& b)
{
    const bool serve = a.fits && b.fits && a.queue && b.queue && a.queue->meanWaitS && b.queue->meanWaitS;
    return serve ? std::optional(*a.ttftS / *b.ttftS) : std::nullopt;
}
/// Two fifths of what the scenario serves that has more weights on the host, of answers that decode beside others.
void lightLoad(PreparedScenario& p)
{
    p.inference.scheduling = Scheduling::Continuous;
    p.inference.batchMax = false;
    p.inference.outputTokens = std::max<std::int64_t>(p.inference.outputTokens, 64);
    PreparedScenario most = p;
    most.inference.hostWeightsGb = 12;
    most.inference.requestsPerS = 1e-6;
    p.inference.requestsPerS = 0.4 * evaluate(most).queue->capacityRequestsPerS;
}
std::optional<double> fuller(const Evaluation& a, const Evaluation& b)
{
    return alike(a, b) ? moreMemory(a, b) : std::nullopt;
}
/// No step is shorter than its reading, loading shows no more than it takes, and parts are parts.
std::optional<double> inconsistent(const Evaluation&, const Evaluation& e)
{
    double worst = 0;
    if (e.hostWeights) {
        const HostWeightsResult& h = *e.hostWeights;
        worst = std::max({worst, h.share, h.shownS / std::max(h.readS, 1e-300)});
    }
    if (e.tiers) {
        const TiersResult& t = *e.tiers;
        worst = std::max({worst, t.loadBytes / std::max(t.promptBytes, 1e-300), t.shownS / std::max(t.loadS, 1e-300),
                          t.shownS < 0 ? 2.0 : 0.0});
    }
    return worst;
}

const std::vector<PhysicsRelation>& relations()
{
    static const std::vector<PhysicsRelation> table = [] {
        std::vector<PhysicsRelation> r;
        const auto add = [&r](std::string name, const Change& first, const Change& second, Badness badness) {
            r.push_back({std::move(name), Task::Inference, first, second, std::move(badness), {}});
        };
        const Change nothing = [](PreparedScenario&) {};
        const Change weights = bare(set(&W::hostWeightsGb, 5.0)), host = bare(set(&W::tierHostHits, 0.5));
        add("H what is there adds up", nothing, nothing, inconsistent);
        add("H weights on the host need more memory", bare({}), set(&W::hostWeightsGb, 5.0), fuller);
        add("H weights on the host lower tpot", bare({}), set(&W::hostWeightsGb, 5.0), quickerToken);
        add("H more weights on the host lower tpot", weights, set(&W::hostWeightsGb, 10.0), quickerToken);
        add("H link x2 raises tpot", both(weights, set(&W::hostLinkGbPerS, 10.0)), set(&W::hostLinkGbPerS, 20.0),
            slowerToken);
        add("H link x2 with weights raises ttft", both(weights, set(&W::hostLinkGbPerS, 10.0)),
            set(&W::hostLinkGbPerS, 20.0), laterFirst);
        add("H overlap raises tpot", both(weights, set(&W::hostOverlap, 0.25)), set(&W::hostOverlap, 0.75),
            slowerToken);
        add("H link x2 raises ttft", both(host, set(&W::hostLinkGbPerS, 10.0)), set(&W::hostLinkGbPerS, 20.0),
            laterFirst);
        add("H layer by layer raises ttft", both(host, set(&W::tierLayerwise, false)), set(&W::tierLayerwise, true),
            laterFirst);
        add("H more weights on the host lower ttft under a load", both(bare(set(&W::hostWeightsGb, 1.0)), lightLoad),
            set(&W::hostWeightsGb, 6.0), soonerUnderLoad);
        add("H host memory instead of the GPU's lowers ttft", bare(set(&W::prefixHitRate, 0.5)),
            bare(set(&W::tierHostHits, 0.5)), soonerFirst);
        add("H drives instead of host memory lower ttft", host, bare(set(&W::tierNvmeHits, 0.5)), soonerFirst);
        add("H drives x2 raise ttft", bare(both(set(&W::tierNvmeHits, 0.5), set(&W::nvmeGbPerS, 3.0))),
            set(&W::nvmeGbPerS, 6.0), laterFirst);
        add("H a tier's size changes ttft", bare({}), set(&W::tierHostGb, 100.0),
            [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
                return 1 + std::abs(*b.ttftS / *a.ttftS - 1);
            });
        return r;
    }();
    return table;
}

} // namespace

class TestPhysicsTiers : public QObject
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
HEADROOM_TEST(TestPhysicsTiers)

} // namespace headroom::test_physics_tiers
#include "test_physics_tiers.moc"
