// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: Family: one row per text model_type, naming the function that reads what is peculiar to
// it.
#pragma once

#include "core/catalog/hf/draft.hpp"

#include <span>

namespace headroom::hf
{

/// What the maker's own "active parameters" leaves out; ours leaves out nothing.
enum class MakerActive : std::uint8_t { Unstated, Everything, NoInputEmbedding, NoEmbeddings };

/// As the rows name them.
inline constexpr auto everything = MakerActive::Everything;
inline constexpr auto noInput = MakerActive::NoInputEmbedding;
inline constexpr auto noEmbeddings = MakerActive::NoEmbeddings;

/// tie_word_embeddings where the file does not say: what the class of that family assumes.
enum class TiedDefault : std::uint8_t { No, Yes };

struct Family {
    std::string_view modelType, name;
    TiedDefault tied;
    void (*read)(Draft&);
    MakerActive makerActive = MakerActive::Unstated;
};

/// A model_type that cannot be counted, and why.
struct RefusedFamily {
    std::string_view modelType, reason;
};

/// An entry of `architectures` that stands in for a missing model_type.
struct ArchitectureName {
    std::string_view architecture, modelType;
};

[[nodiscard]] std::span<const Family> gptFamilies();
[[nodiscard]] std::span<const Family> llamaFamilies();
[[nodiscard]] std::span<const Family> gemmaFamilies();
[[nodiscard]] std::span<const Family> qwenFamilies();
[[nodiscard]] std::span<const Family> deepseekFamilies();
[[nodiscard]] std::span<const Family> expertFamilies();
[[nodiscard]] std::span<const Family> mixtureFamilies();
[[nodiscard]] std::span<const Family> hybridFamilies();

[[nodiscard]] const Family* findFamily(std::string_view modelType);
[[nodiscard]] const RefusedFamily* findRefused(std::string_view modelType);
[[nodiscard]] std::string_view modelTypeOf(std::string_view architecture); ///< empty where unknown

/// Every known row, for tests and lists.
[[nodiscard]] std::vector<std::span<const Family>> allFamilies();

/// A decoder with the usual keys whose family is unknown: counted as Llama-like, marked inexact.
void readUnknownFamily(Draft& d);

} // namespace headroom::hf
