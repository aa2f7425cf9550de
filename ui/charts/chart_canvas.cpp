// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_canvas.hpp"

#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_painters.hpp"
#include "ui/charts/series_graphs.hpp"
#include "ui/theme/fonts.hpp"

#include <cmath>

static_assert(QCUSTOMPLOT_VERSION >= 0x020100); // Debian's package has no version file for find_package

namespace headroom::ui
{

namespace
{

/// Ticks chosen by the layout; QCustomPlot's own labels go wrong in some locales.
class FixedTicker final : public QCPAxisTicker
{
public:
    void setTicks(const std::vector<Tick>& ticks)
    {
        m_positions.clear();
        m_labels.clear();
        for (const Tick& tick : ticks) {
            m_positions << tick.position;
            m_labels << QString::fromStdString(tick.label);
        }
    }

    void generate(const QCPRange& /*range*/, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* labels) override
    {
        ticks = m_positions;
        if (subTicks != nullptr)
            subTicks->clear();
        if (labels != nullptr)
            *labels = m_labels;
    }

private:
    QVector<double> m_positions;
    QVector<QString> m_labels;
};

QCPRange usableRange(const Axis& axis)
{
    const bool log = axis.scale == AxisScale::Log;
    const bool usable = std::isfinite(axis.minimum) && std::isfinite(axis.maximum) && axis.maximum > axis.minimum &&
                        (!log || axis.minimum > 0);
    if (usable)
        return {axis.minimum, axis.maximum};
    return log ? QCPRange(1, 10) : QCPRange(0, 1);
}

void place(QCPAxis& axis, const Axis& spec, const std::vector<Tick>& ticks, bool reversed)
{
    axis.setScaleType(spec.scale == AxisScale::Log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(usableRange(spec));
    axis.setRangeReversed(reversed);
    static_cast<FixedTicker&>(*axis.ticker()).setTicks(ticks);
}

} // namespace

struct ChartCanvas::Parts {
    explicit Parts(QCustomPlot& plot) : graphs(plot) {}
    SeriesGraphs graphs;
    QSize laidOut;
    std::string id;
};

ChartCanvas::ChartCanvas(QWidget* parent) : QCustomPlot(parent), m_parts(std::make_unique<Parts>(*this))
{
    // QCustomPlot asks for a replot of its own, into buffers that nobody looks at.
    QCoreApplication::removePostedEvents(this, QEvent::MetaCall);
    setLocale(QLocale::c());
    setAutoAddPlottableToLegend(false);
    setNoAntialiasingOnDrag(false);
    m_scene.keyAxis = xAxis;
    m_scene.valueAxis = yAxis;
    m_scene.theme = theme(ThemeKind::Light);

    addLayer(QStringLiteral("fills"), layer(QStringLiteral("grid")), limBelow);
    addLayer(QStringLiteral("marks"), layer(QStringLiteral("legend")), limAbove);
    addLayer(QStringLiteral("labels"), layer(QStringLiteral("marks")), limAbove);
    // Owned by the plot. Bars and cells come before the graphs of the same layer.
    new BackdropMark(this, QStringLiteral("fills"), m_scene);
    new HeatMapMark(this, QStringLiteral("main"), m_scene);
    new BarMark(this, QStringLiteral("main"), m_scene);
    new GuideMark(this, QStringLiteral("marks"), m_scene);
    new PointMark(this, QStringLiteral("marks"), m_scene);
    new HeaderMark(this, QStringLiteral("labels"), m_scene);
    new LabelMark(this, QStringLiteral("labels"), m_scene);

    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setMargins(QMargins());
    axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    for (QCPAxis* axis : {xAxis, yAxis})
        axis->setTicker(QSharedPointer<FixedTicker>::create());
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::setSpec(const ChartSpec& spec)
{
    if (spec.x.minimum != m_scene.spec.x.minimum || spec.x.maximum != m_scene.spec.x.maximum)
        m_keyRange.reset();
    m_scene.spec = spec;
    m_scene.hit.reset();
    m_dirty = true;
}

void ChartCanvas::setLook(const Theme& theme, const QFont& font, double lineScale)
{
    m_scene.theme = theme;
    m_scene.font = font;
    m_scene.lineScale = lineScale;
    m_scene.layout.readingLines = 0;
    setBackground(QBrush(theme.surface));
    m_dirty = true;
}

void ChartCanvas::setHover(const std::optional<ChartHit>& hit, std::optional<double> crosshair)
{
    if (m_scene.hit == hit && m_scene.crosshair == crosshair)
        return;
    m_scene.hit = hit;
    m_scene.crosshair = crosshair;
    update();
}

bool ChartCanvas::zoomAt(QPointF position, int wheelDelta)
{
    const Axis& axis = m_scene.spec.x;
    if (m_scene.hasBars() || m_scene.spec.heatMap)
        return false;
    const bool log = axis.scale == AxisScale::Log;
    const auto in = [log](double v) { return log ? std::log(v) : v; };
    const auto out = [log](double v) { return log ? std::exp(v) : v; };
    const double centre = in(xAxis->pixelToCoord(position.x()));
    const double factor = std::pow(0.85, wheelDelta / 120.0); // one notch of the wheel is 120
    const double low = std::max(in(axis.minimum), centre + (in(xAxis->range().lower) - centre) * factor);
    const double high = std::min(in(axis.maximum), centre + (in(xAxis->range().upper) - centre) * factor);
    const double whole = in(axis.maximum) - in(axis.minimum);
    if (!(high - low > whole / 50))
        return true; // near enough
    if (high - low >= whole * 0.999)
        m_keyRange.reset();
    else
        m_keyRange = {out(low), out(high)};
    return true;
}

void ChartCanvas::render(QCPPainter& painter, QSize size)
{
    setViewport(QRect(QPoint(), size));
    prepare();
    toPainter(&painter, size.width(), size.height());
}

void ChartCanvas::redraw(ChartPainters* threads)
{
    prepare();
    if (threads)
        threads->start([this] { drawPicture(); });
    else
        drawPicture();
    update(); // comes to the paint event after `threads` have finished
    emit redrawn();
}

void ChartCanvas::replotNow(ChartPainters& threads)
{
    if (m_replot.take())
        redraw(&threads);
}

void ChartCanvas::drawPicture()
{
    const double ratio = bufferDevicePixelRatio();
    if (const QSize size = viewport().size() * ratio; m_picture.size() != size)
        m_picture = QImage(size, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(m_scene.theme.surface);
    QCPPainter painter;
    if (painter.begin(&m_picture)) // not where the card has no room
        draw(&painter);
}

void ChartCanvas::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    if (m_picture.deviceIndependentSize().toSize() != size()) // larger since, or never drawn
        painter.fillRect(rect(), m_scene.theme.surface);
    painter.drawImage(QPoint(), m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    drawHover(painter, m_scene);
    painter.end();
    // QCustomPlot 2.1.0 reads the ratio once; a window moved to another screen would stay blurred.
    if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) {
        setBufferDevicePixelRatio(devicePixelRatioF());
        queueReplot();
    }
    emit painted();
}

void ChartCanvas::resizeEvent(QResizeEvent* /*event*/)
{
    // Not the base class, which replots at once and again for what is queued.
    setViewport(rect());
    if (isVisible())
        queueReplot();
}

void ChartCanvas::prepare()
{
    const QSize size = viewport().size();
    if (size.width() != m_parts->laidOut.width() || m_scene.spec.id != m_parts->id)
        m_scene.layout.readingLines = 0;
    m_parts->laidOut = size;
    m_parts->id = m_scene.spec.id;
    const double minimum = m_scene.spec.x.minimum;
    const double maximum = m_scene.spec.x.maximum;
    if (m_keyRange) {
        m_scene.spec.x.minimum = m_keyRange->first;
        m_scene.spec.x.maximum = m_keyRange->second;
    }
    const bool wasHorizontal = m_scene.layout.horizontal;
    m_scene.layout = layOut(m_scene, size);
    m_scene.keyAxis = m_scene.layout.horizontal ? yAxis : xAxis;
    m_scene.valueAxis = m_scene.layout.horizontal ? xAxis : yAxis;
    place(*m_scene.keyAxis, m_scene.spec.x, m_scene.layout.keyTicks, m_scene.layout.horizontal);
    place(*m_scene.valueAxis, m_scene.spec.y, m_scene.layout.valueTicks, false);
    m_scene.spec.x.minimum = minimum;
    m_scene.spec.x.maximum = maximum;
    axisRect()->setMargins(m_scene.layout.margins);
    if (m_dirty || wasHorizontal != m_scene.layout.horizontal) {
        styleAxes();
        m_parts->graphs.apply(m_scene);
    }
    m_scene.keyAxis->setTickLabelFont(m_scene.layout.keyFont);
    xAxis->setPadding(8 + int(m_scene.layout.noteHeight));
    yAxis->setPadding(cardPadding);
    m_scene.keyAxis->setLabel(m_scene.layout.keyLabel);
    m_scene.valueAxis->setLabel(QString());
    m_dirty = false;
}

void ChartCanvas::styleAxes()
{
    const Theme& t = m_scene.theme;
    const QFont caption = styled(m_scene.font, TextStyle::Caption);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        const bool categories = axis == m_scene.keyAxis && m_scene.hasBars();
        const bool gridLines = axis == m_scene.valueAxis && !m_scene.spec.heatMap;
        axis->setTickLabelFont(caption);
        axis->setLabelFont(caption);
        axis->setTickLabelColor(categories ? t.text : t.muted);
        axis->setLabelColor(t.muted);
        axis->setBasePen(axis == m_scene.keyAxis ? QPen(mixed(t.border, t.muted, 0.35), 1) : QPen(Qt::NoPen));
        axis->setTickPen(QPen(mixed(t.border, t.muted, 0.35), 1));
        axis->setTicks(true);
        axis->setSubTicks(false);
        const int outside = axis == m_scene.keyAxis && !categories ? 4 : 0;
        axis->setTickLength(0, outside);
        axis->setTickLabelPadding(outside > 0 ? 3 : 6);
        axis->setLabelPadding(3);
        axis->grid()->setVisible(gridLines);
        axis->grid()->setPen(QPen(t.grid, 1));
        axis->grid()->setZeroLinePen(m_scene.hasBars() ? QPen(mixed(t.border, t.muted, 0.35), 1) : QPen(Qt::NoPen));
    }
}

} // namespace headroom::ui
