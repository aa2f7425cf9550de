// SPDX-License-Identifier: GPL-3.0-or-later
// inference::boundOf(): what most of the time per output token goes to.
#pragma once

#include "core/predict/inference/inference_prompts.hpp"
#include "core/predict/inference/inference_serving.hpp"

namespace headroom::inference
{

/// The resource that takes most of `v.tpotS`: by decode itself, and by what others' prompts take between two tokens.
[[nodiscard]] BoundBy boundOf(const Machine& machine, const Serving& v, const PromptPasses& prompts) noexcept;

} // namespace headroom::inference
