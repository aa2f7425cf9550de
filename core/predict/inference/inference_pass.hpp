// SPDX-License-Identifier: GPL-3.0-or-later
// inference::PassShape and PassCost: one forward pass through the model, what enters it and what it takes.
#pragma once

#include "core/predict/inference/inference_keys.hpp"
#include "core/predict/inference/inference_machine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace headroom::inference
{

/// What one pass works on, on the attention-data rank that has most. Counts may be fractions: a share of a chunk.
struct PassShape {
    double sequences = 0;             ///< decoding, `tokensEach` tokens each
    double tokensEach = 1;            ///< drafts to verify and the token after them
    std::array<double, 4> contexts{}; ///< keys that a decoding sequence sees, at four points of its life
    double prompts = 0;               ///< prefilled in this pass
    double length = 0;                ///< tokens of each prompt that are computed
    double each = 1;                  ///< prompts that each of `prompts` stands for (mixedPrompts())
    double cached = 0;                ///< tokens of each prompt that the cache holds already
    double held = 0;                  ///< the same in the mean over those that it stands for
    double ranks = 1;                 ///< attention-data ranks that meet in the experts
    double evenSequences = 1;         ///< of that rank's sequences, those that every rank has in the mean
    double evenPrompts = 1;           ///< the same of its prompts
    /// Queries of latent attention's prompts meet the latents as they are, as in decoding. passCost() chooses.
    bool absorbs = false;
    [[nodiscard]] double promptTokens() const { return prompts * length; }
    [[nodiscard]] double read() const { return prompts * each; } ///< prompts that they stand for
};

/// Time of one pass.
struct PassTime {
    std::array<double, timePartCount> time{}; ///< s
    double headS = 0;                         ///< of the total, the LM head
    double hostS = 0;                         ///< beside the total: to read the weights that lie in the host's memory
    /// Of the total and of hostS, the pipeline stage that takes longest, the head with the last; 0 unless layers of
    /// several kinds lie on several stages.
    double slowestS = 0, slowestHostS = 0;
    [[nodiscard]] double total() const { return totalOf(time); }
};

/// The same, and what bounds it.
struct PassCost : PassTime {
    double computeS = 0, memoryS = 0, linkS = 0, fixedS = 0; ///< sums of the parts of each kernel
    /// The same FLOP and bytes at the rated peak, bandwidth and link: no factor makes a pass faster than light().
    double lightComputeS = 0, lightMemoryS = 0, lightLinkS = 0;
    double lightPassesS = 0; ///< of several passes, one after the other, each bounded by itself
    [[nodiscard]] double light() const { return std::max({lightPassesS, lightComputeS, lightMemoryS, lightLinkS}); }
    /// The same work in `factor` times the time: it waits for others.
    void slow(double factor)
    {
        computeS *= factor;
        memoryS *= factor;
        linkS *= factor;
        fixedS *= factor;
        headS *= factor;
        slowestS *= factor;
        for (double& part : time)
            part *= factor;
    }
    /// So much of it.
    void scale(double factor)
    {
        lightPassesS = factor * light();
        lightComputeS *= factor;
        lightMemoryS *= factor;
        lightLinkS *= factor;
        hostS *= factor;
        slowestHostS *= factor;
        slow(factor);
    }
    void add(const PassCost& other, double factor)
    {
        for (std::size_t i = 0; i < time.size(); ++i)
            time[i] += factor * other.time[i];
        addSums(other, factor);
    }
    /// All of it that is of a single part.
    void add(const PassCost& other, TimePart part, double factor)
    {
        time[static_cast<std::size_t>(part)] += factor * other.time[static_cast<std::size_t>(part)];
        addSums(other, factor);
    }

private:
    void addSums(const PassCost& other, double factor)
    {
        computeS += factor * other.computeS;
        memoryS += factor * other.memoryS;
        linkS += factor * other.linkS;
        fixedS += factor * other.fixedS;
        lightPassesS += factor * other.light();
        lightComputeS += factor * other.lightComputeS;
        lightMemoryS += factor * other.lightMemoryS;
        lightLinkS += factor * other.lightLinkS;
        headS += factor * other.headS;
        hostS += factor * other.hostS;
        slowestS += factor * other.slowestS;
        slowestHostS += factor * other.slowestHostS;
    }
};

/// How many experts a pass reads: the expectation under even routing, or the fewest possible (the strict bound).
enum class Routing : std::uint8_t { Even, Fewest };

/// The layers that a pass runs: a model's, or the few of a draft head.
struct PassModel {
    const ModelProfile& profile; ///< whose windows and positions the layers have
    std::span<const LayerKind> kinds;
    double hidden = 0, vocab = 0;
    double headDepth = 0; ///< values that the LM head multiplies by each token's column
    double heads = 1;     ///< LM heads, each behind a fusion of its own
    double fusion = 0;    ///< hidden states that are joined to one before the layers

    explicit PassModel(const ModelProfile& model) noexcept
        : profile(model), kinds(model.kinds), hidden(model.hidden), vocab(model.vocab),
          headDepth(model.headWeights / model.vocab)
    {
    }
    /// Several kinds of layers, which may have blocks in common: all those of the profile.
    [[nodiscard]] bool sharesBlocks() const noexcept
    {
        return kinds.size() > 1 && kinds.data() == profile.kinds.data();
    }
};

/// Of `batch` whole sequences or prompts of a replica, those on the attention-data rank that has most: they are dealt
/// out one by one. What lies between two whole numbers is now the one, now the other. Machine::dealsEvenly: as many as
/// on any.
[[nodiscard]] inline double onFullestRank(const Machine& m, double batch) noexcept
{
    const double ranks = m.sizes.attentionData;
    if (m.dealsEvenly || ranks <= 1)
        return std::max(1.0, batch / ranks);
    const double each = std::floor(batch / ranks);
    return std::max(1.0, each + std::min(1.0, batch - each * ranks));
}

/// The pass that decodes `batch` sequences of a replica, as one pipeline micro-batch and the fullest attention-data
/// rank see it.
[[nodiscard]] PassShape decodeShape(const Machine& machine, double batch) noexcept;

/// One forward pass: every layer once, the LM head, the sends of a pipeline not included. Prompts behind a cached
/// prefix go through latent attention the way that takes the pass less time: they project up again all that they see,
/// or, few tokens behind many, meet the latents as they are.
[[nodiscard]] PassCost passCost(const Machine& machine, const PreparedScenario& prepared, const PassShape& shape,
                                Routing routing = Routing::Even) noexcept;
[[nodiscard]] PassCost passCost(const Machine& machine, const PreparedScenario& prepared, const PassModel& model,
                                const PassShape& shape, Routing routing) noexcept;
/// The time alone of a pass that reads prompts beside answers: the model is walked as for passCost(), and no more is
/// added up than is asked for. Precondition: some sequences decode.
[[nodiscard]] PassTime passTimeBeside(const Machine& machine, const PreparedScenario& prepared,
                                      const PassShape& shape) noexcept;

/// The pass operator by operator; times add up to passCost's. Allocates.
[[nodiscard]] std::vector<OperatorCost> passOperators(const Machine& machine, const PreparedScenario& prepared,
                                                      const PassShape& shape);

/// Experts (of `experts`, each missed by a token with expertMissLog()) that `tokens` tokens are expected to touch under
/// even routing.
[[nodiscard]] double distinctExperts(double experts, double missLog, double tokens) noexcept;

/// Tokens of a prompt that are computed: those that the cache does not hold, at least one.
[[nodiscard]] double promptLength(const InferenceWorkload& workload) noexcept;

} // namespace headroom::inference
