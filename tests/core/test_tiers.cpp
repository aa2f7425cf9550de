// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of past prompts and weights below the accelerators' memory: what loading takes, what it saves, what is
// published of it, and what a file may say.
#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/tile_text.hpp"
#include "core/explore/levers.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_tiers
{
namespace
{

using test::serving;

PreparedScenario chat(std::int64_t prompt, double hits, const std::function<void(InferenceWorkload&)>& change = {})
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.promptTokens = prompt;
        s.inference.outputTokens = 200;
        if (hits > 0)
            s.inference.tierHostHits = hits;
        if (change)
            change(s.inference);
    });
}

/// OPT on a T4 with all weights in host memory, as in FlexGen's table.
PreparedScenario opt(const char* model, std::int64_t batch)
{
    return serving(model, "t4", 1, [&](Scenario& s) {
        InferenceWorkload& w = s.inference;
        w.weights = DataType::Fp16;
        w.batch = batch;
        w.promptTokens = 512;
        w.outputTokens = 32;
        w.scheduling = Scheduling::Static;
        w.hostWeightsGb = 1000;
    });
}

bool warns(const Evaluation& e, WarningCode code)
{
    return e.warnings.has(code);
}

} // namespace

class TestTiers : public QObject
{
    Q_OBJECT
private slots:
    /// vLLM's blog prints what 16 tokens take: 2 MB, 0.5 MB, 2 MB, and 2.5 MB.
    void blocksAreThoseThatVllmPrints()
    {
        struct Row {
            const char* model;
            double mib;
        };
        for (const Row& row : {Row{"llama-3.1-8b", 2}, Row{"llama-3.2-1b", 0.5}, Row{"mistral-7b-v0.1", 2}}) {
            const PreparedScenario p = serving(row.model, "h100-sxm-80gb", 1, [](Scenario& s) {
                s.inference.promptTokens = 1008;
                s.inference.outputTokens = 16;
                s.inference.tierHostGb = 100;
                s.inference.tierHostHits = 0.5;
            });
            const Evaluation e = evaluate(p);
            const double block = 16 * e.tiers->host.bytes / e.tiers->host.tokens;
            QVERIFY2(std::abs(block / (row.mib * 1048576) - 1) < 1e-9, row.model);
        }
    }

    /// The same blog: a first token twice as soon with 512 tokens in host memory, up to 22 times with longer prompts.
    void theFirstTokenComesAsMuchSoonerAsPublished()
    {
        const auto sooner = [](std::int64_t prompt) {
            const auto vllm = [](InferenceWorkload& w) { w.software = InferenceSoftware::Vllm; };
            const double again = *evaluate(chat(prompt, 0, vllm)).ttftS;
            return again / *evaluate(chat(prompt, 1, vllm)).ttftS;
        };
        const double few = sooner(512), many = sooner(120000);
        QVERIFY2(few > 1.2 && few < 2.6, qPrintable(QString::number(few)));
        QVERIFY2(many > 15 && many < 60, qPrintable(QString::number(many)));
    }

    /// FlexGen's table, T4, tokens/s: no run is faster than the link allows, none takes more than 1.7 times as long.
    void offloadedWeightsKeepWithinPublishedRuns()
    {
        struct Row {
            const char* model;
            std::int64_t batch;
            double published;
        };
        for (const Row& row : {Row{"opt-6.7b", 16, 9.28}, Row{"opt-30b", 4, 0.60}}) {
            const PreparedScenario p = opt(row.model, row.batch);
            const Evaluation e = evaluate(p);
            QCOMPARE(e.hostWeights->share, 1.0);
            const double slower = *e.tokensPerS / row.published;
            QVERIFY2(slower > 1 && slower < 1.7, qPrintable(QString::number(slower)));
            QVERIFY(e.tokensPerSInterval->low <= row.published && row.published <= e.tokensPerSInterval->high);
        }
    }

