// SPDX-License-Identifier: GPL-3.0-or-later
// everyFigure(): a result in which every figure has a value of its own.
#pragma once

#include "core/predict/evaluate.hpp"

namespace headroom::test
{

/// No two of its figures are alike, so a test sees which one it was given.
[[nodiscard]] Evaluation everyFigure();

} // namespace headroom::test
