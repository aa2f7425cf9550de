// SPDX-License-Identifier: GPL-3.0-or-later
// Nsight Systems: the SQLite export and the CSV of cuda_gpu_trace.
#include "core/profile/profile_reading.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QTemporaryDir>
#include <sqlite3.h>

namespace headroom::test_profile_nsys
{

using namespace profile;

namespace
{

/// The tables that an export has, as far as they are read (Nsight Systems user guide, SQLite schema).
constexpr const char* tables =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT);"
    "INSERT INTO StringIds VALUES (1, 'ampere_bf16_s16816gemm_bf16_128x256'), (2, "
    "'ncclDevKernel_AllReduce_Sum_bf16_RING_LL'),"
    " (3, 'cudaLaunchKernel_v7000'), (4, 'step 1'), (5, 'step 2');"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "streamId "
    "INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 61000, 0, 1, 7, 11, 16777216, 1, 1), (81000, 101000, 0, 1, "
    "7, 12, "
    "16777216, 2, 2), (101000, 161000, 0, 1, 7, 13, 16777216, 1, 1), (181000, 191000, 0, 1, 7, 14, 16777216, 2, 2);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
    "correlationId "
    "INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (191000, 196000, 0, 7, 15, 16777216, 4096, 1);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, "
    "nameId "
    "INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (500, 900, 16777217, 11, 3), (70000, 75000, 16777217, 12, 3), "
    "(76000, "
    "78000, 16777217, 13, 3), (79000, 80000, 16777217, 14, 3), (1000, 2000, 33554433, 12, 3);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId "
    "INTEGER);"
    "INSERT INTO NVTX_EVENTS VALUES (0, 75500, 59, NULL, 16777217, 4), (75500, 200000, 59, 'step 2', 16777217, NULL),"
    " (10, 20, 59, 'forward', 16777217, NULL);"
    "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100-SXM4-80GB');";

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-12;
}

} // namespace

class TestProfileNsys : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string database(const std::string& more = {}, const char* base = tables)
    {
        const std::string path = m_folder.filePath(QStringLiteral("export.sqlite")).toStdString();
        std::filesystem::remove(path);
        sqlite3* made = nullptr;
        sqlite3_open(path.c_str(), &made);
        const int result = sqlite3_exec(made, (base + more).c_str(), nullptr, nullptr, nullptr);
        if (result != SQLITE_OK)
            qWarning("%s", sqlite3_errmsg(made));
        sqlite3_close(made);
        return path;
    }

