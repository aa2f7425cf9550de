// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/model: which layers, and which of their blocks, are alike.
#pragma once

#include "core/model/model_profile.hpp"

#include <span>

namespace headroom
{

/// Layers of one kind: the same mixer, the same feed-forward and as many parameters.
[[nodiscard]] bool alike(const LayerKind& x, const LayerKind& y);
/// Notes in each kind which is the first with its mixer and which with its feed-forward, and there how many layers of
/// all kinds have it.
void findSharedBlocks(std::span<LayerKind> kinds);

} // namespace headroom
