// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of ModelArchitecture: which defaults follow from other fields, and what makes one valid for compileModel().
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/diagnostic.hpp"

#include <string_view>

namespace headroom
{

/// Fills what an architecture may leave out: kv_heads = heads, head_dim = hidden/heads, a schedule of layers all alike,
/// and, unless `kindGiven`, whether the attention is multi-head, grouped or multi-query.
void fillDefaults(ModelArchitecture& architecture, bool kindGiven);

/// Says in `warnings` what a count leaves out because a field is not known.
void noteAssumptions(ModelArchitecture& architecture);

/// Adds an error for each contradiction: missing sizes, a schedule that does not sum to `layers` or names parts that
/// are not there. Paths lie below `path`.
void checkArchitecture(const ModelArchitecture& architecture, std::string_view path, Diagnostics& diagnostics);

/// Feed-forward weights of customBlocks less the norms of their missing branches: what `extra` in JSON includes.
[[nodiscard]] double customBlockParameters(const ModelArchitecture& architecture);

/// Cuts or repeats the schedule (and customBlocks) to `layers`.
void resizeLayers(ModelArchitecture& architecture);

} // namespace headroom
