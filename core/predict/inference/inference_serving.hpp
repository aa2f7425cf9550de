// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Serving: from passes to what a user of an engine sees (docs/method/serving.md).
#pragma once

#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/predict/inference/inference_pipeline.hpp"
#include "core/predict/inference/inference_reading.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace headroom::inference
{

class Drafter;
class Engine;
class PrefillPool;

/// What keeps sequences from decoding together: memory, the tokens that a pass takes, or the most that "max" asks for.
enum class BatchLimit : std::uint8_t { None, Memory, Pass, Most };

/// What the prompts of others cost a request.
struct PromptDelay {
    double beforeS = 0, afterS = 0; ///< before its first token; all its later tokens together
    double besideS = 0;             ///< under a load: those that are read in the very pass that gives the first token
    double places = 0;              ///< of the longest delay under a load: requests that there are at most
    [[nodiscard]] static constexpr PromptDelay endless() noexcept
    {
        return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    }
};

/// What the prompt of a newcomer costs where a pass reads one on each of so many ranks of attention data, s of the
/// engine's time for each of them.
struct PromptTurn {
    double addedS = 0; ///< beside the answers of others
    double ownS = 0;   ///< added where reading weights from the host hides none of it
    double growsS = 0; ///< of addedS, what more prompts make more
    double fixedS = 0; ///< of a pass that reads prompts, what the host takes to launch it whatever their number
};

/// What a request costs a replica that has so many in flight, s.
struct RequestWork {
    PromptTurn turn;         ///< kept full: on all ranks of attention data, or as many as there are requests
    double promptS = 0;      ///< under a load: what each prompt of a pass adds to the engine's time
    double sharedS = 0;      ///< and what all of them together add
    ReadingQueue reading;    ///< how prompts then come to be read, but for the load's size
    double readInPass = 1;   ///< prompts, or the part of one, that a pass reads beside the answers, on all ranks
    double fitInPass = 1;    ///< the same of those for whose tokens it has room
    double wholeS = 0;       ///< its prompt's whole way
    double loneS = 0;        ///< the same of one alone
    double besideS = 0;      ///< to its first token beside the answers of others, whose tokens its pass writes too
    double answerS = 0;      ///< the passes that write its answer, that of the first token among them
    double ownPassS = 0;     ///< of answerS, what its prompt's own pass does not take: it writes nobody else's token
    double passes = 1;       ///< as many, the one that reads its prompt among them
    double passS = 0;        ///< from the beginning of one to the next
    double later = 0;        ///< tokens after the first, which others' prompts slow
    double leastS = 0;       ///< hardware's least for prompts and answers of the whole batch
    double othersWrite = 0;  ///< share of the passes that read a prompt in which others have a token to be written
    double writesBeside = 0; ///< share of them that do write it, too
    /// What a prompt adds under a load, where so many are read at once.
    [[nodiscard]] double addedS(double together) const noexcept { return std::max(0.0, promptS + sharedS / together); }
};

/// How a replica serves: its batch, the times that a request sees, and what they are made of.
struct Serving {
    double batch = 1;                    ///< sequences decoded together per replica: under a load, as a request meets
    double inHand = 1;                   ///< the same in the mean of the time, at least one
    double passBatch = 1;                ///< the same in the mean of the passes
    double mostBatch = 1;                ///< at most so many: those asked for, or those that fit
    BatchLimit limit = BatchLimit::None; ///< what keeps mostBatch below what was asked for, or what fits
    double inFlight = 1;                 ///< under a load, in the mean: less than one too
    double busy = 1;                     ///< share of the time in which a replica has anything in flight
    double waiting = 0;                  ///< sequences that wait because the cache is full, per sequence that runs
    std::array<double, timePartCount> time{}; ///< of one output token; adds up to tpotS
    double tpotS = 0, ttftS = 0;
    std::optional<double> ttftAloneS; ///< where prompts join others: of one that meets none
    double prefillS = 0;              ///< the prompts' own passes: all of a static batch, else one on each rank
    double prefillPrompts = 1;        ///< prompts in prefillS, on all ranks of attention data
    double loadS = 0;                 ///< what loading their cache from the tiers adds to it
    double tokensPerS = 0;            ///< output tokens of one replica
    double written = 1;               ///< decode passes that an answer takes part in, for each of its tokens
    double fullTokensPerS = 0;        ///< the same with mostBatch in flight: its capacity
    double fullTpotS = 0;             ///< with mostBatch in flight
    double fullTtftS = 0;             ///< the same
    double loneTokensPerS = 0;        ///< of the devices that decode, with one in flight; known under a load
    double oneTokenS = 0;             ///< s of a token with one in hand under this load; 0: not tried
    double decodeShare = 1; ///< of a replica's devices that decode; disaggregated serving prefills on the rest
    PromptDelay delay;      ///< by the prompts of others
    ReadingWait wait;       ///< under a load, where prompts join answers
    PromptDelay most = PromptDelay::endless(); ///< the longest there is: with mostBatch in flight
    RequestWork work;                          ///< where prompts queue
    double readerShare = 1;                    ///< of a replica's devices: those that read prompts
    double readerTurnS = 0;                    ///< what a prompt takes of these
    double fullShare = 0;                      ///< decodeShare with mostBatch in flight: both pools are always busy
    PassCost decode;    ///< of one step (a speculative cycle ÷ its tokens), before the profile's factors
    double passS = 0;   ///< of one pass through the model, before the profile's factors
    double stepS = 0;   ///< with the engine's, where weights are then read from the host beside it
    double verifyS = 0; ///< of a speculative cycle: the verifying pass with the engine's step
    double draftS = 0;  ///< all its draft passes
    double acceptS = 0; ///< and the host's work between them: what to keep, what to draft next
};

/// Stages of a pipeline that read different prompts at once.
[[nodiscard]] inline double readingStages(const Machine& machine) noexcept
{
    return machine.engine.splitsLayers ? 1 : machine.sizes.pipeline;
}
/// The engine's time for a pass that holds prompts, s: no less than the hardware or the host that launches it needs.
[[nodiscard]] double promptTime(const PreparedScenario& prepared, const Machine& machine,
                                const PassCost& pass) noexcept;
/// Engine's time for one of many prompts that have passes of their own, s: short ones share a pass, at most `most`.
/// `prompt` is the pass of one on each of `ranks`, known already and before the profile's factors; `draft` what drafts
/// adds to it.
[[nodiscard]] double separateS(const PreparedScenario& prepared, const Machine& machine, double most, double ranks,
                               const PassCost& prompt, const PassCost& draft) noexcept;

/// The engine's time for one decode pass of `batch` sequences, no prompt beside them, s.
[[nodiscard]] double decodeStepS(const PreparedScenario& prepared, const Machine& machine, double batch) noexcept;

/// The engine's time for `prompts` prompts of a replica that are read together, alone; `drafts`: what drafts reads them
/// too (Drafter::prompts()).
[[nodiscard]] double promptsTime(const PreparedScenario& prepared, const Machine& machine, double prompts,
                                 const PassCost& drafts = {}) noexcept;
/// A replica's time for one of them where one pass follows the other: stages of a pipeline work on several.
[[nodiscard]] double pooledPromptS(const PreparedScenario& prepared, const Machine& machine, double prompts,
                                   const Drafter* drafter = nullptr) noexcept;

/// Requests a second of `users` people who each send a request, read the answer and think for `thinkS`: users ÷ (wait
/// for a place + time that the request takes it + thinkS), at the batch that they keep in flight. Never more than the
/// capacity of the replicas.
[[nodiscard]] double requestsOfUsers(const PreparedScenario& prepared, double users, double thinkS) noexcept;

/// What is known of a replica from one load and holds for another: its full batch, and throughputs at batches that were
/// tried. A batch between two of them is found in fewer steps.
struct ServeCurve {
    struct Sample {
        double batch = 0, tokensPerS = 0, decodeShare = 1;
        RequestWork work;
    };
    static constexpr std::size_t most = 10;
    std::optional<Serving> full;
    double loneTokensPerS = 0; ///< 0: not tried
    std::array<Sample, most> samples{};
    std::size_t count = 0;
    /// In place of one that is near it, for both together would say no more.
    void add(const Serving& v) noexcept;
};

/// What users of the engine see. Without a load: at the scenario's batch, always full. Under a load (`requestsPerS`):
/// at the batch that the load keeps in flight, at most the scenario's. In flight are the requests a second times the
/// time in which a replica serves each (Little), and that time is of the very batch; a replica whose load is less than
/// one sequence decodes one at a time and rests between.
[[nodiscard]] Serving serve(const PreparedScenario& prepared, const Machine& machine,
                            const MemoryPlan& memory) noexcept;
/// The same where the engine and the scenario's prefill pool are known; null: it has none. `curve` is of the same
/// replica: what it knows is not tried again, and what is tried goes into it; null: nothing is kept.
[[nodiscard]] Serving serve(const PreparedScenario& prepared, const Machine& machine, const MemoryPlan& memory,
                            const Engine& engine, const PrefillPool* pool, ServeCurve* curve) noexcept;

/// Time from a request to the reading of its prompt among `batch` in flight, s. The load generators of the fitted runs
/// are in it; of a request alone they have no share. Between one and two in flight is now this, now that.
[[nodiscard]] double beforeReadingS(const PreparedScenario& prepared, const Machine& machine, double batch) noexcept;
/// Sequences in flight where a pass takes a limited number of tokens, of each rank: those that it reads, at least one,
/// and those whose later tokens it writes meanwhile. Infinite without a limit.
[[nodiscard]] double passLimit(const PreparedScenario& prepared, const Machine& machine) noexcept;
/// Steps that reading one prompt of so many tokens (promptLength()) takes beside the answers of `batch` sequences; 0
/// where a pass takes whole prompts, and where its chunks follow one another in passes of their own.
[[nodiscard]] double chunksBeside(const Machine& machine, double promptTokens, double batch) noexcept;
/// Time for one prompt with `batch` sequences in flight, s: `aloneS` where it is the only one, at least `besideS` where
/// others write their answers in the same passes. Between one and two in flight is now this, now that.
[[nodiscard]] double besideAnswers(double aloneS, double besideS, double batch) noexcept;

} // namespace headroom::inference
