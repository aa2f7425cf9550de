// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/fit_report.hpp"
#include "core/runs/measured_run.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/units/format.hpp"
#include "core/validation/run_notes.hpp"
#include "core/validation/validation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace headroom::test_validation
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
    /// All runs that the predictor is judged by: training, then inference, in the order of packaging/data/runs.py.
    static const std::vector<ValidationRun>& allRuns()
    {
        static const std::vector<ValidationRun> all = readAllRuns();
        return all;
    }
    static std::vector<ValidationRun> readAllRuns()
    {
        std::vector<ValidationRun> runs;
        eachRun([&runs](const Scenario& scenario, const PreparedScenario& prepared) {
            runs.push_back(validateRun(scenario.name, scenario.source, prepared));
        });
        return runs;
    }
    /// As a fit takes them.
    static std::vector<FitRun> allFitRuns()
    {
        std::vector<FitRun> runs;
        eachRun([&runs](const Scenario& scenario, const PreparedScenario& prepared) {
            runs.push_back({scenario.name, originOf(scenario.name), prepared, documentOf(scenario.source)});
        });
        return runs;
    }
    template <typename Use>
    static void eachRun(const Use& use)
    {
        const auto calibration = Calibration::builtIn();
        for (const char* task : {"training", "inference"}) {
            for (const std::string& line : test::publishedRunLines(task)) {
                const auto read = readScenario(line, test::catalog());
                const auto prepared =
                    read ? prepare(read->scenario, test::catalog(), calibration) : tl::unexpected(read.error());
                if (prepared)
                    use(read->scenario, *prepared);
            }
        }
    }
    static std::string sourceText(const char* path)
    {
        std::ifstream file(test::sourcePath(path), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    static nlohmann::json budgetFile() { return nlohmann::json::parse(sourceText("tests/validation_budgets.json")); }

    /// What a group may miss, told one by one; the number of values over their budget.
    static std::size_t overBudget(const nlohmann::json& rows, const std::vector<ValidationGroup>& groups)
    {
        std::size_t count = 0;
        for (const auto& row : rows) {
            const auto name = row["name"].get<std::string>();
            const ValidationGroup* group = find(groups, row["by"].get<std::string>(), row["group"].get<std::string>(),
                                                row["metric"].get<std::string>());
            if (!group || row["reason"].get<std::string>().empty()) {
                ++count;
                qWarning("%s: no such group, or a budget without a reason", name.c_str());
                continue;
            }
            for (const auto& [what, value] :
                 {std::pair("median", group->error.median), std::pair("p90", group->error.p90)})
                if (!(value <= row[what].get<double>())) {
                    ++count;
                    qWarning("%s, %s: %.4f exceeds its budget of %.4f", name.c_str(), what, value,
                             row[what].get<double>());
                }
        }
        return count;
    }

    /// Text without its numbers, and the numbers: what must stay, and what may move by its last digit.
    static std::pair<std::string, std::vector<double>> split(const std::string& text)
    {
        std::pair<std::string, std::vector<double>> result;
        for (std::size_t i = 0; i < text.size();) {
            const bool digit = text[i] >= '0' && text[i] <= '9';
            if (!digit) {
                result.first += text[i] == '-' ? "" : std::string(1, text[i]); // -0.0 and 0.0 are one
                ++i;
                continue;
            }
            std::size_t used = 0;
            result.second.push_back(std::stod(text.substr(i, 40), &used));
            i += used;
        }
        return result;
    }

    static const ValidationGroup* find(const std::vector<ValidationGroup>& groups, std::string_view by,
                                       std::string_view key, std::string_view metric = "step_time_s")
    {
        const auto found = std::ranges::find_if(
            groups, [&](const ValidationGroup& g) { return g.by == by && g.key == key && g.metric == metric; });
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

    /// Runs of one scenario: what they differ by is no predictor's fault, and is told apart.
    void twinsShowWhatAScenarioDoesNotSay()
    {
        std::vector<ValidationRun> runs;
        for (const double seconds : {1.0, 1.1, 1.3})
            runs.push_back(validateRun("release-1", "s", measured(seconds)));
        PreparedScenario other = measured(2.0);
        other.training.microBatch = 2;
        runs.push_back(validateRun("release-2", "s", other));
        QVERIFY(runs[0].key == runs[2].key && runs[0].key != runs[3].key);
        const auto groups = groupRuns(runs);
        const ValidationGroup& all = *find(groups, "all", "");
        QCOMPARE(all.twins.rows, std::size_t(3));
        QVERIFY(std::abs(all.twins.median - (1 - 1.05 / 1.3)) < 1e-12);
        QCOMPARE(all.floor.rows, std::size_t(4));
        QVERIFY(all.floor.p90 < all.twins.p90);
        // 1.1 is the median of its key: off by 10 % and by 15 % for the others.
        QVERIFY(std::abs(all.floor.median - 0.05) < 1e-12);
    }

    void ratesCountAsTimes()
    {
        const ValidationFigure rate{"tokens_per_s", 100, 80, {}}, time{"tpot_s", 1, 1.25, {}};
        QVERIFY(std::abs(rate.error() - 0.25) < 1e-12); // a quarter slower than measured
        QVERIFY(std::abs(rate.error() - time.error()) < 1e-12);
    }

    void causesAreFoundByRunAndModel()
    {
        QVERIFY(runNote("accounting", "torchtitan-0010", "Llama 3.1 405B").find("corrected") != std::string::npos);
        QVERIFY(!runNote("speed of light", "automodel-0009: no experts", "gpt-oss-120b").empty());
        QVERIFY(runNote("accounting", "torchtitan-0012", "Llama 3.1 405B").empty());
        QVERIFY(!runNote("accounting", "dgxc-0014", "Llama 3.1 405B").empty());
        QVERIFY(runNote("accounting", "dgxc-0014", "Llama 3 8B").empty());
        QVERIFY(runNote("speed of light", "torchtitan-0010", "Llama 3.1 405B").empty());
    }

    void thePageHasAllTables()
    {
        std::vector<ValidationRun> runs{validateRun("left-1", "s", measured(1.0))};
        runs.push_back(validateRun("right-1", "s", measured(1e-4)));
        QVERIFY(runs[1].fasterThanIdeal && !runs[0].fasterThanIdeal);
        QVERIFY(!runs[1].idealCause.empty());
        const auto groups = groupRuns(runs);
        QCOMPARE(groups.front().by, std::string("all"));
        QCOMPARE(groups.front().error.rows, std::size_t(1)); // what cannot be says nothing of the prediction
        const ValidationBudgets budgets =
            readValidationBudgets(
                R"({"groups": [{"by": "all", "group": "", "metric": "step_time_s", "name": "everything",
                "asked_median": 0.01, "asked_p90": 0.02, "reason": "made up"}]})")
                .value();
        const std::string page = validationMarkdown(runs, groups, budgets, ValidationTables::All);
        for (const char* part : {"| everything | 1 |", "- **everything**: made up", "| left |", "`right-1`",
                                 "## Memory", "## What was fitted to what", "loss_bytes",
                                 "**Speed of light**: 1 run is faster", "right for 2 of 2 runs"})
            QVERIFY2(page.find(part) != std::string::npos, part);
        const std::string summary = validationMarkdown(runs, groups, budgets, ValidationTables::Summary);
        QVERIFY(page.starts_with(summary) && summary.find("## Memory") == std::string::npos);
        const std::string text = validationText(runs, groups);
        QVERIFY(text.find("faster than ideal, in no group's errors: right-1") != std::string::npos);
        QVERIFY(text.starts_with("run ") && text.find("\nleft-1 ") < text.find("\nsource "));
        QVERIFY(validationText({}, {}).empty());
    }

    /// tests/validation_budgets.json: what each group of published runs reaches, with a small margin.
    void budgetsAreKept()
    {
        const auto& runs = allRuns();
        QCOMPARE(runs.size(), std::size_t(1095 + 2687));
        const auto groups = groupRuns(runs);
        const auto budgets = budgetFile();
        QVERIFY(budgets["groups"].size() >= 22);
        QCOMPARE(overBudget(budgets["groups"], groups), std::size_t(0));
        for (const ValidationGroup& all : totalsOf(runs)) {
            if (all.by != "task")
                continue;
            const auto& whole = budgets[all.key];
            const double wrong = double(all.ran - all.ranPredictedToFit + all.failed - all.failedPredictedToFail);
            QVERIFY2(all.memory.median <= whole["memory_median"].get<double>(), all.key.c_str());
            QVERIFY2(wrong / double(all.ran + all.failed) <= whole["fit_wrong"].get<double>(), all.key.c_str());
            QVERIFY2(all.failed - all.failedPredictedToFail <= whole["failed_missed"].get<std::size_t>(),
                     all.key.c_str());
            QCOMPARE(all.accountingFigures, whole["figures"].get<std::size_t>());
            QVERIFY2(all.accountingFigures - all.accountingReproduced <= whole["not_recounted"].get<std::size_t>(),
                     all.key.c_str());
        }
        for (const ValidationRun& run : runs) {
            QVERIFY2(!run.fasterThanIdeal || !run.idealCause.empty(), run.name.c_str());
            for (const AccountingFigure& figure : run.accounting)
                QVERIFY2(figure.reproduced || !figure.cause.empty(), run.name.c_str());
        }
    }

    /// 80 % intervals hold 75 to 88 % of the runs of every group of thirty or more, each run predicted by constants
    /// that were fitted without its source; of the runs that were fitted they hold at least as many.
    void intervalsHoldWhatTheyPromise()
    {
        const auto groups = groupRuns(allRuns());
        const auto fit = nlohmann::json::parse(embeddedFile("calibration.json").value())["training"]["fit"];
        std::size_t judged = 0;
        for (const auto& row : fit["groups"]) {
            if (row["by"] != "kind" || row["runs"] < 30)
                continue;
            const auto name = row["group"].get<std::string>();
            const auto leftOut = row["left_out_inside"].get<double>();
            QVERIFY2(leftOut >= 0.75 && leftOut <= 0.88, name.c_str());
            const ValidationGroup* group = find(groups, "kind", name);
            QVERIFY2(group && group->insideShare.value_or(0) >= 0.75, name.c_str());
            ++judged;
        }
        QVERIFY(judged >= 8);
    }

    /// What calibration.json records of its fit is what these constants and formulas do to the runs: to be written anew
    /// (docs/validation.md names the command) whenever a formula of the predictor changes.
    void theRecordOfTheFitIsCurrent()
    {
        const std::vector<FitRun> runs = allFitRuns();
        const auto json = nlohmann::json::parse(embeddedFile("calibration.json").value());
        for (const FitTask& whole : {trainingFitTask(), inferenceFitTask()}) {
            FitTask task = whole;
            task.factors.clear(); // nothing moves: the errors of what is
            CalibrationDocument document = CalibrationDocument::builtIn();
            const FitReport report = fitTask(task, document, runs, false);
            const auto& rows = json[task.task == Task::Training ? "training" : "inference"]["fit"]["groups"];
            QCOMPARE(rows.size(), report.groups.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const GroupReport& group = report.groups[i];
                const std::string row = rows[i].dump();
                QVERIFY2(rows[i]["by"] == group.by && rows[i]["metric"] == group.metric, row.c_str());
                QVERIFY2(rows[i]["group"] == (group.group.empty() ? "all" : group.group), row.c_str());
                QVERIFY2(rows[i]["runs"] == group.rows, row.c_str());
                for (const auto& [what, value] :
                     {std::pair("median", group.medianAfter), std::pair("p90", group.p90After)})
                    QVERIFY2(std::abs(rows[i][what].get<double>() - value) <= std::max(0.0005, 0.002 * value),
                             row.c_str());
            }
        }
    }

    /// The constants are where the fit comes to rest: whoever runs the command again gets the same ones.
    void fittingAgainMovesNothing()
    {
        if (test::timesSlower > 1)
            QSKIP("a whole fit takes minutes under a sanitizer");
        for (const FitTask& task : {trainingFitTask(), inferenceFitTask()}) {
            CalibrationDocument document = CalibrationDocument::builtIn();
            const FitReport report = fitTask(task, document, allFitRuns(), false);
            QCOMPARE(report.factors.size(), task.factors.size());
            for (const FactorReport& factor : report.factors)
                QVERIFY2(std::abs(factor.after - factor.before) <= 0.001 * std::abs(factor.before),
                         factor.path.c_str());
        }
    }

    /// The selection of these runs that the program carries.
    void theSelectionKeepsItsBudgets()
    {
        std::vector<ValidationRun> runs;
        for (const MeasuredRun& run : *publishedRuns())
            runs.push_back(validateRun(run.name, run.source, run.prepared));
        QVERIFY(runs.size() > 300);
        const auto rows = budgetFile()["selection"];
        QVERIFY(!rows.empty());
        QCOMPARE(overBudget(rows, groupRuns(runs)), std::size_t(0));
    }

    /// Nothing was fitted to somebody's own runs: errors of the repository's with a source left out are not theirs.
    void ownRunsHaveNoLeftOutErrors()
    {
        const auto runs = std::span(allRuns()).first(1);
        const auto groups = groupRuns(runs);
        const std::string own = validationMarkdown(runs, groups, {}, ValidationTables::Summary);
        std::size_t rows = 0;
        for (std::size_t at = 0; (at = own.find(" | - | - | - | - | - |\n", at)) != own.npos; ++at)
            ++rows;
        QVERIFY2(rows >= 2, own.c_str()); // by task and by kind
        const auto budgets = readValidationBudgets(sourceText("tests/validation_budgets.json")).value();
        QVERIFY(validationMarkdown(runs, groups, budgets, ValidationTables::Summary).find(" | - | - | - | - | - |\n") ==
                std::string::npos);
    }

    void thePageIsCurrent()
    {
        const auto& runs = allRuns();
        const auto [text, numbers] = split(validationMarkdown(
            runs, groupRuns(runs), readValidationBudgets(sourceText("tests/validation_budgets.json")).value(),
            ValidationTables::Summary));
        const auto [kept, values] = split(sourceText("docs/validation.md"));
        const char* hint = "docs/validation.md is not current; its first lines name the command that writes it";
        QVERIFY2(text == kept, hint);
        // Each interval that does not hold what it promises has its reason in the budgets.
        QVERIFY(text.find("No reason is known") == std::string::npos);
        QCOMPARE(values.size(), numbers.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY2(std::abs(values[i] - numbers[i]) <= std::max(0.11, 0.002 * numbers[i]), hint);
    }
};
HEADROOM_TEST(TestValidation)

} // namespace headroom::test_validation
#include "test_validation.moc"
