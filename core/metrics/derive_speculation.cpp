// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

/// The method's usual acceptance, where the scenario states none.
double usualAcceptance(DerivationBuilder& b)
{
    const SpeculationConstants& c = b.p.calibration->inference.speculation;
    const double usual = c.acceptance[static_cast<std::size_t>(*b.p.inference.drafting)];
    b.assume(say("The acceptance is not stated: usual for the method is assumed, and it may be {} off either way.",
                 shown(c.acceptanceSpread, Percent)));
    return b.input("α", say("acceptance of the first draft"), usual, Percent, b.calibrationSource());
}

} // namespace

void tokensOfCycle(DerivationBuilder& b)
{
    const InferenceWorkload& w = b.p.inference;
    const double drafts = b.parameter("draft_tokens");
    const double yields = b.e.speculation->tokensPerCycle;
    const bool cut = yields >= static_cast<double>(w.outputTokens - 1); // by a short answer
    if (cut && w.outputTokens > 1)
        b.parameter("output_tokens");
    if (cut)
        b.assume(say("A cycle that accepts more than the answer still wants gives no more than that."));
    if (w.acceptanceLength) {
        const double stated = b.parameter("acceptance_length");
        if (cut)
            b.result(say("min(A, output − 1)"), {}, yields);
        else
            b.result("min(A, γ + 1)", fmt::format("min({}, {})", shown(stated, Plain), wholeText(drafts + 1)), yields);
        return;
    }
    Acceptance acceptance = w.acceptance.value_or(Acceptance{});
    if (w.acceptance)
        b.parameter("acceptance");
    else
        acceptance = Acceptance::of(usualAcceptance(b));
    const double decay = b.parameter("acceptance_decay");
    double chance = 0, survives = 1, sum = 1;
    std::string terms = "1";
    for (std::size_t i = 0; i < Acceptance::most && double(i) < drafts; ++i) {
        chance = i < acceptance.stated ? acceptance.byPosition[i] : chance * decay;
        survives *= chance;
        sum += survives;
        terms += fmt::format(" + {}", shown(survives, Percent));
    }
    if (cut)
        b.result(say("min(1 + a₁ + a₁·a₂ + …, output − 1)"),
                 fmt::format("min({}, {})", terms, std::max<std::int64_t>(w.outputTokens - 1, 1)), yields);
    else
        b.result("1 + a₁ + a₁·a₂ + …", terms, sum);
    b.assume(say("A draft counts only where all before it were accepted."));
}

void speculativeCycle(DerivationBuilder& b)
{
    const SpeculationResult& s = *b.e.speculation;
    b.parameter("draft_tokens");
    b.batch();
    const double draft = b.input("t_d", say("all draft passes"), s.draftS, Seconds, b.calibrationSource());
    const double verify = b.input("t_v", say("one pass over the drafts and the token after them"), s.verifyS, Seconds,
                                  b.calibrationSource());
    const double host = b.input("t_h", say("the host between them: what to keep, what to draft next"), s.hostS, Seconds,
                                b.calibrationSource());
    b.result("t_d + t_v + t_h",
             fmt::format("{} + {} + {}", shown(draft, Seconds), shown(verify, Seconds), shown(host, Seconds)),
             draft + verify + host);
    b.assume(say("Each draft token reaches experts of its own: tokens of one sequence that share experts cost less."));
}

void plainTpot(DerivationBuilder& b)
{
    b.batch();
    b.result(b.metric.formula, {}, b.e.speculation->plainTpotS, b.calibrationSource());
    b.assume(say("Everything else as it is; under a load its own batch in flight."));
}

void speculativeSpeedup(DerivationBuilder& b)
{
    const SpeculationResult& s = *b.e.speculation;
    const double without = b.input("t₀", say("TPOT without drafts"), s.plainTpotS, Seconds, b.calibrationSource());
    const double cycle = b.input("t_c", say("time of a cycle"), s.cycleS, Seconds, b.calibrationSource());
    const double tokens = b.input("A", say("tokens that it adds to an answer"), s.tokensAdded, Plain);
    const double others =
        b.step("t_p", say("newcomers' prompts between two tokens"), say("TPOT − t_c ÷ A"),
               fmt::format("{} − {} ÷ {}", shown(*b.e.tpotS, Seconds), shown(cycle, Seconds), shown(tokens, Plain)),
               *b.e.tpotS - cycle / tokens, Seconds);
    b.result("t₀ ÷ (t_c ÷ A + t_p)",
             fmt::format("{} ÷ ({} ÷ {} + {})", shown(without, Seconds), shown(cycle, Seconds), shown(tokens, Plain),
                         shown(others, Seconds)),
             without / (cycle / tokens + others));
    if (s.speedup < 1)
        b.explain(say("Here the drafts cost more than they bring: fewer drafts, a smaller batch, or none."));
}

} // namespace headroom::derivations
