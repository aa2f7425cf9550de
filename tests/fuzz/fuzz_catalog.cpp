// SPDX-License-Identifier: GPL-3.0-or-later
// A file of the user's catalogue: read as an accelerator or as a model, counted, written, read again; or as a price
// list, laid at the catalogue.
#include "core/catalog/accelerator_json.hpp"
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/catalog_json.hpp"
#include "core/catalog/price_list.hpp"
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

void asPrices(std::string_view input)
{
    const auto list = readPriceList(input);
    if (!list) {
        requireWords(list.error());
        return;
    }
    Diagnostics problems;
    const Catalog catalog = withPrices(Catalog::builtIn(), *list, problems);
    for (const PriceList::Entry& entry : list->entries)
        if (const auto device = catalog.accelerator(entry.accelerator); device && device->listed)
            for (const PriceKind kind : {PriceKind::OnDemand, PriceKind::Reserved, PriceKind::Spot})
                if (const auto price = knownPrice(*device, kind))
                    require(price->perHour > 0 && !price->date.empty() && !priceOrigin(*price).empty(),
                            "a price has its date and source", entry.accelerator);
}

} // namespace

const unsigned ways = 3;

void fuzzOne(std::string_view input, unsigned way)
{
    if (way == 2)
        return asPrices(input);
    const auto parsed = parseJson(input);
    if (!parsed) {
        requireWords(parsed.error());
        return;
    }
    way == 0 ? asAccelerator(*parsed) : asModel(*parsed);
}

} // namespace headroom::fuzz
