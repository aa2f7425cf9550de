// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/evaluate.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/scenario/scenario_names.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

namespace headroom::test_scenario_json
{
namespace
{

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

const Catalog& catalog()
{
    static const Catalog builtIn = Catalog::builtIn();
    return builtIn;
}

/// A scenario around a workload and further sections.
std::string document(std::string_view workload, std::string_view more = {})
{
    return R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
               "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {)" +
           std::string(workload) + "}" + std::string(more) + "}";
}

Scenario read(const std::string& text)
{
    const auto reading = readScenario(text, catalog());
    if (!reading) {
        QTest::qFail(toText(reading.error().front()).c_str(), __FILE__, __LINE__);
        return {};
    }
    return reading->scenario;
}

/// A value of `minimum` … `maximum` that a registry row takes.
double valueOf(const ParameterRow& row)
{
    if (row.kind != ParameterKind::Real)
        return static_cast<double>(*rc::gen::inRange<std::int64_t>(static_cast<std::int64_t>(row.minimum),
                                                                   static_cast<std::int64_t>(row.maximum) + 1));
    const double share = *rc::gen::inRange(0, 1'000'001) / 1e6;
    return row.minimum + share * (std::min(row.maximum, 1e12) - row.minimum);
}

/// Any scenario the registry can make: every row is set or left alone.
Scenario anyScenario()
{
    Scenario scenario;
    scenario.task = *rc::gen::element(Task::Training, Task::Inference);
    for (const ParameterRow& row : parameterRegistry()) {
        const bool applies = scenario.task == Task::Training ? row.training : row.inference;
        if (applies && *rc::gen::arbitrary<bool>())
            row.set(scenario, valueOf(row));
    }
    if (scenario.inference.batchMax)
        scenario.inference.batch = 1; // the file says "max" instead of a number
    if (scenario.training.checkpointing == Checkpointing::Unknown)
        scenario.measured.mfu = 0.5; // only measurements may leave it open
    scenario.name = *rc::gen::element<std::string>("", "a \"name\"", "größer\n→ 😀", "//");
    scenario.notes = *rc::gen::element<std::string>("", "notes");
    scenario.source = *rc::gen::element<std::string>("", "source");
    if (*rc::gen::arbitrary<bool>())
        scenario.year = *rc::gen::inRange(1900, 2200);
    if (*rc::gen::arbitrary<bool>())
        scenario.measured.outOfMemory = *rc::gen::arbitrary<bool>();
    scenario.training.loraTargets.bits =
        scenario.task == Task::Training ? *rc::gen::inRange<std::uint8_t>(1, 128) : 127;
    return scenario;
}

} // namespace

class TestScenarioJson : public QObject
{
    Q_OBJECT
private slots:
    void defaultsAreThoseOfTheFormat()
    {
        const Scenario training = read(document(R"("task": "training")"));
        QVERIFY(training == Scenario{});
        const Scenario inference = read(document(R"("task": "inference")"));
        QVERIFY(inference.task == Task::Inference);
        QVERIFY(inference.inference == InferenceWorkload{});
    }

