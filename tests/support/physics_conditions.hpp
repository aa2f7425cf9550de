// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions on which relations between services hold, each with the threshold that parts those of which they do not.
#pragma once

#include "tests/support/physics_relation.hpp"

namespace headroom::test
{

/// Times are compared of two scenarios of which both or neither are asked for more than they serve: such a replica is
/// kept full, and takes up a prompt when an answer ends; below its capacity prompts come when they come.
[[nodiscard]] std::optional<double> slower(const Evaluation& a, const Evaluation& b,
                                           std::optional<double> Evaluation::*time);
[[nodiscard]] std::optional<double> laterTokens(const Evaluation& a, const Evaluation& b);
[[nodiscard]] std::optional<double> soonerTokens(const Evaluation& a, const Evaluation& b);
[[nodiscard]] std::optional<double> laterFirst(const Evaluation& a, const Evaluation& b);
[[nodiscard]] std::optional<double> soonerFirst(const Evaluation& a, const Evaluation& b);
[[nodiscard]] std::optional<double> fewerSequences(const Evaluation& a, const Evaluation& b);
/// Only pairs where both scenarios' batches fit.
[[nodiscard]] Badness whereBothFit(const Badness& badness);
/// Only pairs of which both or neither meet others' prompts: an answer of one token that is never interrupted takes a
/// step, one that is interrupted may wait for a prompt of 131,072 tokens.
[[nodiscard]] Badness whereBothAreInterrupted(const Badness& badness);
/// Only pairs whose second has no heavier weights: where 4-bit mixtures keep attention in 16 bit they may be, as "more
/// mem" of the same formats is excepted, and what they take no sequence has.
[[nodiscard]] Badness whereNoHeavier(const Badness& badness);
/// Only pairs that decode the same batch: not where more fits, nor where a load follows from other times.
[[nodiscard]] Badness atEqualBatches(const Badness& badness);
/// Beyond what more sequences in flight explain: memory that narrower weights leave has more of them (one where wider
/// weights cut the batch, all 512 beside narrower ones), and so does a load that is served more slowly; a token waits
/// for each one's prompt.
[[nodiscard]] Badness beyondMoreInFlight(const Badness& badness, bool inFirst = false);

} // namespace headroom::test
