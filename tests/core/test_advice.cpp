// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/units/format.hpp"
#include "core/units/two_figures.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <set>

namespace headroom::test_advice
{

class TestAdvice : public QObject
{
    Q_OBJECT

    static PreparedScenario prepared(const Scenario& scenario)
    {
        return prepare(scenario, Catalog::builtIn(), Calibration::builtIn()).value();
    }

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
            QVERIFY(!allFits(e) || found.empty());
            for (const Advice& advice : found) {
                PreparedScenario after = prepared;
                applyEdits(after, advice.edits);
                QVERIFY(checkSetup(after).empty());
                QCOMPARE(evaluate(after), advice.after);
                QVERIFY(allFits(advice.after) && !advice.text.empty());
                ++helped;
            }
        }
        QVERIFY(helped > 20);
    }

    /// One GPU serves a token for half the price of two, and twice as late as asked.
    void noAdviceBreaksATargetThatIsMet()
    {
        test::RandomScenarios scenarios(21);
        int looked = 0;
        for (int i = 0; i < 60; ++i) {
            PreparedScenario prepared = scenarios.next(Task::Inference);
            Evaluation e = evaluate(prepared);
            if (!e.fits || !e.ttftS || !e.tpotS)
                continue;
            prepared.inference.ttftTargetS = *e.ttftS * 1.05;
            prepared.inference.tpotTargetS = *e.tpotS * 1.05;
            e = evaluate(prepared);
            const bool met = (e.tail ? e.tail->ttftS : *e.ttftS) <= prepared.inference.ttftTargetS;
            for (const char* id : {"cost.per_million_tokens", "tokens_per_s"}) {
                const MetricRow& metric = *metricRow(id);
                for (const SensitivityStep& step : sensitivity(prepared, e, metric)) {
                    const Evaluation& after = step.evaluation;
                    const bool missed =
                        after.tpotS > prepared.inference.tpotTargetS ||
                        (met && (after.tail ? after.tail->ttftS : *after.ttftS) > *prepared.inference.ttftTargetS);
                    if (missed)
                        QVERIFY2(gainsNothing(step, metric, prepared, e), step.row->id.data());
                    looked += missed ? 1 : 0;
                }
            }
        }
        QVERIFY2(looked > 20, std::to_string(looked).c_str());
    }

    void adaptersStayAsLargeAsTheyAre()
    {
        for (const char* id : {"lora_rank", "lora_targets"})
            QVERIFY2(changesTheWork(*parameterRow(id)), id);
    }

    /// A reader who compares two times need not convert one.
    void timesFromMinutesOnHaveOneUnit()
    {
        const std::string gap = "\u202F";
        QCOMPARE(twoFigures(444, 226, ValueFormat::Seconds).from, "7.40" + gap + "min");
        QCOMPARE(twoFigures(444, 226, ValueFormat::Seconds).to, "3.77" + gap + "min");
        QCOMPARE(twoFigures(3 * 3600.0, 4 * 86400.0, ValueFormat::Seconds).from, "3.00" + gap + "h"); // 0.125 days
        QCOMPARE(twoFigures(2 * 3600.0, 4 * 3600.0, ValueFormat::Seconds).from, "2.00" + gap + "h");
        QCOMPARE(twoFigures(0.9, 1.2, ValueFormat::Seconds).from, "900" + gap + "ms");
    }

    void partsOfATimeHaveItsUnit()
    {
        const std::string gap = "\u202F";
        QCOMPARE(partOfTimeText(226, 744), "3.77" + gap + "min");
        QCOMPARE(partOfTimeText(51, 744), "0.85" + gap + "min");
        QCOMPARE(partOfTimeText(0.2, 744), "<0.01" + gap + "min");
        QCOMPARE(partOfTimeText(3600, 4 * 86400.0), "0.04" + gap + "days");
        QCOMPARE(partOfTimeText(0.9, 12), "900" + gap + "ms"); // seconds and their parts need no conversion
        QCOMPARE(partOfTimeText(0, 744), secondsText(0));
    }

    /// Half the batch fits, and so may more of it.
    void asMuchOfTheBatchAsFitsIsProposed()
    {
        test::RandomScenarios scenarios(23);
        int cut = 0, odd = 0;
        for (int i = 0; i < 300; ++i) {
            PreparedScenario prepared = scenarios.next(Task::Training);
            const bool global = i % 2 == 0;
            if (!global)
                prepared.training.globalBatch.reset();
            for (const Advice& advice : remedies(prepared, evaluate(prepared), 9)) {
                if (advice.edits.size() != 1 || advice.edits.front().row->id != "micro_batch")
                    continue;
                const auto [row, value] = advice.edits.front();
                PreparedScenario more = prepared;
                apply(more, *row, value);
                const auto batch = more.training.globalBatch;
                for (double larger = value + 1; larger <= std::min(2 * value + 1, row->get(prepared) - 1); ++larger) {
                    more.setup() = prepared.setup();
                    apply(more, *row, larger);
                    QVERIFY(more.training.globalBatch != batch || !checkSetup(more).empty() ||
                            !allFits(evaluate(more)));
                }
                ++cut;
                odd += value != std::floor(row->get(prepared) / 2) ? 1 : 0;
            }
        }
        QVERIFY(cut > 5);
        QVERIFY(odd > 2); // else halves alone would have done
    }

    /// "From 55 % to 55 %" is no advice.
    void noGainIsRoundedAway()
    {
        QCOMPARE(twoFigures(0.551, 0.554, ValueFormat::Percent).to, "55.4" + std::string("\u202F%"));
        QCOMPARE(twoFigures(0.551, 0.566, ValueFormat::Percent).from, formatText(0.551, ValueFormat::Percent));
        test::RandomScenarios scenarios(31);
        int near = 0;
        for (int i = 0; i < 400; ++i) {
            const PreparedScenario asked = scenarios.next(Task::Training);
            const Evaluation e = evaluate(asked);
            const std::string told = whatWouldHelp(asked, e, "mfu");
            const auto from = told.find(" from "), to = told.find(" to ", from);
            if (told.empty() || from == std::string::npos)
                continue;
            const std::string before = told.substr(from + 6, to - from - 6);
            QVERIFY2(told.substr(to + 4) != before + ".", told.c_str());
            near += e.mfu && before != formatText(*e.mfu, ValueFormat::Percent) ? 1 : 0;
        }
        QVERIFY(near > 0); // else no case of the walk would have failed
    }

    /// What ships in four bits is offered as it ships, before more GPUs and before coarser numbers.
    void aCheckpointIsOfferedAsItShips()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        scenario.model.id = "gpt-oss-120b";
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.hardware.count = 1;
        const PreparedScenario asked = prepared(scenario);
        const auto found = remedies(asked, evaluate(asked));
        QVERIFY(!found.empty());
        QCOMPARE(found.front().change, std::string("Weights as the checkpoint ships"));
        QCOMPARE(found.front().edits.size(), std::size_t(1));
    }

    void everyPartOfARemedyIsNeeded()
    {
        test::RandomScenarios scenarios(12);
        int checked = 0;
        constexpr auto overload = WarningCode::LoadBeyondCapacity;
        std::size_t most = 0; // edits of one remedy: several levers are tried where two are not enough
        for (int i = 0; i < 1200; ++i) {
            const PreparedScenario prepared = scenarios.next(i % 2 == 0 ? Task::Training : Task::Inference);
            const auto found = remedies(prepared, evaluate(prepared), 100);
            const auto enough = [&](const PreparedScenario& after) { // a load that is carried stays so
                const Evaluation e = evaluate(after);
                return allFits(e) && !(e.warnings.has(overload) && !evaluate(prepared).warnings.has(overload));
            };
            for (const Advice& advice : found) {
                most = std::max(most, advice.edits.size());
                for (const auto& [row, value] : advice.edits) {
                    PreparedScenario after = prepared;
                    apply(after, *row, value);
                    QVERIFY(advice.edits.size() == 1 || !checkSetup(after).empty() || !enough(after));
                    checked += advice.edits.size() > 1;
                }
            }
        }
        QVERIFY(checked > 20);
        QVERIFY(most > 3);
    }

    void whatCostsLessComesFirst()
    {
        test::RandomScenarios scenarios(15);
        std::set<LeverPrice> seen;
        for (int i = 0; i < 200; ++i) {
            const PreparedScenario prepared = scenarios.next(i % 2 == 0 ? Task::Training : Task::Inference);
            const auto found = remedies(prepared, evaluate(prepared), 100);
            QVERIFY(std::ranges::is_sorted(found, {}, &Advice::price));
            for (const Advice& advice : found)
                seen.insert(advice.price);
            const auto best = remedies(prepared, evaluate(prepared), 1);
            QCOMPARE(best.size(), std::min<std::size_t>(1, found.size()));
            QVERIFY(best.empty() || best.front().edits == found.front().edits);
        }
        QCOMPARE(seen.size(), std::size_t(5));
    }

    void whatFitsNeedsNoRemedy()
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        const PreparedScenario fitting = prepared(scenario);
        QVERIFY(evaluate(fitting).fits);
        QVERIFY(remedies(fitting, evaluate(fitting)).empty());
    }

    void everyLegalFixIsLegal()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        scenario.parallelism.tensor = 3;
        QVERIFY(!checkSetup(scenario).empty());
        const auto fixes = legalFixes(scenario, Catalog::builtIn());
        QVERIFY(fixes.size() >= 2);
        for (const Advice& fix : fixes) {
            Scenario changed = scenario;
            applyEdits(changed, fix.edits);
            QVERIFY2(checkSetup(changed).empty(), fix.change.c_str());
        }
        QVERIFY(fixes.front().edits.front().row->id == "tensor");
        Scenario legal = scenario;
        applyEdits(legal, fixes.front().edits);
        QVERIFY(legalFixes(legal, Catalog::builtIn()).empty());
        const auto isHeld = [](std::string_view id) { return id == "tensor"; };
        for (const Advice& fix : legalFixes(scenario, Catalog::builtIn(), isHeld))
            QVERIFY(fix.edits.front().row->id != "tensor");
        Scenario both; // "for example cached prefix 501" beside the hit rate is refused again, with 502
        both.task = Task::Inference;
        both.inference.prefixCachedTokens = 500;
        both.inference.prefixHitRate = 0.5;
        QVERIFY(!checkSetup(both).empty() && legalFixes(both, Catalog::builtIn()).empty());
    }

    /// More stages than layers are refused by the model alone, and a fix of other sizes must not make them.
    void aLegalFixGoesWithTheLayers()
    {
        Scenario scenario;
        scenario.model = {"llama-3-8b", {}}; // 32 layers
        scenario.hardware.count = 64;
        scenario.parallelism.pipeline = 64;
        QVERIFY(checkSetup(scenario).empty());
        const auto fixes = legalFixes(scenario, Catalog::builtIn());
        QVERIFY(!fixes.empty());
        QCOMPARE(fixes.front().edits.front().row->id, std::string_view("pipeline"));
        QCOMPARE(fixes.front().edits.front().value, 32.0);
        scenario.hardware.count = 34;
        scenario.parallelism.pipeline = 31; // of what divides 34 the nearest is 34
        for (const Advice& fix : legalFixes(scenario, Catalog::builtIn())) {
            Scenario changed = scenario;
            applyEdits(changed, fix.edits);
            QVERIFY2(prepare(changed, Catalog::builtIn(), Calibration::builtIn()).has_value(), fix.change.c_str());
        }
    }

    void aWarningPointsAtAParameterAndAValueWithoutIt()
    {
        Scenario scenario;
        scenario.training.sequenceLength = 65536; // Llama 3 8B was trained for 8192
        const PreparedScenario start = prepared(scenario);
        QVERIFY(evaluate(start).warnings.has(WarningCode::BeyondMaxContext));
        const ParameterRow* row = warningParameter(WarningCode::BeyondMaxContext, start);
        QVERIFY(row && row->id == "sequence_length");
        const auto fix = withoutWarning(start, WarningCode::BeyondMaxContext, *row);
        QVERIFY(fix);
        QCOMPARE(fix->edits.front().value, 8192.0);
        QVERIFY(!withoutWarning(start, WarningCode::BeyondMaxContext, *row, [](std::string_view) { return true; }));
    }

    void stepsAreEvaluatedAndOrdered()
    {
        test::RandomScenarios scenarios(13);
        for (int i = 0; i < 60; ++i) {
            const Task task = i % 2 == 0 ? Task::Training : Task::Inference;
            const PreparedScenario prepared = scenarios.next(task);
            const Evaluation e = evaluate(prepared);
            const MetricRow& metric = leadingMetric(prepared);
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

    /// Half the GPUs, or software that nobody can switch on, are not the first thing to do about a run.
    void whatAPersonCanChangeComesFirst()
    {
        test::RandomScenarios scenarios(16);
        int otherwise = 0; // of those where something else gains more
        for (int i = 0; i < 200; ++i) {
            PreparedScenario prepared = scenarios.next(i % 2 == 0 ? Task::Training : Task::Inference);
            prepared.measured = {};
            const Evaluation e = evaluate(prepared);
            const auto found = improvements(prepared, e, 100);
            const auto inHand = [](const Advice& advice) { return !isOutOfHand(*advice.edits.front().row); };
            QVERIFY(std::ranges::is_partitioned(found, inHand));
            const MetricRow& metric = leadingMetric(prepared);
            const auto gain = [&](const Advice& advice) {
                const double change = *metric.value(advice.after) - *metric.value(e);
                return metric.better == Better::Lower ? -change : change;
            };
            const auto best = std::ranges::max_element(found, {}, gain);
            otherwise += best != found.end() && best != found.begin() && !inHand(*best) ? 1 : 0;
        }
        QVERIFY(otherwise > 5);
        QVERIFY(isOutOfHand(*parameterRow("count")) && isOutOfHand(*parameterRow("software")));
        QVERIFY(!isOutOfHand(*parameterRow("checkpointing")));
    }

    /// Advice about a measured run is about what it measured, also where its memory is predicted not to be enough.
    void aRunThatWasMeasuredIsToldItsOwnGain()
    {
        test::RandomScenarios scenarios(17);
        int told = 0, unfitting = 0;
        for (int i = 0; i < 300; ++i) {
            PreparedScenario prepared = scenarios.next(Task::Training);
            prepared.efficiency = prepared.efficiency.plain();
            prepared.measured = {};
            prepared.measured.stepTimeS = *evaluate(prepared).stepTimeS * 1.3;
            const Evaluation e = evaluate(prepared);
            if (!e.credible())
                continue;
            QVERIFY(isRunning(e));
            for (const Advice& advice : whatNext(prepared, e)) {
                QVERIFY2(advice.text.find("measured ") != std::string::npos, advice.text.c_str());
                QVERIFY(advice.after.fits || advice.after.usedBytes <= e.usedBytes);
                ++told;
                unfitting += e.fits ? 0 : 1;
            }
        }
        // That it ran out of memory is measured, too: it did not run.
        PreparedScenario large = scenarios.next(Task::Training);
        large.measured = {};
        large.measured.outOfMemory = true;
        large.training.microBatch = 1 << 20;
        large.training.globalBatch.reset();
        QVERIFY(!evaluate(large).fits && !isRunning(evaluate(large)));
        QVERIFY(told > 50);
        QVERIFY(unfitting > 5);
    }

    void aLowerPeakIsNoHelp()
    {
        test::RandomScenarios scenarios(14);
        for (int i = 0; i < 60; ++i) {
            const PreparedScenario prepared = scenarios.next(Task::Training);
            const Evaluation e = evaluate(prepared);
            for (const SensitivityStep& step : sensitivity(prepared, e, leadingMetric(prepared)))
                QVERIFY(step.gain <= 0 || step.evaluation.peakFlops >= e.peakFlops ||
                        *step.evaluation.tokensPerS >= *e.tokensPerS);
        }
    }

    /// The slider's marks end at 1,024 GPUs: of 8,192 the next step is half, not an eighth.
    void aStepFromBeyondTheMarksIsNoLeap()
    {
        const ParameterRow& row = *parameterRow("count");
        const auto below = [&row](std::int64_t gpus) {
            return nextSteps(row, test::trainingCase("llama-3-8b", "h100-sxm-80gb", gpus)).front();
        };
        QCOMPARE(below(8192), 4096.0);
        QCOMPARE(below(1024), 512.0);
    }
};
HEADROOM_TEST(TestAdvice)

} // namespace headroom::test_advice
#include "test_advice.moc"
