// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to metric_registry.cpp: the rows of what was measured, and of what follows from it.
#pragma once

#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/metric_values.hpp"

namespace headroom::metric_values
{

inline constexpr MetricRow observedRows[] = {
    {"observed.mfu", "MFU, observed", "MFU from the measurement", "MFU's definition with the measured time.",
     "model FLOP ÷ (measured time × GPUs × peak)", ValueFormat::Percent, Better::Higher, true, true, false,
     observed<&Observed::mfu>, whole, derivations::observedMfu, MethodChapter::Counting},
    {"observed.hfu", "HFU, observed", "HFU from the measurement", "HFU's definition with the measured time.",
     "(model + recomputed FLOP) ÷ (measured time × GPUs × peak)", ValueFormat::Percent, Better::Higher, true, true,
     false, observed<&Observed::hfu>, whole, derivations::observedHfu, MethodChapter::Counting},
    {"observed.mbu", "MBU, observed", "MBU from the measurement", "MBU's definition with the measured time.",
     "bytes that must move ÷ (measured time × bandwidth)", ValueFormat::Percent, Better::Higher, true, true, false,
     observed<&Observed::mbu>, whole, derivations::observedMbu, MethodChapter::Counting},
    {"observed.step_time_s", "Time, measured", "Measured time of a step, or of an output token",
     "The time of a training step, or of an output token, that the measurement states or implies.", "as measured",
     ValueFormat::Seconds, Better::Lower, true, true, false, observed<&Observed::stepTimeS>, none,
     derivations::observedStepTime, MethodChapter::Counting},
    {"observed.achieved_bandwidth_gb_per_s", "Achieved GB/s", "Achieved bandwidth per GPU",
     "Bytes moved over the measured time, in GB/s, counted as the source counts.", "bytes ÷ measured time",
     ValueFormat::Plain, Better::Higher, false, true, false, observed<&Observed::achievedBandwidthGbPerS>, bandwidth,
     derivations::observedBandwidth, MethodChapter::Counting},
    {"observed.ttft_s", "TTFT, measured", "Measured time to first token", "The time to first token as measured.",
     "as measured", ValueFormat::Seconds, Better::Lower, false, true, false, observed<&Observed::ttftS>, none,
     derivations::observedAsStated, MethodChapter::Load},
    {"observed.tokens_per_s", "Tokens/s, measured", "Measured tokens per second",
     "Of training the tokens of a step over its measured time, of serving the output tokens as measured.",
     "as measured", ValueFormat::TokensPerS, Better::Higher, true, true, false, observed<&Observed::tokensPerS>, none,
     derivations::observedTokensPerS, MethodChapter::Counting},
    {"observed.peak_memory_bytes", "Peak memory, measured", "Measured peak memory of one device",
     "The most memory that one device held, as measured.", "as measured", ValueFormat::Bytes, Better::Lower, true, true,
     false, observed<&Observed::peakMemoryBytes>, none, derivations::observedAsStated, MethodChapter::Memory},
};

} // namespace headroom::metric_values
