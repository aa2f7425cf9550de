// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_kind.hpp"

#include <algorithm>

namespace headroom
{

TrainingKind trainingKind(const TrainingPlan& plan) noexcept
{
    const bool nvidia = plan.family == TrainingFamily::V100 || plan.family == TrainingFamily::A100 ||
                        plan.family == TrainingFamily::H100 || plan.family == TrainingFamily::B200;
    const bool blackwell = plan.family == TrainingFamily::B200;
    const bool amd = plan.family == TrainingFamily::Mi300 || plan.family == TrainingFamily::Mi355;
    if (isWithoutRuns(plan)) // what it costs may be several times what is believed, whatever it runs on
        return TrainingKind::SoftwareWithoutRuns;
    if (plan.quantized)
        return TrainingKind::Qlora;
    if (plan.family == TrainingFamily::Tpu)
        return TrainingKind::Tpu;
    if (amd)
        return TrainingKind::Amd;
    if (plan.adapters)
        return nvidia ? TrainingKind::LoraNvidia : TrainingKind::LoraOther;
    if (!nvidia || plan.family == TrainingFamily::V100)
        return TrainingKind::Other;
    if (plan.model->moeLayers > 0)
        return blackwell ? TrainingKind::MoeBlackwell : TrainingKind::MoeHopper;
    if (plan.setup->training.checkpointing == Checkpointing::Unknown)
        return TrainingKind::UnknownRecipe;
    if (plan.family == TrainingFamily::A100)
        return TrainingKind::DenseA100;
    const bool low = plan.width != MatmulClass::Bits16;
    if (blackwell)
        return low ? TrainingKind::DenseBlackwellLow : TrainingKind::DenseBlackwell;
    return low ? TrainingKind::DenseHopperLow : TrainingKind::DenseHopper;
}

ResidualRange stepTimeRange(const TrainingPlan& plan, const TrainingCalibration& calibration) noexcept
{
    ResidualRange range = calibration.intervals[static_cast<std::size_t>(trainingKind(plan))];
    const auto widen = [&range](const ResidualRange& by) {
        range = {std::min(range.low, by.low), std::max(range.high, by.high)};
    };
    if (plan.setup->training.software == TrainingSoftware::Tuned)
        widen(calibration.newSource);
    if (isOfUnfittedFamily(plan))
        widen(calibration.newFamily);
    return range;
}

std::optional<MemoryKind> memoryKind(const TrainingWorkload& workload) noexcept
{
    if (workload.checkpointing == Checkpointing::Unknown)
        return std::nullopt;
    if (workload.method != Method::Full)
        return MemoryKind::Adapters;
    const bool megatron =
        workload.software == TrainingSoftware::Megatron || workload.software == TrainingSoftware::Megatron2021;
    return megatron ? MemoryKind::Megatron : MemoryKind::Full;
}

std::optional<ResidualRange> memoryRange(const PreparedScenario& prepared) noexcept
{
    const auto kind = memoryKind(prepared.training);
    return kind ? std::optional(prepared.calibration->training.memoryIntervals[static_cast<std::size_t>(*kind)])
                : std::nullopt;
}

TrainingKind trainingKind(const PreparedScenario& prepared) noexcept
{
    WarningSet ignored;
    return trainingKind(planTraining(prepared, ignored));
}

} // namespace headroom
