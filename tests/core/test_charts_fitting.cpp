// SPDX-License-Identifier: GPL-3.0-or-later
// Charts speak of what fits in memory; where nothing does, they say what would.
#include "core/charts/chart_registry.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>

namespace headroom::test_charts_fitting
{

class TestChartsFitting : public QObject
{
    Q_OBJECT

    static ChartContext contextOf(Scenario scenario)
    {
        ChartContext context;
        context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        return context;
    }
    static Scenario trained(int gpus, int microBatch)
    {
        Scenario scenario;
        scenario.model.id = "llama-3-70b";
        scenario.hardware.count = gpus;
        scenario.training.microBatch = microBatch;
        scenario.training.checkpointing = Checkpointing::Full;
        return scenario;
    }

private slots:
    /// "To 7.53 h at micro-batch 1k", where 4 is the most that fits.
    void sentencesSpeakOfWhatFits()
    {
        const ChartContext context = contextOf(trained(64, 1));
        const auto curves = curvesOf(context);
        const auto most = lastThatFits(curves->expected);
        QVERIFY(most && *most < curves->expected.back().value);
        for (const char* id : {"step_time", "utilization"}) {
            const std::string told = chartRow(id)->build(context).reading;
            QVERIFY2(told.find("1k") == std::string::npos && told.find("does not fit") == std::string::npos,
                     told.c_str());
        }
        const std::string step = chartRow("step_time")->build(context).reading;
        QVERIFY2(step.find(named(*curves->row, *most)) != std::string::npos, step.c_str());
        // Where nothing fits, all of it is spoken of, and so is that.
        const std::string none = chartRow("step_time")->build(contextOf(trained(8, 4))).reading;
        QVERIFY2(none.ends_with(", which does not fit in memory."), none.c_str());
    }

    /// A sum that stays at the limit while its parts change asks for a word.
    void memoryThatIsSavedIsSpokenOf()
    {
        Scenario scenario;
        scenario.model.id = "llama-3-8b";
        scenario.hardware.count = 32;
        scenario.training.checkpointing = Checkpointing::Full;
        for (const bool saves : {true, false}) {
            scenario.training.software = saves ? TrainingSoftware::TorchFsdp : TrainingSoftware::Megatron;
            const std::string note = chartRow("memory")->build(contextOf(scenario)).note;
            QVERIFY2((note.find("the stack saves memory") != std::string::npos) == saves, note.c_str());
        }
    }

    /// "MFU stays near 42 % whatever the micro-batch", beside a tile of 40 %.
    void aFlatCurveTellsItsRange()
    {
        Scenario scenario;
        scenario.model.id = "llama-3-8b";
        scenario.hardware.count = 64;
        scenario.training.sequenceLength = 8192;
        scenario.training.globalBatch = 256;
        scenario.training.software = TrainingSoftware::TorchFsdp;
        scenario.training.checkpointing = Checkpointing::SelectiveOp;
        const ChartContext context = contextOf(scenario);
        const std::string mfu = chartRow("utilization")->build(context).reading;
        QVERIFY2(
            mfu.starts_with("MFU is " + formatValue(*context.evaluation.mfu, ValueFormat::Percent).number + " to "),
            mfu.c_str());
        const std::string step = chartRow("step_time")->build(context).reading;
        QVERIFY2(step.find(" to " + formatText(*context.evaluation.stepTimeS, ValueFormat::Seconds) + " whatever") !=
                     std::string::npos,
                 step.c_str());
    }

    void idealAndPredictionAreToldApart()
    {
        Scenario serving;
        serving.task = Task::Inference;
        const std::string told = chartRow("utilization")->build(contextOf(serving)).reading;
        QVERIFY2(told.starts_with("At the speed of light, ") &&
                     told.find("; MBU is predicted to reach ") != std::string::npos,
                 told.c_str());
    }

    /// Seven changes were drawn, none of which fits: what fits and the memory that it takes is asked for.
    void whatHelpsWhereItDoesNotFitIsWhatFits()
    {
        const ChartContext context = contextOf(trained(64, 64));
        QVERIFY(!context.evaluation.fits);
        const ChartSpec spec = chartRow("sensitivity")->build(context);
        QCOMPARE(spec.series.front().metric, std::string("memory.used_bytes"));
        for (const Series& series : spec.series)
            for (const Point& bar : series.points)
                QVERIFY(!bar.infeasible && bar.y <= context.evaluation.capacityBytes);
        QCOMPARE(spec.guides.front().y, context.evaluation.capacityBytes);
        // Where a step in reach would not fit, the hatching is explained.
        const ChartSpec fits = chartRow("sensitivity")->build(contextOf(trained(64, 4)));
        const bool hatched = std::ranges::any_of(
            fits.series, [](const Series& series) { return std::ranges::any_of(series.points, &Point::infeasible); });
        QVERIFY(hatched);
        QVERIFY2(fits.note.find("Hatched: does not fit.") != std::string::npos, fits.note.c_str());
    }
};
HEADROOM_TEST(TestChartsFitting)

} // namespace headroom::test_charts_fitting
#include "test_charts_fitting.moc"
