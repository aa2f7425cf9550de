// SPDX-License-Identifier: GPL-3.0-or-later
// What the sequences in flight hold of the cache where their lengths differ.
#include "core/predict/inference/inference_lengths.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <string>

namespace headroom::test_held_tokens
{

using inference::heldTokens;
using test::near;
using test::serving;

namespace
{

InferenceWorkload mixed(const RequestClass& one, const RequestClass& other)
{
    InferenceWorkload w;
    w.mix = RequestMix{{one, other}, 2};
    w.promptTokens = std::llround(w.mix->meanPrompt());
    w.outputTokens = std::llround(w.mix->meanOutput());
    return w;
}

} // namespace

class TestHeldTokens : public QObject
{
    Q_OBJECT
private slots:
    /// Half the requests ask for 1,000 tokens about 8,000, half for 10 about 100: of 101 in flight 100 are of the long
    /// kind, not half. By hand: (1000·9000 + 10·110) ÷ 1010.
    void longAnswersAreThereLonger()
    {
        InferenceWorkload w = mixed({0.5, 8000, 1000}, {0.5, 100, 10});
        QVERIFY2(near(heldTokens(w), (1000.0 * 9000 + 10.0 * 110) / 1010), std::to_string(heldTokens(w)).c_str());
        // All of a static batch are there until it ends.
        w.scheduling = Scheduling::Static;
        QVERIFY(near(heldTokens(w), 4050 + 505));
    }

    /// One length: a request's whole. Answers as exponential ones are met, half written, at their mean length; with a
    /// variation of 2 at five times it, half written: more than the whole of the mean one.
    void answersThatSpreadAreMetAtMoreThanTheirMean()
    {
        InferenceWorkload w;
        w.promptTokens = 1000;
        w.outputTokens = 200;
        QVERIFY(near(heldTokens(w), 1200));
        w.outputTokensCv = 1;
        QVERIFY(near(heldTokens(w), 1200));
        w.outputTokensCv = 2;
        QVERIFY2(near(heldTokens(w), 1000 + 200 * 2.5), std::to_string(heldTokens(w)).c_str());
    }

    /// The largest batch is counted with those: long documents with long answers beside small talk said twice as many.
    void theLargestBatchHoldsThem()
    {
        const auto most = [](const std::function<void(Scenario&)>& change) {
            return *evaluate(serving("llama-3.1-8b", "h100-sxm-80gb", 1, change)).maxBatch;
        };
        const double mix = most([](Scenario& s) {
            const InferenceWorkload w = mixed({0.5, 8000, 1000}, {0.5, 100, 10});
            s.inference.mix = w.mix;
            s.inference.promptTokens = w.promptTokens;
            s.inference.outputTokens = w.outputTokens;
        });
        const double longOnes = most([](Scenario& s) {
            s.inference.promptTokens = 8000;
            s.inference.outputTokens = 1000;
        });
        QVERIFY2(mix >= longOnes && mix < 1.03 * longOnes, std::to_string(mix / longOnes).c_str());
    }
};
HEADROOM_TEST(TestHeldTokens)

} // namespace headroom::test_held_tokens
#include "test_held_tokens.moc"
