// SPDX-License-Identifier: GPL-3.0-or-later
// writeViewsPdf(): the views of a talk on paper, one a page: figures, charts as vectors, the note under them.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/present/stage_view.hpp"

#include <QString>
#include <memory>
#include <vector>

namespace headroom::ui
{

/// A4, lying. A view that cannot be evaluated says why in place of its charts. `runs` may be null. Empty = written,
/// else what failed.
[[nodiscard]] QString writeViewsPdf(const std::vector<StageView>& views, const Catalog& catalog,
                                    std::shared_ptr<const RunShelf> runs, const QString& path);

} // namespace headroom::ui
