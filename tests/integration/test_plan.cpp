// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli plan as a user meets it: the real program, its table, its files, its messages, its exit status.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/types.h>
#endif

namespace headroom::test_plan
{
namespace
{

using namespace Qt::StringLiterals;
using test::Outcome;

constexpr const char* serving = R"({"format": "headroom-scenario", "version": 1, "model": "llama-2-70b",
    "hardware": {"accelerator": "h100-sxm-80gb", "count": 2, "price_per_gpu_hour": 3},
    "workload": {"task": "inference", "requests_per_s": 10, "latency_targets": {"ttft_s": 1, "tpot_s": 0.03}}})";

Outcome runPlan(QStringList arguments, const QByteArray& scenario = serving)
{
    arguments.prepend(u"-"_s);
    arguments.prepend(u"plan"_s);
    return test::runCli(arguments, scenario);
}

} // namespace

class TestPlan : public QObject
{
    Q_OBJECT
private slots:
    void jsonHasTheAnswerAndTheReasons()
    {
        const Outcome o = runPlan({u"--lock"_s, u"weights=bf16"_s, u"--top"_s, u"7"_s, u"--format"_s, u"json"_s});
        QCOMPARE(o.status, 0);
        const QJsonObject plan = QJsonDocument::fromJson(o.out).object();
        const QJsonArray ranked = plan["ranked"_L1].toArray();
        QCOMPARE(ranked.size(), 7);
        double cost = 0;
        for (const QJsonValue& option : ranked) {
            const QJsonObject result = option["evaluation"_L1].toObject();
            QVERIFY(result["fits"_L1].toBool());
            QVERIFY(result["tpot_s"_L1].toDouble() <= 0.03);
            QVERIFY(result["queue"_L1]["utilization"_L1].toDouble() < 1);
            QCOMPARE(option["workload"_L1]["weights"_L1].toString(), u"bf16"_s);
            QVERIFY(option["objectives"_L1]["cost"_L1].toDouble() >= cost);
            cost = option["objectives"_L1]["cost"_L1].toDouble();
        }
        QVERIFY(!plan["rejected"_L1].toArray().isEmpty());
        QVERIFY(plan["rejected"_L1][0]["reason"_L1].toString().contains(u" fails: "));
        const QJsonObject counts = plan["counts"_L1].toObject();
        QVERIFY(counts["configurations"_L1].toInt() > 40); // under a load each layout once
    }

    /// What an answer warns of is beside it: TensorRT-LLM was proposed on AMD's GPUs, and nothing said so.
    void theFirstSaysWhatToKnowOfIt()
    {
        QByteArray scenario(serving);
        scenario.replace("\"requests_per_s\": 10", "\"requests_per_s\": 10, \"software\": \"trt-llm\"");
        scenario.replace("\"ttft_s\": 1, \"tpot_s\": 0.03", "\"ttft_s\": 100, \"tpot_s\": 1");
        scenario.replace("\"requests_per_s\": 10", "\"requests_per_s\": 0.1");
        const Outcome amd = runPlan({u"--accelerator"_s, u"mi300x"_s, u"--gpus"_s, u"2"_s}, scenario);
        QCOMPARE(amd.status, 0);
        QVERIFY2(amd.out.contains("Of the first: This engine runs on NVIDIA's GPUs alone"), amd.out.constData());
        QVERIFY(!runPlan({u"--gpus"_s, u"2"_s}, scenario).out.contains("NVIDIA's GPUs alone"));
    }

