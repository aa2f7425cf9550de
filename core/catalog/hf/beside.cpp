// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/beside.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

/// "qwen3_moe" and "Qwen3MoeModel" are the same word but for case, underscores and the end.
bool isBaseClass(std::string_view architecture, std::string_view modelType)
{
    constexpr std::string_view end = "Model";
    if (!architecture.ends_with(end) || modelType == "chatglm") // ChatGLMModel is the class with a head
        return false;
    std::string type;
    for (const char c : modelType)
        if (c != '_')
            type += c;
    return std::ranges::equal(architecture.substr(0, architecture.size() - end.size()), type, [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
}

/// Labels of a classifier; PretrainedConfig has two where the file names none.
std::int64_t labelsOf(const ConfigKeys& keys)
{
    constexpr std::int64_t standard = 2;
    if (const auto* names = keys.find("id2label"); names != nullptr && names->is_object() && !names->empty())
        return std::ssize(*names);
    return keys.size({"num_labels"}, standard);
}

} // namespace

std::string firstArchitecture(const ConfigKeys& part, const ConfigKeys& top)
{
    for (const ConfigKeys* keys : {&part, &top})
        if (const auto names = keys->words("architectures"); !names.empty())
            return names.front();
    return {};
}

void noteTowers(std::span<const ConfigKeys> parts, Diagnostics& warnings)
{
    std::vector<std::string> found;
    std::string path;
    for (const ConfigKeys& keys : parts)
        for (const std::string_view key : towerKeys) {
            const auto* tower = keys.find(key);
            if (tower == nullptr || tower->empty() || !(tower->is_object() || tower->is_string()))
                continue;
            if (found.empty())
                path = fmt::format("{}/{}", keys.path(), key);
            found.emplace_back(key);
        }
    if (found.empty())
        return;
    warnings.push_back(
        {Severity::Warning,
         "assumed",
         path,
         found.size() == 1
             ? say("{} describes a part beside the language model: it is in no count and no memory", found.front())
             : say("{} describe parts beside the language model: they are in no count and no memory",
                   fmt::join(found, ", ")),
         said("leave room for its weights beside the model's"),
         {},
         0});
}

void noteAbsentHead(Draft& d, const std::string& architecture)
{
    const double head = double(d.model.vocab) * double(d.model.embedDim > 0 ? d.model.embedDim : d.model.hidden);
    const std::string hint = said("the counts are those of the language model with its LM head");
    if (architecture.ends_with("ForSequenceClassification") || architecture.ends_with("ForTokenClassification")) {
        const std::int64_t labels = labelsOf(d.keys);
        const double fewer = (d.model.tied ? 0 : head) - double(d.model.hidden) * double(labels);
        if (fewer > 0)
            d.warn("architectures",
                   say("{}: its checkpoint holds a score head instead of an LM head, {} parameters fewer",
                       printable(architecture), wholeText(fewer)),
                   hint);
    } else if (!d.model.tied && isBaseClass(architecture, d.modelType)) {
        d.warn(
            "architectures",
            say("{}: its checkpoint holds no LM head, {} parameters fewer", printable(architecture), wholeText(head)),
            hint);
    }
}

} // namespace headroom::hf
