// SPDX-License-Identifier: GPL-3.0-or-later
// The copies of logits that a release of Transformers makes.
#include "core/predict/training/training_memory.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_training_logits
{

using test::near;
using test::planOf;
using test::trainingCase;

namespace
{

double tensors(const Evaluation& e)
{
    return e.deviceBytes - e.part(MemoryPart::Overhead);
}

} // namespace

class TestTrainingLogits : public QObject
{
    Q_OBJECT
private slots:
    /// fms-acceleration's tables of adapters on Mistral 7B: eight sequences of 4,096 tokens take 10.990 GB more than
    /// four with Transformers 4.45.2 and 12.038 with 4.48.1, 2.00 bytes for each of 524,288,000 logits. Beside the
    /// logits three hidden states and the inputs of 32 layers are there, of which the three are not counted.
    void releasesOfTransformersCopyTheirLogitsOtherwise()
    {
        PreparedScenario p = trainingCase("mistral-7b-v0.1", "a100-sxm-80gb");
        p.training.software = TrainingSoftware::Transformers;
        p.training.method = Method::Lora;
        p.training.checkpointing = Checkpointing::Full;
        p.training.sequenceLength = 4096;
        p.training.chunkedLoss = false;
        const auto ofFour = [&](std::string_view version) {
            p.training.softwareVersion = SoftwareVersion::from(version);
            const auto bytes = [&](std::int64_t sequences) {
                p.training.microBatch = p.training.globalBatch.emplace(sequences);
                return tensors(evaluate(p));
            };
            return bytes(8) - bytes(4);
        };
        const double logits = 4.0 * 4096 * 32000;
        QVERIFY(near(ofFour("4.45.2"), 10.990e9, 0.04) && near(ofFour("4.48.1"), 12.038e9, 0.04));
        QVERIFY(near(ofFour("4.48.1") - ofFour("4.45.2"), 2 * logits));
        QVERIFY(near(ofFour("4.45.2") - ofFour("4.49.0"), 2 * logits)); // labels are shifted, logits not
        QVERIFY(near(ofFour("4.46.0"), ofFour("4.48.3")) && near(ofFour("5.0.0"), ofFour("4.49.0")));
        p.training.softwareVersion.reset();
        QCOMPARE(planOf(p).profile.logitBytes,
                 p.calibration->training.profile(TrainingSoftware::Transformers).logitBytes);
        p.training.software = TrainingSoftware::LitGpt; // its releases are others
        p.training.softwareVersion = SoftwareVersion::from("0.5");
        QCOMPARE(planOf(p).profile.logitBytes, p.calibration->training.profile(TrainingSoftware::LitGpt).logitBytes);
    }
};
HEADROOM_TEST(TestTrainingLogits)

} // namespace headroom::test_training_logits
#include "test_training_logits.moc"
