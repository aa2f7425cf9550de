// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogue facts: what tables, side-by-side views and forms show of an accelerator or a model, one row each.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_profile.hpp"
#include "core/units/value_format.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// A model with the figures that follow from its shape, computed once.
struct ModelEntry {
    std::shared_ptr<const ModelArchitecture> model;
    ParameterCounts counts;
    double cacheBytes = 0; ///< key/value cache of one sequence of factContext tokens, 16 bit
};

/// The context at which caches are compared.
inline constexpr int factContext = 32'768;

/// The model with what its facts are computed from.
[[nodiscard]] ModelEntry modelEntry(std::shared_ptr<const ModelArchitecture> model);

/// Which end is the better one where entries stand side by side.
enum class FactOrder : std::uint8_t { None, More, Less };

/// One fact: a number, words, or a number that is printed in its own words. Empty = "not published" or "has none".
template <typename Entry>
struct FactRow {
    std::string_view id, group, label;
    std::string_view column; ///< its heading in a table; empty = only in the detail
    std::string_view
        source; ///< Accelerator::fieldSources groups, best first, blanks between; empty = follows from others
    ValueFormat format = ValueFormat::Plain;
    FactOrder order = FactOrder::None;
    std::optional<double> (*number)(const Entry&) = nullptr; ///< in the base unit: bytes, FLOP/s, W
    std::string (*text)(const Entry&) = nullptr;
    bool spoken = false; ///< its texts are words, shown in the language in force; else names, the same in each

    /// A fact that has no number.
    [[nodiscard]] static FactRow words(std::string_view id, std::string_view group, std::string_view label,
                                       std::string_view column, std::string_view source,
                                       std::string (*text)(const Entry&))
    {
        FactRow row{id, group, label, column, source};
        row.text = text;
        return row;
    }
    /// The same row, its texts said.
    [[nodiscard]] FactRow said() const
    {
        FactRow row = *this;
        row.spoken = true;
        return row;
    }
};

/// The rows in the order of the tables' columns.
[[nodiscard]] std::span<const FactRow<Accelerator>> acceleratorFacts();
[[nodiscard]] std::span<const FactRow<ModelEntry>> modelFacts();

/// The fact in words with its unit; empty where it is not known.
template <typename Entry>
[[nodiscard]] std::string factText(const FactRow<Entry>& row, const Entry& entry);

/// Where the fact was read; empty where it follows from others or has no source of its own.
[[nodiscard]] std::string factSource(const FactRow<Accelerator>& row, const Accelerator& accelerator);

/// Position of the best value among those known; empty where there are fewer than two or all are equal.
[[nodiscard]] std::optional<std::size_t> bestOf(FactOrder order, std::span<const std::optional<double>> values);

} // namespace headroom
