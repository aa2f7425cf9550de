// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to architecture_json_*.cpp: readers of the parts of an architecture object (attention, experts, mixers).
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/json_reader.hpp"

namespace headroom
{

inline constexpr std::int64_t mostSize = (std::int64_t{1} << 40) - 1; ///< no width or count of a real model comes near
inline constexpr std::int64_t mostLayers = 100'000;

/// A width or count within [least, 2^40).
void readSize(ObjectReader& r, std::string_view key, std::int64_t& target, std::int64_t least = 1);

[[nodiscard]] std::optional<MlpKind> mlpNamed(const Json& value);

/// Each changes only the fields whose keys are there. `kindGiven`: whether the attention says its kind.
void readAttention(ObjectReader& r, AttentionShape& a, bool& kindGiven);
void readVariants(ObjectReader& r, ModelArchitecture& m);
void readMoe(ObjectReader& r, MoeShape& m);
void readLinear(ObjectReader& r, LinearShape& l);
void readMamba(ObjectReader& r, MambaShape& m);
void readIndexer(ObjectReader& r, IndexerShape& x);
void readSliding(ObjectReader& r, SlidingShape& s);
void readMtp(ObjectReader& r, MtpShape& m);
void readQuantization(ObjectReader& r, Quantization& q);

} // namespace headroom
