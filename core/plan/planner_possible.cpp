// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_possible.hpp"

#include "core/metrics/words.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/plan/planner_table.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

using planner::LimitKind;
using planner::Shortfall;

/// Rounded up to three digits, so that what is read holds when it is typed.
double roundedUp(double value)
{
    const double step = std::pow(10, std::floor(std::log10(value)) - 2);
    return std::ceil(value / step) * step;
}

/// Lets the limit that is missed give way; empty where it cannot.
std::string giveWay(const Shortfall& missed, PlanRequest& request, PreparedScenario& scenario)
{
    const double value = roundedUp(missed.value);
    const auto targets = [&](std::optional<double> InferenceWorkload::*target) {
        request.base.inference.*target = scenario.inference.*target = value;
    };
    switch (missed.kind) {
    case LimitKind::Deadline:
        request.limits.deadlineS = value;
        return say("a deadline of {}", formatText(value, ValueFormat::Seconds));
    case LimitKind::CostToTrain:
        request.limits.costToTrain = value;
        return say("a budget of {}", formatText(value, ValueFormat::Money));
    case LimitKind::CostPerHour:
        request.limits.costPerHour = value;
        return say("{} an hour", formatText(value, ValueFormat::Money));
    case LimitKind::Ttft:
        targets(&InferenceWorkload::ttftTargetS);
        return say("a TTFT of {}", formatText(value, ValueFormat::Seconds));
    case LimitKind::Tpot:
        targets(&InferenceWorkload::tpotTargetS);
        return say("a TPOT of {}", formatText(value, ValueFormat::Seconds));
    case LimitKind::None:
    case LimitKind::Memory:
    case LimitKind::HostMemory:
    case LimitKind::Load:
        break;
    }
    return {};
}

} // namespace

std::optional<PlanPossible> planPossible(const PlanRequest& request, const PlanResult& result)
{
    if (!result.ranked.empty() || result.cancelled)
        return std::nullopt;
    std::optional<PlanPossible> best;
    double least = std::numeric_limits<double>::infinity();
    for (const PlanRejection& rejection : result.rejected) {
        PlanPossible possible{request, rejection.nearest, {}};
        PreparedScenario scenario = rejection.nearest.scenario;
        const Evaluation& e = rejection.nearest.evaluation;
        std::string words;
        double most = 0;
        constexpr int limits = 5; // as many as there are to miss
        Shortfall missed = planner::shortfall(possible.request, scenario, e);
        for (int i = 0; i < limits && missed.any(); ++i) {
            const std::string way = giveWay(missed, possible.request, scenario);
            if (way.empty())
                break;
            words += (words.empty() ? std::string() : said(" and ")) + way;
            most = std::max(most, missed.share());
            missed = planner::shortfall(possible.request, scenario, e);
        }
        if (missed.any() || words.empty() || most >= least)
            continue;
        least = most;
        possible.text = say("{} would be met by {}", capitalized(words), planMachines(rejection.nearest));
        best = std::move(possible);
    }
    return best;
}

} // namespace headroom
