// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every training scenario, drawn at random.
#include "core/hardware/collective.hpp"
#include "core/hardware/roofline.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <numeric>
#include <rapidcheck.h>

namespace
{
std::atomic<long> allocations{0};
}

// Counted, so that a test can hold evaluate() to none; a sanitizer's own, which watch all tests of this program, stay.
#ifndef HEADROOM_UNDER_SANITIZER
void* operator new(std::size_t size)
{
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
#endif

namespace headroom::test_training_properties
{

class TestTrainingProperties : public QObject
{
    Q_OBJECT

    static PreparedScenario ideal(PreparedScenario p)
    {
        p.efficiency = Efficiency{};
        p.efficiency.base = EfficiencyBase::Ideal;
        p.accounting = Convention::Exact;
        return p;
    }
    /// All rates of the accelerator and the network k times as high.
    static PreparedScenario faster(PreparedScenario p, double k)
    {
        Accelerator a = *p.accelerator;
        for (double* rate : {&a.memoryBandwidthGbPerS, &a.peak.fp32, &a.peak.tf32, &a.peak.fp16, &a.peak.bf16,
                             &a.peak.fp8, &a.peak.fp4, &a.peak.fp6, &a.peak.int8, &a.peak.int4,
                             &a.peak.fp16Accumulate16, &a.scaleUpGbPerS, &a.hostLinkGbPerS, &a.scaleOutGbitPerS})
            *rate *= k;
        if (p.hardware.scaleOutGbitPerS)
            *p.hardware.scaleOutGbitPerS *= k;
        p.accelerator = std::make_shared<const Accelerator>(a);
        return p;
    }

    template <typename Check>
    static void forMany(Check check)
    {
        test::RandomScenarios scenarios(20261121);
        for (int i = 0; i < 2000; ++i) {
            PreparedScenario p = scenarios.next(Task::Training);
            p.measured = {};
            if (!check(p)) {
                qWarning("scenario %d: %s on %s", i, p.model->architecture.id.c_str(), p.accelerator->id.c_str());
                QFAIL("the property does not hold");
            }
        }
    }

private slots:
    void timesAndBytesAddUp()
    {
        forMany([](const PreparedScenario& p) {
            const Evaluation r = evaluate(p);
            const double time = std::accumulate(r.time.begin(), r.time.end(), 0.0);
            const double memory = std::accumulate(r.memory.begin(), r.memory.end(), 0.0);
            return time == *r.stepTimeS && memory == r.usedBytes && *r.stepTimeS > 0 && std::isfinite(*r.stepTimeS) &&
                   *r.hfu >= *r.mfu * (1 - 1e-12) && std::ranges::all_of(r.time, [](double t) { return t >= 0; }) &&
                   std::ranges::all_of(r.memory, [](double m) { return m >= 0; });
        });
    }

    void nothingBeatsTheSpeedOfLight()
    {
        forMany([](const PreparedScenario& p) {
            const Evaluation bound = evaluate(ideal(p));
            return *bound.mfu <= 1 + 1e-12 && *bound.hfu <= 1 + 1e-9 && *bound.mbu <= 1 + 1e-9;
        });
    }

    void expectedIsSlowerThanIdeal()
    {
        forMany([](PreparedScenario p) {
            p.efficiency = Efficiency{};
            return *evaluate(p).stepTimeS >= *evaluate(ideal(p)).stepTimeS * (1 - 1e-9);
        });
    }

    void scalingTheMachineScalesTheIdealTime()
    {
        forMany([](const PreparedScenario& p) {
            PreparedScenario base = ideal(p);
            base.hardware.scaleOutGbitPerS = base.hardware.scaleOutGbitPerS.value_or(
                base.accelerator->scaleOutGbitPerS > 0 ? base.accelerator->scaleOutGbitPerS : 100);
            if (base.accelerator->hostLinkGbPerS <= 0)
                return true; // an assumed link does not scale
            const Evaluation slow = evaluate(base), fast = evaluate(faster(base, 4));
            return std::abs(*slow.stepTimeS / *fast.stepTimeS / 4 - 1) < 1e-9 &&
                   std::abs(*slow.mfu / *fast.mfu - 1) < 1e-9;
        });
    }

    void moreBandwidthNeverSlows()
    {
        forMany([](const PreparedScenario& p) {
            const double now = *evaluate(p).stepTimeS;
            for (double Efficiency::*rate : {&Efficiency::memoryBandwidth, &Efficiency::scaleUp, &Efficiency::scaleOut,
                                             &Efficiency::matmul, &Efficiency::attention}) {
                PreparedScenario better = p;
                better.efficiency.*rate *= 2;
                if (*evaluate(better).stepTimeS > now * (1 + 1e-9))
                    return false;
            }
            return true;
        });
    }

    void equalInputGivesEqualOutput()
    {
        forMany([](const PreparedScenario& p) { return evaluate(p) == evaluate(p); });
    }

    void evaluatingAllocatesNothing()
    {
        if (test::underSanitizer)
            QSKIP("allocations are the sanitizer's");
        forMany([](PreparedScenario p) {
            p.measured.stepTimeS = 1;
            const long before = allocations;
            const Evaluation r = evaluate(p);
            return allocations == before && r.stepTimeS;
        });
    }

    void softMaximumBounds()
    {
        QVERIFY(rc::check("between the maximum and 2^(1/p) of it, symmetric, monotone", [] {
            const double a = *rc::gen::inRange(1, 1000000) * 1e-6, b = *rc::gen::inRange(0, 1000000) * 1e-6;
            const double p = 1 + *rc::gen::inRange(0, 60) * 0.1;
            const double soft = softMaximum(a, b, p), hard = std::max(a, b);
            RC_ASSERT(soft >= hard);
            RC_ASSERT(soft <= hard * std::pow(2, 1 / p) * (1 + 1e-12));
            RC_ASSERT(soft == softMaximum(b, a, p));
            RC_ASSERT(softMaximum(a * 1.01, b, p) >= soft);
            const double literal = std::pow(std::pow(a, p) + std::pow(b, p), 1 / p);
            RC_ASSERT(std::abs(soft / literal - 1) < 1e-12);
            RC_ASSERT(softMaximum(a, b, hardRoofline) == hard);
        }));
    }

    void collectivesGrowWithDistance()
    {
        const Links links{400e9, 40e9, 300e9, 1e-5, 4e-6, 1e-6};
        QCOMPARE(gatherTime(1e9, groupShape(1, 1, 8), links), 0.0);
        const GroupShape inside = groupShape(8, 1, 8), across = groupShape(16, 1, 8), strided = groupShape(8, 8, 8);
        QCOMPARE(inside.nodes, 1.0);
        QCOMPARE(across.nodes, 2.0);
        QCOMPARE(strided.nodes, 8.0); // one member in each node
        QCOMPARE(gatherTime(1e9, inside, links), 1e9 * 7 / 8 / 400e9 + 1e-5 + 8e-6);
        QCOMPARE(gatherTime(1e9, across, links), 1e9 * 15 / 16 / (8 * 40e9) + 1e-5 + 4e-6 + 8e-6);
        QCOMPARE(gatherTime(1e9, strided, links), 1e9 * 7 / 8 / 40e9 + 1e-5 + 7 * 4e-6 + 1e-6);
        // Groups of six on six nodes of eight: the second has two in the first node and four in the next.
        const GroupShape cut = groupShape(6, 1, 8, 48);
        QCOMPARE(cut.nodes, 2.0);
        QCOMPARE(cut.ranksPerNode, 2.0);
        QCOMPARE(groupShape(6, 1, 8, 8).nodes, 1.0);
        QCOMPARE(groupShape(6, 1, 6, 48).nodes, 1.0);
        QCOMPARE(groupShape(6, 1, 8, 12).nodes, 1.0);         // a group in each of two nodes
        QCOMPARE(groupShape(11, 1, 8, 11).ranksPerNode, 3.0); // eight and three
        QCOMPARE(groupShape(64, 1, 72, 576).nodes, 1.0);      // a rack leaves eight out
        QCOMPARE(groupShape(16, 1, 8, 48).ranksPerNode, 8.0);
        QCOMPARE(remoteCopies(1, 8, 3.5), 0.0);
        QCOMPARE(remoteCopies(2, 1, 3.5), 0.5); // one expert: half of the tokens leave
        QCOMPARE(remoteCopies(64, 8, 3.5), 3.5);
    }
};
HEADROOM_TEST(TestTrainingProperties)

} // namespace headroom::test_training_properties
#include "test_training_properties.moc"
