// SPDX-License-Identifier: GPL-3.0-or-later
// InferenceCalibration: constants of the inference predictor (design/predictor_inference.md).
#pragma once

namespace headroom
{

struct InferenceCalibration {
};

} // namespace headroom
