// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations a second on one core, for four kinds of scenario. With --count N: exactly N of each, for callgrind.
#include "core/catalog/catalog.hpp"
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>

namespace
{

struct Case {
    std::string_view name, text;
};

constexpr std::array<Case, 4> cases{{
    {"dense training, TP 8 × PP 4 × FSDP", R"({"format":"headroom-scenario","version":1,"model":"llama-3.1-405b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":512},"workload":{"task":"training","sequence_length":8192,
        "global_batch":256,"checkpointing":"full"},"parallelism":{"tensor":8,"pipeline":4}})"},
    {"LoRA training, FSDP", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"mi300x","count":8},"workload":{"task":"training","method":"lora"}})"},
    {"dense inference", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":4},"workload":{"task":"inference","batch":32},
        "parallelism":{"tensor":4}})"},
    {"MoE inference, TP 8 × EP 8", R"({"format":"headroom-scenario","version":1,"model":"deepseek-v3",
        "hardware":{"accelerator":"h200-sxm-141gb","count":8},"workload":{"task":"inference","weights":"fp8","batch":64},
        "parallelism":{"tensor":8,"expert":8}})"},
}};

/// Evaluates n times, the batch changing each time so that nothing can be kept; returns a value that depends on all.
double run(headroom::PreparedScenario& scenario, long n)
{
    double sum = 0;
    for (long i = 0; i < n; ++i) {
        scenario.training.microBatch = 1 + i % 2;
        scenario.inference.batch = 1 + i % 64;
        const headroom::Evaluation result = headroom::evaluate(scenario);
        sum += result.usedBytes + result.tokensPerS.value_or(0);
    }
    return sum;
}

} // namespace

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    const long fixed = argc == 3 && std::string_view(argv[1]) == "--count" ? std::atol(argv[2]) : 0;
    const headroom::Catalog catalog = headroom::Catalog::builtIn();
    double sum = 0;
    for (const Case& one : cases) {
        const auto read = headroom::readScenario(one.text, catalog);
        if (!read) {
            fmt::print(stderr, "{}: {}\n", one.name, headroom::toText(read.error().front()));
            return 1;
        }
        auto prepared = headroom::prepare(read->scenario, catalog, headroom::Calibration::builtIn());
        if (!prepared) {
            fmt::print(stderr, "{}: {}\n", one.name, headroom::toText(prepared.error().front()));
            return 1;
        }
        if (fixed > 0) {
            sum += run(*prepared, fixed);
            continue;
        }
        sum += run(*prepared, 1000); // warm
        long evaluations = 0;
        const auto start = Clock::now();
        std::chrono::duration<double> elapsed{};
        while ((elapsed = Clock::now() - start).count() < 0.5) {
            sum += run(*prepared, 1000);
            evaluations += 1000;
        }
        fmt::print("{:<36} {:>10.0f} evaluations a second, {:.2f} µs each\n", one.name,
                   static_cast<double>(evaluations) / elapsed.count(),
                   elapsed.count() / static_cast<double>(evaluations) * 1e6);
    }
    return sum > 0 ? 0 : 1;
}
