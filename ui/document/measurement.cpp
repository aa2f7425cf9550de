// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/measurement.hpp"

namespace headroom::ui
{

bool describeOneRun(const Scenario& a, const Scenario& b)
{
    Scenario other = b;
    other.name = a.name;
    other.notes = a.notes;
    other.source = a.source;
    other.year = a.year;
    other.measured = a.measured;
    other.accounting = a.accounting;
    other.efficiency = a.efficiency;
    other.hardware.pricePerGpuHour = a.hardware.pricePerGpuHour;
    other.training.trainingTokens = a.training.trainingTokens;
    other.inference.ttftTargetS = a.inference.ttftTargetS;
    other.inference.tpotTargetS = a.inference.tpotTargetS;
    return other == a;
}

} // namespace headroom::ui
