// SPDX-License-Identifier: GPL-3.0-or-later
// Features of serving beside each other: what holds of each alone holds of them together.
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <string>

namespace headroom::test_serving_combinations
{

using test::near;

namespace
{

/// Serving of `model` on so many accelerators; `workload` and `more` begin with a comma or are empty.
Evaluation serve(const std::string& model, const std::string& accelerator, int count, const std::string& workload,
                 const std::string& more = {})
{
    const auto read = readScenario(
        R"({"format": "headroom-scenario", "version": 1, "model": ")" + model + R"(", "hardware": {"accelerator": ")" +
            accelerator + R"(", "count": )" + std::to_string(count) +
            R"(, "price_per_gpu_hour": 2}, "workload": {"task": "inference")" + workload + "}" + more + "}",
        Catalog::builtIn());
    return evaluate(prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value());
}

Evaluation small(const std::string& workload)
{
    return serve("llama-3.1-8b", "h100-sxm-80gb", 1, workload);
}

constexpr const char* flat = R"(, "load_profile": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1])";

} // namespace

class TestServingCombinations : public QObject
{
    Q_OBJECT
private slots:
    /// Ten times what one replica serves, and no second one: what is paid for is what is served.
    void aDayBeyondItsReplicasCostsWhatFullOnesCost()
    {
        const std::string chat = R"(, "batch": 64, "prompt_tokens": 1000, "output_tokens": 200)";
        const Evaluation full = small(chat);
        const Evaluation e = small(chat + R"(, "autoscale": {"max": 1}, "requests_per_s": )" +
                                   std::to_string(10 * *full.requestsPerS) + flat);
        QVERIFY(e.day && e.day->peakUse > 9);
        QVERIFY(near(*e.costPerMillionTokens, *full.costPerMillionTokens));
        QVERIFY(std::abs(*e.joulesPerToken / *full.joulesPerToken - 1) < 0.01);
        QVERIFY(near(e.day->servedRequestsPerS, *full.requestsPerS));
    }

    void readersAreNoMoreThanTheirReplicasNeed()
    {
        const auto readers = [](const char* most) {
            const Evaluation e =
                small(R"(, "batch": 64, "scheduling": "disaggregated", "prefill_pool": {"count": 1}, "autoscale": {)" +
                      std::string(most) + R"(}, "requests_per_s": 200)" + flat);
            return e.day->gpuHours / 24 - e.day->replicas;
        };
        QVERIFY(readers(R"("max": 1)") < 0.5 * readers(""));
    }

    /// The spread of lengths takes none of those in time away whose wait is less than the mean.
    void aLittleSpreadOfPromptsChangesLittle()
    {
        const auto inTime = [](const char* spread) {
            return *small(std::string(R"(, "software": "vllm", "batch": 64, "prompt_tokens": 2500, "output_tokens": 100,
                "requests_per_s": 9, "latency_targets": {"ttft_s": 0.1032})") +
                          flat + spread)
                        .day->peakShare;
        };
        const double none = inTime("");
        QVERIFY(none > 0.3 && none < 0.9);
        QVERIFY(std::abs(inTime(R"(, "prompt_tokens_cv": 0.001)") - none) < 0.1);
    }

    /// 99 % of the requests are within the 99th percentile of their own TTFT.
    void aStaticBatchHasOneLawOfWaiting()
    {
        const std::string batch = R"(, "scheduling": "static", "batch": 16, "prompt_tokens": 1000, "output_tokens": 200,
            "requests_per_s": 5)";
        const auto inTime = [&](const std::string& percentile) {
            const std::string targets = R"(, "latency_targets": {"percentile": )" + percentile;
            const Evaluation late = small(batch + targets + "}");
            return *small(batch + flat + targets + R"(, "ttft_s": )" + std::to_string(*late.tail->ttftS + 1e-6) + "}")
                        .day->peakShare;
        };
        QVERIFY(std::abs(inTime(R"("p95")") - 0.95) < 0.002);
        QVERIFY(std::abs(inTime(R"("p99")") - 0.99) < 0.002);
    }

    void theFirstTokenOfAMixIsInItsInterval()
    {
        const std::string mix = R"(, "weights": "fp8", "batch": 1, "mix": [{"share": 0.95, "prompt_tokens": 10,
            "output_tokens": 200}, {"share": 0.05, "prompt_tokens": 2000, "output_tokens": 200}])";
        const Evaluation e = serve("deepseek-v3", "h200-sxm-141gb", 8, mix, R"(, "parallelism": {"tensor": 8})");
        QVERIFY(e.ttftInterval->low <= *e.ttftS && *e.ttftS <= e.ttftInterval->high);
        QVERIFY(*e.ttftAloneS <= *e.ttftS * (1 + 1e-9));
    }

    /// Answers of one token need no decode pass that could read the host's weights for the prompts.
    void weightsOnTheHostServeNothingSooner()
    {
        for (const int prompt : {1000, 8000})
            for (const int batch : {1, 8, 32}) {
                const std::string one = R"(, "output_tokens": 1, "prompt_tokens": )" + std::to_string(prompt) +
                                        R"(, "batch": )" + std::to_string(batch);
                QVERIFY(*small(one + R"(, "host_memory": {"weights_gb": 10})").requestsPerS <=
                        *small(one).requestsPerS * (1 + 1e-9));
            }
    }

    /// What a prompt adds was a difference that rounding left below 0, whose power is no number.
    void aPromptThatAddsNothingLeavesNumbers()
    {
        const Evaluation e = serve("jamba-v0.1", "rtx-3090", 16,
                                   R"(, "prompt_tokens": 1000, "output_tokens": 2, "requests_per_s": 1,
            "weights": "mxfp4", "kv_cache": "int8", "expert_imbalance": 1.2,
            "host_memory": {"weights_gb": 5, "gb_per_s": 20})",
                                   R"(, "parallelism": {"pipeline": 2, "expert": 4, "attention_data": 8})");
        QVERIFY(e.tpotS && e.mfu && e.requestLatencyS);
    }
};
HEADROOM_TEST(TestServingCombinations)

} // namespace headroom::test_serving_combinations
#include "test_serving_combinations.moc"
