// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"

#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/training/training_plan.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

namespace
{

std::string superscript(int exponent)
{
    constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += digits[digit - '0'];
    return text;
}

} // namespace

std::string scientific(double value)
{
    if (value == 0)
        return "0";
    if (std::abs(value) < 1e7 && value == std::round(value))
        return wholeText(value);
    if (std::abs(value) >= 0.001 && std::abs(value) < 1e5)
        return numberText(value);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return fmt::format("{} × 10{}", withLocalMark(fmt::format("{:.2f}", value / std::pow(10, exponent))),
                       superscript(exponent));
}

std::string shown(double value, ValueFormat format)
{
    return format == ValueFormat::Plain ? scientific(value) : formatText(value, format);
}

std::string product(std::initializer_list<std::pair<double, ValueFormat>> factors)
{
    std::string text;
    for (const auto& [value, format] : factors)
        text += (text.empty() ? "" : " × ") + shown(value, format);
    return text;
}

double DerivationBuilder::input(std::string_view symbol, std::string_view name, double value, ValueFormat format,
                                std::string_view source)
{
    DerivationStep step;
    step.symbol = symbol;
    step.name = name;
    step.value = value;
    step.format = format;
    step.source = source;
    derivation.steps.push_back(std::move(step));
    return value;
}

double DerivationBuilder::parameter(std::string_view id)
{
    const ParameterRow* row = parameterRow(id, p.task);
    return parameter(id, row ? row->get(p) : 0);
}

double DerivationBuilder::parameter(std::string_view id, double effective)
{
    const ParameterRow* row = parameterRow(id, p.task);
    if (!row)
        return effective;
    std::string name = said(row->label);
    if (row->optional && !row->isSet(p))
        name += say(" (automatic)");
    // What memory or the load cuts is not what the file says: both numbers stand there.
    if (row->id == "batch" && !p.inference.batchMax && effective < double(p.inference.batch))
        name += say(" (of {} that are asked for)", wholeText(double(p.inference.batch)));
    input(row->symbol, name, effective, row->format);
    derivation.steps.back().parameterId = row->id;
    derivation.steps.back().unit = say(row->unit);
    return effective;
}

double DerivationBuilder::answer()
{
    const double tokens = parameter("output_tokens", inference::answerTokens(p.inference));
    if (tokens != std::round(tokens))
        derivation.steps.back().format = ValueFormat::Plain;
    return tokens;
}

double DerivationBuilder::step(std::string_view symbol, std::string_view name, std::string_view formula,
                               std::string substituted, double value, ValueFormat format, std::string_view source)
{
    input(symbol, name, value, format, source);
    derivation.steps.back().formula = formula;
    derivation.steps.back().substituted = std::move(substituted);
    return value;
}

double DerivationBuilder::result(std::string_view formula, std::string substituted, double value,
                                 std::string_view source)
{
    return step(say(metric.label), say(metric.longName), formula, std::move(substituted), value, metric.format, source);
}

void DerivationBuilder::explain(std::string_view text)
{
    derivation.meaning += derivation.meaning.empty() ? "" : " ";
    derivation.meaning += text;
}

double DerivationBuilder::cachedTokens()
{
    const double below = tierHits(p.inference);
    if (!p.inference.prefixHitRate && below <= 0)
        return parameter("prefix_cached_tokens");
    double share =
        parameter("prefix_hit_rate", p.inference.prefixHitRate.value_or(double(p.inference.prefixCachedTokens) /
                                                                        double(p.inference.promptTokens)));
    if (below > 0)
        share = std::min(
            1.0, share + input("h_t", say("share that lies in host memory or on NVMe"), below, ValueFormat::Percent));
    return step("q", say("cached tokens of a prompt"), say("hit rate × prompt"),
                fmt::format("{} × {}", shown(share, ValueFormat::Percent), wholeText(double(p.inference.promptTokens))),
                share * static_cast<double>(p.inference.promptTokens), ValueFormat::Plain);
}

double DerivationBuilder::gpus()
{
    return parameter("count");
}

