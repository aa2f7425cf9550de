// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/time_split.hpp"

#include <algorithm>
#include <numeric>

namespace headroom::profile
{
namespace
{

/// An event begins (+1) or ends (−1).
struct Boundary {
    std::int64_t at;
    KernelKind kind;
    std::int8_t change;
};

/// How many events of each kind run at an instant.
struct Running {
    std::array<int, kernelClassCount> classes{};
    std::array<int, collectiveCount> collectives{};
    int kinds = 0; ///< classes with at least one

    void change(const Boundary& b)
    {
        int& count = classes[static_cast<std::size_t>(b.kind.kernelClass)];
        const bool ran = count > 0;
        count += b.change;
        kinds += int(count > 0) - int(ran);
        if (b.kind.kernelClass == KernelClass::Communication)
            collectives[static_cast<std::size_t>(b.kind.collective)] += b.change;
    }

    void addTo(TimeSplit& split, double seconds) const
    {
        constexpr auto communication = static_cast<std::size_t>(KernelClass::Communication);
        const bool exchanging = classes[communication] > 0;
        const int computing = kinds - int(exchanging);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (classes[i] == 0)
                continue;
            split.shared[i] += seconds / kinds;
            if (i != communication)
                split.own[i] += seconds / computing;
        }
        if (!exchanging)
            return;
        split.communication += seconds;
        if (computing > 0)
            return;
        const auto several = std::ranges::count_if(collectives, [](int count) { return count > 0; });
        for (std::size_t i = 0; i < collectives.size(); ++i)
            if (collectives[i] > 0)
                split.exposed[i] += seconds / double(several);
    }
};

} // namespace

double TimeSplit::exposedCommunication() const
{
    return std::accumulate(exposed.begin(), exposed.end(), 0.0);
}

void TimeSplit::add(const TimeSplit& other, double times)
{
    span += times * other.span;
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += times * other.sum[i];
        shared[i] += times * other.shared[i];
        own[i] += times * other.own[i];
    }
    for (std::size_t i = 0; i < exposed.size(); ++i)
        exposed[i] += times * other.exposed[i];
    communication += times * other.communication;
    launchBound += times * other.launchBound;
    waitingForData += times * other.waitingForData;
    queued += times * other.queued;
    unexplained += times * other.unexplained;
}

DeviceTimeline::DeviceTimeline(const TraceEvents& events, std::uint16_t device) : m_trace(events)
{
    for (const GpuEvent& event : events.gpu)
        if (event.device == device)
            m_events.push_back(event);
    std::ranges::sort(m_events, {}, [](const GpuEvent& e) { return std::pair(e.start, e.end); });
    if (m_events.empty())
        return;
    m_whole.start = m_whole.end = m_events.front().start;
    for (const GpuEvent& event : m_events) {
        m_longest = std::max(m_longest, event.end - event.start);
        m_whole.end = std::max(m_whole.end, event.end);
    }
}

std::pair<std::size_t, std::size_t> DeviceTimeline::startingIn(const Span& window) const
{
    const auto place = [&](std::int64_t t) {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_events, t, {}, &GpuEvent::start) - m_events.begin());
    };
    return {place(window.start), place(window.end)};
}

TimeSplit DeviceTimeline::split(const Span& window) const
{
    TimeSplit split;
    if (window.length() <= 0)
        return split;
    split.span = double(window.length()) * nanosecond;
    std::vector<Boundary> boundaries;
    const auto [first, last] = startingIn({window.start - m_longest, window.end});
    for (std::size_t i = first; i < last; ++i) {
        const GpuEvent& event = m_events[i];
        const std::int64_t from = std::max(event.start, window.start), to = std::min(event.end, window.end);
        if (to <= from)
            continue;
        split.sum[static_cast<std::size_t>(event.kind.kernelClass)] += double(to - from) * nanosecond;
        boundaries.push_back({from, event.kind, 1});
        boundaries.push_back({to, event.kind, -1});
    }
    std::ranges::sort(boundaries, {}, &Boundary::at);
    Running running;
    std::int64_t now = window.start;
    for (const Boundary& boundary : boundaries) {
        if (boundary.at > now) {
            if (running.kinds > 0)
                running.addTo(split, double(boundary.at - now) * nanosecond);
            else
                addGap({now, boundary.at}, split);
            now = boundary.at;
        }
        running.change(boundary);
    }
    if (window.end > now)
        addGap({now, window.end}, split);
    return split;
}

/// The kernel that ends a gap says what it waited for: where its call came after the gap had begun, the host was late.
void DeviceTimeline::addGap(const Span& gap, TimeSplit& split) const
{
    double rest = double(gap.length()) * nanosecond;
    const auto& loading = m_trace.dataLoading;
    double data = 0;
    for (auto load = std::ranges::lower_bound(loading, gap.start, {}, &Span::end);
         load != loading.end() && load->start < gap.end; ++load)
        data += double(std::min(load->end, gap.end) - std::max(load->start, gap.start)) * nanosecond;
    data = std::clamp(data, 0.0, rest);
    split.waitingForData += data;
    rest -= data;

    const auto next = std::ranges::lower_bound(m_events, gap.end, {}, &GpuEvent::start);
    const std::uint32_t correlation = next == m_events.end() ? 0 : next->correlation;
    const auto call = std::ranges::lower_bound(m_trace.launches, correlation, {}, &LaunchCall::correlation);
    if (correlation == 0 || call == m_trace.launches.end() || call->correlation != correlation)
        split.unexplained += rest;
    else if (call->end > gap.start)
        split.launchBound += rest;
    else
        split.queued += rest;
}

void settle(TraceEvents& events)
{
    std::ranges::stable_sort(events.launches, {}, &LaunchCall::correlation);
    auto& loading = events.dataLoading;
    std::ranges::sort(loading, {}, &Span::start);
    std::vector<Span> merged;
    for (const Span& span : loading) {
        if (!merged.empty() && span.start <= merged.back().end)
            merged.back().end = std::max(merged.back().end, span.end);
        else
            merged.push_back(span);
    }
    loading = std::move(merged);
}

} // namespace headroom::profile