    void noRateIsAboveTheLink()
    {
        const Evaluation usual = evaluate(chat(8000, 0.5));
        QVERIFY(usual.tiers->host.bytesPerS < 63e9);
        const Evaluation most = evaluate(chat(8000, 0.5, [](InferenceWorkload& w) { w.hostLinkGbPerS = 1e4; }));
        QCOMPARE(most.tiers->host.bytesPerS, 63e9);
        const Evaluation slow = evaluate(chat(8000, 0.5, [](InferenceWorkload& w) { w.hostLinkGbPerS = 10; }));
        QCOMPARE(slow.tiers->host.bytesPerS, 10e9);
        QVERIFY(*slow.ttftS > *usual.ttftS && *usual.ttftS > *most.ttftS);
    }

    /// A prompt whose beginning is loaded first is read among others' answers after that, not meanwhile.
    void loadingComesBeforeThePassAmongOthers()
    {
        const auto with = [](bool tier) {
            return evaluate(chat(2000, tier ? 0.5 : 0, [tier](InferenceWorkload& w) {
                w.batch = 32;
                w.software = InferenceSoftware::Vllm;
                if (!tier)
                    w.prefixHitRate = 0.5;
            }));
        };
        const Evaluation loaded = with(true), held = with(false);
        QVERIFY(std::abs(*loaded.ttftS - *held.ttftS - loaded.tiers->loadS) < 1e-9);
    }

    /// 32 requests are there all the time, and the link lets each of them in after 0.26 s: 8.4 s of each.
    void whoWaitsForTheLinkHasNoFirstToken()
    {
        const PreparedScenario p = chat(2000, 0.5, [](InferenceWorkload& w) {
            w.batch = 32;
            w.hostLinkGbPerS = 0.5;
            w.tierLayerwise = false;
        });
        const Evaluation e = evaluate(p);
        QVERIFY(std::abs(*e.requestsPerS - 0.5e9 / (1000 * 131072)) < 1e-9);
        QVERIFY(std::abs(*e.requestLatencyS - 32 / *e.requestsPerS) < 0.05); // the time until it is handed on, 10 ms
    }

    /// At the break-even rate loading takes as long as computing again; below it a warning says so.
    void breakEvenIsWhereLoadingPays()
    {
        const auto at = [](double gbPerS) {
            return evaluate(chat(8000, 0.5, [&](InferenceWorkload& w) {
                w.tierLayerwise = false;
                w.hostLinkGbPerS = gbPerS;
            }));
        };
        const double even = at(50).tiers->breakEvenBytesPerS / 1e9;
        QVERIFY(std::abs(at(even).tiers->savedS) < 1e-9);
        QVERIFY(at(1.1 * even).tiers->savedS > 0 && !warns(at(1.1 * even), WarningCode::TierSlower));
        QVERIFY(at(0.9 * even).tiers->savedS < 0 && warns(at(0.9 * even), WarningCode::TierSlower));
        const PreparedScenario p = chat(8000, 0.5);
        const auto says = [&p](double rate, const char* words) {
            return warningText(WarningCode::TierSlower, rate, p).find(words) != std::string::npos;
        };
        QVERIFY(!says(0, "0 B/s")); // no rate is enough
        double fastest = 0;         // of the catalogue: a rate beyond it is no advice
        for (const auto& a : Catalog::builtIn().accelerators())
            fastest = std::max(fastest, a->hostLinkGbPerS * 1e9);
        QVERIFY(says(fastest, "pays from") && !says(1.01 * fastest, "pays from"));
    }

    /// Layer by layer, simulated: layer i is computed when its cache is there and layer i − 1 is done.
    void layersOverlapLikeAPipeline()
    {
        inference::TierLoad load;
        load.layers = 32;
        load.layerwise = true;
        for (const double ratio : {0.1, 0.5, 1.0, 2.0, 7.0}) {
            load.linkS = ratio;
            double done = 0;
            for (int layer = 1; layer <= 32; ++layer)
                done = std::max(done, layer * ratio / 32) + 1.0 / 32;
            QVERIFY(std::abs(1 + load.shownS(1) - done) < 1e-12);
        }
    }

