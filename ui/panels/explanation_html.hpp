// SPDX-License-Identifier: GPL-3.0-or-later
// The explanation of a metric as rich text: the derivation with its numbers, other conventions, sources.
#pragma once

#include "core/explain/derivation.hpp"
#include "ui/theme/theme.hpp"

#include <QString>

namespace headroom::ui
{

/// Links: "param:ID" for a symbol behind which a slider stands, "convention:ID" for another way of counting.
/// `marked` is the parameter whose symbol is to stand out; may be empty.
[[nodiscard]] QString explanationHtml(const Derivation& derivation, const QString& conventions, const Theme& theme,
                                      const QString& marked);

/// MFU under every convention with its formula and who uses it (ui/panels/conventions.cpp).
[[nodiscard]] QString conventionsHtml(const PreparedScenario& prepared, const Evaluation& evaluation,
                                      const Theme& theme);

} // namespace headroom::ui
