// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says of itself (MFU, TFLOP/s, peak memory) held against what its own time makes of it here, and why the
// two are apart.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <vector>

namespace headroom
{

/// A sentence, in the language in force, for each stated figure that is more than 2 % from ours (memory: 10 % from the
/// prediction of the same kind): another count, where one of the known conventions gives the stated figure; another
/// peak, where MFU and TFLOP/s tell one; else another model, batch or sequence. Empty where nothing is stated, no time
/// is measured beside it, or all agrees. Training alone: serving programs state times.
[[nodiscard]] std::vector<std::string> statedFigureNotes(const PreparedScenario& prepared,
                                                         const Evaluation& evaluation);

/// Which peak of memory was measured, in the language in force: "tensors alone". The memory tile shows that of the
/// device, which is a little more. A file that states none means what the allocator reserves.
[[nodiscard]] std::string peakMemoryKindText(const Measured& measured);

} // namespace headroom
