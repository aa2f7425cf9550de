// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/profile: what becomes of one event of a Chrome trace.
#pragma once

#include "core/profile/trace_readers.hpp"

namespace headroom::profile
{

/// The members of one event that matter; the rest is passed over.
struct ChromeEvent {
    std::string phase, category, name, collective;
    std::optional<std::int64_t> start, duration; ///< ns
    std::optional<std::int64_t> process, device, correlation, external;
    std::vector<std::vector<std::int64_t>> dims;
    std::vector<std::string> types;
    bool badTime = false;

    void clear();
};

/// Takes events one after the other into TraceEvents.
class EventTaker final
{
public:
    EventTaker(TraceEvents& events, const KernelRules& rules) : m_events(events), m_names(events, rules) {}

    /// Why no more is taken; empty while all is well.
    [[nodiscard]] std::optional<Diagnostic> take(const ChromeEvent& event);
    /// After the last event: kernels are given the shapes of the operators that launched them.
    void finish();

private:
    void takeGpu(const ChromeEvent& event, bool isKernel);
    void takeAnnotation(const ChromeEvent& event, bool onGpu);
    void takeOperator(const ChromeEvent& event);

    TraceEvents& m_events;
    NameTable m_names;
    std::vector<std::pair<std::uint32_t, std::int64_t>> m_matmuls;     ///< event, id of its operator
    std::unordered_map<std::int64_t, std::uint32_t> m_shapeOfOperator; ///< id of an operator, its shape
    std::unordered_map<std::string, std::uint32_t> m_shapes;
    std::vector<std::int64_t> m_counted; ///< annotations without a number, by device (0: the host)
};

} // namespace headroom::profile
