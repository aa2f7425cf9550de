// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to *_json.cpp and its kin (nlohmann types): `architecture` objects of scenario files, read and written.
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/diagnostic.hpp"

#include <nlohmann/json_fwd.hpp>

namespace headroom
{

/// Whether hf_id, year, published figures and the like are facts (catalogue files) or passed over (scenarios).
enum class PublicationFields : std::uint8_t { Ignored, Kept };

/// Reads an architecture object strictly: unknown keys, sizes out of range and schedules that do not add up are errors
/// with their JSON path below `path`, and so are parts that no layer has. Required: layers, hidden, heads, vocab, and
/// ffn or moe; the rest has defaults. The result is valid input of compileModel().
[[nodiscard]] Expected<ModelArchitecture> readArchitecture(const nlohmann::json& object, const std::string& path,
                                                           PublicationFields fields = PublicationFields::Ignored);

/// `base` with the fields of {"id": …, fields…} put over it; "id" is passed over. Changing `layers` without `schedule`
/// cuts or repeats the schedule's cycle; experts, a window or latents that no layer had go to all layers where it gives
/// no schedule. Objects within (moe, attention) change key by key.
[[nodiscard]] Expected<ModelArchitecture>
readArchitectureOverride(const ModelArchitecture& base, const nlohmann::json& object, const std::string& path);

/// Canonical: fields at their default are left out; readArchitecture() gives the same value back.
[[nodiscard]] nlohmann::ordered_json writeArchitecture(const ModelArchitecture& architecture,
                                                       PublicationFields fields = PublicationFields::Ignored);

/// The schedule of another number of layers: cut, or continued with its cycle (the part that repeats at its end;
/// where nothing repeats, the whole).
[[nodiscard]] std::vector<LayerRun> resizedSchedule(const std::vector<LayerRun>& schedule, std::int64_t layers);

} // namespace headroom
