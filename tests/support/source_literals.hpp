// SPDX-License-Identifier: GPL-3.0-or-later
// SourceLiteral: one string literal of a C++ source and the calls that it stands in, for tests that read the sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::test
{

struct SourceCall {
    std::string name; ///< "fail", "addDiagnostic"; empty for a bracket that no name stands before
    int argument = 0; ///< which of its arguments the literal is in, from 0
};

struct SourceLiteral {
    std::string text; ///< unescaped; neighbours in the source are joined
    int line = 1;
    std::vector<SourceCall> within; ///< outermost first
};

/// All of them but those in comments and in lines of the preprocessor.
[[nodiscard]] std::vector<SourceLiteral> sourceLiterals(std::string_view code);

/// say("…"), said("…") and phrase("…"): the call is one of these, which take a text that has its German.
[[nodiscard]] bool says(const SourceCall& call);

} // namespace headroom::test
