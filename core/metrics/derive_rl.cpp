// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/device_domain.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

using enum ValueFormat;

const RlResult& of(const DerivationBuilder& b)
{
    return *b.e.rl;
}

double hidden(DerivationBuilder& b)
{
    return b.input("h", say("runs beside the longer side"), of(b).hiddenS, Seconds);
}

double stepTime(DerivationBuilder& b)
{
    return b.input("t", say("time of a step"), of(b).stepS, Seconds);
}

/// The parts that take time, and their sum as text.
std::string parts(DerivationBuilder& b)
{
    std::string terms;
    for (int i = 0; i < rlPartCount; ++i) {
        const auto part = static_cast<RlPart>(i);
        if (const double s = of(b).part(part); s > 0) {
            b.input(fmt::format("t{}", i + 1), say(rlPartLabel(part)), s, Seconds);
            terms += (terms.empty() ? "" : " + ") + shown(s, Seconds);
        }
    }
    return terms;
}

/// All tokens that the update reads, with their factors above them.
double tokens(DerivationBuilder& b)
{
    const double answers = b.input("N", say("answers of a step"), of(b).answers, Integer);
    const double prompt = b.parameter("rl_prompt_tokens"), mean = b.parameter("rl_output_tokens");
    return b.step("T", say("tokens of a step"), "N × (p + ℓ)",
                  fmt::format("{} × ({} + {})", wholeText(answers), wholeText(prompt), wholeText(mean)),
                  answers * (prompt + mean), Integer);
}

/// s around a part, and how it is added: " + 12 s"; nothing where it is 0.
struct Around {
    double seconds = 0;
    std::string formula, figures;
};
Around around(DerivationBuilder& b, RlPart part)
{
    const double seconds = of(b).around[static_cast<std::size_t>(part)];
    if (seconds <= 0)
        return {};
    b.input("m", say("answers and states under way"), seconds, Seconds, b.calibrationSource());
    b.assume(say("A controller packs the padded answers for each part and unpacks what comes back. On the same GPUs "
                 "weights and optimizer wait in memory of the host between the parts."));
    if (b.p.training.rl.generatesApart() && of(b).statesS > 0)
        b.assume(say("What has no room beside the update waits in memory of the host: the reference first, then the "
                     "reward model, then what critic and policy leave to each other."));
    return {seconds, " + m", " + " + shown(seconds, Seconds)};
}

void assumeLengths(DerivationBuilder& b)
{
    b.assume(say("Lengths of answers are log-normal, cut off at the longest. What does not run at once takes turns."));
}

} // namespace

double rlRate(DerivationBuilder& b)
{
    const double all = tokens(b), step = stepTime(b);
    std::string formula = "T ÷ t", figures = wholeText(all) + " ÷ " + shown(step, Seconds);
    double share = 1;
    if (b.e.goodput) {
        share = b.input("s", say("share of the calendar that trains at the predicted throughput"), b.e.goodput->share,
                        Percent);
        formula += " × s";
        figures += " × " + shown(share, Percent);
    }
    return b.step("r", say("tokens learned from per second"), formula, figures, all / step * share, TokensPerS);
}

double rlGpus(DerivationBuilder& b)
{
    return b.input("G", say("GPUs of either side"), of(b).gpus, Integer);
}

