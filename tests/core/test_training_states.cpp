// SPDX-License-Identifier: GPL-3.0-or-later
// What states of the parameters take beside those of Megatron, ZeRO and FSDP with AdamW: bytes by hand.
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_update.hpp"
#include "tests/support/near.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom
{

using test::near;
using test::planOf;
using test::shardedCase;

class TestTrainingStates : public QObject
{
    Q_OBJECT

private slots:
    /// Without a master copy moments have the weights' 16 bit. Those of 8 bit do not shrink to four: bitsandbytes'
    /// Adam8bit keeps a byte of each of the two, whatever the weights are.
    void momentsOfEightBitAreNotHalved()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 1, Sharding::None);
        p.training.masterWeights = MasterWeights::None;
        const double n = p.model->parameters.total;
        const auto bytes = [&](Optimizer optimizer) {
            p.training.optimizer = optimizer;
            return evaluate(p).part(MemoryPart::Optimizer) / n;
        };
        const auto moved = [&](Optimizer optimizer) {
            p.training.optimizer = optimizer;
            const TrainingPlan plan = planOf(p);
            return optimizerWork(plan, stageParameters(plan, 0)).bytes / n;
        };
        QVERIFY(near(bytes(Optimizer::AdamW), 4) && near(bytes(Optimizer::Muon), 2));
        QVERIFY2(near(bytes(Optimizer::AdamW8bit), 2), std::to_string(bytes(Optimizer::AdamW8bit)).c_str());
        QCOMPARE(bytes(Optimizer::Sgd), 0.0);
        QVERIFY(near(moved(Optimizer::AdamW), 6 + 2 * 4) && near(moved(Optimizer::AdamW8bit), 6 + 2 * 2));
        p.training.precision = DataType::Fp32; // the weights are their own master copy
        QVERIFY(near(bytes(Optimizer::AdamW), 8) && near(bytes(Optimizer::AdamW8bit), 2));
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestTrainingStates)
#include "test_training_states.moc"
