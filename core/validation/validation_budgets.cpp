// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/validation_budgets.hpp"

#include "core/support/json_reader.hpp"

namespace headroom
{

Expected<ValidationBudgets> readValidationBudgets(std::string_view text)
{
    JsonLimits limits;
    limits.bytes = text.size(); // who opened the file has its own limit
    const auto document = parseJson(text, limits);
    if (!document)
        return tl::unexpected(document.error());
    ValidationBudgets budgets;
    Diagnostics diagnostics;
    ObjectReader root(*document, "", diagnostics);
    root.objects("groups", [&](ObjectReader& object) {
        ErrorBudget& row = budgets.groups.emplace_back();
        object.string("by", row.by, Presence::Required);
        object.string("group", row.group, Presence::Required);
        object.string("metric", row.metric, Presence::Required);
        object.string("name", row.name);
        object.string("reason", row.reason);
        object.number("asked_median", row.askedMedian, NumberRange::positive());
        object.number("asked_p90", row.askedP90, NumberRange::positive());
        object.ignore({"median", "p90"});
    });
    root.objects("intervals", [&](ObjectReader& object) {
        IntervalReason& row = budgets.intervals.emplace_back();
        object.string("reason", row.reason, Presence::Required);
        object.strings("groups", row.groups, Presence::Required);
    });
    root.ignore({"comment", "selection", "training", "inference"});
    root.finish();
    if (hasErrors(diagnostics)) {
        addLines(diagnostics, text);
        return tl::unexpected(diagnostics);
    }
    return budgets;
}

} // namespace headroom
