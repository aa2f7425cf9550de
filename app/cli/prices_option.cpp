// SPDX-License-Identifier: GPL-3.0-or-later
// --prices: a company's price list, for every scenario of a call.
#include "app/cli/command.hpp"
#include "core/catalog/price_list.hpp"
#include "core/support/json_parse.hpp"
#include "core/units/currency.hpp"

namespace headroom::cli
{
void Context::usePrices(const std::string& path)
{
    const auto text = readInputFile(path);
    if (!text)
        endWith(text.error(), path);
    const auto list = readPriceList(*text);
    if (!list)
        endWith(list.error(), path);
    Diagnostics problems;
    m_catalog = std::make_unique<Catalog>(withPrices(catalog(), *list, problems));
    addLines(problems, *text);
    if (!problems.empty())
        endWith(problems, path);
    showMoneyIn(list->currency);
}

void addPrices(CLI::App& command, Context& context)
{
    const auto set = [&context](const std::string& path) { context.usePrices(path); };
    command
        .add_option_function<std::string>("--prices", set,
                                          "A price list (headroom-prices): the scenarios' prices where they state none")
        ->type_name("FILE");
}

} // namespace headroom::cli