    /// A service that loads a long cache for each request serves no more than the link carries.
    void theLinkBoundsTheThroughput()
    {
        const Evaluation e = evaluate(serving("llama-3.1-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.promptTokens = 20000;
            s.inference.outputTokens = 4;
            s.inference.batch = 16;
            s.inference.tierHostHits = 1;
            s.inference.hostLinkGbPerS = 5;
        }));
        const double requests = 5e9 / e.tiers->loadBytes;
        QVERIFY(*e.requestsPerS <= requests * (1 + 1e-9));
        QVERIFY(*e.requestsPerS > 0.5 * requests);
    }

    void sizeSaysNothingOfHits()
    {
        const PreparedScenario p = chat(8000, 0, [](InferenceWorkload& w) { w.tierHostGb = 200; });
        const Evaluation e = evaluate(p), plain = evaluate(chat(8000, 0));
        QVERIFY(warns(e, WarningCode::TierHitsUnknown));
        QCOMPARE(*e.ttftS, *plain.ttftS);
        QCOMPARE(*e.tpotS, *plain.tpotS);
        QVERIFY(e.tiers->host.tokens > 1e6);
    }

    /// Half of a prompt of 8000 tokens, 131,072 bytes each, is 524.3 MB: a tier of less cannot have held it.
    void aTierBelowOneHitIsSaid()
    {
        const auto code = WarningCode::TierTooSmall;
        const auto host = [](double gb, double hits) {
            return evaluate(chat(8000, hits, [gb](InferenceWorkload& w) { w.tierHostGb = gb; }));
        };
        const Evaluation small = host(0.5242, 0.5), enough = host(0.5243, 0.5);
        QVERIFY(warns(small, code) && !warns(enough, code));
        QCOMPARE(small.warnings.number(code), 524288000.0);
        QCOMPARE(*small.ttftS, *enough.ttftS); // the hits are taken as stated
        QVERIFY(!warns(host(0.1, 0), code) && !warns(evaluate(chat(8000, 0.5)), code));
        const auto both = [](double hostGb, double nvmeGb, double nvmeHits) {
            return chat(8000, 0.25, [=](InferenceWorkload& w) {
                w.tierHostGb = hostGb;
                w.tierNvmeGb = nvmeGb;
                w.tierNvmeHits = nvmeHits;
            });
        };
        QVERIFY(!warns(evaluate(both(0.27, 0.53, 0.5)), code));
        const PreparedScenario drives = both(0.2, 0.3, 0.5); // 0.76 of the host's, 0.57 of the drives'
        QVERIFY(warns(evaluate(drives), code));
        QCOMPARE(evaluate(drives).warnings.number(code), 524288000.0);
        QCOMPARE(warningParameter(code, drives)->id, std::string_view("tier_nvme_gb"));
        QCOMPARE(warningParameter(code, both(0.1, 0.3, 0.5))->id, std::string_view("tier_host_gb"));
        // Two GPUs of a replica share it.
        const auto pair = [](double gb) {
            return evaluate(serving("llama-3.1-8b", "h100-sxm-80gb", 2, [gb](Scenario& s) {
                s.parallelism.tensor = 2;
                s.inference.promptTokens = 8000;
                s.inference.tierHostGb = gb;
                s.inference.tierHostHits = 0.5;
            }));
        };
        QVERIFY(warns(pair(0.262), code) && !warns(pair(0.2622), code));
    }

    /// A hit in a tier costs loading that one in the GPU's memory does not.
    void placesAreInTheirOrder()
    {
        const auto ttft = [](std::optional<double> InferenceWorkload::*hits) {
            return *evaluate(chat(16000, 0, [&](InferenceWorkload& w) { w.*hits = 0.6; })).ttftS;
        };
        const double device = ttft(&InferenceWorkload::prefixHitRate), host = ttft(&InferenceWorkload::tierHostHits);
        const double nvme = ttft(&InferenceWorkload::tierNvmeHits);
        QVERIFY(device < host && host < nvme);
    }

    void weightsOnTheHostMakeRoom()
    {
        const auto at = [](double gb) {
            return evaluate(serving("llama-3-70b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.batch = 4;
                if (gb > 0)
                    s.inference.hostWeightsGb = gb;
            }));
        };
        QVERIFY(!at(0).fits);
        const Evaluation e = at(80);
        QVERIFY(e.fits);
        // Two of eighty layers visit the GPU.
        QVERIFY(std::abs(at(0).part(MemoryPart::Weights) - e.part(MemoryPart::Weights) - 80e9 * (1 - 2.0 / 80)) < 1e6);
        QVERIFY(*e.tpotS >= e.hostWeights->readS);
        QVERIFY(e.part(TimePart::HostLink) > 0);
        QVERIFY(std::abs(totalOf(e.time) - *e.tpotS) < 1e-12);
        QVERIFY(*at(120).tpotS > *e.tpotS);
    }

    /// With nothing hidden the reading adds; hidden, the longer of the two is the step.
    void readingHidesBehindThePass()
    {
        const auto at = [](double overlap) {
            return evaluate(chat(1000, 0, [&](InferenceWorkload& w) {
                w.hostWeightsGb = 0.1;
                w.hostOverlap = overlap;
            }));
        };
        const double plain = *evaluate(chat(1000, 0)).tpotS;
        QCOMPARE(*at(1).tpotS, plain); // 2 ms behind 6
        QVERIFY(std::abs(*at(0).tpotS - plain - at(0).hostWeights->readS) < 1e-12);
    }

    void aMixtureReadsWhatItTouches()
    {
        const auto e = evaluate(serving("qwen3-30b-a3b", "rtx-4090", 1, [](Scenario& s) {
            s.inference.hostWeightsGb = 50;
            s.inference.outputTokens = 100;
        }));
        QVERIFY(e.hostWeights->readBytes < 0.2 * e.hostWeights->bytes);
    }

    void filesAreReadAndRefused()
    {
        const auto read = test::prepareServing(
            R"("host_memory": {"weights_gb": 4, "gb_per_s": 40, "overlap": 0.5}, "kv_tiers": {"host_gb": 64,
               "host_hit_rate": 0.3, "nvme_gb": 900, "nvme_hit_rate": 0.2, "nvme_gb_per_s": 5, "layerwise": true})");
        QVERIFY(read);
        QCOMPARE(*read->inference.hostWeightsGb, 4.0);
        QCOMPARE(*read->inference.tierNvmeHits, 0.2);
        QVERIFY(*read->inference.tierLayerwise);
        const auto refusal = [](const char* workload, const char* path) {
            const auto prepared = test::prepareServing(workload);
            const Diagnostics problems = prepared ? checkSetup(*prepared) : prepared.error();
            return std::ranges::any_of(problems,
                                       [&](const Diagnostic& d) { return d.path == path && !d.hint.empty(); });
        };
        QVERIFY(refusal(R"("prefix_hit_rate": 0.6, "kv_tiers": {"host_hit_rate": 0.5})",
                        "/workload/kv_tiers/host_hit_rate"));
        QVERIFY(refusal(R"("kv_tiers": {"host_hit_rate": 1.5})", "/workload/kv_tiers/host_hit_rate"));
        QVERIFY(refusal(R"("kv_tiers": {"hits": 0.5})", "/workload/kv_tiers/hits"));
        QVERIFY(refusal(R"("host_memory": {"weights_gb": -1})", "/workload/host_memory/weights_gb"));
    }

    void keysWithoutEffectAreNamed()
    {
        for (const char* workload :
             {R"("host_memory": {"gb_per_s": 20})", R"("host_memory": {"overlap": 0.5})",
              R"("kv_tiers": {"layerwise": true})", R"("kv_tiers": {"host_gb": 10, "nvme_gb_per_s": 5})"}) {
            const auto p = test::prepareServing(workload);
            QVERIFY2(p && warns(evaluate(*p), WarningCode::KeyWithoutEffect), workload);
        }
    }

    /// JSON, chart, tiles and derivations: where the key is, and only there.
    void shownWhereStated()
    {
        const PreparedScenario p = chat(16000, 0.5, [](InferenceWorkload& w) {
            w.tierHostGb = 100;
            w.hostWeightsGb = 2;
        });
        const Evaluation e = evaluate(p);
        const auto json = nlohmann::json::parse(evaluationJson("", p, e, -1));
        QCOMPARE(json["kv_tiers"]["host"]["tokens"].get<double>(), e.tiers->host.tokens);
        QCOMPARE(json["host_weights"]["bytes"].get<double>(), 2e9);
        const auto without = nlohmann::json::parse(evaluationJson("", chat(16000, 0), evaluate(chat(16000, 0)), -1));
        QVERIFY(without["kv_tiers"].is_null() && without["host_weights"].is_null());
        const ChartRow* row = chartRow("cache_tiers");
        QVERIFY(row && row->comesWith(p) && !row->comesWith(chat(16000, 0)));
        ChartContext context;
        context.scenario = p;
        context.evaluation = e;
        const ChartSpec spec = row->build(context);
        const auto device = std::ranges::find(spec.series, "device", &Series::id);
        const auto host = std::ranges::find(spec.series, "host", &Series::id);
        QVERIFY(device != spec.series.end() && host != spec.series.end());
        QCOMPARE(host->points.size(), device->points.size());
        QVERIFY(host->points[5].y > device->points[5].y);
        QVERIFY(host->points[5].y < host->points[0].y);
        QVERIFY(!spec.reading.empty());
        for (const char* id : {"kv_tiers.saved_s", "kv_tiers.load_s", "kv_tiers.break_even_bytes_per_s",
                               "kv_tiers.host.tokens", "host_weights.read_s", "host_weights.bytes"}) {
            const MetricRow* metric = metricRow(id);
            QVERIFY2(metric && metric->value(e), id);
            QVERIFY2(!metric->value(evaluate(chat(16000, 0))), id);
        }
    }

    /// 10 GB of a device's weights take a fifth of a second over a link of 50 GB/s; 500 tokens through its eighth of 70
    /// billion, 8.8 TFLOP, less than a fiftieth. The pass waits for the weights, and the prompt's cache saves nothing:
    /// what rounding leaves of the difference says nothing of the rate from which loading pays.
    void behindWeightsFromTheHostNothingIsSaved()
    {
        for (int percent = 5; percent < 100; percent += 5) {
            const PreparedScenario p = serving("llama-3.3-70b", "h100-sxm-80gb", 8, [&](Scenario& s) {
                s.parallelism.tensor = 8;
                s.inference.promptTokens = 500;
                s.inference.tierHostHits = percent / 100.0;
                s.inference.hostWeightsGb = 10;
            });
            const Evaluation e = evaluate(p);
            QVERIFY2(e.tiers->recomputeS == 0, std::to_string(percent).c_str());
            QVERIFY(e.tiers->breakEvenBytesPerS == 0);
            const auto json = nlohmann::json::parse(evaluationJson("", p, e, -1));
            QVERIFY(json["kv_tiers"]["break_even_bytes_per_s"].is_null()); // 0 would say that any link pays
        }
    }
};
HEADROOM_TEST(TestTiers)

} // namespace headroom::test_tiers
#include "test_tiers.moc"
