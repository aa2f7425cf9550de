// SPDX-License-Identifier: GPL-3.0-or-later
// LogSlider: a slider over a parameter's values, with labelled ticks, magnetic snap points and jumps to the click.
#pragma once

#include "core/scenario/slider_scale.hpp"

#include <QSlider>
#include <functional>

namespace headroom::ui
{

/// Shows the position nearest to a value and reports where the hand moves it; keeps no value of its own.
class LogSlider final : public QSlider
{
    Q_OBJECT

public:
    explicit LogSlider(const ParameterRow& row, QWidget* parent = nullptr);

    [[nodiscard]] const SliderScale& scale() const { return m_scale; }
    /// Shows a value; emits nothing. While the hand holds the handle the range stays.
    void showValue(double value);
    [[nodiscard]] double shownValue() const { return m_value; }
    /// Other ends than the registry's; empty = the registry's.
    void setBounds(const std::optional<SliderBounds>& bounds);
    /// Other ticks than the registry's; empty = the registry's.
    void setTicks(const std::vector<double>& ticks);
    /// Muted: an automatic value.
    void setAutomatic(bool automatic);

    [[nodiscard]] QRect handleRect() const;
    /// Centre of the handle for a value, in widget coordinates.
    [[nodiscard]] QPoint pointOf(double value) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void gestureStarted();
    /// The value under the hand, already snapped.
    void valueMoved(double value);
    void gestureFinished();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] double valueAt(int x, bool free) const;
    [[nodiscard]] double xOf(int position) const;
    [[nodiscard]] double grooveY() const;
    void paintTicks(QPainter& painter) const;
    [[nodiscard]] std::vector<bool> labelledTicks(const std::function<QRectF(double)>& boxOf) const;

    SliderScale m_scale;
    double m_value = 0;
    std::vector<double> m_ticks; ///< empty = the registry's
    int m_grip = 0;              ///< where on the handle the hand took hold, px from its centre
    bool m_dragging = false, m_automatic = false, m_hovered = false, m_showing = false;
};

} // namespace headroom::ui
