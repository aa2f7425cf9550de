// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/layout_advisor.hpp"

#include "core/plan/several_changes.hpp"
#include "ui/panels/explanation.hpp"

#include <QMetaObject>
#include <set>

namespace headroom::ui
{

LayoutAdvisor::LayoutAdvisor(ExplanationPanel& panel, Recalculator& recalculator, QObject* parent)
    : QObject(parent), m_panel(panel), m_recalculator(recalculator)
{
    constexpr int restMs = 400; // longer than between two steps of a hand
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &LayoutAdvisor::ask);
    connect(&recalculator, &Recalculator::evaluated, this, &LayoutAdvisor::restart);
    connect(&recalculator.store(), &ScenarioStore::locksChanged, this, &LayoutAdvisor::restart);
    connect(&panel, &ExplanationPanel::shown, this, &LayoutAdvisor::restart);
}

LayoutAdvisor::~LayoutAdvisor() = default;

void LayoutAdvisor::restart()
{
    m_thread.request_stop();
    ++m_newest;
    m_asking = false;
    m_rest.start();
    emit busyChanged();
}

void LayoutAdvisor::ask()
{
    const ChartContext* context = m_recalculator.context();
    if (!context || m_recalculator.isRefused() || !m_panel.isVisible() || m_recalculator.store().isAside())
        return; // asked again when it is seen
    if (m_recalculator.store().isHeld()) {
        m_rest.start();
        return;
    }
    m_asking = true;
    std::set<std::string, std::less<>> locked; // a copy: the store is the window's
    for (const ParameterRow& row : parameterRegistry())
        if (m_recalculator.store().isLocked(row.id))
            locked.insert(std::string(row.id));
    const IsHeld held = [locked](std::string_view id) { return locked.contains(id); };
    m_thread = std::jthread([this, number = m_newest, scenario = context->scenario, evaluation = context->evaluation,
                             held](const std::stop_token& stop) {
        const auto found = severalChanges(scenario, evaluation, held, stop);
        if (!stop.stop_requested())
            QMetaObject::invokeMethod(
                this, [this, number, setup = scenario.setup(), found] { answer(number, setup, found); },
                Qt::QueuedConnection);
    });
}

void LayoutAdvisor::answer(int number, const Setup& setup, const std::optional<Advice>& advice)
{
    if (number != m_newest)
        return;
    m_asking = false;
    m_panel.showSeveral(advice, setup);
    emit busyChanged();
}

} // namespace headroom::ui
