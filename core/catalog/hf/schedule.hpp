// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: a list of layers to the run-length coded schedule of ModelArchitecture.
#pragma once

#include "core/catalog/hf/draft.hpp"

namespace headroom::hf
{

/// Equal neighbours become one segment; a pattern that repeats over most of the model becomes one run.
[[nodiscard]] std::vector<LayerRun> scheduleOf(const std::vector<LayerEntry>& layers);

} // namespace headroom::hf
