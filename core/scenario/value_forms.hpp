// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/scenario (it includes nlohmann/json): values of a scenario file that have several forms, read and
// written.
#pragma once

#include "core/scenario/scenario.hpp"
#include "core/support/json_reader.hpp"

namespace headroom
{

using OrderedJson = nlohmann::ordered_json;

/// true, false or a version: 1, 2, 3.
void readForm(ObjectReader& reader, std::string_view key, FlashAttention& target);
[[nodiscard]] OrderedJson formOf(FlashAttention value);

/// A set's name or an array of projections.
void readForm(ObjectReader& reader, std::string_view key, LoraTargets& target);
[[nodiscard]] OrderedJson formOf(LoraTargets targets);

/// A mode's name or {"mode": …, "every": …}.
void readForm(ObjectReader& reader, std::string_view key, Checkpointing& mode, std::int64_t& every);
[[nodiscard]] OrderedJson formOf(Checkpointing mode, std::int64_t every);

/// A number of sequences or "max".
void readForm(ObjectReader& reader, std::string_view key, std::int64_t& batch, bool& most);
[[nodiscard]] OrderedJson formOf(std::int64_t batch, bool most);

} // namespace headroom
