// SPDX-License-Identifier: GPL-3.0-or-later
// Which tiles stay where there is no room for all.
#include "ui/base/text.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/widgets/card.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace headroom::ui
{
namespace
{

constexpr std::size_t fewest = 3; ///< tiles that stay however narrow the window is

/// Tiles in the order in which they give way when there is no room for all.
constexpr std::array<std::string_view, 3> expendable{"tokens_per_s", "hfu", "max_batch"};
/// Those that give way to what a lesson asks for, after the ones above.
constexpr std::array<std::string_view, 5> besideKept{"ttft_s", "mbu", "tokens_per_s_per_gpu", "step_time_s", "mfu"};
/// Those that give way first to the figures that a key of the scenario asks for (MetricRow::tileWhenDefined).
constexpr std::array<std::string_view, 2> besideAsked{"tokens_per_s_per_gpu", "mbu"};
/// What a step takes, the first of these that is offered: it outlasts what a key of the scenario asks for besides.
constexpr std::array<std::string_view, 3> leading{"rl.step_s", "step_time_s", "tpot_s"};
constexpr int mostAsked = 2; ///< of these that do not give way before the others

} // namespace

void MetricTiles::fit()
{
    std::vector<MetricTile*> here;
    std::map<const MetricTile*, int> widths; // measured once: it is done at each move of a slider
    for (MetricTile* each : m_tiles)
        if (each->isOffered(m_task)) {
            here.push_back(each);
            widths[each] = each->leastWidth();
        }
    // All are as wide as the widest needs: then none is cut.
    const auto fits = [&] {
        int widest = 0;
        for (const MetricTile* each : here)
            widest = std::max(widest, widths[each]);
        return static_cast<int>(here.size()) * (widest + cardGap) - cardGap <= width();
    };
    const auto giveWay = [&](std::string_view id) {
        if (here.size() > fewest && !fits() && std::find(m_kept.begin(), m_kept.end(), id) == m_kept.end())
            std::erase_if(here, [id](const MetricTile* each) { return each->row().id == id; });
    };
    std::ranges::for_each(expendable, giveWay);
    // The last first; the one that is explained stays, and whether it fits.
    const auto lastFirst = [&](const std::vector<MetricTile*>& tiles) {
        for (auto each = tiles.rbegin(); each != tiles.rend(); ++each)
            if (!(*each)->isChecked() && (*each)->row().id != "memory.used_bytes")
                giveWay((*each)->row().id);
    };
    if (!m_kept.empty()) {
        std::ranges::for_each(besideKept, giveWay);
    } else {
        std::vector<MetricTile*> usual, asked, aimed; // a target that is missed must be in sight
        const auto lead = std::ranges::find_if(leading, [&here](std::string_view id) {
            return std::ranges::any_of(here, [id](const MetricTile* each) { return each->row().id == id; });
        });
        for (MetricTile* each : here) {
            const bool leads = lead != leading.end() && each->row().id == *lead;
            (each->hasTarget() || leads ? aimed : each->row().tileWhenDefined ? asked : usual).push_back(each);
        }
        if (asked.size() > mostAsked)
            lastFirst({asked.begin() + mostAsked, asked.end()});
        for (const std::string_view id : besideAsked)
            if (!asked.empty() && toQString(id) != m_selected)
                giveWay(id);
        lastFirst(usual);
        lastFirst(asked);
        lastFirst(aimed);
    }
    for (MetricTile* each : m_tiles) {
        const bool visible = std::find(here.begin(), here.end(), each) != here.end();
        if (each->isHidden() == visible)
            each->setVisible(visible);
    }
}

} // namespace headroom::ui
