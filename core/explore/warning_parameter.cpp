// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/warning_parameter.hpp"

#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"

namespace headroom
{
namespace
{

/// Whether the type of the matmuls is another where the weights are: of fewer bits they are multiplied in 16.
bool weightsDecideCompute(const InferenceWorkload& w)
{
    return !w.compute && (w.weights == DataType::Bf16 || w.weights == DataType::Fp16);
}

} // namespace

const ParameterRow* warningParameter(WarningCode code, const Setup& setup)
{
    const bool training = setup.task == Task::Training;
    switch (code) {
    case WarningCode::LayersNotDivisible:
        return parameterRow("pipeline");
    case WarningCode::SoftwareLacks:
        return parameterRow(parameterOf(lackedParts(setup).first()));
    case WarningCode::HeadsNotDivisible:
        return parameterRow("tensor");
    case WarningCode::ExpertsNotDivisible:
    case WarningCode::ExpertGroupTooLarge:
        return parameterRow("expert");
    case WarningCode::BeyondMaxContext:
        if (const RlWorkload& w = setup.training.rl;
            isRl(setup) && longestRlSequence(w) > setup.training.sequenceLength)
            return parameterRow(w.maxOutputTokens   ? "rl_max_output_tokens"
                                : w.outputTokensP99 ? "rl_output_tokens_p99"
                                                    : "rl_output_tokens");
        if (const TrainingWorkload& t = setup.training; training && effectiveSampleTokens(t) < t.sequenceLength)
            return parameterRow("packed_sample_tokens");
        return parameterRow(training ? "sequence_length" : "prompt_tokens");
    case WarningCode::PrecisionUnavailable:
        return parameterRow(training ? "precision" : weightsDecideCompute(setup.inference) ? "weights" : "compute");
    case WarningCode::NativeUnknown:
        return parameterRow("weights");
    case WarningCode::NicAssumed:
        return parameterRow("scale_out_gbit_per_s");
    case WarningCode::HostLinkAssumed:
        return training || !readsFromHost(setup.inference) ? nullptr : parameterRow("host_link_gb_per_s");
    case WarningCode::SoftwareWithoutFit:
        return parameterRow(training ? "software" : "engine");
    case WarningCode::BatchLimitedByMemory:
    case WarningCode::BatchAtMost:
        return parameterRow("batch");
    case WarningCode::BatchLimitedByPass:
        return parameterRow("max_tokens_per_pass");
    case WarningCode::MfuOverOne:
        return parameterRow("accounting");
    case WarningCode::CheckpointingRaised:
    case WarningCode::ProjectsAgain:
        return parameterRow("checkpointing");
    case WarningCode::TrainsPrediction:
        return parameterRow("multi_token_prediction");
    case WarningCode::LoadBeyondCapacity:
        return parameterRow("requests_per_s");
    case WarningCode::PeakBeyondCapacity:
        return parameterRow(autoscales(setup.inference) ? "autoscale_max" : "count");
    case WarningCode::ArrivalsBursty:
        return parameterRow("arrival_cv");
    case WarningCode::AcceptanceAssumed:
        return parameterRow("acceptance_length");
    case WarningCode::PercentileTooFar: {
        const auto far = inference::beyondLogNormal(setup);
        return far ? parameterRow(far->parameter) : nullptr;
    }
    case WarningCode::PrefillPoolLimits:
        return parameterRow("prefill_count");
    case WarningCode::TransferLimits:
        return parameterRow("transfer_gbit_per_s");
    case WarningCode::PrefillDoesNotFit:
        return parameterRow("prefill_tensor");
    case WarningCode::RolloutDoesNotFit:
        return parameterRow("rl_rollout_tensor");
    case WarningCode::RlUpdateDoesNotFit:
        return parameterRow("checkpointing");
    case WarningCode::FailsBeforeRestart: {
        const Reliability& r = setup.training.reliability;
        return parameterRow(r.checkpointS.value_or(0) > r.restartS ? "checkpoint_s" : "restart_s");
    }
    case WarningCode::CheckpointBeyondRun:
    case WarningCode::CheckpointWithinStep:
        return parameterRow("checkpoint_interval_s");
    case WarningCode::TierHitsUnknown:
        return parameterRow(setup.inference.tierHostGb && !setup.inference.tierHostHits ? "tier_host_hits"
                                                                                        : "tier_nvme_hits");
    case WarningCode::HostWeightsWhole:
    case WarningCode::HostComputes:
        return parameterRow("host_weights_gb");
    case WarningCode::HostMemoryTooSmall:
        return parameterRow("host_memory_gb");
    case WarningCode::TierTooSmall:
        return parameterRow(inference::drivesAreScanter(setup.inference) ? "tier_nvme_gb" : "tier_host_gb");
    case WarningCode::TierSlower:
        return parameterRow(setup.inference.tierNvmeHits ? "tier_nvme_hits" : "tier_host_hits");
    default:
        return nullptr;
    }
}

bool isAboutAFact(WarningCode code)
{
    return code == WarningCode::NicAssumed || code == WarningCode::HostLinkAssumed ||
           code == WarningCode::LoadBeyondCapacity || code == WarningCode::ArrivalsBursty ||
           code == WarningCode::AcceptanceAssumed || code == WarningCode::PercentileTooFar ||
           code == WarningCode::FailsBeforeRestart ||
           code == WarningCode::SoftwareWithoutFit || // another stack would be another fit, not another run
           code == WarningCode::TierHitsUnknown || code == WarningCode::TierSlower ||
           code == WarningCode::TransferLimits || code == WarningCode::HostComputes ||
           code == WarningCode::HostMemoryTooSmall;
}

} // namespace headroom
