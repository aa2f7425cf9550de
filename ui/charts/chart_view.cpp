// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.hpp"

#include "core/support/language.hpp"
#include "ui/base/glossary_hint.hpp"
#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_accessible.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_keyboard.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

namespace headroom::ui
{

namespace
{

constexpr int inset = 2; // px: the border's radius of 6 stays clear of the plot's square corners

QString seriesId(const ChartSpec& spec, const ChartHit& hit)
{
    return hit.series < 0 ? QStringLiteral("heatmap") : QString::fromStdString(spec.series[std::size_t(hit.series)].id);
}

} // namespace

ChartView::ChartView(QWidget* parent) : QWidget(parent), m_canvas(new ChartCanvas(this))
{
    installChartAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setLayoutDirection(Qt::LeftToRight); // numbers grow to the right in every language
    setMouseTracking(true);
    setAccessibleName(tr("Chart")); // until there is something to show, with a title
    // The view handles the mouse itself: QCustomPlot would swallow the wheel and keep events from its parents.
    m_canvas->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_canvas->setFocusPolicy(Qt::NoFocus);
    m_canvas->setObjectName(QStringLiteral("chartCanvas"));
    connect(m_canvas, &ChartCanvas::redrawn, this, &ChartView::replotted);
    connect(m_canvas, &ChartCanvas::painted, this, &ChartView::painted);
    restyle();
}

ChartView::~ChartView() = default;

const ChartSpec& ChartView::spec() const
{
    return m_spec;
}

ChartSpec ChartView::specForFiles() const
{
    if (!m_make || speaksEnglish())
        return m_spec;
    const InEnglish file;
    return m_make();
}

void ChartView::setSpec(const ChartSpec& spec)
{
    if (spec == m_spec)
        return;
    const bool hovers = m_hit && isPoint(spec, *m_hit) && seriesId(spec, *m_hit) == seriesId(m_spec, *m_hit);
    m_spec = spec;
    setAccessibleName(QString::fromStdString(spec.title));
    setAccessibleDescription(QString::fromStdString(spec.summary));
    if (m_cursor && !isPoint(m_spec, *m_cursor))
        m_cursor.reset();
    if (m_hit && !hovers) {
        m_hit.reset();
        emit cleared();
    }
    refresh();
}

void ChartView::replotNow(ChartPainters& threads)
{
    m_canvas->replotNow(threads);
}

void ChartView::refresh()
{
    m_stale = !isVisible() || visibleRegion().isEmpty();
    if (m_stale)
        return;
    m_canvas->setSpec(m_spec);
    if (const ChartHit* shown = m_hit ? m_hit.get() : m_cursor.get())
        m_canvas->setHover(*shown, m_canvas->scene().crosshair);
    m_canvas->queueReplot();
}

void ChartView::restyle()
{
    m_canvas->setLook(themeOf(palette()), font(), m_lineScale);
    refresh();
    update();
}

void ChartView::setLineScale(double scale)
{
    m_lineScale = scale;
    restyle();
}

void ChartView::setCrosshair(double x)
{
    if (!m_stale)
        m_canvas->setHover(m_canvas->scene().hit, x);
}

void ChartView::clearCrosshair()
{
    m_canvas->setHover(m_canvas->scene().hit, std::nullopt);
}

QString ChartView::hoverText() const
{
    if (!m_hit)
        return {};
    const PointText text = pointText(m_spec, *m_hit);
    return text.detail.isEmpty() ? text.headline : QString(text.headline + u'\n' + text.detail);
}

QString ChartView::cursorText() const
{
    return m_cursor ? pointText(m_spec, *m_cursor).spoken() : QString();
}

QPointF ChartView::pixelOf(double x, double y) const
{
    return m_canvas->scene().toPixel(x, y) + QPointF(m_canvas->pos());
}

QRect ChartView::plotArea() const
{
    return m_canvas->scene().plotArea().translated(m_canvas->pos());
}

QImage ChartView::image() const
{
    return renderImage(m_spec, size(), themeOf(palette()), font(), devicePixelRatioF());
}

void ChartView::copyImage() const
{
    QApplication::clipboard()->setImage(image());
    tell(*this, tr("The picture is in the clipboard."));
}

QSize ChartView::sizeHint() const
{
    return {420, 300};
}

QSize ChartView::minimumSizeHint() const
{
    return {240, 180};
}

void ChartView::setHit(const std::optional<ChartHit>& hit)
{
    if (hit ? (m_hit && *m_hit == *hit) : !m_hit)
        return;
    m_hit = hit ? std::make_unique<ChartHit>(*hit) : nullptr;
    m_canvas->setHover(hit, m_canvas->scene().crosshair);
    if (hit)
        emit hovered(seriesId(m_spec, *hit), hit->index);
    else
        emit cleared();
}

void ChartView::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& t = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_focusRing ? QPen(t.accent, 2) : QPen(t.border, 1));
    painter.setBrush(t.surface);
    const double half = m_focusRing ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), 6, 6);
    if (m_stale) // scrolled into view
        refresh();
}

