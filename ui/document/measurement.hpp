// SPDX-License-Identifier: GPL-3.0-or-later
// Which run a measurement is of: settings may move on under it, and then it is of another run.
#pragma once

#include "core/scenario/scenario.hpp"

namespace headroom::ui
{

/// Whether two scenarios describe one run: equal but for names, what was measured, how it is counted, priced and
/// judged, and the assumptions of the prediction.
[[nodiscard]] bool describeOneRun(const Scenario& a, const Scenario& b);

} // namespace headroom::ui
