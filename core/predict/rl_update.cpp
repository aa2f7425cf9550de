// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/rl_update.hpp"

#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

RlUpdate::RlUpdate(const PreparedScenario& prepared, double answers) noexcept
    : w(prepared.training.rl), p(prepared), lengths(w, answers)
{
    p.phases.reset();
    p.measured = {};
    const TrainingWorkload& t = p.training;
    m_answers = std::min(answers, t.globalBatch ? std::max(1.0, real(*t.globalBatch)) : answers);
    m_data = real(dataParallelRanks(p));
    m_pass = m_data * real(t.microBatch);
    m_mean = real(w.promptTokens + w.outputTokens);
    m_longest = std::max(m_mean, real(w.promptTokens) + lengths.longestOf(answers));
    const double room = real(t.sequenceLength), prompt = real(w.promptTokens);
    m_filled = prompt < room ? (prompt + lengths.meanUpTo(room - prompt)) / room : 1;
}

double RlUpdate::imbalance(double answers) const noexcept
{
    const double longest = real(w.promptTokens) + lengths.longestOf(answers);
    return std::max(1.0, longest * m_data / (std::max(answers, m_data) * m_mean));
}

TrainingPlan RlUpdate::plan(double answers) noexcept
{
    const double each = tokens(answers) / m_pass; // of every sequence's rows, were no answer longer than another
    constexpr double rounding = 1e-9;             // of a mean by logarithms: no sequence for it, and no token
    double passes = std::max(1.0, std::ceil(answers / m_pass * m_filled - rounding));
    // Interleaved stages take micro-batches in rounds of as many as there are stages: packers make whole rounds, as far
    // as there are answers for them (verl, megatron_actor.py: num_batches_divided_by, Megatron's
    // microbatch_group_size_per_vp_stage).
    if (const double stages = real(p.parallelism.pipeline); stages > 1 && p.parallelism.virtualPipeline > 1)
        passes = std::max(passes, std::min(std::ceil(passes / stages) * stages, std::floor(answers / m_data)));
    // A pass has a whole answer at least, in however many sequences. Where whole answers do not fill the last pass, a
    // longer one of them does.
    const double full = std::max({each, passes * m_mean / real(p.training.microBatch), each * imbalance(answers)});
    const double squares = real(w.outputTokens) * real(w.outputTokens) * (lengths.squareRatio() - 1);
    TrainingWorkload& t = p.training;
    t.sequenceLength = std::llround(std::ceil(full / passes * (1 - rounding)));
    t.globalBatch = std::llround(passes * m_pass);
    WarningSet ignored;
    TrainingPlan plan = planTraining(p, ignored);
    // Whole, however short the even sequences come out; of any lengths Σs² ÷ Σs is at most the longest.
    plan.sample = std::min(m_mean + squares / m_mean, m_longest);
    return plan;
}

std::optional<TrainingPlan> RlUpdate::longestAlone(const TrainingPlan& plan, double answers) const noexcept
{
    const double longest = real(w.promptTokens) + lengths.longestOf(answers);
    const double rows = plan.microBatch * plan.microBatches;
    if (longest * longest <= rows * plan.sequence * plan.sample)
        return std::nullopt;
    TrainingPlan alone = plan;
    alone.sequence = longest / rows;
    alone.tokens = plan.microBatch * alone.sequence / plan.context;
    alone.sample = longest;
    return alone;
}

TrainingMemory RlUpdate::resolve(TrainingPlan& plan) const noexcept
{
    WarningSet ignored;
    const double timed = plan.tokens;
    plan.tokens = std::max(timed, m_longest / plan.context);
    const TrainingMemory memory = resolveUnstated(plan, ignored);
    plan.tokens = timed;
    return memory;
}

} // namespace headroom
