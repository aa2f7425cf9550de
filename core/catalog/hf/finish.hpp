// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: what follows after a family's reader: schedule, window, defaults and checks.
#pragma once

#include "core/catalog/hf/draft.hpp"

namespace headroom::hf
{

/// Completes the architecture. What is missing or contradicts itself becomes a problem of `d.keys`.
void finish(Draft& d, Diagnostics& problems);

} // namespace headroom::hf
