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

} // namespace

std::vector<const MetricRow*> headlineMetrics(Task task, std::size_t most)
{
    std::vector<std::string_view> chosen;
    for (const std::string_view id : byWeight)
        if (const MetricRow* row = metricRow(id); row && row->tile && appliesTo(*row, task) && chosen.size() < most)
            chosen.push_back(id);
    std::vector<const MetricRow*> rows;
    for (const MetricRow& row : metricRegistry())
        if (std::find(chosen.begin(), chosen.end(), row.id) != chosen.end())
            rows.push_back(&row);
    return rows;
}

StageTiles::StageTiles(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(cardGap);
    for (const MetricRow& row : metricRegistry()) {
        if (!row.tile || std::find(byWeight.begin(), byWeight.end(), row.id) == byWeight.end())
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
    m_task = context.scenario.task;
    std::size_t lines = 0;
    for (MetricTile* tile : m_tiles)
        if (appliesTo(tile->row(), m_task)) {
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
    const std::vector<const MetricRow*> chosen = headlineMetrics(m_task, room);
    for (MetricTile* tile : m_tiles) {
        const bool visible = std::find(chosen.begin(), chosen.end(), &tile->row()) != chosen.end();
        if (tile->isHidden() == visible)
            tile->setVisible(visible);
    }
}

} // namespace headroom::ui
