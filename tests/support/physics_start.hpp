// SPDX-License-Identifier: GPL-3.0-or-later
// startAlike: two services whose engine sizes itself in steps, started with the numbers of the first.
#pragma once

#include "core/predict/evaluate.hpp"

namespace headroom::test
{

/// vLLM and SGLang choose the pass that they prepare for, SGLang the share of the memory too, by thresholds of their
/// own (PassSize, StartConstants); and an operator raises SGLang's share where the heaviest stage's weights leave the
/// cache next to nothing. Where two scenarios lie on two sides of one of these, both are started as the first: a
/// relation holds of the same start, and these steps are no matter of what it varies.
void startAlike(PreparedScenario& first, PreparedScenario& second);

} // namespace headroom::test
