// SPDX-License-Identifier: GPL-3.0-or-later
// What is read from logs as the programs write them.
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_logs.hpp"
#include "tests/support/support.hpp"

#include <fmt/format.h>

namespace headroom::test_log_import
{

using namespace test;

class TestLogImport : public QObject
{
    Q_OBJECT
private slots:
    void torchtitanGivesTheSteadyMedian()
    {
        const auto reading = import(torchtitan(20), "job.log", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("torchtitan log"));
        QCOMPARE(reading->runs.size(), std::size_t(1));
        const Scenario& run = reading->runs.front();
        QCOMPARE(*run.measured.tokensPerSPerGpu, 2904.0); // colours, thousands and slow first steps notwithstanding
        QCOMPARE(*run.measured.peakMemoryBytes, 40.0 * 1024 * 1024 * 1024);
        QVERIFY(run.measured.peakMemoryKind == PeakMemoryKind::Reserved);
        QCOMPARE(*run.measured.mfu, 0.3205); // what it says of itself, not the scenario's
        QCOMPARE(*run.measured.modelTflopsPerGpu, 100.0);
        QCOMPARE(run.training.microBatch, std::int64_t(2)); // what a log does not say is the scenario's
        QVERIFY(run.source.find("job.log") != std::string::npos);
    }

    void megatronGivesStepTimeAndBatch()
    {
        const auto same = import(megatron(12, 64, 5444.9), "train.txt", trainingBase());
        QVERIFY(same.has_value());
        QCOMPARE(*same->runs.front().measured.stepTimeS, 5.4449);
        QCOMPARE(*same->runs.front().training.globalBatch, std::int64_t(64));
        const auto other = import(megatron(12, 128, 9000), "train.txt", trainingBase());
        QCOMPARE(*other->runs.front().training.globalBatch, std::int64_t(128));
        // A batch that ramps up: only the last size counts.
        const auto ramp = import(megatron(50, 32, 1000) + megatron(12, 64, 5000, 51), "train.txt", trainingBase());
        QCOMPARE(*ramp->runs.front().measured.stepTimeS, 5.0);
        QCOMPARE(*ramp->runs.front().training.globalBatch, std::int64_t(64));
    }

    void megatronSaysItsMemoryAndRate()
    {
        const std::string memory = "[Rank 0] (after 10 iterations) memory (MB) | allocated: 24761.0 | max allocated: "
                                   "65203.5 | reserved: 64438.0 | max reserved: 74306.0\n"
                                   "[Rank 16] (after 10 iterations) memory (MB) | allocated: 18907.7 | max allocated: "
                                   "52228.2 | reserved: 58770.0 | max reserved: 58770.0\n";
        const auto reading = import(megatron(12, 64, 5444.9) + memory, "train.txt", trainingBase());
        QVERIFY(reading.has_value());
        const Measured& m = reading->runs.front().measured;
        QCOMPARE(*m.modelTflopsPerGpu, 400.1);
        QCOMPARE(*m.peakMemoryBytes, 65203.5 * 1024 * 1024);
        QVERIFY(m.peakMemoryKind == PeakMemoryKind::Allocated);
    }