namespace derivations
{

void rlStepTime(DerivationBuilder& b)
{
    const std::string terms = parts(b);
    if (of(b).hiddenS > 0) {
        const double beside = hidden(b);
        b.result("Σ t − h", terms + " − " + shown(beside, Seconds), of(b).sumS() - beside);
    } else {
        b.result("Σ t", terms, of(b).sumS());
    }
    b.assume(warningText(WarningCode::RlWithoutFramework, 0, b.p));
    assumeLengths(b);
}

void rlGenerateShare(DerivationBuilder& b)
{
    const double generate = b.input("t1", say(rlPartLabel(RlPart::Generate)), of(b).part(RlPart::Generate), Seconds);
    const double sum = b.input("Σ t", say("all parts of a step"), of(b).sumS(), Seconds);
    b.result("t1 ÷ Σ t", shown(generate, Seconds) + " ÷ " + shown(sum, Seconds), sum > 0 ? generate / sum : 0);
}

void rlIdleShare(DerivationBuilder& b)
{
    const double step = stepTime(b), gpus = rlGpus(b);
    const double waiting = b.input("w", say("GPU-seconds that wait"), of(b).idle * step * gpus, Plain);
    b.result("w ÷ (t × G)", fmt::format("{} ÷ ({} × {})", shown(waiting, Plain), shown(step, Seconds), wholeText(gpus)),
             waiting / (step * gpus));
    b.assume(say("A GPU that writes few answers at once is busy: its low use shows in the tail, not here."));
}

void rlTokensPerS(DerivationBuilder& b)
{
    const double all = tokens(b), step = stepTime(b), gpus = rlGpus(b);
    b.result("T ÷ (t × G)", fmt::format("{} ÷ ({} × {})", wholeText(all), shown(step, Seconds), wholeText(gpus)),
             all / (step * gpus));
}

void rlGenerate(DerivationBuilder& b)
{
    const RlResult& r = of(b);
    const double prompts = b.input("t_p", say("reading the prompts"), r.promptS, Seconds);
    const double each = b.input("n", say("answers of a copy of the model"),
                                r.fullS > 0 ? std::max(1.0, r.answers / r.copies) : 0, Plain);
    const double mean = b.parameter("rl_output_tokens");
    const double batch = b.input("B", say("answers that it writes at once"), r.batch, Plain);
    const double pass = b.input("s", say("a pass that gives each of them a token"), r.passS, Seconds);
    const double full = b.step("t_f", say("all tokens at full copies"), "n × ℓ ÷ B × s",
                               fmt::format("{} × {} ÷ {} × {}", shown(each, Plain), wholeText(mean),
                                           shown(batch, Plain), shown(pass, Seconds)),
                               each * mean / batch * pass, Seconds);
    const double tail = b.input("t_t", say("the tail of long answers"), r.tailS, Seconds);
    const Around m = around(b, RlPart::Generate);
    b.result("t_p + t_f + t_t" + m.formula,
             shown(prompts, Seconds) + " + " + shown(full, Seconds) + " + " + shown(tail, Seconds) + m.figures,
             prompts + full + tail + m.seconds);
    assumeLengths(b);
    b.assume(say("The answers to a prompt share its cache: it is read once."));
}

void rlTail(DerivationBuilder& b)
{
    const RlResult& r = of(b);
    const bool apart = b.p.training.rl.generatesApart();
    const double steps = apart ? std::max(1.0, b.parameter("rl_staleness")) : 1;
    b.input("L", say("expected length of the longest answer, tokens"), r.longestTokens, Integer);
    const double full = b.input("t_f", say("all tokens at full copies"), r.fullS, Seconds);
    const double all = b.input("t_a", say("until the longest answer ends"), r.fullS + r.tailS * steps, Seconds);
    if (steps > 1)
        b.result("(t_a − t_f) ÷ k", fmt::format("({} − {}) ÷ {}", shown(all, Seconds), shown(full, Seconds), steps),
                 r.tailS);
    else
        b.result("t_a − t_f", shown(all, Seconds) + " − " + shown(full, Seconds), r.tailS);
    assumeLengths(b);
}

void rlUpdate(DerivationBuilder& b)
{
    const double all = tokens(b), epochs = b.parameter("rl_epochs");
    b.input("i", say("the longest answer of an update over the tokens of a rank, at least 1"), of(b).imbalance, Plain);
    const double rate =
        b.input("r", say("tokens/s of the training"), of(b).updateTokensPerS, TokensPerS, b.calibrationSource());
    const Around m = around(b, RlPart::Update);
    b.result("T × E ÷ r" + m.formula,
             fmt::format("{} × {} ÷ {}", wholeText(all), wholeText(epochs), shown(rate, TokensPerS)) + m.figures,
             all * epochs / rate + m.seconds);
    b.assume(say("Answers are packed into sequences of the training's length; one that is longer is alone in its own. "
                 "The rank with the longest answer has i times the tokens of the others, which wait."));
}

void rlSync(DerivationBuilder& b)
{
    const RlResult& r = of(b);
    const double bytes = b.input("W", say("weights that pass by each GPU"), r.syncBytes, Bytes);
    if (r.part(RlPart::Sync) <= 0) {
        b.result("0", "0", 0);
        b.assume(say("One GPU hands nothing over."));
        return;
    }
    const bool crosses = r.gpus > domainOf(b.p, real(b.p.hardware.count)).size;
    const double link =
        b.input("w", crosses ? say("its network adapter") : say("its scale-up link"), r.syncBytesPerS, BytesPerS);
    b.result("W ÷ w", shown(bytes, Bytes) + " ÷ " + shown(link, BytesPerS), bytes / link);
    if (crosses)
        b.assume(say("All GPUs together are more than a scale-up domain holds: weights go over the network, and a "
                     "step can take longer than with fewer GPUs."));
}

void rlCost(DerivationBuilder& b)
{
    const double price = b.parameter("price_per_gpu_hour"), gpus = rlGpus(b), step = stepTime(b);
    const double spares = b.e.goodput ? b.parameter("spares") : 0;
    if (spares > 0)
        b.result(say("price × (G + spares) × t ÷ 3600"),
                 fmt::format("{} × ({} + {}) × {} ÷ 3600", shown(price, Money), wholeText(gpus), wholeText(spares),
                             shown(step, Seconds)),
                 price * (gpus + spares) * step / secondsPerHour);
    else
        b.result("price × G × t ÷ 3600",
                 fmt::format("{} × {} × {} ÷ 3600", shown(price, Money), wholeText(gpus), shown(step, Seconds)),
                 price * gpus * step / secondsPerHour);
    assumePrice(b);
}

void rlBestSplit(DerivationBuilder& b)
{
    const auto split = bestRlSplit(b.p);
    if (!split)
        return;
    b.input("t", say("time of a step now"), of(b).stepS, Seconds);
    b.input("t*", say("time of a step at the best split"), split->stepS, Seconds);
    b.input("G_t", say("GPUs that then train"), split->trainGpus, Integer);
    b.result(say("the split with the least t"), wholeText(split->rolloutGpus), split->rolloutGpus);
    b.assume(say("All GPUs are alike, and each side keeps its layout. At most 64 splits are tried."));
}

} // namespace derivations

} // namespace headroom
