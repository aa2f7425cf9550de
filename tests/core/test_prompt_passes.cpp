// SPDX-License-Identifier: GPL-3.0-or-later
// Passes that read prompts and the caches before them, computed by hand: dealt prompts, windows, latents, states.
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

using namespace inference;
using test::serving;

namespace
{

bool near(double a, double b)
{
    return std::abs(a / b - 1) < 1e-9;
}

} // namespace

class TestPromptPasses : public QObject
{
    Q_OBJECT
private slots:
    /// One prompt on eight ranks of attention data lays an eighth of the experts' work on each that eight prompts lay.
    void expertsMeetThePromptsThatAreThere()
    {
        const PreparedScenario p = serving("deepseek-v3", "gb300", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.parallelism.attentionData = s.parallelism.expert = 8;
            s.inference.promptTokens = 4000;
            s.inference.scheduling = Scheduling::Continuous;
        });
        const Machine bound = makeMachine(p, true);
        const LayerKind& kind = *std::ranges::find(p.model->kinds, true, &LayerKind::hasMoe);
        // Eight chosen of 256, of which each rank holds 32: of 32,000 tokens as many rows.
        const double routed = 58 * 2 * 32000.0 * kind.expertWeights * bound.experts.perFlop;
        const double one = prefillPass(p, bound, 1).computeS, eight = prefillPass(p, bound, 8).computeS;
        QVERIFY(near(eight - one, routed * 7 / 8));
        // Who is alone sees that pass, whoever else is served.
        const Machine m = makeMachine(p, false);
        const Engine engine(p, m);
        Serving few, many;
        engine.serve(1, few);
        engine.serve(64, many);
        QCOMPARE(many.ttftAloneS, few.ttftAloneS);
        QCOMPARE(*few.ttftAloneS, firstTokenAlone(p, m));
        QVERIFY(few.prefillS < 0.8 * many.prefillS);
        QCOMPARE(few.prefillPrompts, 1.0);
        QCOMPARE(many.prefillPrompts, 8.0);
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestPromptPasses)
#include "test_prompt_passes.moc"
