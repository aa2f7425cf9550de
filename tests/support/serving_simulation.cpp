// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/serving_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace headroom::test
{
namespace
{

/// Uniform in (0, 1), from the generator's bits: no library's distribution.
double uniform(std::mt19937_64& bits)
{
    return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53;
}

/// Times of a step with n in flight, and of one prompt that is read beside them.
struct StepTimes {
    std::vector<double> step, prompt;
};

StepTimes timesOf(PreparedScenario s)
{
    const std::int64_t most = s.inference.batch;
    const double out = static_cast<double>(s.inference.outputTokens);
    s.inference.requestsPerS.reset();
    StepTimes t{{0}, {0}};
    for (std::int64_t n = 1; n <= most; ++n) {
        s.inference.batch = n;
        const Evaluation e = evaluate(s);
        const double step = *e.tpotS - e.part(TimePart::PrefillInterference), batch = static_cast<double>(n);
        t.step.push_back(step);
        t.prompt.push_back((batch * out / *e.tokensPerS - out * step) / batch);
    }
    return t;
}

struct Request {
    double arrivedS = 0, startedS = 0, firstS = 0;
    double left = 0, tokens = 0;
    double prompt = 1; ///< over the mean
    double unread = 1; ///< of it
};

} // namespace

Draw constant()
{
    return [] { return 1.0; };
}

Draw exponential(std::uint64_t seed)
{
    auto bits = std::make_shared<std::mt19937_64>(seed);
    return [bits] { return -std::log(uniform(*bits)); };
}

Draw mixture(std::uint64_t seed, double cv)
{
    auto bits = std::make_shared<std::mt19937_64>(seed);
    const double c2 = cv * cv, share = (1 + std::sqrt((c2 - 1) / (c2 + 1))) / 2;
    return [bits, share] {
        const double rate = uniform(*bits) < share ? 2 * share : 2 * (1 - share);
        return -std::log(uniform(*bits)) / rate;
    };
}

Lengths answers(const Draw& outputs)
{
    return [outputs] { return std::pair(1.0, outputs()); };
}

Lengths classes(std::uint64_t seed, const RequestMix& mix)
{
    auto bits = std::make_shared<std::mt19937_64>(seed);
    return [bits, mix] {
        double left = uniform(*bits);
        const RequestClass* chosen = &mix.all[0];
        for (const RequestClass& c : mix.classes()) {
            chosen = &c;
            left -= c.share;
            if (left <= 0)
                break;
        }
        return std::pair(static_cast<double>(chosen->promptTokens) / mix.meanPrompt(),
                         static_cast<double>(chosen->outputTokens) / mix.meanOutput());
    };
}

SimulatedServing simulateServing(const PreparedScenario& scenario, double requestsPerS, int requests,
                                 const Draw& between, const Lengths& lengths, double promptsPerPass)
{
    const StepTimes times = timesOf(scenario);
    const auto most = static_cast<std::size_t>(scenario.inference.batch);
    const double mean = static_cast<double>(scenario.inference.outputTokens);
    std::deque<Request> waiting;
    std::vector<Request> running;
    SimulatedServing sum;
    double now = 0, next = between() / requestsPerS, busyArea = 0;
    int finished = 0;
    std::map<double, double> count;
    std::vector<double> ttft;
    while (finished < requests) {
        if (running.empty() && waiting.empty())
            now = std::max(now, next);
        for (; next <= now; next += between() / requestsPerS) {
            const auto [prompt, output] = lengths();
            waiting.push_back({next, 0, 0, std::max(1.0, std::round(mean * output)), 0, prompt, prompt});
        }
        double joined = 0; // prompts of mean length
        while (running.size() < most && !waiting.empty() && joined < promptsPerPass) {
            Request& first = waiting.front();
            const double read = std::min(first.unread, promptsPerPass - joined);
            joined += read;
            first.unread -= read;
            if (first.unread > 1e-9)
                break;
            first.startedS = now;
            running.push_back(first);
            waiting.pop_front();
        }
        const std::size_t n = running.size();
        const double lasts = times.step[n] + joined * times.prompt[n];
        now += lasts;
        busyArea += lasts * static_cast<double>(n);
        for (Request& r : running) {
            if (r.tokens++ == 0) {
                r.firstS = now;
                ttft.push_back(now - r.arrivedS);
            }
            --r.left;
        }
        std::erase_if(running, [&](const Request& r) {
            if (r.left > 0)
                return false;
            ++finished;
            sum.tpotS += r.tokens > 1 ? now - r.firstS : 0;
            sum.requestsPerS += r.tokens - 1; // tokens after the first: what TPOT is a mean over
            sum.waitS += r.startedS - r.arrivedS;
            sum.latencyS += now - r.arrivedS;
            sum.latencyOf[r.prompt] += now - r.arrivedS;
            ++count[r.prompt];
            return true;
        });
    }
    sum.tpotS /= std::max(1.0, sum.requestsPerS);
    sum.requestsPerS = finished / now;
    sum.waitS /= finished;
    sum.latencyS /= finished;
    sum.inFlight = busyArea / now;
    std::ranges::sort(ttft);
    const auto under = [&ttft](double share) {
        return ttft[static_cast<std::size_t>(share * double(ttft.size() - 1))];
    };
    sum.ttftP50S = under(0.5);
    sum.ttftP95S = under(0.95);
    sum.ttftP99S = under(0.99);
    for (auto& [prompt, latency] : sum.latencyOf)
        latency /= count[prompt];
    return sum;
}

double simulateWait(double requestsPerS, double serviceS, int servers, int requests, const Draw& between,
                    const Draw& services)
{
    std::vector<double> freeAt(static_cast<std::size_t>(servers), 0);
    double now = 0, waited = 0;
    for (int i = 0; i < requests; ++i) {
        now += between() / requestsPerS;
        double& soonest = *std::ranges::min_element(freeAt);
        const double starts = std::max(now, soonest);
        waited += starts - now;
        soonest = starts + serviceS * services();
    }
    return waited / requests;
}

} // namespace headroom::test
