// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_collector.hpp"

#include "core/plan/planner_ties.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::planner
{
namespace
{

constexpr double roomLeft = std::numeric_limits<double>::infinity();

/// At least as good in both axes, better in one; of equal ones by the tie.
bool beats(const std::array<double, 3>& a, const std::array<double, 3>& b)
{
    const bool equal = a[0] == b[0] && a[1] == b[1];
    return equal ? a[2] < b[2] : a[0] <= b[0] && a[1] <= b[1];
}

std::array<double, 2> on(const std::array<PlanObjective, 2>& axes, const PlanValues& values)
{
    return {at(values, axes[0]), at(values, axes[1])};
}

std::array<double, 3> with(const std::array<double, 2>& axes, double tie)
{
    return {axes[0], axes[1], tie};
}

/// Into a front that is sorted by its first axis; false where something there is as good.
bool enter(std::vector<PlanFind>& front, const std::array<PlanObjective, 2>& axes, const PlanFind& find)
{
    const auto placeOf = [&](const PlanFind& one) { return with(on(axes, one.values), one.tie); };
    const std::array<double, 3> here = placeOf(find);
    if (!std::isfinite(here[0]) || !std::isfinite(here[1]))
        return false;
    for (PlanFind& other : front) {
        const std::array<double, 3> there = placeOf(other);
        if (on(axes, other.values) == on(axes, find.values)) { // the same figures twice: one stands for both
            if (find.standsFor(other))
                other = find;
            return false;
        }
        if (beats(there, here))
            return false;
    }
    std::erase_if(front, [&](const PlanFind& other) { return beats(here, placeOf(other)); });
    const auto lower = [&](const PlanFind& a, const PlanFind& b) { return on(axes, a.values) < on(axes, b.values); };
    front.insert(std::ranges::upper_bound(front, find, lower), find);
    return true;
}

} // namespace

PlanCollector::PlanCollector(const PlanRequest& request)
    : m_objective(request.objective), m_axes(request.front), m_smallerAxes{PlanObjective::Gpus, request.objective},
      m_keepsSmaller(request.smallerWithinInterval && isPredicted(request)),
      m_keepsSurely(request.smallerWithinInterval && request.base.task == Task::Training), m_top(request.top)
{
}

/// Equal objectives: what surely fits, then faster, then fewer GPUs, then what is open between equal values.
std::array<double, 5> PlanCollector::rankKey(const PlanValues& values, double tie, bool mayNotFit) const
{
    return {at(values, m_objective), mayNotFit ? 1.0 : 0.0, at(values, PlanObjective::Time),
            at(values, PlanObjective::Gpus), tie};
}

/// Equal in all of that: the order of the configurations.
bool PlanCollector::before(const PlanFind& a, const PlanFind& b) const
{
    const auto left = rankKey(a.values, a.tie, a.mayNotFit), right = rankKey(b.values, b.tie, b.mayNotFit);
    return left != right ? left < right : a.point < b.point;
}

void PlanCollector::renew(Standard& standard) const
{
    if (standard.version == version())
        return;
    const std::lock_guard lock(m_mutex);
    standard.version = m_version.load(std::memory_order_relaxed);
    standard.worstRanked = {m_top > 0 ? roomLeft : -roomLeft, roomLeft, roomLeft, roomLeft, roomLeft};
    if (m_top > 0 && m_ranked.size() == m_top)
        standard.worstRanked = rankKey(m_ranked.back().values, m_ranked.back().tie, m_ranked.back().mayNotFit);
    standard.front.clear();
    for (const PlanFind& find : m_front)
        standard.front.push_back(with(on(m_axes, find.values), find.tie));
    standard.smaller.clear();
    for (const PlanFind& find : m_smaller)
        standard.smaller.push_back(with(on(m_smallerAxes, find.values), find.tie));
    standard.surely.clear();
    for (const PlanFind& find : m_surely)
        standard.surely.push_back(with(on(m_smallerAxes, find.values), find.tie));
}

bool PlanCollector::hopeless(const PlanValues& least, double tie, bool mayNotFit, const Standard& standard) const
{
    if (!(rankKey(least, tie, mayNotFit) > standard.worstRanked))
        return false;
    const auto isBeaten = [&](const Axes& axes, const auto& by) {
        const auto corner = with(on(axes, least), tie);
        return std::ranges::any_of(by, [&corner](const auto& point) { return beats(point, corner); });
    };
    if (m_keepsSmaller && !isBeaten(m_smallerAxes, standard.smaller))
        return false;
    if (m_keepsSurely && !mayNotFit && !isBeaten(m_smallerAxes, standard.surely))
        return false;
    const std::array<double, 2> corner = on(m_axes, least);
    if (!std::isfinite(corner[0]) || !std::isfinite(corner[1]))
        return true; // a metric that is not known has no front
    return isBeaten(m_axes, standard.front);
}

bool PlanCollector::rank(const PlanFind& find)
{
    const auto earlier = [this](const PlanFind& a, const PlanFind& b) { return before(a, b); };
    if (!std::isfinite(at(find.values, m_objective)) || m_top == 0)
        return false;
    if (m_ranked.size() == m_top && !before(find, m_ranked.back()))
        return false;
    m_ranked.insert(std::ranges::upper_bound(m_ranked, find, earlier), find);
    if (m_ranked.size() > m_top)
        m_ranked.pop_back();
    return true;
}

void PlanCollector::offer(const PlanFind& find)
{
    const std::lock_guard lock(m_mutex);
    const bool ranked = rank(find), first = enter(m_front, m_axes, find);
    const bool smaller = m_keepsSmaller && enter(m_smaller, m_smallerAxes, find);
    const bool surely = m_keepsSurely && !find.mayNotFit && enter(m_surely, m_smallerAxes, find);
    if (ranked || first || smaller || surely)
        m_version.fetch_add(1, std::memory_order_release);
}

std::vector<PlanFind> PlanCollector::ranked() const
{
    const std::lock_guard lock(m_mutex);
    return m_ranked;
}

std::vector<PlanFind> PlanCollector::front() const
{
    const std::lock_guard lock(m_mutex);
    return m_front;
}

std::vector<PlanFind> PlanCollector::smaller() const
{
    const std::lock_guard lock(m_mutex);
    return m_smaller;
}

std::vector<PlanFind> PlanCollector::surely() const
{
    const std::lock_guard lock(m_mutex);
    return m_surely;
}

} // namespace headroom::planner
