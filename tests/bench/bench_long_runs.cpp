// SPDX-License-Identifier: GPL-3.0-or-later
// What a training pays that uses nothing of long runs: failures, prices, the site's energy, phases and a step of
// reinforcement learning are asked for in each evaluation. "asked" asks once more for all of them; the gate allows 3 %
// (tests/bench/instruction_ratio).
#include "core/predict/evaluate.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/prices.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

namespace
{

constexpr std::string_view text = R"({"format":"headroom-scenario","version":1,"model":"llama-3-8b",
    "hardware":{"accelerator":"h100-sxm-80gb","count":8},"workload":{"task":"training","sequence_length":8192}})";

/// How much of it the scenario uses: nothing.
double asked(headroom::PreparedScenario& p)
{
    headroom::lookUpPrice(p);
    return double(headroom::countsFailures(p.training)) + double(headroom::countsSiteEnergy(p.hardware)) +
           double(headroom::isRl(p)) + double(headroom::inPhases(p));
}

double run(headroom::PreparedScenario& scenario, long n, bool twice)
{
    double sum = 0;
    for (long i = 0; i < n; ++i) {
        scenario.training.microBatch = 1 + i % 2;
        const headroom::Evaluation result = headroom::evaluate(scenario);
        sum += result.usedBytes + result.tokensPerS.value_or(0) + (twice ? asked(scenario) : 0);
    }
    return sum;
}

} // namespace

int main(int argc, char** argv)
{
    const auto read = headroom::readScenario(text, headroom::Catalog::builtIn());
    if (!read)
        return 1;
    auto prepared = headroom::prepare(read->scenario, headroom::Catalog::builtIn(), headroom::Calibration::builtIn());
    if (!prepared || asked(*prepared) > 0) {
        fmt::print(stderr, "the scenario uses what it should not\n");
        return 1;
    }
    if (argc == 3)
        return run(*prepared, std::atol(argv[2]), argv[1] == std::string_view("asked")) >= 0 ? 0 : 1;
    constexpr long times = 20000;
    double sum = 0;
    for (const bool twice : {false, true}) {
        const auto start = std::chrono::steady_clock::now();
        sum += run(*prepared, times, twice);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        fmt::print("{:<36} {:>10.0f} evaluations a second, {:.2f} µs each\n",
                   twice ? "training, long runs asked for twice" : "training without long runs",
                   times / elapsed.count(), elapsed.count() / times * 1e6);
    }
    return sum > 0 ? 0 : 1;
}
