// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/derive.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::test_derivation
{
namespace
{

bool agrees(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

/// Empty when the derivation is complete, else what is wrong with it.
std::string faultOf(const Derivation& d, const MetricRow& metric, std::optional<double> value, Task task)
{
    if (d.metricId != metric.id || d.title.empty() || d.statement.empty() || d.meaning.empty())
        return "says nothing";
    if (!value || !appliesTo(metric, task))
        return d.steps.empty() ? "" : "derives what is not defined";
    if (d.steps.empty())
        return "no steps";
    if (!agrees(d.steps.back().value, *value))
        return "ends at " + exactNumber(d.steps.back().value) + " instead of " + exactNumber(*value);
    if (d.steps.back().formula.empty())
        return "the result has no formula";
    for (const DerivationStep& step : d.steps) {
        if (step.name.empty() || !std::isfinite(step.value))
            return "step without name or value";
        if (!step.parameterId.empty() && !parameterRow(step.parameterId))
            return "unknown parameter " + step.parameterId;
        for (const std::string& text : {step.name, step.formula, step.substituted})
            if (text.find("nan") != std::string::npos || text.find("{}") != std::string::npos)
                return "bad text: " + text;
    }
    return {};
}

const DerivationStep* stepOf(const Derivation& d, std::string_view symbol)
{
    const auto found = std::ranges::find(d.steps, symbol, &DerivationStep::symbol);
    return found == d.steps.end() ? nullptr : &*found;
}

} // namespace

class TestDerivation : public QObject
{
    Q_OBJECT
private slots:
    void everyMetricOfEveryScenario()
    {
        test::RandomScenarios scenarios(20250118);
        std::set<std::string_view> derived;
        for (int i = 0; i < 300; ++i) {
            const Task task = i % 2 == 0 ? Task::Training : Task::Inference;
            const PreparedScenario prepared = scenarios.next(task);
            const Evaluation e = evaluate(prepared);
            for (const MetricRow& metric : metricRegistry()) {
                const Derivation d = derive(metric.id, prepared, e);
                const std::string fault = faultOf(d, metric, figureOf(metric, prepared, e), task);
                QVERIFY2(fault.empty(),
                         (std::string(metric.id) + " of scenario " + std::to_string(i) + " (" +
                          prepared.model->architecture.id + " on " + prepared.accelerator->id + "): " + fault)
                             .c_str());
                if (!d.steps.empty())
                    derived.insert(metric.id);
            }
        }
        // The random scenarios reach every figure: a row that is never defined would hide a missing derivation.
        for (const MetricRow& metric : metricRegistry())
            QVERIFY2(derived.contains(metric.id), metric.id.data());
    }

    void loraIsExplained()
    {
        test::RandomScenarios scenarios(2);
        PreparedScenario prepared = scenarios.next(Task::Training);
        prepared.training.method = Method::Lora;
        prepared.accounting = Convention::SixN;
        const Derivation d = derive("mfu", prepared, evaluate(prepared));
        QVERIFY(d.meaning.find("4 FLOP a token, not 6") != std::string::npos);
        QVERIFY(d.meaning.find("With full weights it would read") != std::string::npos);
        QVERIFY(stepOf(d, "c") && stepOf(d, "c")->formula == "4·N");

        prepared.training.method = Method::Full;
        const Derivation full = derive("mfu", prepared, evaluate(prepared));
        QVERIFY(full.meaning.find("With full weights") == std::string::npos);
        QVERIFY(stepOf(full, "c") && stepOf(full, "c")->formula == "6·N");
    }

    /// Muon's iterations are in the optimizer's time, and the derivation of the step says so.
    void muonIsExplained()
    {
        test::RandomScenarios scenarios(2);
        PreparedScenario prepared = scenarios.next(Task::Training);
        prepared.training.method = Method::Full;
        const auto says = [&](Optimizer optimizer) {
            prepared.training.optimizer = optimizer;
            const Derivation d = derive("step_time_s", prepared, evaluate(prepared));
            return std::ranges::any_of(
                d.assumptions, [](const auto& text) { return text.find("Newton-Schulz") != std::string::npos; });
        };
        QVERIFY(says(Optimizer::Muon));
        QVERIFY(!says(Optimizer::AdamW));
    }

    /// Megatron trains the layer that predicts a second token, and one convention counts it.
    void theLayerOfASecondTokenIsCountedInHfu()
    {
        PreparedScenario prepared = test::serving("deepseek-v3", "h100-sxm-80gb", 256, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism.tensor = 8;
            s.training.software = TrainingSoftware::Megatron;
            s.training.checkpointing = Checkpointing::Full;
            s.accounting = Convention::MegatronCausal;
        });
        const Evaluation e = evaluate(prepared);
        const auto derived = [&] { return derive("hfu", prepared, e).steps.back().value; };
        QVERIFY(agrees(derived(), *e.hfu));
        prepared.training.software = TrainingSoftware::TorchFsdp;
        QVERIFY(!agrees(derived(), *e.hfu));
    }

    void observedAndPredictedDoNotMix()
    {
        test::RandomScenarios scenarios(4);
        PreparedScenario prepared = scenarios.next(Task::Training);
        prepared.measured = {};
        prepared.measured.stepTimeS = 2 * *evaluate(prepared).stepTimeS;
        const double measured = *prepared.measured.stepTimeS;
        const Evaluation e = evaluate(prepared);
        const Derivation observed = derive("observed.mfu", prepared, e), predicted = derive("mfu", prepared, e);
        QVERIFY(stepOf(observed, "t") && stepOf(predicted, "t"));
        QCOMPARE(stepOf(observed, "t")->value, measured);
        QCOMPARE(stepOf(predicted, "t")->value, *e.stepTimeS);
        QVERIFY(observed.meaning.find("observed") != std::string::npos);
        QVERIFY(predicted.meaning.find("prediction") != std::string::npos);
    }

    /// A service that wrote as many tokens a second as predicted used its GPUs as predicted, however long its prompts
    /// are and whatever it drafts: of a static batch that reads 4,000 tokens and writes 20, an eighth of its MFU was
    /// observed.
    void aRateAsPredictedIsUseAsPredicted()
    {
        for (const Scheduling scheduling : {Scheduling::Continuous, Scheduling::Static, Scheduling::Disaggregated})
            for (const bool drafts : {false, true}) {
                PreparedScenario p = test::serving("llama-3.1-8b", "h100-sxm-80gb", 2, [&](Scenario& s) {
                    s.inference.batch = 16;
                    s.inference.promptTokens = 4000;
                    s.inference.outputTokens = 20;
                    s.inference.scheduling = scheduling;
                    if (drafts)
                        s.inference.drafting = Drafting::Eagle3;
                });
                const Evaluation predicted = evaluate(p);
                p.measured.tokensPerS = *predicted.tokensPerS / 2;
                const Evaluation e = evaluate(p);
                QVERIFY(agrees(*e.observed->stepTimeS, 2 * *predicted.tpotS));
                QVERIFY(agrees(*e.observed->mfu, *predicted.mfu / 2));
                QVERIFY(agrees(*e.observed->hfu, *predicted.hfu / 2));
                QVERIFY(agrees(*e.observed->mbu, *predicted.mbu / 2));
                const Derivation time = derive("observed.step_time_s", p, e);
                QVERIFY(agrees(time.steps.back().value, *e.observed->stepTimeS));
                QVERIFY(derive("observed.mfu", p, e).meaning.find("hold the time of prompts") != std::string::npos);
            }
    }

    void slidersAreLinked()
    {
        test::RandomScenarios scenarios(6);
        const PreparedScenario prepared = scenarios.next(Task::Training);
        const Derivation d = derive("mfu", prepared, evaluate(prepared));
        for (const std::string_view id : {"micro_batch", "sequence_length", "count"})
            QVERIFY2(std::ranges::find(d.steps, id, &DerivationStep::parameterId) != d.steps.end(), id.data());
        QVERIFY(!d.sources.empty() && !d.assumptions.empty());
        QVERIFY(d.sources.back().ends_with("docs/method/counting.md"));
    }

    void whatIsMissingIsAskedFor()
    {
        test::RandomScenarios scenarios(8);
        PreparedScenario prepared = scenarios.next(Task::Training);
        prepared.hardware.pricePerGpuHour.reset();
        prepared.measured = {};
        const Evaluation e = evaluate(prepared);
        QVERIFY(derive("cost.per_hour", prepared, e).meaning.find("price") != std::string::npos);
        QVERIFY(derive("observed.mfu", prepared, e).meaning.find("measured") != std::string::npos);
        QCOMPARE(derive("no-such", prepared, e).title, std::string("Unknown figure"));
    }

    /// A figure of its task that a bare scenario lacks says what would bring it, in words of its own.
    void eachFigureThatIsMissingSaysWhatItNeeds()
    {
        test::RandomScenarios scenarios(8);
        using enum Scheduling;
        for (const auto& [task, scheduling] :
             {std::pair(Task::Training, Continuous), std::pair(Task::Inference, Continuous),
              std::pair(Task::Inference, Static), std::pair(Task::Inference, Disaggregated)}) {
            PreparedScenario bare = scenarios.next(task);
            while (isRl(bare) || bare.accelerator->tdpWatts <= 0) // whose power is not predicted
                bare = scenarios.next(task);
            bare.inference.scheduling = scheduling;
            bare.hardware.pricePerGpuHour.reset();
            bare.hardware.power = {};
            bare.measured = {};
            const Evaluation e = evaluate(bare);
            QVERIFY(e.watts.has_value());
            QVERIFY(derive("energy.kwh_per_million_tokens", bare, e).meaning.find("site's power") != std::string::npos);
            for (const MetricRow& row : metricRegistry()) {
                const std::string said = derive(row.id, bare, e).meaning;
                if (said.find("not defined for this scenario") != std::string::npos)
                    QVERIFY2(!appliesTo(row, task), std::string(row.id).c_str());
            }
        }
    }

    /// A load keeps a mean in flight: the product that is shown is the figure that follows.
    void aMeanInFlightIsShownAsOne()
    {
        const PreparedScenario p = test::serving("llama-3-8b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.batch = 64;
            s.inference.requestsPerS = 3;
        });
        const Evaluation e = evaluate(p);
        const double tokens = e.tokensPerStep;
        QVERIFY(std::abs(tokens - std::round(tokens)) > 0.02 * tokens);
        const Derivation d = derive("mfu", p, e);
        const DerivationStep* flop = stepOf(d, "F");
        QVERIFY(flop);
        QVERIFY2(flop->substituted.ends_with(formatText(tokens, ValueFormat::Plain)), flop->substituted.c_str());
    }

    /// One pool of fewer GPUs is no comparison with two.
    void onePoolHasAsManyGpusAsTwo()
    {
        for (const std::int64_t readers : {8, 12}) {
            const PreparedScenario p = test::serving("llama-3-70b", "h100-sxm-80gb", 8, [readers](Scenario& s) {
                s.inference.batch = 128;
                s.inference.scheduling = Scheduling::Disaggregated;
                s.inference.prefillPool.count = readers;
                s.inference.prefillPool.tensor = 4;
            });
            const std::string meaning = derive("pools.ratio", p, evaluate(p)).meaning;
            QCOMPARE(meaning.find("One pool of the same GPUs") != std::string::npos, readers == 8);
        }
    }
};
HEADROOM_TEST(TestDerivation)

} // namespace headroom::test_derivation
#include "test_derivation.moc"
