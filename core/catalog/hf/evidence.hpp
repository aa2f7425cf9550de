// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: keys of a config.json that say of a model what the counted architecture does not have.
#pragma once

#include "core/catalog/hf/draft.hpp"

namespace headroom::hf
{

/// Of a family that is known: a problem where the file names experts, latent attention or a kind of layer that its
/// reader did not count, as in a file that lost the key which switches them on.
void refuseWhatIsNotCounted(const Draft& d);

} // namespace headroom::hf
