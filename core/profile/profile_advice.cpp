// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_advice.hpp"

#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom::profile
{
namespace
{

/// A step of other tokens is another step.
constexpr double sameTokens = 0.01;

/// What of a scenario mends a part that takes longer than predicted.
struct Mending {
    std::string_view part, parameter;
    std::array<std::string_view, 5> choices{}; ///< ids to try; empty: a switch is turned on, a share set to all of it
};

constexpr std::array mendings{
    Mending{"attention", "flash_attention", {"true", "2", "3", "cudnn"}},
    Mending{"memory_bound", "compile"},
    Mending{"optimizer", "sharding", {"zero1", "zero2", "fsdp"}},
    Mending{"optimizer", "offload", {"none"}},
    Mending{"sharding_communication", "overlap_data_parallel"},
    Mending{"sharding_communication", "overlap_tensor"},
    Mending{"sharding_communication", "sharding", {"zero1", "zero2", "fsdp"}},
    Mending{"host", "compile"},
    Mending{"host", "async_scheduling"},
    Mending{"copy", "offload", {"none"}},
};

std::vector<double> valuesOf(const Mending& mending, const ParameterRow& row)
{
    if (mending.choices.front().empty())
        return {1};
    std::vector<double> values;
    for (const std::string_view id : mending.choices)
        for (std::size_t i = 0; !id.empty() && i < row.choices.size(); ++i)
            if (row.choices[i].id == id)
                values.push_back(static_cast<double>(i));
    return values;
}

double tokensPerStep(const Evaluation& e)
{
    return e.tokensPerS.value_or(0) * e.stepTimeS.value_or(0);
}

bool sameWork(const Evaluation& before, const Evaluation& after)
{
    return before.task != Task::Training ||
           std::abs(tokensPerStep(after) - tokensPerStep(before)) <= sameTokens * std::max(1.0, tokensPerStep(before));
}

/// The step of this run after a change, by what the change does to each predicted part.
double stepAfter(const ProfileComparison& now, const ProfileComparison& after)
{
    double step = 0;
    for (const ProfilePart& part : now.parts) {
        const auto changed = std::ranges::find(after.parts, part.id, &ProfilePart::id);
        const double before = part.predictedS.value_or(0);
        const double then = changed == after.parts.end() ? 0 : changed->predictedS.value_or(0);
        // A part that was not predicted has nothing to be scaled by: what it gains in the prediction is added.
        step += before > 0 ? part.measuredS.value_or(0) * then / before : part.measuredS.value_or(0) + then;
    }
    for (const ProfilePart& part : after.parts)
        if (std::ranges::find(now.parts, part.id, &ProfilePart::id) == now.parts.end())
            step += part.predictedS.value_or(0);
    return step;
}

/// Evaluates what would mend a part, and keeps the best of it.
class Search final
{
public:
    Search(const ProfileComparison& comparison, const PreparedScenario& prepared, const Evaluation& evaluation,
           const IsHeld& held)
        : m_comparison(comparison), m_prepared(prepared), m_evaluation(evaluation), m_held(held), m_trial(prepared)
    {
    }

    void mend(ProfileAdvice& advice)
    {
        double best = smallestGain * m_comparison.measuredS;
        for (const Mending& mending : mendings) {
            const ParameterRow* row = parameterRow(mending.parameter);
            if (mending.part != advice.finding.part || row == nullptr || !isFree(*row, m_prepared, m_held))
                continue;
            for (const double value : valuesOf(mending, *row))
                if (const double brings = tried(*row, value); brings > best) {
                    best = brings;
                    advice.bringsS = brings;
                    advice.change = Advice{.edits = {{row, value}}, .after = m_after};
                }
        }
        if (advice.change)
            name(*advice.change, advice.bringsS);
    }

private:
    /// Seconds of the measured step; negative where it is no change, not legal, or does not fit.
    double tried(const ParameterRow& row, double value)
    {
        m_trial.setup() = m_prepared.setup();
        apply(m_trial, row, value);
        if (m_trial.setup() == m_prepared.setup() || !checkSetup(m_trial).empty())
            return -1;
        m_after = evaluate(m_trial);
        if (!m_after.fits || !sameWork(m_evaluation, m_after))
            return -1;
        return m_comparison.measuredS - stepAfter(m_comparison, compareProfile({}, m_trial, m_after));
    }

    void name(Advice& change, double brings) const
    {
        const ParameterEdit& edit = change.edits.front();
        change.change = fmt::format("{} → {}", say(edit.row->label), parameterText(*edit.row, edit.value));
        change.text = say("{}: about {} less of {} a step", change.change, formatText(brings, ValueFormat::Seconds),
                          formatText(m_comparison.measuredS, ValueFormat::Seconds));
    }

    const ProfileComparison& m_comparison;
    const PreparedScenario& m_prepared;
    const Evaluation& m_evaluation;
    const IsHeld& m_held;
    PreparedScenario m_trial;
    Evaluation m_after;
};

} // namespace

std::vector<ProfileAdvice> profileAdvice(const ProfileComparison& comparison, const PreparedScenario& prepared,
                                         const Evaluation& evaluation, const IsHeld& held)
{
    std::vector<ProfileAdvice> all;
    Search search(comparison, prepared, evaluation, held);
    for (ProfileFinding& finding : profileFindings(comparison)) {
        const double longer = finding.seconds;
        all.push_back({std::move(finding), std::nullopt, longer});
        search.mend(all.back());
    }
    std::ranges::stable_sort(all, std::greater(), &ProfileAdvice::bringsS);
    for (auto advice = all.begin(); advice != all.end(); ++advice) {
        const bool known = std::any_of(all.begin(), advice, [&](const ProfileAdvice& earlier) {
            return earlier.change && advice->change && earlier.change->edits == advice->change->edits;
        });
        if (!known)
            continue;
        advice->change.reset();
        advice->bringsS = advice->finding.seconds;
    }
    std::ranges::stable_sort(all, std::greater(), &ProfileAdvice::bringsS);
    return all;
}

} // namespace headroom::profile
