// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_tiles.hpp"

#include "ui/panels/metric_tiles.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/widgets/accessible_role.hpp"
#include "ui/widgets/card.hpp"

#include <QHBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

/// What a talk is about, first to last: the tail gives way where there is no room.
constexpr std::array<std::string_view, 9> byWeight{"mfu", "step_time_s",       "tpot_s", "ttft_s",   "tokens_per_s",
                                                   "mbu", "memory.used_bytes", "hfu",    "max_batch"};

/// What a step takes, the first of these that there is; MFU and this come before all others.
constexpr std::array<std::string_view, 3> leading{"rl.step_s", "step_time_s", "tpot_s"};
constexpr std::size_t mostAsked = 3; ///< figures that a key of the scenario asks for, before the usual ones

/// All that a talk may show, in the order in which they are chosen.
std::vector<const MetricRow*> weighed(const ChartContext& context)
{
    std::vector<const MetricRow*> rows;
    const auto add = [&](const MetricRow* row) {
        const bool there = row && row->tile && appliesTo(*row, context.scenario.task) &&
                           (!row->tileWhenDefined || row->value(context.evaluation));
        const bool isNew = there && std::find(rows.begin(), rows.end(), row) == rows.end();
        if (isNew)
            rows.push_back(row);
        return isNew;
    };
    add(metricRow(byWeight.front()));
    (void)std::ranges::any_of(leading, [&](std::string_view id) { return add(metricRow(id)); });
    std::size_t asked = 0;
    for (const MetricRow& row : metricRegistry())
        if (row.tileWhenDefined && asked < mostAsked && add(&row))
            ++asked;
    for (const std::string_view id : byWeight) // of reinforcement learning these are the update's, and would mislead
        if (!context.evaluation.rl || (id != "step_time_s" && id != "tokens_per_s"))
            add(metricRow(id));
    return rows;
}

} // namespace

std::vector<const MetricRow*> headlineMetrics(const ChartContext& context, std::size_t most)
{
    std::vector<const MetricRow*> rows = weighed(context);
    rows.resize(std::min(most, rows.size()));
    std::ranges::sort(rows); // of one table: its order
    return rows;
}

StageTiles::StageTiles(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(cardGap);
    for (const MetricRow& row : metricRegistry()) {
        const bool usual = std::find(byWeight.begin(), byWeight.end(), row.id) != byWeight.end();
        if (!row.tile || (!usual && !row.tileWhenDefined))
            continue;
        auto* tile = new MetricTile(row);
        // There is nothing to choose here: they are read.
        tile->setCheckable(false);
        tile->setFocusPolicy(Qt::NoFocus);
        tile->setAttribute(Qt::WA_TransparentForMouseEvents);
        setAccessibleRole(*tile, QAccessible::StaticText);
        layout->addWidget(tile, 1);
        m_tiles.push_back(tile);
    }
}

void StageTiles::show(const ChartContext& context)
{
    m_weighed = weighed(context);
    std::size_t lines = 0;
    for (MetricTile* tile : m_tiles)
        if (std::find(m_weighed.begin(), m_weighed.end(), &tile->row()) != m_weighed.end()) {
            tile->show(tileText(tile->row(), context));
            lines = std::max(lines, tile->content().pins.size());
        }
    for (MetricTile* tile : m_tiles)
        tile->setPinLines(static_cast<int>(lines));
    fit();
}

std::vector<const MetricTile*> StageTiles::tiles() const
{
    std::vector<const MetricTile*> shown;
    for (const MetricTile* tile : m_tiles)
        if (!tile->isHidden())
            shown.push_back(tile);
    return shown;
}

void StageTiles::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void StageTiles::fit()
{
    // A large figure with its unit, and the line under it.
    const int narrowest = QFontMetrics(styled(font(), TextStyle::TileValue)).horizontalAdvance(QStringLiteral("0")) * 9;
    const auto room = static_cast<std::size_t>(std::max(2, (width() + cardGap) / (narrowest + cardGap)));
    const auto end = m_weighed.begin() + static_cast<std::ptrdiff_t>(std::min(room, m_weighed.size()));
    for (MetricTile* tile : m_tiles) {
        const bool visible = std::find(m_weighed.begin(), end, &tile->row()) != end;
        if (tile->isHidden() == visible)
            tile->setVisible(visible);
    }
}

} // namespace headroom::ui
