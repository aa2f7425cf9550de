// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/power_knee.hpp"
#include "core/support/say.hpp"

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

/// Of one board, rated.
void ratedPower(DerivationBuilder& b, const PowerKnee& knee)
{
    b.input("TDP", say("rated power of one GPU, W"), knee.ratedW, Plain, b.acceleratorSource({"power", "tdp"}));
}

double lowest(DerivationBuilder& b, const PowerKnee& knee)
{
    b.assume(say("Limits from {} to the rated power were tried: boards take none far below a quarter of it.",
                 shown(knee.points.front().limitW, Watts)));
    return knee.points.front().limitW;
}

} // namespace

void bestLimit(DerivationBuilder& b)
{
    const auto knee = powerKnee(b.p);
    if (!knee)
        return;
    ratedPower(b, *knee);
    const auto one = [&b](std::string_view mark, const LimitPoint& at, std::string_view speed,
                          std::string_view energy) {
        const double power = b.input("P" + std::string(mark), say("power of the job, W"), at.watts, Plain);
        const double rate = b.input("r" + std::string(mark), speed, at.tokensPerS, TokensPerS);
        return b.step("J" + std::string(mark), energy, fmt::format("P{0} ÷ r{0}", mark),
                      fmt::format("{} ÷ {}", scientific(power), shown(rate, TokensPerS)), power / rate, Plain);
    };
    const double rated =
        one("₀", knee->rated, say("tokens/s without a limit"), say("joules per token without a limit"));
    const double best =
        one("*", knee->best, say("tokens/s at the best limit"), say("joules per token at the best limit"));
    b.result(say("the limit with the least J"), say("J {} instead of {}", shown(best, Plain), shown(rated, Plain)),
             knee->bestW);
    const double slower = 1 - knee->best.tokensPerS / knee->rated.tokensPerS, saved = 1 - best / rated;
    if (knee->bestW >= knee->ratedW)
        b.explain(say("Here every limit costs more than it saves."));
    else if (knee->atLowest)
        b.explain(say("Energy falls down to the lowest limit: {} less per token, for {} of the throughput.",
                      shown(saved, Percent), shown(slower, Percent)));
    else
        b.explain(say("It saves {} of a token's energy and takes {} of the throughput.", shown(saved, Percent),
                      shown(slower, Percent)));
    static_cast<void>(lowest(b, *knee));
    b.assume(say("How far a clock falls under a limit is judgement, checked on no published sweep of limits; the share "
                 "of the hosts goes with the boards' power."));
    if (!b.training())
        b.assume(
            say("What decode draws is fitted to one set of runs, and the limit that memory feels comes from another, "
                "whose boards drew less: what a limit saves may be less than this."));
}

void freeLimit(DerivationBuilder& b)
{
    const auto knee = powerKnee(b.p);
    if (!knee)
        return;
    ratedPower(b, *knee);
    const double rate = b.input("r₀", say("tokens/s without a limit"), knee->rated.tokensPerS, TokensPerS);
    const double least = b.step("r", say("tokens/s that count as not less"), "r₀ × 99 %",
                                fmt::format("{} × 99 %", shown(rate, TokensPerS)), rate * (1 - feltShare), TokensPerS);
    b.result(say("the lowest limit with at least r"),
             say("the lowest limit with at least {}", shown(least, TokensPerS)), knee->freeW);
    static_cast<void>(lowest(b, *knee));
}

} // namespace headroom::derivations
