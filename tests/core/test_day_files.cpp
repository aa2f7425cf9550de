// SPDX-License-Identifier: GPL-3.0-or-later
// A day's load in a file: its forms, what is written of it, and what is refused in its place.
#include "core/predict/evaluate.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/measurement.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <array>
#include <cmath>

namespace headroom::test_day_files
{

using test::readServing;

namespace
{

Expected<PreparedScenario> prepared(const Scenario& scenario)
{
    return prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
}

/// `first` and 23 times `rest`.
std::string list(const std::string& first, const std::string& rest)
{
    std::string text = "[" + first;
    for (int i = 0; i < 23; ++i)
        text += ", " + rest;
    return text + "]";
}

} // namespace

class TestDayFiles : public QObject
{
    Q_OBJECT
private slots:
    void formsAreReadAndWrittenAgain()
    {
        const std::array<std::string, 5> forms{
            R"("requests_per_s": 8, "load_profile": {"shape": "sine", "peak_to_trough": 3.5})",
            R"("requests_per_s": 8, "load_profile": {"shape": "office", "peak_to_trough": 10}, "autoscale": {"min": 0})",
            R"("requests_per_s": 8, "load_profile": )" + list("1.23", "0.99"),
            R"("load_profile": {"requests_per_s": )" + list("1", "3") + "}, \"autoscale\": {\"lag_s\": 0}",
            R"("requests_per_s": 8, "load_profile": {"shape": "sine", "peak_to_trough": 2}, "autoscale": {"min": 2, )"
            R"("max": 9, "target_utilization": 0.6, "lag_s": 90})"};
        for (const std::string& form : forms) {
            const auto scenario = readServing(form);
            QVERIFY2(scenario && hasDay(*scenario), form.c_str());
            const auto again = readScenario(writeScenario(*scenario), Catalog::builtIn());
            QVERIFY2(again && again->scenario == *scenario, form.c_str());
        }
        const Scenario rates = *readServing(forms[3]);
        QVERIFY(std::abs(*rates.inference.requestsPerS - 70.0 / 24) < 1e-12);
        QVERIFY(std::abs(rates.inference.loadProfile->factors[0] - 24.0 / 70) < 1e-12);
        QCOMPARE(readServing(forms[2])->inference.loadProfile->factors[0], 1.23);
    }

    /// An object that states nothing asks for the defaults; a file without the keys has neither.
    void anEmptyObjectAsksForTheDefaults()
    {
        const Scenario scales = *readServing(R"("requests_per_s": 8, "autoscale": {})");
        QVERIFY(autoscales(scales.inference) && !hasDay(scales));
        QCOMPARE(*scales.inference.autoscale.target, usualAutoscaleTarget);
        const Scenario plain = *readServing(R"("requests_per_s": 8)");
        QVERIFY(!autoscales(plain.inference) && !plain.inference.loadProfile);
        QVERIFY(writeScenario(plain).find("load_profile") == std::string::npos);
        QVERIFY(evaluate(*prepared(scales)).warnings.has(WarningCode::KeyWithoutEffect));
        const Scenario lone = *readServing(R"("load_profile": {"shape": "sine", "peak_to_trough": 2})");
        QVERIFY(evaluate(*prepared(lone)).warnings.has(WarningCode::KeyWithoutEffect) && !hasDay(lone));
    }

    void whatCannotBeIsRefusedInItsPlace()
    {
        struct Case {
            std::string workload, path;
        };
        const std::array cases{
            Case{R"("load_profile": 3)", "/workload/load_profile"},
            Case{R"("load_profile": [1, 1, 1])", "/workload/load_profile"},
            Case{R"("load_profile": )" + list("1", "2"), "/workload/load_profile"},
            Case{R"("load_profile": )" + list("-1", "1"), "/workload/load_profile/0"},
            Case{R"("load_profile": )" + list("1", "\"a\""), "/workload/load_profile/1"},
            Case{R"("load_profile": )" + list("0", "0"), "/workload/load_profile"},
            Case{R"("load_profile": {"requests_per_s": 4})", "/workload/load_profile/requests_per_s"},
            Case{R"("load_profile": {"requests_per_s": )" + list("1e12", "1e12") + "}", "/workload/load_profile"},
            Case{R"("requests_per_s": 9, "load_profile": {"requests_per_s": )" + list("1", "3") + "}",
                 "/workload/requests_per_s"},
            Case{R"("load_profile": {"shape": "square", "peak_to_trough": 2})", "/workload/load_profile/shape"},
            Case{R"("load_profile": {"shape": "sine"})", "/workload/load_profile"},
            Case{R"("load_profile": {"peak_to_trough": 2})", "/workload/load_profile"},
            Case{R"("load_profile": {"shape": "sine", "peak_to_trough": 0.5})",
                 "/workload/load_profile/peak_to_trough"},
            Case{R"("load_profile": {"shape": "sine", "peak_to_trough": 2, "phase": 3})",
                 "/workload/load_profile/phase"},
            Case{R"("autoscale": {"min": -1})", "/workload/autoscale/min"},
            Case{R"("autoscale": {"max": 0})", "/workload/autoscale/max"},
            Case{R"("autoscale": {"min": 5, "max": 4})", "/workload/autoscale/min"},
            Case{R"("autoscale": {"target_utilization": 1.5})", "/workload/autoscale/target_utilization"},
            Case{R"("autoscale": {"lag_s": 1e9})", "/workload/autoscale/lag_s"},
            Case{R"("autoscale": {"cooldown_s": 60})", "/workload/autoscale/cooldown_s"},
        };
        for (const Case& one : cases) {
            const auto scenario = readServing(one.workload);
            Diagnostics problems;
            if (!scenario)
                problems = scenario.error();
            else if (const auto p = prepared(*scenario); !p)
                problems = p.error();
            QVERIFY2(!problems.empty(), one.workload.c_str());
            QCOMPARE(problems.front().path, one.path);
            QVERIFY2(!problems.front().message.empty(), one.workload.c_str());
        }
    }

    /// Who measured a run measured it at its load: the day that is planned for decides nothing of it.
    void aDayIsNoSettingOfARun()
    {
        Scenario measured = *readServing(R"("requests_per_s": 8)");
        measured.measured.tpotS = 0.02;
        Scenario planned = measured;
        planned.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 3);
        planned.inference.autoscale.max = 8;
        QVERIFY(sameRun(runSettings(measured), runSettings(planned)));
    }
};
HEADROOM_TEST(TestDayFiles)

} // namespace headroom::test_day_files
#include "test_day_files.moc"
