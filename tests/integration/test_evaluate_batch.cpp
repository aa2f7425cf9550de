// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli evaluate over many scenarios: several threads print what one prints, in order; figures that are named.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

namespace headroom::test_evaluate_batch
{
namespace
{

using namespace Qt::StringLiterals;
using test::Outcome;

QByteArray scenario(int number, int microBatch)
{
    return QByteArray(R"({"format": "headroom-scenario", "version": 1, "name": "n)") + QByteArray::number(number) +
           R"(", "model": "llama-3-8b", "hardware": {"accelerator": "h100-sxm-80gb", "count": 8}, "workload": )" +
           R"({"task": "training", "micro_batch": )" + QByteArray::number(microBatch) + "}}";
}

/// Several pieces of work; every hundredth is refused, every thousandth is broken.
QByteArray manyScenarios()
{
    QByteArray lines;
    for (int i = 0; i < 3000; ++i) {
        const QByteArray one = scenario(i, i % 100 == 99 ? 0 : 1 + i % 7);
        lines += (i % 1000 == 500 ? one.left(40) : one) + '\n';
    }
    return lines;
}

QJsonObject object(const QByteArray& json)
{
    return QJsonDocument::fromJson(json).object();
}

} // namespace

class TestEvaluateBatch : public QObject
{
    Q_OBJECT
private slots:
    void threadsPrintWhatOnePrints_data()
    {
        QTest::addColumn<QStringList>("options");
        for (const QString& format : {u"jsonl"_s, u"json"_s, u"csv"_s, u"text"_s}) {
            QTest::addRow("%s", qPrintable(format)) << QStringList{u"--format"_s, format};
            QTest::addRow("%s, figures", qPrintable(format))
                << QStringList{u"--format"_s, format, u"--metric"_s, u"mfu"_s, u"--metric"_s, u"tpot_s"_s};
        }
    }
    void threadsPrintWhatOnePrints()
    {
        QFETCH(QStringList, options);
        const QByteArray input = manyScenarios();
        const auto with = [&](const QString& threads) {
            return test::runCli(QStringList{u"evaluate"_s, u"-"_s, u"--threads"_s, threads} + options, input);
        };
        const Outcome one = with(u"1"_s), four = with(u"4"_s);
        QCOMPARE(one.status, 1);
        QCOMPARE(four.status, 1);
        QVERIFY(!one.out.isEmpty());
        QVERIFY(one.out == four.out); // QCOMPARE would print megabytes
        QVERIFY(one.err == four.err);
        QCOMPARE(one.err.count(":100: /workload/micro_batch"), 1); // messages know their line
    }

    void linesComeInOrder()
    {
        const Outcome outcome =
            test::runCli({u"evaluate"_s, u"-"_s, u"--format"_s, u"jsonl"_s, u"--threads"_s, u"4"_s}, manyScenarios());
        const auto lines = outcome.lines();
        QCOMPARE(lines.size(), 3000);
        for (int i = 0; i < 3000; ++i) {
            const QJsonObject result = object(lines[i]);
            if (i % 1000 != 500)
                QCOMPARE(result[u"name"_s].toString(), u"n"_s + QString::number(i));
            QCOMPARE(result.contains(u"error"_s), i % 100 == 99 || i % 1000 == 500);
        }
    }

    /// Files before and behind many scenarios, and one that is not there between them.
    void filesKeepTheirPlaces()
    {
        const QTemporaryDir folder;
        const auto file = [&folder](const QString& name, const QByteArray& text) {
            QFile out(folder.filePath(name));
            return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
        };
        const Outcome outcome =
            test::runCli({u"evaluate"_s, file(u"a.headroom"_s, scenario(-1, 1)), file(u"many.jsonl"_s, manyScenarios()),
                          folder.filePath(u"missing.headroom"_s), file(u"b.headroom"_s, scenario(-2, 1)), u"--format"_s,
                          u"jsonl"_s, u"--threads"_s, u"3"_s});
        const auto lines = outcome.lines();
        QCOMPARE(lines.size(), 3003);
        QCOMPARE(object(lines[0])[u"name"_s].toString(), u"n-1"_s);
        QCOMPARE(object(lines[1])[u"name"_s].toString(), u"n0"_s);
        QCOMPARE(object(lines[3001])[u"error"_s][u"code"_s].toString(), u"unreadable"_s);
        QCOMPARE(object(lines[3002])[u"name"_s].toString(), u"n-2"_s);
    }

    void figuresThatAreNamed()
    {
        const auto with = [](const QString& format) {
            return test::runCli({u"evaluate"_s, u"-"_s, u"--format"_s, format, u"--metric"_s, u"mfu"_s, u"--metric"_s,
                                 u"tpot_s"_s, u"--metric"_s, u"memory.used_bytes"_s},
                                scenario(1, 2) + '\n' + scenario(2, 0) + '\n');
        };
        const QJsonObject whole =
            object(test::runCli({u"evaluate"_s, u"-"_s, u"--format"_s, u"jsonl"_s}, scenario(1, 2)).out);
        const auto lines = with(u"jsonl"_s).lines();
        QCOMPARE(lines.size(), 2);
        const QJsonObject figures = object(lines[0]);
        QCOMPARE(figures.keys(), (QStringList{u"fits"_s, u"memory.used_bytes"_s, u"mfu"_s, u"name"_s, u"tpot_s"_s}));
        QCOMPARE(figures[u"mfu"_s], whole[u"mfu"_s]);
        QCOMPARE(figures[u"memory.used_bytes"_s], whole[u"memory"_s][u"used_bytes"_s]);
        QVERIFY(figures[u"tpot_s"_s].isNull()); // of inference
        QCOMPARE(object(lines[1])[u"error"_s][u"path"_s].toString(), u"/workload/micro_batch"_s);
        QCOMPARE(QJsonDocument::fromJson(with(u"json"_s).out).array().at(0).toObject(), figures);

        const auto rows = with(u"csv"_s).lines();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0].trimmed(), QByteArray("name,mfu,tpot_s,memory.used_bytes,fits,error"));
        QVERIFY2(rows[1].startsWith("n1,0.") && rows[1].contains(",,"), rows[1].constData());
        QVERIFY2(rows[2].startsWith("n2,,,,,") && rows[2].contains("micro_batch"), rows[2].constData());
        const Outcome text = with(u"text"_s);
        QCOMPARE(text.lines().size(), 1);
        QVERIFY2(text.out.startsWith("n1: MFU ") && text.out.contains("; Memory"), text.out.constData());
    }

    void aFigureThatIsNotKnownIsRefused()
    {
        const Outcome outcome = test::runCli({u"evaluate"_s, u"-"_s, u"--metric"_s, u"mfuu"_s}, scenario(1, 1));
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains("'mfuu' is not known") && outcome.err.contains("'mfu'"), outcome.err.constData());
        QCOMPARE(test::runCli({u"evaluate"_s, u"-"_s, u"--threads"_s, u"0"_s}, scenario(1, 1)).status, 2);
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestEvaluateBatch)

} // namespace headroom::test_evaluate_batch
#include "test_evaluate_batch.moc"
