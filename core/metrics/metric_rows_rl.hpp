// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to metric_registry.cpp: the rows of a step of reinforcement learning.
#pragma once

#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/metric_values.hpp"
#include "core/predict/rl.hpp"

namespace headroom::metric_values
{

template <auto Member>
constexpr auto rl = partial<&Evaluation::rl, Member>;
template <RlPart Part>
Value rlPart(const Evaluation& e)
{
    return e.rl ? Value(e.rl->part(Part)) : std::nullopt;
}
inline Value rlGenerateShare(const Evaluation& e)
{
    return e.rl ? Value(generateShare(*e.rl)) : std::nullopt;
}
inline Value bestRolloutGpus(const PreparedScenario& p)
{
    const auto split = bestRlSplit(p);
    return split ? Value(split->rolloutGpus) : std::nullopt;
}
inline Value inAnswer(const Evaluation&)
{
    return std::nullopt;
}

inline constexpr MetricRow rlRows[] = {
    {"rl.step_s", "RL step", "Time of a step of reinforcement learning",
     "From one set of prompts to the next: answers are generated, judged and learned from, and the new weights handed "
     "over.",
     "Σ parts − what runs beside the longer side", ValueFormat::Seconds, Better::Lower, true, false, true,
     rl<&RlResult::stepS>, none, derivations::rlStepTime, MethodChapter::Rl, true},
    {"rl.generate_share", "Generation's share", "Share of generation in a step of reinforcement learning",
     "Generating answers over all parts of the step, whether one runs beside another or not.", "generation ÷ Σ parts",
     ValueFormat::Percent, Better::Neither, true, false, true, rlGenerateShare, none, derivations::rlGenerateShare,
     MethodChapter::Rl, true},
    {"rl.idle_share", "GPUs that wait", "Share of the GPUs' time that waits in reinforcement learning",
     "GPUs wait for the longest answer, for the other side of a separate placement, for the controller, or for a judge "
     "elsewhere.",
     "waiting GPU-seconds ÷ (GPUs × step)", ValueFormat::Percent, Better::Lower, true, false, true, rl<&RlResult::idle>,
     none, derivations::rlIdleShare, MethodChapter::Rl, true},
    {"rl.tokens_per_s_per_gpu", "RL tokens/s per GPU", "Tokens learned from per second and GPU",
     "Prompts and answers of a step over its time, per GPU of either side.", "tokens of a step ÷ (time × GPUs)",
     ValueFormat::TokensPerS, Better::Higher, true, false, true, rl<&RlResult::tokensPerSPerGpu>, none,
     derivations::rlTokensPerS, MethodChapter::Rl, true},
    {"rl.generate_s", "Generation", "Time in which a step's answers are generated",
     "Until the longest answer of the step ends and the controller has all of them.",
     "prompts + tokens ÷ (copies × batch ÷ pass) + tail + answers and states under way", ValueFormat::Seconds,
     Better::Lower, true, false, false, rlPart<RlPart::Generate>, none, derivations::rlGenerate, MethodChapter::Rl},
    {"rl.tail_s", "Tail of long answers", "What long answers add to generation",
     "Time beyond that of copies of the model that stay full to the end: fewer and fewer answers are left, and one "
     "alone at last.",
     "(Σ (ℓᵢ − ℓᵢ₋₁) × pass(answers left) − time at full copies) ÷ steps under way", ValueFormat::Seconds,
     Better::Lower, true, false, false, rl<&RlResult::tailS>, none, derivations::rlTail, MethodChapter::Rl},
    {"rl.update_s", "Update", "Time in which the policy learns",
     "The training step as this scenario predicts it, over all tokens of the step; and the controller hands the "
     "answers out, and states come from the host and go back.",
     "tokens × epochs ÷ tokens/s of the training + answers and states under way", ValueFormat::Seconds, Better::Lower,
     true, false, false, rlPart<RlPart::Update>, none, derivations::rlUpdate, MethodChapter::Rl},
    {"rl.sync_s", "Weights handed over", "Time in which new weights reach the GPUs that generate",
     "All weights pass by each GPU in 16 bits, over its own link, and it keeps its part. Of adapters they alone.",
     "2 × parameters ÷ link", ValueFormat::Seconds, Better::Lower, true, false, false, rlPart<RlPart::Sync>, none,
     derivations::rlSync, MethodChapter::Rl},
    {"rl.cost_per_step", "Cost of an RL step", "Cost of a step of reinforcement learning",
     "The price of all GPUs of both sides, and of the spares, for the time of a step.",
     "price × (GPUs + spares) × time", ValueFormat::Money, Better::Lower, true, false, false, rl<&RlResult::cost>, none,
     derivations::rlCost, MethodChapter::Rl},
    {"rl.best_rollout_gpus", "Best rollout GPUs", "Rollout GPUs with which a step takes least",
     "Number of the GPUs of a separate placement that should generate; the others train.",
     "least step over the splits of the GPUs", ValueFormat::Integer, Better::Neither, true, false, false, inAnswer,
     none, derivations::rlBestSplit, MethodChapter::Rl, false, bestRolloutGpus},
};

} // namespace headroom::metric_values
