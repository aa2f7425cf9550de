// SPDX-License-Identifier: GPL-3.0-or-later
// inference: what lies in the hosts' memory, and the link to it (docs/method/tiers.md).
#pragma once

#include "core/predict/inference/inference_memory.hpp"

namespace headroom::inference
{

class Replica;
struct Serving;

/// Whether weights lie in the hosts' memory: the scenario puts some there, and it is not the accelerators' own.
[[nodiscard]] inline bool keepsWeightsOnHost(const PreparedScenario& prepared) noexcept
{
    return prepared.inference.hostWeightsGb && !prepared.accelerator->unifiedMemory;
}

/// Puts the host link and the share of the weights behind it into a machine. Only where the scenario keeps anything in
/// the hosts' memory.
void addHost(const PreparedScenario& prepared, Machine& machine) noexcept;

/// Time of a pass through all layers to read the weights that lie in the hosts' memory and that it touches, s. Stages
/// of a pipeline read one after the other.
[[nodiscard]] double hostReadS(const Machine& machine, const ModelProfile& model, const PassShape& shape) noexcept;

/// The same of the stage that reads longest, where layers of several kinds lie on several stages.
[[nodiscard]] double slowestHostReadS(const Machine& machine, const ModelProfile& model,
                                      const PassShape& shape) noexcept;

/// Time of work that takes `passS` by itself while `readS` of reading goes on beside it, s: no less than either.
[[nodiscard]] double besideHost(const Machine& machine, double passS, double readS) noexcept;

/// The cache of a mean prompt on its way from the tiers to one device.
struct TierLoad {
    double bytes = 0;
    double linkS = 0; ///< all of it over the host link
    double nvmeS = 0; ///< from the drives into the host's memory, before
    double layers = 1;
    bool layerwise = false; ///< a layer is computed while the next one is loaded
    bool ideal = false;     ///< everything overlaps

    /// What prefill of `computeS` does not hide, s.
    [[nodiscard]] double shownS(double computeS) const noexcept;
    /// The same for `prompts` prompts of one device that are read together.
    [[nodiscard]] double shownS(double computeS, double prompts) const noexcept;
    /// Of the slower of link and drives, for each prompt, s.
    [[nodiscard]] double busyS() const noexcept;
};

/// All zero where nothing of a prompt lies in the tiers.
[[nodiscard]] TierLoad tierLoad(const PreparedScenario& prepared, const Machine& machine) noexcept;

/// The time of the prompts' own pass with what loading their cache adds, s (promptsTime()).
[[nodiscard]] double loadedPromptsTime(const PreparedScenario& prepared, const Machine& machine, double prompts,
                                       const PassCost& drafts) noexcept;

/// Whether, of both tiers, the drives are the smaller one for what is found there; the host's memory where neither has
/// a stated size and a hit rate.
[[nodiscard]] bool drivesAreScanter(const InferenceWorkload& inference) noexcept;

/// What lies in the hosts' memory and on their drives, with its warnings.
void addBelowMemory(const PreparedScenario& prepared, const Replica& replica, const Serving& v,
                    Evaluation& result) noexcept;

} // namespace headroom::inference