    /// What the file has saved is asked as the window asks it; an option takes its place.
    void theSavedQuestionIsAsked()
    {
        QByteArray saved(serving);
        saved.chop(1);
        saved += R"(, "plan": {"most_gpus": 24, "objective": "gpus", "users": 300, "think_s": 20,
            "accelerators": [{"id": "a100-sxm-80gb", "price_per_gpu_hour": 1.5}], "slow_end": true}})";
        // By options alone the other accelerator has the catalogue's price, which nothing here is ranked by.
        const Outcome asked = runPlan({u"--format"_s, u"csv"_s}, saved);
        const Outcome flags = runPlan({u"--format"_s, u"csv"_s, u"--gpus"_s, u"1..24"_s, u"--objective"_s, u"gpus"_s,
                                       u"--users"_s, u"300"_s, u"--think-time"_s, u"20"_s, u"--slow-end"_s,
                                       u"--accelerator"_s, u"h100-sxm-80gb,a100-sxm-80gb"_s});
        QCOMPARE(asked.status, 0);
        QCOMPARE(flags.status, 0);
        const Outcome told = runPlan({}, saved);
        QVERIFY2(told.out.contains("Price of the A100 SXM4 80GB: $1.50 an hour (US dollars), from the file's question"),
                 told.out.constData());
        const auto layouts = [](const QByteArray& csv) {
            QByteArrayList rows;
            for (const QByteArray& line : csv.split('\n'))
                rows << line.split('"').value(0) + line.split('"').value(1);
            return rows;
        };
        QVERIFY(asked.out.count('\n') > 2);
        QCOMPARE(layouts(asked.out), layouts(flags.out));
        const Outcome other = runPlan(
            {u"--format"_s, u"json"_s, u"--users"_s, u"3000"_s, u"--objective"_s, u"cost"_s, u"--gpus"_s, u"1..256"_s},
            saved);
        const QJsonObject first = QJsonDocument::fromJson(other.out).object()["ranked"_L1][0].toObject();
        const QJsonObject before =
            QJsonDocument::fromJson(runPlan({u"--format"_s, u"json"_s}, saved).out).object()["ranked"_L1][0].toObject();
        QVERIFY(first["count"_L1].toInt() > 5 * before["count"_L1].toInt());
    }

