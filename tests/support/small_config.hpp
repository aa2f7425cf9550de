// SPDX-License-Identifier: GPL-3.0-or-later
// A config.json of a few small numbers, and what its import refuses.
#pragma once

#include "core/catalog/hf_config.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace headroom::test
{

/// Width 8, two layers, two heads (one key-value head) of width 4, feed-forward 16, vocabulary 32.
inline nlohmann::json smallConfig(const std::string& type, const nlohmann::json& more = nlohmann::json::object())
{
    nlohmann::json config{
        {"model_type", type}, {"hidden_size", 8},         {"num_hidden_layers", 2},  {"num_attention_heads", 2},
        {"vocab_size", 32},   {"num_key_value_heads", 1}, {"intermediate_size", 16}, {"max_position_embeddings", 64}};
    config.update(more);
    return config;
}

/// Errors as text; empty where the config is counted.
inline std::string refusalOfConfig(const std::string& text)
{
    const auto imported = importHfConfig(text);
    std::string said;
    if (!imported)
        for (const Diagnostic& d : imported.error())
            said += d.code + " " + d.path + ": " + d.message + "; " + d.hint + "\n";
    return said;
}

[[nodiscard]] inline bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace headroom::test
