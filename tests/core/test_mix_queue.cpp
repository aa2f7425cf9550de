// SPDX-License-Identifier: GPL-3.0-or-later
// Classes of requests side by side: passes that read long prompts last longer, and attention sees pairs of tokens.
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/near.hpp"
#include "tests/support/pass_simulation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <fmt/format.h>

namespace headroom::test_mix_queue
{

using test::near;
using test::serving;

namespace
{

/// Llama 3.1 8B on one H100.
PreparedScenario mixed(const RequestMix& mix, const std::function<void(Scenario&)>& change = {})
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.batch = 256;
        s.inference.mix = mix;
        s.inference.promptTokens = std::llround(mix.meanPrompt());
        s.inference.outputTokens = std::llround(mix.meanOutput());
        if (change)
            change(s);
    });
}

RequestMix two(double share, RequestClass a, RequestClass b)
{
    a.share = share;
    b.share = 1 - share;
    return {{a, b}, 2};
}

} // namespace

class TestMixQueue : public QObject
{
    Q_OBJECT
private slots:
    /// By hand: of 8,000 and 100 tokens in equal shares, mean 4,050, the squares are 32.005 million in the mean, 1.9512
    /// times the mean's.
    void pairsOfTokensAreThoseOfTheClasses()
    {
        InferenceWorkload w;
        w.mix = two(0.5, {0, 8000, 100}, {0, 100, 1000});
        w.promptTokens = 4050;
        QVERIFY(near(inference::mixedPrompts(w).longer, 32.005e6 / (4050.0 * 4050), 1e-12));
        QCOMPARE(inference::mixedPrompts(w).cached, 0.0);
        // 90 % are in the cache: as much less of each, and those before a token that is computed are 0.9 of 7,902.
        w.prefixHitRate = 0.9;
        QVERIFY(near(inference::mixedPrompts(w).longer, 32.005e6 / (4050.0 * 4050), 1e-12));
        QVERIFY(near(inference::mixedPrompts(w).cached, 0.9 * 32.005e6 / 4050, 1e-12));
        w.mix.reset();
        QCOMPARE(inference::mixedPrompts(w).longer, 1.0);
        QVERIFY(near(inference::mixedPrompts(w).cached, 0.9 * 4050, 1e-12));
    }

    /// A prompt of a mix takes what those of its classes take in the mean, where all of them fill the device. It took
    /// what one of mean length does, 0.97 of it.
    void aPromptTakesTheMeanOfItsClasses()
    {
        const PreparedScenario s = mixed(two(0.5, {0, 8000, 100}, {0, 2000, 100}));
        const inference::Machine m = inference::makeMachine(s, false);
        const auto alone = [&](std::int64_t prompt) {
            PreparedScenario one = s;
            one.inference.mix.reset();
            one.inference.promptTokens = prompt;
            return inference::promptsTime(one, m, 1);
        };
        QVERIFY(near(inference::promptsTime(s, m, 1), (alone(8000) + alone(2000)) / 2, 0.01));
        const double ratio = alone(5000) / inference::promptsTime(s, m, 1);
        QVERIFY2(ratio < 0.98, std::to_string(ratio).c_str());
    }

    /// Mean TTFT, that of each class, TPOT and the answers in hand against passes one by one. TTFT was as little as
    /// 0.73 of it, that of the short class 0.71, TPOT 0.8.
    /// Beside weights that come from the host the short prompt takes as long as the reading, and the mean one no
    /// longer.
    void theMeanIsThatOfTheClasses()
    {
        for (const double hostGb : {0.0, 4.0, 20.0}) {
            PreparedScenario p = test::serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.batch = 16;
                s.inference.requestsPerS = 0.5;
                if (hostGb > 0)
                    s.inference.hostWeightsGb = hostGb;
                RequestMix& mix = s.inference.mix.emplace();
                mix.count = 2;
                mix.all[0] = {0.5, 100, 100};
                mix.all[1] = {0.5, 8000, 100};
            });
            const Evaluation e = evaluate(p);
            const auto classes = e.mix->classes();
            QVERIFY(test::near(*e.ttftS, (classes[0].ttftS + classes[1].ttftS) / 2));
            QVERIFY(test::near(*e.requestLatencyS, (classes[0].latencyS + classes[1].latencyS) / 2));
        }
    }

    void aMixIsThatOfTheEnginesPasses()
    {
        for (const RequestMix& mix :
             {two(0.5, {0, 8000, 100}, {0, 100, 1000}), two(0.2, {0, 8000, 100}, {0, 100, 1000}),
              two(0.8, {0, 8000, 100}, {0, 100, 1000}), two(0.5, {0, 4000, 50}, {0, 500, 200}),
              two(0.1, {0, 8000, 50}, {0, 500, 200})})
            for (const double load : {0.3, 0.6, 0.85}) {
                PreparedScenario s = mixed(mix);
                s.inference.requestsPerS = load * *evaluate(s).requestsPerS;
                const test::Lengths draw = test::classes(7, mix);
                const auto seen = test::simulatePasses(s, {*s.inference.requestsPerS}, 20000, [&] {
                    const auto [prompt, output] = draw();
                    return test::RequestSize{std::round(prompt * mix.meanPrompt()),
                                             std::round(output * mix.meanOutput())};
                });
                const Evaluation e = evaluate(s);
                const double engineS = s.calibration->inference.profiles[0][0].firstTokenS; // not in the passes
                const double waitS = *e.queue->meanWaitS - engineS, ttftS = *e.ttftS + waitS;
                const double longS = e.mix->all[0].ttftS + waitS, shortS = e.mix->all[1].ttftS + waitS;
                const std::string text = fmt::format(
                    "{} of {}/{} at {}: TTFT {:.4f} of {:.4f}, of the long {:.4f} of {:.4f}, of the short {:.4f} of "
                    "{:.4f}, TPOT {:.5f} of {:.5f}, answers {:.1f} of {:.1f}",
                    mix.all[0].share, mix.all[0].promptTokens, mix.all[0].outputTokens, load, ttftS, seen.ttftS, longS,
                    seen.ttftOf.rbegin()->second, shortS, seen.ttftOf.begin()->second, *e.tpotS, seen.tpotS, e.batch,
                    seen.answers);
                QVERIFY2(near(ttftS, seen.ttftS, 0.08), text.c_str());
                QVERIFY2(near(longS, seen.ttftOf.rbegin()->second, 0.08), text.c_str());
                QVERIFY2(near(shortS, seen.ttftOf.begin()->second, 0.1), text.c_str());
                QVERIFY2(near(*e.tpotS, seen.tpotS, 0.06), text.c_str());
                QVERIFY2(near(e.batch, seen.answers, 0.06), text.c_str());
            }
    }

    /// The late prompt is one of its length, whatever the others are.
    void aLatePromptIsOfOneClass()
    {
        PreparedScenario s = mixed(two(0.5, {0, 8000, 100}, {0, 100, 1000}),
                                   [](Scenario& x) { x.inference.targetPercentile = TargetPercentile::P95; });
        s.inference.requestsPerS = 0.01;
        const Evaluation e = evaluate(s);
        QCOMPARE(e.tail->promptTokens, 8000.0);
        QVERIFY(near(*e.tail->ttftS - *e.tail->waitS, e.mix->all[0].ttftS, 1e-9));
    }
};
HEADROOM_TEST(TestMixQueue)

} // namespace headroom::test_mix_queue
#include "test_mix_queue.moc"
