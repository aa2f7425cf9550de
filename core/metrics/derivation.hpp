// SPDX-License-Identifier: GPL-3.0-or-later
// Derivation: how one figure came about — each symbol, formula, the numbers put in, the value, unit and source.
#pragma once

#include "core/units/value_format.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// One line: "tokens = 16 × 64 = 1,024".
struct DerivationStep {
    std::string symbol;      ///< "T"
    std::string name;        ///< "tokens per step"
    std::string formula;     ///< "batch × sequence length"; empty for an input
    std::string substituted; ///< "16 × 64"; empty for an input
    double value = 0;
    ValueFormat format = ValueFormat::Plain;
    std::string unit;        ///< further unit text where the format has none
    std::string parameterId; ///< registry id of the slider behind an input; empty otherwise
    std::string source;      ///< catalogue source, calibration entry, publication
};

/// What stands behind one figure, ready to be shown.
struct Derivation {
    std::string metricId, title;       ///< "Why 0.53 %?"
    std::string statement;             ///< "MFU = model FLOP ÷ (time × GPUs × peak)"
    std::string meaning;               ///< one or two sentences in plain words
    std::vector<DerivationStep> steps; ///< inputs first, result last
    std::vector<std::string> assumptions, sources;
    std::string whatToChange; ///< what would move it most, one sentence; may be empty
};

} // namespace headroom
