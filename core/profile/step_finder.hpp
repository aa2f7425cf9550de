// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a trace: where they begin and end on a device, and which of them warm up.
#pragma once

#include "core/profile/time_split.hpp"

namespace headroom::profile
{

/// How the steps were found, the best first.
enum class StepSource : std::uint8_t {
    GpuAnnotation,  ///< the profiler's annotation of what the step launched on this device
    HostAnnotation, ///< the annotation of the host, moved to what it launched where the trace tells that
    Repetition,     ///< kernels that come again in the same order
    WholeTrace      ///< none found: from the first event to the last
};
/// In English: what say() is asked for.
[[nodiscard]] std::string_view label(StepSource source);

/// One step on one device.
struct FoundStep {
    std::int64_t number = 0; ///< the annotation's, or counted from 0
    Span span;
    bool warmUp = false; ///< at the beginning, and much longer than those after it
    bool used = true;    ///< counts in the mean: no warm-up, and its end is known
};

/// All of them.
struct FoundSteps {
    StepSource source = StepSource::WholeTrace;
    std::vector<FoundStep> steps; ///< by time, never empty where the device has events
};

/// A step lasts until the next one begins, so that what the GPU waits for between two belongs to the first; the last
/// ends where its annotation does and counts only where it is the only one. Steps without any event of the device are
/// left out. Warm-up are steps at the beginning that last more than a quarter longer than the median of the others.
[[nodiscard]] FoundSteps findSteps(const TraceEvents& trace, std::uint16_t device, const DeviceTimeline& timeline);

} // namespace headroom::profile
