// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <set>

namespace headroom
{

class TestAdvice : public QObject
{
    Q_OBJECT
private slots:
    void remediesDoWhatTheySay()
    {
        test::RandomScenarios scenarios(12);
        int helped = 0;
        for (int i = 0; i < 200; ++i) {
            const PreparedScenario prepared = scenarios.next(i % 2 == 0 ? Task::Training : Task::Inference);
            const Evaluation e = evaluate(prepared);
            const auto found = remedies(prepared, e);
            QVERIFY(found.size() <= 3);
            QVERIFY(!e.fits || found.empty());
            for (const Advice& advice : found) {
                PreparedScenario after = prepared;
                for (const auto& [id, value] : advice.edits)
                    apply(after, *parameterRow(id), value);
                QVERIFY(checkSetup(after).empty());
                QCOMPARE(evaluate(after), advice.after);
                QVERIFY(advice.after.fits && !advice.text.empty());
                ++helped;
            }
        }
        QVERIFY(helped > 20);
    }

    void everyPartOfARemedyIsNeeded()
    {
        test::RandomScenarios scenarios(12);
        int checked = 0;
        for (int i = 0; i < 400; ++i) {
            const PreparedScenario prepared = scenarios.next(i % 2 == 0 ? Task::Training : Task::Inference);
            const auto found = remedies(prepared, evaluate(prepared), 100);
            for (const Advice& advice : found)
                for (const auto& [id, value] : advice.edits) {
                    PreparedScenario after = prepared;
                    apply(after, *parameterRow(id), value);
                    QVERIFY(advice.edits.size() == 1 || !checkSetup(after).empty() || !evaluate(after).fits);
                    checked += advice.edits.size() > 1;
                }
        }
        QVERIFY(checked > 20);
    }

    void stepsAreEvaluatedAndOrdered()
    {
        test::RandomScenarios scenarios(13);
        for (int i = 0; i < 60; ++i) {
            const Task task = i % 2 == 0 ? Task::Training : Task::Inference;
            const PreparedScenario prepared = scenarios.next(task);
            const Evaluation e = evaluate(prepared);
            const MetricRow& metric = leadingMetric(task);
            const auto steps = sensitivity(prepared, e, metric);
            std::set<const ParameterRow*> rows;
            double best = std::numeric_limits<double>::infinity();
            for (const SensitivityStep& step : steps) {
                QVERIFY(rows.insert(step.row).second);
                QVERIFY(step.gain <= best && step.from != step.to);
                best = step.gain;
                PreparedScenario after = prepared;
                apply(after, *step.row, step.to);
                QCOMPARE(metric.value(evaluate(after)), std::optional(step.after));
                QCOMPARE(step.gain,
                         metric.better == Better::Lower ? step.before - step.after : step.after - step.before);
            }
        }
    }

    void aLowerPeakIsNoHelp()
    {
        test::RandomScenarios scenarios(14);
        for (int i = 0; i < 60; ++i) {
            const PreparedScenario prepared = scenarios.next(Task::Training);
            const Evaluation e = evaluate(prepared);
            for (const SensitivityStep& step : sensitivity(prepared, e, leadingMetric(Task::Training)))
                QVERIFY(step.gain <= 0 || step.evaluation.peakFlops >= e.peakFlops ||
                        *step.evaluation.tokensPerS >= *e.tokensPerS);
        }
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestAdvice)
#include "test_advice.moc"
