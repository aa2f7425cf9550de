// SPDX-License-Identifier: GPL-3.0-or-later
// expertWidth(): how wide a token is where experts work on it.
#pragma once

#include "core/model/model_profile.hpp"

namespace headroom
{

/// Values of a token that go to an expert and come back: of its latent projection where the block has one, else all
/// `hidden`.
[[nodiscard]] inline double expertWidth(const LayerKind& kind, double hidden) noexcept
{
    return kind.moe.latent > 0 ? static_cast<double>(kind.moe.latent) : hidden;
}

} // namespace headroom
