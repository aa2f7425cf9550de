// SPDX-License-Identifier: GPL-3.0-or-later
// ChartMenuButton: the button at the upper right corner of a chart that opens its menu.
#pragma once

#include <QToolButton>

namespace headroom::ui
{

class ChartView;

class ChartMenuButton final : public QToolButton
{
    Q_OBJECT

public:
    explicit ChartMenuButton(ChartView* chart);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headroom::ui
