// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/power.hpp"
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/prices.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;
constexpr std::string_view judgement = "calibration, energy (judgement)";

/// The replicas follow a day: what they cost and draw is of those that run.
bool followsDay(const DerivationBuilder& b)
{
    return b.e.day && autoscales(b.p.inference);
}

/// While steps run.
double runningSpeed(DerivationBuilder& b)
{
    if (followsDay(b))
        return b.input("r", say("output tokens/s that are served, mean of the day"),
                       b.e.day->servedRequestsPerS * inference::answerTokens(b.p.inference), TokensPerS);
    return b.input("r", b.training() ? say("tokens/s of the whole job") : say("output tokens/s over all replicas"),
                   b.e.tokensPerS.value_or(0), TokensPerS);
}

/// Of what is paid for.
double speed(DerivationBuilder& b)
{
    if (b.e.rl)
        return rlRate(b);
    if (b.e.goodput)
        return b.input("r", say("effective tokens/s of the whole job"), b.e.goodput->tokensPerS, TokensPerS);
    return runningSpeed(b);
}

} // namespace

void assumePrice(DerivationBuilder& b)
{
    if (!lookedUpPrice(b.p))
        b.assume(said("In the currency of your price."));
    for (std::string& source : priceSources(b.p))
        b.assume(std::move(source));
}

void costPerHour(DerivationBuilder& b)
{
    if (followsDay(b)) {
        const double day = b.input("d", say("cost of a day"), *b.e.day->cost, Money);
        b.result("d ÷ 24", fmt::format("{} ÷ 24", shown(day, Money)), day / double(LoadProfile::hours));
        return assumePrice(b);
    }
    const double gpus = b.e.rl ? rlGpus(b) : b.gpus();
    const double spares = b.e.goodput ? b.parameter("spares") : 0;
    const double price = b.parameter("price_per_gpu_hour");
    if (b.e.pools) {
        const double others = b.input("G_p", say("GPUs that read prompts"), b.e.pools->prefill.devices, Integer);
        const double theirs =
            b.parameter("prefill_price_per_gpu_hour", b.p.inference.prefillPool.pricePerGpuHour.value_or(price));
        b.result(say("G × price + G_p × price of a prefill GPU"),
                 fmt::format("{} × {} + {} × {}", wholeText(gpus), shown(price, Money), wholeText(others),
                             shown(theirs, Money)),
                 gpus * price + others * theirs);
    } else if (spares > 0)
        b.result(say("(G + spares) × price"),
                 fmt::format("({} + {}) × {}", wholeText(gpus), wholeText(spares), shown(price, Money)),
                 (gpus + spares) * price);
    else
        b.result(say("G × price"), fmt::format("{} × {}", wholeText(gpus), shown(price, Money)), gpus * price);
    assumePrice(b);
}

void costPerMillionTokens(DerivationBuilder& b)
{
    const double perHour = b.input("c", say("cost per hour"), *b.e.costPerHour, Money);
    const double rate = speed(b);
    b.result("c ÷ (r × 3600) × 10⁶",
             fmt::format("{} ÷ ({} × 3600) × 10⁶", shown(perHour, Money), shown(rate, TokensPerS)),
             perHour / (rate * secondsPerHour) * 1e6);
    b.assume(b.e.rl         ? say("Per million tokens learned from.")
             : b.training() ? say("Per million tokens processed.")
                            : say("Per million output tokens; reading the prompts is in it."));
    assumePrice(b);
}

void costToTrain(DerivationBuilder& b)
{
    if (b.e.phases)
        return phasesCost(b);
    const double perHour = b.input("c", say("cost per hour"), *b.e.costPerHour, Money);
    const double time = b.input("t", say("time to train"), b.e.secondsToTrain.value_or(0), Seconds);
    b.result("c × t", say("{} per hour × {}", shown(perHour, Money), shown(time, Seconds)),
             perHour * time / secondsPerHour);
    assumePrice(b);
}

