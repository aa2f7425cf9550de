// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/advice.hpp"

#include "core/explore/warning_parameter.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/phases.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"
#include "core/support/say.hpp"
#include "core/support/whole_parts.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace headroom
{

namespace
{

/// Of the same parameters the mildest step comes first and is enough, and so is one with fewer of them.
bool isEnoughFor(const Edits& found, const Edits& more)
{
    return std::ranges::all_of(found, [&](const ParameterEdit& edit) {
        return std::ranges::find(more, edit.row, &ParameterEdit::row) != more.end();
    });
}

bool isPossible(const ParameterEdit& edit)
{
    return edit.value >= edit.row->minimum && edit.value <= edit.row->maximum;
}

double speedPerGpu(const Advice& advice, const PreparedScenario& prepared)
{
    double gpus = static_cast<double>(prepared.hardware.count);
    for (const auto& [row, value] : advice.edits)
        if (row->id == "count")
            gpus = value;
    return advice.after.tokensPerS.value_or(0) / gpus;
}

std::vector<LeverMove> pairs(const std::vector<LeverMove>& singles)
{
    std::vector<LeverMove> both;
    for (auto first = singles.begin(); first != singles.end(); ++first)
        for (auto second = std::next(first); second != singles.end(); ++second) {
            LeverMove move{first->edits, std::max(first->price, second->price)};
            move.edits.insert(move.edits.end(), second->edits.begin(), second->edits.end());
            std::set<const ParameterRow*> rows;
            if (std::ranges::all_of(move.edits, [&](const ParameterEdit& e) { return rows.insert(e.row).second; }))
                both.push_back(std::move(move));
        }
    return both;
}

/// Whether an edit leaves what else is stated, and the kind of job: where a row takes another's place, a file that has
/// both stays refused.
bool keepsTheRest(const ParameterRow& row, const Setup& before, const Setup& after)
{
    return isRl(before) == isRl(after) && std::ranges::none_of(parameterRegistry(), [&](const ParameterRow& other) {
               return &other != &row && other.isSet(before) && !other.isSet(after);
           });
}

/// Evaluates a scenario with edits.
class Trial final
{
public:
    /// `carries`: a load beyond the capacity does not fit either.
    Trial(const PreparedScenario& prepared, bool carries) : m_base(prepared), m_trial(prepared), m_carries(carries) {}

    /// Empty where it is not legal, and where the software has no such layout.
    [[nodiscard]] std::optional<Evaluation> with(const Edits& edits)
    {
        if (!std::ranges::all_of(edits, isPossible))
            return std::nullopt;
        m_trial.setup() = m_base.setup();
        applyEdits(m_trial, edits);
        const bool legal = !lacksMore(m_trial, m_base) && checkSetup(m_trial).empty();
        return legal ? std::optional(evaluate(m_trial)) : std::nullopt;
    }

    /// Empty where it does not fit either.
    [[nodiscard]] std::optional<Evaluation> fitting(const Edits& edits)
    {
        const auto after = with(edits);
        return after && allFits(*after) && (!m_carries || servesItsLoad(*after)) ? after : std::nullopt;
    }

    /// With whichever of the steps uses the least memory; without one where none saves any.
    [[nodiscard]] Edits leanest(const Edits& edits, const std::vector<ParameterEdit>& steps)
    {
        Edits best = edits;
        const auto used = [this](const Edits& tried) {
            const auto after = with(tried);
            return after ? after->usedBytes : std::numeric_limits<double>::infinity();
        };
        double least = used(edits);
        for (const ParameterEdit& step : steps) {
            Edits more = edits;
            more.push_back(step);
            if (const double bytes = used(more); bytes < least) {
                least = bytes;
                best = std::move(more);
            }
        }
        return best;
    }

    /// What fits with a batch that was halved, with as much of it as fits; a global batch of its own stays as it was.
    [[nodiscard]] Edits withTheLargestBatch(Edits edits)
    {
        for (ParameterEdit& edit : edits) {
            const double half = edit.value, now = edit.row->get(m_base);
            if ((edit.row->id != "micro_batch" && edit.row->id != "batch") || half >= now)
                continue;
            const auto global = globalBatchAfter(edits);
            std::vector<double> more;
            for (double value = half + 1; value <= std::min(2 * half + 1, now - 1); ++value) {
                edit.value = value;
                if (!global || (dividesInto(double(*global), value) && globalBatchAfter(edits) == global))
                    more.push_back(value);
            }
            const auto end = std::ranges::partition_point(more, [&](double value) {
                edit.value = value;
                return fitting(edits).has_value();
            });
            edit.value = end == more.begin() ? half : *std::prev(end);
        }
        return edits;
    }

    [[nodiscard]] bool needsAll(const Edits& edits)
    {
        for (std::size_t left = 0; edits.size() > 1 && left < edits.size(); ++left) {
            Edits fewer = edits;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left));
            if (fitting(fewer))
                return false;
        }
        return true;
    }

private:
    [[nodiscard]] std::optional<std::int64_t> globalBatchAfter(const Edits& edits)
    {
        m_trial.setup() = m_base.setup();
        applyEdits(m_trial, edits);
        return m_trial.training.globalBatch;
    }

    const PreparedScenario& m_base;
    PreparedScenario m_trial;
    bool m_carries;
};

