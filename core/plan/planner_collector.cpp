// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_collector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace headroom::planner
{
namespace
{

constexpr double roomLeft = std::numeric_limits<double>::infinity();

/// At least as good in both, better in one.
bool beats(const std::array<double, 2>& a, const std::array<double, 2>& b)
{
    return a[0] <= b[0] && a[1] <= b[1] && a != b;
}

} // namespace

PlanCollector::PlanCollector(const PlanRequest& request)
    : m_objective(request.objective), m_axes(request.front), m_top(request.top)
{
}

std::array<double, 2> PlanCollector::axes(const PlanValues& values) const
{
    return {at(values, m_axes[0]), at(values, m_axes[1])};
}

/// Equal objectives: faster, then fewer GPUs, then the order of the configurations.
bool PlanCollector::before(const PlanFind& a, const PlanFind& b) const
{
    const auto key = [this](const PlanFind& f) {
        return std::tuple(at(f.values, m_objective), at(f.values, PlanObjective::Time),
                          at(f.values, PlanObjective::Gpus));
    };
    const auto left = key(a), right = key(b);
    return left != right ? left < right : a.point < b.point;
}

void PlanCollector::renew(Standard& standard) const
{
    if (standard.version == version())
        return;
    const std::lock_guard lock(m_mutex);
    standard.version = m_version.load(std::memory_order_relaxed);
    standard.worstRanked = {m_top > 0 ? roomLeft : -roomLeft, roomLeft};
    if (m_top > 0 && m_ranked.size() == m_top)
        standard.worstRanked = {at(m_ranked.back().values, m_objective),
                                at(m_ranked.back().values, PlanObjective::Time)};
    standard.front.clear();
    for (const PlanFind& find : m_front)
        standard.front.push_back(axes(find.values));
}

bool PlanCollector::hopeless(const PlanValues& least, const Standard& standard) const
{
    if (!(std::array{at(least, m_objective), at(least, PlanObjective::Time)} > standard.worstRanked))
        return false;
    const std::array<double, 2> corner = axes(least);
    if (!std::isfinite(corner[0]) || !std::isfinite(corner[1]))
        return true; // a metric that is not known has no front
    return std::ranges::any_of(standard.front, [&corner](const auto& point) { return beats(point, corner); });
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

bool PlanCollector::addToFront(const PlanFind& find)
{
    const std::array<double, 2> here = axes(find.values);
    if (!std::isfinite(here[0]) || !std::isfinite(here[1]))
        return false;
    for (PlanFind& other : m_front) {
        const std::array<double, 2> there = axes(other.values);
        if (beats(there, here))
            return false;
        if (there == here) { // the same figures twice: one stands for both
            if (find.point < other.point)
                other = find;
            return false;
        }
    }
    std::erase_if(m_front, [&](const PlanFind& other) { return beats(here, axes(other.values)); });
    const auto lower = [this](const PlanFind& a, const PlanFind& b) { return axes(a.values) < axes(b.values); };
    m_front.insert(std::ranges::upper_bound(m_front, find, lower), find);
    return true;
}

void PlanCollector::offer(const PlanFind& find)
{
    const std::lock_guard lock(m_mutex);
    const bool ranked = rank(find), first = addToFront(find);
    if (ranked || first)
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

} // namespace headroom::planner
