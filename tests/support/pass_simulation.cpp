// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pass_simulation.hpp"

#include "core/predict/inference/inference_engine.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <tuple>

namespace headroom::test
{
namespace
{

struct Request {
    double arrivedS = 0;
    RequestSize size;
    double firstS = 0, tokens = 0;
};

/// What passes take, each kind worked out once.
class PassTimes final
{
public:
    explicit PassTimes(const PreparedScenario& scenario) : p(scenario), m(inference::makeMachine(scenario, false)) {}

    /// Whether prompts have passes of their own.
    [[nodiscard]] bool isApart() const { return !m.engine.mixesPrompts; }
    /// Of a pass of so many of the scenario's prompts alone; 0: of one that writes `answers`.
    double apart(std::size_t answers, std::size_t prompts)
    {
        const auto [it, isNew] = m_known.try_emplace({answers, -double(prompts), 0}, 0);
        if (isNew)
            it->second = prompts > 0 ? inference::promptsTime(p, m, double(prompts))
                                     : inference::decodeStepS(p, m, double(answers));
        return it->second;
    }
    /// With so many answers, and prompts of `tokens` together, the sum of whose squares is `squares`.
    double operator()(std::size_t answers, double tokens, double squares)
    {
        const auto [it, isNew] = m_known.try_emplace({answers, tokens, squares}, 0);
        if (isNew) {
            inference::PassShape shape = inference::decodeShape(m, double(std::max<std::size_t>(1, answers)));
            const inference::PassShape prompt = inference::promptShape(p, m, 1);
            shape.sequences *= answers > 0 ? 1 : 0;
            // Prompts of one length that have as many tokens, and as many pairs of them to attend to.
            shape.prompts = tokens > 0 ? tokens * tokens / squares : 0;
            shape.length = tokens > 0 ? squares / tokens : prompt.length;
            it->second = inference::passCost(m, p, shape).total() + m.profile.stepS;
        }
        return it->second;
    }

private:
    const PreparedScenario& p;
    const inference::Machine m;
    std::map<std::tuple<std::size_t, double, double>, double> m_known;
};

} // namespace

SimulatedPasses simulatePasses(const PreparedScenario& p, const Asking& asking, int requests,
                               const std::function<RequestSize()>& sizes)
{
    PassTimes passS(p);
    const double room = p.calibration->inference.serving.togetherTokens;
    const Draw between = exponential(11);
    std::priority_queue<double, std::vector<double>, std::greater<>> coming; // of users
    for (int i = 0; i < asking.users; ++i)
        coming.push(asking.thinkS * between());
    double next = asking.users > 0 ? 0 : between() / asking.requestsPerS;
    std::deque<Request> waiting;
    std::vector<Request> running;
    SimulatedPasses r;
    std::map<double, double> count;
    double now = 0, laterS = 0, later = 0;
    const auto come = [&] {
        if (asking.users > 0)
            for (; !coming.empty() && coming.top() <= now; coming.pop())
                waiting.push_back({coming.top(), sizes()});
        else
            for (; next <= now; next += between() / asking.requestsPerS)
                waiting.push_back({next, sizes()});
    };
    int ended = 0;
    while (ended < requests) {
        if (running.empty() && waiting.empty())
            now = std::max(now, asking.users > 0 ? coming.top() : next);
        come();
        const std::size_t answers = running.size();
        double tokens = 0, squares = 0;
        while (!waiting.empty() && running.size() < static_cast<std::size_t>(p.inference.batch)) {
            const double prompt = waiting.front().size.prompt;
            if (tokens > 0 && double(answers) + tokens + prompt > room)
                break;
            tokens += prompt;
            squares += prompt * prompt;
            running.push_back(waiting.front());
            waiting.pop_front();
        }
        const std::size_t reads = running.size() - answers;
        const bool isApart = passS.isApart();
        const double lastsS = isApart ? passS.apart(reads > 0 ? 0 : answers, reads) : passS(answers, tokens, squares);
        now += lastsS;
        r.answers += lastsS * double(answers);
        for (Request& one : running) {
            if (isApart && reads > 0 && one.tokens > 0)
                continue; // waits while prompts are read
            if (one.tokens++ == 0) {
                one.firstS = now;
                const double ttftS = now - one.arrivedS;
                r.ttft.push_back(ttftS);
                r.ttftS += ttftS;
                r.ttftOf[one.size.prompt] += ttftS;
                ++count[one.size.prompt];
            }
        }
        std::erase_if(running, [&](const Request& one) {
            if (one.tokens < one.size.output)
                return false;
            ++ended;
            r.latencyS += now - one.arrivedS;
            laterS += now - one.firstS;
            later += one.tokens - 1;
            if (asking.users > 0)
                coming.push(now + asking.thinkS * between());
            return true;
        });
    }
    std::ranges::sort(r.ttft);
    r.ttftS /= double(r.ttft.size());
    r.latencyS /= ended;
    r.tpotS = later > 0 ? laterS / later : 0;
    r.requestsPerS = ended / now;
    r.answers /= now;
    for (auto& [prompt, sumS] : r.ttftOf)
        sumS /= count[prompt];
    return r;
}

SimulatedPasses simulatePasses(const PreparedScenario& p, const Asking& asking, int requests)
{
    const RequestSize size{double(p.inference.promptTokens), double(p.inference.outputTokens)};
    return simulatePasses(p, asking, requests, [size] { return size; });
}

} // namespace headroom::test
