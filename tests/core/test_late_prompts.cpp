// SPDX-License-Identifier: GPL-3.0-or-later
// What a prompt longer than others waits for: its own reading, in chunks beside answers too, and the way of its own
// cache from one pool to another.
#include "core/explain/derive.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_late_prompts
{

using test::near;
using test::serving;

namespace
{

constexpr std::int64_t longPrompt = 64000;

/// Prompts of 4,000 tokens that a pool reads one by one and sends at 10 Gbit/s.
PreparedScenario pools(const std::function<void(Scenario&)>& change)
{
    return serving("llama-3.1-8b", "h100-sxm-80gb", 4, [&](Scenario& s) {
        s.parallelism.tensor = 1;
        s.hardware.pricePerGpuHour = 2;
        InferenceWorkload& w = s.inference;
        w.batch = 16;
        w.promptTokens = 4000;
        w.outputTokens = 200;
        w.scheduling = Scheduling::Disaggregated;
        w.prefillPool.count = 8;
        w.prefillPool.batch = 1;
        w.transferGbitPerS = 10;
        change(s);
    });
}

PreparedScenario allAsLong()
{
    return pools([](Scenario& s) { s.inference.promptTokens = longPrompt; });
}

void withLatePrompts(Scenario& s)
{
    s.inference.promptTokensP99 = longPrompt;
    s.inference.targetPercentile = TargetPercentile::P99;
    s.inference.requestsPerS = 1;
}

} // namespace

class TestLatePrompts : public QObject
{
    Q_OBJECT
private slots:
    void aLatePromptSendsItsOwnCache()
    {
        const PreparedScenario p = pools(withLatePrompts);
        const Evaluation e = evaluate(p), all = evaluate(allAsLong());
        QVERIFY(all.pools->shownS > 6 && all.pools->shownS < 7); // 131,072 bytes a token, by hand 6.71 s
        QVERIFY2(near(*e.tail->ttftS - *e.tail->waitS, *all.ttftS, 1e-6), std::to_string(*e.tail->ttftS).c_str());
        QVERIFY(near(derive("tail.ttft_s", p, e).steps.back().value, *e.tail->ttftS, 1e-9));
    }

    void aClassSendsItsOwnCache()
    {
        const Evaluation e = evaluate(pools([](Scenario& s) {
            RequestMix& mix = s.inference.mix.emplace();
            mix.all[0] = {.share = 0.9, .promptTokens = 1000, .outputTokens = 200};
            mix.all[1] = {.share = 0.1, .promptTokens = longPrompt, .outputTokens = 200};
            mix.count = 2;
            s.inference.promptTokens = 7300; // their mean
        }));
        QVERIFY(near(e.mix->all[1].ttftS, *evaluate(allAsLong()).ttftS, 1e-6));
        const double few = *evaluate(pools([](Scenario& s) { s.inference.promptTokens = 1000; })).ttftS;
        QVERIFY(near(e.mix->all[0].ttftS, few, 1e-6));
    }

    /// Read in chunks beside answers, the same prompt waits as long whether it is called a class or late.
    void lateAndClassAreTheSamePrompt()
    {
        const Evaluation e = evaluate(serving("llama-3.1-70b", "h100-sxm-80gb", 4, [](Scenario& s) {
            InferenceWorkload& w = s.inference;
            w.batch = 150;
            w.maxTokensPerPass = 256;
            w.outputTokens = 600;
            RequestMix& mix = w.mix.emplace();
            mix.all[0] = {.share = 0.9, .promptTokens = 300, .outputTokens = 600};
            mix.all[1] = {.share = 0.1, .promptTokens = 8000, .outputTokens = 600};
            mix.count = 2;
            w.promptTokens = 1070;
            w.targetPercentile = TargetPercentile::P95;
        }));
        QCOMPARE(e.tail->promptTokens, 8000.0);
        QVERIFY2(near(*e.tail->ttftS, e.mix->all[1].ttftS, 1e-9),
                 qPrintable(QStringLiteral("%1 %2").arg(*e.tail->ttftS).arg(e.mix->all[1].ttftS)));
    }

    /// A plan holds the target against what the evaluation shows.
    void aPlanCountsIt()
    {
        PlanRequest r;
        r.base = pools([](Scenario& s) {
            withLatePrompts(s);
            s.inference.ttftTargetS = 5;
        });
        r.threads = 1;
        for (std::int64_t n = 2; n <= 8; ++n)
            r.gpuCounts.push_back(n);
        QVERIFY(plan(r).value().ranked.empty()); // the way of the cache alone takes longer
        r.base.inference.ttftTargetS = 15;
        const PlanResult found = plan(r).value();
        QVERIFY(!found.ranked.empty());
        for (const PlanOption& option : found.ranked)
            QVERIFY(*option.evaluation.tail->ttftS <= 15);
    }

    /// What a plan says of 95 of 100 requests is of so many, whatever share the target holds for.
    void aPlanNamesThePercentile()
    {
        PlanRequest r;
        r.base = pools([](Scenario& s) {
            withLatePrompts(s);
            s.inference.ttftTargetS = 15;
        });
        r.threads = 1;
        r.gpuCounts = {2, 3, 4, 5, 6, 7, 8};
        const PlanResult found = plan(r).value();
        QVERIFY(!found.ranked.empty());
        const PlanOption& best = found.ranked.front();
        PreparedScenario at95 = best.scenario;
        at95.inference.targetPercentile = TargetPercentile::P95;
        const double p95 = *evaluate(at95).tail->ttftS;
        const auto json = nlohmann::json::parse(planJson(found))["ranked"][0];
        QVERIFY(near(json["ttft_p95_s"].get<double>(), p95, 1e-6));
        QVERIFY(near(json["ttft_p99_s"].get<double>(), *best.evaluation.tail->ttftS, 1e-6));
        QVERIFY(p95 < 0.9 * *best.evaluation.tail->ttftS);
        for (const PlanColumn& column : planColumns(Task::Inference)) {
            if (column.id == "ttft_p95_s")
                QVERIFY(!column.value(best));
            if (column.id == "ttft_p99_s")
                QCOMPARE(column.value(best), best.evaluation.tail->ttftS);
        }
    }

    /// What is held without a word, the tail and the plan's columns are of the same share of the requests.
    void oneAnswerSaysWhichShareIsHeld()
    {
        for (const std::optional<TargetPercentile> asked :
             {std::optional<TargetPercentile>(), {TargetPercentile::P95}, {TargetPercentile::P99}}) {
            PlanOption option;
            option.scenario = pools([asked](Scenario& s) {
                withLatePrompts(s);
                s.inference.ttftTargetS = 15;
                s.inference.targetPercentile = asked;
            });
            option.ttftP95S = 1;
            const bool far = asked == TargetPercentile::P99;
            QCOMPARE(holdsFor99(option.scenario.inference), far);
            QVERIFY(heldPercentile(option.scenario.inference) == asked.value_or(TargetPercentile::P95));
            QCOMPARE(evaluate(option.scenario).tail->share, far ? 0.99 : 0.95);
            for (const PlanColumn& column : planColumns(Task::Inference))
                if (column.id == "ttft_p95_s" || column.id == "ttft_p99_s")
                    QCOMPARE(column.value(option).has_value(), (column.id == "ttft_p99_s") == far);
        }
    }

    /// The same without a percentile, where the plan takes the 95th itself.
    void aPlanCountsItWithoutAPercentile()
    {
        PlanRequest r;
        r.base = pools([](Scenario& s) {
            s.inference.promptTokensP95 = longPrompt;
            s.inference.requestsPerS = 1;
            s.inference.ttftTargetS = 5;
        });
        r.threads = 1;
        for (std::int64_t n = 2; n <= 8; ++n)
            r.gpuCounts.push_back(n);
        QVERIFY(plan(r).value().ranked.empty());
    }
};
HEADROOM_TEST(TestLatePrompts)

} // namespace headroom::test_late_prompts
#include "test_late_prompts.moc"
