// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/scenario (it includes nlohmann/json): values of a scenario file that have several forms, read and
// written.
#pragma once

#include "core/scenario/scenario.hpp"
#include "core/support/json_reader.hpp"

#include <cmath>
#include <type_traits>

namespace headroom
{

using OrderedJson = nlohmann::ordered_json;

/// true, false, a version (1, 2, 3) or "cudnn".
void readForm(ObjectReader& reader, std::string_view key, FlashAttention& target);
[[nodiscard]] OrderedJson formOf(FlashAttention value);

/// A stack's version: "0.14.1".
void readForm(ObjectReader& reader, std::string_view key, std::optional<SoftwareVersion>& target);
[[nodiscard]] OrderedJson formOf(const SoftwareVersion& version);

/// A chance, or an array of them, position by position.
void readForm(ObjectReader& reader, std::string_view key, std::optional<Acceptance>& target);
[[nodiscard]] OrderedJson formOf(const Acceptance& acceptance);

/// An array of classes of requests, whose shares add up to 1.
void readForm(ObjectReader& reader, std::string_view key, std::optional<RequestMix>& target);
[[nodiscard]] OrderedJson formOf(const RequestMix& mix);

/// 24 multiples of the day's mean, {"requests_per_s": [24 rates]}, or a shape with its peak over its trough. Rates stay
/// rates until settleLoad().
void readForm(ObjectReader& reader, std::string_view key, std::optional<LoadProfile>& target);
[[nodiscard]] OrderedJson formOf(const LoadProfile& profile);
/// Makes the rates of a profile multiples of their mean, which is then the workload's load; stated beside it, it has to
/// be.
void settleLoad(ObjectReader& workload, InferenceWorkload& inference);

/// An array of the shapes of matmuls.
void readForm(ObjectReader& reader, std::string_view key, std::optional<MeasuredShapes>& target);
[[nodiscard]] OrderedJson formOf(const MeasuredShapes& shapes);

/// An array of kernels by their names, the longest first. Empty: there is no such key, or it is wrong.
void readKernels(ObjectReader& document, std::string_view key, ProfiledKernels& target);
[[nodiscard]] OrderedJson formOf(const ProfiledKernels& kernels);

/// The id of a catalogue entry.
void readForm(ObjectReader& reader, std::string_view key, std::optional<CatalogId>& target);
[[nodiscard]] OrderedJson formOf(const CatalogId& id);

/// A set's name or an array of projections.
void readForm(ObjectReader& reader, std::string_view key, LoraTargets& target);
[[nodiscard]] OrderedJson formOf(LoraTargets targets);

/// A mode's name or {"mode": …, "every": …}.
void readForm(ObjectReader& reader, std::string_view key, Checkpointing& mode, std::int64_t& every);
[[nodiscard]] OrderedJson formOf(Checkpointing mode, std::int64_t every);

/// A number of sequences or "max".
void readForm(ObjectReader& reader, std::string_view key, std::int64_t& batch, bool& most);
[[nodiscard]] OrderedJson formOf(std::int64_t batch, bool most);

/// A value as a file has it. Doubles that are whole have no point: people read these files.
template <typename Value>
[[nodiscard]] OrderedJson jsonOf(const Value& value)
{
    constexpr double exactWhole = 9007199254740992.0; // 2^53
    if constexpr (std::is_same_v<Value, double>)
        return std::trunc(value) == value && std::fabs(value) < exactWhole
                   ? OrderedJson(static_cast<std::int64_t>(value))
                   : OrderedJson(value);
    else if constexpr (std::is_constructible_v<OrderedJson, Value> && !std::is_enum_v<Value>)
        return value;
    else
        return formOf(value);
}

} // namespace headroom
