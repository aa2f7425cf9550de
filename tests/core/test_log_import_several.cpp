// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of several trainings, one after the other, and lines that would be taken for others.
#include "tests/support/program.hpp"
#include "tests/support/sample_logs.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_log_import_several
{

using namespace test;

namespace
{

std::string megatronArguments(int microBatch, int sequence)
{
    return fmt::format("  micro_batch_size ................................ {}\n"
                       "  seq_length ...................................... {}\n",
                       microBatch, sequence);
}

const Diagnostic* warningOf(const Expected<LogReading>& reading, std::string_view code)
{
    if (!reading)
        return nullptr;
    const auto found = std::ranges::find(reading->warnings, code, &Diagnostic::code);
    return found == reading->warnings.end() ? nullptr : &*found;
}

std::string why(const Expected<LogReading>& reading)
{
    return reading ? std::to_string(reading->runs.size()) + " runs" : toText(reading.error().front());
}

std::string trainerEnd(double samples, double steps)
{
    return fmt::format("{{'train_runtime': 100.0, 'train_samples_per_second': {}, 'train_steps_per_second': {}, "
                       "'train_loss': 1.0}}\n***** train metrics *****\n  train_samples_per_second = {:10}\n  "
                       "train_steps_per_second   = {:10}\n",
                       samples, steps, samples, steps);
}

std::string bar(int step, int total, int seconds)
{
    return fmt::format("  {}%|##    | {}/{} [{:02}:{:02}<10:00,  2.00s/it]\r", 100 * step / total, step, total,
                       seconds / 60, seconds % 60);
}

} // namespace

class TestLogImportSeveral : public QObject
{
    Q_OBJECT
private slots:
    /// An evaluation has no backward pass: its rate is three times that of a step.
    void validationIsNoTraining()
    {
        std::string text;
        for (int step = 1; step <= 12; ++step)
            text += fmt::format("step: {:2}  loss:  7.1  memory: 40.00GiB(50.00%)  tps: 2,904  tflops: 100.0  mfu: "
                                "32.05%\nvalidate step: {:2}  loss:  7.0  memory: 60.00GiB(70.00%)  tps: 8,900\n",
                                step, step);
        const auto reading = import(text, "job.log", trainingBase());
        QVERIFY2(reading && reading->runs.size() == 1, why(reading).c_str());
        QCOMPARE(*reading->runs.front().measured.tokensPerSPerGpu, 2904.0);
        QCOMPARE(*reading->runs.front().measured.peakMemoryBytes, 40.0 * 1024 * 1024 * 1024);
    }

    /// They were one: the times of the second with the sizes of the first.
    void eachTrainingIsARun()
    {
        const std::string first = megatronArguments(1, 2048) + megatron(12, 64, 2000),
                          second = megatronArguments(4, 8192) + megatron(12, 64, 9000);
        const auto both = import(first + second, "job.log", trainingBase());
        QVERIFY2(both && both->runs.size() == 2, why(both).c_str());
        QCOMPARE(*both->runs[0].measured.stepTimeS, 2.0);
        QCOMPARE(both->runs[0].training.sequenceLength, std::int64_t(2048));
        QCOMPARE(*both->runs[1].measured.stepTimeS, 9.0);
        QCOMPARE(both->runs[1].training.sequenceLength, std::int64_t(8192));
        QCOMPARE(both->runs[1].training.microBatch, std::int64_t(4));
        QVERIFY(both->runs[0].name != both->runs[1].name);
        // Three, of which the last two are alike, and lines of the whole file.
        const auto three = import(first + second + second, "job.log", trainingBase());
        QVERIFY2(three && three->runs.size() == 3, why(three).c_str());
        QCOMPARE(three->warnings.back().line, 2 * 14 + 2);
        const auto cut =
            import(first + megatron(3, 64, 2000) + " iteration 4/ 9 | elapsed time per iteration (ms): |\n", "job.log",
                   trainingBase());
        QVERIFY(!cut && cut.error().front().line == 14 + 3 + 1);
        // An attempt that came to no step leaves nothing to the next.
        const auto attempt = import(megatronArguments(8, 8192) + "out of memory\n" + first, "job.log", trainingBase());
        QVERIFY2(attempt && attempt->runs.size() == 1, why(attempt).c_str());
        QCOMPARE(attempt->runs[0].training.sequenceLength, std::int64_t(2048));
        QCOMPARE(attempt->runs[0].training.microBatch, std::int64_t(1));
    }

    void eachProgramHasItsSteps()
    {
        std::string maxText, nemo;
        for (const double seconds : {13.360, 6.680})
            for (int step = 0; step < 12; ++step) {
                maxText += fmt::format("completed step: {}, seconds: {}, loss: 10.5\n", step, seconds);
                nemo += fmt::format("Training epoch 0, iteration {}/99 | global_batch_size: 64 | train_step_timing in "
                                    "s: {} | consumed_samples: 64\n",
                                    step, seconds);
            }
        for (const std::string& text : {maxText, nemo}) {
            const auto reading = import(text, "job.log", trainingBase());
            QVERIFY2(reading && reading->runs.size() == 2, why(reading).c_str());
            QCOMPARE(*reading->runs[0].measured.stepTimeS, 13.360);
            QCOMPARE(*reading->runs[1].measured.stepTimeS, 6.680);
        }
        const auto titan = import(torchtitan(20) + torchtitan(20), "job.log", trainingBase());
        QVERIFY2(titan && titan->runs.size() == 2, why(titan).c_str());
        // The epochs of one training are one training, and so are ranks that print a line apart.
        std::string epochs, ranks;
        for (int step = 0; step < 24; ++step)
            epochs += fmt::format("Training epoch {}, iteration {}/11 | global_batch_size: 64 | train_step_timing in "
                                  "s: 6.3\n",
                                  step / 12, step % 12);
        for (int step = 2; step < 24; ++step)
            for (const int rank : {0, 1})
                ranks += fmt::format("[rank{}]: step: {}  tps: 2,904\n", rank, step - rank);
        for (const std::string& text : {epochs, ranks}) {
            const auto one = import(text, "job.log", trainingBase());
            QVERIFY2(one && one->runs.size() == 1, why(one).c_str());
        }
    }

    void theTrainerSaysWhatItDividesBy()
    {
        // Resumed: 500 steps of the job over the 100 s of this process, which did 50 of 2 s.
        std::string bars = bar(0, 500, 0);
        for (int step = 451; step <= 500; ++step)
            bars += bar(step, 500, 2 * (step - 450));
        const auto timed = import(bars + "\n" + trainerEnd(80, 5), "job.log", trainingBase());
        QVERIFY2(timed && timed->runs.size() == 1, why(timed).c_str());
        QCOMPARE(*timed->runs[0].measured.stepTimeS, 2.0);
        QCOMPARE(*timed->runs[0].training.globalBatch, std::int64_t(16));
        const auto bare = import(trainerEnd(80, 5), "job.log", trainingBase());
        QCOMPARE(*bare->runs[0].measured.stepTimeS, 0.2);
        const Diagnostic* whole = warningOf(bare, "whole-run");
        QVERIFY(whole && whole->hint.find("resumed or stopped early") != std::string::npos);
        // Two trainings: each has its own bar.
        const auto two = import(bars + "\n" + trainerEnd(80, 5) + trainerEnd(32, 2), "job.log", trainingBase());
        QVERIFY2(two && two->runs.size() == 2, why(two).c_str());
        QCOMPARE(*two->runs[0].measured.stepTimeS, 2.0);
        QCOMPARE(*two->runs[1].measured.stepTimeS, 0.5);
    }

    void failedRequestsAreSaid()
    {
        std::string text = vllm;
        const std::string line = "Maximum request concurrency:";
        text.insert(text.find(line), "Failed requests:                         40        \n");
        QVERIFY(warningOf(import(text, "bench.txt", servingBase()), "requests-failed"));
        QVERIFY(!warningOf(import(vllm, "bench.txt", servingBase()), "requests-failed"));
        text.replace(text.find(" 40 "), 4, "  1 ");
        QVERIFY(!warningOf(import(text, "bench.txt", servingBase()), "requests-failed"));
    }

    /// "11017,0" was read as 110170.
    void aDecimalCommaIsNoThousands()
    {
        const auto line = [](const char* milliseconds) {
            return fmt::format(" iteration 3/ 9 | elapsed time per iteration (ms): {} | loss: 1 |\n", milliseconds);
        };
        for (const auto& [text, seconds] :
             {std::pair("11017.5", 11.0175), std::pair("11,017.5", 11.0175), std::pair("1,211,017", 1211.017),
              std::pair("1.5E+03,", 1.5), std::pair("900,", 0.9)}) {
            const auto reading = import(line(text), "a.log", trainingBase());
            QVERIFY2(reading.has_value(), text);
            QCOMPARE(*reading->runs.front().measured.stepTimeS, seconds);
        }
        for (const char* text : {"11017,0", "11017,000", "11,01", "11,0170", "0,123", "1,5,3"}) {
            const auto reading = import("\n" + line(text), "a.log", trainingBase());
            QVERIFY2(!reading && reading.error().front().code == "not-a-number", text);
            QCOMPARE(reading.error().front().line, 2);
        }
        const auto compact = import("{\"train_steps_per_second\":0.5,\"epoch\":1.0}\n", "a.log", trainingBase());
        QVERIFY2(compact && *compact->runs.front().measured.stepTimeS == 2, why(compact).c_str());
    }

    void unitsOfAHeadingAreHeeded()
    {
        const auto csv = [](const char* unit, double first, double next) {
            return fmt::format("Metric,avg,min\nTime To First Token ({}),{},1\nInter Token Latency ({}),{},1\n", unit,
                               first, unit, next);
        };
        const auto json = [](const char* unit, double first, double next) {
            return fmt::format(R"({{"time_to_first_token": {{"unit": "{}", "avg": {}}}, "inter_token_latency": )"
                               R"({{"unit": "{}", "avg": {}}}}})",
                               unit, first, unit, next);
        };
        for (const char* unit : {"s", "second", "seconds"})
            for (const std::string& text : {csv(unit, 0.25, 0.0125), json(unit, 0.25, 0.0125)}) {
                const auto reading = import(text, "a.json", servingBase());
                QVERIFY2(reading.has_value(), why(reading).c_str());
                QVERIFY(std::abs(*reading->runs.front().measured.ttftS - 0.25) < 1e-12);
                QVERIFY(std::abs(*reading->runs.front().measured.tpotS - 0.0125) < 1e-12);
            }
        QCOMPARE(*import(csv("ms", 250, 12.5), "a.csv", servingBase())->runs.front().measured.ttftS, 0.25);
        for (const std::string& text : {csv("furlongs", 1, 1), json("furlongs", 1, 1)})
            QCOMPARE(import(text, "a.json", servingBase()).error().front().code, std::string("unknown-unit"));
    }
};
HEADROOM_TEST(TestLogImportSeveral)

} // namespace headroom::test_log_import_several
#include "test_log_import_several.moc"
