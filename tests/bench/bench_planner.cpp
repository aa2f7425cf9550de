// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations decided a second by the planner on two threads: GPT-3 175B on 64 GPUs, global batch 64, every
// dimension free: 3.2 million layouts. With --count N (any N): one thread, one objective, for callgrind.
#include "core/catalog/catalog.hpp"
#include "core/plan/planner.hpp"
#include "core/scenario/scenario_json.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace
{

constexpr std::string_view scenarioText = R"({"format":"headroom-scenario","version":1,"model":"gpt-3-175b",
    "hardware":{"accelerator":"h100-sxm-80gb","count":64,"price_per_gpu_hour":3},
    "workload":{"task":"training","sequence_length":2048,"global_batch":64}})";

constexpr std::array objectives{headroom::PlanObjective::Time, headroom::PlanObjective::Energy,
                                headroom::PlanObjective::Mfu};
constexpr std::array<std::string_view, 3> objectiveNames{"time", "energy", "mfu"};

} // namespace

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    const bool counting = argc == 3 && std::string_view(argv[1]) == "--count";
    const auto read = headroom::readScenario(scenarioText, headroom::Catalog::builtIn());
    if (!read) {
        fmt::print(stderr, "{}\n", headroom::toText(read.error().front()));
        return 1;
    }
    auto base = headroom::prepare(read->scenario, headroom::Catalog::builtIn(), headroom::Calibration::builtIn());
    if (!base) {
        fmt::print(stderr, "{}\n", headroom::toText(base.error().front()));
        return 1;
    }
    headroom::PlanRequest request;
    request.base = *base;
    request.gpuCounts = {64};
    request.free = headroom::PlanDimensions::all();
    request.threads = counting ? 1 : 2;
    for (std::size_t i = 0; i < (counting ? 1 : objectives.size()); ++i) {
        request.objective = objectives[i];
        const auto start = Clock::now();
        double first = -1;
        const auto since = [&start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
        headroom::PlanProgressCallback watch = [&](const headroom::PlanProgress& progress) {
            if (first < 0 && !progress.best.empty())
                first = since();
        };
        if (counting)
            watch = {}; // reports come by the clock
        const auto result = headroom::plan(request, {}, watch);
        const double seconds = since();
        if (!result || result->ranked.empty())
            return 1;
        const headroom::PlanCounts& c = result->counts;
        fmt::print(
            "{:<6} {} configurations in {:.3f} s: {:.2f} million decided a second; first result after "
            "{:.1f} ms\n       {} evaluated, {} excluded by memory, {} by time; {} on the front\n       best: {}\n",
            objectiveNames[i], c.configurations, seconds, double(c.decided()) / seconds / 1e6, first * 1e3, c.evaluated,
            c.excludedByMemory, c.excludedByTime, result->front.size(), headroom::layoutText(result->ranked.front()));
    }
    return 0;
}
