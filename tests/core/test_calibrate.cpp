// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/at_once.hpp"
#include "core/fit/fit_report.hpp"
#include "core/fit/intervals.hpp"
#include "core/support/embedded.hpp"
#include "core/validation/validation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace headroom::test_calibrate
{

class TestCalibrate : public QObject
{
    Q_OBJECT

    static constexpr auto sustained = "/training/matmul/family=H100,class=16 bit/sustained";
    static constexpr auto loss = "/training/constants/loss_bytes/value";

    /// Two factors of the training task, and runs of three sources whose step times a changed calibration made.
    static FitTask twoFactors()
    {
        FitTask task = trainingFitTask();
        std::erase_if(task.factors, [](const FittedFactor& f) { return f.path != sustained && f.path != loss; });
        return task;
    }
    static std::vector<FitRun> madeBy(double sustainedShare, double lossBytes)
    {
        CalibrationDocument document = CalibrationDocument::builtIn();
        document.setNumber(sustained, sustainedShare);
        document.setNumber(loss, lossBytes);
        const auto truth = std::make_shared<const Calibration>(document.read().value());
        std::vector<FitRun> runs;
        for (const char* origin : {"one", "two", "three"})
            for (const std::int64_t sequence : {1024, 2048, 8192})
                for (const char* model : {"llama-3-8b", "llama-2-13b", "gpt-2-large"}) {
                    FitRun run{model, origin, test::trainingCase(model, "h100-sxm-80gb", 8)};
                    run.prepared.training.sequenceLength = sequence;
                    run.prepared.calibration = truth;
                    run.prepared.measured.stepTimeS = evaluate(run.prepared).stepTimeS;
                    runs.push_back(std::move(run));
                }
        return runs;
    }

private slots:
    void documentPrintsAsItIsKept()
    {
        CalibrationDocument document = CalibrationDocument::builtIn();
        QCOMPARE(document.text(), std::string(embeddedFile("calibration.json").value()));
        const double before = document.number(sustained).value();
        QVERIFY(document.setNumber(sustained, 0.5));
        QCOMPARE(document.number(sustained).value(), 0.5);
        QCOMPARE(document.read()->training.law(TrainingFamily::H100, MatmulClass::Bits16).compute, 0.79 * 0.5);
        QVERIFY(document.text() != std::string(embeddedFile("calibration.json").value()));
        QVERIFY(document.setNumber(sustained, before));
        QCOMPARE(document.text(), std::string(embeddedFile("calibration.json").value()));
        QVERIFY(!document.number("/training/matmul/family=H100,class=17 bit/sustained"));
        QVERIFY(!document.setNumber("/training/constants/start_s", 1)); // an object, not a number
        QVERIFY(!CalibrationDocument::parse("{}"));
    }

    void everyFactorIsInTheDocument()
    {
        const CalibrationDocument document = CalibrationDocument::builtIn();
        for (const FitTask& task : {trainingFitTask(), inferenceFitTask()})
            for (const FittedFactor& factor : task.factors) {
                const auto value = document.number(factor.path);
                QVERIFY2(value, factor.path.c_str());
                QVERIFY2(*value >= factor.low && *value <= factor.high, factor.path.c_str());
                QVERIFY2(factor.prior >= factor.low && factor.prior <= factor.high, factor.path.c_str());
            }
    }

    void fitFindsWhatMadeTheRuns()
    {
        CalibrationDocument document = CalibrationDocument::builtIn();
        const FitReport report = fitTask(twoFactors(), document, madeBy(0.6, 45), false);
        QVERIFY(report.objectiveAfter < 0.1 * report.objectiveBefore);
        QVERIFY2(std::abs(document.number(sustained).value() / 0.6 - 1) < 0.02, document.text().c_str());
        QVERIFY(std::abs(document.number(loss).value() / 45 - 1) < 0.05);
        QCOMPARE(report.factors.size(), std::size_t(2));
        QCOMPARE(report.factors[0].runs, std::size_t(27));
        QCOMPARE(report.factors[0].sources.size(), std::size_t(3));
        // The record of the fit is part of a document that reads.
        QVERIFY(document.read());
        const auto json = nlohmann::json::parse(document.text());
        QCOMPARE(json["training"]["fit"]["factors"].size(), std::size_t(2));
        CalibrationDocument again = CalibrationDocument::builtIn();
        static_cast<void>(fitTask(twoFactors(), again, madeBy(0.6, 45), false));
        QCOMPARE(again.text(), document.text());
    }

    /// A bare thread ended the program where its work threw.
    void whatAThreadThrowsIsThrownHere()
    {
        int done = 0;
        atOnce([&] { ++done; }, [] {});
        QCOMPARE(done, 1);
        const auto fails = [] { throw std::runtime_error("no memory"); };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, atOnce(fails, [] {}));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, atOnce([] {}, fails));
    }

    /// A source that contradicts the others must not vouch for itself.
    void leavingASourceOutShowsWhatOnlyItSays()
    {
        std::vector<FitRun> runs = madeBy(0.8, 20);
        for (FitRun& run : runs)
            if (run.origin == "three")
                run.prepared.measured.stepTimeS = *run.prepared.measured.stepTimeS * 1.5;
        CalibrationDocument document = CalibrationDocument::builtIn();
        const FitReport report = fitTask(twoFactors(), document, runs, true);
        QCOMPARE(report.heldOut.size(), std::size_t(27));
        double worst = 0;
        for (const HeldOutResidual& residual : report.heldOut)
            if (residual.origin == "three")
                worst = std::max(worst, std::abs(residual.ratio * 1.5 - 1));
        QVERIFY2(worst < 0.03, std::to_string(worst).c_str()); // the other two alone decide: 1/1.5 of what it says
        QVERIFY(*report.factors[0].lowest <= *report.factors[0].highest);
    }

    /// Nothing is fitted to memory: its interval is what runs took of what is predicted, where they say their recipe.
    void memoryIntervalsAreOfRunsThatSayTheirRecipe()
    {
        std::vector<FitRun> runs = madeBy(0.8, 20);
        double share = 0.85;
        for (FitRun& run : runs) {
            run.prepared.measured.peakMemoryBytes = share * evaluate(run.prepared).reservedBytes;
            share = share >= 1.15 ? 0.85 : share + 0.05;
        }
        runs.push_back(runs.front());
        runs.back().prepared.training.checkpointing = Checkpointing::Unknown;
        runs.back().prepared.measured.peakMemoryBytes = 1.0;
        CalibrationDocument document = CalibrationDocument::builtIn();
        static_cast<void>(fitTask(twoFactors(), document, runs, true));
        const auto range = document.read()->training.memoryIntervals[std::size_t(MemoryKind::Full)];
        QVERIFY2(range.high > 1.1 && range.high < 1 / 0.84, std::to_string(range.high).c_str());
        QVERIFY(std::abs(range.low * range.high - 1) < 1e-3); // as far down as up
        const auto kept = Calibration::builtIn()->training.memoryIntervals[std::size_t(MemoryKind::Adapters)];
        QCOMPARE(document.read()->training.memoryIntervals[std::size_t(MemoryKind::Adapters)].high, kept.high);
    }

    /// Each model is left out once, whoever measured it, where the task asks for it.
    void leavingAModelOutShowsWhatOnlyItSays()
    {
        std::vector<FitRun> runs = madeBy(0.8, 20);
        FitTask task = twoFactors();
        CalibrationDocument document = CalibrationDocument::builtIn();
        QVERIFY(!fitTask(task, document, runs, true).lossModelOut);
        task.leavesModelsOut = true;
        const FitReport report = fitTask(task, document, runs, true);
        QVERIFY(report.lossSourceOut && report.lossModelOut);
        QCOMPARE(report.freeConstants, std::size_t(2));
        const GroupReport& all = report.groups.front();
        QVERIFY(all.medianModelOut && *all.medianModelOut < 0.05); // alike: the others tell
        const auto json = nlohmann::json::parse(document.text())["training"]["fit"];
        QCOMPARE(json["free_constants"].get<int>(), 2);
        QVERIFY(json["groups"][0].contains("model_out_median"));
        QVERIFY(fitReportText(report).find("2 free constants") != std::string::npos);
    }

    void bandsAreQuantilesOfEachGroup()
    {
        std::vector<HeldOutResidual> residuals;
        for (const char* source : {"x", "y"}) // two sources that agree
            for (int i = 0; i <= 10; ++i)
                residuals.push_back({"a", "m", source, "", 0, 1 + 0.1 * i});
        residuals.push_back({"b", "m", "x", "", 0, 3});
        const auto rows = residualBands(residuals);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(std::abs(rows[0].low - 1.1) < 1e-12 && std::abs(rows[0].high - 1.9) < 1e-12);
        QCOMPARE(rows[0].sources, std::size_t(2));
        QVERIFY(rows[0].inside >= 0.775 && rows[0].stretch == 1);
        QCOMPARE(rows[1].low, 3.0);
        // 1 to 2: eight in ten lie within a factor of 1.8 either way.
        const auto balanced = residualBands(residuals, BandShape::Balanced);
        QVERIFY(std::abs(balanced[0].high - 1.8) < 1e-12 && std::abs(balanced[0].low - 1 / 1.8) < 1e-12);
        QCOMPARE(balanced[0].sources, std::size_t(2));
    }

    /// Sources that differ: a band from some must still hold most of what the others measured.
    void bandsWidenWhereSourcesDiffer()
    {
        std::vector<HeldOutResidual> residuals;
        for (int source = 0; source < 5; ++source)
            for (int i = 0; i < 20; ++i)
                residuals.push_back({"a", "m", std::string(1, char('a' + source)), "", 0, 1 + 0.1 * source + 0.02 * i});
        const ResidualBandRow row = residualBands(residuals).front();
        std::vector<double> ratios;
        for (const HeldOutResidual& residual : residuals)
            ratios.push_back(residual.ratio);
        std::ranges::sort(ratios);
        QVERIFY(row.stretch > 1);
        QVERIFY(row.low < ratios[10] && row.high > ratios[89]);
        QVERIFY(row.inside >= 0.775 && row.inside < 0.88);
    }

    /// Nine sources of which one is large and right, and a tenth that nobody has seen: eight in ten of eleven votes.
    void aNewSourceIsAsFarOffAsOthersWere()
    {
        std::vector<HeldOutResidual> residuals;
        for (int i = 0; i < 1000; ++i)
            residuals.push_back({"a", "m", "large", "", 0, 1});
        for (int source = 0; source < 9; ++source) // to either side
            residuals.push_back(
                {"a", "m", std::to_string(source), "", 0, source % 2 ? 1.1 + 0.1 * source : 1 / (1.1 + 0.1 * source)});
        const auto band = newSourceBand(residuals);
        QVERIFY(band && std::abs(band->high - 1.8) < 1e-12 && std::abs(band->low - 1 / 1.8) < 1e-12);
        QCOMPARE(band->sources, std::size_t(10));
        residuals.resize(1003); // four sources: the farthest of them
        QVERIFY(std::abs(newSourceBand(residuals)->high - 1.3) < 1e-12);
        residuals.resize(1002); // three say nothing of eight in ten
        QVERIFY(!newSourceBand(residuals));
    }

    /// Where all of a group is one source's, its models draw the bands for each other; a lone model has no other.
    void aLoneSourceIsCrossedByModel()
    {
        std::vector<HeldOutResidual> residuals;
        for (const char* model : {"small", "middle", "large"})
            for (int i = 0; i < 20; ++i)
                residuals.push_back({"a", "m", "only", model, 0, 1 + 0.02 * i + (model[0] == 'l' ? 0.4 : 0)});
        residuals.push_back({"b", "m", "only", "small", 0, 2});
        const std::vector<ResidualBandRow> rows = residualBands(residuals);
        QCOMPARE(rows[0].sources, std::size_t(1));
        QVERIFY(rows[0].stretch > 1 && rows[0].inside >= 0.775);
        QCOMPARE(rows[1].inside, 0.0);
        const auto inside = insideOthersBands(residuals);
        QVERIFY(!inside.back());
        const auto held = std::ranges::count(inside, std::optional(true));
        QVERIFY(std::abs(double(held) / 60 - rows[0].inside) < 1e-12);
        // Unstretched, the large model's runs lie outside what the others draw.
        QCOMPARE(insideOthersBands(residuals, BandShape::Balanced)[59], std::optional(false));
    }

    /// What is judged of cases without runs is no run's to redraw: once a stray kind had left 0.9 to 1.17 there.
    void strayRunsLeaveTheBandOfNoRuns()
    {
        std::vector<HeldOutResidual> residuals;
        for (const char* group : {"unfitted", "consumer"})
            for (int i = 0; i < 20; ++i)
                for (const char* source : {"x", "y"})
                    residuals.push_back({group, "tpot_s", source, "", 0, 0.99 + 0.001 * i});
        CalibrationDocument document = CalibrationDocument::builtIn();
        const auto low = [&document](const std::string& group) {
            return *document.number("/inference/residuals/rows/class=" + group + "/tpot_low");
        };
        const double before = low("unfitted");
        inferenceFitTask().writeIntervals(document, residuals, "left out");
        QCOMPARE(low("unfitted"), before);
        QVERIFY(low("consumer") > 0.98);
    }

    /// Rates are told as validate tells them: as times, and in its groups.
    void theReportCountsAsValidationDoes()
    {
        FitRun run{"twice-0001", "twice", test::trainingCase("llama-3-8b", "h100-sxm-80gb", 1)};
        run.prepared.task = Task::Inference;
        run.prepared.measured.tokensPerS = *evaluate(run.prepared).tokensPerS / 2; // predicted: twice the rate
        FitTask task = inferenceFitTask();
        task.factors.clear();
        CalibrationDocument document = CalibrationDocument::builtIn();
        const FitReport report = fitTask(task, document, {run}, false);
        const ValidationRun validated = validateRun(run.name, "s", run.prepared);
        QVERIFY(std::abs(validated.figures[0].error() + 0.5) < 1e-12);
        QVERIFY(report.groups.size() >= 2);
        for (const GroupReport& group : report.groups) {
            QVERIFY(std::abs(group.medianAfter - 0.5) < 1e-12);
            QVERIFY(group.by == "kind" ? group.group == validated.kind : group.by == "source");
        }
    }

    /// What calibration.json says of its constants is what it holds, and what the program believes without runs.
    void theRecordIsOfTheseConstants()
    {
        const CalibrationDocument document = CalibrationDocument::builtIn();
        const auto json = nlohmann::json::parse(document.text());
        for (const auto& [task, section] :
             {std::pair(trainingFitTask(), "training"), std::pair(inferenceFitTask(), "inference")}) {
            std::set<std::string> recorded;
            for (const auto& row : json[section]["fit"]["factors"]) {
                const auto path = row["constant"].get<std::string>();
                const auto factor = std::ranges::find(task.factors, path, &FittedFactor::path);
                QVERIFY2(factor != task.factors.end(), path.c_str());
                QVERIFY2(factor->prior == row["prior"].get<double>(), path.c_str());
                QVERIFY2(document.number(path) == row["value"].get<double>(), path.c_str());
                recorded.insert(path);
            }
            QVERIFY(recorded.size() + 20 > task.factors.size()); // few are moved by no run
        }
    }
};
HEADROOM_TEST(TestCalibrate)

} // namespace headroom::test_calibrate
#include "test_calibrate.moc"
