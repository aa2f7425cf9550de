// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/training/training_flops.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

/// FLOP per token with what is executed again. "Not stated" checkpointing is what the prediction took it for: none,
/// or full where that would not fit.
double hardwareFlop(const DerivationBuilder& b)
{
    if (!b.training()) // drafts, and tokens that are verified and thrown away
        return b.e.modelFlopPerToken * b.e.flops.hardware / b.e.flops.model;
    const double executed =
        b.e.mfu.value_or(0) > 0 ? b.e.modelFlopPerToken * b.e.hfu.value_or(0) / *b.e.mfu : b.e.modelFlopPerToken;
    if (b.e.warnings.has(WarningCode::ProjectsAgain)) // of a share of the layers, which memory decided
        return executed;
    const auto flop = [&](Checkpointing mode) {
        return headroom::hardwareFlopPerToken(*b.p.model, b.p.accounting, trainingCount(b.p, mode));
    };
    if (b.p.training.checkpointing != Checkpointing::Unknown)
        return flop(b.p.training.checkpointing);
    const double none = flop(Checkpointing::None), full = flop(Checkpointing::Full);
    return std::abs(none - executed) <= std::abs(full - executed) ? none : full;
}

double modelFlop(DerivationBuilder& b)
{
    const double perToken = b.modelFlopPerToken();
    const double tokens = b.tokensPerStep(); // a mean where a load decides
    return b.step("F", b.training() ? say("model FLOP per step") : say("model FLOP per decode step"), "c × T",
                  product({{perToken, Plain}, {tokens, tokens == std::floor(tokens) ? Integer : Plain}}),
                  perToken * tokens, Plain);
}

double executedFlop(DerivationBuilder& b)
{
    const double perToken = b.modelFlopPerToken();
    const double again =
        b.input("c′", say("FLOP per token that are executed again"), hardwareFlop(b) - perToken, Plain);
    if (b.training())
        b.parameter("checkpointing");
    const double tokens = b.tokensPerStep();
    return b.step("F", say("executed FLOP per step"), "(c + c′) × T",
                  fmt::format("({} + {}) × {}", scientific(perToken), scientific(again), scientific(tokens)),
                  (perToken + again) * tokens, Plain);
}

void overPeak(DerivationBuilder& b, double flop, double time, double gpus, double peak)
{
    b.result("F ÷ (t × G × P)",
             fmt::format("{} ÷ ({} × {} × {})", scientific(flop), shown(time, Seconds), wholeText(gpus),
                         shown(peak, FlopPerS)),
             flop / (time * gpus * peak));
}

void utilisation(DerivationBuilder& b, double flop, double time, double peak)
{
    overPeak(b, flop, time, b.gpus(), peak);
}

void describeCounting(DerivationBuilder& b)
{
    const ConventionRow& convention = conventionRow(b.p.accounting);
    b.assume(say("FLOP are counted by the convention “{}” ({}): {}.", say(convention.label), say(convention.formula),
                 convention.causalHalved ? say("attention over the causal half or not at all")
                                         : say("attention over the full square where it counts it")));
    b.assume(say("The peak is the dense datasheet rate of the matmul precision."));
}

/// With LoRA the reader should know why it is 4·N, and what the usual 6·N would have shown.
void describeAdapters(DerivationBuilder& b, double value)
{
    if (!b.training() || b.p.training.method == Method::Full || b.e.modelFlopPerToken <= 0)
        return;
    TrainingCount count = trainingCount(b.p, b.p.training.checkpointing);
    count.method = Method::Full;
    const double full = headroom::modelFlopPerToken(*b.p.model, b.p.accounting, count);
    b.explain(say("LoRA needs no gradients of the frozen weights, so each weight costs 4 FLOP a token, not 6."));
    b.explain(say("With full weights it would read {}, for the same time.",
                  percentText(value * full / b.e.modelFlopPerToken)));
}

double measuredTime(DerivationBuilder& b)
{
    return b.input("t", b.training() ? say("step time, measured") : say("time per output token, measured"),
                   b.e.observed->stepTimeS.value_or(0), Seconds, say("your measurement"));
}

void describeMeasured(DerivationBuilder& b)
{
    if (inference::impliesTokenTime(b.p))
        b.explain(say("The measured tokens a second hold the time of prompts, too: as large a part of it as in the "
                      "prediction. The rest is observed."));
    else
        b.explain(say("This is observed: it follows from the measured time alone, nothing in it is predicted."));
}

double measuredPeak(DerivationBuilder& b)
{
    if (!b.p.measured.peakTflops)
        return b.peak();
    return b.input("P", say("peak that the source used"), *b.p.measured.peakTflops * 1e12, FlopPerS,
                   say("the measurement"));
}

