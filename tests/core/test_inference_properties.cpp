// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of the inference predictor for any scenario.
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <rapidcheck.h>

namespace headroom::test_inference_properties
{

using test::serving;

namespace
{

constexpr std::array<const char*, 10> models{"llama-3-8b",        "llama-3-70b",    "mixtral-8x7b", "deepseek-v3",
                                             "qwen3.5-397b-a17b", "gemma-3-27b",    "gpt-oss-120b", "deepseek-v4-flash",
                                             "nemotron-h-8b",     "falcon-mamba-7b"};
constexpr std::array<const char*, 6> accelerators{"h100-sxm-80gb", "a100-sxm-80gb", "b200-sxm",
                                                  "mi300x",        "l40s",          "gaudi2"};
constexpr std::array<InferenceSoftware, 6> engines{InferenceSoftware::Tuned,    InferenceSoftware::Vllm,
                                                   InferenceSoftware::Sglang,   InferenceSoftware::TrtLlm,
                                                   InferenceSoftware::LlamaCpp, InferenceSoftware::Transformers};

template <typename T, std::size_t N>
T pick(const std::array<T, N>& values)
{
    return values[*rc::gen::inRange<std::size_t>(0, N)];
}

/// Any scenario that ample memory lets run as asked.
PreparedScenario anyServing(const std::function<void(Scenario&)>& change = {})
{
    const std::int64_t tensor = pick(std::array<std::int64_t, 4>{1, 2, 4, 8});
    const std::int64_t pipeline = pick(std::array<std::int64_t, 3>{1, 1, 2});
    return serving(pick(models), pick(accelerators), tensor * pipeline, [&](Scenario& s) {
        s.parallelism.tensor = tensor;
        s.parallelism.pipeline = pipeline;
        s.inference.batch = *rc::gen::inRange(1, 300);
        s.inference.promptTokens = *rc::gen::inRange(1, 9000);
        s.inference.outputTokens = *rc::gen::inRange(1, 3000);
        s.inference.weights =
            pick(std::array<DataType, 4>{DataType::Bf16, DataType::Fp8, DataType::Int8, DataType::Int4});
        s.inference.software = pick(engines);
        s.inference.scheduling =
            pick(std::array<Scheduling, 3>{Scheduling::Static, Scheduling::Continuous, Scheduling::Disaggregated});
        if (change)
            change(s);
    });
}

/// The same with memory that holds everything, where the batch must not be cut.
PreparedScenario withAmpleMemory(PreparedScenario p)
{
    Accelerator roomy = *p.accelerator;
    roomy.memoryUsableGib = 1e6;
    p.accelerator = std::make_shared<const Accelerator>(std::move(roomy));
    return p;
}

constexpr double rounding = 1 + 1e-12;

} // namespace

class TestInferenceProperties : public QObject
{
    Q_OBJECT
private slots:
    void partsAddUpExactly()
    {
        QVERIFY(rc::check("time and memory", [] {
            const Evaluation r = evaluate(anyServing());
            double time = 0, memory = 0;
            for (const double part : r.time) {
                RC_ASSERT(part >= 0);
                time += part;
            }
            for (const double part : r.memory) {
                RC_ASSERT(part >= 0);
                memory += part;
            }
            RC_ASSERT(time == *r.tpotS);
            RC_ASSERT(memory == r.usedBytes);
            RC_ASSERT(r.fits == (r.usedBytes <= r.capacityBytes * (1 + 1e-9)));
        }));
    }

    /// TTFT + output·TPOT does not depend on how the newcomers' delay is shared out.
    void delayIsConserved()
    {
        QVERIFY(rc::check("arrival", [] {
            PreparedScenario p =
                withAmpleMemory(anyServing([](Scenario& s) { s.inference.scheduling = Scheduling::Continuous; }));
            const auto total = [&](Arrival arrival) {
                p.inference.arrival = arrival;
                const Evaluation r = evaluate(p);
                return *r.ttftS + static_cast<double>(p.inference.outputTokens - 1) * *r.tpotS;
            };
            const double steady = total(Arrival::Steady), burst = total(Arrival::Burst);
            RC_ASSERT(std::abs(steady / burst - 1) < 1e-9);
        }));
    }

    void staticIsNeverSlowerPerToken()
    {
        QVERIFY(rc::check("static ≤ continuous", [] {
            PreparedScenario p = anyServing();
            const auto tpot = [&](Scheduling scheduling) {
                p.inference.scheduling = scheduling;
                return *evaluate(p).tpotS;
            };
            RC_ASSERT(tpot(Scheduling::Static) <= tpot(Scheduling::Continuous) * rounding);
        }));
    }

