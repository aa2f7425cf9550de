// SPDX-License-Identifier: GPL-3.0-or-later
// From a log to an efficiency object on the command line: import-log, validate, calibrate; explain's published run.
#include "tests/support/cli_process.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

namespace headroom::test_runs_cli
{

class TestRunsCli : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const char* name, const QByteArray& text)
    {
        return test::writtenFile(m_folder.filePath(QString::fromLatin1(name)), text);
    }

    QString scenario()
    {
        return write("job.headroom", "{\"format\": \"headroom-scenario\", \"version\": 1, \"model\": \"llama-3-8b\", "
                                     "\"hardware\": {\"accelerator\": \"a100-sxm-80gb\", \"count\": 64}, "
                                     "\"workload\": {\"task\": \"training\", \"sequence_length\": 8192, "
                                     "\"checkpointing\": \"selective_op\"}}");
    }

private slots:
    void aLogBecomesRunsAndMultipliers()
    {
        const QString log = write("train.log", "step: 1  loss: 9.1  memory: 40.00GiB(50%)  tps: 100\n"
                                               "step: 2  loss: 8.1  memory: 41.00GiB(51%)  tps: 2,400\n"
                                               "step: 3  loss: 7.1  memory: 41.00GiB(51%)  tps: 2,400\n");
        const test::Outcome import =
            test::runCli({QStringLiteral("import-log"), log, QStringLiteral("--scenario"), scenario()});
        QVERIFY2(import.status == 0, import.err.constData());
        const auto line = nlohmann::json::parse(import.out.toStdString());
        QCOMPARE(line["measured"]["tokens_per_s_per_gpu"].get<double>(), 2400.0);
        QCOMPARE(line["hardware"]["count"].get<int>(), 64);

        const QString runs = write("runs.jsonl", import.out);
        QCOMPARE(test::runCli({QStringLiteral("validate"), runs}).status, 0);
        const test::Outcome fit = test::runCli({QStringLiteral("calibrate"), runs});
        QVERIFY2(fit.status == 0, fit.err.constData());
        const auto object = nlohmann::json::parse(fit.out.toStdString());
        QVERIFY(object["matmul"].get<double>() < 1); // slower than the published 2973
        QVERIFY(fit.err.contains("compute"));

        // The object in the scenario meets the measurement.
        auto fitted = line;
        fitted["efficiency"] = object;
        const test::Outcome result =
            test::runCli({QStringLiteral("evaluate"), QStringLiteral("--format"), QStringLiteral("json"),
                          write("fitted.headroom", QByteArray::fromStdString(fitted.dump()))});
        const auto evaluation = nlohmann::json::parse(result.out.toStdString());
        QVERIFY(std::abs(evaluation["tokens_per_s_per_gpu"].get<double>() / 2400 - 1) < 0.002);

        // The same by option, from the file that calibrate writes.
        const QString file = m_folder.filePath(QStringLiteral("own.json"));
        QCOMPARE(test::runCli({QStringLiteral("calibrate"), runs, QStringLiteral("--output"), file}).status, 0);
        const test::Outcome option = test::runCli({QStringLiteral("evaluate"), QStringLiteral("--format"),
                                                   QStringLiteral("json"), runs, QStringLiteral("--efficiency"), file});
        QVERIFY2(option.status == 0, option.err.constData());
        const auto same = nlohmann::json::parse(option.out.toStdString());
        QCOMPARE(same["tokens_per_s_per_gpu"].get<double>(), evaluation["tokens_per_s_per_gpu"].get<double>());
        const test::Outcome wrong = test::runCli({QStringLiteral("evaluate"), runs, QStringLiteral("--efficiency"),
                                                  write("bad.json", "{\"matmull\": 0.9}")});
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.err.contains("bad.json") && wrong.err.contains("'matmul'"), wrong.err.constData());
        QVERIFY2(!wrong.err.contains("/efficiency"), wrong.err.constData()); // the file has no such key
        // The file's text stood in a scenario of its own, and could write more than one value there.
        const test::Outcome more = test::runCli({QStringLiteral("evaluate"), runs, QStringLiteral("--efficiency"),
                                                 write("more.json", "{\"matmul\": 0.5}, \"name\": \"injected\"")});
        QCOMPARE(more.status, 1);
        QVERIFY2(more.err.contains("more.json:1"), more.err.constData());
    }

    void whatIsNoLogIsNamedAndTheOthersAreRead()
    {
        const QString scenario = write("base.headroom", R"({"format":"headroom-scenario","version":1,
            "model":"llama-3-8b","hardware":{"accelerator":"h100-sxm-80gb","count":8},
            "workload":{"task":"training"}})");
        const QString table = write("good.csv", "step_time_s\n1.5\n");
        const test::Outcome import = test::runCli(
            {QStringLiteral("import-log"), m_folder.path(), table, QStringLiteral("--scenario"), scenario});
        QCOMPARE(import.status, 1);
        const QByteArray said = m_folder.path().toUtf8() + QByteArray(": the file cannot be read");
        QVERIFY2(import.err.contains(said), import.err.constData());
        QVERIFY2(import.out.contains("1.5"), import.out.constData());
        const QString large = write("large.log", QByteArray((64 << 20) + 1, ' '));
        const test::Outcome refused =
            test::runCli({QStringLiteral("import-log"), large, QStringLiteral("--scenario"), scenario});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("64 MiB") && refused.err.contains("some hundred steps"), refused.err.constData());
    }

    /// docs/trust.md: each reader stops at its limit and says so.
    void aSecondFileThatIsTooLargeIsRefusedForItsSize()
    {
        const QString runs = write("some.jsonl", "{}\n");
        const QString large = write("large.json", "{}" + QByteArray(4 << 20, ' '));
        const QStringList calls[] = {
            {QStringLiteral("evaluate"), runs, QStringLiteral("--efficiency"), large},
            {QStringLiteral("calibrate"), QStringLiteral("--builtin"), runs, QStringLiteral("--calibration"), large},
            {QStringLiteral("validate"), runs, QStringLiteral("--budgets"), large}};
        for (const QStringList& call : calls) {
            const test::Outcome refused = test::runCli(call);
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.err.contains("large.json: the file is larger than 4 MiB"), refused.err.constData());
        }
    }

    void budgetsThatAreNoneAreRefusedWhereTheyAreWrong()
    {
        const QString runs = write("some.jsonl", "{}\n");
        for (const auto& [text, said] :
             {std::pair("{\n3", "broken.json:2"), std::pair("[1]", "must be an object"),
              std::pair("{\"groups\": {}}", "/groups"), std::pair("{\"groups\": [\n1]}", "broken.json:2"),
              std::pair("{\"groups\": [{\"by\": \"all\", \"group\": 1}]}", "/groups/0/group"),
              std::pair("{\"intervals\": [{\"reason\": \"r\", \"groups\": [2]}]}", "/intervals/0/groups")}) {
            const test::Outcome broken = test::runCli(
                {QStringLiteral("validate"), runs, QStringLiteral("--budgets"), write("broken.json", text)});
            QCOMPARE(broken.status, 1);
            QVERIFY2(broken.err.contains(said), broken.err.constData());
        }
    }

    void aBadLogSaysItsLine()
    {
        const QString log = write("bad.csv", "micro_batch,step_time_s\n1,2.5\n2,fast\n");
        const test::Outcome import =
            test::runCli({QStringLiteral("import-log"), log, QStringLiteral("--scenario"), scenario()});
        QCOMPARE(import.status, 1);
        QVERIFY(import.out.isEmpty());
        QVERIFY2(import.err.contains("bad.csv:3:"), import.err.constData());
        QCOMPARE(test::runCli({QStringLiteral("import-log"), log}).status, 2); // no scenario
    }

    void linesOfRunsNeedNoScenario()
    {
        const QByteArray run = "{\"format\": \"headroom-scenario\", \"version\": 1, \"name\": \"mine\", \"model\": "
                               "\"llama-3-8b\", \"hardware\": {\"accelerator\": \"a100-sxm-80gb\"}, \"workload\": "
                               "{\"task\": \"training\"}, \"measured\": {\"step_time_s\": 2.5}}\n";
        const test::Outcome lines = test::runCli({QStringLiteral("import-log"), write("mine.jsonl", run)});
        QVERIFY2(lines.status == 0 && lines.out.contains("\"step_time_s\":2.5"), lines.err.constData());
        const test::Outcome log = test::runCli({QStringLiteral("import-log"), write("a.csv", "step_time_s\n3\n")});
        QCOMPARE(log.status, 2);
        QVERIFY2(log.err.contains("--scenario") && log.err.contains("a.csv"), log.err.constData());
    }

    void validateTellsEachRunAndRefusesNone()
    {
        const QByteArray run = "{\"format\": \"headroom-scenario\", \"version\": 1, \"name\": \"mine-1\", \"source\": "
                               "\"me\", \"model\": \"llama-3-8b\", \"hardware\": {\"accelerator\": "
                               "\"a100-sxm-80gb\", \"count\": 8}, \"workload\": {\"task\": \"training\"}, "
                               "\"measured\": {\"step_time_s\": 2.5}}\n";
        const test::Outcome one = test::runCli({QStringLiteral("validate"), write("one.jsonl", run)});
        QCOMPARE(one.status, 0);
        QVERIFY2(one.out.contains("\nmine-1 ") && one.out.contains("\nsource       mine "), one.out.constData());
        for (const QByteArray& nothing : {QByteArray(), QByteArray(run).replace("2.5", "0")}) {
            const test::Outcome none = test::runCli({QStringLiteral("validate"), write("none.jsonl", nothing)});
            QCOMPARE(none.status, 1);
            QVERIFY(none.out.isEmpty());
            QVERIFY2(none.err.contains("no run to compare with"), none.err.constData());
        }
    }

    void whatCannotBeWrittenIsSaidAndHarmsNothing()
    {
        const QByteArray run =
            test::runCli({QStringLiteral("import-log"), write("one.csv", "micro_batch,step_time_s\n1,3\n"),
                          QStringLiteral("--scenario"), scenario()})
                .out;
        const QString runs = write("own.jsonl", run), folder = m_folder.filePath(QStringLiteral("out"));
        const QString file = test::writtenFile(folder + QStringLiteral("/old.json"), "old");
        const auto fit = [&](const QString& to) {
            return test::runCli({QStringLiteral("calibrate"), runs, QStringLiteral("--output"), to});
        };
        const auto check = [&](const test::Outcome& outcome) {
            QCOMPARE(outcome.status, 1);
            QVERIFY2(outcome.err.contains(QByteArray(file.toLocal8Bit() + ": could not be written: ")),
                     outcome.err.constData());
            QCOMPARE(QByteArray::fromStdString(test::readFile(file.toStdString())), QByteArray("old"));
            QCOMPARE(QDir(folder).entryList(QDir::Files | QDir::Hidden), QStringList(QStringLiteral("old.json")));
        };
        test::Outcome outcome;
        {
            const test::FullDisk full;
            outcome = fit(file);
        }
        check(outcome);
        {
            const test::ReadOnlyFolder denied(folder);
            outcome = fit(file);
        }
        check(outcome);
        QCOMPARE(fit(file + QStringLiteral("/inside.json")).status, 1);
        QCOMPARE(fit(QStringLiteral("/dev/null")).status, 0);
        QVERIFY(!QFileInfo(QStringLiteral("/dev/null")).isFile()); // still what it was
        QCOMPARE(fit(file).status, 0);
        QVERIFY(QFileInfo(file).size() > 3);
        const QString link = m_folder.filePath(QStringLiteral("link.json"));
        QVERIFY(QFile::link(file, link));
        QCOMPARE(fit(link).status, 0);
        QVERIFY(QFileInfo(link).isSymLink());
    }

    void nothingMeasuredCannotBeFitted()
    {
        const test::Outcome fit = test::runCli({QStringLiteral("calibrate"), scenario()});
        QCOMPARE(fit.status, 1);
        QVERIFY(fit.out.isEmpty());
        QVERIFY(!fit.err.isEmpty());
    }

    void explainNamesTheNearestPublishedRun()
    {
        const test::Outcome explain = test::runCli({QStringLiteral("explain"), scenario()});
        QCOMPARE(explain.status, 0);
        QVERIFY2(explain.out.contains("The nearest published run measured"), explain.out.constData());
        QVERIFY2(explain.out.contains("https://github.com/pytorch/torchtitan"), explain.out.constData());
    }

    /// A file that has moved on from its run predicts, says what was measured, and is validated as what was measured.
    void aRunIsItsOwnSettings()
    {
        auto run = nlohmann::json::parse(test::readFile(scenario().toStdString()));
        run["measured"] = {{"tokens_per_s_per_gpu", 2400}};
        run["source"] = "a test";
        auto moved = run;
        moved["measured_with"] = {
            {"model", run["model"]}, {"hardware", run["hardware"]}, {"workload", run["workload"]}};
        moved["workload"]["sequence_length"] = 4096;
        const auto path = [&](const char* name, const nlohmann::json& json) {
            return write(name, QByteArray::fromStdString(json.dump()));
        };
        const QString own = path("own.headroom", run), other = path("moved.headroom", moved);
        const auto evaluated = [](const QString& file, const char* format) {
            return test::runCli({QStringLiteral("evaluate"), QStringLiteral("--format"), QLatin1String(format), file});
        };
        QVERIFY(nlohmann::json::parse(evaluated(own, "json").out.toStdString())["observed"].is_object());
        QVERIFY(nlohmann::json::parse(evaluated(other, "json").out.toStdString())["observed"].is_null());
        const QByteArray text = evaluated(other, "text").out;
        const auto inJson = nlohmann::json::parse(evaluated(other, "json").out.toStdString());
        QVERIFY(inJson["other_measurement"].get<std::string>().starts_with("Measured with sequence length 8k: MFU "));
        QVERIFY(!nlohmann::json::parse(evaluated(own, "json").out.toStdString()).contains("other_measurement"));
        QVERIFY(evaluated(other, "csv").out.contains(",Measured with sequence length 8k: MFU "));
        QVERIFY(!evaluated(own, "csv").out.contains("Measured with"));
        QVERIFY2(text.contains("Note: Measured with sequence length 8k: MFU "), text.constData());
        const auto validated = [](const QString& file) {
            const test::Outcome result =
                test::runCli({QStringLiteral("validate"), QStringLiteral("--format"), QStringLiteral("json"), file});
            return nlohmann::json::parse(result.out.toStdString())["runs"];
        };
        QVERIFY(validated(own) == validated(other));
        // A sweep of the run observes it at its own value.
        const test::Outcome sweep =
            test::runCli({QStringLiteral("sweep"), own, QStringLiteral("--over"),
                          QStringLiteral("sequence_length=4096,8192"), QStringLiteral("--metric"),
                          QStringLiteral("observed.mfu"), QStringLiteral("--format"), QStringLiteral("csv")});
        QVERIFY2(sweep.out.contains("\n4096,,"), sweep.out.constData());
        QVERIFY2(sweep.out.contains("\n8192,0."), sweep.out.constData());
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestRunsCli)

} // namespace headroom::test_runs_cli
#include "test_runs_cli.moc"
