// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibration.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <nlohmann/json.hpp>

namespace headroom::test_calibration
{

class TestCalibration : public QObject
{
    Q_OBJECT

    static nlohmann::json builtInJson() { return nlohmann::json::parse(embeddedFile("calibration.json").value()); }

    static bool refusedAt(const nlohmann::json& document, const std::string& path)
    {
        const auto result = Calibration::fromJson(document.dump());
        if (result)
            return false;
        return std::ranges::any_of(result.error(), [&](const Diagnostic& d) { return d.path == path; });
    }

private slots:
    void builtInIsComplete()
    {
        const auto calibration = Calibration::builtIn();
        QCOMPARE(calibration->origin, std::string("built-in"));
        QCOMPARE(calibration->energy.idleShare, 0.2);
        const MatmulLaw& h100 = calibration->training.law(TrainingFamily::H100, MatmulClass::Bits16);
        const auto row = builtInJson()["training"]["matmul"][2];
        QCOMPARE(row["family"].get<std::string>(), std::string("H100"));
        QCOMPARE(h100.compute, row["compute"].get<double>() * row["sustained"].get<double>());
        QCOMPARE(h100.p, 3.3);
        // No 8-bit kernels on an A100: the 16-bit row stands in.
        QCOMPARE(calibration->training.law(TrainingFamily::A100, MatmulClass::Bits8).start, 6e-6);
        QCOMPARE(calibration->training.profile(TrainingSoftware::Composer).logitBytes, 4.0);
    }

    void everyNumberSaysWhereItComesFrom()
    {
        auto document = builtInJson();
        document["training"]["constants"]["start_s"].erase("source");
        QVERIFY(refusedAt(document, "/training/constants/start_s/source"));
        document = builtInJson();
        document["training"]["matmul"][0]["source"] = "";
        QVERIFY(refusedAt(document, "/training/matmul/0/source"));
    }

    void refusesWhatItDoesNotKnow()
    {
        auto document = builtInJson();
        document["training"]["constants"]["strat_s"] = {{"value", 1}, {"source", "typo"}};
        QVERIFY(refusedAt(document, "/training/constants/strat_s"));
        document = builtInJson();
        document["training"]["constants"].erase("start_s");
        QVERIFY(refusedAt(document, "/training/constants/start_s"));
        document = builtInJson();
        document["training"]["constants"]["scale_up_share"]["value"] = 1.5;
        QVERIFY(refusedAt(document, "/training/constants/scale_up_share/value"));
        document = builtInJson();
        document["training"]["profiles"].erase(3);
        QVERIFY(refusedAt(document, "/training/profiles"));
        QVERIFY(!Calibration::fromJson("{"));
        QVERIFY(!Calibration::fromJson("[]"));
        QVERIFY(!Calibration::fromJson(""));
    }

    void noFamilySustainsMoreThanItsCeiling()
    {
        auto document = builtInJson();
        document["training"]["matmul"][2]["sustained"] = 1.2;
        QVERIFY(refusedAt(document, "/training/matmul/2/sustained"));
    }
};
HEADROOM_TEST(TestCalibration)

} // namespace headroom::test_calibration
#include "test_calibration.moc"