namespace
{

/// The precision that a result's peak is of: the scenario's own, or the one that stands in for it.
DataType precisionOfPeak(const PreparedScenario& p, double peak)
{
    using enum DataType;
    const DataType own =
        p.task == Task::Training ? p.training.precision : p.inference.compute.value_or(p.inference.weights);
    for (const DataType type : {own, Bf16, Fp8, Int8, Fp4, Int4, Fp16, Tf32, Fp32})
        if (p.accelerator->peakFlops(type) == peak)
            return type;
    return Bf16;
}

} // namespace

double DerivationBuilder::peak()
{
    const std::string own = "peak." + std::string(toId(precisionOfPeak(p, e.peakFlops)));
    return input("P", say("dense peak of one {}", p.accelerator->name), e.peakFlops, ValueFormat::FlopPerS,
                 acceleratorSource({own, "peak"}));
}

double DerivationBuilder::bandwidth()
{
    return input("W", say("memory bandwidth of one {}", p.accelerator->name), e.memoryBandwidth, ValueFormat::BytesPerS,
                 acceleratorSource({"bandwidth"}));
}

namespace
{

/// A load keeps any number in flight; a batch is a whole one.
ValueFormat countFormat(double count)
{
    return count == std::floor(count) ? ValueFormat::Integer : ValueFormat::Plain;
}

} // namespace

double DerivationBuilder::batch()
{
    if (!e.queue && countFormat(e.batch) == ValueFormat::Integer)
        return parameter("batch", e.batch);
    if (!e.queue) {
        parameter("batch");
        return step("n", say("sequences decoded together on a replica"),
                    say("as many as the prefill pool reads for; at most the batch"), {}, e.batch, ValueFormat::Plain);
    }
    parameter("batch", fullBatch(e));
    parameter("requests_per_s");
    return step("n", say("sequences decoded together on a replica"),
                say("requests/s × time of each in the batch ÷ replicas; at most the batch, at least 1"), {}, e.batch,
                countFormat(e.batch));
}

double DerivationBuilder::tokensPerStep()
{
    using enum ValueFormat;
    if (!training()) {
        const double sequences = batch();
        const ValueFormat format = countFormat(sequences);
        if (e.replicas <= 1)
            return step("T", say("tokens of one decode step"), say("one of each sequence"), {}, sequences, format);
        const double replicas = parameter("replicas", e.replicas);
        return step("T", say("tokens of one decode step"),
                    format == Integer && !e.queue ? say("batch × replicas") : say("n × replicas"),
                    product({{sequences, format}, {replicas, Integer}}), sequences * replicas, format);
    }
    const double sequence = parameter("sequence_length");
    const double batch = parameter("micro_batch");
    const double ranks = input("D", say("data-parallel ranks"), e.data, Integer);
    const double microBatches = input("m", say("micro-batches per step"), e.microBatches, Integer);
    return step("T", say("tokens per step"), say("micro-batch × ranks × micro-batches × sequence length"),
                product({{batch, Integer}, {ranks, Integer}, {microBatches, Integer}, {sequence, Integer}}),
                batch * ranks * microBatches * sequence, Integer);
}

