// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Drafter: what proposes the tokens of a speculative cycle, and what that costs
// (docs/method/speculation.md).
#pragma once

#include "core/predict/inference/inference_memory.hpp"

#include <optional>

namespace headroom::inference
{

/// Chooses how many tokens a cycle accepts, and adds to an answer: stated, else what is usual for the method.
/// Precondition: method and drafts are chosen.
void accept(const InferenceWorkload& workload, const SpeculationConstants& constants,
            Speculation& speculation) noexcept;

/// Tokens that a cycle adds to an answer, where the acceptance is assumed and may be off; else what it adds.
struct AcceptedSpan {
    double fewest = 1, most = 1;
};
[[nodiscard]] AcceptedSpan acceptedSpan(const InferenceWorkload& workload, const SpeculationConstants& constants,
                                        const Speculation& speculation) noexcept;

/// The layers that draft, ready for a pass. Precondition: the machine's speculation is on. What it is made of has to
/// stay.
class Drafter final
{
public:
    Drafter(const PreparedScenario& prepared, const Machine& machine) noexcept;
    Drafter(const Drafter&) = delete;
    Drafter& operator=(const Drafter&) = delete;

    /// One draft pass for the sequences of `verification`, a token each; nothing where tokens are looked up.
    [[nodiscard]] PassCost pass(const PassShape& verification) const noexcept;
    /// The pass that reads `prompts` prompts of a rank, as long as those of `of`; the speed of light leaves it out.
    [[nodiscard]] PassCost prompts(const PreparedScenario& of, double prompts) const noexcept;
    /// FLOP of one draft pass for `tokens` tokens, all devices.
    [[nodiscard]] double flops(const std::array<double, 4>& contexts, double tokens) const noexcept;
    /// Bytes that one draft pass of `batch` sequences a replica must move on each device.
    [[nodiscard]] double bytes(const std::array<double, 4>& contexts, double batch) const noexcept;
    /// Bytes that the draft's own weights take on each device.
    [[nodiscard]] double weightBytes() const noexcept;
    /// Bytes of the draft's own cache for one sequence of `tokens`, on each device.
    [[nodiscard]] double cacheBytes(double tokens) const noexcept;
    /// The same of a prompt as it travels to the devices of `decode`, all of them together.
    [[nodiscard]] double travellingBytes(double tokens, const Machine& decode) const noexcept;

private:
    void joinHiddenStates(double states) noexcept;
    LayerKind& ownLayer() noexcept;
    [[nodiscard]] double headWeights() const noexcept { return m_model.heads * m_model.headDepth * m_model.vocab; }
    [[nodiscard]] double fusionWeights() const noexcept;

    const PreparedScenario& p;
    Machine m; ///< heads are stored in 16 bit; the model's own layer and a draft model as the model is
    LayerKind m_layer;
    PassModel m_model;
    bool m_ownHead = false; ///< does not share the model's LM head
};

struct Serving;
class Replica;
/// What drafts do for the scenario that serves as `v` says, beside the same one without them.
[[nodiscard]] SpeculationResult describeSpeculation(const PreparedScenario& prepared, const Replica& replica,
                                                    const Serving& v) noexcept;

} // namespace headroom::inference
