// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/parameter_rows.hpp"

#include <algorithm>

namespace headroom::rows
{

namespace
{

template <auto Member>
using InferenceField = access::Field<&Setup::inference, Member>;

/// "off" and the methods of the scenario file.
constexpr auto methods = [] {
    std::array<ParameterChoice, draftingCount + 1> all{{{"off", "off"}}};
    std::ranges::copy(choicesOf<names::drafting>, all.begin() + 1);
    return all;
}();

bool drafts(const Setup& s)
{
    return s.inference.drafting.has_value();
}

/// As stated, or as the stated length implies; where neither is, where a slider begins.
double firstAcceptance(const Setup& s)
{
    const InferenceWorkload& w = s.inference;
    if (w.acceptanceLength)
        return acceptanceOfLength(*w.acceptanceLength, w.acceptanceDecay, double(w.draftTokens));
    constexpr double middle = 0.7;
    return w.acceptance ? w.acceptance->byPosition[0] : middle;
}

double cycleLength(const Setup& s)
{
    const InferenceWorkload& w = s.inference;
    return w.acceptanceLength.value_or(tokensPerCycle(w.acceptance.value_or(Acceptance::of(firstAcceptance(s))),
                                                      w.acceptanceDecay, double(w.draftTokens)));
}

/// A stated length belongs to its number of drafts: with another number the acceptance that it implies stays.
void setDraftTokens(Setup& s, double value)
{
    InferenceWorkload& w = s.inference;
    const auto tokens = std::llround(value);
    if (w.acceptanceLength && tokens != w.draftTokens) {
        w.acceptance =
            Acceptance::of(acceptanceOfLength(*w.acceptanceLength, w.acceptanceDecay, double(w.draftTokens)));
        w.acceptanceLength.reset();
    }
    w.draftTokens = tokens;
}

} // namespace

std::span<const ParameterRow> speculation()
{
    static const std::array table{
        of<InferenceField<&InferenceWorkload::drafting>>(withChoices(
            {.id = "speculative_method",
             .path = "/workload/speculative/method",
             .label = "Speculative decoding",
             .description = "What proposes tokens that the model then verifies together, several in one pass.",
             .group = ParameterGroup::Software,
             .inference = true,
             .get =
                 [](const Setup& s) {
                     return drafts(s) ? 1 + double(placeOf(names::drafting, *s.inference.drafting)) : 0;
                 },
             .set =
                 [](Setup& s, double v) {
                     const auto index = std::llround(v);
                     s.inference.drafting =
                         index > 0 ? std::optional(names::drafting[std::size_t(index - 1)].value) : std::nullopt;
                 }},
            methods)),
        of<InferenceField<&InferenceWorkload::draftTokens>>({.id = "draft_tokens",
                                                             .path = "/workload/speculative/draft_tokens",
                                                             .label = "Draft tokens",
                                                             .symbol = "γ",
                                                             .unit = "tokens",
                                                             .description = "Tokens proposed in a cycle; all of them "
                                                                            "are verified, and the first wrong one "
                                                                            "ends what is kept.",
                                                             .group = ParameterGroup::Software,
                                                             .scale = ParameterScale::Linear,
                                                             .minimum = 1,
                                                             .maximum = double(Acceptance::most),
                                                             .sliderMaximum = double(Acceptance::most),
                                                             .inference = true,
                                                             .applies = drafts,
                                                             .set = setDraftTokens}),
        of<InferenceField<&InferenceWorkload::acceptance>>(asReal(
            {.id = "acceptance",
             .path = "/workload/speculative/acceptance",
             .label = "Acceptance",
             .symbol = "α",
             .description = "Chance that the first draft token is accepted; later ones decay. Automatic: usual for the "
                            "method, with a wide interval.",
             .group = ParameterGroup::Software,
             .format = ValueFormat::Percent,
             .inference = true,
             .optional = true,
             .applies = drafts,
             .get = firstAcceptance,
             .set =
                 [](Setup& s, double v) {
                     s.inference.acceptance = Acceptance::of(v);
                     s.inference.acceptanceLength.reset(); // one of the two says it
                 }},
            0, 1, 0, 1)),
        of<InferenceField<&InferenceWorkload::acceptanceLength>>(asReal(
            {.id = "acceptance_length",
             .path = "/workload/speculative/acceptance_length",
             .label = "Acceptance length",
             .symbol = "A",
             .unit = "tokens",
             .description = "Tokens that a cycle yields on average, the verified one included: what engines log. "
                            "Automatic: from the acceptance.",
             .group = ParameterGroup::Software,
             .format = ValueFormat::Plain,
             .inference = true,
             .optional = true,
             .applies = drafts,
             .get = cycleLength,
             .set =
                 [](Setup& s, double v) {
                     s.inference.acceptanceLength = v;
                     s.inference.acceptance.reset();
                 }},
            1, double(Acceptance::most) + 1, 1, 8)),
        of<InferenceField<&InferenceWorkload::acceptanceDecay>>(asReal(
            {.id = "acceptance_decay",
             .path = "/workload/speculative/acceptance_decay",
             .label = "Decay of the acceptance",
             .symbol = "δ",
             .description = "Factor by which the chance of acceptance falls from one draft position to the next.",
             .group = ParameterGroup::Software,
             .format = ValueFormat::Percent,
             .inference = true,
             .applies = drafts},
            0.5, 1, 0.5, 1)),
    };
    return table;
}

} // namespace headroom::rows
