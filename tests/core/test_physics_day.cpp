// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of a day's load, in any scenario: bounds of its hours, and that more of anything asks for no less.
#include "tests/support/physics.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include "core/predict/day.hpp"
#include "core/scenario/effective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::test_physics_day
{
namespace
{

constexpr int scenarios = 1000;
constexpr double slack = 1e-9;

bool isShare(const std::optional<double>& share)
{
    return share && *share >= 0 && *share <= 1;
}

std::string wrongInDay(const PreparedScenario& drawn)
{
    PreparedScenario p = drawn;
    InferenceWorkload& w = p.inference;
    w.requestsPerS = w.requestsPerS.value_or(3);
    w.ttftTargetS = w.ttftTargetS.value_or(1);
    w.autoscale.lagS = 600;
    w.loadProfile = LoadProfile::shaped(LoadShape::Sine, 1);
    const Evaluation flat = evaluate(p);
    if (!flat.day)
        return "a load without a day";
    if (const Staff fixed = planDay(p, flat).fixed; std::max(fixed.replicas, fixed.readers) >= double(mostReplicas) / 2)
        return {}; // more than anybody runs: the limit decides, here or at a higher peak
    if (std::abs(flat.day->saving.value()) > slack || flat.day->lateShare > slack)
        return fmt::format("a flat day saves {}, {} late", *flat.day->saving, flat.day->lateShare);
    if (!isShare(flat.day->peakShare) || std::abs(*flat.day->peakShare - *flat.day->fixedPeakShare) > slack)
        return fmt::format("of a flat day {} in time, fixed {}", *flat.day->peakShare, *flat.day->fixedPeakShare);
    double before = flat.day->fixedGpuHours;
    for (const double ratio : {2.0, 5.0, 50.0}) {
        w.loadProfile = LoadProfile::shaped(LoadShape::Sine, ratio);
        const DayResult d = evaluate(p).day.value();
        const DayPlan plan = planDay(p, evaluate(p));
        if (!isShare(d.peakShare) || !isShare(d.fixedPeakShare) || !isShare(d.lateShare))
            return fmt::format("shares {}, {}, {}", *d.peakShare, *d.fixedPeakShare, d.lateShare);
        if (d.fixedGpuHours < before * (1 - slack))
            return fmt::format("a higher peak takes {} GPU-hours instead of {}", d.fixedGpuHours, before);
        if (d.gpuHours > d.fixedGpuHours * (1 + slack) || d.peakReplicas != d.fixedReplicas)
            return fmt::format("{} GPU-hours of {}, {} replicas of {}", d.gpuHours, d.fixedGpuHours, d.peakReplicas,
                               d.fixedReplicas);
        for (const DayHour& hour : plan.hours)
            if (plan.capacity(hour.paid) < hour.requestsPerS * (1 - slack))
                return fmt::format("{} replicas serve less than {} requests/s", hour.paid.replicas, hour.requestsPerS);
        before = d.fixedGpuHours;
    }
    const double quick = evaluate(p).day->lateShare;
    w.autoscale.lagS = 3000;
    if (evaluate(p).day->lateShare < quick * (1 - slack))
        return "a longer start leaves less behind";
    w.autoscale.target = 0.35;
    const DayResult half = evaluate(p).day.value();
    w.autoscale.target = 0.7;
    if (half.gpuHours < evaluate(p).day->gpuHours * (1 - slack))
        return "half the utilisation takes fewer GPU-hours";
    return {};
}

} // namespace

class TestPhysicsDay : public QObject
{
    Q_OBJECT
private slots:
    void days()
    {
        QVERIFY(test::physicsHolds("a day's load", Task::Inference, test::physicsCount(scenarios), wrongInDay));
    }
};
HEADROOM_TEST(TestPhysicsDay)

} // namespace headroom::test_physics_day
#include "test_physics_day.moc"
