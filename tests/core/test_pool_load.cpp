// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pool that reads prompts is the narrower one: load, capacity and the range of the throughput are its own,
// whether its size is stated or follows.
#include "core/explain/derive.hpp"
#include "core/explore/advice.hpp"
#include "core/predict/evaluation_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_pool_load
{

using test::near;
using test::serving;

namespace
{

/// Prompts of 4,000 tokens; answers are short, so that few GPUs write what many read.
PreparedScenario pools(std::optional<std::int64_t> readers, std::optional<double> load)
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 4, [&](Scenario& s) {
        s.parallelism.tensor = 1;
        InferenceWorkload& w = s.inference;
        w.batch = 64;
        w.promptTokens = 4000;
        w.outputTokens = 200;
        w.scheduling = Scheduling::Disaggregated;
        w.prefillPool.tensor = 1;
        w.prefillPool.count = readers;
        w.requestsPerS = load;
    });
}

} // namespace

class TestPoolLoad : public QObject
{
    Q_OBJECT
private slots:
    /// A prompt takes as much of GPUs that follow the ratio as of those whose number is stated. The host's step of each
    /// of its passes was left out: a third more requests of Transformers with very short answers.
    void whoReadsHasTheHostsStepEitherWay()
    {
        for (const auto& [software, prompt] :
             {std::pair(InferenceSoftware::Transformers, 4000), std::pair(InferenceSoftware::Transformers, 50),
              std::pair(InferenceSoftware::DeepSpeed, 3000), std::pair(InferenceSoftware::Vllm, 1000)}) {
            const auto with = [&, sw = software, tokens = prompt](bool stated) {
                return evaluate(serving("llama-3.2-1b", "h100-sxm-80gb", 8, [&](Scenario& s) {
                    s.parallelism.tensor = 1;
                    s.inference.batch = 32;
                    s.inference.promptTokens = tokens;
                    s.inference.outputTokens = 4;
                    s.inference.software = sw;
                    s.inference.scheduling = Scheduling::Disaggregated;
                    if (stated) {
                        s.inference.prefillPool.count = 1;
                        s.inference.transferGbitPerS = 1e6;
                    }
                }));
            };
            const Evaluation own = with(false), pool = with(true);
            const double decodeS =
                *own.tpotS / own.batch * 3; // of a request, of a GPU: the reader gives the first token
            const double expected = 8 / (decodeS + pool.pools->requestS);
            QVERIFY2(near(*own.requestsPerS, expected, 1e-9),
                     fmt::format("{} tokens: {} of {} requests/s", prompt, *own.requestsPerS, expected).c_str());
        }
    }

    /// What a board draws with nothing to do is stated of the one that decodes: an L4 of 72 W idles at no H100's 70.
    void idlePowerIsOfTheBoardThatDecodes()
    {
        PreparedScenario p = pools(8, 1);
        p.prefillAccelerator = Catalog::builtIn().accelerator("l4");
        const PoolsResult usual = *evaluate(p).pools;
        p.hardware.power.idleW = 70;
        const PoolsResult stated = *evaluate(p).pools;
        QCOMPARE(*stated.prefill.watts, *usual.prefill.watts);
        QVERIFY(*stated.decode.watts < *usual.decode.watts); // a tenth of 700 W instead of a fifth
        p.prefillAccelerator = nullptr;
        const PoolsResult alike = *evaluate(p).pools;
        p.hardware.power.idleW.reset();
        QVERIFY(*alike.prefill.watts < *evaluate(p).pools->prefill.watts);
    }

    void anAutomaticSizeIsTheSameDeployment()
    {
        for (const double load : {3.0, 11.0, 25.0}) {
            const Evaluation automatic = evaluate(pools({}, load));
            const auto chosen = std::int64_t(automatic.pools->prefill.devices);
            const Evaluation stated = evaluate(pools(chosen, load));
            QVERIFY(near(automatic.queue->utilization, stated.queue->utilization));
            QVERIFY(near(automatic.queue->capacityRequestsPerS, stated.queue->capacityRequestsPerS));
            QVERIFY(near(automatic.queue->capacityRequestsPerS,
                         std::min(automatic.pools->prefill.requestsPerS, automatic.pools->decode.requestsPerS)));
            QVERIFY(near(*automatic.queue->meanWaitS, *stated.queue->meanWaitS));
        }
    }

    /// What the pool feeds bounds both ends of the range, by the factors of any throughput.
    void theRangeIsOfTheNarrowerPool()
    {
        const Evaluation narrow = evaluate(pools(1, {})), wide = evaluate(pools({}, {}));
        const double fed = narrow.pools->prefill.requestsPerS * 200;
        QVERIFY(near(*narrow.tokensPerS, fed));
        const Interval of = *narrow.tokensPerSInterval, full = *wide.tokensPerSInterval;
        QVERIFY(of.low < 0.99 * fed && of.high > 1.01 * fed);
        QVERIFY(near(of.low / fed, full.low / *wide.tokensPerS));
        QVERIFY(near(of.high / fed, full.high / *wide.tokensPerS));
    }

