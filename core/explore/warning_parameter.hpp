// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter that a warning of a result asks to change.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/scenario/parameter_registry.hpp"

namespace headroom
{

/// The parameter a warning is about, in this task; null when it is about none.
[[nodiscard]] const ParameterRow* warningParameter(WarningCode code, const Setup& setup);
/// Whether that parameter is something to find out, as a network, a load, an acceptance or the software in use is: any
/// other value would end the warning, and only one of them is true.
[[nodiscard]] bool isAboutAFact(WarningCode code);

} // namespace headroom
