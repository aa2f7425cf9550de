// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements that no run can have made: said, with the likeliest cause, and kept out of everything else.
#include "core/charts/chart_registry.hpp"
#include "core/comparison/comparison.hpp"
#include "core/explain/derive.hpp"
#include "core/fit/user_fit.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/predict/impossible.hpp"
#include "core/runs/nearest_runs.hpp"
#include "tests/support/compared.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_impossible
{

using test::serving;
using test::trainingCase;

class TestImpossible : public QObject
{
    Q_OBJECT

    static PreparedScenario training() { return trainingCase("llama-3-8b", "h100-sxm-80gb", 8); }
    static ChartContext contextOf(const PreparedScenario& p)
    {
        ChartContext context;
        context.scenario = p;
        context.evaluation = evaluate(p);
        return context;
    }
    static std::string warning(const PreparedScenario& p)
    {
        const Evaluation e = evaluate(p);
        constexpr auto code = WarningCode::FasterThanIdeal;
        return e.warnings.has(code) ? warningText(code, e.warnings.number(code), p) : std::string();
    }

private slots:
    void trainingFasterThanLightIsImpossible()
    {
        PreparedScenario p = training();
        p.measured.stepTimeS = 1e-3;
        const Evaluation e = evaluate(p);
        QVERIFY(e.observed && e.observed->impossible && !e.credible());
        p.measured.stepTimeS = 5;
        QVERIFY(evaluate(p).credible());
        QVERIFY(warning(p).empty());
    }

    /// No number of times is told where it would be endless.
    void farBeyondTheSpeedOfLightIsOverAMillionTimes()
    {
        PreparedScenario p = training();
        p.measured.stepTimeS = 1e-12;
        QVERIFY(warning(p).find("over a million times faster") != std::string::npos);
    }

    /// At the speed of light itself a measurement can be; just beyond it cannot.
    void theSpeedOfLightIsTheLimit()
    {
        PreparedScenario p = training();
        p.efficiency.base = EfficiencyBase::Ideal;
        const double ideal = *evaluate(p).stepTimeS;
        p.efficiency = {};
        p.measured.stepTimeS = ideal * 1.0001;
        QVERIFY(evaluate(p).credible());
        p.measured.stepTimeS = ideal * 0.999;
        QVERIFY(!evaluate(p).credible());
    }

    void servingFasterThanLightIsImpossible()
    {
        const auto at = [](double tpot) {
            return evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) { s.measured.tpotS = tpot; }));
        };
        QVERIFY(at(1e-3).observed->impossible);
        QVERIFY(at(10e-3).credible());
        const auto share = [](double mbu) {
            return evaluate(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) { s.measured.mbu = mbu; }));
        };
        QVERIFY(share(0.9).credible());
        QVERIFY(share(1.3).observed->impossible);
    }

    /// Whatever batch memory decides: a token takes its FLOP, and at least as long as a lone one; a prompt is read no
    /// sooner than alone, and no GPU moves more than its memory can.
    void noBatchBeatsTheSpeedOfLight()
    {
        const auto with = [](const auto& change) {
            return evaluate(serving("llama-3-70b", "h100-sxm-80gb", 8, [&](Scenario& s) {
                s.parallelism.tensor = 8;
                s.inference.batchMax = true;
                change(s);
            }));
        };
        const auto rate = [&](double tokensPerS) {
            return with([&](Scenario& s) { s.measured.tokensPerS = tokensPerS; });
        };
        constexpr double peak = 8 * 989.4e12, perToken = 2 * 70.6e9;
        QVERIFY(rate(0.3 * peak / perToken).credible());
        QVERIFY(rate(1.1 * peak / perToken).observed->impossible);
        const auto token = [&](double s) { return with([&](Scenario& x) { x.measured.tpotS = s; }); };
        constexpr double read = 2 * 69e9 / (8 * 3350e9); // the weights once
        QVERIFY(token(3 * read).credible());
        QVERIFY(token(0.9 * read).observed->impossible);
        for (const std::int64_t batch : {1, 4}) {
            const auto first = [&](double s) {
                return with([&](Scenario& x) {
                    x.inference.batchMax = false;
                    x.inference.batch = batch;
                    x.measured.ttftS = s;
                });
            };
            QVERIFY(first(0.1).credible());
            QVERIFY(first(0.9 * 1024 * perToken / peak).observed->impossible);
        }
        const auto moved = [&](double gbPerS) {
            return with([&](Scenario& x) { x.measured.achievedBandwidthGbPerS = gbPerS; });
        };
        QVERIFY(moved(3000).credible());
        QVERIFY(moved(3400).observed->impossible);
    }

    /// 150 % of a peak of 300 TFLOP/s: the GPU could, and the source contradicts itself.
    void nothingIsMoreThanItsOwnPeak()
    {
        PreparedScenario p = training();
        p.accounting = Convention::Exact;
        p.measured.mfu = 1.5;
        p.measured.peakTflops = 300;
        QVERIFY(!evaluate(p).credible());
        QVERIFY2(warning(p).find("too small") != std::string::npos, warning(p).c_str());
        p.measured.mfu = 0.5;
        QVERIFY(evaluate(p).credible());
    }

    /// More bytes than there is bandwidth were not moved: the count is of other experts than the prompts met.
    void nothingThatIsShownPassesTheBandwidth()
    {
        for (const double tpot : {0.0125, 0.0129, 0.0133, 0.0137}) {
            const Evaluation e = evaluate(serving("mixtral-8x7b", "h100-sxm-80gb", 2, [&](Scenario& s) {
                s.inference.batch = 16;
                s.measured.tpotS = tpot;
            }));
            QVERIFY(e.observed->impossible || e.observed->mbu.value_or(0) <= 1);
        }
    }

    void theCauseIsNamed()
    {
        PreparedScenario p = training();
        p.measured.tokensPerSPerGpu = 8 * 12000;
        QVERIFY2(warning(p).find("of all GPUs, not of each") != std::string::npos, warning(p).c_str());
        p.measured = {};
        p.measured.mfu = 0.8;
        p.measured.peakTflops = 1979;
        QVERIFY2(warning(p).find("sparsity") != std::string::npos, warning(p).c_str());
        p.measured = {};
        p.training.globalBatch = 64;
        p.measured.stepTimeS = *evaluate(p).stepTimeS / 8;
        QVERIFY2(warning(p).find("one micro-batch") != std::string::npos, warning(p).c_str());
        p.measured = {};
        p.measured.tokensPerS = 1e9;
        QVERIFY2(warning(p).find("more GPUs") != std::string::npos, warning(p).c_str());
        const PreparedScenario s =
            serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& x) { x.measured.tpotS = 1e-4; });
        QVERIFY2(warning(s).find("several tokens") != std::string::npos, warning(s).c_str());
    }

    void nothingElseHearsOfIt()
    {
        PreparedScenario p = training();
        const ChartContext plain = contextOf(p);
        p.measured.stepTimeS = 1e-3;
        const ChartContext impossible = contextOf(p);
        QCOMPARE(impossible.evaluation.conventions, plain.evaluation.conventions);
        for (const ChartRow& chart : chartRegistry())
            if (chart.training)
                QVERIFY2(chart.build(impossible) == chart.build(plain), std::string(chart.id).c_str());
        for (const ComparisonRow& row : test::compared(impossible).rows)
            QVERIFY2(!row.metric->id.starts_with("observed"), std::string(row.metric->id).c_str());
        const Derivation why = derive("observed.mfu", p, impossible.evaluation);
        QVERIFY2(why.meaning.find("impossible") != std::string::npos, why.meaning.c_str());
        QVERIFY(!fitToRuns(std::vector{p}));
        QVERIFY(evaluationJson("x", p, impossible.evaluation, 2).find("\"impossible\": true") != std::string::npos);
    }

    void servingChartsLeaveItOut()
    {
        const auto with = [](double tpot) {
            return contextOf(serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                if (tpot > 0)
                    s.measured.tpotS = tpot;
            }));
        };
        const ChartContext plain = with(0), impossible = with(1e-4);
        for (const ChartRow& chart : chartRegistry())
            if (chart.inference)
                QVERIFY2(chart.build(impossible) == chart.build(plain), std::string(chart.id).c_str());
    }

    void itIsNearToNothing()
    {
        Scenario scenario;
        scenario.measured.stepTimeS = 1e-4;
        auto run = measuredRun(scenario, *prepare(scenario, Catalog::builtIn(), Calibration::builtIn()));
        QVERIFY(run);
        QVERIFY(!runFigure(*run, "mfu", Convention::Standard));
        scenario.measured.stepTimeS = 10;
        run = measuredRun(scenario, *prepare(scenario, Catalog::builtIn(), Calibration::builtIn()));
        QVERIFY(runFigure(*run, "mfu", Convention::Standard));
    }

    /// What is shown beside a user's scenario was possible.
    void thePublishedRunsThatAreShownCanHaveBeen()
    {
        for (const MeasuredRun& run : *publishedRuns())
            QVERIFY2(!run.evaluation.observed->impossible, run.name.c_str());
    }
};
HEADROOM_TEST(TestImpossible)

} // namespace headroom::test_impossible
#include "test_impossible.moc"
