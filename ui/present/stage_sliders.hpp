// SPDX-License-Identifier: GPL-3.0-or-later
// StageSliders: the strip under the charts, with the few parameters that a view lets one move.
#pragma once

#include "ui/document/scenario_store.hpp"
#include "ui/widgets/wheel_guard.hpp"

#include <QWidget>
#include <string>
#include <vector>

class QHBoxLayout;

namespace headroom::ui
{

class ParameterRowWidget;

class StageSliders final : public QWidget
{
    Q_OBJECT

public:
    explicit StageSliders(ScenarioStore& store, QWidget* parent = nullptr);

    void setParameters(const std::vector<std::string>& ids);
    [[nodiscard]] const std::vector<ParameterRowWidget*>& rows() const { return m_rows; }
    /// What a batch of as many as fit comes to.
    void showBatch(double sequences);

private:
    void refresh();

    ScenarioStore& m_store;
    WheelGuard m_guard;
    QHBoxLayout* m_layout;
    std::vector<ParameterRowWidget*> m_rows;
};

} // namespace headroom::ui
