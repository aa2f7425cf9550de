// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/facts/catalog_facts.hpp"

#include "core/support/say.hpp"
#include "core/units/format.hpp"

namespace headroom
{

template <typename Entry>
std::string factText(const FactRow<Entry>& row, const Entry& entry)
{
    if (row.text)
        return row.spoken ? said(row.text(entry)) : row.text(entry);
    const auto value = row.number(entry);
    return value ? formatText(*value, row.format) : std::string();
}

template std::string factText(const FactRow<Accelerator>&, const Accelerator&);
template std::string factText(const FactRow<ModelEntry>&, const ModelEntry&);

std::optional<std::size_t> bestOf(FactOrder order, std::span<const std::optional<double>> values)
{
    std::optional<std::size_t> best;
    int known = 0;
    bool differ = false;
    for (std::size_t i = 0; i < values.size() && order != FactOrder::None; ++i) {
        if (!values[i])
            continue;
        ++known;
        differ = differ || (best && *values[i] != *values[*best]);
        if (!best || (order == FactOrder::More ? *values[i] > *values[*best] : *values[i] < *values[*best]))
            best = i;
    }
    return known >= 2 && differ ? best : std::nullopt;
}

} // namespace headroom
