// SPDX-License-Identifier: GPL-3.0-or-later
// evaluate(): from a prepared scenario to its Evaluation; pure, thread-safe, allocates in serving pipelines alone.
#pragma once

#include "core/calibration/calibration.hpp"
#include "core/catalog/catalog.hpp"
#include "core/catalog/price_list.hpp"
#include "core/model/model_profile.hpp"
#include "core/predict/evaluation.hpp"
#include "core/support/diagnostic.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// A scenario with its names looked up: all that evaluate() reads. Sweeps copy it once and change the Setup part.
struct PreparedScenario : Setup {
    std::shared_ptr<const ModelProfile> model;             ///< never null
    std::shared_ptr<const Accelerator> accelerator;        ///< never null
    std::shared_ptr<const Calibration> calibration;        ///< never null
    std::shared_ptr<const ModelProfile> draft;             ///< null where the scenario names no draft model
    std::shared_ptr<const Accelerator> prefillAccelerator; ///< null where prompts are read on `accelerator`
    std::shared_ptr<const KnownPrice> price;               ///< behind the price that was looked up; null: it is stated
    std::shared_ptr<const KnownPrice> prefillPrice;        ///< the same of `prefillAccelerator`
    std::shared_ptr<const TrainingPhases> phases;          ///< null where the run is of one piece
    std::shared_ptr<const ProfiledKernels> kernels;        ///< of `measured.profile`; null where no names are kept
    std::shared_ptr<const FittedOn> fittedOn;              ///< of `efficiency`; null where nobody says
    double users = 0;  ///< who make the load, each has an answer before the next; 0: there is no end of them
    double thinkS = 0; ///< what each of them pauses before the next, s

    /// Share of the load that whoever asks may meet: of n users the n − 1 others' (arrival theorem; Bard 1979).
    [[nodiscard]] double othersShare() const noexcept { return users > 0 ? users > 1 ? 1 - 1 / users : 0 : 1; }

    /// What reads prompts: `prefillAccelerator`, else `accelerator`.
    [[nodiscard]] const Accelerator& readingAccelerator() const
    {
        return prefillAccelerator ? *prefillAccelerator : *accelerator;
    }
};

/// Predicted peak memory, bytes, of the kind that somebody measured: the allocator's reserve where it is not said.
[[nodiscard]] double peakMemoryBytes(const Evaluation& evaluation, std::optional<PeakMemoryKind> kind) noexcept;

/// Whether `usedBytes` have room: of two pools those of the GPUs that decode, whatever the others lack.
[[nodiscard]] inline bool usedBytesFit(const Evaluation& e) noexcept
{
    return e.pools ? e.pools->decode.fits : e.fits;
}

/// The step, whatever the phases of the run: of reinforcement learning its copies that generate and its update at the
/// longest answers fit, too.
[[nodiscard]] inline bool stepFits(const Evaluation& e) noexcept
{
    return e.fits && (!e.rl || e.rl->fits);
}

/// Whether all of it fits: `fits` is of the scenario's own step; in a step of reinforcement learning the copies that
/// generate and the update at its longest answers have to fit too, and of a training each of its phases.
[[nodiscard]] inline bool allFits(const Evaluation& e) noexcept
{
    return stepFits(e) && (!e.phases || e.phases->fit);
}

/// Whether the load, where there is one, is served as it comes: no queue grows, in no hour of its day.
[[nodiscard]] inline bool servesItsLoad(const Evaluation& e) noexcept
{
    return !e.warnings.has(WarningCode::LoadBeyondCapacity) && !e.warnings.has(WarningCode::PeakBeyondCapacity);
}

/// Sequences that a replica decodes at once at most; under a load fewer are in flight.
[[nodiscard]] inline double fullBatch(const Evaluation& e) noexcept
{
    return e.queue ? e.queue->mostBatch : e.batch;
}

/// What a GPU takes of what it has, bytes.
struct MemoryNeed {
    double usedBytes = 0, capacityBytes = 0;
};

/// Of the GPU that decides whether the step fits: that of `usedBytes`, or another that lacks memory where this one has
/// room: one that reads prompts, generates answers or learns from the longest.
[[nodiscard]] MemoryNeed decisiveMemory(const Evaluation& evaluation) noexcept;

