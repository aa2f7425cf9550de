// SPDX-License-Identifier: GPL-3.0-or-later
// What the names and numbers of a trace mean.
#include "core/profile/trace_readers.hpp"

#include "core/support/say.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headroom::profile
{
namespace
{

/// Where the two matrices stand among an operator's inputs (PyTorch, native_functions.yaml).
struct MatmulOperator {
    std::string_view name;
    std::size_t first; ///< index of the left matrix; the right one follows
    bool batched;
};
constexpr MatmulOperator operators[] = {
    {"aten::mm", 0, false},     {"aten::addmm", 1, false},      {"aten::bmm", 0, true},
    {"aten::baddbmm", 1, true}, {"aten::_scaled_mm", 0, false}, {"aten::_addmm_activation", 1, false},
};

const MatmulOperator* operatorNamed(std::string_view name)
{
    const auto* found = std::ranges::find(operators, name, &MatmulOperator::name);
    return found == std::end(operators) ? nullptr : found;
}

std::optional<std::int64_t> wholeAfter(std::string_view text, std::size_t at)
{
    std::int64_t number = 0;
    const auto result = std::from_chars(text.data() + at, text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

bool looksLikeJson(std::string_view beginning)
{
    const std::size_t first = beginning.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return first != beginning.npos && (beginning[first] == '{' || beginning[first] == '[');
}

bool looksLikeKineto(std::string_view beginning)
{
    const auto holds = [&](std::string_view part) { return beginning.find(part) != beginning.npos; };
    return looksLikeJson(beginning) &&
           (holds("\"traceEvents\"") || holds("\"ph\"") || holds("\"schemaVersion\"") || holds("\"deviceProperties\""));
}

tl::unexpected<Diagnostics> unknownProfile()
{
    return fail(
        "unknown-profile", "", said("is no profile that is known"),
        said("known are traces of the PyTorch profiler (.json, .json.gz), and of Nsight Systems the SQLite export and "
             "the CSV of cuda_gpu_trace"));
}

Diagnostic wholeGraphs()
{
    return {Severity::Warning,
            "whole-graphs",
            {},
            said("CUDA graphs are recorded whole: their kernels are not in the file"),
            said("profile with nsys --cuda-graph-trace=node"),
            {},
            0};
}

std::optional<std::int64_t> nvtxStepNamed(std::string_view range)
{
    constexpr std::string_view prefixes[] = {"ProfilerStep#", "step ",      "step_", "Step ",
                                             "iteration ",    "Iteration ", "iter "};
    for (const std::string_view prefix : prefixes)
        if (range.starts_with(prefix))
            return wholeAfter(range, prefix.size());
    return std::nullopt;
}

std::optional<MatmulShape> matmulShape(std::string_view name, const std::vector<std::vector<std::int64_t>>& dims,
                                       const std::vector<std::string>& types)
{
    const MatmulOperator* op = operatorNamed(name);
    if (op == nullptr || dims.size() < op->first + 2)
        return std::nullopt;
    const auto &left = dims[op->first], &right = dims[op->first + 1];
    const std::size_t rank = op->batched ? 3 : 2;
    constexpr std::int64_t largest = std::int64_t(1) << 40;
    const auto sound = [&](const std::vector<std::int64_t>& d) {
        return d.size() == rank && std::ranges::all_of(d, [](std::int64_t x) { return x > 0 && x < largest; });
    };
    if (!sound(left) || !sound(right) || left[rank - 1] != right[rank - 2] || (op->batched && left[0] != right[0]))
        return std::nullopt;
    MatmulShape shape{op->batched ? left[0] : 1, left[rank - 2], right[rank - 1], left[rank - 1], {}};
    if (op->first < types.size())
        shape.type = types[op->first].substr(0, 32);
    return shape;
}

std::optional<StepName> stepNamed(std::string_view annotation)
{
    constexpr std::string_view profiler = "ProfilerStep#", vllm = "execute_";
    if (annotation.starts_with(profiler)) {
        if (const auto number = wholeAfter(annotation, profiler.size()))
            return StepName{number, 0};
        return std::nullopt;
    }
    if (annotation.starts_with(vllm)) // "execute_context_1(888)_generation_0(0)": what the step holds, not its number
        return StepName{std::nullopt, 1};
    return std::nullopt;
}

std::optional<std::int64_t> nanoseconds(std::string_view text)
{
    const bool negative = text.starts_with('-');
    std::string_view digits = text.substr(negative ? 1 : 0);
    std::int64_t value = 0;
    int decimals = -1;
    for (const char c : digits) {
        if (c == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (c < '0' || c > '9') { // "1e3" is rare: by way of a double
            double number = 0;
            const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
            number *= 1e3;
            if (result.ec != std::errc() || result.ptr != text.data() + text.size() ||
                !(std::abs(number) < double(latest)))
                return std::nullopt;
            return std::llround(number);
        }
        if (decimals == 3)
            continue; // below a ns
        if (value > latest / 10)
            return std::nullopt;
        value = value * 10 + (c - '0');
        decimals += decimals >= 0 ? 1 : 0;
    }
    if (digits.empty())
        return std::nullopt;
    for (int i = std::max(decimals, 0); i < 3; ++i) {
        if (value > latest / 10)
            return std::nullopt;
        value *= 10;
    }
    return negative ? -value : value;
}

} // namespace headroom::profile
