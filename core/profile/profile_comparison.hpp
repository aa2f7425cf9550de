// SPDX-License-Identifier: GPL-3.0-or-later
// ProfileComparison: the parts of a profiled step beside the parts that are predicted.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/profile/profile_reading.hpp"

namespace headroom::profile
{

/// What a scenario keeps of a reading: the mean step of the slowest device. With `accelerator`, the least time that the
/// shapes of its matmuls allow there, too.
[[nodiscard]] MeasuredProfile measuredProfile(const ProfileReading& reading, const Accelerator* accelerator = nullptr);

/// Which kernels of a profile a scenario keeps by their names.
enum class KeptNames : std::uint8_t {
    None,
    Unrecognised, ///< those that no rule names
    All
};
/// "none", "unrecognised", "all"; empty for another word.
[[nodiscard]] std::optional<KeptNames> keptNames(std::string_view id);
/// The kernels of the slowest device in a mean step, those that took longest, with printable names.
[[nodiscard]] ProfiledKernels profiledKernels(const ProfileReading& reading, KeptNames which);

/// The least seconds of a matmul: its FLOP at the peak of its type, or its operands and result once through memory. 0
/// where the accelerator has no such mode or the type is unknown.
[[nodiscard]] double allowedSeconds(const MatmulShape& shape, const Accelerator& accelerator);

/// What a trace calls a type ("c10::BFloat16"); empty where it names none that an accelerator has a peak of.
[[nodiscard]] std::optional<DataType> dataTypeOf(std::string_view traceType);

/// "1x8192x4096x4096.bf16": batch, m, n, k and type, which tell a profile's shapes apart.
[[nodiscard]] std::string shapeId(const MeasuredShape& shape);

/// One part of a step. A prediction and a profile cut a step differently: some parts have no counterpart.
struct ProfilePart {
    std::string_view id;                         ///< "matmul", "sharding_communication"
    std::string_view label;                      ///< in English: what say() is asked for
    std::optional<double> predictedS, measuredS; ///< empty: no counterpart on that side
    std::string cause; ///< what the difference likely comes from, in the language in force; empty where it is small

    [[nodiscard]] double differenceS() const { return measuredS.value_or(0) - predictedS.value_or(0); }
};

/// The parts side by side.
struct ProfileComparison {
    std::vector<ProfilePart> parts; ///< those that either side has
    double predictedS = 0;          ///< of the step; both are the sums of their parts
    double measuredS = 0;
    double smallS = 0;                  ///< a difference below it needs no cause: 2 % of the shorter side
    std::optional<double> matmulShare;  ///< of the rated peak that matmuls of known shapes reached, 0…1
    std::optional<double> allowedShare; ///< of what their shapes allow, 0…1
    std::optional<double> hiddenShare;  ///< of the communication that was hidden, 0…1
    bool profilerSlowed = false;        ///< most of the step waits for the host: no finding
    std::vector<std::string> notes;     ///< what to keep in mind, sentences

    /// The part whose difference is the largest, either way; null where all are small.
    [[nodiscard]] const ProfilePart* largest() const;
};

/// One thing that a profile says to change.
struct ProfileFinding {
    std::string_view part; ///< id of the part
    double seconds = 0;    ///< of a step that it takes longer than predicted: what mending it would bring
    std::string text;      ///< "Matmuls, +120 ms: …", in the language in force
};

/// Parts that take longer than predicted and have a cause, what would bring most first.
[[nodiscard]] std::vector<ProfileFinding> profileFindings(const ProfileComparison& comparison);

/// Without a profile the predicted parts stand alone. Training: one step; inference: one decode step, of all the tokens
/// it yields. Recomputation is predicted as a part of its own and measured as matmuls, attention and memory-bound
/// operators: it is laid to them. docs/method/profile.md has the table.
[[nodiscard]] ProfileComparison compareProfile(const MeasuredProfile& profile, const PreparedScenario& prepared,
                                               const Evaluation& evaluation);

} // namespace headroom::profile