    void everyKeyOfTraining()
    {
        const Scenario s = read(document(R"("task": "training", "sequence_length": 8192, "micro_batch": 2,
            "global_batch": 64, "method": "qlora", "lora": {"rank": 8, "targets": ["q_proj", "v", "down_proj"]},
            "checkpointing": {"mode": "selective_layer", "every": 3}, "precision": "fp8", "master_weights": "none",
            "gradients": "bf16", "optimizer": "sgd_momentum", "flash_attention": 2, "packed_sample_tokens": 614,
            "chunked_loss": true, "offload": "parameters", "expert_imbalance": 1.5,
            "overlap": {"data_parallel": 0.5, "tensor": 1}, "software": "torch-fsdp", "training_tokens": 15e12)",
                                         R"(, "parallelism": {"tensor": 2, "pipeline": 4, "virtual_pipeline": 2,
            "context": 2, "expert": 8, "attention_data": 1, "sharding": "zero2", "replicas": 2,
            "sequence_parallel": false}, "accounting": "palm_4_3", "year": 2024, "source": "paper",
            "measured": {"tokens_per_s_per_gpu": 2904, "mfu": 0.568, "out_of_memory": false,
                         "peak_memory_bytes": 5e10, "peak_memory_kind": "reserved"})"));
        const TrainingWorkload& w = s.training;
        QCOMPARE(w.sequenceLength, 8192);
        QCOMPARE(w.microBatch, 2);
        QCOMPARE(w.globalBatch, std::optional<std::int64_t>(64));
        QVERIFY(w.method == Method::Qlora);
        QCOMPARE(w.loraRank, 8);
        QCOMPARE(int(w.loraTargets.bits), int(LoraTargets::Q | LoraTargets::V | LoraTargets::Down));
        QVERIFY(w.checkpointing == Checkpointing::SelectiveLayer);
        QCOMPARE(w.checkpointEvery, 3);
        QVERIFY(w.precision == DataType::Fp8);
        QVERIFY(w.masterWeights == MasterWeights::None);
        QVERIFY(w.gradients == Gradients::Bf16);
        QVERIFY(w.optimizer == Optimizer::SgdMomentum);
        QVERIFY(w.flashAttention == FlashAttention::V2);
        QCOMPARE(w.packedSampleTokens, std::optional<std::int64_t>(614));
        QCOMPARE(w.chunkedLoss, std::optional(true));
        QVERIFY(w.offload == Offload::Parameters);
        QCOMPARE(w.expertImbalance, 1.5);
        QCOMPARE(w.overlapDataParallel, std::optional(0.5));
        QCOMPARE(w.overlapTensor, std::optional(1.0));
        QVERIFY(w.software == TrainingSoftware::TorchFsdp);
        QCOMPARE(w.trainingTokens, std::optional(15e12));
        QCOMPARE(s.parallelism.virtualPipeline, 2);
        QVERIFY(s.parallelism.sharding == Sharding::Zero2);
        QCOMPARE(s.parallelism.sequenceParallel, std::optional(false));
        QVERIFY(s.accounting == Convention::Palm43);
        QCOMPARE(s.year, std::optional(2024));
        QCOMPARE(s.measured.mfu, std::optional(0.568));
        QCOMPARE(s.measured.outOfMemory, std::optional(false));
        QVERIFY(s.measured.peakMemoryKind == PeakMemoryKind::Reserved);
    }

    void everyKeyOfInference()
    {
        const Scenario s = read(document(R"("task": "inference", "batch": "max", "prompt_tokens": 512,
            "output_tokens": 128, "prompt_tokens_p95": 900, "output_tokens_p95": 300, "requests_per_s": 2.5,
            "weights": "native", "weight_bits": 4.82, "compute": "fp8", "kv_cache": "int8", "scheduling": "static",
            "arrival": "burst", "prefix_cached_tokens": 100, "memory_utilization": 0.85,
            "latency_targets": {"ttft_s": 1.0, "tpot_s": 0.033}, "flash_attention": false, "expert_imbalance": 1.1,
            "software": "llama.cpp-2024")",
                                         R"(, "efficiency": {"base": "ideal", "matmul": 0.9, "host": 2},
            "measured": {"tpot_s": 0.02, "bandwidth_count": "weights_and_cache", "max_batch": 12})"));
        const InferenceWorkload& w = s.inference;
        QVERIFY(w.batchMax);
        QCOMPARE(w.promptTokens, 512);
        QCOMPARE(w.outputTokensP95, std::optional<std::int64_t>(300));
        QCOMPARE(w.requestsPerS, std::optional(2.5));
        QVERIFY(w.weights == DataType::Native);
        QCOMPARE(w.weightBits, std::optional(4.82));
        QVERIFY(w.compute == DataType::Fp8);
        QVERIFY(w.kvCache == DataType::Int8);
        QVERIFY(w.scheduling == Scheduling::Static);
        QVERIFY(w.arrival == Arrival::Burst);
        QCOMPARE(w.prefixCachedTokens, 100);
        QCOMPARE(w.memoryUtilization, std::optional(0.85));
        QCOMPARE(w.tpotTargetS, std::optional(0.033));
        QVERIFY(w.flashAttention == FlashAttention::Off);
        QVERIFY(w.software == InferenceSoftware::LlamaCpp2024);
        QVERIFY(s.efficiency.base == EfficiencyBase::Ideal);
        QCOMPARE(s.efficiency.matmul, 0.9);
        QCOMPARE(s.efficiency.host, 2.0);
        QVERIFY(s.measured.bandwidthCount == BandwidthCount::WeightsAndCache);
        QCOMPARE(s.measured.maxBatch, std::optional(12.0));
    }

    void whatIsWrittenReadsBackEqual()
    {
        QVERIFY(rc::check("read(write(s)) == s", [] {
            const Scenario scenario = anyScenario();
            for (const std::string& text : {writeScenario(scenario), writeScenarioLine(scenario)}) {
                const auto reading = readScenario(text, catalog());
                if (!reading)
                    RC_FAIL(toText(reading.error().front()) + "\n" + text);
                RC_ASSERT(reading->scenario == scenario);
            }
        }));
    }

