// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: what a checkpoint holds beside the language model, and what of it it lacks. Neither
// changes a count; both are said.
#pragma once

#include "core/catalog/hf/draft.hpp"

#include <span>

namespace headroom::hf
{

/// Keys that describe a part beside the language model.
inline constexpr std::string_view towerKeys[] = {
    "vision_config",   "audio_config",   "vision_tower",    "mm_vision_tower", "vision_tower_cfg",
    "vision_cfg",      "visual",         "speech_config",   "audio_processor", "talker_config",
    "code2wav_config", "qformer_config", "perceiver_config"};

/// Towers and other parts beside the language model, in no count and no memory. `parts`: the file's object, then the
/// objects within it that lead to the language model.
void noteTowers(std::span<const ConfigKeys> parts, Diagnostics& warnings);

/// A base model or a classifier, by its class: its checkpoint has no LM head, which the counts hold all the same.
void noteAbsentHead(Draft& d, const std::string& architecture);

/// The first entry of `architectures`, of the language model or of the whole file; empty where there is none.
[[nodiscard]] std::string firstArchitecture(const ConfigKeys& part, const ConfigKeys& top);

} // namespace headroom::hf
