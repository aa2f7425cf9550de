// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/power.hpp"
#include "core/metrics/derivation_builder.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;
constexpr double secondsPerHour = 3600;
constexpr std::string_view judgement = "calibration, energy (judgement)";

/// While steps run.
double runningSpeed(DerivationBuilder& b)
{
    return b.input("r", b.training() ? say("tokens/s of the whole job") : say("output tokens/s over all replicas"),
                   b.e.tokensPerS.value_or(0), TokensPerS);
}

/// Of what is paid for.
double speed(DerivationBuilder& b)
{
    if (b.e.goodput)
        return b.input("r", say("effective tokens/s of the whole job"), b.e.goodput->tokensPerS, TokensPerS);
    return runningSpeed(b);
}

/// Of all GPUs and all the time.
double meanUtilization(DerivationBuilder& b)
{
    const Activity& a = b.e.activity;
    const double compute = b.input(
        "f", b.training() ? say("executed FLOP over the peak (HFU, exact)") : say("FLOP of decoding over the peak"),
        a.compute, Percent);
    const double memory = b.input("b", say("bytes moved over the bandwidth (MBU)"), a.memory, Percent);
    if (b.training())
        return b.step("u", say("utilisation"), "max(f, b)",
                      fmt::format("max({}, {})", shown(compute, Percent), shown(memory, Percent)), a.utilization(),
                      Percent);
    const double prompts = b.input("q", say("FLOP of prompts over the peak"), a.prompts, Percent);
    return b.step("u", say("utilisation"), "min(1, max(f + q, b))",
                  fmt::format("min(1, max({} + {}, {}))", shown(compute, Percent), shown(prompts, Percent),
                              shown(memory, Percent)),
                  a.utilization(), Percent);
}

} // namespace

void costPerHour(DerivationBuilder& b)
{
    const double gpus = b.gpus();
    const double spares = b.e.goodput ? b.parameter("spares") : 0;
    const double price = b.parameter("price_per_gpu_hour");
    if (b.e.pools) {
        const double others = b.input("G_p", say("GPUs that read prompts"), b.e.pools->prefill.devices, Integer);
        const double theirs =
            b.parameter("prefill_price_per_gpu_hour", b.p.inference.prefillPricePerGpuHour.value_or(price));
        b.result(say("G × price + G_p × price of a prefill GPU"),
                 fmt::format("{:.0f} × {} + {:.0f} × {}", gpus, shown(price, Money), others, shown(theirs, Money)),
                 gpus * price + others * theirs);
    } else if (spares > 0)
        b.result(say("(G + spares) × price"), fmt::format("({:.0f} + {:.0f}) × {}", gpus, spares, shown(price, Money)),
                 (gpus + spares) * price);
    else
        b.result(say("G × price"), fmt::format("{:.0f} × {}", gpus, shown(price, Money)), gpus * price);
    b.assume(say("In the currency of your price."));
}

void costPerMillionTokens(DerivationBuilder& b)
{
    const double perHour = b.input("c", say("cost per hour"), *b.e.costPerHour, Money);
    const double rate = speed(b);
    b.result("c ÷ (r × 3600) × 10⁶",
             fmt::format("{} ÷ ({} × 3600) × 10⁶", shown(perHour, Money), shown(rate, TokensPerS)),
             perHour / (rate * secondsPerHour) * 1e6);
    b.assume(b.training() ? say("Per million tokens processed.")
                          : say("Per million output tokens; reading the prompts is in it."));
}

void costToTrain(DerivationBuilder& b)
{
    const double perHour = b.input("c", say("cost per hour"), *b.e.costPerHour, Money);
    const double time = b.input("t", say("time to train"), b.e.secondsToTrain.value_or(0), Seconds);
    b.result("c × t", say("{} per hour × {}", shown(perHour, Money), shown(time, Seconds)),
             perHour * time / secondsPerHour);
}

void watts(DerivationBuilder& b)
{
    const EnergyCalibration& energy = b.p.calibration->energy;
    const double gpus = b.gpus();
    const double tdp = b.input("TDP", say("rated power of one GPU, W"), b.p.accelerator->tdpWatts, Plain,
                               b.acceleratorSource({"power", "tdp"}));
    const double idleShare = b.input("i", say("idle share of the rated power"), energy.idleShare, Percent, judgement);
    const double idle = b.step("P₀", say("idle power, W"), say("i × TDP"),
                               product({{idleShare, Percent}, {tdp, Plain}}), idleShare * tdp, Plain);
    const double utilization = meanUtilization(b);
    const double atTdp = b.input("u₁", say("utilisation at rated power"), energy.utilizationAtTdp, Percent, judgement);
    const double host = b.input("h", say("factor for the host"), energy.hostFactor, Plain, judgement);
    double most = tdp;
    const bool limited = boardWatts(b.p.hardware, *b.p.accelerator) < tdp;
    if (limited)
        most = b.input("L", say("power limit per GPU, W"), *b.p.hardware.powerLimitW, Plain);
    const double device =
        b.step("P", say("power of one GPU, W"),
               limited ? say("min(L, P₀ + (TDP − P₀) × u ÷ u₁)") : say("min(TDP, P₀ + (TDP − P₀) × u ÷ u₁)"),
               fmt::format("{} + {} × {} ÷ {}", scientific(idle), scientific(tdp - idle), shown(utilization, Percent),
                           shown(atTdp, Percent)),
               std::min(most, idle + (tdp - idle) * (utilization / atTdp)), Plain);
    if (b.e.pools) {
        const double others = b.input("W_p", say("power of the prefill pool, W"), *b.e.pools->prefill.watts, Plain);
        b.result("G × P × h + W_p",
                 fmt::format("{:.0f} × {} × {} + {}", gpus, scientific(device), scientific(host), scientific(others)),
                 gpus * device * host + others);
    } else {
        b.result("G × P × h", fmt::format("{:.0f} × {} × {}", gpus, scientific(device), scientific(host)),
                 gpus * device * host);
    }
    b.unit("W");
    b.assume(say("All three constants are judgement, not measurement; calibration.json holds them."));
}

void joulesPerToken(DerivationBuilder& b)
{
    const double power = b.input("P", say("power of the job, W"), b.e.watts.value_or(0), Plain);
    const double rate = runningSpeed(b);
    b.result("P ÷ r", fmt::format("{} ÷ {}", scientific(power), shown(rate, TokensPerS)), power / rate);
    b.unit("J");
}

} // namespace headroom::derivations