    void theRangesOfTheRegistryAreThoseOfTheFile()
    {
        for (const ParameterRow& row : parameterRegistry()) {
            if (row.kind != ParameterKind::Integer && row.kind != ParameterKind::Real)
                continue;
            for (const Task task : {Task::Training, Task::Inference}) {
                if (!(task == Task::Training ? row.training : row.inference))
                    continue;
                const auto reading = [&](double value) {
                    Scenario scenario;
                    scenario.task = task;
                    row.set(scenario, value);
                    return readScenario(writeScenario(scenario), catalog());
                };
                const std::string id(row.id);
                QVERIFY2(reading(row.minimum) && reading(row.maximum), id.c_str());
                std::vector<double> outside{row.maximum * 2 + 1};
                const bool mayBeNone = row.id == "mix_share"; // in a file, a class may have no requests
                if (row.kind == ParameterKind::Real && row.minimum > 0 && !mayBeNone)
                    outside.push_back(row.minimum / 2);
                for (const double value : outside) {
                    const auto refused = reading(value);
                    QVERIFY2(!refused, id.c_str());
                    QCOMPARE(qt(refused.error().front().code), QStringLiteral("out-of-range"));
                    QCOMPARE(qt(refused.error().front().path), qt(row.path));
                }
            }
        }
    }

    void theNamesOfTheRegistryAreThoseOfTheFile()
    {
        for (const ParameterRow& row : parameterRegistry()) {
            if (row.kind != ParameterKind::Choice && row.kind != ParameterKind::Toggle)
                continue;
            for (double value = row.minimum; value <= row.maximum; ++value) {
                Scenario scenario;
                scenario.task = row.training ? Task::Training : Task::Inference;
                row.set(scenario, value);
                scenario.measured.mfu = 0.5;
                const auto reading = readScenario(writeScenario(scenario), catalog());
                QVERIFY2(reading, std::string(row.id).c_str());
                QVERIFY2(reading->scenario == scenario, std::string(row.id).c_str());
            }
        }
    }

    void writingLeavesDefaultsOut()
    {
        QCOMPARE(qt(writeScenarioLine(Scenario{})),
                 QStringLiteral(R"({"format":"headroom-scenario","version":1,"model":"llama-3-8b",)"
                                R"("hardware":{"accelerator":"h100-sxm-80gb"},"workload":{"task":"training"}})"));
        Scenario scenario;
        scenario.hardware.pricePerGpuHour = 2.5;
        scenario.training.trainingTokens = 15e12;
        const std::string text = writeScenario(scenario);
        QVERIFY(text.find("\"price_per_gpu_hour\": 2.5\n") != text.npos);
        QVERIFY(text.find("\"training_tokens\": 15000000000000\n") != text.npos);
        QVERIFY(text.ends_with("}\n"));
    }

