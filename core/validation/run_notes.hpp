// SPDX-License-Identifier: GPL-3.0-or-later
// RunNotes: why a published run differs, where that is known (resources/run_notes.json).
#pragma once

#include <string>
#include <string_view>

namespace headroom
{

/// The cause noted for a run under a heading ("accounting", "speed of light"); empty where none is known. A note names
/// its runs ("torchtitan-0009, dgxc-*") and, where it holds for one model only, that model. Under the name of a figure
/// ("ttft_s") it says why the figure is of something else than the scenario: no fit learns from it.
[[nodiscard]] std::string runNote(std::string_view about, std::string_view run, std::string_view model);

} // namespace headroom
