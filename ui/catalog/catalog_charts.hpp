// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogCharts: the accelerators against each other: peak over bandwidth, and memory over price.
#pragma once

#include "core/charts/catalog_charts.hpp"

#include <QStringList>
#include <QWidget>

namespace headroom::ui
{

class ChartView;
class SegmentedControl;

class CatalogCharts final : public QWidget
{
    Q_OBJECT

public:
    explicit CatalogCharts(QWidget* parent = nullptr);

    /// Draws these, the selected ones (ids) and the scenario's (may be null) marked.
    void show(std::vector<std::shared_ptr<const Accelerator>> listed, const QStringList& selected,
              std::shared_ptr<const Accelerator> current);
    using QWidget::show;
    [[nodiscard]] ChartView* peak() const { return m_peak; }
    [[nodiscard]] ChartView* price() const { return m_price; }
    /// The choice of the precision whose peaks are drawn; stands wherever there is room for it.
    [[nodiscard]] QWidget* precisionChoice() const { return m_precisionChoice; }

signals:
    /// The point of an accelerator was chosen.
    void chosen(const QString& id);

private:
    void buildPrecisionChoice();
    void draw();

    std::vector<std::shared_ptr<const Accelerator>> m_listed;
    CatalogChartInput m_input;
    ChartView *m_peak, *m_price;
    QWidget* m_precisionChoice;
};

} // namespace headroom::ui
