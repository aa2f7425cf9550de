// SPDX-License-Identifier: GPL-3.0-or-later
// TimeSplit: where the time of one device between two instants went.
#pragma once

#include "core/profile/trace_events.hpp"

#include <span>

namespace headroom::profile
{

/// Seconds; the means over several steps too. Two divisions of the same span, both of which add up to it:
/// - `shared` and idle: each instant is divided among the classes that run in it;
/// - `own`, `exposed` and idle: computation comes first, and communication has what is left of it. This is what a
///   prediction states: communication that shows.
struct TimeSplit {
    double span = 0;
    std::array<double, kernelClassCount> sum{};    ///< of the kernels' durations: two at once count twice
    std::array<double, kernelClassCount> shared{}; ///< divided among the classes running
    std::array<double, kernelClassCount> own{};    ///< divided among the classes running but communication, which has 0
    std::array<double, collectiveCount> exposed{}; ///< communication with nothing else running
    double communication = 0;                      ///< in which any of it ran, hidden or not
    double launchBound = 0;                        ///< idle: the next kernel had not been launched yet
    double waitingForData = 0;                     ///< idle, and the host waited for its data loader
    double queued = 0;                             ///< idle, though the next kernel had been launched
    double unexplained = 0;                        ///< idle; the trace does not say what for

    [[nodiscard]] double idle() const { return launchBound + waitingForData + queued + unexplained; }
    [[nodiscard]] double busy() const { return span - idle(); }
    [[nodiscard]] double exposedCommunication() const;
    [[nodiscard]] double ofClass(KernelClass c) const { return own[static_cast<std::size_t>(c)]; }

    void add(const TimeSplit& other, double times);
};

/// What the splits of one device share: its events by their start, and what the host did.
class DeviceTimeline final
{
public:
    /// `device`: index in events.devices. What `events` holds of launches and data loading must be sorted (settle()).
    DeviceTimeline(const TraceEvents& events, std::uint16_t device);

    [[nodiscard]] TimeSplit split(const Span& window) const;
    /// From the first event to the end of the last; empty where there is none.
    [[nodiscard]] Span whole() const { return m_whole; }
    /// Its events, by their start.
    [[nodiscard]] std::span<const GpuEvent> events() const { return m_events; }
    /// Events that begin within a window, [first, last) of events().
    [[nodiscard]] std::pair<std::size_t, std::size_t> startingIn(const Span& window) const;

private:
    void addGap(const Span& gap, TimeSplit& split) const;

    const TraceEvents& m_trace;
    std::vector<GpuEvent> m_events;
    std::int64_t m_longest = 0; ///< of the events: how far before a window one that reaches into it may begin
    Span m_whole;
};

/// Sorts launches and data loading, and puts the intervals of the latter together: once, after reading.
void settle(TraceEvents& events);

} // namespace headroom::profile
