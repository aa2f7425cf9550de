// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill and decode pools: published sizes and transfers, what follows from what, what is refused.
#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/inference/inference_pools.hpp"
#include "core/predict/key_effects.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::test_pools
{

using test::near;
using test::prepareServing;
using test::serving;

namespace
{

/// Llama 3 70B in instances of four H100, `prefill` GPUs beside sixteen that decode.
PreparedScenario pooled(std::optional<std::int64_t> prefill, const std::function<void(Scenario&)>& change = {})
{
    return serving("llama-3-70b", "h100-sxm-80gb", 16, [&](Scenario& s) {
        s.parallelism.tensor = 4;
        s.inference.batch = 64;
        s.inference.promptTokens = 2000;
        s.inference.outputTokens = 400;
        s.inference.scheduling = Scheduling::Disaggregated;
        s.inference.prefillPool.tensor = 4;
        s.inference.prefillPool.count = prefill;
        s.hardware.pricePerGpuHour = 2;
        if (change)
            change(s);
    });
}

/// A published transfer of one prompt's cache (kvcache-ai/Mooncake, docs/source/performance).
struct Transfer {
    double tokens, bytes, ms;
};
/// Qwen3 8B, tensor 8 on H800, eight network cards of 25 GB/s (vllm-v1-pd-performance).
constexpr std::array qwen8b{
    Transfer{128, 20e6, 0.54},    Transfer{256, 38e6, 0.61},      Transfer{512, 74e6, 0.92},
    Transfer{1024, 146e6, 1.5},   Transfer{2048, 290e6, 2.51},    Transfer{4096, 578e6, 4.75},
    Transfer{8192, 1.13e9, 8.84}, Transfer{16384, 2.25e9, 16.43}, Transfer{32768, 4.5e9, 31.65}};
/// Qwen3 235B A22B, tensor 8 on H20, four cards of 50 GB/s (sglang-benchmark-results-v1). Its bytes are exact.
constexpr std::array qwen235b{
    Transfer{128, 49e6, 2.07},     Transfer{256, 99e6, 2.58},      Transfer{512, 197e6, 2.98},
    Transfer{1024, 394e6, 3.96},   Transfer{2048, 789e6, 6.43},    Transfer{4096, 1.58e9, 10.95},
    Transfer{8192, 3.15e9, 20.31}, Transfer{16384, 6.31e9, 39.14}, Transfer{32768, 12.62e9, 76.78}};

PoolsResult transferOf(const char* model, const char* accelerator, double tokens, double gbit, double start)
{
    const Evaluation e = evaluate(serving(model, accelerator, 8, [&](Scenario& s) {
        s.inference.promptTokens = static_cast<std::int64_t>(tokens);
        s.inference.scheduling = Scheduling::Disaggregated;
        s.inference.prefillPool.count = 8;
        s.inference.transferGbitPerS = gbit;
        s.inference.transferStartS = start;
    }));
    return e.pools.value();
}

} // namespace

class TestPools : public QObject
{
    Q_OBJECT
private slots:
    /// deepseek-ai/open-infra-index, day 6: 24 hours of DeepSeek V3 and R1 on nodes of eight H800. Prompts are counted
    /// with those from the cache, at 73.7k tokens/s a node; 226.75 nodes were occupied on average, $87,072 at $2.
    void deepSeeksDayComesToItsNodes()
    {
        const double day = 86400, in = 608e9 / day, out = 168e9 / day;
        const double nodes = in / 73700 + out / 14800;
        QVERIFY(near(in / 73700, 95.5, 1e-3) && near(out / 14800, 131.4, 1e-3));
        QVERIFY2(near(nodes, 226.75, 1e-3), qPrintable(QString::number(nodes)));
        // Whole nodes, always busy; and with the room that a pool is planned with.
        QCOMPARE(inference::instancesFor(in, 73700, 1) + inference::instancesFor(out, 14800, 1), 96.0 + 132.0);
        QCOMPARE(inference::instancesFor(in, 73700), 107.0);
        const double perMillion = costPerMillion(226.75 * 8 * 2, out);
        QVERIFY2(near(perMillion, 0.518, 1e-3), qPrintable(QString::number(perMillion)));
        // At its price list, $0.14 a million tokens from the cache, $0.55 read, $2.19 written, it earns $562,027: 545
        // %.
        const double cost = perMillion * 168e9 / 1e6, earned = (342e9 * 0.14 + 266e9 * 0.55 + 168e9 * 2.19) / 1e6;
        QVERIFY(near(earned, 562027, 1e-3) && near((earned - cost) / cost, 5.45, 2e-3));
        QVERIFY(near(nodes * 8 * 2 * 24, 87072, 1e-3));
        // 22.2k and 4,989 tokens in the cache of each: 70,272 B a token is what a request holds.
        const Evaluation e = evaluate(serving("deepseek-v3", "h800-sxm-80gb", 8, [](Scenario& s) {
            s.inference.promptTokens = 4989;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 8;
        }));
        QVERIFY2(near(e.pools->transferBytes, 4989 * 70272.0), qPrintable(QString::number(e.pools->transferBytes)));
        // At 21 tokens/s 92,600 answers are under way: 88 on each of the 131.4 nodes' GPUs, 31 GB of cache.
        const double underWay = out / 21, each = underWay / (131.4 * 8);
        QVERIFY(near(underWay, 92600, 1e-3) && near(each, 88, 2e-3));
        QVERIFY(near(each * e.pools->transferBytes, 31e9, 0.01));
    }

    void sglangsPoolsCostWhatTheySaid()
    {
        // LMSYS, 2025-05-05: 22.3k output tokens/s a node of eight H100; $0.20 per million output tokens.
        const double decodeOnly = costPerMillion(8 * 2, 22300);
        QVERIFY2(near(decodeOnly, 0.20, 0.01), qPrintable(QString::number(decodeOnly)));
    }

    void mooncakesTransfersHold()
    {
        for (const Transfer& row : qwen8b) {
            const PoolsResult r = transferOf("qwen3-8b", "h800-sxm-80gb", row.tokens, 146 * 8, 0.39e-3);
            QVERIFY(near(r.transferBytes, 147456 * row.tokens));
            const auto text = fmt::format("{} tokens: {} ms, published {}", row.tokens, r.transferS * 1e3, row.ms);
            QVERIFY2(near(r.transferS * 1e3, row.ms, 0.07), text.c_str());
            QVERIFY2(near(r.transferBytes, row.bytes, 0.08), text.c_str());
        }
        for (const Transfer& row : qwen235b) {
            const PoolsResult r = transferOf("qwen3-235b-a22b", "h20-141gb", row.tokens, 167 * 8, 1.7e-3);
            const auto text = fmt::format("{} tokens: {} B, {} ms", row.tokens, r.transferBytes, r.transferS * 1e3);
            QVERIFY2(near(r.transferBytes, row.bytes, 0.008), text.c_str()); // four heads, eight ranks: twice the plain
            QVERIFY2(near(r.transferS * 1e3, row.ms, 0.12), text.c_str());
        }
    }

    /// What is not stated: three quarters of 25 GB/s cards, against both tables' long prompts.
    void automaticLinksComeNearMooncakes()
    {
        const Evaluation e = evaluate(serving("qwen3-8b", "h800-sxm-80gb", 8, [](Scenario& s) {
            s.inference.promptTokens = 32768;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 8;
            s.hardware.scaleOutGbitPerS = 200;
        }));
        QVERIFY(near(e.pools->transferS, 4e-4 + 32768 * 147456.0 / (0.75 * 200e9)));
        QVERIFY(near(e.pools->transferS, 31.65e-3, 0.06));
    }

    void absentKeysChangeNothing()
    {
        const PreparedScenario plain = pooled({}, [](Scenario& s) { s.inference.prefillPool.tensor.reset(); });
        QVERIFY(!evaluate(plain).pools && evaluate(plain).warnings.has(WarningCode::PoolsShareGpus));
        PreparedScenario idle = plain;
        idle.inference.scheduling = Scheduling::Continuous;
        const Evaluation before = evaluate(idle);
        idle.inference.prefillPool.count = 4;
        Evaluation after = evaluate(idle);
        QVERIFY(keysWithoutEffectText(idle).find("prefill_pool") != std::string::npos);
        after.warnings = before.warnings;
        QVERIFY(before == after);
    }

    void theNarrowerPoolDecides()
    {
        const Evaluation few = evaluate(pooled(4)), many = evaluate(pooled(64));
        const PoolsResult &a = *few.pools, &b = *many.pools;
        QVERIFY(a.prefill.requestsPerS < a.decode.requestsPerS && b.prefill.requestsPerS > b.decode.requestsPerS);
        QVERIFY(near(b.prefill.requestsPerS, 16 * a.prefill.requestsPerS));
        QVERIFY(near(*few.requestsPerS, a.prefill.requestsPerS) && near(*many.requestsPerS, b.decode.requestsPerS));
        QVERIFY(near(a.prefill.utilization, 1) && a.decode.utilization < 1);
        QVERIFY(near(b.decode.utilization, 1) && b.prefill.utilization < 1);
        QVERIFY(few.warnings.has(WarningCode::PrefillPoolLimits));
        QVERIFY(!many.warnings.has(WarningCode::PrefillPoolLimits));
        QVERIFY(*few.tpotS < *many.tpotS); // what decodes has less to do
        QVERIFY(few.batch < many.batch && near(many.batch, 64));
        // Both pools are paid for and drawn on.
        QVERIFY(near(*few.costPerHour, 2 * (16 + 4)) && near(*many.costPerHour, 2 * (16 + 64)));
        QVERIFY(near(*many.costPerMillionTokens, *many.costPerHour / 3600 * 1e6 / *many.tokensPerS));
        QVERIFY(*many.watts > *few.watts && near(*few.joulesPerToken, *few.watts / *few.tokensPerS));
    }

    /// Neither pool waits for the other at the ratio, and a pool of its own size is no smaller than that.
    void theRatioBalances()
    {
        const Evaluation e = evaluate(pooled({}));
        const PoolsResult& p = *e.pools;
        const double exact = p.ratio * p.decode.devices;
        QVERIFY(near(exact / 4 / p.requestS, p.decode.requestsPerS));
        QCOMPARE(p.prefill.devices, 4 * std::ceil(exact / 4 / 0.9));
        QVERIFY(near(p.decode.utilization, 1) && p.prefill.utilization <= 0.9);
        const auto least = static_cast<std::int64_t>(4 * std::ceil(exact / 4));
        QVERIFY(near(*evaluate(pooled(least)).tokensPerS, *e.tokensPerS));
        QVERIFY(*evaluate(pooled(least - 4)).tokensPerS < *e.tokensPerS);
    }

    /// The explanation of the ratio says when one pool is better, with what that pool would do.
    void theRatioSaysWhetherOnePoolServesMore()
    {
        const auto meaningOf = [](const PreparedScenario& s) { return derive("pools.ratio", s, evaluate(s)).meaning; };
        const PreparedScenario few = pooled(4), even = pooled(16);
        PreparedScenario one = few;
        one.inference.scheduling = Scheduling::Continuous;
        one.hardware.count = 20;
        QVERIFY(*evaluate(one).requestsPerS > *evaluate(few).requestsPerS);
        QVERIFY(meaningOf(few).find("One pool serves more") != std::string::npos);
        one.hardware.count = 32;
        const bool better = *evaluate(one).requestsPerS > *evaluate(even).requestsPerS;
        QCOMPARE(meaningOf(even).find("One pool serves more") != std::string::npos, better);
        QVERIFY(meaningOf(even).find(formatText(*evaluate(one).requestsPerS, ValueFormat::Plain)) != std::string::npos);
    }

    void aLoadIsServedByBoth()
    {
        const auto at = [](double load, std::optional<std::int64_t> count) {
            return evaluate(pooled(count, [load](Scenario& s) { s.inference.requestsPerS = load; }));
        };
        const Evaluation full = evaluate(pooled(16)); // what both can serve
        const double most = std::min(full.pools->prefill.requestsPerS, full.pools->decode.requestsPerS);
        const Evaluation half = at(most / 2, 16), over = at(most * 2, 16);
        QVERIFY(near(*half.requestsPerS, most / 2) && near(half.queue->utilization, 0.5));
        QVERIFY(near(half.pools->prefill.utilization, most / 2 / half.pools->prefill.requestsPerS));
        QVERIFY(half.pools->waitS > 0 && *half.queue->meanWaitS > half.pools->waitS * (1 - 1e-9));
        QVERIFY(near(over.queue->utilization, 2) && !over.queue->meanWaitS && near(*over.requestsPerS, most));
        QVERIFY(over.warnings.has(WarningCode::LoadBeyondCapacity));
        // Left out, the pool grows with the load; what serves it is what the ratio says.
        const Evaluation grown = at(most, {});
        QCOMPARE(grown.pools->prefill.needed, grown.pools->prefill.instances);
        QVERIFY(grown.pools->prefill.utilization <= 0.9);
        QCOMPARE(half.pools->decode.needed, std::ceil(most / 2 / (0.9 * half.pools->decode.requestsPerS / 4)));
    }

    void firstTokenIsPrefillAndWhatShowsOfTheTransfer()
    {
        const auto with = [](double overlap) {
            return evaluate(pooled(16, [overlap](Scenario& s) { s.inference.transferOverlap = overlap; }));
        };
        const Evaluation shown = with(0), half = with(0.5), hidden = with(1);
        const double moving = shown.pools->transferS;
        QVERIFY(near(*shown.ttftS - *hidden.ttftS, moving) && near(*shown.ttftS - *half.ttftS, moving / 2, 1e-9));
        QVERIFY(hidden.prefill->timeS < *hidden.ttftS && near(hidden.prefill->timeS, hidden.pools->passS));
        QVERIFY(near(*shown.tpotS, *hidden.tpotS));
    }

    /// One Gbit/s carries a cache of 655 MB in 5.24 s: of it no more hides than prefill lasts.
    void aTransferHidesNoLongerThanPrefillLasts()
    {
        const Evaluation e = evaluate(pooled(16, [](Scenario& s) {
            s.inference.transferOverlap = 1;
            s.inference.transferGbitPerS = 1;
        }));
        QVERIFY(near(e.pools->transferS, 4e-4 + 2000 * 327680.0 / 125e6));
        QVERIFY(near(e.pools->shownS, e.pools->transferS - e.pools->passS) && *e.ttftS > e.pools->transferS);
    }

    /// Caches of 655 MB over 40 Gbit/s: 7.63 a second into each of four instances, whatever reads and decodes.
    void theLinksCarrySoManyCachesASecond()
    {
        const auto at = [](double gbit, double load, std::int64_t prefill) {
            return evaluate(pooled(prefill, [&](Scenario& s) {
                s.inference.transferGbitPerS = gbit;
                if (load > 0)
                    s.inference.requestsPerS = load;
            }));
        };
        const double each = 40e9 / 8 / (2000 * 327680.0);
        const Evaluation wide = at(4000, 0, 16), narrow = at(4, 0, 64);
        QVERIFY(*wide.requestsPerS > 4 * each / 10);
        QVERIFY(near(*narrow.requestsPerS, 4 * each / 10));
        QVERIFY(!narrow.warnings.has(WarningCode::PrefillPoolLimits) && near(narrow.pools->decode.utilization, 1));
        // A single instance that reads sends through its own links alone.
        const Evaluation single = at(4, 0, 4);
        QVERIFY(near(*single.requestsPerS, each / 10) && near(single.pools->prefill.utilization, 1));
        const Evaluation over = at(4, 8 * each / 10, 64), half = at(4, 2 * each / 10, 64);
        QVERIFY(near(over.queue->utilization, 2) && !over.queue->meanWaitS);
        QVERIFY(near(over.queue->capacityRequestsPerS, 4 * each / 10));
        QVERIFY(near(half.queue->utilization, 0.5) && half.pools->waitS > at(4000, 2 * each / 10, 64).pools->waitS);
        // A pool that grows with the load does not widen the other side's links.
        const Evaluation grown = evaluate(pooled({}, [](Scenario& s) { s.inference.transferGbitPerS = 4; }));
        QVERIFY(near(*grown.requestsPerS, 4 * each / 10) && grown.pools->prefill.utilization <= 0.9);
    }

    /// A decoding instance that serves D ÷ 4 requests a second takes in D ÷ 4 · 655 MB.
    void linksThatLimitAreSaid()
    {
        const auto at = [](double gbit, double load = 0, std::optional<std::int64_t> prefill = 256) {
            return evaluate(pooled(prefill, [&](Scenario& s) {
                s.inference.transferGbitPerS = gbit;
                s.inference.requestsPerS = load > 0 ? std::optional(load) : std::nullopt;
            }));
        };
        const double full = at(1e6).pools->decode.requestsPerS, even = full / 4 * 2000 * 327680.0 * 8 / 1e9;
        const auto code = WarningCode::TransferLimits;
        const Evaluation slow = at(even / 2);
        QVERIFY(slow.warnings.has(code) && !slow.warnings.has(WarningCode::PrefillPoolLimits));
        QVERIFY(near(slow.warnings.number(code), 0.5, 1e-6));
        QVERIFY(near(*slow.requestsPerS, full / 2) && at(4, 0, 4).warnings.has(code));
        QVERIFY(at(0.99 * even).warnings.has(code) && !at(1.01 * even).warnings.has(code));
        QVERIFY(at(0.5 * even, 0.51 * full).warnings.has(code) && !at(0.5 * even, 0.49 * full).warnings.has(code));
        QVERIFY(!evaluate(pooled(4)).warnings.has(code) && !evaluate(pooled({})).warnings.has(code));
    }

    void thePoolHasItsOwnDeviceLayoutAndPrice()
    {
        const Evaluation same = evaluate(pooled(16));
        const Evaluation other = evaluate(pooled(16, [](Scenario& s) {
            s.inference.prefillPool.accelerator = CatalogId::from("a100-sxm-80gb");
            s.inference.prefillPool.pricePerGpuHour = 0.5;
        }));
        QVERIFY(other.pools->passS > 1.5 * same.pools->passS && near(*other.tpotS, *same.tpotS, 0.2));
        QVERIFY(near(*other.costPerHour, 2 * 16 + 0.5 * 16));
        const Evaluation wide = evaluate(pooled(16, [](Scenario& s) { s.inference.prefillPool.tensor = 8; }));
        QCOMPARE(wide.pools->prefill.instances, 2.0);
        QVERIFY(wide.pools->passS < same.pools->passS && wide.pools->prefill.usedBytes < same.pools->prefill.usedBytes);
        const Evaluation narrow = evaluate(pooled(16, [](Scenario& s) { s.inference.prefillPool.tensor = 1; }));
        QVERIFY(!narrow.fits && !narrow.pools->prefill.fits && narrow.pools->decode.fits);
        QVERIFY(narrow.warnings.has(WarningCode::PrefillDoesNotFit) && !narrow.warnings.has(WarningCode::DoesNotFit));
        const Evaluation batched = evaluate(pooled(16, [](Scenario& s) { s.inference.prefillPool.batch = 4; }));
        QVERIFY(batched.pools->passS > 3 * same.pools->passS && batched.pools->prompts == 4);
        for (const Evaluation* e : {&same, &other, &wide, &batched})
            QVERIFY(*e->pools->prefill.mfu > 0.05 && *e->pools->prefill.mfu < 1 && *e->pools->prefill.mbu < 1);
    }

    void whatCannotBeIsRefusedInItsPlace()
    {
        struct Case {
            const char *workload, *path;
        };
        constexpr std::array cases{
            Case{R"("scheduling": "disaggregated", "prefill_pool": {"count": 6, "parallelism": {"tensor": 4}})",
                 "/workload/prefill_pool/count"},
            Case{R"("scheduling": "disaggregated", "prefill_pool": {"parallelism": {"pipeline": 64}})",
                 "/workload/prefill_pool/parallelism/pipeline"},
            Case{R"("scheduling": "disaggregated", "prefill_pool": {"accelerator": "h900"})",
                 "/workload/prefill_pool/accelerator"},
            Case{R"("prefill_pool": {"count": 0})", "/workload/prefill_pool/count"},
            Case{R"("prefill_pool": {"nodes": 2})", "/workload/prefill_pool/nodes"},
            Case{R"("kv_transfer": {"overlap": 1.5})", "/workload/kv_transfer/overlap"},
            Case{R"("kv_transfer": {"gbit_per_s": 0})", "/workload/kv_transfer/gbit_per_s"}};
        for (const Case& one : cases) {
            const auto result = prepareServing(one.workload);
            QVERIFY2(!result, one.workload);
            QVERIFY2(result.error().front().path == one.path, result.error().front().path.c_str());
            QVERIFY2(!result.error().front().message.empty(), one.workload);
        }
        QVERIFY(prepareServing(
            R"("scheduling": "disaggregated", "prefill_pool": {"count": 8, "parallelism": {"tensor": 4}})"));
    }

    void aFileKeepsItsPool()
    {
        Scenario s;
        s.task = Task::Inference;
        s.inference.scheduling = Scheduling::Disaggregated;
        s.inference.prefillPool.count = 8;
        s.inference.prefillPool.accelerator = CatalogId::from("h20-96gb");
        s.inference.prefillPool.pricePerGpuHour = 1.5;
        s.inference.prefillPool.batch = 2;
        s.inference.prefillPool.tensor = 4;
        s.inference.prefillPool.pipeline = 2;
        s.inference.prefillPool.expert = 4;
        s.inference.prefillPool.attentionData = 1;
        s.inference.prefillPool.context = 1;
        s.inference.transferGbitPerS = 1168;
        s.inference.transferOverlap = 0.25;
        s.inference.transferStartS = 0.001;
        const auto again = readScenario(writeScenario(s), Catalog::builtIn());
        QVERIFY(again && again->scenario.inference == s.inference);
    }

    /// The chart answers it: along the prefill GPUs the two pools' lines cross where the ratio says.
    void theChartShowsWhereThePoolsCross()
    {
        ChartContext context{pooled(16), {}, {}, "prefill_count", {}, nullptr, nullptr};
        context.evaluation = evaluate(context.scenario);
        const ChartSpec spec = chartRow("utilization")->build(context);
        const auto line = [&spec](std::string_view id) { return std::ranges::find(spec.series, id, &Series::id); };
        QVERIFY(line("prefill_pool") != spec.series.end() && line("decode_pool") != spec.series.end());
        QVERIFY(spec.reading.starts_with("Prefill is the bottleneck before"));
        context.scenario = pooled({}, [](Scenario& s) { s.inference.prefillPool.tensor.reset(); });
        context.evaluation = evaluate(context.scenario);
        context.sweepParameter = "batch";
        const ChartSpec plain = chartRow("utilization")->build(context);
        QVERIFY(std::ranges::find(plain.series, "prefill_pool", &Series::id) == plain.series.end());
    }

    /// The cost chart counts both pools.
    void theCostChartCountsBothPools()
    {
        ChartContext context{pooled(16), {}, {}, "prefill_count", {}, nullptr, nullptr};
        context.evaluation = evaluate(context.scenario);
        const ChartSpec spec = chartRow("cost")->build(context);
        const auto mark = std::ranges::find(spec.guides, GuideKind::OperatingPoint, &Guide::kind);
        QVERIFY(mark != spec.guides.end() && near(mark->y, *context.evaluation.costPerMillionTokens));
    }
};
HEADROOM_TEST(TestPools)

} // namespace headroom::test_pools
#include "test_pools.moc"
