// SPDX-License-Identifier: GPL-3.0-or-later
// What the notes say where a prediction of serving rests on other runs than those of its kind.
#include "core/predict/inference/inference_machine.hpp"
#include "core/predict/inference/inference_residual.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"

namespace headroom::inference
{
namespace
{

/// TensorRT-LLM, and FasterTransformer, which it came from.
bool isOfNvidia(InferenceSoftware software)
{
    using enum InferenceSoftware;
    return software == TrtLlm || software == TrtLlm2024 || software == TrtLlm2023 || software == FasterTransformer;
}

bool isLlamaCpp(InferenceSoftware software)
{
    return software == InferenceSoftware::LlamaCpp || software == InferenceSoftware::LlamaCpp2024;
}

std::string softwareText(double value, const PreparedScenario& p)
{
    if (value == cardWithoutRuns)
        return said("Of today's engines on workstation and consumer cards only runs of Ada's went into the "
                    "calibration, in 8 and 16 bit without attention data parallelism: the estimate is rough and its "
                    "interval wide.");
    if (isOfNvidia(p.inference.software) && p.accelerator->vendor != "NVIDIA")
        return said("This engine runs on NVIDIA's GPUs alone: the figures are those of one like it.");
    if (isLlamaCpp(p.inference.software) && !hasGpuCores(*p.accelerator) && p.accelerator->vendor != "Huawei")
        return said("llama.cpp does not run on this accelerator: the figures are those of an engine like it.");
    return said("There is no fit of this software for this hardware: its overheads are those on other hardware, or of "
                "'tuned' where it has no runs at all.");
}

std::string replicaText(double value)
{
    if (value == beyondRunsPipeline)
        return said("No run of today's engines with more than one pipeline stage went into the calibration: the "
                    "estimate is rough and its interval wide.");
    if (value == beyondRunsNetwork)
        return said("No run of today's engines whose ranks of a layer meet over the network went into the "
                    "calibration: the estimate is rough and its interval wide.");
    return value == beyondRunsExchange
               ? say("No run of today's engines with more than {:.0f} GPUs in a replica went into the calibration: "
                     "the estimate is rough and its interval wide. The exchange between experts is counted "
                     "whole; engines that run two batches in turn hide much of it.",
                     mostFittedDevices)
               : say("No run of today's engines with more than {:.0f} GPUs in a replica went into the calibration: "
                     "the estimate is rough and its interval wide.",
                     mostFittedDevices);
}

std::string olderText(const PreparedScenario& p)
{
    if (const auto newer = beyondNewestRelease(p); !newer.empty())
        return say("This engine's runs in the calibration are of releases before {}. Later ones may decode faster: "
                   "the interval reaches as far.",
                   newer);
    return said("llama.cpp's runs in the calibration are of May 2024. Later releases decode faster, most of all "
                "small models and experts: the interval reaches as far.");
}

} // namespace

std::string beyondRunsText(WarningCode code, double value, const PreparedScenario& p)
{
    switch (code) {
    case WarningCode::SoftwareWithoutFit:
        return softwareText(value, p);
    case WarningCode::ReplicaBeyondRuns:
        return replicaText(value);
    case WarningCode::FullBatchBeyondRuns:
        return say("Of mixtures of experts with a full batch only runs of up to {:.0f} experts without attention data "
                   "parallelism went into the calibration: the estimate is rough and its interval wide.",
                   mostFittedExperts);
    case WarningCode::RunsOfOlderReleases:
        return olderText(p);
    case WarningCode::MixerWithoutRuns:
        return said("No run of a model with state-space layers on today's engines went into the calibration: the "
                    "estimate is rough and its interval wide.");
    case WarningCode::RunsOfLaterReleases:
        return say(
            "SGLang's runs in the calibration are of release {} and later. Earlier releases were slower, most of "
            "all with experts: the estimate is rough and its interval wide.",
            oldestFittedSglang);
    case WarningCode::FirstTokenOfBursts:
        return say("The runs behind SGLang's first token are of benchmarks that begin with all requests at once. A "
                   "server in use may answer {:.2f} s sooner: the interval reaches as far.",
                   value);
    default:
        return {};
    }
}

} // namespace headroom::inference
