// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation of a long run may hold besides: the site's energy, failures, phases, a step of reinforcement
// learning. Plain values in SI units.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

namespace headroom
{

/// What the site draws and emits (docs/method/energy_cost.md): where `hardware.power` is stated and the rated power is
/// known. Tokens are those that are paid for; of a run, all its calendar.
struct SiteEnergy {
    double watts = 0; ///< of the whole site: the job's with the share of cooling and conversion
    double kwhPerMillionTokens = 0;
    std::optional<double> runKwh; ///< training of known tokens; in phases their sum
    std::optional<double> electricityPerHour, electricityPerMillionTokens; ///< with a price of electricity
    std::optional<double> carbonGPerMillionTokens, runCarbonKg;            ///< with a carbon intensity
    bool operator==(const SiteEnergy&) const = default;
};

/// What failures leave of a training's calendar (docs/method/goodput.md). The five losses and `share` add up to 1.
struct Goodput {
    double mtbfS = 0;         ///< mean time between interruptions of the job
    double checkpointS = 0;   ///< that one checkpoint stops the training for
    double intervalS = 0;     ///< training between two checkpoints: stated, or the best
    double bestIntervalS = 0; ///< Daly's, at least one step, at most the run
    double ettr = 1;    ///< effective training time ratio, 0…1: useful time over the time the job runs or restarts
    double ettrLow = 1; ///< with failures four times as frequent, below 2,000 GPUs; else `ettr`
    double checkpointBytes = 0;
    double stragglers = 1; ///< step time over that of ranks that are all alike, ≥ 1
    double share = 1;      ///< of the calendar, that trains at the predicted throughput
    double checkpointLoss = 0, restartLoss = 0, lostWork = 0, stragglerLoss = 0, maintenance = 0;
    double tokensPerS = 0; ///< over the calendar
    bool operator==(const Goodput&) const = default;
};

/// A training in phases, as a whole (docs/method/phases.md); each phase: evaluatePhases().
struct PhasesTotal {
    double tokens = 0, seconds = 0; ///< calendar time where failures are counted
    double gpuHours = 0;            ///< of the GPUs that train, without spares
    std::optional<double> cost;     ///< with a price
    bool fit = true;                ///< every one of them
    std::size_t unfit = 0;          ///< number of the first that does not, from 1; 0: all do
    std::optional<double> lostS;    ///< of `seconds`, that failures take, where they are counted
    bool operator==(const PhasesTotal&) const = default;
};

/// What a step of reinforcement learning does, one after the other (docs/method/rl.md).
enum class RlPart : std::uint8_t { Generate, OldLogProb, Reference, Critic, Reward, Controller, Update, Sync };
inline constexpr int rlPartCount = 8;

/// A step of reinforcement learning: answers are generated, judged and learned from. Its parts, less what runs beside
/// another, are its time.
struct RlResult {
    std::array<double, rlPartCount> time{};   ///< s
    std::array<double, rlPartCount> around{}; ///< of them: answers and states under way
    double answersS = 0, statesS = 0; ///< of all parts: answers through the controller, states to the host and back
    double stateBytes = 0;            ///< that a GPU which trains moves out and in for an update
    double hostBytes = 0;             ///< that wait in the host's memory for a GPU which trains, at most at a time
    double hiddenS = 0;               ///< of them, that run beside the longer side
    double stepS = 0;
    double promptS = 0;             ///< of generation: reading the prompts
    double fullS = 0;               ///< of generation: the answers' tokens, were every copy always full
    double tailS = 0;               ///< of generation: what waiting for the long answers adds
    double waitS = 0;               ///< of the tail: that the mean copy waits for the one with the longest answer
    double answers = 0, tokens = 0; ///< of a step; tokens with the prompts, as the update reads them
    double longestTokens = 0;       ///< expected of the longest answer of a step
    double trainGpus = 0, rolloutGpus = 0, gpus = 0; ///< gpus: each counted once
    double copies = 1, batch = 1; ///< copies of the model that generate, answers that each writes at once
    double passS = 0;             ///< of one decode pass at that batch
    double forwardTokensPerS = 0, updateTokensPerS = 0; ///< of all GPUs that train
    double imbalance = 1; ///< of an update: its longest answer over the tokens of a rank, where that is more than 1
    double syncBytes = 0, syncBytesPerS = 0; ///< that one rollout GPU takes in
    double tokensPerSPerGpu = 0;
    double idle = 0;                         ///< share of the GPUs' time in which they wait for others
    std::optional<double> cost;              ///< of a step, with a price
    double usedBytes = 0, capacityBytes = 0; ///< of a GPU while it generates
    double learnBytes = 0;                   ///< of a GPU while it learns, with the models that stay beside the policy
    double learnCapacityBytes = 0;           ///< that such a GPU has
    bool fits = false;                       ///< both the update and the generation
    bool operator==(const RlResult&) const = default;
    [[nodiscard]] double part(RlPart p) const { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double& part(RlPart p) { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double sumS() const
    {
        return std::apply([](auto... s) { return (0.0 + ... + s); }, time);
    }
};

} // namespace headroom
