// SPDX-License-Identifier: GPL-3.0-or-later
// A file of the user's catalogue: read as an accelerator or as a model, counted, written, read again.
#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/catalog_json.hpp"
#include "core/support/json_parse.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headroom::fuzz
{

namespace
{

void asAccelerator(const Json& json)
{
    if (const auto accelerator = readAccelerator(json, "", AcceleratorFacts::MayLack)) {
        const std::string written = writeAccelerator(*accelerator).dump();
        const auto again = readAccelerator(Json::parse(written), "", AcceleratorFacts::MayLack);
        require(again.has_value(), "a written accelerator can be read", written);
        require(writeAccelerator(*again).dump() == written, "writing an accelerator is canonical", written);
        requireJson(acceleratorJson(*accelerator, -1));
    } else {
        requireWords(accelerator.error());
    }
}

void asModel(const Json& json)
{
    if (const auto model = readArchitecture(json, "", PublicationFields::Kept)) {
        const std::string written = writeArchitecture(*model, PublicationFields::Kept).dump();
        const auto again = readArchitecture(Json::parse(written), "", PublicationFields::Kept);
        require(again.has_value(), "a written model can be read", written);
        require(writeArchitecture(*again, PublicationFields::Kept).dump() == written, "writing a model is canonical",
                written);
        requireJson(modelJson(*model, -1));
    } else {
        requireWords(model.error());
    }
}

} // namespace

const unsigned ways = 2;

void fuzzOne(std::string_view input, unsigned way)
{
    const auto parsed = parseJson(input);
    if (!parsed) {
        requireWords(parsed.error());
        return;
    }
    way == 0 ? asAccelerator(*parsed) : asModel(*parsed);
}

} // namespace headroom::fuzz
