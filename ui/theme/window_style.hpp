// SPDX-License-Identifier: GPL-3.0-or-later
// WindowStyle: Fusion with check boxes that can be seen on a dark ground (Fusion outlines them darker than the window)
// and grow with the type, buttons with room around their words, and strong outlines in high contrast.
#pragma once

#include <QProxyStyle>

namespace headroom::ui
{

class WindowStyle final : public QProxyStyle
{
    Q_OBJECT

public:
    WindowStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* data) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                         const QWidget* widget) const override;
};

} // namespace headroom::ui
