// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/loss_ladder.hpp"

#include "core/charts/chart_registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_loss_ladder
{
namespace
{

double sum(const LossLadder& ladder)
{
    double lost = 0;
    for (const LossStep& step : ladder.steps)
        lost += step.share;
    return lost;
}

double share(const LossLadder& ladder, std::string_view name)
{
    for (const LossStep& step : ladder.steps)
        if (step.name == name)
            return step.share;
    return -1;
}

/// A step of 10 s on one device of 100 FLOP/s and 10 bytes/s: 400 useful FLOP, 60 of them in attention.
struct ByHand {
    PreparedScenario prepared;
    Evaluation evaluation;
    std::vector<OperatorCost> operators;

    ByHand()
    {
        test::RandomScenarios scenarios(3);
        prepared = scenarios.next(Task::Training);
        prepared.measured = {}; // no peak of a source's own
        prepared.hardware.count = 1;
        prepared.training.expertImbalance = 1;
        evaluation.peakFlops = 100;
        evaluation.memoryBandwidth = 10;
        evaluation.flops.model = 400;
        evaluation.flops.attention = 20; // forward; three times that in a step
        evaluation.mfu = 0.4;
        evaluation.part(TimePart::Matmul) = 6;
        evaluation.part(TimePart::Attention) = 1;
        evaluation.part(TimePart::Recompute) = 2;
        evaluation.part(TimePart::Host) = 1;
        // 340 FLOP take 3.4 s; 50 bytes take 5 s: 1.6 s of traffic beyond the FLOP, 1 s is the kernel's own.
        operators = {{"feed-forward", TimePart::Matmul, 340, 50, 6, DataType::Bf16}};
    }
};

} // namespace

class TestLossLadder : public QObject
{
    Q_OBJECT
private slots:
    void stepsByHand()
    {
        const ByHand hand;
        const LossLadder ladder = lossLadder(hand.prepared, hand.evaluation, hand.operators);
        const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
        QVERIFY(near(share(ladder, "memory traffic"), 0.16));
        QVERIFY(near(share(ladder, "matmul shape"), 0.10));
        QVERIFY(near(share(ladder, "attention kernel"), 0.04));
        QVERIFY(near(share(ladder, "recomputation"), 0.2));
        QVERIFY(near(share(ladder, "host"), 0.1));
        QVERIFY(near(share(ladder, "counting"), 0));
        QVERIFY(!ladder.observed && !ladder.unexplained);
    }

    void aConventionThatCountsMoreIsAStepOfItsOwn()
    {
        ByHand hand;
        hand.evaluation.mfu = 0.44;
        const LossLadder ladder = lossLadder(hand.prepared, hand.evaluation, hand.operators);
        QVERIFY(std::abs(share(ladder, "counting") + 0.04) < 1e-12);
        QVERIFY(std::abs(1 - sum(ladder) - 0.44) < 1e-12);
    }

    void whatIsMeasuredAndNotPredictedIsUnexplained()
    {
        ByHand hand;
        hand.evaluation.observed.emplace().mfu = 0.3;
        const LossLadder ladder = lossLadder(hand.prepared, hand.evaluation, hand.operators);
        QCOMPARE(ladder.observed, std::optional(0.3));
        QVERIFY(std::abs(*ladder.unexplained - 0.1) < 1e-12);
    }

    /// What a calibration of one's own was fitted to is its step, no matmul's shape; nor is its value predicted.
    void aCalibrationOfOnesOwnIsAStepOfItsOwn()
    {
        Scenario scenario;
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.hardware.count = 8;
        ChartContext context;
        context.scenario = prepare(scenario, Catalog::builtIn(), Calibration::builtIn()).value();
        context.evaluation = evaluate(context.scenario);
        const auto bar = [](const ChartSpec& spec, std::string_view name) -> std::optional<Point> {
            for (const Tick& tick : spec.x.ticks)
                for (const Series& series : spec.series)
                    for (const Point& point : series.points)
                        if (tick.label == name && point.x == tick.position)
                            return point;
            return std::nullopt;
        };
        const ChartSpec builtIn = chartRow("loss_ladder")->build(context);
        QVERIFY(bar(builtIn, "predicted") && !bar(builtIn, "own calibration") && !bar(builtIn, "calibrated"));
        context.scenario.efficiency.matmul = 0.8;
        context.scenario.measured.stepTimeS = *evaluate(context.scenario).stepTimeS;
        context.evaluation = evaluate(context.scenario);
        const ChartSpec own = chartRow("loss_ladder")->build(context);
        QVERIFY(!bar(own, "predicted"));
        QCOMPARE(bar(own, "matmul shape")->y, bar(builtIn, "matmul shape")->y);
        QCOMPARE(*bar(own, "own calibration")->base, bar(builtIn, "predicted")->y);
        QCOMPARE(bar(own, "own calibration")->y, *context.evaluation.mfu);
        QCOMPARE(bar(own, "calibrated")->y, *context.evaluation.mfu);
        QVERIFY(std::abs(bar(own, "observed")->y - *context.evaluation.mfu) < 1e-9);
        QVERIFY2(own.reading.find("; measured: ") != std::string::npos, own.reading.c_str());

        // What tokens a second observe leaves out the prompts' time, which the calibration in force expects.
        context.scenario = prepare(scenario, Catalog::builtIn(), Calibration::builtIn()).value();
        context.scenario.task = Task::Inference;
        context.scenario.inference.batch = 32;
        context.scenario.inference.scheduling = Scheduling::Static;
        context.scenario.measured.tokensPerS = 0.8 * *evaluate(context.scenario).tokensPerS;
        context.scenario.efficiency.prefill = 0.5;
        context.evaluation = evaluate(context.scenario);
        QVERIFY(context.evaluation.observed->mfu);
        QCOMPARE(bar(chartRow("loss_ladder")->build(context), "observed")->y, *context.evaluation.observed->mfu);
    }

    void addsUpForEveryScenario()
    {
        test::RandomScenarios scenarios(5);
        for (int i = 0; i < 500; ++i) {
            const PreparedScenario prepared = scenarios.next(i % 2 == 0 ? Task::Training : Task::Inference);
            const Evaluation e = evaluate(prepared);
            const LossLadder ladder = lossLadder(prepared, e, operatorCosts(prepared));
            if (!e.mfu)
                continue;
            QVERIFY(std::abs(1 - sum(ladder) - *e.mfu) < 1e-12 * std::max(1.0, *e.mfu));
            for (const LossStep& step : ladder.steps)
                QVERIFY(std::isfinite(step.share) && !step.name.empty());
        }
    }
};
HEADROOM_TEST(TestLossLadder)

} // namespace headroom::test_loss_ladder
#include "test_loss_ladder.moc"
