// SPDX-License-Identifier: GPL-3.0-or-later
// Measured runs that cannot be what their scenario says, and fits that do not learn from them.
#include "core/fit/fit_report.hpp"
#include "core/validation/validation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_run_doubt
{

class TestRunDoubt : public QObject
{
    Q_OBJECT

    static PreparedScenario measured(const char* model, std::int64_t batch, double tpot, Scheduling scheduling)
    {
        PreparedScenario p = test::serving(model, "h100-sxm-80gb", 1, [&](Scenario& s) {
            s.inference.batch = batch;
            s.inference.promptTokens = 8192;
            s.inference.outputTokens = 1024;
            s.inference.scheduling = scheduling;
        });
        p.measured.tpotS = tpot;
        return p;
    }
    static RunDoubt doubt(const PreparedScenario& p) { return validateRun("x-1", "s", p).doubt; }
    static bool learntFrom(const PreparedScenario& p)
    {
        FitTask task = inferenceFitTask();
        task.factors.clear();
        return FitProblem(task, CalibrationDocument::builtIn(), {{"x-1", "x", p}}).runs().size() == 1;
    }

private slots:
    void whatCannotBeIsFlagged()
    {
        const auto of = [](const char* model, std::int64_t batch, double tpot, Scheduling scheduling) {
            return doubt(measured(model, batch, tpot, scheduling));
        };
        QCOMPARE(of("llama-3-8b", 8, 0.05, Scheduling::Continuous), RunDoubt::None);
        QCOMPARE(of("llama-3-8b", 8, 1e-4, Scheduling::Continuous), RunDoubt::TooFast);
        QCOMPARE(of("llama-3-70b", 1, 0.5, Scheduling::Continuous), RunDoubt::Weights); // 141 GB on 80
        // 8,704 tokens of 128 KiB are 1.1 GB: beside 16 GB of weights some 55 requests, not 100.
        QCOMPARE(of("llama-3-8b", 100, 0.05, Scheduling::Continuous), RunDoubt::Queues);
        QCOMPARE(of("llama-3-8b", 100, 0.05, Scheduling::Static), RunDoubt::None); // runs in waves
    }

    void aRunThatFailedIsBelieved()
    {
        PreparedScenario p = measured("llama-3-70b", 1, 0.5, Scheduling::Continuous);
        p.measured.outOfMemory = true;
        QCOMPARE(doubt(p), RunDoubt::None);
        p.measured = {};
        QCOMPARE(doubt(p), RunDoubt::None); // nothing was measured
    }

    void noFitLearnsFromIt()
    {
        QVERIFY(learntFrom(measured("llama-3-8b", 8, 0.05, Scheduling::Continuous)));
        QVERIFY(!learntFrom(measured("llama-3-8b", 8, 1e-4, Scheduling::Continuous)));
        QVERIFY(!learntFrom(measured("llama-3-70b", 1, 0.5, Scheduling::Continuous)));
    }

    /// One figure may be of something else than the run: the first token of a series that compiled its kernels
    /// meanwhile.
    void noFitLearnsFromAFigureThatANoteNames()
    {
        PreparedScenario p = measured("llama-3-8b", 8, 0.05, Scheduling::Continuous);
        p.measured.ttftS = 9.0;
        FitTask task = inferenceFitTask();
        task.factors.clear();
        const auto figures = [&](const char* name) {
            return FitProblem(task, CalibrationDocument::builtIn(), {{name, "aic-silicon", p}}).samples().size();
        };
        QCOMPARE(figures("aic-silicon-3089"), std::size_t(1));
        QCOMPARE(figures("aic-silicon-3090"), std::size_t(2));
        const std::vector<ValidationRun> runs{validateRun("aic-silicon-3089", "s", p)};
        const auto groups = groupRuns(runs);
        QVERIFY(validationMarkdown(runs, groups, {}, ValidationTables::All).find("were compiled") != std::string::npos);
        QVERIFY(validationText(runs, groups).find("cannot be: aic-silicon-3089 ttft_s: ") != std::string::npos);
        QCOMPARE(runs[0].figures.size(), std::size_t(2)); // counted all the same
    }

    void thePageNamesIt()
    {
        const std::vector<ValidationRun> runs{
            validateRun("x-1", "s", measured("llama-3-70b", 1, 0.5, Scheduling::Continuous))};
        const auto groups = groupRuns(runs);
        QVERIFY(validationMarkdown(runs, groups, {}, ValidationTables::All)
                    .find("the weights are larger than the memory: `x-1`") != std::string::npos);
        QVERIFY(validationText(runs, groups).find("cannot be: x-1: the weights") != std::string::npos);
        QVERIFY(validationJson(runs, groups).find("\"doubt\"") != std::string::npos);
    }
};
HEADROOM_TEST(TestRunDoubt)

} // namespace headroom::test_run_doubt
#include "test_run_doubt.moc"
