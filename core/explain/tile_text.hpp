// SPDX-License-Identifier: GPL-3.0-or-later
// TileText: what one metric tile says, as a value.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/metrics/metric_registry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace headroom
{

enum class TileState : std::uint8_t { Plain, WithinLimit, BeyondLimit };

struct TileText {
    std::string label;                  ///< "MFU"
    bool observed = false;              ///< measured; otherwise predicted
    bool calibrated = false;            ///< predicted with efficiencies of the user's own
    std::string number, unit;           ///< "—" where the metric is not defined
    std::string sub;                    ///< the prediction beside an observation, or a companion figure
    std::string brief;                  ///< `sub` in fewer letters, for a tile without room for it; may be empty
    std::vector<std::string> pins;      ///< differences to the pins
    std::vector<std::string> briefPins; ///< the same in fewer letters, whose they are first
    std::optional<double> bar;          ///< 0…1 towards the limit; may be over 1
    TileState state = TileState::Plain;
    bool operator==(const TileText&) const = default;
};

/// What the tile of a metric says now.
[[nodiscard]] TileText tileText(const MetricRow& row, const ChartContext& context);

/// "1.8× faster than A", "−12 GB vs A": observed beside observed where both were, else predicted beside predicted,
/// which a tile that shows an observation says.
[[nodiscard]] std::string differenceText(const MetricRow& row, const ChartContext& context, const PinnedScenario& pin);
/// The same for a tile without room for it, which is cut at its end: "A: 1.8× faster", "pred. A: ▲ 5.0 points".
[[nodiscard]] std::string briefDifferenceText(const MetricRow& row, const ChartContext& context,
                                              const PinnedScenario& pin);

/// "needs 412 GB, has 320 GB: weights 140 GB, KV cache 256 GB"; the largest parts first.
[[nodiscard]] std::string memoryNeedText(const Evaluation& evaluation);

} // namespace headroom
