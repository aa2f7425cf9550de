// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/chart_menu_button.hpp"

#include "ui/charts/chart_view.hpp"

#include <QEvent>

namespace headroom::ui
{

ChartMenuButton::ChartMenuButton(ChartView* chart) : QToolButton(chart)
{
    setObjectName(QStringLiteral("chartMenu"));
    setText(QStringLiteral("⋯"));
    setAutoRaise(true);
    setFocusPolicy(Qt::NoFocus); // the menu key of the chart does the same
    setAccessibleName(tr("Menu of the chart"));
    setToolTip(tr("What it is drawn over, its numbers, export"));
    chart->installEventFilter(this);
}

bool ChartMenuButton::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) {
        resize(sizeHint().expandedTo({26, 24}));
        move(parentWidget()->width() - width() - 6, 6);
    }
    return QToolButton::eventFilter(watched, event);
}

} // namespace headroom::ui
