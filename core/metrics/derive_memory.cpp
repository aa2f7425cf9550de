// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/memory_unit.hpp"

#include <algorithm>
#include <string_view>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

double capacity(DerivationBuilder& b)
{
    return b.input("C", say("memory of one {} that may be filled", b.p.accelerator->name), b.e.capacityBytes, Bytes,
                   b.acceleratorSource({"memory", "memory_gb"}));
}

double used(DerivationBuilder& b)
{
    return b.input("U", say("memory in use on the fullest GPU"), b.e.usedBytes, Bytes);
}

void parallelSizes(DerivationBuilder& b)
{
    for (const std::string_view id : {"tensor", "pipeline", "expert"})
        if (const double size = id == "tensor"     ? static_cast<double>(b.p.parallelism.tensor)
                                : id == "pipeline" ? static_cast<double>(b.p.parallelism.pipeline)
                                                   : static_cast<double>(b.p.parallelism.expert);
            size > 1)
            b.parameter(id);
    if (b.training())
        b.parameter("sharding");
}

void inputsOf(DerivationBuilder& b, std::string_view part)
{
    const bool states = part == "gradients" || part == "optimizer";
    if (part == "weights" || states) {
        b.input("N", states ? say("trained parameters") : say("parameters"),
                states ? b.e.trainableParameters : b.e.totalParameters, Parameters, b.modelSource());
        if (part == "weights")
            b.parameter(b.training() ? "method" : "weights");
        else
            b.parameter(part == "optimizer" ? "optimizer" : "gradients");
        parallelSizes(b);
    } else if (part == "activations" || part == "logits") {
        b.parameter(b.training() ? "micro_batch" : "batch",
                    b.training() ? static_cast<double>(b.p.training.microBatch) : fullBatch(b.e));
        b.parameter(b.training() ? "sequence_length" : "prompt_tokens");
        if (b.training())
            b.parameter(part == "logits" ? "chunked_loss" : "checkpointing");
    } else if (part == "kv_cache") {
        b.parameter("batch", fullBatch(b.e));
        b.parameter("prompt_tokens");
        b.parameter("output_tokens");
        b.parameter("kv_cache");
        parallelSizes(b);
    } else {
        b.parameter(b.training() ? "software" : "engine");
    }
}

/// What layers with a state keep of a sequence, beside keys and values, and in which type the engine keeps it.
void assumeStates(DerivationBuilder& b)
{
    const inference::Machine m = inference::makeMachine(b.p, false);
    double bytes = 0, bits = 0;
    for (const LayerKind& kind : b.p.model->kinds) {
        const double values = inference::stateBytes(kind, m.kept(), m.sizes.tensor);
        bytes += kind.count * m.speculation.verified() * values;
        if (values > 0)
            bits = 8 * inference::stateValueBytes(kind, m.kept()).state;
    }
    if (bytes > 0)
        b.assume(
            say("Recurrent states are in it: of each sequence, however long it is, {} on a tensor rank, all layers "
                "together, in {} bit as this engine keeps them.",
                shown(bytes, Bytes), bits));
}

void assumeFraction(DerivationBuilder& b, const inference::Machine& m)
{
    if (m.engine.reserve == ReserveRule::Fraction)
        b.assume(said("This engine gives weights and cache a share of the memory. What is outside of it is for "
                      "activations and graphs, and counts as theirs."));
}

/// What the engine sets aside when it starts, whatever the batch.
void assumeReserve(DerivationBuilder& b, std::string_view part)
{
    if (b.training() || (part != "activations" && part != "logits"))
        return;
    const inference::Machine m = inference::makeMachine(b.p, false);
    const inference::MemoryPlan plan = inference::planMemory(b.p, m);
    if (m.engine.reserve == ReserveRule::Profile)
        b.assume(say("This engine tries a pass of {} tokens when it starts, and then to sample {} sequences: it keeps "
                     "what the larger of the two took. Logits have what they add.",
                     wholeText(plan.chunkTokens), wholeText(plan.logitSequences)));
    if (part == "activations")
        assumeFraction(b, m);
}

/// Whether these are gradients that come as activations go, so that not all are there when most memory is in use.
bool gradientsGo(const DerivationBuilder& b, std::string_view part)
{
    WarningSet ignored;
    return b.training() && part == "gradients" && !gradientsStay(planTraining(b.p, ignored));
}

/// What of an update's copies and of a layer's gradients is there when most is.
void assumePeak(DerivationBuilder& b, std::string_view part)
{
    if (!b.training() || (part != "gradients" && part != "optimizer" && part != "activations"))
        return;
    WarningSet ignored;
    const TrainingPlan plan = planTraining(b.p, ignored);
    if (part == "gradients" && plan.updatesInBackward)
        b.assume(said("Each parameter is updated as soon as its gradient is there, which is then freed: those of a "
                      "layer, or of a matrix of the vocabulary, are there at once, with the optimizer's copies."));
    if (part == "optimizer" && plan.profile.updateCopies > 0 && b.p.training.optimizer == Optimizer::AdamW)
        b.assume(said("AdamW's update copies one of its two moments. Shown with what the copy adds to the fullest "
                      "moment of a step."));
    if (part == "activations" && keepsInputGradients(plan))
        b.assume(said("This stack's shards of frozen layers keep the gradient of each layer's input until the "
                      "backward pass ends."));
}

