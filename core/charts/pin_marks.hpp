// SPDX-License-Identifier: GPL-3.0-or-later
// What pinned scenarios look like in every chart: role, colour and id follow the pin's letter, never its place.
#pragma once

#include "core/charts/chart_registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// First colour slot of lines beside those of the scenario (0) and of pins A to C (1 to 3).
inline constexpr int besidePins = 4;

/// Colour and dash of the pin with this letter; `letter` is 'A', 'B' or 'C'.
[[nodiscard]] SeriesRole pinRole(char letter);
/// The letter of the pin that something of this role shows; 0: it shows no pin.
[[nodiscard]] char pinLetter(SeriesRole role);

/// The pins with the scenario's task. Figures of a training and of serving are not compared.
[[nodiscard]] std::vector<const PinnedScenario*> comparablePins(const ChartContext& context);

/// An empty line of the pin with this letter, "pin-a.mfu"; `label` is its pinLabel().
[[nodiscard]] Series pinSeries(char letter, std::string label, std::string_view chart, std::string_view metric);
[[nodiscard]] Series pinSeries(const PinnedScenario& pin, std::string_view chart, std::string_view metric);
/// An empty series of marks of a pin, "pin-a.conventions".
[[nodiscard]] Series pinMarks(const PinnedScenario& pin, std::string_view chart, std::string_view metric);
/// The circle with the pin's letter where it stands now.
[[nodiscard]] Guide pinGuide(const PinnedScenario& pin, double x, double y);

} // namespace headroom
