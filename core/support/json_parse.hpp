// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to *_json.cpp and its kin (it includes nlohmann/json): text from outside to a JSON value, safely.
#pragma once

#include "core/support/diagnostic.hpp"
#include "core/support/json_text.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headroom
{

/// Keys are sorted: one object has one text.
using Json = nlohmann::json;

struct JsonLimits {
    std::size_t bytes = 1u << 20;   ///< 1 MiB for a scenario, 16 MiB for a config.json
    int depth = 32;                 ///< arrays and objects within each other
    std::size_t values = 4'000'000; ///< of all kinds: "[]," is 3 bytes of text and some 50 of memory
    bool comments = true;           ///< accept // and /* */
};

/// Parses one JSON document. Refused, each with line and column: too many bytes ("too-large"), bytes that are not
/// UTF-8 ("not-utf8"), bad syntax ("syntax"; "not-a-number" for NaN and Infinity), nesting ("too-deep"), a key given
/// twice ("duplicate-key"), too many values ("too-large"), a number beyond the range of doubles ("out-of-range").
/// Nothing recurses further than the nesting that is allowed, and nothing throws. A byte order mark is skipped.
[[nodiscard]] Expected<Json> parseJson(std::string_view text, const JsonLimits& limits = {});

/// The 1-based line on which the value at a JSON path begins, 0 where there is no such value. Parses again: for errors.
[[nodiscard]] int lineOfJsonPath(std::string_view text, std::string_view path);

/// Fills `line` of every diagnostic that has none.
void addLines(Diagnostics& diagnostics, std::string_view text);

/// `path` + "/" + `key`, escaped as JSON pointers are (~0, ~1) and cut where the key is absurdly long.
[[nodiscard]] std::string childPath(std::string_view path, std::string_view key);

} // namespace headroom
