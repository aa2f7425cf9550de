// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/scenario (it includes nlohmann/json): the sections of a scenario file, read one by one.
#pragma once

#include "core/scenario/scenario.hpp"
#include "core/support/json_reader.hpp"

namespace headroom
{

/// The settings that a measurement was made with, where they are not the scenario's (scenario.md 1.7).
inline constexpr std::string_view measuredWithPath = "/measured_with";

/// The key's range in files, from the parameter registry (path "/workload/batch"); empty for keys without a row.
[[nodiscard]] const NumberRange* rangeOfKey(std::string_view path);

/// Whole and real numbers whose range the parameter registry declares.
template <typename Target>
void readWhole(ObjectReader& reader, std::string_view key, Target& target)
{
    if (reader.value(key) == nullptr)
        return;
    const NumberRange* range = rangeOfKey(reader.pathOf(key));
    const NumberRange whole = range != nullptr ? *range : NumberRange{1, 1e15};
    reader.integer(key, target, static_cast<std::int64_t>(whole.minimum), static_cast<std::int64_t>(whole.maximum));
}
template <typename Target>
void readReal(ObjectReader& reader, std::string_view key, Target& target)
{
    if (reader.value(key) == nullptr)
        return;
    const NumberRange* range = rangeOfKey(reader.pathOf(key));
    reader.number(key, target, range != nullptr ? *range : NumberRange::positive());
}

void readTraining(ObjectReader& reader, TrainingWorkload& workload);
void readInference(ObjectReader& reader, InferenceWorkload& workload);
void readParallelism(ObjectReader& reader, Parallelism& parallelism);
/// "expected", "ideal" or the object of scenario.md 1.6.
void readEfficiency(ObjectReader& document, Efficiency& efficiency);
/// Warns about figures that the other task measures.
void readMeasured(ObjectReader& reader, Task task, Measured& measured);

} // namespace headroom