/// As the engine counts it.
void utilization(DerivationBuilder& b)
{
    const inference::Machine m = inference::makeMachine(b.p, false);
    b.parameter("memory_utilization", inference::planMemory(b.p, m).utilization);
    assumeFraction(b, m);
}

/// A label's GB are GiB or less: as bytes it would be another amount than what software sees.
void assumeLabel(DerivationBuilder& b)
{
    if (const auto& gib = b.p.accelerator->memoryUsableGib)
        b.assume(say("Of the {} GB it is sold with, software sees {} GiB: {}.",
                     withLocalMark(exactNumber(b.p.accelerator->memoryGb)), withLocalMark(exactNumber(*gib)),
                     shown(b.p.accelerator->usableMemoryBytes(), Bytes)));
}

} // namespace

void memoryUsed(DerivationBuilder& b)
{
    double sum = 0;
    std::string terms;
    for (int i = 0; i < memoryPartCount; ++i) {
        const auto part = static_cast<MemoryPart>(i);
        const double bytes = b.e.part(part);
        if (bytes <= 0)
            continue;
        b.input("", say(label(part)), bytes, Bytes, b.calibrationSource());
        sum += bytes;
        terms += (terms.empty() ? "" : " + ") + shown(bytes, Bytes);
    }
    b.result(say("sum of the parts"), terms, sum);
    b.explain(usedBytesFit(b.e)
                  ? say("It fits: {} are free.", shown(b.e.capacityBytes - b.e.usedBytes, Bytes))
                  : say("It does not fit: {} are missing.", shown(b.e.usedBytes - b.e.capacityBytes, Bytes)));
    if (const std::string others = lackText(b.e); !others.empty())
        b.explain(capitalized(others) + ".");
    if (const auto& host = b.e.hostStates)
        b.explain(host->gpus > 1 ? say("Offloaded: {} of each GPU lie in its host's memory, {} of a host with {} GPUs.",
                                       shown(host->bytes, Bytes), shown(host->hostBytes, Bytes), wholeText(host->gpus))
                                 : say("Offloaded: {} lie in the host's memory.", shown(host->bytes, Bytes)));
    if (const auto& interval = b.e.usedBytesInterval)
        b.assume(say("{}: four of five comparable runs lie between {} and {}.", say("Memory"),
                     shown(interval->low, Bytes), shown(interval->high, Bytes)));
    else if (b.training())
        b.assume(said("Memory has no interval here: what the job recomputes is not stated."));
    b.assume(memoryUnit() == MemoryUnit::Gibibyte
                 ? say("What an allocator reserves, on the GPU that holds most. GiB are 2³⁰ bytes.")
                 : say("What an allocator reserves, on the GPU that holds most. GB are 10⁹ bytes."));
    assumeLabel(b);
}

void memoryShare(DerivationBuilder& b)
{
    const double bytes = used(b), all = capacity(b);
    b.result("U ÷ C", fmt::format("{} ÷ {}", shown(bytes, Bytes), shown(all, Bytes)), bytes / all);
}

void memoryFree(DerivationBuilder& b)
{
    const double all = capacity(b), bytes = used(b);
    b.result("C − U", fmt::format("{} − {}", shown(all, Bytes), shown(bytes, Bytes)), all - bytes);
}

void memoryCapacity(DerivationBuilder& b)
{
    b.input("", say("memory of one {}", b.p.accelerator->name), b.p.accelerator->usableMemoryBytes(), Bytes,
            b.acceleratorSource({"usable", "memory"}));
    assumeLabel(b);
    if (!b.training())
        utilization(b);
    b.result(b.training() ? say("what software sees") : say("what software sees, as far as the engine may fill it"), {},
             b.e.capacityBytes);
}

void memoryPart(DerivationBuilder& b)
{
    const std::string_view part = b.metric.id.substr(b.metric.id.find('.') + 1);
    inputsOf(b, part);
    const bool go = gradientsGo(b, part);
    b.result(go ? said("what gradients add to the fullest moment of a step") : say(b.metric.formula), {},
             *b.metric.value(b.e), b.calibrationSource());
    b.assume(say("Summed tensor by tensor over the rank that holds most."));
    if (go)
        b.assume(said("This stack makes gradients in the backward pass, as activations go: the two are not there at "
                      "once."));
    assumePeak(b, part);
    assumeReserve(b, part);
    if (part == "kv_cache")
        assumeStates(b);
}

void maxBatch(DerivationBuilder& b)
{
    const double all = capacity(b);
    const double others =
        b.input("o", say("weights, activations and overhead"), b.e.usedBytes - b.e.part(MemoryPart::KvCache), Bytes);
    utilization(b);
    b.parameter("prompt_tokens");
    b.parameter("output_tokens");
    b.parameter("kv_cache");
    b.result(say(b.metric.formula),
             say("what {} − {} hold of full-length sequences", shown(all, Bytes), shown(others, Bytes)), *b.e.maxBatch,
             say("the engine's rule for the memory it may fill"));
}

} // namespace headroom::derivations
