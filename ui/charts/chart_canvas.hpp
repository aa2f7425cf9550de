// SPDX-License-Identifier: GPL-3.0-or-later
// ChartCanvas: the QCustomPlot inside a ChartView and behind every export; nothing outside ui/charts includes it. On
// the screen it keeps a picture, over which it draws what is hovered.
#pragma once

#include "ui/base/before_paint.hpp"
#include "ui/charts/chart_scene.hpp"

#include <QImage>
#include <memory>
#include <optional>
#include <qcustomplot.h>
#include <utility>

namespace headroom::ui
{

class ChartPainters;

class ChartCanvas final : public QCustomPlot
{
    Q_OBJECT

public:
    explicit ChartCanvas(QWidget* parent = nullptr);
    ~ChartCanvas() override;

    /// Takes effect at the next replot, which the caller queues.
    void setSpec(const ChartSpec& spec);
    void setLook(const Theme& theme, const QFont& font, double lineScale);
    [[nodiscard]] const ChartScene& scene() const { return m_scene; }

    void queueReplot() { m_replot.schedule(); }
    /// Does what is queued, the drawing beside that of other charts: the caller finishes `threads`. What is drawn
    /// within the event that changed it stands in the same picture of the window.
    void replotNow(ChartPainters& threads);
    /// The picture stays as it is.
    void setHover(const std::optional<ChartHit>& hit, std::optional<double> crosshair);
    /// Shows a part of the x axis about `position` until the spec brings another range; false where x is no quantity.
    bool zoomAt(QPointF position, int wheelDelta);

    /// Draws on any device: for exports, where the canvas was never shown.
    void render(QCPPainter& painter, QSize size);

signals:
    void redrawn();
    void painted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// In one of `threads`; without them at once.
    void redraw(ChartPainters* threads);
    void prepare();
    /// Of what prepare() laid out; in any thread.
    void drawPicture();
    void styleAxes();

    ChartScene m_scene;
    struct Parts; ///< graphs and layout, private to the source file
    std::unique_ptr<Parts> m_parts;
    std::optional<std::pair<double, double>> m_keyRange;
    bool m_dirty = true;
    QImage m_picture;
    BeforePaint m_replot{[this] { redraw(nullptr); }};
};

} // namespace headroom::ui
