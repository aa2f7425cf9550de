// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of trtllm-bench, GenAI-Perf, AIPerf, NeMo, Megatron Bridge, LLaMA-Factory and Axolotl; what a log says of
// itself.
#include "core/predict/evaluate.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_logs.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_log_import_programs
{

using namespace test;

namespace
{

/// As trtllm-bench 1.1 prints it.
std::string trtllm(double concurrent, int largestBatch, bool streaming)
{
    const std::string rule = "===========================================================\n";
    std::string text = "\n\n" + rule + "= PYTORCH BACKEND\n" + rule +
                       "Model:\t\t\tmeta-llama/Llama-3.1-8B\nKV Cache Dtype:\t\tFP8\n\n" + rule +
                       "= MACHINE DETAILS \n" + rule + "NVIDIA H100 80GB HBM3, memory 79.11 GB, 2.62 GHz\n\n" + rule +
                       "= WORLD + RUNTIME INFORMATION \n" + rule +
                       "TP Size:                2\nPP Size:                1\nEP Size:                None\n" +
                       fmt::format("Max Runtime Batch Size: {}\nKV Memory Percentage:   90.00%\n\n", largestBatch) +
                       rule + "= REQUEST DETAILS \n" + rule + "Number of requests:             300\n" +
                       fmt::format("Number of concurrent requests:  {:.4f}\n", concurrent) +
                       "Average Input Length (tokens):  128.0000\nAverage Output Length (tokens): 256.0000\n" + rule +
                       "= PERFORMANCE OVERVIEW \n" + rule +
                       "Request Throughput (req/sec):                     42.7000\n"
                       "Total Output Throughput (tokens/sec):             10931.2000\n"
                       "Per GPU Output Throughput (tps/gpu):              5465.6000\n";
    if (streaming)
        text += "Average time-to-first-token [TTFT] (ms):          31.5000\n"
                "Average time-per-output-token [TPOT] (ms):        5.7500\n"
                "\n-- Per-Request Time-per-Output-Token [TPOT] Breakdown (ms)\n\n[TPOT] AVERAGE: 5.7500\n";
    return text + rule + "= DATASET DETAILS\n" + rule + "Dataset Path:         synthetic.txt\n";
}

std::string aiperf(const std::string& config)
{
    return R"({"schema_version": "1.3", "request_throughput": {"unit": "requests/sec", "avg": 4.0},
 "request_count": {"unit": "requests", "avg": 40.0},
 "time_to_first_token": {"unit": "ms", "avg": 195.84, "p50": 175.05, "p99": 253.45, "std": 46.21},
 "inter_token_latency": {"unit": "ms", "avg": 35.2, "p50": 34.73},
 "output_token_throughput_per_user": {"unit": "tokens/sec/user", "avg": 28.4},
 "output_token_throughput": {"unit": "tokens/sec", "avg": 252.69},
 "output_sequence_length": {"unit": "tokens", "avg": 64.0},
 "input_sequence_length": {"unit": "tokens", "avg": 256.0}, "input_config": )" +
           config + "}\n";
}

std::string nemo(int steps, int batch)
{
    std::string text;
    for (int step = 0; step < steps; ++step)
        text += fmt::format(" 0: Training epoch 0, iteration {}/99 | lr: 9.8e-08 | global_batch_size: {} | "
                            "global_step: {} | peak_memory_usage: 70833405952 | memory_allocated: 44271689728 | "
                            "reduced_train_loss: 11.96 | train_step_timing in s: {} | tokens_per_sec_per_gpu: 1.04e+04 "
                            "| TFLOPS_per_GPU: 512.5 | consumed_samples: 6400\n",
                            step, batch, step, step == 0 ? 40.5 : 6.3);
    return text + "[NeMo I 2025-03-04 02:58:29 perf_metrics_utils:56] train_step_timing in s: [40.5, 6.3, 6.3]\n";
}

std::string bridge(int steps)
{
    std::string text = "model:\n  seq_length: 4096\n  tensor_model_parallel_size: 2\ntrain:\n  micro_batch_size: 1\n"
                       "[Rank 0] (after 1 iterations) memory (GB) | mem-allocated-gigabytes: 51.072 | "
                       "mem-max-allocated-gigabytes: 64.5 | mem-max-reserved-gigabytes: 70.1 | mem-alloc-retires: 0\n";
    for (int step = 1; step <= steps; ++step)
        text += fmt::format(
            "Step Time : {:.2f}s GPU utilization: {:.1f}MODEL_TFLOP/s/GPU\n [2025-12-22 15:18:33] iteration {:8}/ "
            "    50 | consumed samples: {:12} | elapsed time per iteration (ms): {:.1f} | learning rate: 3.0E-05 | "
            "global batch size:   64 | lm loss: 8.11E+00 | grad norm: 0.042 |\n",
            step == 1 ? 60.0 : 9.09, step == 1 ? 100.0 : 663.5, step, step * 64, step == 1 ? 60000.0 : 9089.0);
    return text;
}

const Diagnostic* noteOf(const Expected<LogReading>& reading, std::string_view code)
{
    const auto found = std::ranges::find(reading->warnings, code, &Diagnostic::code);
    return found == reading->warnings.end() ? nullptr : &*found;
}

} // namespace

