// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog: the values of an architecture's record that have a form of their own. Each reader says what
// is wrong with the value and leaves the target as it is, or empty.
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/json_reader.hpp"

namespace headroom
{

inline constexpr std::int64_t mostSize = (std::int64_t{1} << 40) - 1; ///< no width or count of a real model comes near
inline constexpr std::int64_t mostLayers = 100'000;

/// [[count, mixer, feed-forward], [repeat, [such entries]], …].
void readSchedule(ObjectReader& r, std::string_view key, std::vector<LayerRun>& schedule);
[[nodiscard]] nlohmann::ordered_json scheduleJson(const std::vector<LayerRun>& schedule);

/// [[mixer, feed-forward width], …].
void readCustomBlocks(ObjectReader& r, std::string_view key, std::vector<std::pair<std::string, std::int64_t>>& blocks);

/// [[mixer, feed-forward], …].
void readPattern(ObjectReader& r, std::string_view key, std::vector<std::pair<std::string, MlpKind>>& pattern);
[[nodiscard]] nlohmann::ordered_json patternJson(const std::vector<std::pair<std::string, MlpKind>>& pattern);

/// Values that share a scale; -1 is a whole row.
void readGroup(ObjectReader& r, std::string_view key, std::int64_t& group);
/// Sides of a block of weights that share a scale, or its one side.
void readBlock(ObjectReader& r, std::string_view key, std::vector<std::int64_t>& block);

} // namespace headroom
