// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a profile's kernels: kept with the run where that is wanted, and nowhere else.
#include "core/profile/profile_comparison.hpp"
#include "core/profile/profile_table.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_trace.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_profile_kernels
{

using namespace profile;

namespace
{

ProfileReading reading()
{
    test::SampleTrace trace;
    trace.kernel("nvjet_hsh", 0, 600).kernel("my_secret_kernel", 600, 100).kernel("my_secret_kernel", 700, 100);
    trace.kernel("flash_fwd_kernel", 800, 50);
    return *readProfile(trace.text(), "a.json");
}

Scenario profiled(KeptNames which)
{
    Scenario scenario;
    scenario.measured.profile = measuredProfile(reading());
    scenario.kernels = profiledKernels(reading(), which);
    return scenario;
}

} // namespace

class TestProfileKernels : public QObject
{
    Q_OBJECT
private slots:
    void theClassesOfFilesAreThoseOfTheRules()
    {
        QCOMPARE(int(kernelClassIds.size()), kernelClassCount);
        for (int i = 0; i < kernelClassCount; ++i)
            QCOMPARE(std::string(kernelClassIds[std::size_t(i)]), std::string(idOf(static_cast<KernelClass>(i))));
    }

    void onlyWhatIsWantedIsKept()
    {
        QVERIFY(profiledKernels(reading(), KeptNames::None).empty());
        const ProfiledKernels unknown = profiledKernels(reading(), KeptNames::Unrecognised);
        QCOMPARE(unknown.size(), std::size_t(1));
        QCOMPARE(unknown.front().name, std::string("my_secret_kernel"));
        QCOMPARE(unknown.front().kernelClass, std::string("other"));
        QVERIFY(std::abs(unknown.front().seconds - 200e-6) < 1e-9 && unknown.front().count == 2);
        const ProfiledKernels all = profiledKernels(reading(), KeptNames::All);
        QCOMPARE(all.size(), std::size_t(3));
        QCOMPARE(all.front().kernelClass, std::string("matmul")); // the longest first
        QVERIFY(keptNames("all") == KeptNames::All && keptNames("none") == KeptNames::None && !keptNames("some"));
        const auto rows = kernelRows(all, 2);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY2(rows[1].words.find("2 times, not recognised") != std::string::npos, rows[1].words.c_str());
    }

    void theFileKeepsThem()
    {
        QVERIFY(writeScenario(profiled(KeptNames::None)).find("profile_kernels") == std::string::npos);
        const Scenario with = profiled(KeptNames::All);
        const std::string text = writeScenario(with);
        const auto again = readScenario(text, Catalog::builtIn());
        QVERIFY2(again, again ? "" : toText(again.error().front()).c_str());
        QVERIFY(again->scenario.kernels == with.kernels);
        QCOMPARE(writeScenario(again->scenario), text);
        // The evaluation that is shown has them, that of other settings does not.
        auto prepared = prepare(with, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared && prepared->kernels && *prepared->kernels == with.kernels);
        Scenario moved = with;
        moved.measuredWith = runSettings(with);
        QVERIFY(!prepare(moved, Catalog::builtIn(), Calibration::builtIn())->kernels);
    }

    void badOnesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("class") << QByteArray(R"("class": "other")") << QByteArray(R"("class": "mine")")
                               << QByteArray("/profile_kernels/0/class");
        QTest::newRow("count") << QByteArray(R"("count": 2)") << QByteArray(R"("count": -2)")
                               << QByteArray("/profile_kernels/0/count");
        QTest::newRow("name") << QByteArray("my_secret_kernel") << QByteArray(600, 'k')
                              << QByteArray("/profile_kernels/0/name");
        QTest::newRow("key") << QByteArray(R"("class")") << QByteArray(R"("stack": "x", "class")")
                             << QByteArray("/profile_kernels/0/stack");
        QTest::newRow("none") << QByteArray(R"("profile_kernels": [)") << QByteArray(R"("profile_kernels": [], "x": [)")
                              << QByteArray("/profile_kernels");
    }
    void badOnesAreRefused()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QByteArray, path);
        QByteArray text = QByteArray::fromStdString(writeScenario(profiled(KeptNames::Unrecognised)));
        QVERIFY(text.contains(from));
        text.replace(from, to);
        const auto refused = readScenario(text.toStdString(), Catalog::builtIn());
        QVERIFY(!refused);
        QVERIFY2(
            std::ranges::any_of(refused.error(), [&](const Diagnostic& d) { return d.path == path.toStdString(); }),
            toText(refused.error().front()).c_str());
    }

    void theyGoWithTheirProfile()
    {
        const Scenario before = profiled(KeptNames::All);
        Scenario after = before;
        after.training.microBatch *= 2;
        QVERIFY(!afterEdit(before, after).kernels.empty()); // kept with the settings that were measured
        after = before;
        after.measured.profile.matmulS += 1;
        after.measured.profile.stepS += 1;
        QVERIFY(afterEdit(before, after).kernels.empty()); // another profile
        after = before;
        after.measured.profile = {};
        QVERIFY(afterEdit(before, after).kernels.empty());
        QVERIFY(withoutMeasurement(before).kernels.empty());
    }
};
HEADROOM_TEST(TestProfileKernels)

} // namespace headroom::test_profile_kernels
#include "test_profile_kernels.moc"
