// SPDX-License-Identifier: GPL-3.0-or-later
// Run distance: how much two runs differ, in doublings of a micro-batch, and in words.
#pragma once

#include "core/runs/run_features.hpp"

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace headroom
{

/// One way in which two runs can differ. The distance is the sum of the terms (a metric: 0 for a run from itself,
/// symmetric, no way round is shorter), so that a reader can add it up.
///
/// The unit is one doubling of the micro-batch. The weights are judgement about what moves MFU and latency: a precision
/// halves the arithmetic, hence 2 a halving; twice the GPUs change communication only, hence a half; another model of
/// the same size and kind runs alike, hence 1, while dense against mixture-of-experts, or full training against LoRA,
/// are other workloads, hence 4.
struct DistanceTerm {
    std::string_view id;
    std::span<const std::string_view> parameters; ///< ids in the parameter registry that it speaks of; may be none
    bool training, inference;
    double (*distance)(const RunFeatures& a, const RunFeatures& b);
    /// "128 instead of 64 GPUs"; `run` first. Empty where no words are needed.
    std::string (*words)(const RunFeatures& run, const RunFeatures& here);
};

/// Every way runs can differ; a distance is the sum over them.
[[nodiscard]] std::span<const DistanceTerm> distanceTerms();

/// Whether a term speaks of this parameter, so that runs can be laid along it.
[[nodiscard]] bool hasDistanceTerm(std::string_view parameterId, Task task);

/// The distance without what `alongParameter` says (empty = the whole distance). Infinite between training and
/// inference. Beyond `most` it is only known to be beyond.
[[nodiscard]] double runDistance(const RunFeatures& a, const RunFeatures& b, std::string_view alongParameter = {},
                                 double most = std::numeric_limits<double>::infinity());

/// "same model, same GPU, 128 instead of 64 GPUs, sequence length 4k instead of 8k": what differs most comes first.
[[nodiscard]] std::string differenceText(const RunFeatures& run, const RunFeatures& here,
                                         std::string_view alongParameter = {});

/// "nearly the same", "close", "similar", "far": for the whole distance.
[[nodiscard]] std::string_view nearnessWord(double distance);

} // namespace headroom
