// SPDX-License-Identifier: GPL-3.0-or-later
// What a request under a load meets: against the birth-death process of the engine's own passes, state by state.
#include "core/predict/evaluate.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <tuple>
#include <vector>

namespace headroom::test_met_batch
{

using test::near;
using test::serving;

namespace
{

PreparedScenario service(const char* model, const char* accelerator, int gpus, std::int64_t places,
                         const std::function<void(InferenceWorkload&)>& change)
{
    return serving(model, accelerator, gpus, [&](Scenario& s) {
        s.parallelism.tensor = gpus;
        s.inference.batch = places;
        s.inference.promptTokensCv = s.inference.outputTokensCv = 0;
        change(s.inference);
    });
}

/// By the definition: k requests in hand end k ÷ (tokens · time of a token) times a second, others come as they come.
struct Process {
    double tokenS = 0; ///< mean of a request
    double idle = 0;   ///< share of the time with none in hand
};
Process processOf(PreparedScenario s, double requestsPerS)
{
    const auto places = s.inference.batch;
    const double tokensPerS = requestsPerS * double(s.inference.outputTokens - 1);
    double all = 1, inHand = 0, weight = 1;
    for (std::int64_t k = 1; k <= places; ++k) {
        s.inference.batch = k;
        const double asked = tokensPerS * *evaluate(s).tpotS / double(k);
        weight *= asked;
        const double here = k < places ? weight : weight / (1 - asked); // further ones wait
        all += here;
        inHand += double(k) * here;
    }
    return {inHand / all / tokensPerS, 1 / all};
}

} // namespace

class TestMetBatch : public QObject
{
    Q_OBJECT

private slots:
    /// TPOT was that of the mean number in hand, which leaves out the one who asks: 8.8 ms of 15.0, 7.2 of 9.5.
    void aRequestMeetsTheOthersAndItself()
    {
        const auto context = [](InferenceWorkload& w) {
            w.promptTokens = 100000;
            w.prefixHitRate = 0.999;
            w.outputTokens = 500;
        };
        const auto chat = [](InferenceWorkload& w) {
            w.promptTokens = 100;
            w.outputTokens = 500;
        };
        for (const auto& [s, most] : {std::tuple(service("llama-3.1-8b", "h200-sxm-141gb", 1, 8, context), 0.01),
                                      std::tuple(service("llama-3.1-8b", "h200-sxm-141gb", 1, 1, context), 0.01),
                                      std::tuple(service("llama-3.1-8b", "h100-sxm-80gb", 1, 64, chat), 0.01),
                                      std::tuple(service("mixtral-8x7b", "h100-sxm-80gb", 2, 64, chat), 0.05),
                                      std::tuple(service("qwen3-30b-a3b", "h100-sxm-80gb", 2, 64, chat), 0.05)})
            for (const double share : {0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.85}) {
                PreparedScenario loaded = s;
                loaded.inference.requestsPerS = share * *evaluate(s).requestsPerS;
                const Process exact = processOf(s, *loaded.inference.requestsPerS);
                const Evaluation e = evaluate(loaded);
                QVERIFY2(near(*e.tpotS, exact.tokenS, most),
                         fmt::format("{}, {} places at {}: {:.3f} of {:.3f} ms", s.model->architecture.id,
                                     s.inference.batch, share, 1e3 * *e.tpotS, 1e3 * exact.tokenS)
                             .c_str());
            }
    }

    /// One request in flight in the mean is none for e^-1 of the time: 577 W were said of 431.
    void anIdleReplicaRests()
    {
        const PreparedScenario s = service("llama-3.1-8b", "h100-sxm-80gb", 1, 64, [](InferenceWorkload& w) {
            w.promptTokens = 1000;
            w.outputTokens = 200;
        });
        for (const double requestsPerS : {0.1, 0.74, 2.0}) {
            PreparedScenario loaded = s;
            loaded.inference.requestsPerS = requestsPerS;
            const Evaluation e = evaluate(loaded);
            const double idle = processOf(s, requestsPerS).idle; // without the prompts
            QVERIFY2(e.activity.running > 1 - idle && e.activity.running < 1.06 * (1 - idle) + 0.005,
                     fmt::format("{}: {} of {}", requestsPerS, e.activity.running, 1 - idle).c_str());
        }
    }
};
HEADROOM_TEST(TestMetBatch)

} // namespace headroom::test_met_batch
#include "test_met_batch.moc"
