// SPDX-License-Identifier: GPL-3.0-or-later
// MetricTiles: the headline figures above the charts; a click on one explains it.
#pragma once

#include "core/explain/tile_text.hpp"

#include <QAbstractButton>
#include <string>
#include <vector>

namespace headroom::ui
{

struct Theme;

class MetricTile final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit MetricTile(const MetricRow& row, QWidget* parent = nullptr);
    [[nodiscard]] const MetricRow& row() const { return m_row; }
    [[nodiscard]] const TileText& content() const { return m_text; }
    void show(const TileText& text);
    using QWidget::show;
    /// Whether it has a place: false where its figure has no value and few scenarios ask for it.
    [[nodiscard]] bool isOffered(Task task) const { return appliesTo(m_row, task) && m_offered; }
    void setOffered(bool offered) { m_offered = offered; }
    /// Whether the scenario states a latency that this figure is to meet.
    [[nodiscard]] bool hasTarget() const { return m_target; }
    void setTarget(bool target) { m_target = target; }
    /// Room for so many lines of differences to pins, below the first.
    void setPinLines(int lines);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {96, sizeHint().height()}; }
    /// So wide that nothing of it is cut, in its shortest words.
    [[nodiscard]] int leastWidth() const;
    /// What of it is cut at the width that it has; empty where nothing is.
    [[nodiscard]] QString cutText() const;
    /// Under the value: in short words where the full ones have no room, and elided where neither have.
    [[nodiscard]] QString shownSub() const;
    /// Over the value: the name, and whether it is predicted, observed or calibrated.
    [[nodiscard]] QString shownLabel() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Under the value, in full.
    [[nodiscard]] QStringList said() const;
    /// With the shortest word that says whether it is predicted or observed.
    [[nodiscard]] QString briefLabel() const;
    /// px of the mark before the label; none where the word needs its room, which says the same.
    [[nodiscard]] int markWidth(const QFontMetrics& metrics) const;
    /// The texts that have to be in sight, each with the room that it takes.
    [[nodiscard]] std::vector<std::pair<QString, int>> texts() const;
    /// Draws what tells observed and calibrated figures apart at a glance; its width.
    int paintMark(QPainter& painter, QPointF left, const Theme& colours) const;

    const MetricRow& m_row;
    TileText m_text;
    int m_pinLines = 0;
    bool m_offered = true, m_target = false;
};

class MetricTiles final : public QWidget
{
    Q_OBJECT

public:
    explicit MetricTiles(QWidget* parent = nullptr);
    void show(const ChartContext& context);
    using QWidget::show;
    [[nodiscard]] const QString& selected() const { return m_selected; }
    /// The metric to explain: the observed one where the tile shows a measurement.
    [[nodiscard]] QString explained() const;
    void select(const QString& metricId);
    /// Null when the metric has no tile in this task.
    [[nodiscard]] MetricTile* tile(const QString& metricId) const;
    /// These do not give way where there is no room for all.
    void setKept(const std::vector<std::string>& metricIds);
    /// Room for two: the others give way.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void selectedChanged(const QString& metricId);
    /// The user asked for its explanation.
    void activated(const QString& metricId);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    std::vector<MetricTile*> m_tiles;
    std::vector<std::string> m_kept;
    QString m_selected;
    Task m_task = Task::Training;
};

} // namespace headroom::ui