/// The moves after which it fits; none of a dearer price once `count` are found.
std::vector<Advice> thatFit(const PreparedScenario& prepared, bool carries, std::vector<LeverMove> moves,
                            std::size_t count)
{
    std::ranges::stable_sort(moves, {}, &LeverMove::price);
    std::vector<Advice> found;
    Trial trial(prepared, carries);
    for (const LeverMove& move : moves) {
        if (found.size() >= count && move.price != found.back().price)
            break;
        if (std::ranges::any_of(found, [&](const Advice& a) { return isEnoughFor(a.edits, move.edits); }))
            continue;
        if (!trial.fitting(move.edits) || !trial.needsAll(move.edits))
            continue;
        Advice& advice = found.emplace_back(adviceOf(trial.withTheLargestBatch(move.edits)));
        advice.after = trial.fitting(advice.edits).value();
        advice.price = move.price;
        const FormattedValue used = formatValue(advice.after.usedBytes, ValueFormat::Bytes),
                             all = formatValue(advice.after.capacityBytes, ValueFormat::Bytes);
        const std::string share = used.unit == all.unit ? used.number : used.text();
        advice.brief = say("{}: {} of {}", advice.change, share, all.text());
        advice.text = advice.mayNotFit() ? say("{}, may not fit", advice.brief) : advice.brief;
    }
    std::ranges::stable_sort(found, [&prepared](const Advice& a, const Advice& b) {
        const auto first = [](const Advice& one) { return std::pair(one.price, one.mayNotFit()); };
        return first(a) != first(b) ? first(a) < first(b) : speedPerGpu(a, prepared) > speedPerGpu(b, prepared);
    });
    found.resize(std::min(found.size(), count));
    return found;
}

/// Where neither one lever nor two are enough: all that save memory as far as they go, up to the cheapest price at
/// which that fits; then each as mild as it may be, the dearest first. Empty where nothing is enough.
Edits several(const PreparedScenario& prepared, bool carries, const std::vector<LeverMove>& singles)
{
    Trial trial(prepared, carries);
    Edits all;
    std::vector<std::vector<ParameterEdit>> steps; // of each lever, the mildest first
    for (const LeverMove& move : singles) {
        if (move.edits.size() > 1)
            continue;
        if (steps.empty() || steps.back().front().row != move.edits.front().row)
            steps.emplace_back();
        steps.back().push_back(move.edits.front());
    }
    for (std::size_t lever = 0; lever < steps.size() && !trial.fitting(all); ++lever)
        all = trial.leanest(all, steps[lever]);
    if (!trial.fitting(all))
        return {};
    std::ranges::reverse(all);
    for (std::size_t at = 0; at < all.size();) {
        Edits milder = all;
        milder.erase(milder.begin() + static_cast<std::ptrdiff_t>(at));
        if (trial.fitting(milder)) {
            all = milder;
            continue;
        }
        const auto& lever = *std::ranges::find(steps, all[at].row, [](const auto& each) { return each.front().row; });
        all[at] = *std::ranges::find_if(lever, [&](const ParameterEdit& edit) {
            milder = all;
            milder[at] = edit;
            return trial.fitting(milder).has_value();
        });
        ++at;
    }
    std::ranges::reverse(all);
    return all;
}

} // namespace

Advice adviceOf(Edits edits)
{
    std::string change;
    for (std::size_t i = 0; i < edits.size(); ++i)
        change += (i == 0                 ? std::string()
                   : i + 1 < edits.size() ? ", "
                                          : said(" and ")) +
                  named(*edits[i].row, edits[i].value);
    return {.edits = std::move(edits), .change = capitalized(change)};
}

