// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/memory_unit.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
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

/// What serving keeps, and the machine that it is of.
struct ServedMemory {
    explicit ServedMemory(const DerivationBuilder& b)
        : machine(inference::makeMachine(b.p, b.p.efficiency.base == EfficiencyBase::Ideal)),
          plan(inference::planMemory(b.p, machine))
    {
    }
    inference::Machine machine;
    inference::MemoryPlan plan;
};

/// Layers of one kind whose every token takes as much: tokens × values × bytes; empty where layers differ, or keep
/// windows, states or an index beside it.
struct PlainCache {
    double layers = 0; ///< on the GPU at hand
    double values = 0; ///< that a token keeps in one of them, on one tensor rank
};

std::optional<PlainCache> plainCache(const DerivationBuilder& b, const inference::Machine& m, double tokens, double all)
{
    std::optional<PlainCache> found;
    for (const LayerKind& k : b.p.model->kinds) {
        const double each = inference::layerCacheBytes(*b.p.model, k, tokens, m.kept(), m.sizes.tensor, m.sizes.context,
                                                       m.speculation.verified());
        const double values = inference::cacheValuesPerToken(k, m.sizes.tensor);
        const double plain = tokens * values * m.kept().value / m.sizes.context;
        constexpr double rounding = 1e-9;
        if (!(plain > 0) || std::abs(each / plain - 1) > rounding || (found && found->values != values))
            return std::nullopt;
        const double layers = all / each;
        if (std::abs(layers - std::round(layers)) > rounding * layers)
            return std::nullopt;
        found = PlainCache{std::round(layers), values};
    }
    return found;
}

/// Cache of one sequence at its full length on a GPU of the stage, bytes: with its numbers where layers are alike.
double cacheOfOne(DerivationBuilder& b, const inference::Machine& m, const inference::StageNeed& stage)
{
    b.parameter("prompt_tokens");
    b.parameter("output_tokens");
    b.parameter("kv_cache");
    const double tokens = b.input("l", say("tokens of a sequence at its full length"),
                                  inference::heldTokens(b.p.inference) + m.speculation.drafts, Plain);
    const double all = stage.cachePerSequence;
    const std::string_view name = say("cache of one sequence, on the fullest GPU");
    const auto plain = plainCache(b, m, tokens, all);
    if (!plain) {
        b.assume(say("Layers differ in what they keep of a sequence: summed layer by layer, windows, latents, indexes "
                     "and states as they are."));
        return b.input("k", name, all, Bytes, b.modelSource());
    }
    b.input("L", say("layers on the fullest GPU"), plain->layers, Integer, b.modelSource());
    b.input("v", say("values that a token keeps in a layer, on a tensor rank"), plain->values, Plain, b.modelSource());
    const double context = m.sizes.context > 1 ? b.parameter("context") : 1;
    b.step("k", name, context > 1 ? say("l × L × v × bytes of a value ÷ CP") : say("l × L × v × bytes of a value"),
           product({{tokens, Plain}, {plain->layers, Plain}, {plain->values, Plain}, {m.kept().value, Plain}}) +
               (context > 1 ? " ÷ " + wholeText(context) : std::string()),
           all, Bytes);
    return all;
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
    b.assume(memoryUnit() == MemoryUnit::Gibibyte ? say("What is taken of the GPU that is fullest. GiB are 2³⁰ bytes.")
                                                  : say("What is taken of the GPU that is fullest. GB are 10⁹ bytes."));
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
}

void kvCache(DerivationBuilder& b)
{
    const ServedMemory served(b);
    const InferenceWorkload& w = b.p.inference;
    double batch = std::max(1.0, static_cast<double>(w.batch));
    if (w.batchMax) // room is for as many as fit, also where a narrow prefill pool keeps fewer in flight
        batch = b.e.queue || !b.e.pools ? fullBatch(b.e)
                                        : served.plan.attentionData *
                                              std::round(b.e.part(MemoryPart::KvCache) /
                                                         served.plan.fullest(served.plan.maxBatch).cachePerSequence);
    parallelSizes(b);
    double sequences = b.parameter("batch", batch);
    if (const double ranks = served.plan.attentionData; ranks > 1) {
        b.parameter("attention_data");
        sequences =
            b.step("n", say("sequences on the fullest GPU"), say("⌈batch ÷ attention-data ranks⌉"),
                   fmt::format("⌈{} ÷ {}⌉", wholeText(batch), wholeText(ranks)), served.plan.sequences(batch), Integer);
    }
    const double one = cacheOfOne(b, served.machine, served.plan.fullest(batch));
    b.result(say(b.metric.formula), fmt::format("{} × {}", wholeText(sequences), shown(one, Bytes)), sequences * one,
             b.calibrationSource());
    assumeStates(b);
}

void maxBatch(DerivationBuilder& b)
{
    const ServedMemory served(b);
    const inference::MemoryPlan& plan = served.plan;
    const double most = *b.e.maxBatch, tried = std::max(1.0, most);
    const auto left = [&](const inference::StageNeed& stage) {
        return std::max(0.0, plan.freeShare * (plan.capacity - plan.fixedNeed(stage, tried)));
    };
    const auto holds = [&](const inference::StageNeed& stage) { return left(stage) / stage.cachePerSequence; };
    const inference::StageNeed* stage = &plan.first; // the one that holds the fewest
    for (const inference::StageNeed& other : plan.others)
        if (holds(other) < holds(*stage))
            stage = &other;
    const double all = b.input("C", say("memory of one {} that may be filled", b.p.accelerator->name), plan.capacity,
                               Bytes, b.acceleratorSource({"memory", "memory_gb"}));
    utilization(b);
    const double others = b.input("o", say("weights, activations and overhead with so many sequences"),
                                  plan.fixedNeed(*stage, tried), Bytes);
    const bool shared = plan.freeShare < 1;
    b.step("M", say("memory left for the cache"), shared ? say("(C − o) × share that the cache may take") : "C − o",
           shared
               ? fmt::format("({} − {}) × {}", shown(all, Bytes), shown(others, Bytes), shown(plan.freeShare, Percent))
               : fmt::format("{} − {}", shown(all, Bytes), shown(others, Bytes)),
           left(*stage), Bytes);
    const double one = cacheOfOne(b, served.machine, *stage);
    const double ranks = plan.attentionData > 1 ? b.parameter("attention_data") : 1;
    const std::string numbers = fmt::format("⌊{} ÷ {}⌋", shown(left(*stage), Bytes), shown(one, Bytes));
    const std::string_view source = say("the engine's rule for the memory it may fill");
    const double whole = ranks * std::floor(holds(*stage) * (1 + roundingError));
    if (whole != most) // one more takes more than its cache: its prompt's activations, too
        b.result(say("the most sequences whose cache what they leave holds"),
                 say("{} × {} in {}; not one more", wholeText(most), shown(one, Bytes), shown(left(*stage), Bytes)),
                 most, source);
    else
        b.result(ranks > 1 ? say("⌊M ÷ k⌋ × attention-data ranks") : say(b.metric.formula),
                 ranks > 1 ? numbers + " × " + wholeText(ranks) : numbers, whole, source);
}

} // namespace headroom::derivations
