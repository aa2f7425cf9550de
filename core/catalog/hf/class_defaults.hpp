// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: ClassDefaults: what a configuration class of transformers assumes for keys that a file
// leaves out.
#pragma once

#include "core/catalog/hf/draft.hpp"

namespace headroom::hf
{

/// Multimodal files name in their language part only what differs from its class; a file of one model alone names
/// everything. So what a language part within another object leaves out is filled in, each with a warning. Width and
/// number of layers are filled in where the file names the class that wrote it (`saved`), as transformers does;
/// otherwise a part without them describes no model, and is refused.
void applyClassDefaults(Draft& d, bool saved);

} // namespace headroom::hf
