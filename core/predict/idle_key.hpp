// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to key_effects.cpp: a key that may be without effect.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <string>

namespace headroom
{

/// When a key is without effect, and the sentence that says so.
struct IdleKey {
    bool (*idle)(const PreparedScenario& p) noexcept;
    std::string (*text)(const PreparedScenario& p);
};

} // namespace headroom
