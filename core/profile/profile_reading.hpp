// SPDX-License-Identifier: GPL-3.0-or-later
// ProfileReading: what the profiles of one or several ranks say of a step, from files of any known format.
#pragma once

#include "core/profile/step_finder.hpp"
#include "core/profile/trace_stream.hpp"

namespace headroom::profile
{

/// Kernels of one name, in the steps that count.
struct KernelTotal {
    std::string name;
    KernelClass kernelClass = KernelClass::Other;
    double seconds = 0; ///< of a mean step, durations added up
    double count = 0;   ///< in a mean step
};

/// Matmuls of one shape, in the steps that count.
struct ShapeTotal {
    MatmulShape shape;
    double seconds = 0, count = 0; ///< of a mean step
    [[nodiscard]] double flop() const { return count * shape.flop(); }
};

/// One device of one file.
struct DeviceProfile {
    std::string file;                 ///< a path's last part
    std::optional<std::int64_t> rank; ///< where the file says it
    std::int64_t device = 0;
    std::string deviceName;
    FoundSteps steps;
    TimeSplit mean;                   ///< of the steps that count
    TimeSplit whole;                  ///< from the first event to the last
    std::vector<KernelTotal> kernels; ///< most time first, at most 200
    std::vector<ShapeTotal> shapes;   ///< most time first, at most 200
    double shapedSeconds = 0;         ///< of a mean step: matmul kernels whose shape is known
    double matmulFlop = 0;            ///< of those
    std::size_t events = 0;

    [[nodiscard]] int usedSteps() const;
    [[nodiscard]] int warmUpSteps() const;
};

/// The profiles of a run.
struct ProfileReading {
    std::string format;                 ///< "PyTorch profiler trace", for people
    std::vector<DeviceProfile> devices; ///< the slowest first: the longest mean step; never empty
    bool ranksCompared = false;         ///< the collectives of several devices were matched: waiting is told apart
    Diagnostics warnings;               ///< what the files do not say
};

/// How to read.
struct ProfileOptions {
    const KernelRules* rules = nullptr; ///< null: the built-in ones
    std::optional<std::int64_t> step;   ///< this one alone, by its number
    Progress progress;                  ///< over all files
};

/// Reads the profiles of one run, a file a rank (or several devices in one). Errors carry file and line. Never throws.
[[nodiscard]] Expected<ProfileReading> readProfiles(const std::vector<std::string>& paths,
                                                    const ProfileOptions& options = {});
/// The same of a text in memory; SQLite files are read from the disk alone.
[[nodiscard]] Expected<ProfileReading> readProfile(std::string_view bytes, std::string_view fileName,
                                                   const ProfileOptions& options = {});

/// Whether a file is one of these, for deciding what a dropped file is: its name and its first kilobytes, as they lie
/// on the disk (gzip is looked into).
[[nodiscard]] bool looksLikeProfile(std::string_view fileName, std::string_view beginning);

} // namespace headroom::profile
