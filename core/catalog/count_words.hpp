// SPDX-License-Identifier: GPL-3.0-or-later
// How many layers, blocks or entries, in the language in force, as words.
#pragma once

#include <cstdint>
#include <string>

namespace headroom
{

/// "1 layer", "2 layers".
[[nodiscard]] std::string layersText(std::int64_t count);
/// "1 block", "2 blocks".
[[nodiscard]] std::string blocksText(std::int64_t count);
/// "1 entry", "2 entries".
[[nodiscard]] std::string entriesText(std::int64_t count);

} // namespace headroom
