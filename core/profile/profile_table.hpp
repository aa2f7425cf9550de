// SPDX-License-Identifier: GPL-3.0-or-later
// ProfileTable: the parts of a profiled step beside the prediction, and the profiles of several scenarios side by side,
// as words for tables.
#pragma once

#include "core/comparison/comparison.hpp"
#include "core/profile/profile_comparison.hpp"

#include <string>
#include <vector>

namespace headroom::profile
{

/// A line of words in the language in force; "–" where a side has no such part.
struct ProfileTableRow {
    std::string part, predicted, measured, difference;
    std::string cause; ///< likely; empty where the difference is small
};

/// The parts in their order, the step last. Empty without a profile.
[[nodiscard]] std::vector<ProfileTableRow> profileTable(const ProfileComparison& comparison);
/// part | predicted | measured | difference | likely cause, with what to keep in mind below. Empty without a profile.
[[nodiscard]] std::string profileMarkdown(const ProfileComparison& comparison);

/// The kernels that a profile kept by their names, as words: "my_kernel", "12 ms, 3 times, not recognised". At most
/// `most`, the longest first.
struct KernelRow {
    std::string name, words;
};
[[nodiscard]] std::vector<KernelRow> kernelRows(const ProfiledKernels& kernels, std::size_t most);

/// One part over scenarios side by side.
struct PartAcross {
    std::string_view id, label;                   ///< as of ProfilePart
    std::vector<std::optional<double>> measuredS; ///< one per column
};
/// Measured parts of scenarios of one task side by side, before and after a change.
struct ProfilesAcross {
    std::vector<std::string> letters; ///< of the columns, those that have a profile; "" is the scenario in hand
    std::vector<PartAcross> parts;    ///< those that any has, the step last
};
/// Empty where fewer than two of them have a profile.
[[nodiscard]] ProfilesAcross profilesAcross(const std::vector<ComparedScenario>& scenarios);
/// A table for a wiki or an issue.
[[nodiscard]] std::string profilesMarkdown(const ProfilesAcross& across);
/// Rows for comparisonCsv(), with a cell for each of its columns: "profile.matmul", seconds in full precision.
[[nodiscard]] std::string profilesCsv(const ProfilesAcross& across, const Comparison& comparison);

/// "+12.5 ms", "−3 s"; "0 s" where nothing is apart.
[[nodiscard]] std::string signedSeconds(double seconds);

} // namespace headroom::profile
