// SPDX-License-Identifier: GPL-3.0-or-later
// Glossary: the field's terms in one or two sentences each, with the formula and the mistakes that are commonly made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

struct GlossaryTerm {
    std::string_view id;          ///< stable, "kv-cache"
    std::string_view term;        ///< "KV cache"
    std::string_view longName;    ///< "key/value cache"; may be empty
    std::string_view definition;  ///< one or two sentences
    std::string_view formula;     ///< may be empty
    std::string_view mistake;     ///< a common mistake; may be empty
    std::string_view metricId;    ///< the metric it explains, where there is one
    std::string_view parameterId; ///< the parameter it explains, where there is one
};

/// Every term, in alphabetical order of `term`.
[[nodiscard]] std::span<const GlossaryTerm> glossary();
[[nodiscard]] const GlossaryTerm* glossaryTerm(std::string_view id);

/// One entry of the glossary's page: terms, metrics, parameters and charts in one alphabet. Metrics and parameters that
/// have a term of their own appear once, under the term.
struct GlossaryEntry {
    std::string id; ///< the term's, else the parameter's, the metric's (after "metric." where a parameter is
                    ///< called so) or, after "chart.", the chart's; unique
    std::string title, definition, formula, mistake;
    std::string metricId, parameterId, chartId; ///< where "show" leads; empty: nowhere
};
[[nodiscard]] std::vector<GlossaryEntry> glossaryEntries();

/// The entry that explains a metric, a parameter or a chart; every row of the registries has one.
[[nodiscard]] std::optional<GlossaryEntry> glossaryEntryOfMetric(std::string_view metricId);
[[nodiscard]] std::optional<GlossaryEntry> glossaryEntryOfParameter(std::string_view parameterId);
[[nodiscard]] std::optional<GlossaryEntry> glossaryEntryOfChart(std::string_view chartId);
/// By its id.
[[nodiscard]] std::optional<GlossaryEntry> glossaryEntry(std::string_view id);

} // namespace headroom
