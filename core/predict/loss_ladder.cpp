// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/loss_ladder.hpp"

#include "core/predict/source_peak.hpp"
#include "core/support/language.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace headroom
{

namespace
{

struct LossPart {
    TimePart part;
    std::string_view name;
};
/// Parts that are lost whole: nothing in them is model FLOP.
constexpr std::array<LossPart, 13> lostParts{{{TimePart::MemoryBound, phrase("memory-bound operators")},
                                              {TimePart::Recompute, phrase("recomputation")},
                                              {TimePart::TensorParallel, phrase("tensor parallel")},
                                              {TimePart::ContextParallel, phrase("context parallel")},
                                              {TimePart::ExpertParallel, phrase("expert parallel")},
                                              {TimePart::DataParallel, phrase("data parallel")},
                                              {TimePart::PipelineBubble, phrase("pipeline bubble")},
                                              {TimePart::PipelineSend, phrase("pipeline sends")},
                                              {TimePart::OptimizerStep, phrase("optimizer")},
                                              {TimePart::Host, phrase("host")},
                                              {TimePart::PrefillInterference, phrase("others' prefill")},
                                              {TimePart::Draft, phrase("drafting")},
                                              {TimePart::HostLink, phrase("weights from the host")}}};

/// Seconds by which memory traffic outlasts the FLOP of these operators, at most what they take beyond the FLOP.
double stalledS(const std::vector<OperatorCost>& operators, const Evaluation& e, TimePart part)
{
    double seconds = 0;
    for (const OperatorCost& cost : operators) {
        if (cost.part != part)
            continue;
        const double compute = cost.flop / e.peakFlops;
        const double traffic = cost.bytes / e.memoryBandwidth;
        seconds += std::clamp(traffic - compute, 0.0, std::max(0.0, cost.timeS - compute));
    }
    return seconds;
}

/// Seconds that uneven routing costs: what the same scenario gains with even experts.
double imbalanceS(const PreparedScenario& prepared, const Evaluation& e, std::array<double, timePartCount>& time)
{
    PreparedScenario even = prepared;
    even.training.expertImbalance = even.inference.expertImbalance = 1;
    const bool uneven = prepared.task == Task::Training ? prepared.training.expertImbalance > 1
                                                        : prepared.inference.expertImbalance > 1;
    if (!uneven || prepared.model->experts <= 0)
        return 0;
    const Evaluation balanced = evaluate(even);
    double seconds = 0;
    for (const TimePart part : {TimePart::Experts, TimePart::ExpertParallel}) {
        const double lost = std::clamp(e.part(part) - balanced.part(part), 0.0, e.part(part));
        time[static_cast<std::size_t>(part)] -= lost;
        seconds += lost;
    }
    return seconds;
}

} // namespace

LossLadder lossLadder(const PreparedScenario& prepared, const Evaluation& e, const std::vector<OperatorCost>& operators)
{
    LossLadder ladder;
    const double total = std::accumulate(e.time.begin(), e.time.end(), 0.0);
    if (!e.mfu || total <= 0 || e.peakFlops <= 0 || e.memoryBandwidth <= 0)
        return ladder;
    ladder.predicted = *e.mfu;

    auto time = e.time;
    const double imbalance = imbalanceS(prepared, e, time);
    const auto seconds = [&time](TimePart part) { return time[static_cast<std::size_t>(part)]; };

    // Useful seconds per GPU: the method's FLOP at peak rate. The attention core costs three forwards in training
    // (two of them backward), whether or not the weights are frozen.
    const double gpus = static_cast<double>(prepared.hardware.count);
    const double passes = prepared.task == Task::Training ? 3 : 1;
    const double usefulAttention = passes * e.flops.attention / (gpus * e.peakFlops);
    const double usefulMatmul = e.flops.model / (gpus * e.peakFlops) - usefulAttention;

    const double matmulLost = seconds(TimePart::Matmul) + seconds(TimePart::Experts) - usefulMatmul;
    const double attentionLost = seconds(TimePart::Attention) - usefulAttention;
    const double matmulStall =
        std::clamp(stalledS(operators, e, TimePart::Matmul) + stalledS(operators, e, TimePart::Experts), 0.0,
                   std::max(0.0, matmulLost));
    const double attentionStall =
        std::clamp(stalledS(operators, e, TimePart::Attention), 0.0, std::max(0.0, attentionLost));

    ladder.steps.push_back({phrase("memory traffic"), (matmulStall + attentionStall) / total});
    ladder.steps.push_back({phrase("matmul shape"), (matmulLost - matmulStall) / total});
    ladder.steps.push_back({phrase("attention kernel"), (attentionLost - attentionStall) / total});
    for (const LossPart& lost : lostParts)
        ladder.steps.push_back({lost.name, seconds(lost.part) / total});
    ladder.steps.push_back({phrase("expert imbalance"), imbalance / total});

    // What is left now is MFU under `exact`; the convention may count more or less.
    double left = 1;
    for (const LossStep& step : ladder.steps)
        left -= step.share;
    ladder.steps.push_back({phrase("counting"), left - ladder.predicted});

    if (e.credible() && e.observed->mfu) {
        ladder.observed = *e.observed->mfu / sourcePeakRatio(prepared, e);
        ladder.unexplained = ladder.predicted - *ladder.observed;
    }
    return ladder;
}

} // namespace headroom