void watts(DerivationBuilder& b)
{
    constexpr std::string_view fitted = "calibration, energy (data/power)";
    const EnergyCalibration& energy = b.p.calibration->energy;
    const Activity& a = b.e.activity;
    const double gpus = followsDay(b) ? b.input("G",
                                                b.e.pools ? say("GPUs that decode and run, mean of the day")
                                                          : say("GPUs that run, mean of the day"),
                                                runningGpus(b.e).writers, Plain)
                                      : b.gpus();
    const std::string count = followsDay(b) ? shown(gpus, Plain) : wholeText(gpus);
    const double tdp = b.input("TDP", say("rated power of one GPU, W"), b.p.accelerator->tdpWatts, Plain,
                               b.acceleratorSource({"power", "tdp"}));
    const double base =
        b.input("c₀", say("share of the rated power while passes run"), energy.runningShare, Percent, fitted);
    const double allowed = boardWatts(b.p.hardware, *b.p.accelerator);
    const bool limited = allowed < tdp, waits = a.running < 1;
    double idle = 0;
    if (waits) {
        b.input("t", say("share of the time in which passes run"), a.running, Percent);
        idle = b.input("i", say("idle share of the rated power"), std::min(idlePowerShare(b.p), allowed / tdp), Percent,
                       b.p.hardware.power.idleW ? std::string_view() : judgement);
    }
    const double memoryShare = b.input("c₁", say("share of the rated power for all bytes that memory can move"),
                                       energy.memoryShare, Percent, fitted);
    const double memory = b.input("b", say("bytes moved over the bandwidth (MBU)"), a.memory, Percent);
    const double computeShare =
        b.input("c₂", say("share of the rated power for all FLOP of the peak"), energy.computeShare, Percent, fitted);
    const double compute = b.input(
        "f", b.training() ? say("executed FLOP over the peak (HFU, exact)") : say("FLOP of decoding over the peak"),
        a.compute, Percent);
    const double prompts = b.training() ? 0 : b.input("q", say("FLOP of prompts over the peak"), a.prompts, Percent);
    const double share =
        b.step("s", say("share of the rated power"),
               fmt::format("{} + c₁ × b + c₂ × {}", waits ? "t × c₀" : "c₀", b.training() ? "f" : "(f + q)"),
               fmt::format("{}{} + {} × {} + {} × {}", waits ? shown(a.running, Percent) + " × " : std::string(),
                           shown(base, Percent), shown(memoryShare, Percent), shown(memory, Percent),
                           shown(computeShare, Percent), shown(compute + prompts, Percent)),
               a.running * base + memoryShare * memory + computeShare * (compute + prompts), Percent);
    const double host = b.input("h", say("factor for the host"), hostFactor(b.p), Plain,
                                b.p.hardware.power.hostShare ? std::string_view() : judgement);
    const double most = limited ? b.input("L", say("power limit per GPU, W"), allowed, Plain) : tdp;
    const std::string_view bound = limited ? "L" : "TDP";
    const double device =
        waits ? b.step("P", say("power of one GPU, W"), fmt::format("(1 − t) × i × TDP + min(t × {}, s × TDP)", bound),
                       fmt::format("{} × {} × {} + min({} × {}, {} × {})", shown(1 - a.running, Percent),
                                   shown(idle, Percent), scientific(tdp), shown(a.running, Percent), scientific(most),
                                   shown(share, Percent), scientific(tdp)),
                       (1 - a.running) * idle * tdp + std::min(a.running * most, share * tdp), Plain)
              : b.step("P", say("power of one GPU, W"), fmt::format("min({}, s × TDP)", bound),
                       fmt::format("min({}, {} × {})", scientific(most), shown(share, Percent), scientific(tdp)),
                       std::min(most, share * tdp), Plain);
    if (b.e.pools) {
        const double others = b.input("W_p", say("power of the prefill pool, W"), *b.e.pools->prefill.watts, Plain);
        b.result("G × P × h + W_p",
                 fmt::format("{} × {} × {} + {}", count, scientific(device), scientific(host), scientific(others)),
                 gpus * device * host + others);
    } else {
        b.result("G × P × h", fmt::format("{} × {} × {}", count, scientific(device), scientific(host)),
                 gpus * device * host);
    }
    if (followsDay(b))
        b.assume(say("Replicas that are off draw nothing; those that run share the day's requests evenly."));
    b.assume(say("What idle boards and hosts draw is judgement, not measurement; calibration.json holds it."));
}

