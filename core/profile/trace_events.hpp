// SPDX-License-Identifier: GPL-3.0-or-later
// TraceEvents: what the readers of traces take out of a file, whatever its format, and all that is computed from.
#pragma once

#include "core/profile/kernel_rules.hpp"

#include <limits>
#include <unordered_map>

namespace headroom::profile
{

/// A kernel, a copy or a filling of memory on a GPU. Times in ns since the trace's own zero.
struct GpuEvent {
    std::int64_t start = 0, end = 0;
    std::uint32_t name = 0;        ///< index in TraceEvents::names
    std::uint32_t correlation = 0; ///< of the call that launched it, 0: none
    std::uint16_t device = 0;      ///< index in TraceEvents::devices
    KernelKind kind;
};

/// The host's call that started an event.
struct LaunchCall {
    std::uint32_t correlation = 0;
    std::int64_t start = 0, end = 0;
};

inline constexpr double nanosecond = 1e-9; ///< in seconds

/// From one instant to another, ns.
struct Span {
    std::int64_t start = 0, end = 0;
    [[nodiscard]] std::int64_t length() const { return end - start; }
};

/// An annotation of one step. Profilers write one for the host and, of what it launched, one for each device.
struct StepMark {
    std::int64_t number = 0;
    Span span;
    bool onGpu = false;
    std::uint16_t device = 0; ///< of those on a GPU
    std::uint8_t family = 0;  ///< of annotations of more than one kind, the lower is taken
};

/// A name with what it stands for.
struct KernelName {
    std::string text; ///< cut after 512 characters
    KernelKind kind;
};

/// A product of matrices, batch × (m × k) · (k × n); what the operator's inputs say.
struct MatmulShape {
    std::int64_t batch = 1, m = 0, n = 0, k = 0;
    std::string type; ///< of the inputs, as the trace writes it: "c10::BFloat16"
    [[nodiscard]] double flop() const { return 2.0 * double(batch) * double(m) * double(n) * double(k); }
    bool operator==(const MatmulShape&) const = default;
};

/// A device as a file knows it.
struct TraceDevice {
    std::int64_t id = 0;
    std::string name; ///< "NVIDIA H100 80GB HBM3", empty where the file does not say
};

/// One file's events, and what it says of itself.
struct TraceEvents {
    std::string format; ///< "PyTorch profiler trace", in the language in force
    std::vector<GpuEvent> gpu;
    std::vector<LaunchCall> launches;
    std::vector<StepMark> steps;
    std::vector<Span> dataLoading; ///< in which the host waited for its data loader
    std::vector<KernelName> names;
    std::vector<TraceDevice> devices;
    std::vector<MatmulShape> shapes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> shapeOfEvent; ///< event, shape; by event
    std::optional<std::int64_t> rank, worldSize;
    std::size_t hostEvents = 0; ///< of the host, to tell a trace without a GPU from an empty one
    Diagnostics warnings;

    /// Index of a device, which is added where it is new. At most 4096 of them: the rest share the last.
    std::uint16_t deviceIndex(std::int64_t id);
};

/// Gives each kernel name one entry and classes it once.
class NameTable final
{
public:
    NameTable(TraceEvents& events, const KernelRules& rules) : m_events(events), m_rules(rules) {}
    /// Index in TraceEvents::names.
    std::uint32_t add(std::string_view name);

private:
    TraceEvents& m_events;
    const KernelRules& m_rules;
    std::unordered_map<std::string, std::uint32_t> m_known;
    std::size_t m_bytes = 0;
};

/// More events of a kind than this are refused: 32 bytes each.
inline constexpr std::size_t mostEvents = 4'000'000;
/// µs and ns of a trace lie below this: 290 years. What lies beyond is no time.
inline constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max() / 4;

} // namespace headroom::profile
