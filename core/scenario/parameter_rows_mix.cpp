// SPDX-License-Identifier: GPL-3.0-or-later
// A second class of requests beside the first, which is what the scenario serves without it. More classes, and the
// first one's lengths, are for a file to say.
#include "core/scenario/parameter_rows.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::rows
{

namespace
{

constexpr double usualShare = 0.2;

/// The lengths of a scenario are its mix's means, as the format reads them.
void settle(InferenceWorkload& w)
{
    w.promptTokens = std::max<std::int64_t>(1, std::llround(w.mix->meanPrompt()));
    w.outputTokens = std::max<std::int64_t>(1, std::llround(w.mix->meanOutput()));
}

/// The mix; made of two classes alike where there is none, which changes nothing.
RequestMix& mixOf(InferenceWorkload& w)
{
    if (!w.mix) {
        w.mix.emplace();
        w.mix->count = 2;
        w.mix->all[0] = {1 - usualShare, w.promptTokens, w.outputTokens};
        w.mix->all[1] = {usualShare, w.promptTokens, w.outputTokens};
    }
    return *w.mix;
}

void setShare(Setup& s, double share)
{
    RequestMix& mix = mixOf(s.inference);
    const double others = 1 - mix.all[1].share;
    if (share < 1 && others > 0) // else reading refuses it, where it is
        for (RequestClass& c : mix.all)
            c.share *= (1 - share) / others;
    mix.all[1].share = share;
    settle(s.inference);
}

/// A row of the second class; automatic: there is none.
ParameterRow second(ParameterRow row)
{
    row.group = ParameterGroup::Load;
    row.optional = true;
    row.inference = true;
    row.applies = row.applies ? row.applies : [](const Setup& s) { return s.inference.mix.has_value(); };
    row.isSet = [](const Setup& s) { return s.inference.mix.has_value(); };
    row.reset = [](Setup& s) {
        InferenceWorkload& w = s.inference;
        if (!w.mix)
            return;
        w.promptTokens = w.mix->all[0].promptTokens;
        w.outputTokens = w.mix->all[0].outputTokens;
        w.mix.reset();
    };
    return row;
}

/// A length of the second class.
template <auto Length, auto Mean>
ParameterRow length(std::string_view id, std::string_view path, std::string_view label, std::string_view description)
{
    return second({.id = id,
                   .path = path,
                   .label = label,
                   .unit = "tokens",
                   .description = description,
                   .minimum = 1,
                   .maximum = 16777216,
                   .sliderMinimum = 16,
                   .sliderMaximum = 131072,
                   .snaps = tokenSnaps,
                   .get =
                       [](const Setup& s) {
                           const InferenceWorkload& w = s.inference;
                           return static_cast<double>(w.mix ? w.mix->all[1].*Length : w.*Mean);
                       },
                   .set =
                       [](Setup& s, double tokens) {
                           mixOf(s.inference).all[1].*Length = std::llround(tokens);
                           settle(s.inference);
                       }});
}

} // namespace

std::span<const ParameterRow> mix()
{
    static const std::array table{
        second(asReal({.id = "mix_share",
                       .path = "/workload/mix/1/share",
                       .label = "Second class, share",
                       .description = "Share of the requests that are of a second class, with a prompt and an answer "
                                      "of its own: code beside chat. Automatic: all requests are alike.",
                       .format = ValueFormat::Percent,
                       .applies = always,
                       .get = [](const Setup& s) { return s.inference.mix ? s.inference.mix->all[1].share : 0; },
                       .set = setShare},
                      0.001, 0.999, 0.01, 0.99)),
        length<&RequestClass::promptTokens, &InferenceWorkload::promptTokens>(
            "mix_prompt_tokens", "/workload/mix/1/prompt_tokens", "Second class, prompt",
            "Prompt tokens of a request of the second class. The mean of all classes is the prompt."),
        length<&RequestClass::outputTokens, &InferenceWorkload::outputTokens>(
            "mix_output_tokens", "/workload/mix/1/output_tokens", "Second class, output",
            "Answer tokens of a request of the second class. The mean of all classes is the output.")};
    return table;
}

} // namespace headroom::rows
