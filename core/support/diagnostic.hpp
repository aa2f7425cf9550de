// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostic: one message to a person about one place in their input; Expected: a value or such messages.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headroom
{

enum class Severity { Error, Warning, Note };

/// What is wrong (or doubtful) in an input, where, and what would be right.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string code;    ///< stable, machine-readable, kebab-case: "unknown-key", "out-of-range"
    std::string path;    ///< JSON path of the place, "/workload/batch"; empty for the whole document
    std::string message; ///< one sentence: what was found
    std::string hint;    ///< what would be right ("did you mean 'batch'?"); may be empty
    std::string file;    ///< file name where known
    int line = 0;        ///< 1-based line where known, else 0

    bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// A value, or the reasons why there is none (never empty then).
template <typename T>
using Expected = tl::expected<T, Diagnostics>;

/// "scenario.headroom:3: /workload/batch: must be at least 1 (found 0); use a whole number of sequences"
[[nodiscard]] std::string toText(const Diagnostic& diagnostic);

/// Shorthand for the commonest failure: one error.
[[nodiscard]] tl::unexpected<Diagnostics> fail(std::string code, std::string path, std::string message,
                                               std::string hint = {});

} // namespace headroom