/// A published figure without a time of its own stands as it was published.
bool asPublished(DerivationBuilder& b)
{
    if (b.e.observed->stepTimeS)
        return false;
    b.result(say("as published"), {}, *b.metric.value(b.e), say("the measurement"));
    return true;
}

/// Where a token waits for others' prompts: their time counts, and what is done in it does not.
void describeOthersPrompts(DerivationBuilder& b, double value)
{
    const double others = b.training() ? 0 : b.e.part(TimePart::PrefillInterference), time = b.e.tpotS.value_or(0);
    if (others > 0 && others < time)
        b.explain(say("{} of the time goes to reading other requests' prompts, whose FLOP and bytes do not count here. "
                      "While it decodes it is {}.",
                      shown(others / time, Percent), shown(value * time / (time - others), Percent)));
}

} // namespace

void mfu(DerivationBuilder& b)
{
    const double flop = modelFlop(b);
    const double time = b.time();
    utilisation(b, flop, time, b.peak());
    describeCounting(b);
    describeAdapters(b, *b.e.mfu);
    describeOthersPrompts(b, *b.e.mfu);
    b.explain(say("This is a prediction: the time is predicted, not measured."));
}

void hfu(DerivationBuilder& b)
{
    const double flop = executedFlop(b);
    const double time = b.time();
    utilisation(b, flop, time, b.peak());
    describeCounting(b);
    b.explain(say("A high HFU with a low MFU means that much is computed twice."));
}

void mbu(DerivationBuilder& b)
{
    if (!b.training()) {
        b.parameter("weights");
        b.parameter("kv_cache");
        b.batch();
        b.parameter("prompt_tokens");
        b.parameter("output_tokens");
    }
    const double bytes = b.input(
        "M", // B is the batch
        b.training()      ? say("bytes that the step's operators move, per GPU")
        : b.e.speculation ? say("a token's share of a cycle: weights touched, the cache read, draft passes; per GPU")
                          : say("weights touched once and the cache read, per GPU"),
        b.e.bytesMoved, Bytes);
    const double time = b.time();
    const double bandwidth = b.bandwidth();
    b.result("M ÷ (t × W)",
             fmt::format("{} ÷ ({} × {})", shown(bytes, Bytes), shown(time, Seconds), shown(bandwidth, BytesPerS)),
             bytes / (time * bandwidth));
    describeOthersPrompts(b, *b.e.mbu);
    b.assume(say("The bandwidth is the nominal one; kernels reach 70 to 90 % of it at best."));
    if (!b.training() && b.p.model->experts > 0)
        b.assume(say("Experts touched follow even routing: E·(1 − (1 − k/E)^T)."));
}

void prefillMfu(DerivationBuilder& b)
{
    const InferenceWorkload& work = b.p.inference;
    const double cached = b.cachedTokens();
    const double prompt = b.parameter("prompt_tokens");
    const double length =
        b.step("l", say("tokens of a prompt that are computed"), say("prompt − cached tokens, at least one"),
               fmt::format("{} − {}", wholeText(prompt), scientific(cached)), std::max(1.0, prompt - cached), Plain);
    const inference::MixedPrompts mixed = inference::mixedPrompts(work);
    const double perToken =
        b.input("c", say("forward FLOP per token at the mean context of the prompt"),
                inference::promptFlopPerToken(*b.p.model, b.p.accounting, length * mixed.longer, mixed.cached), Plain,
                b.modelSource());
    const double head =
        b.input("H", say("weights of the LM head"), b.p.model->headWeights, Parameters, b.modelSource());
    const double prompts = b.input("n", say("prompts that run together on one replica"), b.e.prefill->prompts, Plain);
    const double flop = b.step("F", say("prefill FLOP of a replica"), "n × (c × l − 2·H × (l − 1))",
                               fmt::format("{} × ({} × {} − 2 × {} × {})", scientific(prompts), scientific(perToken),
                                           scientific(length), shown(head, Parameters), scientific(length - 1)),
                               prompts * (perToken * length - 2 * head * (length - 1)), Plain);
    const double time =
        b.input("t", say("prefill time, predicted"), b.e.prefill->timeS, Seconds, b.calibrationSource());
    const double all = b.e.pools ? b.e.pools->prefill.devices : static_cast<double>(b.p.hardware.count);
    const double replicas = b.e.pools ? b.e.pools->prefill.instances : b.e.replicas;
    const double gpus = b.step("G", say("GPUs of one replica"), say("GPUs ÷ replicas"),
                               fmt::format("{} ÷ {}", wholeText(all), wholeText(replicas)), all / replicas, Integer);
    const auto& reader = b.p.prefillAccelerator;
    const double peak = !b.e.pools
                            ? b.peak()
                            : b.input("P", say("dense peak of one {}", (reader ? reader : b.p.accelerator)->name),
                                      b.e.pools->prefillPeak, FlopPerS);
    overPeak(b, flop, time, gpus, peak);
    b.assume(say("The LM head runs for the last token of a prompt only."));
    describeCounting(b);
}

