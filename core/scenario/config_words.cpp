// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/config_words.hpp"
#include "core/catalog/hf/plain_words.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

constexpr std::string_view configName = "hf_config";

/// Whether a text outside of every config is one of the bare words.
bool hasBareWord(const Json& value)
{
    if (const auto* text = value.get_ptr<const std::string*>())
        return hf::isBareWord(*text);
    if (value.is_array())
        return std::ranges::any_of(value, hasBareWord);
    if (value.is_object())
        for (const auto& [key, member] : value.items())
            if (key != configName && hasBareWord(member))
                return true;
    return false;
}

} // namespace

Expected<Json> parseWithConfig(std::string_view text, const JsonLimits& limits)
{
    auto parsed = parseJson(text, limits);
    if (parsed || parsed.error().front().code != "not-a-number" || text.find(configName) == text.npos)
        return parsed;
    auto quoted = parseJson(hf::withoutBareWords(text), limits);
    return quoted && !hasBareWord(*quoted) ? std::move(quoted) : std::move(parsed);
}

} // namespace headroom
