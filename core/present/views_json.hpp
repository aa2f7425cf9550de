// SPDX-License-Identifier: GPL-3.0-or-later
// The views file format (.headroom-views): the views of a talk, strictly read with JSON paths, canonically written.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/present/stage_view.hpp"
#include "core/support/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// Largest file that is read.
inline constexpr std::size_t largestViewsFile = 16u << 20;

/// Reads the views of a talk (docs/views.md). Refuses unknown and duplicate keys, a newer version, charts and sliders
/// that do not exist or are of the other task, too many or none of them, and whatever a scenario file is refused for;
/// every error names its JSON path ("/views/2/scenario/model") and what would be right. Never throws.
[[nodiscard]] Expected<std::vector<StageView>> readViews(std::string_view text, const Catalog& catalog);

/// Canonical text: known key order, two-space indent, empty keys left out, trailing newline.
/// readViews(writeViews(v)) gives v back.
[[nodiscard]] std::string writeViews(const std::vector<StageView>& views);

} // namespace headroom