    void noWaitIsKnownBeyondWhatIsRead()
    {
        const PreparedScenario p = pools(1, 20);
        const Evaluation e = evaluate(p);
        QVERIFY(e.pools->prefill.utilization > 1);
        const auto json = nlohmann::json::parse(evaluationJson("", p, e, 0))["pools"];
        for (const char* id : {"wait_s", "p95_wait_s", "p99_wait_s"})
            QVERIFY2(json.at(id).is_null(), id);
        const PreparedScenario served = pools(3, 20);
        QVERIFY(nlohmann::json::parse(evaluationJson("", served, evaluate(served), 0))["pools"]["wait_s"] > 0);
    }

    /// The formula of a day names every term that its numbers hold.
    /// Beyond what decode carries, more that is asked for is neither read nor paid for: cost and power went on growing
    /// with it.
    void whatIsNotServedIsNotPaidFor()
    {
        for (const std::optional<std::int64_t> readers :
             {std::optional<std::int64_t>(), std::optional<std::int64_t>(40)}) {
            const auto asked = [&](std::optional<double> load) {
                PreparedScenario p = pools(readers, load);
                p.hardware.pricePerGpuHour = 2;
                return evaluate(p);
            };
            const double most = *asked({}).requestsPerS;
            const Evaluation full = asked(most), beyond = asked(10 * most);
            QVERIFY(near(*beyond.tokensPerS, *full.tokensPerS));
            QVERIFY(near(*beyond.costPerMillionTokens, *full.costPerMillionTokens));
            QVERIFY(std::abs(*beyond.watts / *full.watts - 1) < 0.01);
            QCOMPARE(beyond.pools->prefill.instances, full.pools->prefill.instances);
            QVERIFY(beyond.pools->prefill.needed > 9 * full.pools->prefill.needed);
        }
    }

    void aDayAddsUpBothPools()
    {
        for (const auto& price : {std::optional<double>(), std::optional(3.0)}) {
            PreparedScenario p = pools({}, 20);
            p.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 3);
            p.inference.autoscale.min = 1;
            p.hardware.pricePerGpuHour = 2;
            p.inference.prefillPool.pricePerGpuHour = price;
            const Evaluation e = evaluate(p);
            const Derivation hours = derive("day.gpu_hours", p, e), cost = derive("day.cost", p, e);
            QVERIFY2(hours.steps.back().formula.find("+ h") != std::string::npos, hours.steps.back().formula.c_str());
            QVERIFY(near(hours.steps.back().value, e.day->gpuHours));
            QVERIFY(near(cost.steps.back().value, *e.day->cost));
            QCOMPARE(cost.steps.back().formula.find("prefill GPU") != std::string::npos, price.has_value());
        }
    }

    /// The catalogue knows the network of an H100 and not that of an L40S.
    void aPoolWithoutANetworkIsNamedAndTakesTheStatedOne()
    {
        PreparedScenario p = serving("llama-3.1-8b", "h100-sxm-80gb", 4, [](Scenario& s) {
            InferenceWorkload& w = s.inference;
            w.batch = 8;
            w.promptTokens = 32000;
            w.outputTokens = 200;
            w.scheduling = Scheduling::Disaggregated;
            w.prefillPool.tensor = 2;
            w.prefillPool.accelerator = CatalogId::from("l40s");
        });
        const Evaluation assumed = evaluate(p);
        QVERIFY(assumed.warnings.has(WarningCode::NicAssumed));
        const std::string text = warningText(WarningCode::NicAssumed, 100, p);
        QVERIFY2(text.find("L40S") != std::string::npos, text.c_str());
        p.hardware.scaleOutGbitPerS = 25;
        const Evaluation stated = evaluate(p);
        QVERIFY(!stated.warnings.has(WarningCode::NicAssumed));
        QVERIFY(stated.pools->transferS > 2 * assumed.pools->transferS);
    }

    /// Where prompts are read too slowly, reading them more slowly still helps nobody.
    void nothingIsBetterForStarvingDecode()
    {
        const PreparedScenario p = pools(1, 20);
        const Evaluation e = evaluate(p);
        for (const Advice& one : improvements(p, e, 50))
            QVERIFY2(*one.after.tokensPerS > 0.99 * *e.tokensPerS, one.text.c_str());
    }
};
HEADROOM_TEST(TestPoolLoad)

} // namespace headroom::test_pool_load
#include "test_pool_load.moc"
