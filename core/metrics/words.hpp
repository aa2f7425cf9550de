// SPDX-License-Identifier: GPL-3.0-or-later
// Words: names and numbers as the sentences of charts and explanations use them.
#pragma once

#include "core/predict/evaluation.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <string>
#include <string_view>

namespace headroom
{

/// A registry's English label as a sentence in the language in force has it: "micro-batch"; "KV cache" stays.
[[nodiscard]] std::string inSentence(std::string_view label);
/// With a capital at its beginning, German ones (Ä, Ö, Ü) too.
[[nodiscard]] std::string capitalized(std::string text);

/// A sentence with the labels of parameters and of their choices in place of the words that files have for them:
/// "micro-batch × data" for "micro_batch × data", "tensor parallel 3" for "tensor = 3", “well tuned” for 'tuned'. A
/// word is a key where it has an underscore, a number behind it, quotes around it or a sentence behind it. For windows:
/// whoever writes files or commands needs the keys.
[[nodiscard]] std::string withLabels(std::string_view text);

/// A value as an axis tick prints it: "16", "4k", "128k", "bf16".
[[nodiscard]] std::string tickText(const ParameterRow& row, double value);
/// "micro-batch 128", "matmul precision fp8", "16 GPUs".
[[nodiscard]] std::string named(const ParameterRow& row, double value);

/// A part of a whole: "45 %"; of nothing "0 %".
[[nodiscard]] std::string shareText(double part, double whole);
/// Percentage points: "+25.2", "−3.7".
[[nodiscard]] std::string points(double share, bool sign);

/// Who lacks how much memory where the GPUs that `usedBytes` is of have room: "prefill lacks 9.65 GB"; empty where
/// nobody does.
[[nodiscard]] std::string lackText(const Evaluation& evaluation);

/// The part's name as bars and tables show it, in English: what say() is asked for, and ids.
[[nodiscard]] std::string_view label(TimePart part);
[[nodiscard]] std::string_view label(MemoryPart part);
[[nodiscard]] std::string_view label(BoundBy bound);    ///< "memory-bound", for after "is"
[[nodiscard]] std::string_view resource(BoundBy bound); ///< "memory bandwidth", for after "bound by"

} // namespace headroom
