// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/phases.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;
/// The value of each phase as a step of its own, then their sum.
template <typename Step>
void sum(DerivationBuilder& b, std::string_view symbol, ValueFormat format, Step step)
{
    const std::vector<PhaseResult> results = evaluatePhases(b.p);
    double total = 0;
    std::string terms;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const double one = step(fmt::format("{}{}", symbol, i + 1), phaseName((*b.p.phases)[i], i), results[i]);
        terms += (i == 0 ? "" : " + ") + shown(one, format);
        total += one;
    }
    b.result(fmt::format("Σ {}", symbol), terms, total);
}

void assumeOneAfterAnother(DerivationBuilder& b)
{
    b.assume(say("Phases run one after the other, with no time between them; each waits for no GPUs."));
}

} // namespace

void phasesTime(DerivationBuilder& b)
{
    sum(b, "t", Seconds, [&b](const std::string& symbol, const std::string& name, const PhaseResult& r) {
        return b.step(symbol, name, say("tokens ÷ tokens/s"),
                      fmt::format("{} ÷ {}", scientific(r.tokens), shown(r.tokensPerS, TokensPerS)),
                      r.tokens / r.tokensPerS, Seconds);
    });
    assumeOneAfterAnother(b);
}

void phasesCost(DerivationBuilder& b)
{
    sum(b, "c", Money, [&b](const std::string& symbol, const std::string& name, const PhaseResult& r) {
        const double cost = r.cost.value_or(0), hours = r.seconds / secondsPerHour;
        return b.step(symbol, name, say("cost per hour × hours"),
                      fmt::format("{} × {}", shown(hours > 0 ? cost / hours : 0, Money), scientific(hours)), cost,
                      Money);
    });
    assumeOneAfterAnother(b);
    assumePrice(b);
}

void phasesGpuHours(DerivationBuilder& b)
{
    sum(b, "h", Plain, [&b](const std::string& symbol, const std::string& name, const PhaseResult& r) {
        const double hours = r.seconds / secondsPerHour;
        return b.step(symbol, name, say("GPUs × hours"), fmt::format("{} × {}", wholeText(r.gpus), scientific(hours)),
                      r.gpus * hours, Plain);
    });
    assumeOneAfterAnother(b);
}

void phasesKwh(DerivationBuilder& b)
{
    sum(b, "E", Plain, [&b](const std::string& symbol, const std::string& name, const PhaseResult& r) {
        const double watts = r.siteWatts.value_or(0);
        return b.step(symbol, name, say("site power × time ÷ (3.6 × 10⁶)"),
                      fmt::format("{} × {} ÷ (3.6 × 10⁶)", scientific(watts), shown(r.seconds, Seconds)),
                      watts * r.seconds / joulesPerKwh, Plain);
    });
    assumeOneAfterAnother(b);
}

void phasesLostTime(DerivationBuilder& b)
{
    sum(b, "l", Seconds, [&b](const std::string& symbol, const std::string& name, const PhaseResult& r) {
        const double lost = r.lostS.value_or(0);
        return b.step(symbol, name, say("time × share lost"),
                      fmt::format("{} × {}", shown(r.seconds, Seconds), shown(lost / r.seconds, Percent)), lost,
                      Seconds);
    });
    assumeOneAfterAnother(b);
}

void phasesTokens(DerivationBuilder& b)
{
    sum(b, "n", Parameters, [&b](const std::string& symbol, const std::string& name, const PhaseResult& r) {
        return b.input(symbol, name, r.tokens, Parameters);
    });
}

} // namespace headroom::derivations