    void idsAreTheCatalogues()
    {
        const Scenario s = read(R"({"format": "headroom-scenario", "version": 1, "model": "LLAMA-3-8B",
            "hardware": {"accelerator": "H100-SXM-80GB"}, "workload": {"task": "training"}})");
        QCOMPARE(qt(s.model.id), QStringLiteral("llama-3-8b"));
        QCOMPARE(qt(s.accelerator.id), QStringLiteral("h100-sxm-80gb"));
    }

    void modelsHaveObjectForms()
    {
        const auto model = [](const std::string& object) {
            std::string text = document(R"("task": "training")");
            text.replace(text.find("\"llama-3-8b\""), 12, object);
            const auto reading = readScenario(text, catalog());
            return reading ? resolveModel(reading->scenario.model, catalog()) : tl::unexpected(reading.error());
        };
        const auto changed = model(R"({"id": "llama-3-8b", "layers": 16})");
        QVERIFY(changed);
        QCOMPARE(changed->layers, 16);
        QCOMPARE(changed->hidden, 4096);
        QVERIFY(changed->custom);
        const auto described =
            model(R"({"architecture": {"layers": 2, "hidden": 64, "heads": 4, "ffn": 128, "vocab": 100}})");
        QVERIFY(described);
        QCOMPARE(described->headDim, 16);
        const auto imported = model(R"({"hf_config": {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 3,
            "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100}})");
        QVERIFY2(imported, imported ? "" : toText(imported.error().front()).c_str());
        QCOMPARE(imported->layers, 3);
        const auto refused = model(R"({"hf_config": {"model_type": "llama", "hidden_size": -64, "num_hidden_layers": 3,
            "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100}})");
        QVERIFY(!refused);
        QCOMPARE(qt(refused.error().front().path), QStringLiteral("/model/hf_config/hidden_size"));
        QVERIFY(!model(R"({"hf_config": {}, "architecture": {}})"));
    }

    void acceleratorsHaveObjectForms()
    {
        const auto accelerator = [](const std::string& object) {
            std::string text = document(R"("task": "training")");
            text.replace(text.find("\"h100-sxm-80gb\""), 15, object);
            const auto reading = readScenario(text, catalog());
            return reading ? resolveAccelerator(reading->scenario.accelerator, catalog())
                           : tl::unexpected(reading.error());
        };
        const auto changed = accelerator(R"({"id": "h100-sxm-80gb", "memory_gb": 94})");
        QVERIFY(changed);
        QCOMPARE(changed->memoryGb, 94.0);
        QCOMPARE(changed->memoryBandwidthGbPerS, 3350.0);
        const auto described =
            accelerator(R"({"memory_gb": 80, "memory_bandwidth_gbps_bytes": 2000, "peak_tflops": {"bf16": 300}})");
        QVERIFY(described);
        QCOMPARE(described->scaleUpDomain, 1);
        QVERIFY(described->custom);
    }

    void objectFormsAreWrittenBack()
    {
        Scenario scenario;
        scenario.model = {"llama-3-8b", R"({"id":"llama-3-8b","layers":16})"};
        scenario.accelerator = {"custom",
                                R"({"memory_bandwidth_gbps_bytes":2000.5,"memory_gb":80,"peak_tflops":{"bf16":300}})"};
        QVERIFY(read(writeScenario(scenario)) == scenario);
        QVERIFY(read(writeScenarioLine(scenario)) == scenario);
    }

    void onlyAConfigMayBeLarge()
    {
        const std::string padding(2u << 20, ' ');
        const auto plain = readScenario(document(R"("task": "training")") + padding, catalog());
        QVERIFY(!plain);
        QCOMPARE(qt(plain.error().front().code), QStringLiteral("too-large"));
        std::string text = document(R"("task": "training")") + padding;
        text.replace(text.find("\"llama-3-8b\""), 12, R"({"hf_config": {"model_type": "llama", "hidden_size": 64,
            "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100}})");
        QVERIFY(readScenario(text, catalog()));
    }

    /// Python writes Infinity into a config.json; JSON does not know it, and a scenario's own keys must not have it.
    void aConfigMayHoldBareWords()
    {
        const auto with = [](const char* value, const char* rest) {
            std::string text = document(R"("task": "training")", rest);
            text.replace(text.find("\"llama-3-8b\""), 12,
                         std::string(R"({"hf_config": {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 3,
                             "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100,
                             "rope_bound": )") +
                             value + "}}");
            return readScenario(text, catalog());
        };
        QVERIFY(with("Infinity", "") && with("[NaN, -Infinity]", ""));
        const auto refused = with("Infinity", R"(, "measured": {"tokens_per_s": Infinity})");
        QVERIFY(!refused);
        QCOMPARE(qt(refused.error().front().code), QStringLiteral("not-a-number"));
    }

    void figuresOfTheOtherTaskWarn()
    {
        const auto reading =
            readScenario(document(R"("task": "training")", R"(, "measured": {"tpot_s": 0.1, "mfu": 0.4})"), catalog());
        QVERIFY(reading);
        QCOMPARE(reading->warnings.size(), 1u);
        QCOMPARE(qt(reading->warnings.front().path), QStringLiteral("/measured/tpot_s"));
    }

    void errorsKnowTheirLine()
    {
        const auto reading = readScenario("{\n \"format\": \"headroom-scenario\",\n \"version\": 1,\n"
                                          " \"model\": \"llama-3-8b\",\n \"hardware\":\n"
                                          "  {\"accelerator\": \"h100-sxm-80gb\",\n   \"count\": 0},\n"
                                          " \"workload\": {\"task\": \"training\"}\n}",
                                          catalog());
        QVERIFY(!reading);
        QCOMPARE(reading.error().front().line, 7);
    }

    void conventionsAreThoseOfTheTable()
    {
        for (const ConventionRow& row : conventionTable())
            QCOMPARE(qt(nameOf(names::conventions, row.convention)), qt(row.id));
    }

    void publishedRunsReadAndPrepare()
    {
        int lines = 0;
        QStringList refused;
        for (const char* task : {"training", "inference"}) {
            for (const std::string& line : test::publishedRunLines(task)) {
                ++lines;
                const auto reading = readScenario(line, catalog());
                const auto prepared =
                    reading ? prepare(reading->scenario, catalog(), nullptr) : tl::unexpected(reading.error());
                if (!prepared)
                    refused += qt(line.substr(0, 90) + " → " + toText(prepared.error().front()));
            }
        }
        for (const QString& text : refused.mid(0, 10))
            qWarning("%s", qPrintable(text));
        QCOMPARE(lines, 1095 + 2687);
        QCOMPARE(refused.size(), 0);
    }
};
HEADROOM_TEST(TestScenarioJson)

} // namespace headroom::test_scenario_json
#include "test_scenario_json.moc"
