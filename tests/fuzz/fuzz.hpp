// SPDX-License-Identifier: GPL-3.0-or-later
// What a fuzz target is: fuzz_NAME.cpp defines fuzzOne() and its ways; libfuzzer.cpp or replay.cpp feeds them.
#pragma once

#include "core/support/diagnostic.hpp"
#include "tests/support/sanitized.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headroom::fuzz
{

/// In how many ways the target takes an input: as an accelerator or a model, under one kind of file name or another.
/// A replay tries them all; libFuzzer one for each input, so that no execution pays for the other ways.
extern const unsigned ways;

/// Takes any bytes whatever in one of the `ways` (0 … ways - 1). Ends the program where a promise is broken.
void fuzzOne(std::string_view input, unsigned way);

inline void require(bool holds, std::string_view promise, std::string_view found = {})
{
    if (holds)
        return;
    std::fprintf(stderr, "broken promise: %s\n%s\n", std::string(promise).c_str(), std::string(found).c_str());
    std::abort();
}

/// fuzzOne() within 50 ms of processor time for each 256 KiB begun (the fuzzer's own inputs have 16). Judged by the
/// better of two: the first input loads the catalogue as well.
inline void feed(std::string_view input, unsigned way)
{
    const double most = 0.05 * test::timesSlower * static_cast<double>(input.size() / (256u << 10) + 1);
    double seconds = 0;
    for (int attempt = 0; attempt < 2; ++attempt) {
        const std::clock_t begin = std::clock();
        fuzzOne(input, way);
        seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (seconds <= most)
            return;
    }
    require(false, "an input is done within 50 ms", std::to_string(seconds) + " s");
}

/// A refusal says what and why, and is not a flood.
inline void requireWords(const Diagnostics& diagnostics)
{
    require(!diagnostics.empty(), "a refusal has a reason");
    require(diagnostics.size() <= 200, "a refusal is short");
    for (const Diagnostic& diagnostic : diagnostics) {
        require(!diagnostic.code.empty(), "a diagnostic has a code", diagnostic.message);
        require(!diagnostic.message.empty(), "a diagnostic has words", diagnostic.code);
        const std::string text = toText(diagnostic);
        require(text.size() < 2000, "a diagnostic quotes little of the input", text);
    }
}

/// What we write is JSON, and JSON knows no NaN.
inline void requireJson(std::string_view text)
{
    require(nlohmann::json::accept(text), "a result is JSON", text);
}

} // namespace headroom::fuzz
