// SPDX-License-Identifier: GPL-3.0-or-later
// Loading the built-in catalogue, and one search for each key stroke of what people type. With --count N: the loading
// and N key strokes, for callgrind.
#include "core/catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

namespace
{

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr std::array<std::string_view, 6> typed{"mi3", "h100 nvl", "qwen 235", "llama 3 8b", "deepseek v3", "4090"};

/// What both searches find for the first `length` letters of `text`.
std::size_t keyStroke(const headroom::Catalog& catalog, std::string_view text, std::size_t length)
{
    const std::string_view query = text.substr(0, length);
    return catalog.searchAccelerators(query).size() + catalog.searchModels(query).size();
}

} // namespace

int main(int argc, char** argv)
{
    const long fixed = argc == 3 && std::string_view(argv[1]) == "--count" ? std::atol(argv[2]) : 0;
    const auto start = Clock::now();
    const std::clock_t ticks = std::clock();
    const headroom::Catalog& catalog = headroom::Catalog::builtIn();
    const double loading = millisecondsSince(start);
    const double processor = 1e3 * static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC;
    std::size_t found = 0;
    if (fixed > 0) {
        for (long i = 0; i < fixed; ++i) {
            const std::string_view text = typed[static_cast<std::size_t>(i) % typed.size()];
            found += keyStroke(catalog, text, 1 + static_cast<std::size_t>(i) % text.size());
        }
        return found > 0 ? 0 : 1;
    }
    fmt::print("loading            {:6.1f} ms, {:.1f} of processor time, {} accelerators, {} models\n", loading,
               processor, catalog.accelerators().size(), catalog.models().size());
    constexpr int rounds = 20;
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round)
        for (const std::string_view text : typed)
            for (std::size_t length = 1; length <= text.size(); ++length) {
                const auto begun = Clock::now();
                found += keyStroke(catalog, text, length);
                times.push_back(millisecondsSince(begun));
            }
    std::ranges::sort(times);
    fmt::print("both searches      {:6.2f} ms median, {:.2f} ms at worst, {} key strokes\n", times[times.size() / 2],
               times.back(), times.size());
    return found > 0 ? 0 : 1;
}