void joulesPerToken(DerivationBuilder& b)
{
    const double power = b.input("P", say("power of the job, W"), b.e.watts.value_or(0), Plain);
    const double rate = runningSpeed(b);
    b.result("P ÷ r", fmt::format("{} ÷ {}", scientific(power), shown(rate, TokensPerS)), power / rate);
    b.unit("J");
}

void siteWatts(DerivationBuilder& b)
{
    const double power = b.input("P", say("power of the job, W"), *b.e.watts, Plain);
    const double pue = b.parameter("pue");
    b.result("P × PUE", fmt::format("{} × {}", scientific(power), scientific(pue)), power * pue);
    if (!b.p.hardware.power.pue)
        b.assume(say("The PUE of 1.2 is judgement, not measurement."));
}

namespace
{

double site(DerivationBuilder& b)
{
    return b.input("S", say("power of the site, W"), b.e.site->watts, Plain);
}
/// Said of a whole run that fails.
void assumeLostHours(DerivationBuilder& b)
{
    if (b.e.goodput)
        b.assume(say("Hours that failures take draw as much: an upper bound."));
}
double kwh(DerivationBuilder& b)
{
    return b.input("E", say("kWh per million tokens"), b.e.site->kwhPerMillionTokens, Plain);
}
double carbon(DerivationBuilder& b)
{
    return b.parameter("carbon_g_per_kwh");
}

} // namespace

void kwhPerMillionTokens(DerivationBuilder& b)
{
    const double power = site(b);
    const double rate = speed(b);
    b.result("S ÷ r ÷ 3.6", fmt::format("{} ÷ {} ÷ 3.6", scientific(power), shown(rate, TokensPerS)),
             power / rate / 3.6);
    assumeLostHours(b);
}

void runKwh(DerivationBuilder& b)
{
    if (b.e.phases) {
        phasesKwh(b);
        return assumeLostHours(b);
    }
    const double power = site(b);
    const double time = b.input("t", say("time to train"), *b.e.secondsToTrain, Seconds);
    b.result("S × t ÷ (3.6 × 10⁶)", fmt::format("{} × {} ÷ (3.6 × 10⁶)", scientific(power), shown(time, Seconds)),
             power * time / joulesPerKwh);
    assumeLostHours(b);
}

void electricityPerHour(DerivationBuilder& b)
{
    const double power = site(b);
    const double price = b.parameter("electricity_per_kwh");
    b.result(say("S ÷ 1000 × price"), fmt::format("{} ÷ 1000 × {}", scientific(power), shown(price, Money)),
             power / 1000 * price);
    b.assume(say("Beside the price of the GPUs, which may contain it."));
}

void electricityPerMillionTokens(DerivationBuilder& b)
{
    const double energy = kwh(b);
    const double price = b.parameter("electricity_per_kwh");
    b.result(say("E × price"), fmt::format("{} × {}", scientific(energy), shown(price, Money)), energy * price);
    b.assume(say("Beside the price of the GPUs, which may contain it."));
}

void carbonPerMillionTokens(DerivationBuilder& b)
{
    const double energy = kwh(b);
    const double intensity = carbon(b);
    b.result("E × g", fmt::format("{} × {}", scientific(energy), scientific(intensity)), energy * intensity);
    b.unit("g");
    b.assume(say("Of electricity alone: what making the machines emitted is not in it."));
}

void runCarbon(DerivationBuilder& b)
{
    const double energy = b.input("E", say("kWh of the run"), *b.e.site->runKwh, Plain);
    const double intensity = carbon(b);
    b.result("E × g ÷ 1000", fmt::format("{} × {} ÷ 1000", scientific(energy), scientific(intensity)),
             energy * intensity / 1000);
    b.unit("kg");
    b.assume(say("Of electricity alone: what making the machines emitted is not in it."));
}

} // namespace headroom::derivations
