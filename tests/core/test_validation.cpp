// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/validation.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom
{

class TestValidation : public QObject
{
    Q_OBJECT

    static PreparedScenario measured(double stepTime)
    {
        PreparedScenario p = test::trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.measured.stepTimeS = stepTime;
        return p;
    }
    static std::vector<ValidationRun> publishedRuns()
    {
        std::vector<ValidationRun> runs;
        const auto calibration = Calibration::builtIn();
        for (const auto& entry :
             std::filesystem::directory_iterator(test::sharedPath("data/published_runs/training"))) {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                const auto read = readScenario(line, test::catalog());
                const auto prepared =
                    read ? prepare(read->scenario, test::catalog(), calibration) : tl::unexpected(read.error());
                if (prepared)
                    runs.push_back(validateRun(read->scenario.name, read->scenario.source, *prepared));
            }
        }
        return runs;
    }
    static const ValidationGroup* find(const std::vector<ValidationGroup>& groups, std::string_view by,
                                       std::string_view key)
    {
        const auto found =
            std::ranges::find_if(groups, [&](const ValidationGroup& g) { return g.by == by && g.key == key; });
        return found == groups.end() ? nullptr : &*found;
    }

private slots:
    void errorsAreSummedUp()
    {
        const ErrorSummary s = summarise({0.1, -0.2, 0.3, -0.4, 0.5});
        QCOMPARE(s.rows, std::size_t(5));
        QCOMPARE(s.median, 0.3);
        QCOMPARE(s.bias, 0.1);
        QVERIFY(std::abs(s.p90 - 0.46) < 1e-12);
        QCOMPARE(summarise({}).rows, std::size_t(0));
    }

    void aRunIsComparedWithItsMeasurement()
    {
        PreparedScenario p = measured(1);
        const double predicted = *evaluate(p).stepTimeS;
        p.measured.stepTimeS = predicted * 1.25;
        p.measured.peakMemoryBytes = evaluate(p).reservedBytes * 2;
        const ValidationRun run = validateRun("some-paper-0012", "table 3", p);
        QCOMPARE(run.origin, std::string("some-paper"));
        QCOMPARE(run.figures.size(), std::size_t(1));
        QVERIFY(std::abs(run.figures[0].error() + 0.2) < 1e-12);
        QVERIFY(std::abs(*run.memoryError + 0.5) < 1e-12);
        QVERIFY(*run.mfuPoints > 0); // predicted faster than it was
        p.measured.stepTimeS = predicted * 100;
        QVERIFY(!*validateRun("x", "y", p).figures[0].inside);
        p.measured.stepTimeS = predicted;
        QVERIFY(*validateRun("x", "y", p).figures[0].inside);
        QCOMPARE(validateRun("no number", "y", p).origin, std::string("no number"));
    }

    void publishedUtilisationIsCountedAgain()
    {
        PreparedScenario p = measured(2);
        const double mfu = *evaluate(p).observed->mfu;
        p.measured.mfu = mfu + 0.0014; // within 0.15 point
        ValidationRun run = validateRun("a", "b", p);
        QCOMPARE(run.accounting.size(), std::size_t(1));
        QVERIFY(run.accounting[0].reproduced);
        p.measured.stepTimeS = 2.0001; // nothing to hide behind in its rounding
        p.measured.mfu = mfu + 0.01234567;
        QVERIFY(!validateRun("a", "b", p).accounting[0].reproduced);
        p.measured = {}; // the figure that decides the time is no check of itself
        p.measured.mfu = 0.4;
        QVERIFY(validateRun("a", "b", p).accounting.empty());
    }

    void groupsCountEachRunOnce()
    {
        std::vector<ValidationRun> runs;
        for (const double seconds : {1.0, 2.0, 3.0})
            runs.push_back(validateRun("left-1", "s", measured(seconds)));
        runs.push_back(validateRun("right-1", "s", measured(4.0)));
        const auto groups = groupRuns(runs);
        QCOMPARE(find(groups, "all", "")->error.rows, std::size_t(4));
        QCOMPARE(find(groups, "source", "left")->error.rows, std::size_t(3));
        QCOMPARE(find(groups, "source", "right")->error.rows, std::size_t(1));
        QCOMPARE(find(groups, "accelerator", "h100-sxm-80gb")->ran, std::size_t(4));
        QVERIFY(!find(groups, "source", "neither"));
        const auto json = nlohmann::json::parse(validationJson(runs, groups));
        QCOMPARE(json["runs"].size(), std::size_t(4));
        QCOMPARE(json["groups"].size(), groups.size());
        QCOMPARE(json["groups"][0]["rows"].get<int>(), 4);
    }

    /// The predictor against 1095 published runs: the errors that design/predictor_training.md reports.
    void publishedRunsAreMet()
    {
        HEADROOM_REQUIRE_SHARED("data/published_runs/training");
        const auto runs = publishedRuns();
        QCOMPARE(runs.size(), std::size_t(1095));
        const auto groups = groupRuns(runs);
        const ValidationGroup& all = *find(groups, "all", "");
        QVERIFY2(all.error.rows >= 1015, std::to_string(all.error.rows).c_str());
        const ValidationGroup& known = *find(groups, "recipe", "known");
        QVERIFY2(known.error.median <= 0.076, std::to_string(known.error.median).c_str());
        QVERIFY2(known.error.p90 <= 0.28, std::to_string(known.error.p90).c_str());
        // Runs that leave checkpointing out are predicted as scenario.md 1.3 says: full where none is predicted not to
        // fit. About fifty of them are predicted within 15 % of the capacity and did run without; memory is the cause.
        QVERIFY2(all.error.median <= 0.083, std::to_string(all.error.median).c_str());
        QVERIFY2(all.error.p90 <= 0.35, std::to_string(all.error.p90).c_str());
        QVERIFY2(std::abs(all.error.bias) <= 0.03, std::to_string(all.error.bias).c_str());
        QVERIFY2(*all.insideShare > 0.75 && *all.insideShare < 0.85, std::to_string(*all.insideShare).c_str());
        QCOMPARE(all.accountingFigures, std::size_t(1121));
        QVERIFY2(all.accountingReproduced >= 1009, std::to_string(all.accountingReproduced).c_str());
        QCOMPARE(find(groups, "source", "llm-foundry")->accountingReproduced, std::size_t(620));
        QVERIFY(find(groups, "source", "simumax-b200")->memory.median < 0.03);
        QCOMPARE(all.failed, std::size_t(4));
        QCOMPARE(all.failedPredictedToFail, std::size_t(3));
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestValidation)
#include "test_validation.moc"
