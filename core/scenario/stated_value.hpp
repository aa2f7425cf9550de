// SPDX-License-Identifier: GPL-3.0-or-later
// A value as a file states it: it asks for what it belongs to, even where it is the default.
#pragma once

#include "core/scenario/parameter_registry.hpp"

#include <string_view>

namespace headroom
{

/// What an object of the workload asks for although it states nothing, or defaults alone: failures that count
/// ("reliability"), a step of reinforcement learning ("rl"), replicas that follow the load ("autoscale"). Nothing for
/// other names, and nothing where it is asked for already.
void askFor(Setup& setup, std::string_view object);

/// Sets a row as a file that states this key alone does: `reliability.spares` 0 counts failures as 1 does.
void stateValue(Setup& setup, const ParameterRow& row, double value);

} // namespace headroom