#ifdef Q_OS_UNIX
    /// Ctrl+C: what was found is printed, and how much was not tried.
    void anInterruptedSearchSaysWhatItHasNotSeen()
    {
        const QByteArray large = R"({"format": "headroom-scenario", "version": 1, "model": "gpt-3-175b",
            "hardware": {"accelerator": "h100-sxm-80gb", "price_per_gpu_hour": 3},
            "workload": {"task": "training", "global_batch": 4096, "training_tokens": 1e12}})";
        QProcess process;
        process.start(test::commandLineProgram(),
                      {u"plan"_s, u"-"_s, u"--gpus"_s, u"64..65536"_s, u"--threads"_s, u"1"_s, u"--free"_s,
                       u"precision"_s, u"--free"_s, u"offload"_s, u"--free"_s, u"gradients"_s, u"--free"_s,
                       u"chunked_loss"_s, u"--growth"_s, u"1,2"_s, u"--format"_s, u"json"_s});
        QVERIFY(process.waitForStarted());
        process.write(large);
        process.closeWriteChannel();
        QVERIFY2(!process.waitForFinished(1000), "a search that takes long is needed here");
        QCOMPARE(::kill(pid_t(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        const QJsonObject plan = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        QVERIFY(plan["cancelled"_L1].toBool());
        QVERIFY(plan["counts"_L1]["unseen"_L1].toDouble() > 0);
        const QString notes = QString::fromUtf8(QJsonDocument(plan["notes"_L1].toArray()).toJson());
        QVERIFY2(notes.contains(u"were not tried"_s) && notes.contains(u"1×, 2× were not searched"_s),
                 qPrintable(notes));
    }
#endif

    void csvHasOneRowAnOption()
    {
        const Outcome o = runPlan({u"--top"_s, u"3"_s, u"--format"_s, u"csv"_s, u"--objective"_s, u"gpus"_s});
        QCOMPARE(o.status, 0);
        const QList<QByteArray> lines = o.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("rank,gpus,accelerator,layout,cost_per_hour,"));
        QVERIFY(lines[1].startsWith("1,"));
    }

    void formatsStayUnlessFreed()
    {
        const QStringList json{u"--format"_s, u"json"_s, u"--top"_s, u"50"_s};
        const auto formats = [](const Outcome& o) {
            QSet<QString> all;
            const QJsonArray ranked = QJsonDocument::fromJson(o.out).object()["ranked"_L1].toArray();
            for (const QJsonValue& option : ranked)
                all << option["workload"_L1]["weights"_L1].toString()
                    << option["workload"_L1]["kv_cache"_L1].toString();
            return all;
        };
        QCOMPARE(formats(runPlan(json)), QSet<QString>{u"bf16"_s});
        const QSet<QString> freed =
            formats(runPlan(json + QStringList{u"--free"_s, u"precision"_s, u"--free"_s, u"kv_cache"_s}));
        QVERIFY(freed.contains(u"fp8"_s) || freed.contains(u"int4"_s));
    }

    void growthFollowsTheLoad()
    {
        const Outcome o = runPlan({u"--growth"_s, u"1,10"_s, u"--format"_s, u"json"_s});
        QCOMPARE(o.status, 0);
        const QJsonArray growth = QJsonDocument::fromJson(o.out).object()["growth"_L1].toArray();
        QCOMPARE(growth.size(), 2);
        const auto count = [&growth](int i) { return growth[i]["option"_L1]["count"_L1].toInt(); };
        QVERIFY(count(0) > 0 && count(1) > 3 * count(0));
        const Outcome csv = runPlan({u"--growth"_s, u"1,1e6"_s, u"--format"_s, u"csv"_s});
        const QList<QByteArray> lines = csv.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[2].contains("replicas of this kind would be needed"), csv.out.constData());
    }

    void usersAreALoad()
    {
        const auto load = [](QStringList extra) {
            const Outcome o = runPlan(extra + QStringList{u"--format"_s, u"json"_s, u"--top"_s, u"1"_s});
            const QJsonObject best = QJsonDocument::fromJson(o.out).object()["ranked"_L1][0].toObject();
            return best["evaluation"_L1]["requests_per_s"_L1].toDouble();
        };
        // With an hour of thinking between requests, 3600 people send one a second, whatever the latency.
        const double calm = load({u"--users"_s, u"3600"_s, u"--think-time"_s, u"3600"_s});
        QVERIFY2(calm > 0.95 && calm < 1.05, qPrintable(QString::number(calm)));
        const Outcome training =
            runPlan({u"--users"_s, u"5"_s},
                    QByteArray(serving)
                        .replace("inference", "training")
                        .replace(R"(, "requests_per_s": 10, "latency_targets": {"ttft_s": 1, "tpot_s": 0.03})", ""));
        QCOMPARE(training.status, 2);
    }

    void textSaysWhatWasDecided()
    {
        const Outcome o = runPlan({u"--accelerator"_s, u"h100-sxm-80gb,a100-sxm-80gb"_s, u"--gpus"_s, u"1..16"_s});
        QCOMPARE(o.status, 0);
        QVERIFY2(o.out.contains("Optimised for cost"), o.out.constData());
        QVERIFY2(o.out.contains("Price of the A100 SXM4 80GB"), o.out.constData());
        QVERIFY2(!o.out.contains("Price of the H100"), "that price is the scenario's own");
    }

    void limitsAndLocksHold()
    {
        const QStringList json{u"--format"_s, u"json"_s};
        const Outcome dear = runPlan(QStringList{u"--max-cost-per-hour"_s, u"2"_s} + json);
        QCOMPARE(dear.status, 0);
        QVERIFY(QJsonDocument::fromJson(dear.out)["ranked"_L1].toArray().isEmpty());
        const Outcome held = runPlan(QStringList{u"--lock"_s, u"tensor=4"_s, u"--lock"_s, u"pipeline"_s} + json);
        const QJsonArray ranked = QJsonDocument::fromJson(held.out)["ranked"_L1].toArray();
        QVERIFY(!ranked.isEmpty());
        for (const QJsonValue& option : ranked) {
            QCOMPARE(option["parallelism"_L1]["tensor"_L1].toInt(), 4);
            QCOMPARE(option["parallelism"_L1]["pipeline"_L1].toInt(), 1);
        }
        // Replicas that follow from the count are locked as many as they are.
        QByteArray six = serving;
        six.replace("\"count\": 2", "\"count\": 6");
        six.replace("}}}", "}}, \"parallelism\": {\"tensor\": 2}}");
        const Outcome replicas = runPlan(QStringList{u"--lock"_s, u"replicas"_s} + json, six);
        const QJsonArray all = QJsonDocument::fromJson(replicas.out)["ranked"_L1].toArray();
        QVERIFY2(!all.isEmpty(), replicas.err.constData());
        for (const QJsonValue& option : all)
            QCOMPARE(option["parallelism"_L1]["replicas"_L1].toInt(), 3);
    }

    /// A range ends with its last number, which no doubling may reach: "1..12" looked at no more than 8.
    void aRangeHasItsEnd()
    {
        const QStringList json{u"--format"_s, u"json"_s, u"--top"_s, u"1"_s};
        const auto gpus = [&](const QString& counts, const QByteArray& scenario) {
            const Outcome o = runPlan(QStringList{u"--gpus"_s, counts} + json, scenario);
            return QJsonDocument::fromJson(o.out)["ranked"_L1][0]["count"_L1].toInt();
        };
        QByteArray busy(serving);
        busy.replace(R"("requests_per_s": 10)", R"("requests_per_s": 14)");
        const int least = gpus(u"1..64"_s, busy);
        QVERIFY2(least > 4 && least % 8 != 0, qPrintable(QString::number(least)));
        QCOMPARE(gpus(u"1..%1"_s.arg(least), busy), least);
        QCOMPARE(gpus(u"%1..%2"_s.arg(least - 1).arg(least + 1), busy), least);
        // Whole nodes: a list and a step are as they stand.
        QVERIFY(least > 8 && least < 16);
        for (const QString& nodes : {u"8,16,24"_s, u"8..64:+8"_s})
            QCOMPARE(gpus(nodes, busy), 16);
        QByteArray training(serving);
        training.replace(R"("inference", "requests_per_s": 10, "latency_targets": {"ttft_s": 1, "tpot_s": 0.03})",
                         R"("training", "global_batch": 96)");
        const Outcome o = runPlan(QStringList{u"--gpus"_s, u"32..96"_s, u"--objective"_s, u"time"_s} + json, training);
        QCOMPARE(QJsonDocument::fromJson(o.out)["ranked"_L1][0]["count"_L1].toInt(), 96); // the fastest
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("dimension") << QStringList{u"--lock"_s, u"tensr"_s} << QByteArray("tensor");
        QTest::newRow("value") << QStringList{u"--lock"_s, u"tensor=many"_s} << QByteArray("tensor");
        QTest::newRow("two values") << QStringList{u"--lock"_s, u"tensor=1,2"_s} << QByteArray("one value");
        QTest::newRow("counts") << QStringList{u"--gpus"_s, u"0..8"_s} << QByteArray("--gpus");
        QTest::newRow("too many") << QStringList{u"--gpus"_s, u"1..10000:+1"_s} << QByteArray("4096");
        QTest::newRow("accelerator") << QStringList{u"--accelerator"_s, u"h1000"_s} << QByteArray("catalogue");
        QTest::newRow("objective") << QStringList{u"--objective"_s, u"fame"_s} << QByteArray("--objective");
        for (const QString& users : {u"0"_s, u"nan"_s, u"inf"_s, u"many"_s})
            QTest::addRow("users %s", qPrintable(users))
                << QStringList{u"--users"_s, users} << QByteArray("--users: must be a number above 0");
        QTest::newRow("thought") << QStringList{u"--think-time"_s, u"-1"_s}
                                 << QByteArray("--think-time: must be a number from 0 to 1000000, not -1");
        QTest::newRow("money") << QStringList{u"--max-cost-per-hour"_s, u"-1"_s} << QByteArray("--max-cost-per-hour");
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const Outcome o = runPlan(arguments);
        QCOMPARE(o.status, 2);
        QVERIFY2(o.err.contains(says), o.err.constData());
        QVERIFY(o.out.isEmpty());
    }

    void absurdWishesAreAnsweredAtOnce()
    {
        QElapsedTimer clock;
        clock.start();
        QByteArray nobody = serving;
        nobody.replace(R"("requests_per_s": 10)", R"("requests_per_s": 0)");
        const Outcome zero = runPlan({}, nobody);
        QCOMPARE(zero.status, 1);
        QVERIFY2(zero.err.contains("/workload/requests_per_s"), zero.err.constData());
        const Outcome million = runPlan({u"--gpus"_s, u"1000000"_s});
        QCOMPARE(million.status, 0);
        QVERIFY2(million.out.contains("1000000"), million.out.constData());
        const Outcome alone = runPlan({u"--gpus"_s, u"1"_s, u"--accelerator"_s, u"a10"_s, u"--objective"_s, u"gpus"_s});
        QCOMPARE(alone.status, 0);
        QVERIFY2(alone.out.contains("1 × A10 fails: "), alone.out.constData());
        QByteArray training = serving;
        training.replace(R"("inference", "requests_per_s": 10, "latency_targets": {"ttft_s": 1, "tpot_s": 0.03})",
                         R"("training", "training_tokens": 1e13)");
        const Outcome second = runPlan({u"--deadline-days"_s, u"0.0000116"_s, u"--gpus"_s, u"1..1000000"_s}, training);
        QCOMPARE(second.status, 0);
        QVERIFY2(second.out.contains("the deadline is 1.00"), second.out.constData());
        QVERIFY2(clock.elapsed() < 60'000 * test::timesSlower,
                 "four answers: seconds when idle, a minute on a loaded machine");
    }

    void aDeadlineNeedsTokens()
    {
        QByteArray training = serving;
        training.replace(R"("inference", "requests_per_s": 10, "latency_targets": {"ttft_s": 1, "tpot_s": 0.03})",
                         R"("training")");
        const Outcome o = runPlan({u"--deadline-days"_s, u"30"_s}, training);
        QCOMPARE(o.status, 1);
        QVERIFY2(o.err.contains("/workload/training_tokens"), o.err.constData());
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestPlan)

} // namespace headroom::test_plan
#include "test_plan.moc"
