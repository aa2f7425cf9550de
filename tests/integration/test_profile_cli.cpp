// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli import-profile: from a trace to parts beside the prediction, and into the scenario.
#include "tests/support/cli_process.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_trace.hpp"
#include "tests/support/support.hpp"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

namespace headroom::test_profile_cli
{

using nlohmann::json;

class TestProfileCli : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const char* name, const std::string& text)
    {
        return test::writtenFile(m_folder.filePath(QString::fromLatin1(name)), QByteArray::fromStdString(text));
    }
    QString trace()
    {
        test::SampleTrace trace;
        for (int step = 0; step < 3; ++step)
            trace.gpuStep(step, step * 1000.0, 950)
                .kernel("nvjet_hsh_128x256", step * 1000.0, 600)
                .kernel("ncclDevKernel_AllGather_RING_LL", step * 1000.0 + 500, 300)
                .kernel("my_kernel", step * 1000.0 + 850, 100);
        return write("trace.json", trace.text());
    }
    QString scenario()
    {
        return write("job.headroom", R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware":
            {"accelerator": "h100-sxm-80gb", "count": 8}, "workload": {"task": "training", "sequence_length": 8192}})");
    }

private slots:
    void aTraceSaysWhereItsTimeWent()
    {
        const test::Outcome text = test::runCli({QStringLiteral("import-profile"), trace()});
        QVERIFY2(text.status == 0, text.err.constData());
        QVERIFY(text.out.contains("all-gather, exposed") && text.out.contains("my_kernel"));
        QVERIFY(text.err.contains("one rank cannot tell"));
        const test::Outcome asJson = test::runCli(
            {QStringLiteral("import-profile"), QStringLiteral("--format"), QStringLiteral("json"), trace()});
        const auto device = json::parse(asJson.out.toStdString())["devices"][0];
        QCOMPARE(device["steps"].size(), std::size_t(3));
        QVERIFY(std::abs(device["step"]["span_s"].get<double>() - 1e-3) < 1e-9);
        QVERIFY(std::abs(device["step"]["exposed_communication_s"].get<double>() - 200e-6) < 1e-9);
        QVERIFY(std::abs(device["step"]["idle_s"].get<double>() - 100e-6) < 1e-9);
    }

    void itStandsBesideThePredictionAndInTheScenario()
    {
        const QString out = m_folder.filePath(QStringLiteral("with.headroom"));
        const test::Outcome beside =
            test::runCli({QStringLiteral("import-profile"), trace(), QStringLiteral("--scenario"), scenario(),
                          QStringLiteral("-o"), out});
        QVERIFY2(beside.status == 0, beside.err.constData());
        QVERIFY(beside.out.contains("Beside the prediction"));
        const auto written = json::parse(test::readFile(out.toStdString()));
        QVERIFY(std::abs(written["measured"]["profile"]["all_gather_s"].get<double>() - 200e-6) < 1e-9);
        QVERIFY(written.dump().find("my_kernel") == std::string::npos); // whose kernels they are is nobody's business
        QCOMPARE(test::runCli({QStringLiteral("evaluate"), out}).status, 0);
        QCOMPARE(test::runCli({QStringLiteral("validate"), out}).status, 0);
    }

    void namesAreKeptWhereTheyAreAskedFor()
    {
        const QString out = m_folder.filePath(QStringLiteral("named.headroom"));
        const auto kernels = [&](const QString& option) {
            const test::Outcome outcome =
                test::runCli({QStringLiteral("import-profile"), option, trace(), QStringLiteral("--scenario"),
                              scenario(), QStringLiteral("-o"), out});
            if (outcome.status != 0)
                qWarning("%s", outcome.err.constData());
            return json::parse(test::readFile(out.toStdString()))["profile_kernels"];
        };
        const auto unknown = kernels(QStringLiteral("--keep-kernel-names"));
        QCOMPARE(unknown.size(), std::size_t(1));
        QVERIFY(unknown[0]["name"] == "my_kernel" && unknown[0]["class"] == "other" && unknown[0]["count"] == 1);
        QCOMPARE(kernels(QStringLiteral("--keep-kernel-names=all")).size(), std::size_t(3));
        QCOMPARE(test::runCli({QStringLiteral("evaluate"), out}).status, 0);
        const test::Outcome word =
            test::runCli({QStringLiteral("import-profile"), QStringLiteral("--keep-kernel-names=some"), trace()});
        QVERIFY(word.status == 2 && word.err.contains("unrecognised and all"));
        const test::Outcome nowhere =
            test::runCli({QStringLiteral("import-profile"), QStringLiteral("--keep-kernel-names"), trace()});
        QVERIFY(nowhere.status == 2 && nowhere.err.contains("needs --output"));
    }

    void ownRulesNameOwnKernels()
    {
        const QString rules = write("mine.json", R"({"format": "headroom-profile-rules", "version": 1, "rules": [
            {"class": "norm", "begins": ["my_"]}]})");
        const test::Outcome outcome =
            test::runCli({QStringLiteral("import-profile"), trace(), QStringLiteral("--rules"), rules});
        QVERIFY(outcome.out.contains("norms") && !outcome.out.contains("my_kernel"));
        const test::Outcome bad =
            test::runCli({QStringLiteral("import-profile"), trace(), QStringLiteral("--rules"), trace()});
        QVERIFY(bad.status == 1 && bad.err.contains("trace.json"));
    }

    void whatCannotBeIsRefused()
    {
        const QString none =
            write("none.json", R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1, "dur": 1}]})");
        const test::Outcome noGpu = test::runCli({QStringLiteral("import-profile"), none});
        QVERIFY(noGpu.status == 1 && noGpu.err.contains("no GPU events") &&
                noGpu.err.contains("ProfilerActivity.CUDA"));
        const test::Outcome step =
            test::runCli({QStringLiteral("import-profile"), trace(), QStringLiteral("--step"), QStringLiteral("7")});
        QVERIFY(step.status == 1 && step.err.contains("it holds 0, 1, 2"));
        QCOMPARE(test::runCli({QStringLiteral("import-profile"), trace(), QStringLiteral("-o"), none}).status, 2);
        const std::string line = R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", )"
                                 R"("hardware": {"accelerator": "h100-sxm-80gb", "count": 8}, )"
                                 R"("workload": {"task": "training"}})";
        const test::Outcome two = test::runCli({QStringLiteral("import-profile"), trace(), QStringLiteral("--scenario"),
                                                write("two.jsonl", line + '\n' + line)});
        QVERIFY(two.status == 1 && two.err.contains("holds more than one scenario"));
        const test::Outcome cut =
            test::runCli({QStringLiteral("import-profile"), write("cut.json", "{\"traceEvents\": [\n{\"ph\": \"X\"")});
        QVERIFY(cut.status == 1 && cut.err.contains("cut.json:2") && cut.err.contains("cut off"));
    }
};
HEADROOM_TEST(TestProfileCli)

} // namespace headroom::test_profile_cli
#include "test_profile_cli.moc"
