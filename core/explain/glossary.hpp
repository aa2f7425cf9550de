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

/// One entry of the glossary's page: terms, metrics and parameters in one alphabet. Metrics and parameters that have a
/// term of their own appear once, under the term.
struct GlossaryEntry {
    std::string title, definition, formula, mistake;
    std::string metricId, parameterId; ///< where "show" leads; empty: nowhere
};
[[nodiscard]] std::vector<GlossaryEntry> glossaryEntries();

/// The entry that explains a metric or a parameter; every row of the registries has one.
[[nodiscard]] std::optional<GlossaryEntry> glossaryEntryOfMetric(std::string_view metricId);
[[nodiscard]] std::optional<GlossaryEntry> glossaryEntryOfParameter(std::string_view parameterId);

} // namespace headroom
