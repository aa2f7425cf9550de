// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_distance.hpp"

#include "core/metrics/words.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace headroom
{
namespace
{

using Features = const RunFeatures&;
using Ids = std::array<std::string_view, 1>;

/// Below this a difference is not worth a word: fp8 against mxfp8, a hundredth more tokens.
constexpr double silent = 0.15;
constexpr std::size_t mostNamed = 4;

template <RunSize Size>
double doublings(Features a, Features b)
{
    return std::abs(a.size(Size) - b.size(Size));
}

/// A weight as a ratio, so that it can be a template argument.
template <RunSize Size, int Numerator, int Denominator = 1>
double weighted(Features a, Features b)
{
    return doublings<Size>(a, b) * Numerator / Denominator;
}

template <auto Member, int Weight>
double different(Features a, Features b)
{
    return a.*Member == b.*Member ? 0 : Weight;
}

/// A number of the parameter's own kind: "8k", "1.5".
std::string sizeText(double log2, std::string_view parameter, Task task)
{
    const double value = std::exp2(log2);
    const ParameterRow* row = parameterRow(parameter, task);
    return row ? tickText(*row, std::abs(value - std::round(value)) < 1e-6 * value ? std::round(value) : value)
               : formatText(value, ValueFormat::Plain);
}

template <RunSize Size, const Ids& Parameter>
std::string sizeWords(Features run, Features here)
{
    const ParameterRow* row = parameterRow(Parameter[0], here.task);
    const std::string name = row ? inSentence(row->label) : std::string(Parameter[0]);
    return say("{} {} instead of {}", name, sizeText(run.size(Size), Parameter[0], run.task),
               sizeText(here.size(Size), Parameter[0], here.task));
}

constexpr Ids count{"count"}, sequence{"sequence_length"}, microBatch{"micro_batch"}, globalBatch{"global_batch"},
    batch{"batch"}, prompt{"prompt_tokens"}, output{"output_tokens"}, tensor{"tensor"}, pipeline{"pipeline"},
    context{"context"}, expert{"expert"}, precision{"precision"}, weights{"weights"}, cache{"kv_cache"},
    method{"method"}, checkpointing{"checkpointing"}, sharding{"sharding"}, scheduling{"scheduling"},
    software{"software"}, engine{"engine"}, flash{"flash_attention"}, drafting{"speculative_method"},
    packed{"packed_sample_tokens"}, power{"power_limit_w"}, network{"scale_out_gbit_per_s"}, node{"per_node"},
    offload{"offload"};

double modelDistance(Features a, Features b)
{
    if (a.model == b.model)
        return 0;
    const bool family = !a.modelFamily.empty() && a.modelFamily == b.modelFamily;
    return (family ? 0.5 : 1) + different<&RunFeatures::moe, 4>(a, b) + different<&RunFeatures::attention, 1>(a, b) +
           doublings<RunSize::Parameters>(a, b) + doublings<RunSize::ActiveParameters>(a, b) / 2;
}

double acceleratorDistance(Features a, Features b)
{
    if (a.accelerator == b.accelerator)
        return 0;
    return (a.acceleratorFamily == b.acceleratorFamily ? 0.5 : 2) + doublings<RunSize::Peak>(a, b) +
           doublings<RunSize::MemoryBandwidth>(a, b);
}

/// "tuned" stands for no stack in particular: half way to each.
double softwareDistance(Features a, Features b)
{
    return a.software == b.software ? 0 : a.software == 0 || b.software == 0 ? 0.5 : 1;
}

std::string modelWords(Features run, Features here)
{
    return run.model == here.model ? said("same model") : say("{} instead of {}", run.modelName, here.modelName);
}

std::string acceleratorWords(Features run, Features here)
{
    return run.accelerator == here.accelerator ? said("same GPU")
                                               : say("{} instead of {}", run.acceleratorName, here.acceleratorName);
}

std::string countWords(Features run, Features here)
{
    const double gpus = std::round(std::exp2(here.size(RunSize::Accelerators)));
    const std::string there = sizeText(run.size(RunSize::Accelerators), count[0], run.task),
                      now = sizeText(here.size(RunSize::Accelerators), count[0], here.task);
    return gpus == 1 ? say("{} instead of {} GPU", there, now) : say("{} instead of {} GPUs", there, now);
}

std::string microBatchesWords(Features run, Features here)
{
    return say("{} instead of {} micro-batches a step", wholeText(std::exp2(run.size(RunSize::MicroBatches))),
               wholeText(std::exp2(here.size(RunSize::MicroBatches))));
}

std::string precisionWords(Features run, Features here)
{
    if (run.precision == here.precision) // the same kind, packed differently
        return say("{} instead of {} bits a weight",
                   formatText(std::exp2(run.size(RunSize::PrecisionBits)), ValueFormat::Plain),
                   formatText(std::exp2(here.size(RunSize::PrecisionBits)), ValueFormat::Plain));
    return say("{} instead of {}", toId(run.precision), toId(here.precision));
}

std::string cacheWords(Features run, Features here)
{
    return say("{} instead of {} cache", toId(run.cache), toId(here.cache));
}

/// The label that the registry has for a choice: "LoRA instead of full".
std::string choiceWords(std::string_view parameter, Task task, int run, int here)
{
    const ParameterRow* row = parameterRow(parameter, task);
    return row ? say("{} {} instead of {}", inSentence(row->label), tickText(*row, run), tickText(*row, here))
               : std::string();
}

template <auto Member, const Ids& Parameter>
std::string memberWords(Features run, Features here)
{
    return choiceWords(Parameter[0], here.task, static_cast<int>(run.*Member), static_cast<int>(here.*Member));
}

std::string checkpointingWords(Features run, Features here)
{
    if (run.checkpointing == Checkpointing::Unknown)
        return said("checkpointing not stated");
    return memberWords<&RunFeatures::checkpointing, checkpointing>(run, here);
}

std::string softwareWords(Features run, Features here)
{
    if (here.task == Task::Training)
        return memberWords<&RunFeatures::software, software>(run, here);
    return memberWords<&RunFeatures::software, engine>(run, here);
}

/// Two releases of one stack: nearer than two stacks, as their runs are. Nothing where either does not say.
double versionDistance(Features a, Features b)
{
    const bool both = a.software == b.software && a.version && b.version;
    return both && a.version != b.version ? 0.25 : 0;
}

std::string versionWords(Features run, Features here)
{
    return say("release {} instead of {}", run.version->text(), here.version->text());
}

/// With drafts or without is another workload; who drafts, and how many, changes less.
double speculationDistance(Features a, Features b)
{
    if (a.drafting < 0 && b.drafting < 0)
        return 0;
    if (a.drafting < 0 || b.drafting < 0)
        return 2;
    return different<&RunFeatures::drafting, 1>(a, b) + std::abs(a.draftTokens - b.draftTokens) / 4;
}

std::string speculationWords(Features run, Features here)
{
    if (run.drafting < 0)
        return said("without speculative decoding");
    if (here.drafting < 0)
        return said("with speculative decoding");
    return run.drafting == here.drafting ? say("{} instead of {} draft tokens", run.draftTokens, here.draftTokens)
                                         : said("another way of drafting");
}

std::string packedWords(Features run, Features here)
{
    return say("{} instead of {} samples a sequence",
               formatText(std::exp2(run.size(RunSize::PackedSamples)), ValueFormat::Plain),
               formatText(std::exp2(here.size(RunSize::PackedSamples)), ValueFormat::Plain));
}

std::string powerWords(Features run, Features here)
{
    return say("{} instead of {} of the rated power", percentText(std::exp2(run.size(RunSize::PowerLimit))),
               percentText(std::exp2(here.size(RunSize::PowerLimit))));
}

std::string networkWords(Features run, Features here)
{
    return say("{} instead of {} of the network's rate", percentText(std::exp2(run.size(RunSize::Network))),
               percentText(std::exp2(here.size(RunSize::Network))));
}

std::string nodeWords(Features, Features)
{
    return said("nodes of another size");
}

std::string hostWeightsWords(Features run, Features)
{
    return run.hostWeights ? said("with weights in host memory") : said("without weights in host memory");
}

/// Half the prompt less to read is a doubling less.
double cachedDistance(Features a, Features b)
{
    return 2 * std::abs(a.cachedPrompt - b.cachedPrompt);
}

std::string cachedWords(Features run, Features here)
{
    return say("{} instead of {} of the prompts cached", percentText(run.cachedPrompt), percentText(here.cachedPrompt));
}

constexpr std::array<std::string_view, 2> softwares{"software", "engine"};

using S = RunSize;
using F = RunFeatures;
constexpr DistanceTerm distances[] = {
    {"model", {}, true, true, modelDistance, modelWords},
    {"accelerator", {}, true, true, acceleratorDistance, acceleratorWords},
    {"accelerators", count, true, true, weighted<S::Accelerators, 1, 2>, countWords},
    {"method", method, true, false, different<&F::method, 4>, memberWords<&F::method, method>},
    {"precision", precision, true, false, weighted<S::PrecisionBits, 2>, precisionWords},
    {"weights", weights, false, true, weighted<S::PrecisionBits, 2>, precisionWords},
    {"cache", cache, false, true, weighted<S::CacheBits, 1, 2>, cacheWords},
    {"sequence", sequence, true, false, weighted<S::Sequence, 1>, sizeWords<S::Sequence, sequence>},
    {"micro_batch", microBatch, true, false, weighted<S::MicroBatch, 1>, sizeWords<S::MicroBatch, microBatch>},
    {"micro_batches", globalBatch, true, false, weighted<S::MicroBatches, 1, 4>, microBatchesWords},
    {"batch", batch, false, true, weighted<S::Batch, 1>, sizeWords<S::Batch, batch>},
    {"prompt", prompt, false, true, weighted<S::Prompt, 1, 2>, sizeWords<S::Prompt, prompt>},
    {"output", output, false, true, weighted<S::Output, 1, 4>, sizeWords<S::Output, output>},
    {"tensor", tensor, true, true, weighted<S::Tensor, 1, 2>, sizeWords<S::Tensor, tensor>},
    {"pipeline", pipeline, true, true, weighted<S::Pipeline, 1, 2>, sizeWords<S::Pipeline, pipeline>},
    {"context", context, true, true, weighted<S::Context, 1, 2>, sizeWords<S::Context, context>},
    {"expert", expert, true, true, weighted<S::Expert, 1, 4>, sizeWords<S::Expert, expert>},
    {"checkpointing", checkpointing, true, false, different<&F::checkpointing, 1>, checkpointingWords},
    {"sharding", sharding, true, false, different<&F::sharding, 1>, memberWords<&F::sharding, sharding>},
    {"scheduling", scheduling, false, true, different<&F::scheduling, 1>, memberWords<&F::scheduling, scheduling>},
    {"speculation", drafting, false, true, speculationDistance, speculationWords},
    {"flash_attention", flash, true, true, different<&F::flash, 2>,
     [](Features run, Features) -> std::string {
         return run.flash ? said("with FlashAttention") : said("without FlashAttention");
     }},
    {"software", softwares, true, true, softwareDistance, softwareWords},
    {"version", {}, true, true, versionDistance, versionWords},
    {"packed", packed, true, false, weighted<S::PackedSamples, 1, 2>, packedWords},
    {"offload", offload, true, false, different<&F::offload, 2>, memberWords<&F::offload, offload>},
    {"power_limit", power, true, true, weighted<S::PowerLimit, 1>, powerWords},
    {"network", network, true, true, weighted<S::Network, 1, 2>, networkWords},
    {"node", node, true, true, weighted<S::Node, 1, 2>, nodeWords},
    {"host_weights", {}, false, true, different<&F::hostWeights, 4>, hostWeightsWords},
    {"cached", {}, false, true, cachedDistance, cachedWords},
};

bool speaksOf(const DistanceTerm& term, std::string_view parameterId)
{
    return !parameterId.empty() && std::ranges::find(term.parameters, parameterId) != term.parameters.end();
}

} // namespace

std::span<const DistanceTerm> distanceTerms()
{
    return distances;
}

bool hasDistanceTerm(std::string_view parameterId, Task task)
{
    return std::ranges::any_of(
        distances, [&](const DistanceTerm& term) { return appliesTo(term, task) && speaksOf(term, parameterId); });
}

double runDistance(const RunFeatures& a, const RunFeatures& b, std::string_view alongParameter, double most)
{
    if (a.task != b.task)
        return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const DistanceTerm& term : distances) {
        if (sum > most)
            break;
        if (appliesTo(term, a.task) && !speaksOf(term, alongParameter))
            sum += term.distance(a, b);
    }
    return sum;
}

std::string differenceText(const RunFeatures& run, const RunFeatures& here, std::string_view alongParameter)
{
    struct Part {
        double distance;
        std::string words;
    };
    std::vector<Part> parts;
    std::string text = modelWords(run, here) + ", " + acceleratorWords(run, here);
    for (const DistanceTerm& term : std::span(distances).subspan(2)) {
        const double distance =
            appliesTo(term, here.task) && !speaksOf(term, alongParameter) ? term.distance(run, here) : 0;
        if (distance >= silent)
            parts.push_back({distance, term.words(run, here)});
    }
    std::ranges::stable_sort(parts, std::ranges::greater{}, &Part::distance);
    for (std::size_t i = 0; i < std::min(parts.size(), mostNamed); ++i)
        text += ", " + parts[i].words;
    if (parts.size() > mostNamed)
        text += parts.size() == mostNamed + 1 ? said(" and 1 smaller difference")
                                              : say(" and {} smaller differences", parts.size() - mostNamed);
    return text;
}

std::string_view nearnessWord(double distance)
{
    return distance < 1   ? phrase("nearly the same")
           : distance < 3 ? phrase("close")
           : distance < 6 ? phrase("similar")
                          : phrase("far");
}

} // namespace headroom
