// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of one to four catalogue entries as HTML: side by side, the best marked, each with the number of its source.
#pragma once

#include "core/facts/catalog_facts.hpp"
#include "ui/theme/theme.hpp"

#include <QString>
#include <QStringList>

namespace headroom::ui
{

[[nodiscard]] QString factHtml(const std::vector<std::shared_ptr<const Accelerator>>& entries, const Theme& theme);
[[nodiscard]] QString factHtml(const std::vector<ModelEntry>& entries, const Theme& theme);

/// The facts of these ids, of an entry and of the one that it was made from: for forms.
[[nodiscard]] QString changeHtml(const QStringList& factIds, const Accelerator& from, const Accelerator& to,
                                 const Theme& theme);
[[nodiscard]] QString changeHtml(const QStringList& factIds, const ModelEntry& from, const ModelEntry& to,
                                 const Theme& theme);

} // namespace headroom::ui
