// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

using W = InferenceWorkload;

template <auto Member>
ParameterRow trafficRow(ParameterRow row)
{
    row.inference = true;
    return of<access::Field<&Setup::inference, Member>>(row);
}

/// A percentile of a length; automatic: not known.
template <auto Member, auto Mean>
ParameterRow percentile(std::string_view id, std::string_view path, std::string_view label,
                        std::string_view description)
{
    return trafficRow<Member>(
        {.id = id,
         .path = path,
         .label = label,
         .unit = "tokens",
         .description = description,
         .group = ParameterGroup::Load,
         .minimum = 1,
         .maximum = 16777216,
         .sliderMinimum = 64,
         .sliderMaximum = 131072,
         .snaps = tokenSnaps,
         .optional = true,
         .get = [](const Setup& s) { return static_cast<double>((s.inference.*Member).value_or(s.inference.*Mean)); }});
}

/// A coefficient of variation; automatic: from the percentiles.
template <auto Member>
ParameterRow variation(std::string_view id, std::string_view path, std::string_view label, std::string_view description)
{
    return trafficRow<Member>(asReal({.id = id,
                                      .path = path,
                                      .label = label,
                                      .symbol = "c",
                                      .description = description,
                                      .group = ParameterGroup::Load,
                                      .format = ValueFormat::Plain,
                                      .optional = true},
                                     0, 100, 0, 4));
}

} // namespace

std::span<const ParameterRow> traffic()
{
    static const std::array table{
        percentile<&W::promptTokensP50, &W::promptTokens>(
            "prompt_tokens_p50", "/workload/prompt_tokens_p50", "Prompt, median",
            "Half of the prompts are shorter. Says how lengths spread where nothing else does."),
        percentile<&W::promptTokensP99, &W::promptTokens>(
            "prompt_tokens_p99", "/workload/prompt_tokens_p99", "Prompt, 99th percentile",
            "One prompt in a hundred is longer. Decides the spread before the 95th percentile."),
        variation<&W::promptTokensCv>("prompt_tokens_cv", "/workload/prompt_tokens_cv", "Prompt, variation",
                                      "Standard deviation of the prompt lengths over their mean. Decides the spread "
                                      "before any percentile. Automatic: from the percentiles, else 1."),
        percentile<&W::outputTokensP50, &W::outputTokens>(
            "output_tokens_p50", "/workload/output_tokens_p50", "Output, median",
            "Half of the answers are shorter. Says how lengths spread where nothing else does."),
        percentile<&W::outputTokensP99, &W::outputTokens>(
            "output_tokens_p99", "/workload/output_tokens_p99", "Output, 99th percentile",
            "One answer in a hundred is longer. Decides the spread before the 95th percentile."),
        variation<&W::outputTokensCv>("output_tokens_cv", "/workload/output_tokens_cv", "Output, variation",
                                      "Standard deviation of the answer lengths over their mean. Decides the spread "
                                      "before any percentile. Automatic: from the percentiles, else 1."),
        trafficRow<&W::arrivalCv>(
            asReal({.id = "arrival_cv",
                    .path = "/workload/arrival_cv",
                    .label = "Arrival, variation",
                    .symbol = "c_a",
                    .description = "Standard deviation of the times between requests over their mean: 1 at random, 0 "
                                   "like clockwork, 13 where scripts send in bursts.",
                    .group = ParameterGroup::Load,
                    .format = ValueFormat::Plain,
                    .applies = [](const Setup& s) { return s.inference.requestsPerS.has_value(); }},
                   0, 100, 0, 4)),
        trafficRow<&W::prefixHitRate>(
            asReal({.id = "prefix_hit_rate",
                    .path = "/workload/prefix_hit_rate",
                    .label = "Prefix hit rate",
                    .symbol = "h",
                    .description = "Share of the prompts' tokens whose keys and values the cache holds already. "
                                   "Automatic: the cached prefix, in tokens.",
                    .group = ParameterGroup::Load,
                    .format = ValueFormat::Percent,
                    .optional = true,
                    .get =
                        [](const Setup& s) {
                            const InferenceWorkload& w = s.inference;
                            return w.prefixHitRate.value_or(double(w.prefixCachedTokens) / double(w.promptTokens));
                        },
                    .set =
                        [](Setup& s, double value) {
                            s.inference.prefixHitRate = value;
                            s.inference.prefixCachedTokens = 0; // one of the two says it
                        }},
                   0, 1, 0, 1)),
        trafficRow<&W::maxTokensPerPass>(
            {.id = "max_tokens_per_pass",
             .path = "/workload/max_tokens_per_pass",
             .label = "Tokens per pass",
             .symbol = "C",
             .unit = "tokens",
             .description =
                 "Most tokens that a pass takes, answers and prompts together: longer prompts are read in "
                 "chunks, beside the answers. Where prompts have passes of their own, as in SGLang: most tokens "
                 "of prompts. Automatic: whole prompts, or as the engine was fitted.",
             .group = ParameterGroup::Software,
             .minimum = 1,
             .maximum = 16777216,
             .sliderMinimum = 64,
             .sliderMaximum = 131072,
             .snaps = tokenSnaps,
             .optional = true,
             .get = [](const Setup& s) { return double(s.inference.maxTokensPerPass.value_or(8192)); }}),
        choice<names::targetPercentiles, &Setup::inference, &W::targetPercentile>(
            {.id = "target_percentile",
             .path = "/workload/latency_targets/percentile",
             .label = "Targets hold for",
             .description = "How many requests must meet the TTFT target, wait and longer prompts "
                            "included. Automatic: 95 of 100.",
             .group = ParameterGroup::Load,
             .inference = true,
             .optional = true}),
    };
    return table;
}

} // namespace headroom::rows
