// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of MaxText, of Hugging Face's Trainer, of llama-bench and of SGLang's bench_serving.
#include "tests/support/program.hpp"
#include "tests/support/sample_logs.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_log_import_others
{

using namespace test;

namespace
{

/// As newer releases of SGLang's bench_serving print it, without a TPOT.
std::string sglangTable(const std::string& rate, const std::string& more)
{
    return "============ Serving Benchmark Result ============\n"
           "Backend:                                 sglang\n"
           "Traffic request rate:                    " +
           rate +
           "\n"
           "Successful requests:                     80\n"
           "Total input tokens:                      81920\n"
           "Total generated tokens:                  20480\n"
           "Total generated tokens (retokenized):    20470\n"
           "Request throughput (req/s):              2.00\n"
           "Output token throughput (tok/s):         512.00\n"
           "Mean TTFT (ms):                          300.00\n" +
           more;
}

} // namespace

class TestLogImportOthers : public QObject
{
    Q_OBJECT
private slots:
    void maxTextGivesStepsAndWhatItCounts()
    {
        std::string text;
        for (int step = 0; step < 12; ++step)
            text += fmt::format("completed step: {}, seconds: {}, TFLOP/s/device: 305.127, Tokens/s/device: 3679.158, "
                                "total_weights: 12582912, loss: 10.565\n",
                                step, step == 0 ? "44.923" : "13.360");
        const auto reading = import(text, "job.log", trainingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("MaxText log"));
        const Measured& m = reading->runs.front().measured;
        QCOMPARE(*m.stepTimeS, 13.360);
        QCOMPARE(*m.tokensPerSPerGpu, 3679.158);
        QCOMPARE(*m.modelTflopsPerGpu, 305.127);
        const auto cut = import(text + "completed step: 12, seconds:", "job.log", trainingBase());
        QVERIFY(!cut && cut.error().front().line == 13);
        // 49,152 tokens a GPU and step: 96 sequences of 4,096 on 8 GPUs, whatever the scenario's batch is.
        QCOMPARE(*reading->runs.front().training.globalBatch, std::int64_t(96));
        Scenario other = trainingBase();
        other.training.sequenceLength = 5000;
        const auto wrong = import(text, "job.log", other);
        QVERIFY(!wrong && wrong.error().front().code == "does-not-divide");
        const auto silent = import("completed step: 3, seconds: 2.5, loss: 10.5\n", "job.log", trainingBase());
        QVERIFY(silent && silent->warnings.front().code == "batch-assumed");
    }

    void theTrainerGivesMeansOfTheWholeRun()
    {
        Scenario base = trainingBase();
        base.hardware.count = 1;
        base.training.microBatch = 4;
        for (const char* text :
             {"{'loss': 0.0352, 'epoch': 2.0}\n{'train_runtime': 8418.1136, 'train_samples_per_second': 2.298, "
              "'train_steps_per_second': 0.574, 'train_loss': 0.054, 'epoch': 2.0}\n",
              "{'train_runtime': '211', 'train_samples_per_second': '2.298',\n 'train_steps_per_second': '0.574'}\n"}) {
            const auto reading = import(text, "train.log", base);
            QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
            const Scenario& run = reading->runs.front();
            QCOMPARE(*run.measured.stepTimeS, 4 / 2.298);
            QCOMPARE(*run.training.globalBatch, std::int64_t(4));
            QCOMPARE(reading->warnings.back().code, std::string("whole-run"));
        }
        QVERIFY(!import("'train_steps_per_second': 0.0\n", "a.log", base));
        // Of steps of 20 s the rate is 0.05 in print: any batch from 252 to 256 has it. The scenario's is one of them.
        base.training.microBatch = 1;
        base.training.globalBatch = 256;
        const auto slow =
            import("{'train_samples_per_second': 12.698, 'train_steps_per_second': 0.05}\n", "a.log", base);
        QVERIFY(slow.has_value());
        QCOMPARE(*slow->runs.front().training.globalBatch, std::int64_t(256));
        QCOMPARE(*slow->runs.front().measured.stepTimeS, 256 / 12.698);
    }

    void llamaBenchGivesARunATest()
    {
        const std::string table =
            "| model                  |       size |     params | backend | ngl |            test |              t/s "
            "|\n"
            "| ---------------------- | ---------: | ---------: | ------- | --: | --------------: | ---------------: "
            "|\n"
            "| llama 8B Q4_K - Medium |   4.58 GiB |     8.03 B | CUDA    |  99 |           pp512 | 2210.52 ± 12.04 |\n"
            "| llama 8B Q4_K - Medium |   4.58 GiB |     8.03 B | CUDA    |  99 |           tg128 |     71.34 ± 0.22 "
            "|\n"
            "| llama 8B Q4_K - Medium |   4.58 GiB |     8.03 B | CUDA    |  99 |   tg128 @ d4096 |     60.00 ± 0.22 "
            "|\n"
            "| llama 8B Q4_K - Medium |   4.58 GiB |     8.03 B | CUDA    |  99 |     pp512+tg128 |    300.00 ± 0.22 "
            "|\n"
            "\nbuild: 845282461 (9739)\n";
        const auto reading = import(table, "bench.txt", servingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("llama-bench table"));
        QCOMPARE(reading->runs.size(), std::size_t(3));
        QCOMPARE(*reading->runs[0].measured.ttftS, 512 / 2210.52);
        QCOMPARE(reading->runs[0].inference.promptTokens, std::int64_t(512));
        QCOMPARE(*reading->runs[1].measured.tpotS, 1 / 71.34);
        QCOMPARE(reading->runs[1].inference.batch, std::int64_t(1));
        QCOMPARE(reading->runs[2].inference.promptTokens, std::int64_t(4096));
        QCOMPARE(reading->warnings.size(), std::size_t(2)); // once each, not for each test
        QCOMPARE(reading->warnings.front().code, std::string("other-weights"));
        QCOMPARE(reading->warnings.back().code, std::string("mixed-tests"));
        Scenario four = servingBase();
        four.inference.weightBits = 4.9;
        four.inference.requestsPerS = 10; // the scenario's load: the benchmark sends one request at a time
        const auto same = import(table, "bench.txt", four);
        QVERIFY(same && same->warnings.size() == 1 && !same->runs.front().inference.requestsPerS);
        std::string host = table; // of 32 layers
        for (std::size_t at = 0; (at = host.find("|  99 |", at)) != std::string::npos; ++at)
            host.replace(at, 7, "|  20 |");
        const auto some = import(host, "bench.txt", four);
        QVERIFY(some && some->warnings.size() == 2 && some->warnings.front().code == "other-device");
        std::string flash = table; // a column that is there where it is no default
        for (std::size_t at = 0; (at = flash.find("|  99 |", at)) != std::string::npos; ++at)
            flash.replace(at, 7, "|  0 |");
        flash.replace(flash.find("| ngl |"), 7, "| fa |");
        const auto without = import(flash, "bench.txt", four);
        QVERIFY(without && without->runs.front().inference.flashAttention == FlashAttention::Off);
        QVERIFY(same->runs.front().inference.flashAttention == FlashAttention::On);
        four.model = {"qwen3-32b", {}};
        const auto other = import(table, "bench.txt", four);
        QVERIFY(other && other->warnings.front().code == "wrong-model");
    }

    void sglangMayWriteInfinity()
    {
        // moc reads no raw literal with an escaped quote in it.
        const std::string line =
            "{\"backend\": \"sglang\", \"request_rate\": Infinity, \"max_concurrency\": 32, \"duration\": 30.1, "
            "\"completed\": 100, \"total_input_tokens\": 102400, \"total_output_tokens\": 25600, "
            "\"total_output_tokens_retokenized\": 25590, \"output_throughput\": 850.5, \"mean_ttft_ms\": 850.8, "
            "\"mean_tpot_ms\": 20.5, \"note\": \"Infinity \\\" NaN\", \"accept_length\": NaN}";
        const auto reading = import(line + "\n" + line + "\n", "sglang_1201.jsonl", servingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("SGLang benchmark result"));
        QCOMPARE(reading->runs.size(), std::size_t(2));
        const Scenario& run = reading->runs.front();
        QCOMPARE(*run.measured.tpotS, 0.0205);
        QCOMPARE(run.inference.batch, std::int64_t(32));
        QCOMPARE(run.inference.promptTokens, std::int64_t(1024));
        QVERIFY(run.source.find("SGLang") != std::string::npos);
        const std::string measured = line.substr(0, line.size() - 1) + ", \"concurrency\": 27.6}\n";
        const auto mean = import(measured + line, "sglang.jsonl", servingBase());
        QVERIFY2(mean.has_value(), mean ? "" : toText(mean.error().front()).c_str());
        QCOMPARE(mean->runs.front().inference.batch, std::int64_t(28));
        QCOMPARE(mean->runs.back().inference.batch, std::int64_t(32));
    }

    void sglangPrintsItsLimitInOtherWords()
    {
        const auto batchOf = [](const std::string& text) {
            const auto reading = import(text, "sg.txt", servingBase());
            if (!reading)
                return std::int64_t(-1);
            for (const Diagnostic& warning : reading->warnings)
                if (warning.code == "batch-assumed")
                    return std::int64_t(0);
            return reading->runs.front().inference.batch;
        };
        const std::string mean = "Concurrency:                             15.90\n";
        QCOMPARE(batchOf(sglangTable("inf", "Max request concurrency: 32\n" + mean)), std::int64_t(16));
        QCOMPARE(batchOf(sglangTable("inf", "Max request concurrency: 32\n")), std::int64_t(32));
        QCOMPARE(batchOf(sglangTable("inf", "Maximum request concurrency: 32\n")), std::int64_t(32));
        QCOMPARE(batchOf(sglangTable("inf", "Max request concurrency: not set\n")), std::int64_t(0));
        QCOMPARE(batchOf(sglangTable("2.0", "Max request concurrency: 32\n" + mean)), std::int64_t(16));
        // 2 a second, each 0.3 s and 255 times 30 ms: Little's law.
        QCOMPARE(batchOf(sglangTable("2.0", "Mean ITL (ms): 30.00\n")), std::int64_t(16));
        QCOMPARE(batchOf(sglangTable("2.0", "")), std::int64_t(0));
        const auto reading = import(sglangTable("2.0", "Mean ITL (ms): 30.00\n" + mean), "sg.txt", servingBase());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        QCOMPARE(reading->format, std::string("SGLang benchmark result"));
        QCOMPARE(reading->runs.front().source, std::string("own measurement: SGLang benchmark sg.txt"));
        QCOMPARE(*reading->runs.front().measured.tpotS, 0.03);
    }
};
HEADROOM_TEST(TestLogImportOthers)

} // namespace headroom::test_log_import_others
#include "test_log_import_others.moc"
