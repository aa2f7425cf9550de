// SPDX-License-Identifier: GPL-3.0-or-later
// RunFeatures: what decides how far two runs lie apart, taken out of a scenario once so that comparing is cheap.
#pragma once

#include "core/predict/evaluate.hpp"

#include <array>
#include <string>

namespace headroom
{

/// Sizes that compare by ratio. Each is kept as log2, so that a difference is a number of doublings.
enum class RunSize : std::uint8_t {
    Parameters,
    ActiveParameters,
    Peak,            ///< dense 16-bit FLOP/s of one accelerator
    MemoryBandwidth, ///< bytes/s of one accelerator
    Accelerators,
    Sequence,
    MicroBatch,
    MicroBatches, ///< micro-batches per optimizer step and rank
    Batch,
    Prompt,
    Output,
    PrecisionBits,
    CacheBits,
    Tensor,
    Pipeline,
    Context,
    Expert,
    PackedSamples, ///< packed into a sequence
    PowerLimit,    ///< share of the rated power
    Network,       ///< Gbit/s as stated over the catalogue's
    Node           ///< accelerators of a node as stated over those of the scale-up domain
};
inline constexpr int runSizeCount = 21;

/// A run as the distance reads it.
struct RunFeatures {
    Task task = Task::Training;
    std::string model, modelName, modelFamily, accelerator, acceleratorName;
    AcceleratorFamily acceleratorFamily = AcceleratorFamily::Other;
    bool moe = false;
    AttentionKind attention = AttentionKind::Gqa;
    Method method = Method::Full;
    Checkpointing checkpointing = Checkpointing::None;
    Sharding sharding = Sharding::None;
    Scheduling scheduling = Scheduling::Continuous;
    DataType precision = DataType::Bf16; ///< of the matmuls in training, of the stored weights in inference
    DataType cache = DataType::Bf16;
    int software = 0; ///< TrainingSoftware or the effective InferenceSoftware; 0 = tuned
    std::optional<SoftwareVersion> version;
    int drafting = -1; ///< Drafting of a speculative run; -1 = none
    double draftTokens = 0;
    bool flash = true; ///< FlashAttention of any version
    Offload offload = Offload::None;
    bool hostWeights = false; ///< some are read from the hosts' memory
    double cachedPrompt = 0;  ///< share of the prompts' tokens that a cache holds, wherever it lies
    std::array<double, runSizeCount> log2{};

    [[nodiscard]] double size(RunSize which) const { return log2[static_cast<std::size_t>(which)]; }
};

/// Sizes that followed from others (a batch of "max", micro-batches) come from the evaluation.
[[nodiscard]] RunFeatures runFeatures(const PreparedScenario& prepared, const Evaluation& evaluation);

} // namespace headroom
