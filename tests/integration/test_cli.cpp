// SPDX-License-Identifier: GPL-3.0-or-later
// The command line as a user meets it: the real program, its output, its messages, its exit status.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace headroom::test_cli
{
namespace
{

using namespace Qt::StringLiterals;
using test::finish;
using test::Outcome;

QByteArray scenario(const QByteArray& name, const QByteArray& workload = R"("task": "training")")
{
    QByteArray text = R"({"format": "headroom-scenario", "version": 1, "name": "@name", "model": "llama-3-8b",)"
                      R"( "hardware": {"accelerator": "h100-sxm-80gb", "count": 8}, "workload": {@workload}})";
    return text.replace("@name", name).replace("@workload", workload);
}

QJsonObject object(const QByteArray& json)
{
    return QJsonDocument::fromJson(json).object();
}

} // namespace

class TestCli : public QObject
{
    Q_OBJECT
private slots:
    void helpAndVersion()
    {
        const Outcome help = test::runCli({u"--help"_s});
        QCOMPARE(help.status, 0);
        for (const char* name : {"evaluate", "sweep", "explain", "models", "accelerators"})
            QVERIFY2(help.out.contains(name), name);
        const Outcome version = test::runCli({u"--version"_s});
        QCOMPARE(version.status, 0);
        QCOMPARE(version.out, QByteArray("headroom-cli " HEADROOM_VERSION "\n"));
        QCOMPARE(test::runCli({u"evaluate"_s, u"--help"_s}).status, 0);
    }

    void theManualNamesWhatAnOptionTakes()
    {
        const Outcome manual = test::runCli({u"manual"_s, u"markdown"_s});
        QCOMPARE(manual.status, 0);
        for (const char* term : {"`--hold NAME`", "`--task TASK`", "`--calibration FILE`", "`-o, --output FILE`",
                                 "`--keep-kernel-names[=unrecognised]`"})
            QVERIFY2(manual.out.contains(term), term);
        QVERIFY(!manual.out.contains('{'));
    }

    void wrongUsageIsTwo()
    {
        for (const QStringList& arguments :
             {QStringList{},
              {u"evalute"_s},
              {u"evaluate"_s},
              {u"evaluate"_s, u"-"_s, u"--format"_s, u"xml"_s},
              {u"evaluate"_s, u"-"_s, u"--nothing"_s},
              {u"explain"_s, file("a", scenario("a")), u"--metric"_s, u"mfuu"_s},
              {u"sweep"_s, file("a", scenario("a"))},
              {u"sweep"_s, file("a", scenario("a")), u"--over"_s, u"bacth=1"_s},
              {u"sweep"_s, file("a", scenario("a")), u"--over"_s, u"micro_batch=many"_s}}) {
            const Outcome outcome = test::runCli(arguments);
            QVERIFY2(outcome.status == 2, qPrintable(arguments.join(u' ')));
            QVERIFY(outcome.out.isEmpty());
            QVERIFY(!outcome.err.isEmpty());
        }
    }

    void oneScenarioIsAnObjectSeveralAnArray()
    {
        const QString first = file("first", scenario("first")), second = file("second", scenario("second"));
        const Outcome one = test::runCli({u"evaluate"_s, first, u"--format"_s, u"json"_s});
        QCOMPARE(one.status, 0);
        QCOMPARE(one.err, QByteArray());
        const QJsonObject result = object(one.out);
        QCOMPARE(result[u"name"_s].toString(), u"first"_s);
        QVERIFY(result[u"mfu"_s].toDouble() > 0);
        QVERIFY(result.contains(u"tpot_s"_s) && result[u"tpot_s"_s].isNull());
        const Outcome two = test::runCli({u"evaluate"_s, second, first, u"--format"_s, u"json"_s});
        const QJsonArray results = QJsonDocument::fromJson(two.out).array();
        QCOMPARE(results.size(), 2);
        QCOMPARE(results[0][u"name"_s].toString(), u"second"_s);
    }

    void textNamesTheFigures()
    {
        const Outcome outcome = test::runCli({u"evaluate"_s, file("a", scenario("my run"))});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.startsWith("my run\nLlama 3 8B on 8 × "));
        for (const char* figure : {"MFU", "Step time", "Memory of the fullest GPU", "matmul"})
            QVERIFY2(outcome.out.contains(figure), figure);
    }

    void whatDoesNotFitNamesWhatWould()
    {
        const QString large = file("large", scenario("large", R"("task": "training", "micro_batch": 512)"));
        const QByteArray heading = "What would fit\n  ";
        const Outcome evaluated = test::runCli({u"evaluate"_s, large});
        QCOMPARE(evaluated.status, 0);
        const qsizetype at = evaluated.out.indexOf(heading);
        QVERIFY2(at > 0, evaluated.out.constData());
        const QByteArray first = evaluated.out.sliced(at).split('\n')[1];
        QVERIFY2(test::runCli({u"explain"_s, large}).out.contains(QByteArray(heading + first.trimmed())),
                 first.constData());
        QVERIFY(!test::runCli({u"evaluate"_s, file("a", scenario("a"))}).out.contains(heading));
        const QByteArray refused = scenario("odd").replace("}}", R"(}, "parallelism": {"tensor": 3}})");
        QVERIFY(test::runCli({u"evaluate"_s, u"-"_s}, refused).err.contains("; for example tensor parallel 4"));
    }

    void aResultThatCannotBeWrittenIsNoSuccess()
    {
        if (!QFileInfo::exists(u"/dev/full"_s))
            QSKIP("this system has no /dev/full");
        for (const QString& format : {u"text"_s, u"csv"_s, u"json"_s}) {
            QProcess process;
            process.setStandardOutputFile(u"/dev/full"_s);
            process.start(test::commandLineProgram(), {u"evaluate"_s, u"-"_s, u"--format"_s, format});
            const Outcome outcome = test::finish(process, scenario("x"));
            QCOMPARE(outcome.status, 1);
            QVERIFY2(outcome.err.contains("could not be written"), outcome.err.constData());
        }
    }

    void aNameCannotSteerTheTerminal()
    {
        const QByteArray hostile = R"(a\u001b]0;x\u0007b\u009b2Jc\u007f)";
        const QByteArray key = '"' + hostile + "\": 1, \"workload\"";
        const QByteArrayList texts{scenario(hostile), QByteArray(scenario("x") + hostile),
                                   scenario("x").replace("\"workload\"", key)};
        for (const QByteArray& text : texts)
            for (const QString& format : {u"text"_s, u"csv"_s, u"json"_s}) {
                const Outcome outcome = test::runCli({u"evaluate"_s, u"-"_s, u"--format"_s, format}, text);
                for (const char* control : {"\x1b", "\x07", "\x7f", "\xc2\x9b"})
                    QVERIFY2(!outcome.out.contains(control) && !outcome.err.contains(control),
                             QByteArray(outcome.out + outcome.err).constData());
            }
    }

    void linesKeepTheirOrderAndTheirErrors()
    {
        const QByteArray input = scenario("a") + '\n' + scenario("b", R"("task": "training", "micro_batch": 0)") +
                                 "\n\n" + "{\"name\": \"c\", broken\n" + scenario("d", R"("task": "inference")") + '\n';
        for (const QString& source : {u"-"_s, file("runs", input, ".jsonl")}) {
            const Outcome outcome = test::runCli({u"evaluate"_s, source, u"--format"_s, u"jsonl"_s}, input);
            QCOMPARE(outcome.status, 1);
            const auto lines = outcome.lines();
            QCOMPARE(lines.size(), 4);
            QCOMPARE(object(lines[0])[u"name"_s].toString(), u"a"_s);
            const QJsonObject refused = object(lines[1]);
            QCOMPARE(refused[u"name"_s].toString(), u"b"_s);
            QCOMPARE(refused[u"error"_s][u"path"_s].toString(), u"/workload/micro_batch"_s);
            QCOMPARE(refused[u"error"_s][u"code"_s].toString(), u"out-of-range"_s);
            QVERIFY(object(lines[2])[u"name"_s].isNull());
            QCOMPARE(object(lines[2])[u"error"_s][u"code"_s].toString(), u"syntax"_s);
            QCOMPARE(object(lines[3])[u"name"_s].toString(), u"d"_s);
            QVERIFY(object(lines[3])[u"tpot_s"_s].toDouble() > 0);
            QVERIFY2(outcome.err.contains(":2: /workload/micro_batch: "), outcome.err.constData());
            QVERIFY2(outcome.err.contains(":4: "), outcome.err.constData());
        }
    }

    void standardInputTakesAnyLayout_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("results");
        QTest::addColumn<int>("status");
        const QByteArray wide = QJsonDocument(object(scenario("w"))).toJson(QJsonDocument::Indented);
        QTest::newRow("one line") << scenario("a") << 1 << 0;
        QTest::newRow("one document") << wide << 1 << 0;
        QTest::newRow("documents in a row") << wide + wide + wide << 3 << 0;
        QTest::newRow("documents on one line") << scenario("a") + scenario("b") << 2 << 0;
        QTest::newRow("with comments") << "// {\n/* \" */\n" + wide + "\n" + wide << 2 << 0;
        QTest::newRow("first line cut off") << scenario("a").left(50) + '\n' + scenario("b") + '\n' << 2 << 1;
        QTest::newRow("text behind") << wide + "\n]" << 2 << 1;
        QTest::newRow("Windows line ends") << scenario("a") + "\r\n" + scenario("b") + "\r\n" << 2 << 0;
        QTest::newRow("nothing") << QByteArray() << 1 << 1;
    }
    void standardInputTakesAnyLayout()
    {
        QFETCH(QByteArray, input);
        QFETCH(int, results);
        QFETCH(int, status);
        const Outcome outcome = test::runCli({u"evaluate"_s, u"-"_s, u"--format"_s, u"jsonl"_s}, input);
        QCOMPARE(outcome.status, status);
        QCOMPARE(int(outcome.lines().size()), results);
    }

    void refusedFilesDoNotStopTheOthers()
    {
        const QString missing = m_folder.filePath(u"missing.headroom"_s);
        const Outcome outcome =
            test::runCli({u"evaluate"_s, missing, file("a", scenario("a")), m_folder.path(), u"--format"_s, u"csv"_s});
        QCOMPARE(outcome.status, 1);
        const auto lines = outcome.lines();
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("name,model,"));
        QVERIFY(lines[2].startsWith("a,llama-3-8b,h100-sxm-80gb,8,training,"));
        QCOMPARE(int(outcome.err.count("cannot be read")), 2);
        const Outcome text = test::runCli({u"evaluate"_s, missing});
        QCOMPARE(text.status, 1);
        QVERIFY(text.out.isEmpty());
    }

    void badFilesAreRefusedWithOneMessage()
    {
        const QDir folder(QString::fromStdString(test::sourcePath("tests/core/bad_files")));
        const QStringList files = folder.entryList({u"*.headroom"_s});
        QVERIFY(files.size() >= 45);
        QStringList arguments{u"evaluate"_s, u"--format"_s, u"jsonl"_s};
        for (const QString& name : files)
            arguments += folder.filePath(name);
        const Outcome outcome = test::runCli(arguments);
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.lines().size(), files.size());
        QCOMPARE(outcome.err.count('\n'), files.size());
        for (const QByteArray& line : outcome.lines())
            QVERIFY2(object(line).contains(u"error"_s), line.constData());
    }

    void hugeInputTakesLittleMemory()
    {
        if (test::underAddressSanitizer)
            QSKIP("the sanitizer reserves more addresses than the limit allows");
        // A document of 200 MB, and JSON Lines with one such line between two good ones.
        QFile huge(m_folder.filePath(u"huge.headroom"_s)), lines(m_folder.filePath(u"huge.jsonl"_s));
        QVERIFY(huge.open(QIODevice::WriteOnly) && lines.open(QIODevice::WriteOnly));
        lines.write(scenario("a") + '\n');
        const QByteArray piece = "{\"name\": \"" + QByteArray(1 << 20, 'x');
        for (int i = 0; i < 200; ++i) {
            huge.write(piece);
            lines.write(piece);
        }
        lines.write('\n' + scenario("b") + '\n');
        huge.close();
        lines.close();
        const auto bounded = [](const QString& file) {
            QProcess process;
            // 160 MiB of addresses: less than the input.
            process.start(u"/bin/sh"_s, {u"-c"_s, u"ulimit -v 163840; exec \"$0\" evaluate \"$1\" --format jsonl"_s,
                                         test::commandLineProgram(), file});
            return finish(process, {});
        };
        const Outcome one = bounded(huge.fileName());
        QCOMPARE(one.status, 1);
        QCOMPARE(object(one.out)[u"error"_s][u"code"_s].toString(), u"too-large"_s);
        const Outcome three = bounded(lines.fileName());
        QCOMPARE(three.status, 1);
        QCOMPARE(three.lines().size(), 3);
        QCOMPARE(object(three.lines().at(1))[u"error"_s][u"code"_s].toString(), u"too-large"_s);
        QCOMPARE(object(three.lines().at(2))[u"name"_s].toString(), u"b"_s);
    }

    void sweepTabulates()
    {
        const QString source = file("s", scenario("s"));
        const Outcome json =
            test::runCli({u"sweep"_s, source, u"--over"_s, u"micro_batch=1..4:x2"_s, u"--over"_s,
                          u"parallelism.tensor=1,3"_s, u"--metric"_s, u"mfu"_s, u"--format"_s, u"json"_s});
        QCOMPARE(json.status, 0);
        const QJsonArray points = QJsonDocument::fromJson(json.out).array();
        QCOMPARE(points.size(), 6);
        QCOMPARE(points[2][u"micro_batch"_s].toInt(), 2);
        QVERIFY(points[2][u"mfu"_s].toDouble() > 0);
        QVERIFY(points[2][u"error"_s].isNull());
        QCOMPARE(points[3][u"parallelism.tensor"_s].toInt(), 3);
        QVERIFY(points[3][u"mfu"_s].isNull());
        QVERIFY(points[3][u"error"_s].toString().contains(u"/hardware/count"_s));
        const Outcome csv =
            test::runCli({u"sweep"_s, source, u"--over"_s, u"software=tuned,megatron"_s, u"--format"_s, u"csv"_s});
        QVERIFY(csv.out.startsWith("software,mfu,hfu,"));
        QVERIFY(csv.lines().at(2).startsWith("megatron,0."));
        const Outcome text = test::runCli({u"sweep"_s, source, u"--over"_s, u"micro_batch=1,2,4"_s});
        const QList<QByteArray> lines = text.lines();
        QVERIFY(lines.at(3).trimmed().startsWith("4"));
        QVERIFY2(lines.last().contains("memory-may-not-fit (1)"), text.out.constData()); // no room in the table
    }

    /// What is asked for and what is served are two figures; beyond the capacity a row says so.
    void sweepsOverALoadSayWhereItIsTooMuch()
    {
        const QString source =
            file("load", scenario("load", R"("task": "inference", "batch": 8, "requests_per_s": 1)"));
        const auto swept = [&source](const QString& format, const QStringList& rest) {
            return test::runCli(
                QStringList{u"sweep"_s, source, u"--over"_s, u"requests_per_s=1,1000"_s, u"--format"_s, format} + rest);
        };
        const Outcome json = swept(u"json"_s, {});
        QCOMPARE(json.status, 0);
        QCOMPARE(json.out.count("\"requests_per_s\":"), 2); // once a row
        const QJsonArray points = QJsonDocument::fromJson(json.out).array();
        QCOMPARE(points[1][u"requests_per_s"_s].toDouble(), 1000.0);
        QVERIFY(points[1][u"result.requests_per_s"_s].toDouble() < 1000);
        QVERIFY(!points[0][u"warnings"_s].toString().contains(u"load-beyond-capacity"_s));
        QVERIFY(points[1][u"warnings"_s].toString().contains(u"load-beyond-capacity"_s));
        const Outcome text = swept(u"text"_s, {u"--metric"_s, u"ttft_s"_s});
        QVERIFY(!text.lines().at(1).contains("load-beyond-capacity"));
        QVERIFY2(text.lines().at(2).contains("load-beyond-capacity"), text.out.constData());
        const Outcome narrow = test::runCli({u"sweep"_s, file("narrow", scenario("n", R"("task": "training")")),
                                             u"--over"_s, u"precision=bf16,fp4"_s, u"--metric"_s, u"mfu"_s});
        QVERIFY2(narrow.out.contains("precision-unavailable (1)"), narrow.out.constData()); // the H100 has no fp4
        const QString beyond = file("beyond", scenario("b", R"("task": "inference", "requests_per_s": 1000)"));
        for (const auto& figure : {u"ttft_s"_s, u"request_latency_s"_s}) {
            const QStringList asked{u"--metric"_s, figure};
            QVERIFY(test::runCli(QStringList{u"explain"_s, beyond} + asked).out.contains("wait has no bound"));
            QVERIFY(!test::runCli(QStringList{u"explain"_s, source} + asked).out.contains("wait has no bound"));
        }
    }

    /// A spreadsheet's column says of a training in phases what `sweep` and a comparison say.
    void fitsIsOfEveryPhase()
    {
        const QString source = file("phases", scenario("p", R"("task": "training", "phases": [{"tokens": 1e9}, )"
                                                            R"({"tokens": 1e9, "sequence_length": 131072}])"));
        const Outcome csv = test::runCli({u"evaluate"_s, source, u"--format"_s, u"csv"_s});
        QVERIFY2(csv.lines().at(1).startsWith("p,llama-3-8b,h100-sxm-80gb,8,training,false,"), csv.out.constData());
    }

    void aParameterIsSweptOnce()
    {
        const Outcome twice = test::runCli({u"sweep"_s, file("twice", scenario("s")), u"--over"_s, u"micro_batch=1,2"_s,
                                            u"--over"_s, u"micro_batch=4"_s});
        QCOMPARE(twice.status, 2);
        QVERIFY(twice.err.contains("swept twice"));
    }

    void explainDerives()
    {
        const QString source = file("e", scenario("e"));
        const Outcome mfu = test::runCli({u"explain"_s, source});
        QCOMPARE(mfu.status, 0);
        QVERIFY(mfu.out.contains("model FLOP ÷ (time × GPUs × peak)"));
        QVERIFY(mfu.out.contains("= standard")); // a choice by its name, not its index
        const Outcome memory = test::runCli({u"explain"_s, source, u"--metric"_s, u"memory.used_bytes"_s});
        QCOMPARE(memory.status, 0);
        QVERIFY(memory.out != mfu.out);
        const Outcome undefined = test::runCli({u"explain"_s, source, u"--metric"_s, u"tpot_s"_s});
        QVERIFY(undefined.out.contains("not defined"));
        QVERIFY(undefined.out.contains("for inference only")); // and why
        QCOMPARE(test::runCli({u"explain"_s, file("bad", "{}")}).status, 1);
    }

    void catalogueIsListed()
    {
        const Outcome models = test::runCli({u"models"_s, u"--format"_s, u"json"_s});
        QCOMPARE(models.status, 0);
        const QJsonArray all = QJsonDocument::fromJson(models.out).array();
        QVERIFY(all.size() > 200);
        const QJsonArray found =
            QJsonDocument::fromJson(test::runCli({u"models"_s, u"llama-3-8b"_s, u"--format"_s, u"json"_s}).out).array();
        QVERIFY(!found.isEmpty());
        QCOMPARE(found[0][u"id"_s].toString(), u"llama-3-8b"_s);
        QCOMPARE(found[0][u"parameters"_s][u"total"_s].toDouble(), 8030261248.0);
        const QJsonArray accelerators =
            QJsonDocument::fromJson(test::runCli({u"accelerators"_s, u"h100"_s, u"--format"_s, u"json"_s}).out).array();
        QVERIFY(accelerators.size() > 2);
        for (const auto& accelerator : accelerators)
            QVERIFY(accelerator.toObject().contains(u"peak_tflops"_s));
        QVERIFY(test::runCli({u"accelerators"_s, u"mi300x"_s}).out.contains("mi300x"));
        QVERIFY(test::runCli({u"models"_s, u"nothing-like-this"_s}).out.isEmpty());
    }

private:
    QString file(const char* name, const QByteArray& text, const char* extension = ".headroom")
    {
        QFile target(m_folder.filePath(QString::fromLatin1(name) + QString::fromLatin1(extension)));
        if (target.open(QIODevice::WriteOnly))
            target.write(text);
        return target.fileName();
    }

    QTemporaryDir m_folder;
};
HEADROOM_TEST_WITH(QCoreApplication, TestCli)

} // namespace headroom::test_cli
#include "test_cli.moc"
