// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of logs that cannot be read, and that no text breaks the import.
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_logs.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <cstring>

namespace headroom::test_log_import_bad
{

using namespace test;

class TestLogImportBad : public QObject
{
    Q_OBJECT
private slots:
    void badLogsAreRefusedWithTheirLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("serving");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        const auto row = [](const char* name, const std::string& text, const char* file, bool serving, const char* code,
                            int line) {
            QTest::newRow(name) << QString::fromStdString(text) << QString::fromLatin1(file) << serving
                                << QString::fromLatin1(code) << line;
        };
        row("nothing", "", "a.log", false, "unknown-log", 0);
        row("prose", "hello\n", "a.log", false, "unknown-log", 0);
        row("other task", torchtitan(3), "a.log", true, "wrong-task", 0);
        row("serving result in training", vllm, "a.txt", false, "wrong-task", 0);
        row("cut torchtitan line", torchtitan(3) + "step: 4 tps:", "a.log", false, "not-a-number", 5);
        row("bad megatron time", " | elapsed time per iteration (ms): nan |\n", "a.log", false, "not-a-number", 1);
        row("cut vLLM line", "== Serving Benchmark Result ==\nMean TPOT (ms):   \n", "a.txt", true, "not-a-number", 2);
        row("empty vLLM result", "\n== Serving Benchmark Result ==\n", "a.txt", true, "nothing-measured", 2);
        row("heading within a colour", "\x1b Serving Benchmark Result", "a.txt", true, "no-runs", 0);
        row("all requests failed", "== Serving Benchmark Result ==\nMean TPOT (ms): 0.00\n", "a.txt", true,
            "out-of-range", 1);
        row("bad JSON", "{\n\"mean_tpot_ms\": }", "a.json", true, "syntax", 2);
        row("unknown column", "micro_bach,step_time_s\n1,2\n", "a.csv", false, "unknown-column", 1);
        row("another's last key", "batch,step_time_s\n8,2\n", "a.csv", false, "unknown-column", 1);
        row("too few cells", "micro_batch,step_time_s\n1\n", "a.csv", false, "wrong-count", 2);
        row("no number", "micro_batch,step_time_s\n1,2\n1,fast\n", "a.csv", false, "not-a-number", 3);
        row("negative", "step_time_s\n-1\n", "a.csv", false, "out-of-range", 2);
        row("size of serving", "prompt_tokens,tpot_ms\n512,9\n", "a.csv", false, "wrong-task", 1);
        row("size of training", "micro_batch,step_time_s\n1,9\n", "a.csv", true, "wrong-task", 1);
        row("figure of serving", "tpot_ms,batch\n9,8\n", "a.csv", false, "wrong-task", 1);
        row("zero", "micro_batch,step_time_s\n1,2\n1,0\n", "a.csv", false, "out-of-range", 3);
        row("semicolons", "\nmicro_batch;step_time_s\n1;2,5\n", "a.csv", false, "separator", 2);
        row("tabs", "micro_batch\tstep_time_s\n1\t2.5\n", "a.csv", false, "separator", 1);
        row("one column twice", "micro_batch,step_time_s,step_time_s\n1,2,3\n", "a.csv", false, "duplicate-column", 1);
        row("one figure in two units", "step_time_ms,step_time_s\n2000,2\n", "a.csv", false, "duplicate-column", 1);
        row("UTF-16", std::string("\xff\xfes\0t\0e\0p\0", 10), "a.csv", false, "not-utf8", 1);
        row("infinite", "step_time_s\ninf\n", "a.csv", false, "not-a-number", 2);
        row("no such model", "model,step_time_s\nllama-9,2\n", "a.csv", false, "unknown-model", 2);
        row("nothing measured", "micro_batch\n4\n", "a.csv", false, "nothing-measured", 2);
        row("open quote", "name,step_time_s\n\"a,2\n", "a.csv", false, "open-quote", 2);
        row("header only", "step_time_s\n", "a.csv", false, "no-runs", 0);
        row("kernels", "kernel,dtype,seconds\ncopy,,1e-5\n", "mine.kernels.csv", false, "kernels", 1);
        row("run without a measurement", writeScenarioLine(servingBase()) + "\n", "a.jsonl", false, "nothing-measured",
            1);
        row("broken run line", "\n{\"format\": \"headroom-scenario\"}\n", "a.jsonl", false, "*", 2);
        row("no run lines", "\n\n", "a.jsonl", false, "no-runs", 0);
        std::string many = "step_time_s\n";
        for (int run = 0; run < 10'001; ++run)
            many += "1\n";
        row("too many runs", many, "a.csv", false, "too-many-runs", 10'002);
        const auto changed = [](std::string text, const char* from, const char* to) {
            return text.replace(text.find(from), std::strlen(from), to);
        };
        row("tokens beyond whole numbers", changed(vllm, "51200", "1e300"), "a.txt", true, "out-of-range", 0);
        row("concurrency beyond whole numbers", changed(vllm, " 16 ", " 1e30 "), "a.txt", true, "out-of-range", 0);
        row("rate beyond a scenario", changed(torchtitan(1), "500", "1e300"), "a.log", false, "out-of-range", 0);
        row("memory beyond doubles", changed(torchtitan(1), "40.00", "1e308"), "a.log", false, "out-of-range", 0);
        row("does not divide", "tensor,step_time_s\n3,2\n", "a.csv", false, "*", 2);
    }
    void badLogsAreRefusedWithTheirLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, file);
        QFETCH(bool, serving);
        QFETCH(QString, code);
        QFETCH(int, line);
        const auto reading =
            import(text.toStdString(), file.toLatin1().constData(), serving ? servingBase() : trainingBase());
        QVERIFY(!reading.has_value());
        const Diagnostic& error = reading.error().front();
        if (code != QLatin1String("*"))
            QCOMPARE(QString::fromStdString(error.code), code);
        QCOMPARE(error.line, line);
        QCOMPARE(QString::fromStdString(error.file), file);
        QVERIFY(!error.message.empty());
    }

    void namesOfAnyBytesBecomeText()
    {
        for (const auto& reading : {import("name,step_time_s\nr\xffn,2\n", "a.csv", trainingBase()),
                                    import("step_time_s\n2\n", "\xff.csv", trainingBase())}) {
            QVERIFY(reading.has_value());
            const auto back = readScenario(writeScenario(reading->runs.front()), Catalog::builtIn());
            QVERIFY2(back.has_value(), back ? "" : toText(back.error().front()).c_str());
            QCOMPARE(back->scenario.name, reading->runs.front().name);
        }
    }

    void noTextBreaksIt()
    {
        const auto held = rc::check("noise", [] {
            std::string text = *rc::gen::element(torchtitan(6), megatron(6, 64, 100), vllm,
                                                 std::string("count,step_time_s,precision\n8,1.5,fp8\n"));
            for (int i = 0; i < 4; ++i) {
                const auto at = std::size_t(*rc::gen::inRange(0, int(text.size())));
                if (*rc::gen::arbitrary<bool>())
                    text[at] = char(*rc::gen::inRange(1, 255));
                else
                    text.erase(at, std::size_t(*rc::gen::inRange(1, 40)));
            }
            for (const char* file : {"a.csv", "a.log"})
                for (const Scenario& base : {trainingBase(), servingBase()}) {
                    const auto reading = import(text, file, base);
                    const bool answered = reading ? !reading->runs.empty() : !reading.error().empty();
                    RC_ASSERT(answered);
                }
        });
        QVERIFY(held);
    }
};
HEADROOM_TEST(TestLogImportBad)

} // namespace headroom::test_log_import_bad
#include "test_log_import_bad.moc"
