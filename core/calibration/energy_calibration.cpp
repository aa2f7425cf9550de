// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibration.hpp"
#include "core/calibration/calibration_reader.hpp"

namespace headroom
{

void readEnergyCalibration(CalibrationReader section, EnergyCalibration& calibration)
{
    calibration.idleShare = section.constant("idle_share", 0, 1);
    calibration.utilizationAtTdp = section.constant("utilization_at_tdp", 0.01, 1);
    calibration.hostFactor = section.constant("host_factor", 1, 10);
    section.finish();
}

} // namespace headroom
