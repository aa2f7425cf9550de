// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of the classes of a mix, in any scenario: their places, rates and times beside those of the mean request.
#include "tests/support/physics.hpp"
#include "tests/support/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom
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
    double tokens = 0, requests = 0, places = 0, first = 0, last = 0;
    for (const ClassResult& c : e.mix->classes()) {
        if (!(std::isfinite(c.ttftS) && c.ttftS > 0 && std::isfinite(c.latencyS) && c.latencyS >= c.ttftS))
            return fmt::format("a class with TTFT {} and latency {}", c.ttftS, c.latencyS);
        tokens += c.tokensPerS;
        requests += c.requestsPerS;
        places += c.inFlight;
        first = std::max(first, c.ttftS);
        last = std::max(last, c.latencyS);
    }
    const auto differ = [](double a, double b) { return std::abs(a - b) > slack * std::max(std::abs(a), std::abs(b)); };
    if (differ(tokens, *e.tokensPerS) || differ(requests, *e.requestsPerS) || differ(places, e.batch * e.replicas))
        return fmt::format("{} tokens/s of {}, {} requests/s of {}, {} in flight of {}", tokens, *e.tokensPerS,
                           requests, *e.requestsPerS, places, e.batch * e.replicas);
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
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestPhysicsMix)
#include "test_physics_mix.moc"
