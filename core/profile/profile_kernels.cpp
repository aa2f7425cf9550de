// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario keeps of the names of a profile's kernels, where that is wanted.
#include "core/profile/profile_comparison.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom::profile
{

std::optional<KeptNames> keptNames(std::string_view id)
{
    return id == "none"           ? std::optional(KeptNames::None)
           : id == "unrecognised" ? std::optional(KeptNames::Unrecognised)
           : id == "all"          ? std::optional(KeptNames::All)
                                  : std::nullopt;
}

ProfiledKernels profiledKernels(const ProfileReading& reading, KeptNames which)
{
    ProfiledKernels kept;
    if (which == KeptNames::None)
        return kept;
    for (const KernelTotal& kernel : reading.devices.front().kernels) { // the longest first
        const bool wanted = which == KeptNames::All || kernel.kernelClass == KernelClass::Other;
        // What takes no time has nothing to tell, and a file refuses it.
        if (!wanted || kernel.seconds <= 0 || kernel.count <= 0 || kernel.name.empty())
            continue;
        kept.push_back({printable(kernel.name, ProfiledKernel::longestName), std::string(idOf(kernel.kernelClass)),
                        kernel.count, kernel.seconds});
        if (kept.size() == ProfiledKernel::most)
            break;
    }
    return kept;
}

} // namespace headroom::profile
