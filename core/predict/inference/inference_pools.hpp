// SPDX-License-Identifier: GPL-3.0-or-later
// inference::PrefillPool: the accelerators that read prompts for others to decode (docs/method/pools.md).
#pragma once

#include "core/predict/inference/inference_serving.hpp"
#include "core/predict/inference/inference_speculation.hpp"

#include <optional>

namespace headroom::inference
{

/// One instance of the pool and how many there are.
class PrefillPool final
{
public:
    /// Precondition: hasPrefillPool(prepared). `decode` is the machine that decodes.
    PrefillPool(const PreparedScenario& prepared, const Machine& decode) noexcept;

    PreparedScenario p; ///< as if the pool served alone: its device, its layout, prompts without answers
    Machine m;
    double prompts = 1;       ///< read together
    double passS = 0;         ///< the engine's time of that pass
    double loadS = 0;         ///< what loading their cache from the tiers adds to it
    double readS = 0;         ///< of an instance, to read one prompt where others wait
    double sendS = 0;         ///< its links carry the prompt's cache
    double receiveS = 0;      ///< the same of an instance that decodes
    double requestS = 0;      ///< of an instance, for one prompt where others wait: the longer of readS and sendS
    double transferBytes = 0; ///< of a prompt's cache
    double transferS = 0;
    double shownS = 0; ///< of transferS, what does not hide behind the pass

    /// As many devices as `count` states; empty: their number follows from what is asked for. `decoding` instances get
    /// what they have read.
    void setCount(std::optional<std::int64_t> count, double decoding) noexcept;
    /// Stated instances; 0 where they follow from what is asked for.
    [[nodiscard]] double instances() const noexcept;
    /// Requests a second whose caches the links of both pools carry; of the pool that reads, where its size is stated.
    [[nodiscard]] double carriedPerS() const noexcept;
    /// Requests a second that the pool can read and hand over; infinite where its size follows and nothing else limits.
    [[nodiscard]] double requestsPerS() const noexcept;
    /// TTFT without waiting for an instance and without what comes before the prompt is read (beforeReadingS()).
    [[nodiscard]] double firstTokenS() const noexcept;
    /// What shownS is of a prompt of so many tokens, read in `passS`; `decode` as it was built with.
    [[nodiscard]] double shownOf(std::int64_t promptTokens, const Machine& decode, double passS) const noexcept;

    /// What drafts, and reads the prompts here too; null where nothing is drafted.
    [[nodiscard]] const Drafter* drafter() const noexcept { return m_drafter ? &*m_drafter : nullptr; }
    /// Its pass over as many prompts as a pass has, of the length of `other`: of the mean prompt's by the tokens, for
    /// what drafts is a small part of the pass; nothing where nothing is drafted.
    [[nodiscard]] PassCost drafts(const PreparedScenario& other) const noexcept;

private:
    std::optional<Drafter> m_drafter;
    PassCost m_drafts;      ///< of the mean prompt
    double m_bytesPerS = 1; ///< of the links that a prompt's cache takes
    double m_decoding = 1;  ///< instances that decode

    [[nodiscard]] double bytesOf(std::int64_t promptTokens, const Machine& decode) const noexcept;
    [[nodiscard]] double transferOf(double bytes) const noexcept; ///< s
    void setLinks(const PreparedScenario& prepared, const Machine& decode) noexcept;
};

/// Share of the time that pools are planned to be busy at most: beyond, requests queue without end for a little more
/// load (docs/method/pools.md).
inline constexpr double busiestPool = 0.9;

/// The fewest instances that serve `perS` of anything, each `instancePerS` of it, at most `busy` of the time.
[[nodiscard]] double instancesFor(double perS, double instancePerS, double busy = busiestPool) noexcept;

/// Bytes that a pass over `prompts` prompts moves at least, per device: the weights that it touches, once for each
/// chunk.
[[nodiscard]] double prefillBytes(const PreparedScenario& prepared, const Machine& machine, double prompts) noexcept;

/// Both pools as they serve: `v` is what decodes. MFU is left to the caller, who counts the FLOP of a prompt:
/// `promptFlop`.
[[nodiscard]] PoolsResult describePools(const PrefillPool& pool, const PreparedScenario& prepared,
                                        const Machine& machine, const Serving& v, double promptFlop) noexcept;

/// Makes the narrowest of the two pools, and of the links between them, what `queue` says of capacity and waits.
void heedNarrowest(const PoolsResult& pools, QueueResult& queue) noexcept;

} // namespace headroom::inference
