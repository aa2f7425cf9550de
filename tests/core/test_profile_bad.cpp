// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of files that are no profile, or a broken one.
#include "core/profile/profile_reading.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_trace.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_profile_bad
{

using namespace profile;
using test::SampleTrace;

namespace
{

constexpr const char* gemm = "ampere_bf16_s16816gemm_bf16_128x256";

} // namespace

class TestProfileBad : public QObject
{
    Q_OBJECT
private slots:
    void badFilesAreRefusedWithTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        SampleTrace sample;
        sample.kernel(gemm, 0, 10).kernel(gemm, 20, 10);
        const QByteArray good = QByteArray::fromStdString(sample.text());
        const std::string gz = test::readFile(test::sourcePath("tests/facts/traces/hta_mi250_minitoy.json.gz"));
        QByteArray zipped = QByteArray::fromStdString(gz);
        QTest::newRow("nothing") << QByteArray() << "empty" << 0;
        QTest::newRow("prose") << QByteArray("hello\n") << "unknown-profile" << 0;
        QTest::newRow("another JSON") << QByteArray(R"({"format": "headroom-scenario"})") << "unknown-profile" << 0;
        QTest::newRow("cut") << good.left(good.size() - 60) << "syntax" << 3;
        QTest::newRow("broken") << QByteArray(good).replace("\"dur\"", "dur") << "syntax" << 2;
        QTest::newRow("NaN") << QByteArray(good).replace("20.000", "NaN") << "not-a-number" << 3;
        QTest::newRow("time beyond all") << QByteArray(good).replace("20.000", "1e40") << "out-of-range" << 3;
        QTest::newRow("deep") << QByteArray(R"({"traceEvents": [)") + QByteArray(200, '[') << "too-deep" << 1;
        QTest::newRow("no events") << QByteArray(R"({"traceEvents": []})") << "no-events" << 0;
        QTest::newRow("no GPU")
            << QByteArray(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 2}]})")
            << "no-gpu-events" << 0;
        QTest::newRow("cut gzip") << zipped.left(zipped.size() / 2) << "broken-gzip" << 559;
        zipped[zipped.size() / 2] = char(zipped[zipped.size() / 2] ^ 0x55);
        QTest::newRow("broken gzip") << zipped << "*" << -1;
    }
    void badFilesAreRefusedWithTheirPlace()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, code);
        QFETCH(const int, line);
        const auto reading = readProfile(bytes.toStdString(), "a.json");
        QVERIFY(!reading);
        const Diagnostic& problem = reading.error().front();
        if (code != QLatin1String("*"))
            QCOMPARE(QString::fromStdString(problem.code), code);
        if (line >= 0)
            QCOMPARE(problem.line, line);
        QCOMPARE(problem.file, std::string("a.json"));
        QVERIFY(!problem.message.empty());
    }

    void aReadingCanBeStopped()
    {
        ProfileOptions options;
        options.progress = [](double) { return false; };
        const auto reading = readProfiles({test::sourcePath("tests/facts/traces/hta_mi250_minitoy.json.gz")}, options);
        QVERIFY(!reading);
        QCOMPARE(reading.error().front().code, std::string("cancelled"));
        QVERIFY(!readProfiles({"no/such/file.json"}));
        QCOMPARE(readProfiles({"no/such/file.json"}).error().front().code, std::string("unreadable"));
    }
};
HEADROOM_TEST(TestProfileBad)

} // namespace headroom::test_profile_bad
#include "test_profile_bad.moc"
