// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog_text.hpp"

#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/support/json_parse.hpp"

namespace headroom
{
namespace
{

template <typename Entry, typename Read>
Expected<Entry> parsed(std::string_view text, Read read)
{
    const auto json = parseJson(text);
    if (!json)
        return tl::unexpected(json.error());
    Expected<Entry> entry = read(*json);
    if (entry)
        entry->custom = true;
    else
        addLines(entry.error(), text);
    return entry;
}

std::string printed(const nlohmann::ordered_json& object)
{
    return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

} // namespace

Expected<Accelerator> parseAccelerator(std::string_view text)
{
    return parsed<Accelerator>(text, [](const Json& json) { return readAccelerator(json, ""); });
}

Expected<ModelArchitecture> parseArchitecture(std::string_view text)
{
    return parsed<ModelArchitecture>(
        text, [](const Json& json) { return readArchitecture(json, "", PublicationFields::Kept); });
}

std::string acceleratorText(const Accelerator& accelerator)
{
    return printed(writeAccelerator(accelerator));
}

std::string architectureText(const ModelArchitecture& architecture)
{
    return printed(writeArchitecture(architecture, PublicationFields::Kept));
}

Expected<ModelArchitecture> changedArchitecture(const ModelArchitecture& base, std::string_view changes)
{
    const auto json = parseJson(changes);
    if (!json)
        return tl::unexpected(json.error());
    return readArchitectureOverride(base, *json, "");
}

std::string architectureChoice(const ModelArchitecture& architecture)
{
    return Json{{"architecture", writeArchitecture(architecture)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace headroom
