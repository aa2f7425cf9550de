// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of the classes of a mix, in any scenario: their places, rates and times beside those of the mean request.
#include "core/explain/derive.hpp"
#include "core/metrics/metric_registry.hpp"
#include "tests/support/near.hpp"
#include "tests/support/physics.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::test_physics_mix
{
namespace
{

constexpr int scenarios = 2000;

/// Half and twice the drawn lengths, in the ratio that keeps the mean near what was drawn; outputs the other way round.
void addClasses(InferenceWorkload& w)
{
    RequestMix mix;
    mix.count = 2;
    mix.all[0] = {0.75, std::max<std::int64_t>(1, w.promptTokens / 2), 2 * w.outputTokens};
    mix.all[1] = {0.25, 2 * w.promptTokens, std::max<std::int64_t>(1, w.outputTokens / 2)};
    w.mix = mix;
    w.promptTokens = std::max<std::int64_t>(1, std::llround(mix.meanPrompt()));
    w.outputTokens = std::max<std::int64_t>(1, std::llround(mix.meanOutput()));
    w.promptTokensP95.reset();
    w.outputTokensP95.reset();
    w.prefixCachedTokens = std::min(w.prefixCachedTokens, w.promptTokens);
}

std::string wrongInMix(const PreparedScenario& drawn)
{
    PreparedScenario p = drawn;
    addClasses(p.inference);
    if (!checkSetup(p).empty())
        return {};
    const Evaluation e = evaluate(p);
    if (!e.mix)
        return "a mix without classes";
    constexpr double slack = 1e-9;
    double tokens = 0, requests = 0, places = 0, seconds = 0, first = 0, last = 0;
    for (const ClassResult& c : e.mix->classes()) {
        if (!(std::isfinite(c.ttftS) && c.ttftS > 0 && std::isfinite(c.latencyS) && c.latencyS >= c.ttftS))
            return fmt::format("a class with TTFT {} and latency {}", c.ttftS, c.latencyS);
        if (std::abs(c.tokensPerS - c.requestsPerS * c.outputTokens) > slack * c.tokensPerS)
            return fmt::format("{} tokens/s of {} requests/s of {} tokens", c.tokensPerS, c.requestsPerS,
                               c.outputTokens);
        tokens += c.tokensPerS;
        requests += c.requestsPerS;
        places += c.inFlight;
        seconds += c.requestsPerS * c.latencyS;
        first = std::max(first, c.ttftS);
        last = std::max(last, c.latencyS);
    }
    const auto differ = [](double a, double b) { return std::abs(a - b) > slack * std::max(std::abs(a), std::abs(b)); };
    const double flight = p.inference.requestsPerS ? seconds : e.batch * e.replicas; // Little's law of a load
    if (differ(tokens, *e.tokensPerS) || differ(requests, *e.requestsPerS) || differ(places, flight))
        return fmt::format("{} tokens/s of {}, {} requests/s of {}, {} in flight of {}", tokens, *e.tokensPerS,
                           requests, *e.requestsPerS, places, flight);
    if (first != e.mix->ttftS || last != e.mix->latencyS)
        return fmt::format("slowest {} and {}, of {} and {}", e.mix->ttftS, e.mix->latencyS, first, last);
    const ClassResult &shorter = e.mix->all[0], &longer = e.mix->all[1];
    if (shorter.ttftS > longer.ttftS * (1 + slack) && shorter.promptTokens <= longer.promptTokens)
        return fmt::format("the shorter prompt waits {}, the longer {}", shorter.ttftS, longer.ttftS);
    return {};
}

} // namespace

class TestPhysicsMix : public QObject
{
    Q_OBJECT
private slots:
    void classes()
    {
        QVERIFY(test::physicsHolds("classes of a mix", Task::Inference, test::physicsCount(scenarios), wrongInMix));
    }

    /// What reads prompts apart writes no answers beside their chunks: a class waits as a service of it alone would.
    void promptsReadApartMeetNoAnswers()
    {
        const PreparedScenario p = test::serving("phi-3-medium", "h100-sxm-80gb", 20, [](Scenario& s) {
            InferenceWorkload& w = s.inference;
            RequestMix& mix = w.mix.emplace();
            mix.all[0] = {.share = 0.25, .promptTokens = 2000, .outputTokens = 100};
            mix.all[1] = {.share = 0.75, .promptTokens = 400, .outputTokens = 100};
            mix.count = 2;
            w.promptTokens = 800;
            w.outputTokens = 100;
            w.batch = 256;
            w.scheduling = Scheduling::Disaggregated;
            w.maxTokensPerPass = 64;
        });
        const Evaluation e = evaluate(p);
        for (const ClassResult& c : e.mix->classes()) {
            PreparedScenario one = p;
            one.inference.mix.reset();
            one.inference.promptTokens = static_cast<std::int64_t>(c.promptTokens);
            QVERIFY(test::near(c.ttftS, *evaluate(one).ttftS, 1e-9));
        }
    }

    /// Answers of one and of two tokens are one and a half in the mean: two were counted, a third too many tokens.
    void aMeanAnswerIsNotRounded()
    {
        const PreparedScenario p = test::serving("llama-3.1-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            InferenceWorkload& w = s.inference;
            RequestMix& mix = w.mix.emplace();
            mix.all[0] = {.share = 0.5, .promptTokens = 1000, .outputTokens = 1};
            mix.all[1] = {.share = 0.5, .promptTokens = 1000, .outputTokens = 2};
            mix.count = 2;
            w.promptTokens = 1000;
            w.outputTokens = 2;
            w.batch = 32;
            s.hardware.pricePerGpuHour = 2;
        });
        const auto all = [&p](std::int64_t tokens) {
            PreparedScenario one = p;
            one.inference.mix.reset();
            one.inference.outputTokens = tokens;
            return *evaluate(one).requestsPerS;
        };
        for (const double load : {0.0, 3.0}) {
            PreparedScenario here = p;
            if (load > 0)
                here.inference.requestsPerS = load;
            const Evaluation e = evaluate(here);
            QVERIFY(test::near(*e.tokensPerS, 1.5 * *e.requestsPerS, 1e-12));
            QVERIFY(load > 0 || (*e.requestsPerS < all(1) && *e.requestsPerS > all(2)));
            for (const char* metric : {"tokens_per_s", "requests_per_s", "request_latency_s"}) {
                const Derivation d = derive(metric, here, e);
                QVERIFY2(test::near(d.steps.back().value, *metricRow(metric)->value(e), 1e-9), metric);
            }
        }
    }
};
HEADROOM_TEST(TestPhysicsMix)

} // namespace headroom::test_physics_mix
#include "test_physics_mix.moc"
