// SPDX-License-Identifier: GPL-3.0-or-later
// Crosshair: the value that is pointed at on one chart, marked on every chart of the page with the same x axis.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

namespace headroom::ui
{

class ChartView;

class Crosshair final : public QObject
{
    Q_OBJECT

public:
    explicit Crosshair(QObject* parent = nullptr) : QObject(parent) {}

    /// Follows a chart until it is destroyed.
    void follow(ChartView* view);

private:
    void mark(const ChartView& from, const QString& seriesId, int index);
    void clear();

    std::vector<ChartView*> m_views;
};

} // namespace headroom::ui
