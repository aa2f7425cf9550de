// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration: every fitted or assumed constant of the predictor, read from resources/calibration.json.
#pragma once

#include "core/calibration/inference_calibration.hpp"
#include "core/calibration/training_calibration.hpp"
#include "core/support/diagnostic.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace headroom
{

/// What a board draws as shares of its rated power (docs/method/energy_cost.md), and what its host adds.
struct EnergyCalibration {
    double idleShare = 0;    ///< with nothing to do
    double runningShare = 0; ///< while passes run, whatever they do
    double memoryShare = 0;  ///< for all the bytes that memory can move, beside that
    double computeShare = 0; ///< for all the FLOP of the peak, beside that
    double hostFactor = 0;
};

/// What frameworks of reinforcement learning take around the parts of a step (docs/method/rl.md).
struct RlCalibration {
    double sendBytesPerS = 1;      ///< that the controller packs and hands out
    double receiveBytesPerS = 1;   ///< that it takes in
    double controllerS = 0;        ///< s for each place in the padded batch, between the parts
    double statesOutBytesPerS = 1; ///< of a GPU into memory of the host that is not pinned
    double statesInBytesPerS = 1;  ///< and back
};

/// The constants of all predictors together.
struct Calibration {
    TrainingCalibration training;
    InferenceCalibration inference;
    EnergyCalibration energy;
    RlCalibration rl;
    std::string origin; ///< "built-in", or the file it was read from

    /// The constants compiled into the library. Checked by tests.
    [[nodiscard]] static std::shared_ptr<const Calibration> builtIn();
    /// Reads another file of the same form.
    [[nodiscard]] static Expected<std::shared_ptr<const Calibration>> fromJson(std::string_view text);
};

} // namespace headroom
