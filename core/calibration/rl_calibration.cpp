// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibration.hpp"
#include "core/calibration/calibration_reader.hpp"
#include "core/units/numbers.hpp"

namespace headroom
{

void readRlCalibration(CalibrationReader section, RlCalibration& calibration)
{
    constexpr double nano = 1e-9;
    calibration.sendBytesPerS = giga * section.constant("send_gb_per_s", 1e-3, 1e3);
    calibration.receiveBytesPerS = giga * section.constant("receive_gb_per_s", 1e-3, 1e3);
    calibration.controllerS = nano * section.constant("controller_ns", 0, 1e6);
    calibration.statesOutBytesPerS = giga * section.constant("states_out_gb_per_s", 1e-3, 1e3);
    calibration.statesInBytesPerS = giga * section.constant("states_in_gb_per_s", 1e-3, 1e3);
    section.finish();
}

} // namespace headroom
