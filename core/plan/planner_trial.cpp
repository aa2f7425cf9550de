// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_trial.hpp"

#include "core/plan/planner_day.hpp"

#include <memory>
#include <new>
#include <utility>

namespace headroom::planner
{

PlanTrial::PlanTrial(const PlanSpace& space, PlanCollector& collector)
    : m_space(space), m_collector(collector), m_scenario(space.request().base)
{
}

void PlanTrial::evaluate(const PlanPoint& point)
{
    apply(point);
    std::destroy_at(&m_evaluation); // made in its place: a copy of so many numbers costs a twentieth of making them
    ::new (static_cast<void*>(&m_evaluation)) Evaluation(evaluateLoaded(request(), m_scenario));
}

Shortfall PlanTrial::missedBy(const PlanPoint& point)
{
    evaluate(point);
    return shortfall(request(), m_scenario, m_evaluation);
}

bool PlanTrial::missesMoreThanCost(const PlanPoint& point)
{
    evaluate(point);
    const auto cost = std::exchange(m_evaluation.costPerHour, std::nullopt);
    const bool missed = shortfall(request(), m_scenario, m_evaluation).any();
    m_evaluation.costPerHour = cost;
    return missed;
}

/// TPOT and TTFT rise with the batch.
std::int64_t PlanTrial::fullWithinTargets(PlanPoint point, std::int64_t most, bool withFirstTokens)
{
    const InferenceWorkload& w = request().base.inference;
    if (!w.tpotTargetS && !(w.ttftTargetS && withFirstTokens))
        return most;
    point.replicas = 1;
    const auto meets = [&](std::int64_t batch) {
        point.batch = batch;
        apply(point);
        const auto load = std::exchange(m_scenario.inference.requestsPerS, std::nullopt);
        m_evaluation = headroom::evaluate(m_scenario);
        if (!withFirstTokens) {
            m_scenario.inference.requestsPerS = load;
            return *heldTpot(request(), m_evaluation) <= *w.tpotTargetS;
        }
        const Shortfall missed = shortfall(request(), m_scenario, m_evaluation);
        m_scenario.inference.requestsPerS = load;
        return missed.kind != LimitKind::Ttft && missed.kind != LimitKind::Tpot;
    };
    return meets(1) ? lastThatHolds(1, most + 1, meets) : 0;
}

PlanValues PlanTrial::values() const
{
    return valuesOf(request(), m_scenario, m_evaluation);
}

void PlanTrial::offer(const PlanFind& find)
{
    renew();
    if (!hopeless(find.values, find.tie, find.mayNotFit)) // most are: no lock for them
        m_collector.offer(find);
}

} // namespace headroom::planner
