// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario costs to evaluate that asks for everything serving can say, beside the same one that asks for none of
// it. With the name of a case and N: exactly N evaluations of that case, for callgrind.
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

/// The same service: a load, on GPUs that divide themselves between prompts and answers; or that are two pools. And one
/// on GPUs that do both: plain, over a day with replicas that follow it, with all that can be asked of it. The plain
/// one has a request a second on each of four replicas, and one replica follows the day of one request a second.
constexpr std::array<Case, 5> cases{{
    {"plain", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":16,"price_per_gpu_hour":2},"workload":{"task":"inference",
        "batch":32,"prompt_tokens":1000,"output_tokens":200,"requests_per_s":4,"scheduling":"disaggregated"},
        "parallelism":{"tensor":4}})"},
    {"full", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":16,"price_per_gpu_hour":2},"workload":{"task":"inference",
        "batch":32,"mix":[{"share":0.5,"prompt_tokens":600,"output_tokens":300},
        {"share":0.5,"prompt_tokens":1400,"output_tokens":100}],"requests_per_s":4,"arrival_cv":1.2,
        "prefix_hit_rate":0.3,"max_tokens_per_pass":8192,"latency_targets":{"ttft_s":2,"tpot_s":0.05,
        "percentile":"p99"},"scheduling":"disaggregated","prefill_pool":{"count":8,"parallelism":{"tensor":4}},
        "speculative":{"method":"eagle3","draft_tokens":3}},"parallelism":{"tensor":4}})"},
    {"continuous", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":16,"price_per_gpu_hour":2},"workload":{"task":"inference",
        "batch":32,"prompt_tokens":1000,"output_tokens":200,"requests_per_s":4},"parallelism":{"tensor":4}})"},
    {"day", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":16,"price_per_gpu_hour":2},"workload":{"task":"inference",
        "batch":32,"prompt_tokens":1000,"output_tokens":200,"requests_per_s":1,
        "load_profile":{"shape":"office","peak_to_trough":3},"autoscale":{"min":1},"latency_targets":{"ttft_s":2}},
        "parallelism":{"tensor":4}})"},
    {"all", R"({"format":"headroom-scenario","version":1,"model":"llama-3-70b",
        "hardware":{"accelerator":"h100-sxm-80gb","count":16,"price_per_gpu_hour":2},"workload":{"task":"inference",
        "batch":32,"mix":[{"share":0.5,"prompt_tokens":600,"output_tokens":300},
        {"share":0.5,"prompt_tokens":1400,"output_tokens":100}],"requests_per_s":1,"arrival_cv":1.2,
        "prefix_hit_rate":0.3,"max_tokens_per_pass":8192,"latency_targets":{"ttft_s":2,"tpot_s":0.05,
        "percentile":"p99"},"load_profile":{"shape":"office","peak_to_trough":3},"autoscale":{"min":1},
        "host_memory":{"weights_gb":2},"kv_tiers":{"host_gb":100,"host_hit_rate":0.2},
        "speculative":{"method":"eagle3","draft_tokens":3}},"parallelism":{"tensor":4}})"},
}};

/// Evaluates n times, the batch changing each time so that nothing can be kept; returns a value that depends on all.
double run(headroom::PreparedScenario& scenario, long n)
{
    double sum = 0;
    for (long i = 0; i < n; ++i) {
        scenario.inference.batch = 32 + i % 32;
        const headroom::Evaluation result = headroom::evaluate(scenario);
        sum += result.usedBytes + result.tokensPerS.value_or(0);
    }
    return sum;
}

} // namespace

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    const std::string_view picked = argc == 3 ? argv[1] : "";
    const long fixed = argc == 3 ? std::atol(argv[2]) : 0;
    const headroom::Catalog catalog = headroom::Catalog::builtIn();
    double sum = 1;
    for (const Case& one : cases) {
        if (!picked.empty() && picked != one.name)
            continue;
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
        if (!picked.empty()) {
            sum += run(*prepared, fixed);
            continue;
        }
        constexpr long times = 20000;
        sum += run(*prepared, times / 10); // warm
        const auto start = Clock::now();
        sum += run(*prepared, times);
        const std::chrono::duration<double> elapsed = Clock::now() - start;
        fmt::print("{:<36} {:>10.0f} evaluations a second, {:.2f} µs each\n", fmt::format("serving, {}", one.name),
                   times / elapsed.count(), elapsed.count() / times * 1e6);
    }
    return sum > 0 ? 0 : 1;
}