double DerivationBuilder::modelFlopPerToken()
{
    using enum ValueFormat;
    const ConventionRow& convention = conventionRow(p.accounting);
    const ParameterCounts& n = p.model->parameters;
    const bool adapters = training() && p.training.method != Method::Full;
    const double factor = training() ? (adapters ? 4 : 6) : 2;

    double weights = n.matmulActive;
    std::string_view symbol = "M", name = say("weights that multiply a token");
    switch (p.accounting) {
    case Convention::SixN:
    case Convention::Palm:
    case Convention::Palm43:
        weights = n.active, symbol = "N", name = say("parameters a token meets");
        break;
    case Convention::Megatron:
    case Convention::MegatronCausal:
        weights = n.matmulActive - n.router, symbol = "(M − R)",
        name = say("weights that multiply a token, router left out");
        break;
    case Convention::Sc21:
        weights = 0;
        break;
    default:
        break;
    }
    parameter("accounting");
    derivation.steps.back().source = say(convention.usedBy);
    if (weights <= 0) {
        // The paper's formula is of all three passes: adapters train in two of them, and inference is one.
        const double layers = input("L", say("layers"), p.model->layers, Integer, modelSource());
        const double hidden = input("h", say("hidden size"), p.model->hidden, Integer, modelSource());
        const double vocabulary = input("V", say("entries of the vocabulary"), p.model->vocab, Integer, modelSource());
        const double others = 72 * layers * hidden * hidden + 6 * hidden * vocabulary;
        const double seen = input("s", say("tokens that a token attends to"),
                                  (e.modelFlopPerToken * 6 / factor - others) / (12 * layers * hidden), Plain);
        const std::string width = wholeText(hidden);
        const std::string numbers = fmt::format("72 × {} × {}² × (1 + {} ÷ (6 × {})) + 6 × {} × {}", wholeText(layers),
                                                width, scientific(seen), width, width, wholeText(vocabulary));
        return step("c", say("model FLOP per token"),
                    factor < 6 ? fmt::format("{}/6·({})", wholeText(factor), say(convention.formula))
                               : std::string(say(convention.formula)),
                    factor < 6 ? fmt::format("{}/6 × ({})", wholeText(factor), numbers) : numbers, e.modelFlopPerToken,
                    Plain, say("hidden size, layers and vocabulary of the model"));
    }
    input(symbol, name, weights, Parameters, modelSource());
    const double rest = e.modelFlopPerToken - factor * weights;
    if (rest <= 1e-9 * e.modelFlopPerToken)
        return step("c", say("model FLOP per token"), fmt::format("{}·{}", wholeText(factor), symbol),
                    fmt::format("{} × {}", wholeText(factor), shown(weights, Parameters)), e.modelFlopPerToken, Plain);
    const bool counted = p.accounting == Convention::MegatronCausal || p.accounting == Convention::Exact;
    const bool further = counted && training() && trainsPrediction(p);
    input("a",
          adapters && p.accounting == Convention::Exact ? say("FLOP per token of attention and adapters")
          : further ? say("FLOP per token of the attention core and of multi-token prediction")
                    : say("FLOP per token of the attention core"),
          rest, Plain);
    return step("c", say("model FLOP per token"), fmt::format("{}·{} + a", wholeText(factor), symbol),
                fmt::format("{} × {} + {}", wholeText(factor), shown(weights, Parameters), scientific(rest)),
                e.modelFlopPerToken, Plain);
}

double DerivationBuilder::time()
{
    return training() ? input("t", say("step time, predicted"), e.stepTimeS.value_or(0), ValueFormat::Seconds,
                              calibrationSource())
                      : input("t", say("time per output token, predicted"), e.tpotS.value_or(0), ValueFormat::Seconds,
                              calibrationSource());
}

std::string DerivationBuilder::calibrationSource() const
{
    if (p.efficiency.base == EfficiencyBase::Ideal)
        return said("speed of light: every kernel at its peak");
    const std::string origin = p.calibration->origin.empty() ? said("built-in") : p.calibration->origin;
    return say("calibration ({}), {}{}", origin, training() ? say("training") : say("inference"),
               p.efficiency.isPlain() ? "" : say(", with your multipliers"));
}

std::string DerivationBuilder::acceleratorSource(std::initializer_list<std::string_view> groups) const
{
    const Accelerator& device = *p.accelerator;
    for (const std::string_view group : groups)
        if (const auto found = device.fieldSources.find(std::string(group)); found != device.fieldSources.end())
            return found->second;
    if (device.custom)
        return said("your own accelerator");
    return device.sources.empty() ? said("catalogue") : device.sources.front();
}

std::string DerivationBuilder::modelSource() const
{
    const ModelArchitecture& model = p.model->architecture;
    if (model.custom)
        return said("your own model");
    return model.hfId.empty() ? say("catalogue: {}", model.name) : say("config.json of {}", model.hfId);
}

} // namespace headroom