/// Whether tokens are drafted and verified: a method is chosen, and the model or the scenario has what drafts.
[[nodiscard]] inline bool speculates(const PreparedScenario& p) noexcept
{
    const auto method = p.inference.drafting;
    return p.task == Task::Inference && method && (method != Drafting::Mtp || p.model->mtp) &&
           (method != Drafting::Draft || p.draft);
}

/// What of a training lies in the host's memory: what is stated, and nothing where that is the accelerator's own.
[[nodiscard]] inline Offload effectiveOffload(const Setup& setup, const Accelerator& accelerator) noexcept
{
    return accelerator.unifiedMemory ? Offload::None : setup.training.offload;
}

/// Looks up the model and the accelerator (catalogue id or object form), compiles the model (cached per thread for
/// catalogue entries), checks that the sizes go together (checkSetup). Fails with what it refuses.
[[nodiscard]] Expected<PreparedScenario> prepare(const Scenario& scenario, const Catalog& catalog,
                                                 std::shared_ptr<const Calibration> calibration);

/// The model that a scenario names or describes, compiled (cached per thread for catalogue entries).
[[nodiscard]] Expected<std::shared_ptr<const ModelProfile>> profileOf(const ModelChoice& choice,
                                                                      const Catalog& catalog);

/// Refusals that depend on several values together (count not divisible by the parallel sizes, global batch not
/// divisible by micro_batch × data …). Empty = fine. `path` of each names the key.
[[nodiscard]] Diagnostics checkSetup(const Setup& setup);
/// The same with what a model refuses: more stages than it has layers, drafts that it cannot make.
[[nodiscard]] Diagnostics checkSetup(const Setup& setup, const ModelProfile& model);
/// The same with what the model and the phases of a training refuse: all that prepare() refuses of a scenario whose
/// names are known. A changed copy of a prepared scenario (a sweep's point, an advice) is asked by this.
[[nodiscard]] Diagnostics checkSetup(const PreparedScenario& prepared);

/// The result. Never throws, never yields NaN or infinity. Precondition: checkSetup(p) is empty; where it is not
/// (a sweep point), the sizes are rounded down to the nearest that divides and the result is still finite.
[[nodiscard]] Evaluation evaluate(const PreparedScenario& prepared) noexcept;
/// evaluate() without what takes evaluations of its own: phases of a training, the day of a load, a step of
/// reinforcement learning. For evaluating many scenarios that show none of these. Replicas that follow a day are as
/// many as it has in the mean, here too.
[[nodiscard]] Evaluation evaluateStep(const PreparedScenario& prepared) noexcept;

/// The two halves of evaluate(), by task (core/predict/training/training.cpp, core/predict/evaluate.cpp).
void evaluateTraining(const PreparedScenario& prepared, Evaluation& result) noexcept;
void evaluateInference(const PreparedScenario& prepared, Evaluation& result) noexcept;

/// One operator of the step as predicted, for the roofline and the time table. Per GPU, one step (training: all
/// micro-batches, forward and backward; inference: one decode step).
struct OperatorCost {
    std::string name; ///< "QKV projection", "attention core", "feed-forward", "LM head" …
    TimePart part = TimePart::Matmul;
    double flop = 0;  ///< executed on this GPU
    double bytes = 0; ///< moved to and from device memory by it
    double timeS = 0;
    DataType precision = DataType::Bf16; ///< which peak bounds it
    /// Of recomputation: the part of the forward pass that it repeats. Its name is that of what it repeats.
    std::optional<TimePart> repeats{};
};
[[nodiscard]] std::vector<OperatorCost> operatorCosts(const PreparedScenario& prepared);
[[nodiscard]] std::vector<OperatorCost> trainingOperatorCosts(const PreparedScenario& prepared);
[[nodiscard]] std::vector<OperatorCost> inferenceOperatorCosts(const PreparedScenario& prepared);

/// The text of one warning, with its number put in (core/predict/warning.cpp).
[[nodiscard]] std::string_view warningId(WarningCode code);
[[nodiscard]] std::string warningText(WarningCode code, double value, const PreparedScenario& prepared);
/// What the times of a job are that does not fit: to stand behind that, before a full stop.
[[nodiscard]] std::string timesWhereItDoesNotFit(Task task);

} // namespace headroom