class TestLogImportPrograms : public QObject
{
    Q_OBJECT
private slots:
    void everyTextThatListsProgramsNamesAll()
    {
        const auto refused = import("nothing", "a.txt", trainingBase());
        QVERIFY(!refused);
        const std::string hint = refused.error().front().hint;
        for (const std::string_view program : logPrograms()) {
            QVERIFY2(hint.find(program) != std::string::npos, std::string(program).c_str());
            for (const char* file : {"docs/cli.md", "resources/help/06-predictions.md",
                                     "resources/help/de/06-predictions.md", "docs/guide/keyboard.md", "CHANGELOG.md"}) {
                std::string text;
                for (const std::string& line : readLines(sourcePath(file)))
                    text += line + "\n";
                QVERIFY2(text.find(program) != std::string::npos,
                         (std::string(file) + ": " + std::string(program)).c_str());
            }
        }
    }

    /// Lengths that were measured take the place of a mix and of percentiles of another mean.
    void measuredLengthsAreTheLengths()
    {
        Scenario base = servingBase();
        RequestMix mix;
        mix.count = 2;
        mix.all[0] = {0.9, 1000, 200};
        mix.all[1] = {0.1, 400, 4000};
        base.inference.mix = mix;
        base.inference.promptTokensP95 = 9000;
        base.inference.requestsPerS = 2;
        base.inference.autoscale.max = 4;
        const auto reading = import(trtllm(62.4, 2048, true), "bench.log", base);
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        const InferenceWorkload& run = reading->runs.front().inference;
        QVERIFY(!run.mix && !run.promptTokensP95 && !autoscales(run));
        QCOMPARE(run.promptTokens, std::int64_t(128));
        base.inference.mix.reset();
        base.inference.promptTokens = 128; // of the same mean they stay
        base.inference.promptTokensP95 = 300;
        const auto again = import(trtllm(62.4, 2048, true), "bench.log", base);
        QVERIFY2(again.has_value(), again ? "" : toText(again.error().front()).c_str());
        QCOMPARE(again->runs.front().inference.promptTokensP95, std::optional<std::int64_t>(300));
    }

    void trtllmBenchGivesTimesAndParallelism()
    {
        const auto reading = import(trtllm(62.4, 2048, true), "bench.log", servingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("trtllm-bench result"));
        QCOMPARE(reading->runs.size(), std::size_t(1));
        const Scenario& run = reading->runs.front();
        QCOMPARE(*run.measured.ttftS, 0.0315);
        QCOMPARE(*run.measured.tpotS, 0.00575);
        QCOMPARE(*run.measured.tokensPerS, 10931.2);
        QCOMPARE(run.inference.promptTokens, std::int64_t(128));
        QCOMPARE(run.inference.outputTokens, std::int64_t(256));
        QCOMPARE(run.inference.batch, std::int64_t(62));
        QCOMPARE(run.parallelism.tensor, std::int64_t(2));
        QCOMPARE(run.hardware.count, std::int64_t(2));
        QVERIFY(noteOf(reading, "other-model") != nullptr); // Llama 3.1 8B ran, the scenario is about Llama 3 8B
        // The same device is no warning, another is one.
        QVERIFY(noteOf(reading, "other-device") == nullptr);
        Scenario elsewhere = servingBase();
        elsewhere.accelerator = {"a100-sxm-80gb", {}};
        QVERIFY(noteOf(import(trtllm(62.4, 2048, true), "bench.log", elsewhere), "other-device") != nullptr);
    }

