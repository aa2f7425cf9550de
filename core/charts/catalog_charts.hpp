// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogue charts: accelerators against each other, as a table cannot show them.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/charts/chart_spec.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// What the charts are drawn from. `selected` and `current` need not be among `shown`.
struct CatalogChartInput {
    std::span<const std::shared_ptr<const Accelerator>> shown;
    std::vector<std::string> selected;          ///< ids, at most four are marked
    std::shared_ptr<const Accelerator> current; ///< the scenario's; may be null
    DataType precision = DataType::Bf16;        ///< whose peaks are drawn
};

/// The id of the accelerator behind a point of any series of these charts; empty where there is none.
[[nodiscard]] std::string acceleratorAt(const ChartSpec& spec, std::string_view seriesId, int index);

/// Peak over memory bandwidth, logarithmic, with one line of equal ridge per precision of the marked accelerator:
/// above a line a device needs more FLOP per byte to be busy.
[[nodiscard]] ChartSpec peakOverBandwidth(const CatalogChartInput& input);

/// Memory over price per hour with the line of the marked accelerator's price per byte. Devices without a price are
/// left out and counted in the note.
[[nodiscard]] ChartSpec memoryOverPrice(const CatalogChartInput& input);

} // namespace headroom