    void stepsGrowWithBatchAndContext()
    {
        QVERIFY(rc::check("monotone", [] {
            PreparedScenario p = withAmpleMemory(anyServing([](Scenario& s) {
                s.inference.scheduling = Scheduling::Static;
                s.parallelism.pipeline = 1;
                s.hardware.count = s.parallelism.tensor;
            }));
            const Evaluation before = evaluate(p);
            PreparedScenario larger = p;
            larger.inference.batch += *rc::gen::inRange(1, 200);
            const Evaluation more = evaluate(larger);
            RC_ASSERT(*more.tpotS * rounding >= *before.tpotS);
            RC_ASSERT(*more.ttftS * rounding >= *before.ttftS);
            PreparedScenario longer = p;
            longer.inference.promptTokens += *rc::gen::inRange(1, 5000);
            const Evaluation deep = evaluate(longer);
            RC_ASSERT(*deep.tpotS * rounding >= *before.tpotS);
            RC_ASSERT(*deep.ttftS * rounding >= *before.ttftS);
        }));
    }

    /// The TTFT of a request alone is that of a batch of one, whatever the batch.
    void aloneIsABatchOfOne()
    {
        QVERIFY(rc::check("alone", [] {
            PreparedScenario p =
                withAmpleMemory(anyServing([](Scenario& s) { s.inference.scheduling = Scheduling::Continuous; }));
            const Evaluation among = evaluate(p);
            p.inference.batch = 1;
            const Evaluation one = evaluate(p);
            RC_ASSERT(among.ttftAloneS == one.ttftS);
        }));
    }

    /// Requests one after the other take no longer by their tokens a second than by their latency; all of a decode
    /// pass, that of the first token, counts in the former alone.
    void oneRequestAtATimeTakesItsLatency()
    {
        QVERIFY(rc::check("one at a time", [] {
            PreparedScenario p =
                withAmpleMemory(anyServing([](Scenario& s) { s.inference.scheduling = Scheduling::Continuous; }));
            p.inference.batch = 1;
            const Evaluation e = evaluate(p);
            const double out = static_cast<double>(p.inference.outputTokens);
            const double replicas = static_cast<double>(p.hardware.count) /
                                    static_cast<double>(p.parallelism.tensor * p.parallelism.pipeline);
            const double requestS = replicas * out / *e.tokensPerS,
                         firstS = p.calibration->inference.serving.lonelyFirstTokenS;
            RC_ASSERT(requestS <= *e.requestLatencyS * rounding);
            RC_ASSERT(requestS >= (*e.requestLatencyS - firstS) / rounding);
        }));
    }

    /// More bandwidth, more arithmetic, faster links: no token later, no throughput less, also where several prompts
    /// share each decode pass.
    void fasterHardwareNeverHurts()
    {
        QVERIFY(rc::check("faster hardware", [] {
            const bool crowded = *rc::gen::inRange(0, 4) > 0;
            PreparedScenario p = anyServing([&](Scenario& s) {
                if (!crowded)
                    return;
                s.inference.scheduling = Scheduling::Continuous;
                s.inference.outputTokens = *rc::gen::inRange(1, 60);
                s.inference.batch = *rc::gen::inRange(16, 300);
            });
            const Evaluation before = evaluate(p);
            Accelerator a = *p.accelerator;
            const double k = 1 + 0.01 * *rc::gen::inRange(1, 300);
            const int what = *rc::gen::inRange(0, 3);
            if (what == 0)
                a.memoryBandwidthGbPerS *= k;
            else if (what == 1)
                for (double* rate : {&a.peak.fp32, &a.peak.tf32, &a.peak.fp16, &a.peak.bf16, &a.peak.fp8, &a.peak.int8,
                                     &a.peak.int4, &a.peak.fp4, &a.peak.fp16Accumulate16})
                    *rate *= k;
            else
                for (double* rate : {&a.scaleUpGbPerS, &a.hostLinkGbPerS, &a.scaleOutGbitPerS})
                    *rate *= k;
            p.accelerator = std::make_shared<const Accelerator>(std::move(a));
            const Evaluation after = evaluate(p);
            RC_ASSERT(*after.tpotS <= *before.tpotS * (1 + 1e-9));
            RC_ASSERT(*after.tokensPerS * (1 + 1e-9) >= *before.tokensPerS);
        }));
    }

    void fewerBitsNeverNeedMoreMemory()
    {
        QVERIFY(rc::check("weight bits", [] {
            const double bits = 0.5 * *rc::gen::inRange(4, 33);
            PreparedScenario p = anyServing([&](Scenario& s) { s.inference.weightBits = bits; });
            const Evaluation whole = evaluate(p);
            p.inference.weightBits = bits / 2;
            const Evaluation half = evaluate(p);
            RC_ASSERT(half.usedBytes <= whole.usedBytes);
            RC_ASSERT(*half.maxBatch >= *whole.maxBatch);
        }));
    }

