// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/catalog_charts.hpp"

#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/widgets/segmented_control.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <array>

namespace headroom::ui
{
namespace
{

constexpr int gap = 12, chartHeight = 270;
constexpr std::array precisions{DataType::Bf16, DataType::Fp8, DataType::Fp4, DataType::Int8};

} // namespace

CatalogCharts::CatalogCharts(QWidget* parent)
    : QWidget(parent), m_peak(new ChartView), m_price(new ChartView), m_precisionChoice(new QWidget)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gap);
    for (ChartView* chart : {m_peak, m_price}) {
        chart->setMinimumHeight(chartHeight);
        row->addWidget(chart, 1);
        connect(chart, &ChartView::pointActivated, this, [this, chart](const QString& series, int index) {
            if (const std::string id = acceleratorAt(chart->spec(), toUtf8(series), index); !id.empty())
                emit chosen(toQString(id));
        });
    }
    buildPrecisionChoice();
}

void CatalogCharts::buildPrecisionChoice()
{
    auto* row = new QHBoxLayout(m_precisionChoice);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* choice = new SegmentedControl({tr("BF16"), tr("FP8"), tr("FP4"), tr("INT8")});
    choice->setName(tr("Precision of the charted peak"));
    choice->setCompact(true);
    choice->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    choice->setCurrent(static_cast<int>(std::ranges::find(precisions, m_input.precision) - precisions.begin()));
    connect(choice, &SegmentedControl::chosen, this, [this](int index) {
        m_input.precision = precisions[static_cast<std::size_t>(index)];
        draw();
    });
    row->addWidget(new QLabel(tr("Chart the peak in")));
    row->addWidget(choice);
}

void CatalogCharts::show(std::vector<std::shared_ptr<const Accelerator>> listed, const QStringList& selected,
                         std::shared_ptr<const Accelerator> current)
{
    m_listed = std::move(listed);
    m_input.shown = m_listed;
    m_input.selected.clear();
    for (const QString& id : selected)
        m_input.selected.push_back(toUtf8(id));
    m_input.current = std::move(current);
    draw();
}

void CatalogCharts::draw()
{
    using Builder = ChartSpec (*)(const CatalogChartInput&);
    for (const auto& [chart, build] : {std::pair<ChartView*, Builder>(m_peak, peakOverBandwidth),
                                       std::pair<ChartView*, Builder>(m_price, memoryOverPrice)}) {
        const auto make = [this, drawn = build] { return drawn(m_input); }; // clang 14 captures no binding by its name
        chart->setMaker(make);
        chart->setSpec(make());
    }
}

} // namespace headroom::ui
