// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/derivation_builder.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;
constexpr double secondsPerHour = 3600;
constexpr std::string_view judgement = "calibration, energy (judgement)";

double speed(DerivationBuilder& b)
{
    return b.input("r", b.training() ? say("tokens/s of the whole job") : say("output tokens/s over all replicas"),
                   b.e.tokensPerS.value_or(0), TokensPerS);
}

/// Busy only while something is in flight, and with pools of GPUs those that read prompts as their own pass does.
double meanUtilization(DerivationBuilder& b)
{
    const double busiest = std::max(b.e.mfu.value_or(0), b.e.mbu.value_or(0));
    const EnergyCalibration& energy = b.p.calibration->energy;
    const double tdp = b.p.accelerator->tdpWatts, idle = energy.idleShare * tdp;
    const double device = *b.e.watts / (static_cast<double>(b.p.hardware.count) * energy.hostFactor);
    if (b.training() || (!b.e.queue && b.p.inference.scheduling != Scheduling::Disaggregated) || device >= tdp)
        return b.input("u", say("the larger of MFU and MBU"), busiest, Percent);
    b.input("u₀", say("the larger of MFU and MBU while decoding"), busiest, Percent);
    return b.input("u", say("the same over all GPUs and all the time, idle or reading prompts"),
                   (device - idle) / (tdp - idle) * energy.utilizationAtTdp, Percent);
}

} // namespace

void costPerHour(DerivationBuilder& b)
{
    const double gpus = b.gpus();
    const double price = b.parameter("price_per_gpu_hour");
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
    const double device = b.step("P", say("power of one GPU, W"), say("min(TDP, P₀ + (TDP − P₀) × u ÷ u₁)"),
                                 fmt::format("{} + {} × {} ÷ {}", scientific(idle), scientific(tdp - idle),
                                             shown(utilization, Percent), shown(atTdp, Percent)),
                                 std::min(tdp, idle + (tdp - idle) * (utilization / atTdp)), Plain);
    b.result("G × P × h", fmt::format("{:.0f} × {} × {}", gpus, scientific(device), scientific(host)),
             gpus * device * host);
    b.unit("W");
    b.assume(say("All three constants are judgement, not measurement; calibration.json holds them."));
}

void joulesPerToken(DerivationBuilder& b)
{
    const double power = b.input("P", say("power of the job, W"), b.e.watts.value_or(0), Plain);
    const double rate = speed(b);
    b.result("P ÷ r", fmt::format("{} ÷ {}", scientific(power), shown(rate, TokensPerS)), power / rate);
    b.unit("J");
}

} // namespace headroom::derivations
