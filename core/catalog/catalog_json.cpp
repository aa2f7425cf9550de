// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog_json.hpp"

#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/model/model_profile.hpp"

#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

std::string dumped(const nlohmann::ordered_json& json, int indent)
{
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

std::string modelJson(const ModelArchitecture& model, int indent)
{
    nlohmann::ordered_json json = writeArchitecture(model, PublicationFields::Kept);
    const ParameterCounts counts = countParameters(model);
    json["parameters"] = {{"total", static_cast<std::int64_t>(counts.total)},
                          {"active", static_cast<std::int64_t>(counts.active)}};
    return dumped(json, indent);
}

std::string acceleratorJson(const Accelerator& accelerator, int indent)
{
    return dumped(writeAccelerator(accelerator), indent);
}

} // namespace headroom
