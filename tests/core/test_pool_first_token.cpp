// SPDX-License-Identifier: GPL-3.0-or-later
// The first token of a prefill pool: what drafts reads the prompt there too, and decode's queue comes behind it.
#include "core/explain/derive.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/predict/inference/inference_tail.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::test_pool_first_token
{

using test::near;
using test::serving;

namespace
{

/// Llama 3.1 70B on eight H100 that decode, beside eight that read.
PreparedScenario pooled(const std::function<void(Scenario&)>& change = {})
{
    return serving("llama-3.1-70b", "h100-sxm-80gb", 8, [&](Scenario& s) {
        s.inference.batch = 32;
        s.inference.promptTokens = 4000;
        s.inference.outputTokens = 200;
        s.inference.scheduling = Scheduling::Disaggregated;
        s.inference.prefillPool.tensor = 8;
        s.inference.prefillPool.count = 8;
        if (change)
            change(s);
    });
}

void draftWith8b(Scenario& s)
{
    s.inference.drafting = Drafting::Draft;
    s.inference.draftModel = CatalogId::from("llama-3.1-8b");
}

} // namespace

class TestPoolFirstToken : public QObject
{
    Q_OBJECT
private slots:
    /// By hand: a draft model of 8.0 billion parameters beside one of 70.6 reads for 0.11 of its FLOP and more of its
    /// time, and leaves a cache of 32 layers beside one of 80, of as many heads: 1.4 times the bytes travel.
    void aPoolReadsForTheDraftModelToo()
    {
        const Evaluation plain = evaluate(pooled()), drafts = evaluate(pooled(draftWith8b));
        const double longer = drafts.pools->passS / plain.pools->passS;
        QVERIFY2(longer > 1.11 && longer < 1.25, std::to_string(longer).c_str());
        QVERIFY(near(drafts.pools->transferBytes / plain.pools->transferBytes, 112.0 / 80, 1e-9));
        QVERIFY(near(drafts.pools->requestS / plain.pools->requestS, longer, 0.02));
        QVERIFY(drafts.pools->prefill.usedBytes > plain.pools->prefill.usedBytes + 16e9 / 8);
        QVERIFY(*drafts.ttftS > *plain.ttftS);
        // As much as where the same devices decode.
        const auto one = [](Scenario& s) {
            s.inference.scheduling = Scheduling::Continuous;
            s.inference.prefillPool = {};
        };
        const Evaluation onePlain = evaluate(pooled(one)), oneDrafts = evaluate(pooled([&](Scenario&s) {
                                                               one(s);
                                                               draftWith8b(s);
                                                           }));
        QVERIFY(near(drafts.pools->passS, oneDrafts.prefill->timeS, 1e-9));
        QVERIFY(near(plain.pools->passS, onePlain.prefill->timeS, 1e-9));
    }

    /// A request that meets nobody has its first token as soon whoever reads prompts; between the pools its cache
    /// travels besides. SGLang's load generator stayed where others than those who decode read: 217 ms for 37.
    void aLoneRequestMeetsNoLoadGenerator()
    {
        for (const InferenceSoftware engine : {InferenceSoftware::Sglang, InferenceSoftware::TrtLlm,
                                               InferenceSoftware::Vllm, InferenceSoftware::Tuned}) {
            const auto shown = [&](Scheduling scheduling, bool apart, double requestsPerS) {
                return evaluate(pooled([&](Scenario& s) {
                    s.inference.software = engine;
                    s.inference.scheduling = scheduling;
                    s.inference.requestsPerS = requestsPerS;
                    if (!apart)
                        s.inference.prefillPool = {};
                }));
            };
            const double alone = *shown(Scheduling::Continuous, false, 1e-6).ttftAloneS;
            for (const Scheduling scheduling : {Scheduling::Continuous, Scheduling::Disaggregated})
                QVERIFY(near(*shown(scheduling, false, 1e-6).ttftS, alone, 1e-6));
            const Evaluation pools = shown(Scheduling::Disaggregated, true, 1e-6);
            QVERIFY(near(*pools.ttftS, alone + pools.pools->shownS, 1e-6));
            // Among others it is there whoever reads.
            const Evaluation many = shown(Scheduling::Disaggregated, true, 3);
            QVERIFY(many.batch > 2 && *many.ttftS >= *pools.ttftS);
            QVERIFY(*many.ttftS <= *pools.ttftS + 0.17); // no load begins with a burst, SGLang's neither
        }
    }

    /// What is looked up in the prompt reads nothing.
    void aLookupReadsNothing()
    {
        const Evaluation plain = evaluate(pooled()),
                         lookup = evaluate(pooled([](Scenario&s) { s.inference.drafting = Drafting::Ngram; }));
        QVERIFY(near(plain.pools->passS, lookup.pools->passS, 1e-12));
        QVERIFY(near(plain.pools->transferBytes, lookup.pools->transferBytes, 1e-12));
    }

    /// The classes of a mix have the mean's TTFT in the mean, drafts or not. Theirs left out what drafts reads.
    void classesAreReadByWhatDraftsToo()
    {
        for (const Scheduling scheduling : {Scheduling::Continuous, Scheduling::Disaggregated})
            for (const bool drafts : {false, true}) {
                const Evaluation e = evaluate(pooled([&](Scenario& s) {
                    s.inference.mix = RequestMix{{RequestClass{0.5, 6000, 200}, RequestClass{0.5, 2000, 200}}, 2};
                    s.inference.scheduling = scheduling;
                    if (scheduling == Scheduling::Continuous)
                        s.inference.prefillPool = {};
                    if (drafts)
                        draftWith8b(s);
                }));
                const double meanS = (e.mix->all[0].ttftS + e.mix->all[1].ttftS) / 2;
                const std::string text = fmt::format("{} {}: {} of {}", int(scheduling), drafts, meanS, *e.ttftS);
                QVERIFY2(near(meanS, *e.ttftS, 0.01), text.c_str());
            }
    }

    /// Decode is nearly full, the readers have time: a prompt is read when there is a place for its cache, so late
    /// first tokens wait for one, too. They waited for the readers alone, and a plan met its targets with waits of 100
    /// s.
    void decodesQueueComesBeforeTheFirstToken()
    {
        PreparedScenario s = pooled([](Scenario& x) {
            x.inference.promptTokens = 500;
            x.inference.outputTokens = 500;
            x.inference.batch = 8;
            x.inference.ttftTargetS = 1;
            x.inference.targetPercentile = TargetPercentile::P99;
        });
        s.inference.requestsPerS = 0.97 * evaluate(s).pools->decode.requestsPerS;
        const Evaluation e = evaluate(s);
        QVERIFY(e.pools->decode.utilization > 0.96 && e.pools->prefill.utilization < 0.5);
        QCOMPARE(*e.tail->waitS, *e.queue->p99WaitS);
        QVERIFY(*e.tail->waitS > e.pools->p99WaitS + 1);
        QVERIFY(near(*e.tail->ttftS, *e.ttftS + *e.queue->p99WaitS, 1e-9)); // lengths that do not spread
        QVERIFY(near(derive("tail.wait_s", s, e).steps.back().value, *e.tail->waitS, 1e-12));
        PreparedScenario other = s;
        other.inference.targetPercentile.reset();
        QVERIFY(near(*planner::waitedTtft(other, evaluate(other)), *e.ttftS + *e.queue->p95WaitS, 1e-9));
        // The day says the same of its hours: a target at the late TTFT is met by 99 of 100 requests.
        PreparedScenario day = s;
        day.inference.loadProfile = LoadProfile{};
        day.inference.loadProfile->factors.fill(1);
        day.inference.ttftTargetS = *e.tail->ttftS;
        QVERIFY(near(*evaluate(day).day->peakShare, 0.99, 1e-6));
        // Beyond what decode serves no wait is known.
        s.inference.requestsPerS = 1.1 * e.pools->decode.requestsPerS;
        QVERIFY(!evaluate(s).tail->waitS);
    }
};
HEADROOM_TEST(TestPoolFirstToken)

} // namespace headroom::test_pool_first_token
#include "test_pool_first_token.moc"