    void theBoundIsABound()
    {
        QVERIFY(rc::check("ideal", [] {
            PreparedScenario p = anyServing();
            const Evaluation expected = evaluate(p);
            p.efficiency.base = EfficiencyBase::Ideal;
            p.accounting = Convention::Exact;
            const Evaluation ideal = evaluate(p);
            RC_ASSERT(*ideal.mfu > 0 && *ideal.mfu <= 1 + 1e-9);
            RC_ASSERT(*ideal.mbu > 0 && *ideal.mbu <= 1 + 1e-9);
            if (p.model->moeLayers > 0)
                return; // expected routing is skewed and may read fewer experts than even routing does
            RC_ASSERT(*ideal.tpotS <= *expected.tpotS);
        }));
    }

    /// Everything faster by a factor: under the bound times shrink by it and utilisation stays.
    void theBoundScales()
    {
        QVERIFY(rc::check("scaling", [] {
            PreparedScenario p = anyServing([](Scenario& s) { s.efficiency.base = EfficiencyBase::Ideal; });
            const Evaluation before = evaluate(p);
            const double k = 1 + 0.1 * *rc::gen::inRange(1, 50);
            Accelerator a = *p.accelerator;
            for (double* rate : {&a.peak.fp32, &a.peak.tf32, &a.peak.fp16, &a.peak.bf16, &a.peak.fp8, &a.peak.int8,
                                 &a.peak.int4, &a.peak.fp4, &a.peak.fp16Accumulate16, &a.memoryBandwidthGbPerS,
                                 &a.scaleUpGbPerS, &a.hostLinkGbPerS, &a.scaleOutGbitPerS})
                *rate *= k;
            p.accelerator = std::make_shared<const Accelerator>(std::move(a));
            const Evaluation after = evaluate(p);
            if (p.accelerator->scaleUpGbPerS > 0 || p.accelerator->hostLinkGbPerS > 0 || p.hardware.count == 1)
                RC_ASSERT(std::abs(*before.tpotS / *after.tpotS / k - 1) < 1e-9);
            RC_ASSERT(std::abs(*before.mbu / *after.mbu - 1) < 1e-9);
        }));
    }

    void operatorsAddUpToTheBreakdown()
    {
        QVERIFY(rc::check("operators", [] {
            const PreparedScenario p = anyServing([](Scenario& s) {
                if (*rc::gen::arbitrary<bool>())
                    s.efficiency.base = EfficiencyBase::Ideal;
            });
            const Evaluation r = evaluate(p);
            double sum = 0;
            for (const OperatorCost& row : inferenceOperatorCosts(p)) {
                RC_ASSERT(!row.name.empty() && row.timeS >= 0 && row.flop >= 0 && row.bytes >= 0);
                sum += row.timeS;
            }
            RC_ASSERT(std::abs(sum / *r.tpotS - 1) < 1e-6);
        }));
    }

    void resultsAreFiniteWhateverIsAsked()
    {
        QVERIFY(rc::check("finite", [] {
            const PreparedScenario p = anyServing([](Scenario& s) {
                s.inference.promptTokens = pick(std::array<std::int64_t, 4>{1, 2, 100000, 10000000});
                s.inference.prefixCachedTokens = *rc::gen::inRange<std::int64_t>(0, s.inference.promptTokens);
                s.inference.batch = pick(std::array<std::int64_t, 3>{1, 4096, 1000000});
                s.inference.batchMax = *rc::gen::arbitrary<bool>();
                s.inference.requestsPerS = pick(std::array<double, 3>{1e-6, 1, 1e6});
                s.inference.flashAttention = FlashAttention::Off;
            });
            const Evaluation r = evaluate(p);
            for (const double value : {*r.tpotS, *r.ttftS, *r.tokensPerS, *r.requestLatencyS, *r.maxBatch, *r.mbu,
                                       r.usedBytes, r.queue->utilization})
                RC_ASSERT(std::isfinite(value) && value >= 0);
            RC_ASSERT(*r.tpotS > 0 && *r.ttftS > 0 && *r.tokensPerS > 0);
        }));
    }

    /// llama.cpp's -ub, 512 unless it is stated, below and above.
    void aStatedPassTakesThePlaceOfTheEnginesOwn()
    {
        const auto ttftS = [](std::optional<std::int64_t> tokens) {
            return *evaluate(serving("qwen3-30b-a3b", "gb10", 1, [&](Scenario& s) {
                        s.inference.software = InferenceSoftware::LlamaCpp;
                        s.inference.promptTokens = 8192;
                        s.inference.maxTokensPerPass = tokens;
                    })).ttftS;
        };
        QCOMPARE(ttftS(512), ttftS(std::nullopt));
        QVERIFY(ttftS(2048) < 0.9 * ttftS(512));
        QVERIFY(ttftS(128) > 1.1 * ttftS(512));
    }
};
HEADROOM_TEST(TestInferenceProperties)

} // namespace headroom::test_inference_properties
#include "test_inference_properties.moc"
