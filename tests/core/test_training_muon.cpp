// SPDX-License-Identifier: GPL-3.0-or-later
// Muon: the Newton-Schulz iterations of a step, by hand, and who does them.
#include "core/predict/training/training_step.hpp"
#include "core/predict/training/training_update.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>

namespace headroom::test_training_muon
{

using test::near;
using test::planOf;
using test::shardedCase;

namespace
{

PreparedScenario muonCase(std::string_view model, std::int64_t count, Sharding sharding)
{
    PreparedScenario p = shardedCase(model, count, sharding);
    p.training.overlapDataParallel = 0;
    p.training.optimizer = Optimizer::Muon;
    return p;
}

/// FLOP of one matrix: five times 2nm² + 2m³ + 2nm².
double matrixFlop(double n, double m)
{
    return 5 * (4 * n * m * m + 2 * m * m * m);
}

/// A layer of Llama 3 8B: queries and output 4096², keys and values 4096 × 1024, three of 14336 × 4096.
double llamaLayerFlop()
{
    return 2 * matrixFlop(4096, 4096) + 2 * matrixFlop(4096, 1024) + 3 * matrixFlop(14336, 4096);
}

double optimizerSeconds(PreparedScenario p, Optimizer optimizer)
{
    p.training.optimizer = optimizer;
    return evaluate(p).part(TimePart::OptimizerStep);
}

} // namespace

class TestTrainingMuon : public QObject
{
    Q_OBJECT
private slots:
    /// They run in bf16, whatever the training computes in: an H100 has 67 TFLOP/s of fp32 and 989 of bf16.
    void theIterationsOfA32BitTrainingRunInBf16()
    {
        PreparedScenario p = muonCase("llama-3-8b", 1, Sharding::None);
        const double narrow = orthogonalWork(planOf(p), 0).seconds;
        for (const DataType wide : {DataType::Fp32, DataType::Tf32}) {
            p.training.precision = wide;
            QVERIFY(near(orthogonalWork(planOf(p), 0).seconds, narrow));
        }
    }

    /// Llama 3 8B: 666 TFLOP an update, which the ranks that share the states share. SGD with momentum keeps as much,
    /// and its update moves as many bytes: what Muon takes beyond it is the iterations.
    void ranksShareTheIterations()
    {
        const PreparedScenario p = muonCase("llama-3-8b", 8, Sharding::Zero1);
        const TrainingPlan plan = planOf(p);
        const Work work = orthogonalWork(plan, 0);
        const double all = 32 * llamaLayerFlop();
        QVERIFY2(all > 6.6e14 && all < 6.7e14, std::to_string(all).c_str());
        QVERIFY2(near(work.flop, all / 8), std::to_string(work.flop / all).c_str());
        QVERIFY(work.seconds > work.flop / (plan.law16.compute * plan.peak16));
        QVERIFY(work.seconds < 1.3 * work.flop / (plan.law16.compute * plan.peak16));
        QVERIFY(near(optimizerSeconds(p, Optimizer::Muon) - optimizerSeconds(p, Optimizer::SgdMomentum), work.seconds,
                     1e-6));
        // Nothing is shared where each rank holds all states.
        const PreparedScenario whole = muonCase("llama-3-8b", 8, Sharding::None);
        QVERIFY(near(orthogonalWork(planOf(whole), 0).flop, all));
        // Stages do their own layers.
        PreparedScenario staged = p;
        staged.parallelism.pipeline = 2;
        QVERIFY(near(orthogonalWork(planOf(staged), 1).flop, all / 2 / 4));
        for (const Optimizer other : {Optimizer::AdamW, Optimizer::Sgd, Optimizer::Adafactor}) {
            PreparedScenario q = p;
            q.training.optimizer = other;
            QCOMPARE(orthogonalWork(planOf(q), 0).seconds, 0.0);
        }
    }

    /// More ranks than matrices share no more: the largest takes 5.5 TFLOP on its rank.
    void aMatrixIsNotDivided()
    {
        const PreparedScenario p = muonCase("llama-3-8b", 4096, Sharding::Zero1);
        QVERIFY(near(orthogonalWork(planOf(p), 0).flop, matrixFlop(14336, 4096)));
    }

