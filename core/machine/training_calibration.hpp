// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingCalibration: constants of the training predictor (design/predictor_training.md).
#pragma once

namespace headroom {

struct TrainingCalibration {};

} // namespace headroom