std::vector<Advice> remedies(const PreparedScenario& prepared, const Evaluation& evaluation, std::size_t count,
                             const IsHeld& held)
{
    if (allFits(evaluation))
        return {};
    const std::vector<LeverMove> singles = memoryMoves(prepared, held);
    const auto search = [&](bool carries) {
        std::vector<Advice> found = thatFit(prepared, carries, singles, count);
        if (found.empty())
            found = thatFit(prepared, carries, pairs(singles), count);
        if (found.empty())
            if (Edits edits = several(prepared, carries, singles); !edits.empty())
                found = thatFit(prepared, carries, {{std::move(edits), LeverPrice::Speed}}, count);
        return found;
    };
    // A load that what fits of the batch carries is carried afterwards, too, where anything fits and carries it.
    const bool carries = servesItsLoad(evaluation);
    std::vector<Advice> found = search(carries);
    return found.empty() && carries && evaluation.queue ? search(false) : found;
}

std::vector<Advice> whatNext(const PreparedScenario& prepared, const Evaluation& evaluation, const IsHeld& held,
                             std::size_t count)
{
    return isRunning(evaluation) ? improvements(prepared, evaluation, count, held)
                                 : remedies(prepared, evaluation, count, held);
}

bool isRunning(const Evaluation& evaluation)
{
    if (allFits(evaluation))
        return true;
    const Observed* run = evaluation.credible(); // that it ran out of memory is measured, too
    return run && (run->stepTimeS || run->mfu || run->mbu);
}

std::string adviceHeading(const Evaluation& evaluation)
{
    return isRunning(evaluation) ? said("What to change next") : said("What would fit");
}

std::string whatNextText(const PreparedScenario& prepared, const Evaluation& evaluation)
{
    std::string text;
    for (const Advice& advice : whatNext(prepared, evaluation))
        text += "  " + advice.text + '\n';
    return text.empty() ? text : adviceHeading(evaluation) + '\n' + text;
}

std::vector<Advice> legalFixes(const Scenario& scenario, const Catalog& catalog, const IsHeld& held, std::size_t count)
{
    const Setup& setup = scenario;
    const auto model = profileOf(scenario.model, catalog);
    const auto fitTogether = [&model](const Setup& sizes) {
        return (model ? checkSetup(sizes, **model) : checkSetup(sizes)).empty();
    };
    const auto isLegal = [&](const Setup& sizes) {
        return fitTogether(sizes) && std::ranges::all_of(scenario.phases, [&](const TrainingPhase& phase) {
                   Setup own = sizes;
                   takePhase(own, phase);
                   return sizes.task != Task::Training || fitTogether(own);
               });
    };
    std::vector<ParameterEdit> found;
    if (isLegal(setup))
        return {};
    for (const ParameterRow& row : parameterRegistry()) {
        if (row.kind != ParameterKind::Integer || row.group == ParameterGroup::Measured || !isFree(row, setup, held))
            continue;
        for (const double value : nearbyValues(row, setup)) {
            Setup changed = setup;
            row.set(changed, value); // alone: nothing else may have to follow
            if (isLegal(changed) && keepsTheRest(row, setup, changed)) {
                found.push_back({&row, value});
                break;
            }
        }
    }
    std::ranges::stable_sort(found, {}, [&setup](const ParameterEdit& edit) {
        return std::pair(priceOf(*edit.row), distance(edit.value, edit.row->get(setup)));
    });
    std::vector<Advice> nearest;
    for (std::size_t i = 0; i < std::min(found.size(), count); ++i)
        nearest.push_back(adviceOf({found[i]}));
    return nearest;
}

std::optional<Advice> withoutWarning(const PreparedScenario& prepared, WarningCode code, const ParameterRow& row,
                                     const IsHeld& held)
{
    if ((held && held(row.id)) || (isAboutAFact(code) && &row == warningParameter(code, prepared)))
        return std::nullopt;
    PreparedScenario changed = prepared;
    const bool fits = allFits(evaluate(prepared));
    for (const double value : nearbyValues(row, prepared)) {
        changed.setup() = prepared.setup();
        row.set(changed, value);
        if (!checkSetup(changed).empty())
            continue;
        const Evaluation after = evaluate(changed);
        // Asking for no more than fits is no remedy where not even one does.
        const bool mends = allFits(after) || (!fits && code != WarningCode::BatchLimitedByMemory);
        if (!after.warnings.has(code) && mends)
            return adviceOf({{&row, value}});
    }
    return std::nullopt;
}

} // namespace headroom