    /// Each of eight tensor ranks computes the whole of a matrix, and gathers it: 2 bytes of each weight.
    void tensorRanksComputeTheWhole()
    {
        PreparedScenario p = muonCase("llama-3-8b", 8, Sharding::Zero1);
        p.parallelism.tensor = 8;
        const TrainingPlan plan = planOf(p);
        const Work eight = orthogonalWork(plan, 0);
        QVERIFY(near(eight.flop, 32 * llamaLayerFlop()));
        const Work alone = orthogonalWork(planOf(muonCase("llama-3-8b", 1, Sharding::None)), 0);
        const double weights = 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336);
        QVERIFY(near(eight.seconds - alone.seconds, gatherTime(2 * weights, plan.group(8, 1), plan.links), 1e-6));
    }

    /// FSDP holds slices of every matrix: they are traded for whole ones before the iterations and back after them,
    /// 2 bytes of an eighth of the weights each time, seven eighths of which leave the rank.
    void slicesAreTradedForMatrices()
    {
        const PreparedScenario slices = muonCase("llama-3-8b", 8, Sharding::Fsdp);
        const TrainingPlan plan = planOf(slices);
        const double weights = 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336);
        const double once =
            2 * weights / 8 * 7 / 8 / plan.links.exchange + collectiveStart(plan.shardGroup(), plan.links);
        const double whole = orthogonalWork(planOf(muonCase("llama-3-8b", 8, Sharding::Zero1)), 0).seconds;
        QVERIFY(near(orthogonalWork(plan, 0).seconds - whole, 2 * once, 1e-6));
    }

    /// Mixtral, an expert on each of eight ranks and eight copies of each: three matrices of 14336 × 4096 in 32 layers.
    void copiesOfAnExpertShareIt()
    {
        PreparedScenario p = muonCase("mixtral-8x7b", 64, Sharding::Zero1);
        p.parallelism.expert = 8;
        const double experts = 32 * 3 * matrixFlop(14336, 4096);
        const double attention = 32 * (2 * matrixFlop(4096, 4096) + 2 * matrixFlop(4096, 1024));
        QVERIFY(near(orthogonalWork(planOf(p), 0).flop, attention / 64 + experts / 8));
    }

    /// The author's bound: 5·h/B of a dense model's FLOP, which counts 6nm² an iteration for 6nm a token. At four
    /// million tokens a step it is half a percent of the time.
    void theAuthorsBoundHolds()
    {
        PreparedScenario p = muonCase("llama-3-8b", 64, Sharding::Zero1);
        p.training.globalBatch = 1024;
        const double tokens = 1024.0 * 4096;
        const double model = evaluate(p).flops.model;
        const double share = 64 * orthogonalWork(planOf(p), 0).flop / model;
        QVERIFY2(share < 5 * 4096 / tokens, std::to_string(share).c_str());
        PreparedScenario sgd = p;
        sgd.training.optimizer = Optimizer::SgdMomentum;
        const double more = *evaluate(p).stepTimeS / *evaluate(sgd).stepTimeS - 1;
        QVERIFY2(more > 0 && more < 0.01, std::to_string(more).c_str());
    }

    /// The bound shares everything among all ranks, computes symmetric products once, and moves nothing.
    void theBoundIsBelow()
    {
        for (const std::string_view model : {"llama-3-8b", "deepseek-v3", "deepseek-v4-flash", "nemotron-h-8b"})
            for (const Sharding sharding : {Sharding::None, Sharding::Zero1, Sharding::Fsdp}) {
                PreparedScenario p = muonCase(model, 64, sharding);
                p.parallelism.tensor = 2;
                if (p.model->experts > 0)
                    p.parallelism.expert = 8;
                const Work real = orthogonalWork(planOf(p), 0);
                p.efficiency.base = EfficiencyBase::Ideal;
                const Work least = orthogonalWork(planOf(p), 0);
                QVERIFY(least.seconds > 0 && least.seconds < real.seconds);
                QVERIFY(least.flop < real.flop);
            }
    }
};
HEADROOM_TEST(TestTrainingMuon)

} // namespace headroom::test_training_muon
#include "test_training_muon.moc"
