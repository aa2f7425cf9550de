// SPDX-License-Identifier: GPL-3.0-or-later
// What a result warns of: where, what, and what was assumed instead.
#include "core/predict/evaluate.hpp"
#include "core/predict/impossible.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_residual.hpp"
#include "core/predict/key_effects.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/rl.hpp"
#include "core/predict/training/training_update.hpp"
#include "core/predict/utilization.hpp"
#include "core/predict/warning_sizes.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom
{
namespace
{

/// Bytes/s in one direction, of the catalogue's fastest: NVLink-C2C of a Vera CPU, 900 GB/s.
constexpr double fastestHostLink = 900e9;

/// In the order of WarningCode.
constexpr std::array<std::string_view, warningCodeCount> ids{
    "layers-not-divisible",   "heads-not-divisible",     "experts-not-divisible",  "beyond-max-context",
    "expert-group-too-large", "precision-unavailable",   "mfu-over-one",           "nic-assumed",
    "software-without-fit",   "family-without-fit",      "efficiency-overridden",  "measurements-disagree",
    "model-inexact",          "batch-limited-by-memory", "does-not-fit",           "faster-than-ideal",
    "saves-memory",           "checkpointing-raised",    "key-without-effect",     "load-decides-batch",
    "load-beyond-capacity",   "pools-share-gpus",        "acceptance-assumed",     "fails-before-restart",
    "checkpoint-beyond-run",  "prefill-pool-limits",     "prefill-does-not-fit",   "arrivals-bursty",
    "rl-without-framework",   "rollout-does-not-fit",    "tier-hits-unknown",      "tier-slower",
    "batch-limited-by-pass",  "batch-at-most",           "projects-again",         "checkpoint-within-step",
    "rl-update-does-not-fit", "phase-does-not-fit",      "model-assumed",          "native-unknown",
    "transfer-limits",        "tier-too-small",          "memory-may-not-fit",     "percentile-too-far",
    "host-link-assumed",      "replica-beyond-runs",     "full-batch-beyond-runs", "runs-of-older-releases",
    "first-token-of-bursts",  "peak-beyond-capacity",    "runs-of-later-releases", "mixer-without-runs",
    "host-weights-whole",     "host-memory-too-small",   "trains-prediction",      "other-unit-likely",
    "phase-has-notes",        "software-lacks",          "host-computes",          "peak-memory-unit"};

/// "training on a, b; inference on c"; whoever wrote the file chose the names.
std::string machinesText(const FittedOn& on)
{
    std::string text;
    for (const Task task : {Task::Training, Task::Inference}) {
        std::string names;
        for (const std::string& name : on.of(task))
            names += (names.empty() ? "" : ", ") + printable(name);
        if (!names.empty())
            text += (text.empty() ? "" : "; ") +
                    (task == Task::Training ? say("training on {}", names) : say("inference on {}", names));
    }
    return text;
}

/// Where the multipliers were fitted to runs of another accelerator or another task; empty where nobody says.
std::string fittedElsewhere(const PreparedScenario& p)
{
    if (!p.fittedOn)
        return {};
    const auto& own = p.fittedOn->of(p.task);
    const Accelerator& a = *p.accelerator;
    if (std::ranges::find(own, a.id.empty() ? a.name : a.id) != own.end())
        return {};
    FittedOn here;
    (p.task == Task::Training ? here.training : here.inference).push_back(a.id.empty() ? a.name : a.id);
    return say("The calibrated efficiencies are multiplied by factors that were fitted to other runs ({}); this is {}.",
               machinesText(*p.fittedOn), machinesText(here));
}

/// Whose network the catalogue does not know: of two pools the one that lacks it.
const Accelerator& withoutNetwork(const PreparedScenario& p)
{
    return p.accelerator->scaleOutGbitPerS > 0 ? p.readingAccelerator() : *p.accelerator;
}

/// Whose link to the host the catalogue does not know: of two pools the one that lacks it.
const Accelerator& withoutHostLink(const PreparedScenario& p)
{
    return p.accelerator->hostLinkGbPerS > 0 ? p.readingAccelerator() : *p.accelerator;
}

/// What the software does not have and the layout asks for.
std::string lackedText(const PreparedScenario& p)
{
    if (pipelinesRefuseSharding(p))
        return said("DeepSpeed's pipelines refuse ZeRO-2 and FSDP, its ZeRO-3: it is evaluated as if they took them. "
                    "Choose ZeRO-1 or no sharding.");
    return say("{} does not have {}: it is evaluated as if it had. Choose other software, or another layout.",
               softwareName(p), partsText(lackedParts(p)));
}

std::string precisionText(const PreparedScenario& p)
{
    const bool training = p.task == Task::Training;
    const DataType weights = p.inference.weights;
    // Weights of less than 16 bit ask for no precision that is missing: they are multiplied in 16 bit.
    const bool wide = weights == DataType::Fp16 || weights == DataType::Fp32;
    const DataType type =
        training ? p.training.precision : p.inference.compute.value_or(wide ? weights : DataType::Bf16);
    if ((type == DataType::Fp32 || type == DataType::Tf32) && p.accelerator->peakFlops(DataType::Fp32) <= 0)
        return say("No rate of 32-bit matmuls is known for the {}: that of 16-bit ones is taken, and the time may be "
                   "too short.",
                   p.accelerator->name);
    if (p.accelerator->peakFlops(type) > 0)
        return say("No rate of 16-bit matmuls in {0} is known for the {1}: that of {2} is taken. Choose {2}: without "
                   "units for {0}, engines refuse it or compute in 32 bit.",
                   toId(type == DataType::Fp16 ? DataType::Fp16 : DataType::Bf16), p.accelerator->name,
                   toId(type == DataType::Fp16 ? DataType::Bf16 : DataType::Fp16));
    return say("The {} has no {} matmul: the next wider precision is used.", p.accelerator->name, toId(type));
}

std::string contextText(const PreparedScenario& p)
{
    const std::int64_t rl = isRl(p) ? longestRlSequence(p.training.rl) : 0;
    const auto phase = longestPhase(p);
    const std::int64_t tokens = phase                      ? phaseSampleTokens(p, (*p.phases)[*phase])
                                : p.task == Task::Training ? std::max(effectiveSampleTokens(p.training), rl)
                                                           : p.inference.promptTokens + p.inference.outputTokens;
    const std::string where = phase ? phaseName((*p.phases)[*phase], *phase) + ": " : std::string();
    return where + say("{} tokens are more than the {} of {}'s context: it is evaluated as if the model took them.",
                       wholeText(double(tokens)), wholeText(double(p.model->architecture.maxContext)),
                       p.model->architecture.name);
}

/// The first of the import's notes stands for all: `import-config` and the catalogue page list them.
std::string assumedText(const ModelArchitecture& model)
{
    const std::string first = model.warnings.empty() ? std::string() : model.warnings.front();
    return model.warnings.size() > 1
               ? say("{} was read with {} assumptions, the first: {}.", model.name, model.warnings.size(), first)
               : say("{} was read with an assumption: {}.", model.name, first);
}

std::string farText(const PreparedScenario& p)
{
    const auto far = inference::beyondLogNormal(p).value_or(inference::FarPercentile{});
    return say(
        "'{}' is {} times the mean, that of a log-normal at most {} times: the widest is taken, and waits for the "
        "longest requests are uncertain.",
        far.key, numberText(far.times), numberText(far.most));
}

/// `missing` bytes on the fullest GPU; 0 where their number is not known.
std::string doesNotServeText(const PreparedScenario& p, double missing)
{
    std::string text =
        missing > 0 ? say("It does not fit: {} are missing on the fullest GPU. Times are those of as many sequences "
                          "as there is memory for, at least one.",
                          formatText(missing, ValueFormat::Bytes))
                    : said("It does not fit. Times are those of as many sequences as there is memory for, at least "
                           "one.");
    const bool byRanks = p.inference.software == InferenceSoftware::Sglang && p.parallelism.attentionData > 1;
    if (!byRanks || p.inference.memoryUtilization)
        return text;
    return text + " " +
           said("SGLang's default leaves memory to each rank of attention data for its graphs: 'memory_utilization' "
                "decides how much.");
}

} // namespace

std::string timesWhereItDoesNotFit(Task task)
{
    return task == Task::Training ? said("times are as if it did") : said("times are those of what fits");
}

std::string_view warningId(WarningCode code)
{
    return ids[static_cast<std::size_t>(code)];
}

std::string warningText(WarningCode code, double value, const PreparedScenario& p)
{
    switch (code) {
    case WarningCode::LayersNotDivisible:
        return piecesText(p);
    case WarningCode::HeadsNotDivisible:
        return headsText(p);
    case WarningCode::ExpertsNotDivisible:
        return expertsText(p);
    case WarningCode::BeyondMaxContext:
        return contextText(p);
    case WarningCode::ExpertGroupTooLarge:
        return expertGroupText(p, value);
    case WarningCode::PrecisionUnavailable:
        return precisionText(p);
    case WarningCode::MfuOverOne:
        if (conventionRow(p.accounting).causalHalved)
            return say("MFU is over 100 % because '{}' counts more FLOP than are computed: compare with 'exact'.",
                       conventionRow(p.accounting).id);
        return say("MFU is over 100 % because '{}' counts attention over the full square, and causal attention "
                   "computes half of it: compare with 'causal' or 'exact'.",
                   conventionRow(p.accounting).id);
    case WarningCode::NicAssumed:
        return say("The network of the {} is not in the catalogue: {} Gbit/s per GPU is assumed. Set "
                   "'scale_out_gbit_per_s' to yours.",
                   withoutNetwork(p).name, formatText(value > 0 ? value : 100.0, ValueFormat::Plain));
    case WarningCode::HostLinkAssumed:
        return say("The host link of the {} is not in the catalogue: {} GB/s, PCIe 4.0 x16, is assumed.",
                   withoutHostLink(p).name, formatText(value, ValueFormat::Plain));
    case WarningCode::SoftwareWithoutFit:
        return p.task == Task::Training
                   ? said("No published run decides what this software costs: its overheads are an estimate.")
                   : inference::beyondRunsText(code, value, p);
    case WarningCode::FamilyWithoutFit:
        return say("No measurements of the {}'s family went into the calibration: the estimate is rough and its "
                   "interval wide.",
                   p.accelerator->name);
    case WarningCode::ReplicaBeyondRuns:
    case WarningCode::FullBatchBeyondRuns:
    case WarningCode::RunsOfOlderReleases:
    case WarningCode::MixerWithoutRuns:
    case WarningCode::RunsOfLaterReleases:
    case WarningCode::FirstTokenOfBursts:
        return inference::beyondRunsText(code, value, p);
    case WarningCode::EfficiencyOverridden:
        if (std::string elsewhere = fittedElsewhere(p); !elsewhere.empty())
            return elsewhere;
        return said("The calibrated efficiencies are multiplied by the scenario's own factors.");
    case WarningCode::MeasurementsDisagree:
        return said("The measured figures imply times that differ by more than 2 %: the first in the order of the file "
                    "format decides.");
    case WarningCode::ModelInexact:
        return say("The family of {} is not known: it is counted like a Llama of its sizes.",
                   p.model->architecture.name);
    case WarningCode::BatchLimitedByMemory:
        return value == 1  ? said("Memory holds 1 sequence at a time, fewer than asked for.")
               : value > 1 ? say("Memory holds {} sequences at a time, fewer than asked for.", wholeText(value))
                           : said("Memory holds fewer sequences at a time than asked for.");
    case WarningCode::DoesNotFit:
        if (p.task == Task::Inference)
            return doesNotServeText(p, value);
        return value > 0
                   ? say("It does not fit: {} are missing on the fullest GPU. Times are computed as if it fitted.",
                         formatText(value, ValueFormat::Bytes))
                   : said("It does not fit. Times are computed as if it fitted.");
    case WarningCode::FasterThanIdeal:
        return say(
            "What was measured is impossible for these settings, {} times faster than the speed of light allows. "
            "Most likely {}.",
            value > 1e6 ? say("over a million") : formatText(std::max(value, 1.0), ValueFormat::Plain),
            likelyCause(p, value));
    case WarningCode::OtherUnitLikely:
        if (const std::string cause = slowCause(p, value); !cause.empty())
            return say("What was measured is {} times slower than predicted. Most likely {}.",
                       formatText(value, ValueFormat::Plain), cause);
        return say("What was measured is {} times slower than predicted: look at its unit.",
                   formatText(value, ValueFormat::Plain));
    case WarningCode::PeakMemoryUnit:
        return say("A peak of {} was measured, and the weights of a GPU alone are {}: peak_memory_bytes is in bytes.",
                   formatText(p.measured.peakMemoryBytes.value_or(0), ValueFormat::Bytes),
                   formatText(value, ValueFormat::Bytes));
    case WarningCode::MemoryMayNotFit:
        return say("It is predicted to fit, not sure to: the 80 % interval of its memory ends at {}, and software sees "
                   "{}.",
                   formatText(value, ValueFormat::Bytes),
                   formatText(p.accelerator->usableMemoryBytes(), ValueFormat::Bytes));
    case WarningCode::SavesMemory:
        return savesText(p, value);
    case WarningCode::CheckpointingRaised:
        return said("Checkpointing is not stated, and without it the job does not fit: 'full' is assumed.");
    case WarningCode::KeyWithoutEffect:
        return keysWithoutEffectText(p);
    case WarningCode::LoadDecidesBatch:
        return loadText(p, value);
    case WarningCode::LoadBeyondCapacity:
        return say("The load is {} of what can be served: the queue grows without bound, and the figures are those of "
                   "the most that can be served, without the wait for a place.",
                   formatText(value, ValueFormat::Percent));
    case WarningCode::PeakBeyondCapacity:
        return say("In the busiest hour the load is {} of what the replicas that run can serve: its requests wait "
                   "until the load falls.",
                   formatText(value, ValueFormat::Percent));
    case WarningCode::PoolsShareGpus:
        return say(
            "Disaggregated: {} of the GPUs read the prompts and the rest write the answers, so that neither holds "
            "the other up. It leaves out that the cache moves between them and that each holds whole replicas.",
            formatText(value, ValueFormat::Percent));
    case WarningCode::AcceptanceAssumed:
        return say("How many draft tokens are accepted is not stated: {} tokens a cycle are assumed, and the interval "
                   "is wide. Set 'acceptance_length' to what your engine's log says.",
                   formatText(value, ValueFormat::Plain));
    case WarningCode::FailsBeforeRestart:
        return say("The job fails before it has restarted or written a checkpoint: {} of its time trains.",
                   formatText(value, ValueFormat::Percent));
    case WarningCode::CheckpointBeyondRun:
        return say("The interval between checkpoints is longer than the run of {}: none is written before its end.",
                   formatText(value, ValueFormat::Seconds));
    case WarningCode::CheckpointWithinStep:
        return say("The interval between checkpoints is shorter than a step: one is written after each step, every {}.",
                   formatText(value, ValueFormat::Seconds));
    case WarningCode::PrefillPoolLimits:
        return say("The prefill pool is the bottleneck: the GPUs that decode do {} of what they could. Give prefill "
                   "more GPUs.",
                   formatText(value, ValueFormat::Percent));
    case WarningCode::TransferLimits:
        return say("Moving the KV cache between the pools is the bottleneck: the GPUs that decode do {} of what they "
                   "could. Give it faster links, or store the cache in fewer bits.",
                   formatText(value, ValueFormat::Percent));
    case WarningCode::PrefillDoesNotFit:
        return say("The prefill pool does not fit: {} are missing on its fullest GPU. Times are computed as if it "
                   "fitted.",
                   formatText(value, ValueFormat::Bytes));
    case WarningCode::ArrivalsBursty:
        return say("Requests come in bursts (variation {}): waits follow an approximation for milder ones, and may be "
                   "several times as long.",
                   formatText(value, ValueFormat::Plain));
    case WarningCode::PercentileTooFar:
        return farText(p);
    case WarningCode::RlWithoutFramework:
        return std::string(
            say("The RL step is what the GPUs have to do, and answers and states on their way between its parts. Nine "
                "published steps took 1.1 to 1.8 times as long, 1.3 at the median."));
    case WarningCode::RolloutDoesNotFit:
        return say("A copy that generates answers does not fit: {} are missing on each of its GPUs. Times are computed "
                   "as if one answer fitted at a time. Give a copy more GPUs.",
                   formatText(value, ValueFormat::Bytes));
    case WarningCode::PhaseDoesNotFit:
        return unfitPhasesText(p);
    case WarningCode::SoftwareLacks:
        return lackedText(p);
    case WarningCode::PhaseHasNotes:
        return phaseWarningsText(p);
    case WarningCode::RlUpdateDoesNotFit:
        return say("The update does not fit with its longest answers: {} are missing on the fullest GPU that trains. "
                   "Times are computed as if it did.",
                   formatText(value, ValueFormat::Bytes));
    case WarningCode::TierHitsUnknown:
        return say("The tiers of a replica hold {} tokens of past prompts. That says nothing of how many come back: "
                   "state the hit rate that your engine logs.",
                   formatText(value, ValueFormat::Integer));
    case WarningCode::TierSlower:
        if (!(value > 0))
            return said("Loading the cache from its tiers takes longer than computing it again.");
        if (value > fastestHostLink)
            return said("Loading the cache from its tiers takes longer than computing it again: it would over every "
                        "host link that the catalogue has.");
        return say("Loading the cache from its tiers takes longer than computing it again: it pays from {}.",
                   formatText(value, ValueFormat::BytesPerS));
    case WarningCode::HostComputes:
        return say("llama.cpp multiplies the weights in host memory, {} of each accelerator, on the processor at the "
                   "rate of its memory. Times are of reading them over the link: they may be several times too long.",
                   formatText(value, ValueFormat::Bytes));
    case WarningCode::HostWeightsWhole:
        return say("host_memory.weights_gb counts as {} GB: those are all weights of a GPU.",
                   formatText(value / 1e9, ValueFormat::Plain));
    case WarningCode::HostMemoryTooSmall:
        return p.hardware.hostMemoryGb
                   ? say("What is offloaded takes {} of a host's memory, which has {}.",
                         formatText(value, ValueFormat::Bytes),
                         formatText(*p.hardware.hostMemoryGb * giga, ValueFormat::Bytes))
                   : say("What is offloaded takes {} of a host's memory. Hosts of eight GPUs have at most {:.0f} "
                         "times the memory of these. Set 'host_memory_gb' to yours.",
                         formatText(value, ValueFormat::Bytes), usualHostMemory);
    case WarningCode::TierTooSmall:
        return say("A cache tier is smaller than what is found there of a single prompt, {} for each GPU: the hit rate "
                   "is taken as stated. Make the tier larger or the hit rate smaller.",
                   formatText(value, ValueFormat::Bytes));
    case WarningCode::BatchLimitedByPass:
        return p.inference.batchMax
                   ? say("A pass has room for the tokens of {} sequences and their prompts: fewer than memory "
                         "holds.",
                         wholeText(value))
                   : say("A pass has room for the tokens of {} sequences and their prompts: fewer than asked for.",
                         wholeText(value));
    case WarningCode::BatchAtMost:
        return say("'max' is at most {} sequences on a replica, and memory holds more: state a batch to go beyond.",
                   wholeText(value));
    case WarningCode::ProjectsAgain:
        return say("Keeping everything would not fit: {} of the keys and values are projected from their latents again "
                   "in the backward pass, which takes time.",
                   formatText(value, ValueFormat::Percent));
    case WarningCode::TrainsPrediction:
        return say("Layers for multi-token prediction are trained, too, as Megatron does: {} more parameters. Set "
                   "'multi_token_prediction' to say otherwise.",
                   formatText(value, ValueFormat::Parameters));
    case WarningCode::ModelAssumed:
        return assumedText(p.model->architecture);
    case WarningCode::NativeUnknown:
        return say("How many bits {} stores a weight in is not known: 16 are taken. Choose the weights' precision.",
                   p.model->architecture.name);
    }
    return {};
}

} // namespace headroom
