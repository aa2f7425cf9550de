// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that the long form of the physics suite found, each with its smallest scenario.
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <memory>
#include <string>

namespace headroom::test_found_by_physics
{
namespace
{

PreparedScenario ready(const char* text)
{
    const auto read = readScenario(text, Catalog::builtIn());
    if (!read)
        qFatal("%s", read.error().front().message.c_str());
    return prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

// Of the form that a failure of the suite prints.
constexpr const char* chunks = R"({"format": "headroom-scenario", "version": 1, "model": "gopher-280b",
    "hardware": {"accelerator": "h100-sxm-80gb"},
    "workload": {"task": "inference", "prompt_tokens": 32768, "prompt_tokens_p95": 98304,
                 "prefix_cached_tokens": 4427, "software": "llama.cpp"}})";
constexpr const char* pool = R"({"format": "headroom-scenario", "version": 1, "model": "minimax-m3",
    "hardware": {"accelerator": "h100-sxm-80gb"},
    "workload": {"task": "inference", "scheduling": "disaggregated", "prefix_cached_tokens": 416,
                 "software": "llama.cpp-2024", "prefill_pool": {"count": 3}},
    "efficiency": {"prefill": 10}})";
constexpr const char* host = R"({"format": "headroom-scenario", "version": 1, "model": "gemma-3-4b",
    "hardware": {"accelerator": "h100-sxm-80gb", "count": 8},
    "workload": {"task": "inference", "batch": 512, "output_tokens": 2, "kv_cache": "int8",
                 "host_memory": {"weights_gb": 400, "gb_per_s": 64}},
    "parallelism": {"attention_data": 8}})";
constexpr const char* latents = R"({"format": "headroom-scenario", "version": 1, "model": "minicpm3-4b",
    "hardware": {"accelerator": "gb10"},
    "workload": {"task": "training", "sequence_length": 32768, "method": "lora", "lora": {"targets": "attention"},
                 "software": "megatron"}})";
constexpr const char* absorbed = R"({"format": "headroom-scenario", "version": 1, "model": "glm-5.2",
    "hardware": {"accelerator": "b300-sxm"},
    "workload": {"task": "inference", "compute": "int8", "prefix_cached_tokens": 6},
    "efficiency": {"prefill": 10}})";

} // namespace

class TestFoundByPhysics : public QObject
{
    Q_OBJECT
private slots:
    /// 1,536 tokens, but for the last digit of a sum, were four chunks of 512.
    void aLastDigitIsNoChunk()
    {
        PreparedScenario p = ready(chunks);
        const auto seconds = [&p](double hits) {
            p.inference.tierHostHits = hits;
            return evaluate(p).prefill->timeS;
        };
        constexpr double hits = 26805.0 / 32768; // leaves 1,536
        QVERIFY(test::near(seconds(hits), seconds(hits + 1e-9), 1e-6));
        QVERIFY(seconds(hits - 1e-6) > 1.02 * seconds(hits));
    }

    /// Of 608 tokens in chunks of 512 the pool's bytes were those of two of 304, which meet more experts.
    void aPoolReadsTheChunksThatItsPassHas()
    {
        const PreparedScenario p = ready(pool);
        QVERIFY(*evaluate(p).pools->prefill.mbu <= 1 + 1e-9);
    }

    /// Prompts that add nothing are all read in a request's own pass; at exactly nothing none was.
    void whatAddsNothingIsCovered()
    {
        PreparedScenario p = ready(host);
        double first = 0;
        for (double hits = 0.8682; hits < 0.8685; hits += 1e-6) { // a last digit, now above 0, now at it
            p.inference.tierHostHits = hits;
            const double ttft = *evaluate(p).ttftS;
            first = first > 0 ? first : ttft;
            QVERIFY2(test::near(ttft, first, 1e-3), std::to_string(hits).c_str());
        }
    }

    /// HFU counts what memory makes a stack project up again.
    void whatIsProjectedAgainIsExecuted()
    {
        PreparedScenario p = ready(latents);
        p.training.checkpointing = Checkpointing::Unknown;
        const Evaluation again = evaluate(p);
        QVERIFY(again.warnings.has(WarningCode::ProjectsAgain) &&
                !again.warnings.has(WarningCode::CheckpointingRaised));
        Accelerator large = *p.accelerator;
        large.memoryUsableGib = 1000;
        large.memoryGb = 1100;
        p.accelerator = std::make_shared<const Accelerator>(large);
        const Evaluation once = evaluate(p);
        QVERIFY(!once.warnings.has(WarningCode::ProjectsAgain));
        QVERIFY(test::near(again.flops.model, once.flops.model, 1e-12));
        const double added = again.flops.recompute - once.flops.recompute;
        const double seconds = again.part(TimePart::Recompute) - once.part(TimePart::Recompute);
        QVERIFY(added > 0 && added <= seconds * again.peakFlops);
        QVERIFY(*again.hfu / *again.mfu > *once.hfu / *once.mfu);
    }

    /// Absorbed products run in 16 bit where INT8 units are slower: the bound had them on those.
    void theBoundTakesTheFasterUnits()
    {
        PreparedScenario p = ready(absorbed);
        const double expected = evaluate(p).prefill->timeS;
        p.efficiency = Efficiency{};
        p.efficiency.base = EfficiencyBase::Ideal;
        QVERIFY(evaluate(p).prefill->timeS <= expected * (1 + 1e-9));
    }
};
HEADROOM_TEST(TestFoundByPhysics)

} // namespace headroom::test_found_by_physics
#include "test_found_by_physics.moc"
