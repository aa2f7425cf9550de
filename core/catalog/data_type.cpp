// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/data_type.hpp"

#include <algorithm>

namespace headroom
{

std::optional<DataType> dataTypeFromId(std::string_view id)
{
    const auto row = std::ranges::find(dataTypeTable, id, &DataTypeRow::id);
    return row == dataTypeTable.end() ? std::nullopt : std::optional(row->type);
}

} // namespace headroom
