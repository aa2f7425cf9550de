// SPDX-License-Identifier: GPL-3.0-or-later
// ChartView: a card that draws one ChartSpec — title, reading, plot, hover — and works only while it can be seen.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

namespace headroom::ui
{

class ChartCanvas;
class ChartPainters;
struct ChartHit;

class ChartView final : public QWidget
{
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    /// Draws `spec` once at the next turn of the event loop; while the view cannot be seen, once it is.
    void setSpec(const ChartSpec& spec);
    /// Draws what setSpec() brought now, so that the window paints it together with what else this event changed. The
    /// caller finishes `threads` before it touches the view again.
    void replotNow(ChartPainters& threads);
    [[nodiscard]] const ChartSpec& spec() const;
    /// How the spec is made, so that files can have it in English whatever the window speaks.
    void setMaker(std::function<ChartSpec()> make) { m_make = std::move(make); }
    /// In English; as it is drawn where nobody said how it is made.
    [[nodiscard]] ChartSpec specForFiles() const;
    /// A newer spec waits until the view is seen.
    [[nodiscard]] bool isStale() const { return m_stale; }

    /// Line widths times this: 1 on the dashboard, 1.5 when presenting.
    void setLineScale(double scale);

    /// A hairline at x on every chart of a page, with the values of its lines.
    void setCrosshair(double x);
    void clearCrosshair();

    /// Plain text of the hover label; empty while nothing is hovered.
    [[nodiscard]] QString hoverText() const;
    /// What the keyboard cursor stands on, "Batch size 32, MFU 20 %"; empty before the first arrow key.
    [[nodiscard]] QString cursorText() const;
    /// Position of a data point in this widget.
    [[nodiscard]] QPointF pixelOf(double x, double y) const;
    /// The data area in this widget, between the axes.
    [[nodiscard]] QRect plotArea() const;

    /// The chart at this widget's size and device pixel ratio, without hover marks.
    [[nodiscard]] QImage image() const;
    void copyImage() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void hovered(const QString& seriesId, int index);
    void cleared();
    void pointActivated(const QString& seriesId, int index);
    void announced(const QString& text); ///< the keyboard cursor moved
    void replotted();
    void painted(); ///< the plot reached the screen; the end of "slider to paint"

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void restyle();
    void refresh();
    void showReading();
    void setHit(const std::optional<ChartHit>& hit);

    ChartCanvas* m_canvas; ///< child, owned by Qt
    ChartSpec m_spec;
    std::function<ChartSpec()> m_make;
    std::unique_ptr<ChartHit> m_hit, m_cursor;
    double m_lineScale = 1;
    bool m_stale = false;
    bool m_focusRing = false;
};

} // namespace headroom::ui
