// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Engine: one replica with any number of sequences in flight.
#pragma once

#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_pools.hpp"
#include "core/predict/inference/inference_prompts.hpp"
#include "core/predict/inference/inference_speculation.hpp"

#include <optional>

namespace headroom::inference
{

/// The prompts' own pass is the same for all of them. What it is made of has to stay.
class Engine final
{
public:
    /// `pool` reads the prompts; null: the same devices do.
    Engine(const PreparedScenario& prepared, const Machine& machine, const PrefillPool* pool = nullptr) noexcept;

    /// The same without drafts. `plain` is the machine without them.
    Engine(const Engine& drafting, const Machine& plain) noexcept;

    /// Kept busy with `batch` sequences. Under a load of `requestsPerS` a replica these are the answers in hand, and
    /// requests come when they come, not when others end. Of users each meets those of the others alone.
    void serve(double batch, Serving& v, double requestsPerS = 0) const noexcept;
    /// Of the prompts of `requestsPerS` a replica, dealt out to its ranks of attention data one by one.
    [[nodiscard]] static ReadingWait promptWait(const RequestWork& work, double requestsPerS) noexcept;
    /// What serve() says under a load of the delay and the tokens a second, where the work at that batch is known.
    [[nodiscard]] PromptDelay openDelay(const RequestWork& work, const ReadingWait& wait, const PromptDelay& most,
                                        double requestsPerS) const noexcept;
    [[nodiscard]] double openTokensPerS(double batch, const RequestWork& work, const PromptDelay& delay) const noexcept;
    [[nodiscard]] double openTokensPerS(double batch, const RequestWork& work, const PromptDelay& most,
                                        double requestsPerS) const noexcept;
    /// Tokens a second of requests one after the other.
    [[nodiscard]] double aloneTokensPerS(const RequestWork& work) const noexcept;
    /// Of a prefill pool's devices, the time that one prompt takes of a replica's.
    [[nodiscard]] double poolPromptS() const noexcept;
    /// The passes that read prompts here.
    [[nodiscard]] const PromptPasses& prompts() const noexcept { return m_prompts; }
    /// Null where nothing is drafted.
    [[nodiscard]] const Drafter* drafter() const noexcept { return m_drafter ? &*m_drafter : nullptr; }

private:
    /// The least time in which the hardware reads the prompts of `batch` requests and writes all their answers, s.
    /// Weights that a pass of both reads once count once.
    [[nodiscard]] double leastCycleS(const Serving& v) const noexcept;
    /// The same of the host link, which carries the cache of every prompt and the weights of every pass, and of the
    /// drives; 0 where nothing is loaded.
    [[nodiscard]] double tierCycleS(const Serving& v) const noexcept;
    /// What loading the cache of `prompts` prompts of a device adds to prefill of `computeS`, s.
    [[nodiscard]] double loadS(double computeS, double prompts) const noexcept
    {
        return m_load ? m_load->shownS(computeS, prompts) : 0;
    }
    /// What the prompt of a newcomer adds to the engine's work at v's batch where a pass reads `prompts` on each of
    /// `ranks`, of which `prompt` is the pass of one alone.
    [[nodiscard]] PromptTurn turnOn(const Serving& v, double ranks, const PassCost& prompt,
                                    double prompts) const noexcept;
    /// What a request costs v under a load of any size.
    void addOpenWork(Serving& v) const noexcept;
    /// What a request costs v, kept full or under a load, and how its prompt is read.
    void addWork(Serving& v, double requestsPerS) const noexcept;
    /// A request's own prompt, which adds `addedS` beside answers, in TTFT, loadS and the work. Returns what it
    /// takes to its first token by itself, or in chunks beside the answers of others, s.
    double addOwnPrompt(Serving& v, double addedS) const noexcept;
    void together(Serving& v) const noexcept;
    void joining(Serving& v, double requestsPerS) const noexcept;
    void apart(Serving& v) const noexcept;

    const PreparedScenario& p;
    const Machine& m;
    const InferenceWorkload& w;
    const PrefillPool* m_pool;
    double m_others = 1; ///< of a load, what a request may meet: not itself
    PromptPasses m_prompts;
    std::optional<TierLoad> m_load;   ///< of a prompt, where tiers below the memory hold some of it
    std::optional<Drafter> m_drafter; ///< the same for every batch
};

} // namespace headroom::inference
