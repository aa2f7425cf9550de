// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of parameters in the order of presentation, with their names.
#pragma once

#include "core/scenario/parameter_registry.hpp"

#include <QString>
#include <array>

namespace headroom::ui
{

struct ParameterGroupRow {
    ParameterGroup group;
    const char* id;
    const char* title;
};

[[nodiscard]] const std::array<ParameterGroupRow, 9>& parameterGroups();
[[nodiscard]] QString groupTitle(const ParameterGroupRow& row);

} // namespace headroom::ui
