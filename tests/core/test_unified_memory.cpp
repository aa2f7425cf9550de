// SPDX-License-Identifier: GPL-3.0-or-later
// Accelerators whose memory is their host's: nothing moves out of it to there, and a key that says so is told.
#include "core/predict/key_effects.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_unified_memory
{

using test::serving;

class TestUnifiedMemory : public QObject
{
    Q_OBJECT
private slots:
    void theCatalogueKnowsThem()
    {
        std::size_t known = 0;
        for (const auto& accelerator : test::catalog().accelerators()) {
            QCOMPARE(accelerator->unifiedMemory, accelerator->memoryType.find("(unified)") != std::string::npos);
            known += accelerator->unifiedMemory ? 1 : 0;
        }
        QVERIFY(known > 0);
    }

    /// An H100 moves the moments and the master copy of Llama 3.2 1B to its host, which takes time; a GB10 has nowhere.
    void trainingOffloadsNothing()
    {
        for (const auto offload : {Offload::Optimizer, Offload::Parameters}) {
            for (const auto& [accelerator, unified] : {std::pair("gb10", true), std::pair("h100-sxm-80gb", false)}) {
                PreparedScenario p = test::trainingCase("llama-3.2-1b", accelerator);
                const Evaluation plain = evaluate(p);
                QVERIFY(!plain.warnings.has(WarningCode::KeyWithoutEffect));
                p.training.offload = offload;
                const Evaluation asked = evaluate(p);
                QCOMPARE(asked.usedBytes == plain.usedBytes, unified);
                QCOMPARE(*asked.stepTimeS == *plain.stepTimeS, unified);
                QCOMPARE(asked.warnings.has(WarningCode::KeyWithoutEffect), unified);
                QCOMPARE(keysWithoutEffectText(p).find("offload has no effect: the memory of") == 0, unified);
            }
        }
    }

    /// Unsloth keeps the inputs of checkpointed layers on the host: of Llama 3.2 1B 16 times 2,048 values of 16 bit a
    /// token.
    void checkpointsLeaveForAnotherMemory()
    {
        const auto activations = [](const char* accelerator) {
            PreparedScenario p = test::trainingCase("llama-3.2-1b", accelerator);
            p.training.software = TrainingSoftware::Unsloth;
            p.training.checkpointing = Checkpointing::Full;
            p.training.microBatch = 1;
            p.training.sequenceLength = 4096;
            return evaluate(p).part(MemoryPart::Activations);
        };
        QVERIFY(test::near(activations("gb10") - activations("h100-sxm-80gb"), 16 * 2048 * 2 * 4096.0));
    }

    void servingKeepsItsWeights()
    {
        for (const auto& [accelerator, unified] : {std::pair("gb10", true), std::pair("h100-sxm-80gb", false)}) {
            PreparedScenario p = serving("llama-3-8b", accelerator, 1);
            const Evaluation plain = evaluate(p);
            p.inference.hostWeightsGb = 8;
            const Evaluation asked = evaluate(p);
            QCOMPARE(asked.usedBytes == plain.usedBytes, unified);
            QCOMPARE(*asked.tpotS == *plain.tpotS, unified);
            QCOMPARE(asked.hostWeights.has_value(), !unified);
            QCOMPARE(keysWithoutEffectText(p).find("host_memory has no effect: the memory of") == 0, unified);
            QVERIFY(!asked.warnings.has(WarningCode::HostLinkAssumed));
            p.inference.hostWeightsGb.reset();
            p.inference.tierHostGb = 20;
            QCOMPARE(keysWithoutEffectText(p).find("The cache in host memory takes from") == 0, unified);
        }
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestUnifiedMemory)

} // namespace headroom::test_unified_memory
#include "test_unified_memory.moc"
