// SPDX-License-Identifier: GPL-3.0-or-later
// A step of reinforcement learning beside what others count. Published times: tests/worked_examples/11_rl.txt.
#include "core/predict/evaluate.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <string_view>

namespace headroom::test_rl_published
{
namespace
{

PreparedScenario prepared()
{
    const auto read =
        readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3.1-8b", "hardware": )"
                     R"({"accelerator": "h100-sxm-80gb", "count": 16, "price_per_gpu_hour": 2}, "workload": )"
                     R"({"task": "training", "sequence_length": 8192, "training_tokens": 1e9, "rl": {"prompts": 64}}})",
                     Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

} // namespace

class TestRlPublished : public QObject
{
    Q_OBJECT
private slots:
    /// The GPUs and tokens of NVIDIA-NeMo/RL's own figure (documentation, page "performance summary", v0.6): with its
    /// answers, lengths, GPUs and step, ours is the published one to 5 % for Qwen3. DeepSeek-V3's is 14 % under its own
    /// in every row, and Qwen3-235B a step off policy on 256 GPUs 16 %; what those count besides it does not say.
    void tokensAreCountedAsPublished()
    {
        struct Row {
            const char* name;
            int gpus, prompts, samples, mean;
            double perGpu, stepS, off;
        };
        constexpr Row rows[] = {
            {"Qwen3 30B-A3B", 32, 64, 32, 3203, 1102, 192, 0},
            {"Qwen3 30B-A3B, 1 off", 32, 64, 32, 3201, 1414, 152, 0},
            {"Qwen3 30B-A3B, 8 off", 192, 64, 32, 3206, 1025, 34.5, 0},
            {"Qwen3 30B-A3B, GB200", 16, 64, 32, 3199, 1910, 221, 0},
            {"Qwen3 30B-A3B, GB200, 1 off", 16, 64, 32, 3197, 1406, 301, 0},
            {"Qwen3 235B", 128, 16, 32, 5698, 58.9, 395, 0},
            {"Qwen3 235B", 256, 16, 32, 5713, 37.4, 312, 0},
            {"Qwen3 235B, 1 off", 256, 16, 32, 5721, 58.7, 231, -0.16},
            {"Qwen3 235B, GB200", 64, 16, 32, 5709, 163, 286, 0},
            {"Qwen3 235B, GB200", 128, 16, 32, 5693, 67.4, 345, 0},
            {"Qwen3 235B, GB200, 1 off", 128, 16, 32, 5705, 85.5, 278, 0},
            {"DeepSeek-V3", 256, 16, 32, 701, 12.1, 134, -0.14},
            {"DeepSeek-V3", 512, 16, 32, 697, 7.24, 111, -0.14},
            {"DeepSeek-V3, 1 off", 512, 16, 32, 710, 12.8, 64.1, -0.14},
            {"DeepSeek-V3, fp8, 1 off", 512, 16, 32, 721, 14.1, 59.2, -0.14},
            {"DeepSeek-V3, GB200", 128, 16, 32, 711, 30.2, 108, -0.14},
            {"DeepSeek-V3, GB200", 256, 16, 32, 700, 16.4, 98.7, -0.14},
            {"DeepSeek-V3, GB200, 1 off", 256, 16, 32, 708, 26.7, 61.7, -0.14},
        };
        for (const Row& row : rows) {
            PreparedScenario p = prepared();
            RlWorkload& w = p.training.rl;
            w.prompts = row.prompts;
            w.samples = row.samples;
            w.promptTokens = 150;
            w.outputTokens = row.mean - w.promptTokens;
            const bool apart = std::string_view(row.name).find(" off") != std::string_view::npos;
            w.placement = apart ? RlPlacement::Separate : RlPlacement::Colocated;
            w.staleness = apart ? 1 : 0;
            p.hardware.count = apart ? row.gpus / 2 : row.gpus; // half of them generate: both halves count
            w.rolloutCount = p.hardware.count;
            const RlResult r = *evaluate(p).rl;
            const double counted = r.tokensPerSPerGpu * r.stepS / row.stepS; // in the published time
            QVERIFY2(std::abs(counted / row.perGpu - 1 - row.off) < 0.05, row.name);
        }
    }
};
HEADROOM_TEST(TestRlPublished)

} // namespace headroom::test_rl_published
#include "test_rl_published.moc"
