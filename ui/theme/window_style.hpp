// SPDX-License-Identifier: GPL-3.0-or-later
// WindowStyle: Fusion with check boxes that can be seen on a dark ground (Fusion outlines them darker than the window).
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
};

} // namespace headroom::ui
