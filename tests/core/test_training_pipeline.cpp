// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines in training, by hand: what a step waits for, what a stage holds and exchanges.
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>

namespace headroom
{

using test::planOf;
using test::trainingCase;

namespace
{

bool near(double a, double b, double tolerance = 1e-9)
{
    return std::abs(a - b) <= tolerance * std::abs(b);
}

/// Llama 3 70B in sixteen stages of five layers.
PreparedScenario sixteenStages(std::int64_t pieces, std::int64_t microBatches)
{
    PreparedScenario p = trainingCase("llama-3-70b", "h100-sxm-80gb", 128);
    p.training.sequenceLength = 8192;
    p.training.globalBatch = microBatches;
    p.parallelism.tensor = 8;
    p.parallelism.pipeline = 16;
    p.parallelism.virtualPipeline = pieces;
    p.parallelism.sharding = Sharding::None;
    return p;
}

} // namespace

class TestTrainingPipeline : public QObject
{
    Q_OBJECT
private slots:
    /// One micro-batch passes all layers one after the other, whatever lies on which stage. Each further one of a round
    /// comes a piece later; from a round of all stages on, the bubble is a piece's share of the plain one.
    void aFewMicroBatchesAreNoFasterInPieces()
    {
        constexpr double pieces = 5;
        const Evaluation one = evaluate(sixteenStages(1, 1));
        const double others = one.part(TimePart::PipelineBubble); // the first micro-batch on the other fifteen
        double pace = 0;                                          // on the slowest
        for (const TimePart part :
             {TimePart::Matmul, TimePart::Attention, TimePart::MemoryBound, TimePart::TensorParallel, TimePart::Host})
            pace += one.part(part);
        QVERIFY(others > 10 * pace);
        for (const double m : {1, 2, 4, 8}) {
            const double bubble = evaluate(sixteenStages(5, std::int64_t(m))).part(TimePart::PipelineBubble);
            const double hand = others + pace + (m - 1) * pace / pieces - m * pace;
            QVERIFY2(near(bubble, hand), std::to_string(bubble / hand).c_str());
        }
        for (const std::int64_t m : {16, 32})
            QVERIFY(near(evaluate(sixteenStages(5, m)).part(TimePart::PipelineBubble), others / pieces));
    }

    /// The same where answers are only read: a pass forward.
    void aFewMicroBatchesAreReadNoFasterInPieces()
    {
        const auto reading = [](std::int64_t pieces) {
            const PreparedScenario p = sixteenStages(pieces, 1);
            const TrainingPlan plan = planOf(p);
            return forwardSeconds(plan) - pipelineSends(plan) / 2;
        };
        QVERIFY2(near(reading(5), reading(1)), std::to_string(reading(5) / reading(1)).c_str());
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestTrainingPipeline)
#include "test_training_pipeline.moc"
