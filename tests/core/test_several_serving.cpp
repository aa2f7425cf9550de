// SPDX-License-Identifier: GPL-3.0-or-later
// Several changes together, of a serving: they do what they say, with the same GPUs, formats and requests.
#include "core/plan/several_changes.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_several_serving
{

using test::serving;

namespace
{

bool isLayoutOrBatch(const ParameterEdit& edit)
{
    return edit.row->group == ParameterGroup::Parallelism || edit.row->id == "batch";
}

PreparedScenario applied(const PreparedScenario& before, const Advice& advice)
{
    PreparedScenario after = before;
    applyEdits(after, advice.edits);
    return after;
}

} // namespace

class TestSeveralServing : public QObject
{
    Q_OBJECT
private slots:
    /// Without a load: more tokens a second, no token later.
    void moreTokensAndNoneLater()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.inference.batch = 4; // far from what eight GPUs can write
            s.inference.promptTokens = 1000;
            s.inference.outputTokens = 300;
        });
        const Evaluation before = evaluate(p);
        const auto found = severalChanges(p, before);
        QVERIFY(found && !found->edits.empty());
        QVERIFY2(std::ranges::all_of(found->edits, isLayoutOrBatch), found->text.c_str());
        const PreparedScenario after = applied(p, *found);
        QVERIFY(checkSetup(after).empty());
        QVERIFY(evaluate(after) == found->after);
        QVERIFY(found->after.fits);
        QCOMPARE(after.hardware.count, p.hardware.count);
        QCOMPARE(after.inference.weights, p.inference.weights);
        QVERIFY(*found->after.tokensPerS > 1.01 * *before.tokensPerS);
        QVERIFY(*found->after.tpotS <= *before.tpotS * (1 + 1e-6));
        QVERIFY2(found->text.find("okens/s") != std::string::npos, found->text.c_str());
        QVERIFY(!severalChanges(after, found->after)); // where that is reached nothing is left to say
    }

    void targetsTakeThePlaceOfWhatIs()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.inference.batch = 4;
            s.inference.tpotTargetS = 0.05;
            s.inference.ttftTargetS = 2;
        });
        const auto found = severalChanges(p, evaluate(p));
        QVERIFY(found);
        QVERIFY(*found->after.tpotS <= 0.05 && *found->after.ttftS <= 2);
        PreparedScenario free = p;
        free.inference.tpotTargetS = free.inference.ttftTargetS = std::nullopt;
        const auto strict = severalChanges(free, evaluate(free));
        QVERIFY(strict && *found->after.tokensPerS > *strict->after.tokensPerS);
    }

    /// Under a load: sooner; the load that is beyond what can be served is served.
    void aLoadIsAnsweredSooner()
    {
        const auto loaded = [](double requests) {
            return serving("llama-3-8b", "h100-sxm-80gb", 8, [requests](Scenario& s) {
                s.parallelism.tensor = 1;
                s.inference.promptTokens = 1000;
                s.inference.outputTokens = 300;
                s.inference.requestsPerS = requests;
            });
        };
        const PreparedScenario p = loaded(2);
        const Evaluation before = evaluate(p);
        const auto found = severalChanges(p, before);
        QVERIFY(found);
        QVERIFY(*found->after.requestLatencyS * 1.01 < *before.requestLatencyS);
        QVERIFY(!found->after.warnings.has(WarningCode::LoadBeyondCapacity));
        QVERIFY(std::ranges::none_of(found->edits, [](const ParameterEdit& e) { return e.row->id == "batch"; }));

        PreparedScenario narrow = loaded(20);
        narrow.inference.batch = 1;
        const Evaluation beyond = evaluate(narrow);
        QVERIFY(beyond.warnings.has(WarningCode::LoadBeyondCapacity));
        const auto serves = severalChanges(narrow, beyond);
        QVERIFY(serves && !serves->after.warnings.has(WarningCode::LoadBeyondCapacity));
        QVERIFY2(serves->text.find("the load is served") != std::string::npos, serves->text.c_str());
    }

    void whatIsHeldStaysAndAStopIsHeard()
    {
        const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8);
        const Evaluation e = evaluate(p);
        for (const char* id : {"tensor", "batch"}) {
            const auto held = severalChanges(p, e, [id](std::string_view each) { return each == id; });
            if (held)
                QVERIFY2(std::ranges::none_of(held->edits, [id](const ParameterEdit& x) { return x.row->id == id; }),
                         held->text.c_str());
        }
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!severalChanges(p, e, {}, stop.get_token()));
        const PreparedScenario pools = serving("llama-3-70b", "h100-sxm-80gb", 16, [](Scenario& s) {
            s.parallelism.tensor = 4;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 16;
        });
        QVERIFY(!severalChanges(pools, evaluate(pools)));
    }

    /// Fewer requests at a time are no advice, and what a sooner token costs is said.
    void singleStepsAreNotHollow()
    {
        int dear = 0;
        for (const std::int64_t tensor : {1, 2, 4, 8})
            for (const std::int64_t batch : {8, 64, 256}) {
                const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [=](Scenario& s) {
                    s.parallelism.tensor = tensor;
                    s.inference.batch = batch;
                });
                const Evaluation before = evaluate(p);
                for (const Advice& advice : improvements(p, before, 20)) {
                    const bool less = *advice.after.tokensPerS < *before.tokensPerS * 0.99;
                    QVERIFY2(!less || advice.edits.front().row->id != "batch", advice.text.c_str());
                    QVERIFY2(less == (advice.text.find("tokens/s") != std::string::npos), advice.text.c_str());
                    dear += less ? 1 : 0;
                }
            }
        QVERIFY(dear > 0);
    }

    /// "Several" is more than one.
    void oneChangeIsNotCalledSeveral()
    {
        for (const std::int64_t batch : {1, 4, 16, 64})
            for (const std::int64_t tensor : {1, 2, 4, 8}) {
                const PreparedScenario p = serving("llama-3-8b", "h100-sxm-80gb", 8, [=](Scenario& s) {
                    s.parallelism.tensor = tensor;
                    s.inference.batch = batch;
                });
                const Evaluation e = evaluate(p);
                if (const auto found = severalChanges(p, e))
                    QVERIFY2((found->edits.size() > 1) == found->text.starts_with("Several"), found->text.c_str());
            }
    }
};
HEADROOM_TEST(TestSeveralServing)

} // namespace headroom::test_several_serving
#include "test_several_serving.moc"