/// FLOP of a step, already derived, as a rate per GPU.
void rateOf(DerivationBuilder& b, double flop)
{
    const double time = b.time();
    const double gpus = b.gpus();
    b.result("F ÷ (t × G) ÷ 10¹²",
             fmt::format("{} ÷ ({} × {}) ÷ 10¹²", scientific(flop), shown(time, Seconds), wholeText(gpus)),
             flop / (time * gpus) / 1e12);
    b.unit("TFLOP/s");
    describeCounting(b);
}

void modelTflops(DerivationBuilder& b)
{
    rateOf(b, modelFlop(b));
}

void hardwareTflops(DerivationBuilder& b)
{
    rateOf(b, executedFlop(b));
}

void observedMfu(DerivationBuilder& b)
{
    if (asPublished(b))
        return;
    const double flop = modelFlop(b);
    const double time = measuredTime(b);
    utilisation(b, flop, time, measuredPeak(b));
    describeCounting(b);
    describeAdapters(b, *b.e.observed->mfu);
    describeMeasured(b);
}

void observedHfu(DerivationBuilder& b)
{
    if (asPublished(b))
        return;
    const double flop = executedFlop(b);
    const double time = measuredTime(b);
    utilisation(b, flop, time, measuredPeak(b));
    describeCounting(b);
    describeMeasured(b);
}

void observedMbu(DerivationBuilder& b)
{
    if (asPublished(b))
        return;
    const double bytes = b.input("B", say("bytes that must move, per GPU"), b.e.bytesMoved, Bytes);
    const double time = measuredTime(b);
    const double bandwidth = b.bandwidth();
    b.result("B ÷ (t × W)",
             fmt::format("{} ÷ ({} × {})", shown(bytes, Bytes), shown(time, Seconds), shown(bandwidth, BytesPerS)),
             bytes / (time * bandwidth));
    describeMeasured(b);
}

void observedStepTime(DerivationBuilder& b)
{
    const Measured& m = b.p.measured;
    const double value = *b.e.observed->stepTimeS;
    if (inference::impliesTokenTime(b.p)) {
        const double time = b.input("t", say("time per output token, predicted"), *b.e.tpotS, Seconds);
        const double rate = b.input("q", say("output tokens/s, predicted"), *b.e.tokensPerS, TokensPerS);
        b.input("r", say("output tokens/s, measured"), *m.tokensPerS, TokensPerS, say("the measurement"));
        b.result("t × q ÷ r", {}, time * rate / *m.tokensPerS, say("the measurement"));
        return describeMeasured(b);
    }
    const auto fromRate = [&](double rate, std::string_view name) {
        b.input("T", say("tokens per step"), b.e.tokensPerStep, Integer);
        b.input("r", name, rate, TokensPerS, say("the measurement"));
    };
    if (b.training() && !m.stepTimeS && m.tokensPerS)
        fromRate(*m.tokensPerS, say("tokens/s, measured"));
    else if (b.training() && !m.stepTimeS && m.tokensPerSPerGpu)
        fromRate(*m.tokensPerSPerGpu * static_cast<double>(b.p.hardware.count),
                 say("tokens/s over all GPUs, measured"));
    const bool derived = !b.derivation.steps.empty();
    b.result(derived ? "T ÷ r" : say("as the measurement states or implies"), {}, value, say("the measurement"));
    b.explain(say("Where several figures were measured, the first that gives a time decides."));
}

void observedBandwidth(DerivationBuilder& b)
{
    if (b.e.observed->stepTimeS) {
        b.input("B", say("bytes that the source counts, per GPU"),
                *b.e.observed->achievedBandwidthGbPerS * 1e9 * *b.e.observed->stepTimeS, Bytes);
        measuredTime(b);
    }
    b.result(b.e.observed->stepTimeS ? "B ÷ t ÷ 10⁹" : say("as published"), {}, *b.e.observed->achievedBandwidthGbPerS,
             say("the measurement"));
    b.unit("GB/s");
    b.assume(say("Published bandwidths differ in what they count: the weights alone, or the cache too."));
}

void observedAsStated(DerivationBuilder& b)
{
    b.result(say("as the measurement states"), {}, *b.metric.value(b.e), say("the measurement"));
    b.explain(say("This was measured: nothing in it is predicted."));
}

void observedTokensPerS(DerivationBuilder& b)
{
    if (!b.training())
        return observedAsStated(b);
    const double tokens = b.input("T", say("tokens per step"), b.e.tokensPerStep, Integer);
    const double time = measuredTime(b);
    b.result("T ÷ t", {}, tokens / time);
    describeMeasured(b);
}

} // namespace headroom::derivations
