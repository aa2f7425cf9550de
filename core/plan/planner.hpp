// SPDX-License-Identifier: GPL-3.0-or-later
// Planner: the inverse question — of all deployments that fit and meet the targets, the best by one objective. What is
// left out is left out by a bound that cannot lose the best: tests/core/test_planner.cpp holds it against brute force.
#pragma once

#include "core/predict/evaluate.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom
{

/// What is best. Training: cost and energy a token, seconds a token, GPUs, MFU. Inference: cost per hour under a stated
/// load, else cost a token; request latency with its mean wait; joules an output token; GPUs; MFU of decoding. Steps of
/// reinforcement learning: cost and seconds a token of whole steps, GPUs of both sides.
enum class PlanObjective : std::uint8_t { Cost, Time, Energy, Gpus, Mfu };
inline constexpr std::size_t planObjectiveCount = 5;

/// What the search may choose. Values considered: planner_space.hpp.
enum class PlanDimension : std::uint8_t {
    Tensor,
    Pipeline,
    VirtualPipeline, ///< training
    Context,
    Expert,
    AttentionData,    ///< inference
    Sharding,         ///< training
    Replicas,         ///< training: hybrid-sharding groups; inference: as many as the load needs
    MicroBatch,       ///< training
    Checkpointing,    ///< training
    Precision,        ///< of the matmuls in training, of the weights in inference
    KvCache,          ///< inference
    Batch,            ///< inference
    SequenceParallel, ///< training
    Offload,          ///< training
    Gradients,        ///< training: fp32 or bf16, of a full method with master weights
    ChunkedLoss,      ///< training
    RolloutGpus,      ///< reinforcement learning: of all GPUs, those that generate
    RolloutTensor     ///< reinforcement learning: of a copy that generates
};
inline constexpr std::size_t planDimensionCount = 19;

/// A set of dimensions. What is not free holds the base scenario's value.
class PlanDimensions final
{
public:
    /// What changes neither the numbers that are computed nor the software that has to be there: number formats stay
    /// the scenario's (a narrower one is faster wherever it is legal, so it would always win), states stay on the
    /// accelerators, the loss is computed as the engine does it.
    [[nodiscard]] static constexpr PlanDimensions usual()
    {
        return all()
            .lock(PlanDimension::Precision)
            .lock(PlanDimension::KvCache)
            .lock(PlanDimension::Gradients)
            .lock(PlanDimension::ChunkedLoss)
            .lock(PlanDimension::Offload);
    }
    [[nodiscard]] static constexpr PlanDimensions all() { return PlanDimensions((1u << planDimensionCount) - 1); }
    [[nodiscard]] static constexpr PlanDimensions none() { return PlanDimensions(0); }
    [[nodiscard]] constexpr bool has(PlanDimension d) const { return (m_bits >> static_cast<unsigned>(d) & 1u) != 0; }
    [[nodiscard]] constexpr PlanDimensions lock(PlanDimension d) const
    {
        return PlanDimensions(m_bits & ~(1u << static_cast<unsigned>(d)));
    }
    [[nodiscard]] constexpr PlanDimensions release(PlanDimension d) const
    {
        return PlanDimensions(m_bits | 1u << static_cast<unsigned>(d));
    }
    bool operator==(const PlanDimensions&) const = default;

private:
    constexpr explicit PlanDimensions(std::uint32_t bits) : m_bits(bits) {}
    std::uint32_t m_bits;
};

/// A device to consider, with its price in the user's currency where one is known.
struct PlanAccelerator {
    std::shared_ptr<const Accelerator> accelerator; ///< never null
    std::optional<double> pricePerGpuHour;
    std::shared_ptr<const KnownPrice> price{}; ///< behind it, where it was looked up; null: somebody stated it
    std::optional<double> spotMtbfHours{};     ///< where it is rented as spot
};
/// The device at the scenario's price where it is the scenario's own, else at `stated`, else at what the own list or
/// the catalogue says of the scenario's kind of price (on demand where it names none).
[[nodiscard]] PlanAccelerator planAccelerator(const PreparedScenario& base,
                                              std::shared_ptr<const Accelerator> accelerator,
                                              std::optional<double> stated = std::nullopt);

/// Best by what, where nobody chose: cost, or GPUs where a price is unknown.
[[nodiscard]] PlanObjective usualObjective(const std::vector<PlanAccelerator>& accelerators);

/// What an answer must keep besides fitting into memory. TTFT, TPOT and the load are the base scenario's
/// (`ttftTargetS`, `tpotTargetS`, `requestsPerS`); a load needs a utilisation below 1, or users who each have a place.
/// What is held against the TTFT target: the TTFT of a prompt of the 95th percentile length (of the mean, where nothing
/// says how lengths spread) plus the wait that 95 % of the requests stay under; of the 99th where the targets hold for
/// 99 of 100.
struct PlanLimits {
    std::optional<double> costPerHour;            ///< of the whole job, at most
    std::optional<double> costToTrain, deadlineS; ///< of the base's trainingTokens
};

/// A closed load: `count` people who each send a request, read the answer and think for `thinkS` before the next.
/// `thinkS` 0: that many requests are always under way. A deployment whose service time is S meets
/// count ÷ (S + thinkS) requests a second; that leaves out the wait and is never less than what arrives.
struct PlanUsers {
    double count = 0;
    double thinkS = 0;
};

/// The question: what may be varied, what must hold, what is best. A base with a day of a load (hasDay()) is planned
/// for its busiest hour.
struct PlanRequest {
    PreparedScenario base;                     ///< model, workload, targets, and the value of all that is held
    std::vector<PlanAccelerator> accelerators; ///< empty: the base's, at its price
    /// Numbers of GPUs to consider. Inference under a load with free replicas: any number from the smallest to the
    /// largest, unless they are exact; without a load, the smallest of these that each replica size divides. With a
    /// prefill pool: of both pools together, any number likewise. With GPUs that generate answers for others to learn
    /// from: of both together.
    std::vector<std::int64_t> gpuCounts;
    bool exactCounts = false; ///< no number between these
    PlanDimensions free = PlanDimensions::usual();
    PlanObjective objective = PlanObjective::Cost;
    /// Cost is; where a price is unknown another objective stands in for it, and a note says so.
    bool costIsAsked = false;
    std::array<PlanObjective, 2> front{PlanObjective::Time, PlanObjective::Cost}; ///< axes of the Pareto front
    PlanLimits limits;
    /// Latency targets and the deadline hold at the slow end of the 80 % interval, not at the expected figure alone.
    bool slowEnd = false;
    /// Where the objective is a prediction, the first rank goes to the fewest GPUs whose expected value lies within the
    /// 80 % interval of the best: the predictor cannot tell the two apart, and fewer cost less to get wrong. Those that
    /// surely fit (no WarningCode::MemoryMayNotFit) come before those that may not. What is certain (price of a load an
    /// hour, number of GPUs) is ranked as it is.
    bool smallerWithinInterval = false;
    std::optional<PlanUsers> users; ///< inference: takes the place of the base's `requestsPerS`
    /// Replicas that there have to be at least, and may be at most; plan() takes both from the base's day where that
    /// scales.
    std::optional<std::int64_t> fewestReplicas, mostReplicas;
    /// The base's load with its day, where replicas follow it: what a deployment costs is then ranked over the day.
    /// plan() takes it from the base.
    std::optional<InferenceWorkload> day;
    std::size_t top = 20;
    std::size_t rejections = 3;  ///< cheaper options to explain, at most
    bool comparesOnePool = true; ///< where the base has a prefill pool: whether one pool would do better
    unsigned threads = 0;        ///< 0: as many as the machine has
};

/// One deployment, evaluated.
struct PlanOption {
    PreparedScenario scenario; ///< with users: their load here as `requestsPerS`
    Evaluation evaluation;
    std::optional<double> ttftP95S; ///< inference: what is held against the TTFT target (PlanLimits)
    std::optional<DayResult> day{}; ///< of a base with a day: its price, where this option serves the busiest hour
    std::optional<Autoscale> autoscale{}; ///< of a day whose load replicas follow: as deployed() has it
    /// By objective, smaller is better (MFU negated); empty where the price or the power is unknown.
    std::array<std::optional<double>, planObjectiveCount> values{};
};

/// The scenario of an option of plan() as it is put to work: where it was sized for the busiest hour of the base's day,
/// with that day again, and with `autoscale` as it was sized by.
[[nodiscard]] PreparedScenario deployed(const PreparedScenario& base, const PlanOption& option) noexcept;

/// Every configuration that was looked at is in exactly one of the last four.
struct PlanCounts {
    std::uint64_t configurations = 0; ///< legal ones; while a search runs, of the part it has come to
    std::uint64_t evaluated = 0;
    std::uint64_t excludedByMemory = 0; ///< what they keep in memory is more than the device has
    std::uint64_t excludedByTime = 0;   ///< their fastest conceivable step is too slow to be an answer
    std::uint64_t excludedByLimit = 0;  ///< number of GPUs × price is over the limit
    [[nodiscard]] std::uint64_t decided() const
    {
        return evaluated + excludedByMemory + excludedByTime + excludedByLimit;
    }
    /// Those that a stopped search did not come to; 0 after a search that ended.
    [[nodiscard]] std::uint64_t unseen() const { return configurations - decided(); }
    PlanCounts& operator+=(const PlanCounts& other);
    bool operator==(const PlanCounts&) const = default;
};

/// A cheaper number of GPUs (or, where nothing will do, the largest) and why it fails.
struct PlanRejection {
    PlanOption nearest; ///< the configuration that comes closest there
    std::string reason; ///< "2 × H100 SXM fails: the weights leave 3 GB for a cache that needs 41 GB"
};

/// The answer: deployments by rank, the front, and what was counted on the way.
struct PlanResult {
    std::vector<PlanOption> ranked; ///< best first
    std::vector<PlanOption> front;  ///< nothing is better in both metrics; sorted by the first
    std::vector<PlanRejection> rejected;
    std::optional<PlanOption> onePool; ///< of a base with a prefill pool: the best without, where anything will do
    PlanCounts counts;                 ///< which bound excludes what may differ from run to run; the answer does not
    std::vector<std::string> notes;    ///< what was not looked at, what the space leaves out, why there is no answer
    std::string whyNone;    ///< of nothing ranked, where no rejection says it; among the notes, too; may be empty
    bool cancelled = false; ///< asked to stop: `ranked` is the best of what was decided, `notes` say how much
};

/// The cheapest deployment at a multiple of the load or of the training tokens (planner_growth.hpp).
struct PlanGrowthRow {
    double multiple = 1;
    std::optional<PlanOption> best; ///< cheapest where every price is known, else the one with the fewest GPUs
    std::string reason;             ///< why there is none
};

/// How far a search has come; written by it, read by whoever shows it.
struct PlanProgress {
    double share = 0; ///< of the space, 0…1
    PlanCounts counts;
    std::vector<PlanOption> best; ///< so far; empty where nothing changed since the last report
};
/// Called from the searching threads, one at a time, at most every 50 ms and once as soon as there is a result.
using PlanProgressCallback = std::function<void(const PlanProgress&)>;

/// Searches. The same answer whatever the number of threads. Refused: no GPU count, sizes below 1, a deadline or budget
/// without trainingTokens, an objective or a limit on cost where no price is known.
[[nodiscard]] Expected<PlanResult> plan(const PlanRequest& request, const std::stop_token& stop = {},
                                        const PlanProgressCallback& progress = {});

/// GPUs of an option: of both pools where prompts are read in one of their own, of both sides where answers are
/// generated on GPUs of their own.
[[nodiscard]] double planGpus(const PlanOption& option);
/// "16 × H100 SXM5 80GB"; what reads prompts beside it where that is another: "12 × H200 SXM 141GB + 4 × H100 …".
[[nodiscard]] std::string planMachines(const PlanOption& option);
/// How counts of a layout are written: "1,789" for people, as the language has it; "1789" in files.
enum class Thousands : std::uint8_t { Grouped, Plain };
/// "TP 8 · PP 2 · DP 4 · FSDP · micro-batch 2 · full checkpointing · bf16"
[[nodiscard]] std::string layoutText(const PlanOption& option, Thousands thousands = Thousands::Grouped);
/// The same for people, with a line for each pool.
[[nodiscard]] std::string layoutLines(const PlanOption& option);
/// Devices, layout and workload of an option, the same in every language: equal for the same deployment alone.
[[nodiscard]] std::string deploymentId(const PlanOption& option);
/// {"counts": …, "ranked": […], "front": […], "rejected": […], "notes": […]}, and "growth": […] where there is any.
[[nodiscard]] std::string planJson(const PlanResult& result, std::span<const PlanGrowthRow> growth = {});

} // namespace headroom
