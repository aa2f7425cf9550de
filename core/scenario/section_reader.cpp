// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/field_reader.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_fields.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace headroom
{

const NumberRange* rangeOfKey(std::string_view path)
{
    static const std::unordered_map<std::string_view, NumberRange> ranges = [] {
        std::unordered_map<std::string_view, NumberRange> table;
        for (const ParameterRow& row : parameterRegistry())
            table.emplace(row.path, NumberRange{row.minimum, row.maximum});
        return table;
    }();
    // The settings of a measurement are read as the scenario's own are.
    if (path.starts_with(measuredWithPath))
        path.remove_prefix(measuredWithPath.size());
    const auto found = ranges.find(path);
    return found == ranges.end() ? nullptr : &found->second;
}

const NumberRange* rangeOfKey(const ObjectReader& reader, std::string_view key)
{
    std::array<char, 128> path{}; // twice the longest of the registry
    const std::string_view section = reader.path();
    if (section.size() + 1 + key.size() > path.size())
        return nullptr;
    char* end = std::ranges::copy(section, path.data()).out;
    *end++ = '/';
    end = std::ranges::copy(key, end).out;
    return rangeOfKey(std::string_view(path.data(), static_cast<std::size_t>(end - path.data())));
}

void readEfficiency(ObjectReader& document, Efficiency& efficiency, FittedOn& fittedOn)
{
    const Json* value = document.value("efficiency");
    if (value == nullptr)
        return;
    if (value->is_string()) {
        document.choice("efficiency", efficiency.base, names::efficiencyBases);
        return;
    }
    if (!value->is_object()) {
        document.wrongType("efficiency", *value, said("\"expected\", \"ideal\" or an object of multipliers"));
        return;
    }
    document.object("efficiency", [&](ObjectReader& reader) {
        FieldReader keys(reader, efficiency, Task::Training);
        fields::efficiency(keys);
        reader.object("fitted_on", [&fittedOn](ObjectReader& on) {
            on.strings("training", fittedOn.training);
            on.strings("inference", fittedOn.inference);
        });
    });
}

void hintToLeaveOut(ObjectReader& reader)
{
    Diagnostic& error = reader.diagnostics().back();
    if (error.code == "out-of-range" && error.hint.empty())
        error.hint = said("leave the key out where it is not known");
}

void warnUnused(ObjectReader& reader, std::string_view key, Task measures)
{
    const auto task = measures == Task::Training ? phrase("training") : phrase("inference");
    addDiagnostic(reader.diagnostics(), "not-used", reader.pathOf(key),
                  say("this figure belongs to {} and is not used here", say(task)),
                  said("leave it out, or change the task"), Severity::Warning);
}

void warnOfIdleAdapters(ObjectReader& workload, const TrainingWorkload& w)
{
    constexpr TrainingWorkload usual;
    if (workload.value("lora") != nullptr && w.method == Method::Full && w.loraRank == usual.loraRank &&
        w.loraTargets == usual.loraTargets)
        addDiagnostic(workload.diagnostics(), "not-used", workload.pathOf("lora"),
                      said("all weights are trained, no adapters"), said("use \"method\": \"lora\" or \"qlora\""),
                      Severity::Warning);
}

} // namespace headroom