private slots:
    void anExportIsRead()
    {
        const auto reading = readProfiles({database()});
        QVERIFY2(reading, reading ? "" : toText(reading.error().front()).c_str());
        const DeviceProfile& p = reading->devices.front();
        QCOMPARE(p.deviceName, std::string("NVIDIA A100-SXM4-80GB"));
        QCOMPARE(p.steps.source, StepSource::HostAnnotation);
        QCOMPARE(p.usedSteps(), 2);
        // Each begins with the first kernel that it launched: 1…101 and 101…200.
        QVERIFY(near(p.mean.span, 99.5e-6));
        QVERIFY(near(p.mean.ofClass(KernelClass::Matmul), (60e-6 + 60e-6) / 2));
        QVERIFY(near(p.mean.exposedCommunication(), (20e-6 + 10e-6) / 2));
        QVERIFY(near(p.mean.ofClass(KernelClass::Copy), 5e-6 / 2));
        // 61…81: launched at 70, too late. 161…181: launched long before. The call of another process with the same
        // number is not taken for it. 0…1: launched before; 196…200: nothing follows.
        QVERIFY(near(p.whole.launchBound, 20e-6));
        QVERIFY(near(p.whole.queued, 20e-6));
    }

    void graphsThatHideTheirKernelsAreSaid()
    {
        const auto reading = readProfiles({database(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, correlationId "
            "INTEGER, globalPid INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (200000, 300000, 0, 9, "
            "0);")});
        QVERIFY(reading);
        QVERIFY(std::ranges::any_of(reading->warnings, [](const Diagnostic& d) { return d.code == "whole-graphs"; }));
        QVERIFY(near(reading->devices.front().whole.ofClass(KernelClass::Other), 100e-6));
    }

    void hostileFilesAreRefused()
    {
        // A view in the place of a table may never end: it is not asked.
        const auto view = readProfiles({database(
            "",
            "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (SELECT 0 UNION ALL SELECT start + 1 "
            "FROM n) SELECT start, start AS end, 0 AS deviceId FROM n;")});
        QVERIFY(!view);
        QCOMPARE(view.error().front().code, std::string("no-gpu-events"));

        const std::string whole = test::readFile(database());
        const QString cut = test::writtenFile(m_folder.filePath(QStringLiteral("cut.sqlite")),
                                              QByteArray::fromStdString(whole.substr(0, whole.size() / 3)));
        const auto broken = readProfiles({cut.toStdString()});
        QVERIFY(!broken);
        QCOMPARE(broken.error().front().code, std::string("broken-database"));

        ProfileOptions options;
        options.progress = [](double) { return false; };
        QVERIFY(!readProfiles({database()}, options));
    }

    void aTableOfKernelsIsRead()
    {
        const std::string csv = "Processing [x.sqlite] with [cuda_gpu_trace.py]...\n"
                                "Start (ns),Duration (ns),CorrId,GrdX,Device,Ctx,Strm,Name\r\n"
                                "1000,60000,11,1,NVIDIA A100-SXM4-80GB (3),1,7,\"void gemm<int, float>(int)\"\r\n"
                                "81000,20000,12,,NVIDIA A100-SXM4-80GB (3),1,7,ncclDevKernel_AllReduce_Sum_bf16\r\n"
                                "101000,5000,13,,NVIDIA A100-SXM4-80GB (3),1,7,[CUDA memcpy Host-to-Device]";
        const auto reading = readProfile(csv, "trace.csv");
        QVERIFY2(reading, reading ? "" : toText(reading.error().front()).c_str());
        const DeviceProfile& p = reading->devices.front();
        QCOMPARE(p.device, std::int64_t(3));
        QCOMPARE(p.deviceName, std::string("NVIDIA A100-SXM4-80GB"));
        QVERIFY(near(p.whole.span, 105e-6) && near(p.whole.unexplained, 20e-6));
        QVERIFY(near(p.whole.ofClass(KernelClass::Matmul), 60e-6));
        QVERIFY(near(p.whole.ofClass(KernelClass::Copy), 5e-6));
        QCOMPARE(p.kernels.front().name, std::string("void gemm<int, float>(int)"));
        QVERIFY(looksLikeProfile("trace.csv", csv));
    }

    void badTablesAreRefusedWithTheirLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        const QByteArray header = "Start (ns),Duration (ns),Device,Name\n";
        QTest::newRow("sums") << QByteArray("Time (%),Total Time (ns),Instances,Name\n1,2,3,a\n") << "sums-only" << 1;
        QTest::newRow("no number") << QByteArray(header + "1,2,0,a\n1,x,0,a\n") << "not-a-number" << 3;
        QTest::newRow("negative") << QByteArray(header + "1,-2,0,a\n") << "not-a-number" << 2;
        QTest::newRow("infinite") << QByteArray(header + "inf,2,0,a\n") << "not-a-number" << 2;
        QTest::newRow("beyond all") << QByteArray(header + "1e300,2,0,a\n") << "not-a-number" << 2;
        QTest::newRow("cut") << QByteArray(header + "1,2,0,a\n3,4") << "wrong-count" << 3;
        QTest::newRow("header alone") << header << "no-gpu-events" << 0;
    }
    void badTablesAreRefusedWithTheirLine()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, code);
        QFETCH(const int, line);
        const auto reading = readProfile(text.toStdString(), "a.csv");
        QVERIFY(!reading);
        QCOMPARE(QString::fromStdString(reading.error().front().code), code);
        QCOMPARE(reading.error().front().line, line);
    }
};
HEADROOM_TEST(TestProfileNsys)

} // namespace headroom::test_profile_nsys
#include "test_profile_nsys.moc"
