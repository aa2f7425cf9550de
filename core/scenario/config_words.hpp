// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/scenario: parseWithConfig: the text of a scenario, whose config.json may hold the bare words that
// Python writes.
#pragma once

#include "core/support/json_parse.hpp"

namespace headroom
{

/// As parseJson(); within an "hf_config", Infinity, -Infinity and NaN become texts, as where a config.json is imported.
/// Elsewhere they are refused ("not-a-number").
[[nodiscard]] Expected<Json> parseWithConfig(std::string_view text, const JsonLimits& limits);

} // namespace headroom