void ChartView::resizeEvent(QResizeEvent* /*event*/)
{
    m_canvas->setGeometry(rect().adjusted(inset, inset, -inset, -inset));
}

void ChartView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void ChartView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange)
        restyle();
    QWidget::changeEvent(event);
}

/// Over this chart's own plot, no wider than it: the title of the chart beside it stays in sight.
void ChartView::showReading()
{
    constexpr int below = 16, aside = 2, frame = 24; // where QToolTip puts a tip beside its point; its margins
    const QString words = toQString(m_spec.reading.empty() ? m_spec.title : m_spec.reading);
    const int width = std::min(this->width() - frame, QFontMetrics(QToolTip::font()).horizontalAdvance(words) + frame);
    QToolTip::showText(mapToGlobal(QPoint(-aside, static_cast<int>(plotArea().top()) - below)),
                       QStringLiteral("<table width='%1'><tr><td>%2</td></tr></table>%3")
                           .arg(width)
                           .arg(toRichText(words), glossaryHint()),
                       this);
}

bool ChartView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        // The header elides what does not fit; the rest is here.
        if (help->pos().y() < plotArea().top())
            showReading();
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_stale)
        setHit(hitTest(m_canvas->scene(), event->position() - QPointF(m_canvas->pos())));
    event->ignore();
}

void ChartView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = event->button() == Qt::LeftButton && rect().contains(event->position().toPoint());
    if (click && m_hit)
        emit pointActivated(seriesId(m_spec, *m_hit), m_hit->index);
    event->ignore();
}

void ChartView::leaveEvent(QEvent* event)
{
    setHit(std::nullopt);
    QWidget::leaveEvent(event);
}

void ChartView::wheelEvent(QWheelEvent* event)
{
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier) && event->angleDelta().y() != 0;
    if (!zooms || m_stale || !m_canvas->zoomAt(event->position() - QPointF(m_canvas->pos()), event->angleDelta().y())) {
        event->ignore();
        return;
    }
    setHit(std::nullopt);
    m_canvas->queueReplot();
    event->accept();
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_cursor) {
        m_cursor.reset();
        m_canvas->setHover(std::nullopt, m_canvas->scene().crosshair);
        emit cleared();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_cursor) {
        emit pointActivated(seriesId(m_spec, *m_cursor), m_cursor->index);
        return;
    }
    const auto current = m_cursor ? std::optional(*m_cursor) : std::nullopt;
    const auto next =
        event->modifiers() & ~Qt::KeypadModifier ? std::nullopt : cursorAfter(m_spec, current, event->key());
    if (!next) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_cursor = std::make_unique<ChartHit>(*next);
    m_canvas->setHover(*next, m_canvas->scene().crosshair);
    announce(*this);
    emit announced(cursorText());
    emit hovered(seriesId(m_spec, *next), next->index);
}

void ChartView::focusInEvent(QFocusEvent* event)
{
    m_focusRing = event->reason() != Qt::MouseFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void ChartView::focusOutEvent(QFocusEvent* event)
{
    m_focusRing = false;
    QWidget::focusOutEvent(event);
    update();
}

} // namespace headroom::ui
