// SPDX-License-Identifier: GPL-3.0-or-later
// Drafting and Acceptance: who proposes tokens for a model to verify, and how many of them it keeps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom
{

/// Who proposes the tokens of a speculative cycle (docs/method/speculation.md).
enum class Drafting : std::uint8_t {
    Eagle,  ///< one layer on the model's last hidden state (Li et al. 2024)
    Eagle3, ///< one layer on three hidden states, with a vocabulary of its own (Li et al. 2025)
    Mtp,    ///< the model's own multi-token-prediction layer
    Medusa, ///< one head for each draft token, all at once (Cai et al. 2024)
    Ngram,  ///< looked up in the prompt and the answer: no model
    Draft   ///< a smaller model (Leviathan et al. 2023)
};
inline constexpr std::size_t draftingCount = 6;

/// The chance that a draft token is accepted once all before it were, position by position. Held in place, so that a
/// Setup stays trivially copyable.
struct Acceptance {
    static constexpr std::size_t most = 16; ///< positions, and draft tokens
    std::array<double, most> byPosition{};
    std::uint8_t stated = 1; ///< positions that were; beyond the last the chance decays
    [[nodiscard]] static Acceptance of(double first) noexcept { return {{first}, 1}; }
    bool operator==(const Acceptance&) const = default;
};

/// The id of a catalogue entry, held in place.
class CatalogId final
{
public:
    static constexpr std::size_t longest = 63;
    /// Empty where the text is empty or too long.
    [[nodiscard]] static std::optional<CatalogId> from(std::string_view text) noexcept;
    [[nodiscard]] std::string_view text() const noexcept { return m_text.data(); }
    bool operator==(const CatalogId&) const = default;

private:
    std::array<char, longest + 1> m_text{};
};

/// Tokens that a cycle of `draftTokens` drafts yields on average, the model's own included: 1 + Σ_i Π_{j ≤ i} a_j
/// (Leviathan et al. 2023, with a chance for each position). `decay` ≤ 1: the chance beyond the last stated position
/// falls by it from one position to the next. From 1 to draftTokens + 1.
[[nodiscard]] double tokensPerCycle(const Acceptance& acceptance, double decay, double draftTokens) noexcept;

/// Cycles that `tokens` ≥ 1 tokens of an answer take on average: 1 + Σ_k P(k drafts kept)·cycles(tokens − k − 1). The
/// last one may keep more than the answer still wants, so they are more than tokens ÷ tokensPerCycle().
[[nodiscard]] double cyclesOf(const Acceptance& acceptance, double decay, double draftTokens, double tokens) noexcept;

/// The first position's chance with which a cycle yields `length` tokens; at most 1.
[[nodiscard]] double acceptanceOfLength(double length, double decay, double draftTokens) noexcept;

} // namespace headroom
