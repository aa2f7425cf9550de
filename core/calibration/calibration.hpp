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

/// Energy and queueing constants (docs/method/energy_cost.md); judgement, editable.
struct EnergyCalibration {
    double idleShare = 0, utilizationAtTdp = 0, hostFactor = 0;
};

/// The constants of all predictors together.
struct Calibration {
    TrainingCalibration training;
    InferenceCalibration inference;
    EnergyCalibration energy;
    std::string origin; ///< "built-in", or the file it was read from

    /// The constants compiled into the library. Checked by tests.
    [[nodiscard]] static std::shared_ptr<const Calibration> builtIn();
    /// Reads another file of the same form.
    [[nodiscard]] static Expected<std::shared_ptr<const Calibration>> fromJson(std::string_view text);
};

} // namespace headroom