    void torchtitanSaysWhatRan()
    {
        const std::string head =
            "[rank0]:[titan] 2026-01-05 - root - INFO - Building device mesh with parallelism: pp=1, dp_replicate=2, "
            "dp_shard=8, cp=1, tp=4, ep=1, etp=2\n"
            "[rank0]:[titan] 2026-01-05 - root - INFO - CUDA capacity: NVIDIA H100 with 94.99GiB memory\n"
            "[rank0]:[titan] 2026-01-05 - root - INFO - Model llama3 8B size: 8,030,261,248 total parameters\n"
            "[rank0]:[titan] 2026-01-05 - root - INFO - Applied full activation checkpointing to the model\n"
            "[rank0]:[titan] 2026-01-05 - root - INFO - Trainer is initialized with local batch size 3, global batch "
            "size 96, gradient accumulation steps 2, sequence length 8192, total steps 1000 (warmup 200)\n";
        auto reading = import(head + torchtitan(20), "job.log", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        const Scenario& run = reading->runs.front();
        QCOMPARE(run.hardware.count, std::int64_t(64));
        QCOMPARE(run.parallelism.tensor, std::int64_t(4));
        QVERIFY(run.parallelism.sharding == Sharding::Fsdp);
        QCOMPARE(run.parallelism.replicas.value_or(0), std::int64_t(2));
        QCOMPARE(run.training.microBatch, std::int64_t(3));
        QCOMPARE(*run.training.globalBatch, std::int64_t(96));
        QCOMPARE(run.training.sequenceLength, std::int64_t(8192));
        QVERIFY(run.training.checkpointing == Checkpointing::Full);
        std::erase_if(reading->warnings, [](const Diagnostic& d) { return d.code == "stated-otherwise"; });
        QCOMPARE(reading->warnings.size(), std::size_t(1)); // what was taken from the log, and nothing else
        QVERIFY(reading->warnings.front().severity == Severity::Note);
        QVERIFY2(reading->warnings.front().message.find("64") != std::string::npos,
                 reading->warnings.front().message.c_str());

        Scenario other = trainingBase();
        other.accelerator = {"a100-sxm-80gb", {}};
        auto elsewhere = import(head + torchtitan(20), "job.log", other);
        std::erase_if(elsewhere->warnings, [](const Diagnostic& d) { return d.code == "stated-otherwise"; });
        QCOMPARE(elsewhere->warnings.size(), std::size_t(2));
        QCOMPARE(elsewhere->warnings.back().code, std::string("other-device"));
        QCOMPARE(elsewhere->warnings.back().line, 2);

        other.model = {"llama-3-70b", {}};
        const auto wrong = import(head + torchtitan(20), "job.log", other);
        QVERIFY(!wrong.has_value());
        QCOMPARE(wrong.error().front().code, std::string("wrong-model"));
        QCOMPARE(wrong.error().front().line, 3);
    }

    void megatronListsItsArguments()
    {
        const std::string head = "  context_parallel_size ........................... 1\n"
                                 "  micro_batch_size ................................ 2\n"
                                 "  pipeline_model_parallel_size .................... 2\n"
                                 "  seq_length ...................................... 8192\n"
                                 "  tensor_model_parallel_size ...................... 4\n"
                                 "  use_distributed_optimizer ....................... True\n"
                                 "  world_size ...................................... 32\n";
        const auto reading = import(head + megatron(12, 64, 900), "train.txt", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        const Scenario& run = reading->runs.front();
        QCOMPARE(run.hardware.count, std::int64_t(32));
        QCOMPARE(run.parallelism.tensor, std::int64_t(4));
        QCOMPARE(run.parallelism.pipeline, std::int64_t(2));
        QVERIFY(run.parallelism.sharding == Sharding::Zero1);
        QCOMPARE(run.training.microBatch, std::int64_t(2));
        QCOMPARE(run.training.sequenceLength, std::int64_t(8192));
        QCOMPARE(*run.training.globalBatch, std::int64_t(64));
        // 8 GPUs of the scenario do not take a tensor size of 3: the log's line and the reason are told.
        const auto wrong = import("  tensor_model_parallel_size ...................... 3\n" + megatron(12, 64, 900),
                                  "train.txt", trainingBase());
        QVERIFY(!wrong.has_value());
        QCOMPARE(wrong.error().front().code, std::string("does-not-divide"));
    }

    void runLinesAreCompleteInThemselves()
    {
        Scenario other = trainingBase();
        other.model = {"llama-2-7b", {}};
        other.measured = {};
        other.measured.stepTimeS = 1.25;
        const std::string text = writeScenarioLine(other) + "\n\n" + writeScenarioLine(other) + "\n";
        const auto reading = import(text, "mine.jsonl", servingBase()); // whatever is in hand
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->runs.size(), std::size_t(2));
        QCOMPARE(reading->runs[0].model.id, std::string("llama-2-7b"));
        QCOMPARE(*reading->runs[0].measured.stepTimeS, 1.25);
        QVERIFY(!reading->runs[0].source.empty());
        QVERIFY(reading->runs[0].name != reading->runs[1].name);
        QVERIFY(looksLikeLog("runs.txt", text));
    }

    void aRunIsNotOfSomebodysExpectation()
    {
        Scenario calibrated = trainingBase();
        calibrated.efficiency.matmul = 0.5;
        QVERIFY(import(torchtitan(9), "a.log", calibrated)->runs.front().efficiency == Efficiency{});
    }

    void megatronWithoutABatchWarns()
    {
        const auto reading =
            import(" iteration 3/ 9 | elapsed time per iteration (ms): 250.0 | learning rate: 1E-4 |\n", "a.log",
                   trainingBase());
        QVERIFY(reading.has_value());
        QCOMPARE(*reading->runs.front().measured.stepTimeS, 0.25);
        QCOMPARE(reading->warnings.size(), std::size_t(1));
    }

    void vllmTextGivesOneRunAResult()
    {
        const auto one = import(vllm, "bench.txt", servingBase());
        QVERIFY2(one.has_value(), one ? "" : toText(one.error().front()).c_str());
        const Scenario& run = one->runs.front();
        QCOMPARE(*run.measured.ttftS, 0.1265);
        QCOMPARE(*run.measured.tpotS, 0.00925);
        QCOMPARE(*run.measured.tokensPerS, 1582.87); // the mean, not the peak
        QCOMPARE(run.inference.batch, std::int64_t(16));
        QCOMPARE(run.inference.promptTokens, std::int64_t(512));
        QCOMPARE(run.inference.outputTokens, std::int64_t(128));
        QVERIFY(one->warnings.empty());
        const auto two = import("noise before\n" + vllm + "\n" + vllm, "bench.txt", servingBase());
        QCOMPARE(two->runs.size(), std::size_t(2));
        QVERIFY(two->runs[0].name != two->runs[1].name);
    }

    void vllmJsonIsReadToo()
    {
        const std::string line = "{'backend': 'vllm', 'max_concurrency': null, 'request_rate': 'inf', 'completed': 10, "
                                 "'total_input_tokens': 1000, 'total_output_tokens': 2000, 'output_throughput': 900.5, "
                                 "'mean_ttft_ms': 30.0, 'mean_tpot_ms': 8.0}";
        std::string json = line;
        std::ranges::replace(json, '\'', '"');
        const auto one = import(json, "result.json", servingBase());
        QVERIFY2(one.has_value(), one ? "" : toText(one.error().front()).c_str());
        QCOMPARE(*one->runs.front().measured.tpotS, 0.008);
        QCOMPARE(one->runs.front().inference.promptTokens, std::int64_t(100));
        QCOMPARE(one->runs.front().inference.batch, std::int64_t(7)); // not limited: the scenario's, with a warning
        QCOMPARE(one->warnings.size(), std::size_t(1));
        // Prefill alone, one token a request: nothing was measured about later ones.
        std::string prefill = json;
        prefill.replace(prefill.find("\"total_output_tokens\": 2000"), 27, "\"total_output_tokens\": 10");
        prefill.replace(prefill.find("\"mean_tpot_ms\": 8.0"), 19, "\"mean_tpot_ms\": 0.0");
        const auto first = import(prefill, "result.json", servingBase());
        QVERIFY2(first.has_value(), first ? "" : toText(first.error().front()).c_str());
        QVERIFY(!first->runs.front().measured.tpotS);
        QCOMPARE(*first->runs.front().measured.ttftS, 0.03);
        QCOMPARE(first->runs.front().inference.outputTokens, std::int64_t(1));
        const auto lines = import(json + "\n" + json + "\n", "result.json", servingBase());
        QCOMPARE(lines->runs.size(), std::size_t(2));
    }

    /// What was measured is what was in flight: not the scenario's load, nor a limit that nothing reached.
    void whatWasInFlightIsTheBatch()
    {
        Scenario base = servingBase();
        base.inference.requestsPerS = 1;
        QVERIFY(!import(vllm, "bench.txt", base)->runs.front().inference.requestsPerS);
        const auto result = [&base](const std::string& keys) {
            std::string json = "{" + keys + ", 'completed': 100, 'total_input_tokens': 51200, 'total_output_tokens': " +
                               "12800, 'output_throughput': 256, 'mean_ttft_ms': 40, 'mean_tpot_ms': 8}";
            std::ranges::replace(json, '\'', '"');
            return import(json, "result.json", base);
        };
        // 2 requests a second that each take 0.04 + 127 × 0.008 s.
        const auto rate = result("'request_rate': 2.0, 'request_throughput': 2.0, 'max_concurrency': 256");
        QVERIFY(rate && !rate->runs.front().inference.requestsPerS);
        QCOMPARE(rate->runs.front().inference.batch, std::int64_t(2));
        QVERIFY(rate->warnings.size() == 1 && rate->warnings.front().severity == Severity::Note);
        const auto few = result("'request_rate': 'inf', 'max_concurrency': 256, 'failed': 20");
        QVERIFY(few && few->warnings.front().code == "few-requests");
        QCOMPARE(few->runs.front().inference.batch, std::int64_t(120));
        QCOMPARE(result("'max_concurrency': 64")->runs.front().inference.batch, std::int64_t(64));
    }

    void anotherModelIsSaid()
    {
        const auto warned = [](const char* model) {
            Scenario base = servingBase();
            base.model = {"llama-3.1-8b", {}};
            const auto reading =
                import(std::string("{\"model_id\": \"") + model +
                           "\", \"max_concurrency\": 8, \"mean_tpot_ms\": 8, \"output_throughput\": 200}",
                       "result.json", base);
            return reading && !reading->warnings.empty() && reading->warnings.front().code == "other-model";
        };
        QVERIFY(warned("Qwen/Qwen2.5-72B-Instruct"));
        QVERIFY(warned("meta-llama/Meta-Llama-3-8B"));
        for (const char* same : {"meta-llama/Meta-Llama-3.1-8B-Instruct", "RedHatAI/Llama-3.1-8B-Instruct-FP8",
                                 "/models/llama3.1-8b", "/models/current"})
            QVERIFY2(!warned(same), same);
    }

    void csvColumnsAreParametersAndMeasurements()
    {
        const auto reading = import("name,model,accelerator,count,micro_batch,precision,step_time_s,source\n"
                                    "first,llama-3-8b,h100-sxm-80gb,8,1,fp8,1.5,\"lab, May\"\n"
                                    "\n"
                                    "second,,,,4,,3.25,\r\n",
                                    "runs.csv", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->runs.size(), std::size_t(2));
        QCOMPARE(reading->runs[0].name, std::string("first"));
        QCOMPARE(reading->runs[0].source, std::string("lab, May"));
        QVERIFY(reading->runs[0].training.precision == DataType::Fp8);
        QCOMPARE(*reading->runs[0].measured.stepTimeS, 1.5);
        QCOMPARE(reading->runs[1].training.microBatch, std::int64_t(4));
        QCOMPARE(*reading->runs[1].measured.stepTimeS, 3.25);
        QVERIFY(!reading->runs[1].measured.mfu);
        const auto serving = import("batch,tpot_ms,ttft_s\n8,21.5,0.4\n", "runs.csv", servingBase());
        QCOMPARE(*serving->runs.front().measured.tpotS, 0.0215);
        QCOMPARE(*serving->runs.front().measured.ttftS, 0.4);
        Scenario loaded = servingBase();
        loaded.inference.requestsPerS = 1;
        QVERIFY(!import("batch,tpot_ms\n8,21.5\n", "runs.csv", loaded)->runs.front().inference.requestsPerS);
        QCOMPARE(*import("tpot_ms\n21.5\n", "runs.csv", loaded)->runs.front().inference.requestsPerS, 1.0);
    }

    /// "gpus" is what people call it; a name that is not known is answered with every name that is.
    void csvKnowsGpusAndNamesEveryColumn()
    {
        const auto reading = import("gpus,step_time_s\n16,2.5\n", "runs.csv", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->runs.front().hardware.count, std::int64_t(16));
        const auto unknown = import("zzzzqqqq,step_time_s\n1,2\n", "runs.csv", trainingBase());
        QVERIFY(!unknown);
        for (const ParameterRow& row : parameterRegistry())
            if (appliesTo(row, Task::Training) && row.group != ParameterGroup::Measured)
                QVERIFY2(unknown.error().front().hint.find(row.id) != std::string::npos, row.id.data());
    }

    void everyRunIsAScenarioFile()
    {
        for (const auto& reading :
             {import(torchtitan(9), "a.log", trainingBase()), import(megatron(9, 64, 100), "a.log", trainingBase()),
              import(vllm, "a.txt", servingBase())}) {
            const std::string line = writeScenarioLine(reading->runs.front());
            const auto back = readScenario(line, Catalog::builtIn());
            QVERIFY2(back.has_value(), back ? "" : toText(back.error().front()).c_str());
            QVERIFY(back->scenario.measured == reading->runs.front().measured);
        }
    }

    void whatALogLeavesOutMustGoWithWhatItSays()
    {
        Scenario base = servingBase();
        base.inference.promptTokens = 4096;
        base.inference.prefixCachedTokens = 1024; // the log's prompts have 512 tokens
        const auto reading = import(vllm, "a.txt", base);
        QVERIFY(!reading.has_value());
        QVERIFY(!reading.error().front().message.empty());
    }

    void filesAreKnownByTheirBeginning()
    {
        QVERIFY(looksLikeLog("a.CSV", ""));
        QVERIFY(looksLikeLog("a.log", torchtitan(2)));
        QVERIFY(looksLikeLog("a.json", "{\"mean_tpot_ms\": 3}"));
        QVERIFY(!looksLikeLog("config.json", "{\"hidden_size\": 4096}"));
        QVERIFY(!looksLikeLog("a.headroom", "{\"format\": \"headroom-scenario\"}"));
    }
};
HEADROOM_TEST(TestLogImport)

} // namespace headroom::test_log_import
#include "test_log_import.moc"
