// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may type into a box: a finite number or none, and its printed form reads back.
#include "core/charts/chart_spec.hpp"
#include "core/units/format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cmath>

namespace headroom::fuzz
{

constexpr unsigned formats = static_cast<unsigned>(ValueFormat::Watts) + 1;

const unsigned ways = 1;

void fuzzOne(std::string_view input, unsigned /*way*/)
{
    // The first byte chooses the format, so that the fuzzer reaches all of them.
    if (input.empty())
        return;
    const auto format = static_cast<ValueFormat>(static_cast<unsigned char>(input.front()) % formats);
    const std::string_view text = input.substr(1);
    for (const bool binaryK : {false, true}) {
        const std::optional<double> value = readNumber(text, format, binaryK);
        if (!value)
            continue;
        require(std::isfinite(*value), "a number that was read is finite", text);
        const std::string exact = exactNumber(*value);
        require(exact.find("nan") == std::string::npos && exact.find("inf") == std::string::npos,
                "a number is printed in digits", exact);
        require(std::strtod(exact.c_str(), nullptr) == *value, "the exact form reads back equal", exact);
        const std::string shown = formatText(*value, format);
        require(!shown.empty() && shown.find("nan") == std::string::npos, "a value is shown", shown);
    }
}

} // namespace headroom::fuzz
