// SPDX-License-Identifier: GPL-3.0-or-later
// A config.json from the web: imported or refused; what is imported can be counted, written and read again.
#include "core/catalog/architecture_json.hpp"
#include "core/catalog/catalog_json.hpp"
#include "core/catalog/hf_config.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headroom::fuzz
{

const unsigned ways = 1;

void fuzzOne(std::string_view input, unsigned /*way*/)
{
    const auto import = importHfConfig(input);
    if (!import) {
        requireWords(import.error());
        return;
    }
    if (!import->warnings.empty())
        requireWords(import->warnings);
    requireJson(modelJson(import->architecture, -1));
    const std::string written = writeArchitecture(import->architecture, PublicationFields::Kept).dump();
    const auto again = readArchitecture(nlohmann::json::parse(written), "", PublicationFields::Kept);
    require(again.has_value(), "an imported model can be written and read", written);
    require(writeArchitecture(*again, PublicationFields::Kept).dump() == written, "and stays the same", written);
}

} // namespace headroom::fuzz
