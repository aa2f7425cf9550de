// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibration.hpp"
#include "core/calibration/calibration_reader.hpp"

namespace headroom
{

void readEnergyCalibration(CalibrationReader section, EnergyCalibration& calibration)
{
    calibration.idleShare = section.constant("idle_share", 0, 1);
    calibration.runningShare = section.constant("running_share", 0, 1);
    calibration.memoryShare = section.constant("memory_share", 0, 10);
    calibration.computeShare = section.constant("compute_share", 0, 10);
    calibration.hostFactor = section.constant("host_factor", 1, 10);
    section.finish();
}

} // namespace headroom
