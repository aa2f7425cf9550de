// SPDX-License-Identifier: GPL-3.0-or-later
// LayoutAdvisor: asks the planner, beside the window's thread, what several changes at once would reach.
#pragma once

#include "ui/document/recalculator.hpp"

#include <QObject>
#include <QTimer>
#include <thread>

namespace headroom::ui
{

class ExplanationPanel;

/// Begins once the scenario rests and somebody reads the explanation; what is asked of a scenario that has moved on is
/// stopped and never shown.
class LayoutAdvisor final : public QObject
{
    Q_OBJECT
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged) ///< it is not known yet whether there is something to say

public:
    LayoutAdvisor(ExplanationPanel& panel, Recalculator& recalculator, QObject* parent = nullptr);
    ~LayoutAdvisor() override;

    [[nodiscard]] bool isBusy() const { return m_rest.isActive() || m_asking; }

signals:
    void busyChanged();

private:
    void restart();
    void ask();
    void answer(int number, const Setup& setup, const std::optional<Advice>& advice);

    ExplanationPanel& m_panel;
    Recalculator& m_recalculator;
    QTimer m_rest;
    std::jthread m_thread;
    int m_newest = 0;
    bool m_asking = false;
};

} // namespace headroom::ui