    void requestsThatWaitAreNoPartOfTheBatch()
    {
        const auto reading = import(trtllm(290, 64, true), "bench.log", servingBase());
        QVERIFY(reading.has_value());
        QCOMPARE(reading->runs.front().inference.batch, std::int64_t(64));
        QVERIFY(!reading->runs.front().measured.ttftS);
        QVERIFY(noteOf(reading, "queue-in-ttft") != nullptr);
        // Without streaming there are no times; two results are two runs.
        const auto two = import(trtllm(8, 64, false) + trtllm(16, 64, false), "bench.log", servingBase());
        QVERIFY(two.has_value());
        QCOMPARE(two->runs.size(), std::size_t(2));
        QVERIFY(!two->runs[1].measured.tpotS);
        QCOMPARE(two->runs[1].inference.batch, std::int64_t(16));
        const auto cut = import("TP Size: 1\nTotal Output Throughput (tokens/sec):   \n", "bench.log", servingBase());
        QVERIFY(!cut && cut.error().front().line == 2);
    }

    void trtllmBenchSavesJson()
    {
        const std::string text =
            R"({"engine": {"model": "x"}, "machine": {"name": "NVIDIA H100 80GB HBM3", "memory.total": 79.1},
 "world_info": {"tp_size": 4, "pp_size": 2, "ep_size": null, "world_size": 8, "max_batch_size": 512},
 "request_info": {"num_requests": 100, "avg_num_concurrent_requests": 32.2, "avg_input_length": 1024.0,
 "avg_output_length": 128.0}, "performance": {"system_output_throughput_tok_s": 5120.5},
 "streaming_metrics": {"avg_ttft_ms": 90.5, "avg_tpot_ms": 6.25}})";
        const auto reading = import(text, "report.json", servingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("trtllm-bench result"));
        const Scenario& run = reading->runs.front();
        QCOMPARE(run.hardware.count, std::int64_t(8));
        QCOMPARE(run.parallelism.pipeline, std::int64_t(2));
        QCOMPARE(*run.measured.tpotS, 0.00625);
        QCOMPARE(run.inference.batch, std::int64_t(32));
        std::string wrong = text;
        wrong.replace(wrong.find("5120.5"), 6, "\"fast\"");
        QVERIFY(!import(wrong, "report.json", servingBase()));
    }

    void aiPerfAndGenAiPerfGiveASummary()
    {
        for (const char* config : {R"({"loadgen": {"concurrency": 9, "request_rate": null}})",
                                   R"({"perf_analyzer": {"stimulus": {"concurrency": 9}}})"}) {
            const auto reading = import(aiperf(config), "profile_export_aiperf.json", servingBase());
            QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
            QCOMPARE(reading->format, std::string("GenAI-Perf or AIPerf result"));
            const Scenario& run = reading->runs.front();
            QCOMPARE(*run.measured.ttftS, 195.84 / 1e3);
            QCOMPARE(*run.measured.tpotS, 35.2 / 1e3);
            QCOMPARE(*run.measured.tokensPerS, 252.69);
            QCOMPARE(run.inference.batch, std::int64_t(9));
            QCOMPARE(run.inference.promptTokens, std::int64_t(256));
            QVERIFY(noteOf(reading, "batch-assumed") == nullptr);
        }
        // 4 requests a second that each take 0.196 + 63 × 0.0352 s.
        const auto rate = import(aiperf(R"({"loadgen": {"concurrency": 100, "request_rate": 4.0}})"),
                                 "profile_export_aiperf.json", servingBase());
        QCOMPARE(rate->runs.front().inference.batch, std::int64_t(10));
        const auto open = import(aiperf("{}"), "profile_export_aiperf.json", servingBase());
        QCOMPARE(open->runs.front().inference.batch, std::int64_t(7)); // the scenario's
        QVERIFY(noteOf(open, "batch-assumed") != nullptr);
        const auto of = [](const char* config) {
            return noteOf(import(aiperf(config), "profile_export_aiperf.json", servingBase()), "other-model") !=
                   nullptr;
        };
        QVERIFY(of(R"({"endpoint": {"model_names": ["Qwen/Qwen3-0.6B"]}})") && of(R"({"model": "Qwen/Qwen3-8B"})"));
        QVERIFY(!of(R"({"endpoint": {"model_names": ["meta-llama/Meta-Llama-3-8B-Instruct"]}})"));
        const auto single = import(
            R"({"metadata": {"session_num": 0}, "metrics": {"time_to_first_token": {"value": 1, "unit": "ms"}}})",
            "profile_export.jsonl", servingBase());
        QVERIFY(!single);
        QCOMPARE(single.error().front().code, std::string("single-requests"));
    }

    void theirTablesAreReadToo()
    {
        const std::string csv =
            "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r\n"
            "Time To First Token (ms),\"1,023.94\",22.92,30.75,30.10,27.51,24.26,23.38,23.20,23.02\r\n"
            "Inter Token Latency (ms),11.54,11.45,11.70,11.69,11.64,11.58,11.55,11.53,11.52\r\n"
            "Output Sequence Length (tokens),511.90,505.00,516.00,515.91,515.55,515.10,512.75,512.00,511.25\r\n"
            "Input Sequence Length (tokens),127.50,126.00,128.00,128.00,128.00,128.00,128.00,128.00,127.00\r\n\r\n"
            "Metric,Value\r\nOutput Token Throughput (tokens/sec),443.39\r\nRequest Throughput (per sec),27.80\r\n";
        const std::string table = "                             NVIDIA GenAI-Perf | LLM Metrics\n"
                                  "┃                            Statistic ┃       avg ┃       min ┃\n"
                                  "│             Time To First Token (ms) │  1,023.94 │     15.20 │\n"
                                  "│             Inter Token Latency (ms) │     11.54 │     11.45 │\n"
                                  "│     Output Token Throughput Per User │    248.14 │    227.77 │\n"
                                  "│                    (tokens/sec/user) │           │           │\n"
                                  "│      Output Sequence Length (tokens) │    511.90 │    505.00 │\n"
                                  "│       Input Sequence Length (tokens) │    127.50 │    126.00 │\n"
                                  "│ Output Token Throughput (tokens/sec) │    443.39 │       N/A │\n";
        for (const auto& [text, file] :
             {std::pair(csv, "profile_export_genai_perf.csv"), std::pair(table, "run.txt")}) {
            const auto reading = import(text, file, servingBase());
            QVERIFY2(reading.has_value(), reading ? file : toText(reading.error().front()).c_str());
            const Scenario& run = reading->runs.front();
            QCOMPARE(*run.measured.ttftS, 1.02394);
            QCOMPARE(*run.measured.tpotS, 0.01154);
            QCOMPARE(*run.measured.tokensPerS, 443.39);
            QCOMPARE(run.inference.outputTokens, std::int64_t(512));
        }
        // A sweep prints a table a run.
        std::string second = table;
        second.replace(second.find("443.39"), 6, "500.00");
        const auto both = import(table + second, "sweep.txt", servingBase());
        QVERIFY(both && both->runs.size() == 2);
        QCOMPARE(*both->runs[0].measured.tokensPerS, 443.39);
        QCOMPARE(*both->runs[1].measured.tokensPerS, 500.0);
    }

    void nemoGivesTheSteadyMedian()
    {
        const auto reading = import(nemo(12, 32), "slurm.out", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("NeMo log"));
        const Scenario& run = reading->runs.front();
        QCOMPARE(*run.measured.stepTimeS, 6.3);
        QCOMPARE(*run.measured.tokensPerSPerGpu, 10400.0);
        QCOMPARE(*run.measured.modelTflopsPerGpu, 512.5);
        QCOMPARE(*run.measured.peakMemoryBytes, 70833405952.0);
        QVERIFY(run.measured.peakMemoryKind == PeakMemoryKind::Allocated);
        QCOMPARE(*run.training.globalBatch, std::int64_t(32));
        // 65,520 tokens a GPU and step: not those of 32 sequences of 4,096 on 8 GPUs.
        QVERIFY(noteOf(reading, "other-tokens") != nullptr);
        Scenario longer = trainingBase();
        longer.training.sequenceLength = 16384;
        QVERIFY(noteOf(import(nemo(12, 32), "slurm.out", longer), "other-tokens") == nullptr);
        const auto cut = import(nemo(2, 32) + "iteration 3/99 | train_step_timing in s:", "a.out", trainingBase());
        QVERIFY(!cut && cut.error().front().line == 4);
    }

    void megatronBridgeAddsItsRateAndMemory()
    {
        const auto reading = import(bridge(12), "bridge.log", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("Megatron Bridge log"));
        const Scenario& run = reading->runs.front();
        QCOMPARE(*run.measured.stepTimeS, 9.089); // the finer of the two
        QCOMPARE(*run.measured.modelTflopsPerGpu, 663.5);
        QCOMPARE(*run.measured.peakMemoryBytes, 64.5e9);
        QCOMPARE(run.parallelism.tensor, std::int64_t(2));
        QCOMPARE(run.training.sequenceLength, std::int64_t(4096));
        QCOMPARE(*run.training.globalBatch, std::int64_t(64));
    }

    void llamaFactorySavesItsProgress()
    {
        std::string text;
        for (int line = 1; line <= 4; ++line)
            text += fmt::format(
                R"({{"current_steps": {}, "total_steps": 270, "loss": 1.2, "lr": 0.0001, "epoch": 0.1, )"
                R"("percentage": 3.7, "elapsed_time": "{}", "remaining_time": "0:10:29", )"
                R"("throughput": 4402.08, "total_tokens": {}}})"
                "\n",
                line * 10, std::array{"0:01:30", "0:02:00", "0:02:30", "1 day, 0:03:00"}[std::size_t(line - 1)],
                line * 60000);
        const std::string three = text.substr(0, text.find("{\"current_steps\": 40"));
        const auto reading = import(three, "trainer_log.jsonl", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("LLaMA-Factory log"));
        QCOMPARE(*reading->runs.front().measured.stepTimeS, 3.0); // the slow first lines are before the first one
        QCOMPARE(*reading->runs.front().measured.tokensPerS, 2000.0);
        QVERIFY(noteOf(reading, "batch-assumed") != nullptr);
        const auto days = import(text, "trainer_log.jsonl", trainingBase());
        QCOMPARE(*days->runs.front().measured.stepTimeS, (86400.0 + 90) / 30);
        QVERIFY(!import(text.substr(0, text.find('\n')), "trainer_log.jsonl", trainingBase())); // one line says nothing
        const auto table = import("***** train metrics *****\n  train_samples_per_second =       8.92\n"
                                  "  train_steps_per_second   =      0.558\n",
                                  "log.txt", trainingBase());
        QVERIFY2(table.has_value(), table ? "" : toText(table.error().front()).c_str());
        QCOMPARE(*table->runs.front().measured.stepTimeS, 16 / 8.92);
    }

    void axolotlAddsItsMemory()
    {
        Scenario base = trainingBase();
        base.hardware.count = 2;
        base.training.microBatch = 8;
        const std::string text =
            "{'loss': '0.71', 'memory/max_active (GiB)': '2.98', 'memory/max_allocated (GiB)': '12.5', "
            "'memory/device_reserved (GiB)': '14.12', 'epoch': '0.13'}\n"
            "{'train_runtime': '158.8', 'train_samples_per_second': '26.2', 'train_steps_per_second': '1.638', "
            "'train_loss': '1.567', 'memory/max_allocated (GiB)': '12.42', 'epoch': '1'}\n";
        const auto reading = import(text, "axolotl.log", base);
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("Axolotl log"));
        const Scenario& run = reading->runs.front();
        QCOMPARE(*run.measured.stepTimeS, 16 / 26.2);
        QCOMPARE(*run.training.globalBatch, std::int64_t(16));
        QCOMPARE(*run.measured.peakMemoryBytes, 12.5 * 1024 * 1024 * 1024);
        QVERIFY(run.measured.peakMemoryKind == PeakMemoryKind::Allocated);
    }

    void whatALogSaysOfItselfIsHeldAgainstOurs()
    {
        const auto notes = [](double tflops, double mfu) {
            Scenario run = trainingBase();
            run.measured = {};
            run.measured.stepTimeS = 3;
            if (tflops > 0)
                run.measured.modelTflopsPerGpu = tflops;
            if (mfu > 0)
                run.measured.mfu = mfu;
            run.source = "a log";
            const auto reading = import(writeScenarioLine(run) + "\n", "runs.jsonl", trainingBase());
            std::string text;
            for (const Diagnostic& note : reading->warnings)
                if (note.code == "stated-otherwise")
                    text += note.message + "\n";
            return text;
        };
        const auto prepared = [](Convention convention) {
            Scenario run = trainingBase();
            run.measured = {};
            run.measured.stepTimeS = 3;
            run.accounting = convention;
            return prepare(run, Catalog::builtIn(), Calibration::builtIn());
        };
        const Evaluation ours = evaluate(*prepared(Convention::Standard));
        const double peak = ours.peakFlops / 1e12, rate = *ours.observed->mfu * peak;
        QCOMPARE(notes(rate, rate / peak), std::string());
        // Another count, of which the table of conventions has a row.
        for (const ConventionRow& row : conventionTable()) {
            const double other = *evaluate(*prepared(row.convention)).observed->mfu * peak;
            if (std::abs(other / rate - 1) < 0.05)
                continue;
            const std::string text = notes(other, 0);
            QVERIFY2(text.find("another count") != std::string::npos, text.c_str());
        }
        // Another peak, and another model.
        QVERIFY(notes(rate, rate / peak * 2).find("another peak") != std::string::npos);
        QVERIFY(notes(rate * 2.7, 0).find("2.70") != std::string::npos);
    }
};
HEADROOM_TEST(TestLogImportPrograms)

} // namespace headroom::test_log_import_programs
#include "test_log_import_programs.moc"
