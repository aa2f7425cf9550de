// SPDX-License-Identifier: GPL-3.0-or-later
// A training in phases: each is the scenario with its own sizes, the whole their sum; the file's key; the chart.
#include "core/predict/key_effects.hpp"
#include "core/predict/phases.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/result_notes.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/plan/planner.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/predict/goodput.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_phases
{
namespace
{

Expected<ScenarioReading> reading(const std::string& phases, const std::string& more = {},
                                  const std::string& task = "training")
{
    return readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware": )"
                        R"({"accelerator": "h100-sxm-80gb", "count": 64, "price_per_gpu_hour": 2}, "workload": )"
                        R"({"task": ")" +
                            task + R"(", "sequence_length": 8192, "phases": )" + phases + more + "}}",
                        Catalog::builtIn());
}

constexpr const char* two = R"([{"name": "short", "tokens": 1e12, "sequence_length": 4096, "micro_batch": 2},
                                {"tokens": 5e11, "count": 128, "sequence_length": 32768, "context": 2}])";

constexpr const char* recomputed = R"(, "checkpointing": "full")";

PreparedScenario prepared(const std::string& phases, const std::string& more = {})
{
    return prepare(reading(phases, more).value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

} // namespace

class TestPhases : public QObject
{
    Q_OBJECT
private slots:
    /// "sharding = fsdp has no effect: there is one data-parallel rank", of a first phase on one GPU.
    void whatActsInALaterPhaseActs()
    {
        for (const std::int64_t count : {1, 8}) {
            Scenario s;
            s.hardware.count = 1;
            s.training.microBatch = 1;
            s.parallelism.sharding = Sharding::Fsdp;
            s.phases.resize(2);
            s.phases[0].tokens = s.phases[1].tokens = 1e10;
            s.phases[1].count = count;
            const auto p = prepare(s, Catalog::builtIn(), Calibration::builtIn());
            QVERIFY(p);
            QCOMPARE(keysWithoutEffectText(*p).find("sharding = ") != std::string::npos, count == 1);
            QCOMPARE(hasKeyWithoutEffect(*p), !keysWithoutEffectText(*p).empty());
        }
    }

    void aPlanSaysThatItLeavesThemOut()
    {
        const auto says = [](PlanRequest request) {
            request.gpuCounts = {64};
            const auto result = plan(request);
            return result && std::ranges::any_of(result->notes, [](const std::string& note) {
                       return note.find("those of its phases") != note.npos;
                   });
        };
        PlanRequest request;
        request.base = prepared(two);
        QVERIFY(says(request));
        // A deadline is no reason to ask for tokens that the phases have.
        request.base.training.trainingTokens.reset();
        request.limits.deadlineS = 1e7;
        request.gpuCounts = {64};
        const Diagnostic refused = plan(request).error().front();
        QVERIFY2(refused.message.starts_with("a training in phases cannot be planned for a deadline"),
                 refused.message.c_str());
        QVERIFY2(refused.hint.find("training_tokens") != std::string::npos, refused.hint.c_str());
        request.base.training.trainingTokens = 1e11; // of one phase
        QVERIFY(says(request));
        request.base.phases.reset();
        QVERIFY(!says(request));
    }

    void eachIsTheScenarioWithItsOwnSizes()
    {
        const PreparedScenario p = prepared(two);
        const auto each = evaluatePhases(p);
        QCOMPARE(each.size(), std::size_t(2));
        PreparedScenario second = p;
        second.phases.reset();
        second.hardware.count = 128;
        second.training.sequenceLength = 32768;
        second.training.trainingTokens = 5e11;
        second.parallelism.context = 2;
        const Evaluation e = evaluate(second);
        QCOMPARE(each[1].seconds, *e.secondsToTrain);
        QCOMPARE(*each[1].cost, *e.costToTrain);
        QCOMPARE(each[1].gpuHours, 128 * *e.secondsToTrain / 3600);
        QCOMPARE(each[0].sequenceLength, 4096.0);
        QCOMPARE(each[0].gpus, 64.0);
        QVERIFY(each[0].tokensPerS / each[0].gpus > each[1].tokensPerS / each[1].gpus); // long sequences are slower
    }

    void theWholeIsTheSum()
    {
        for (const char* more : {"", R"(, "reliability": {"spares": 8})"}) {
            const PreparedScenario p = prepared(two, more);
            const auto each = evaluatePhases(p);
            const PhasesTotal total = evaluate(p).phases.value();
            QCOMPARE(total.tokens, 1.5e12);
            QCOMPARE(total.seconds, each[0].seconds + each[1].seconds);
            QCOMPARE(total.gpuHours, each[0].gpuHours + each[1].gpuHours);
            QCOMPARE(*total.cost, *each[0].cost + *each[1].cost);
            for (const auto& [id, value] :
                 {std::pair("phases.seconds", total.seconds), std::pair("phases.cost", *total.cost),
                  std::pair("phases.gpu_hours", total.gpuHours), std::pair("phases.tokens", total.tokens)})
                QCOMPARE(derive(id, p, evaluate(p)).steps.back().value, value);
        }
    }

    void aPhaseThatDoesNotFitIsSaid()
    {
        QVERIFY(!evaluate(prepared(two, recomputed)).warnings.has(WarningCode::PhaseDoesNotFit));
        const PreparedScenario p =
            prepared(R"([{"tokens": 1e12}, {"name": "long", "tokens": 1e11, "sequence_length": 2097152}])");
        const Evaluation e = evaluate(p);
        QCOMPARE(e.phases->unfit, std::size_t(2));
        QVERIFY(e.warnings.has(WarningCode::PhaseDoesNotFit));
        QVERIFY(warningText(WarningCode::PhaseDoesNotFit, 2, p).find("long") != std::string::npos);
        // The first alone was named.
        const PreparedScenario both = prepared(R"([{"tokens": 1e12, "sequence_length": 1048576}, {"tokens": 1e12, )"
                                               R"("sequence_length": 1024}, {"name": "long", "tokens": 1e11, )"
                                               R"("sequence_length": 2097152}])",
                                               recomputed);
        QCOMPARE(warningText(WarningCode::PhaseDoesNotFit, 1, both),
                 std::string("2 phases do not fit: phase 1, long. Their times are computed as if they did."));
    }

    /// Those of a phase were lost, even that its hosts do not hold what is offloaded.
    void whatAPhaseHasNotesOfIsSaid()
    {
        const std::string offloaded = R"(, "checkpointing": "full", "offload": "optimizer")";
        const auto withHosts = [&](const std::string& phases, double gb) {
            PreparedScenario p = prepared(phases, offloaded);
            p.hardware.hostMemoryGb = gb;
            p.parallelism.sharding = Sharding::Fsdp;
            return p;
        };
        const std::string few = R"([{"tokens": 1e12}, {"name": "few", "tokens": 1e12, "count": 8, "tensor": 8}])";
        const PreparedScenario small = withHosts(few, 100); // 16 bytes of each of 8e9 parameters lie on a host
        const Evaluation e = evaluate(small);
        QVERIFY(!e.warnings.has(WarningCode::HostMemoryTooSmall) && e.warnings.has(WarningCode::PhaseHasNotes));
        QVERIFY(e.fits && !e.phases->fit && e.phases->unfit == 2);
        QVERIFY(evaluate(phaseScenario(small, small.phases->back())).warnings.has(WarningCode::HostMemoryTooSmall));
        const std::string text = warningText(WarningCode::PhaseHasNotes, 0, small);
        QVERIFY2(text.starts_with("few: What is offloaded takes"), text.c_str());
        const Evaluation large = evaluate(withHosts(few, 2000));
        QVERIFY(large.phases->fit && !large.warnings.has(WarningCode::PhaseHasNotes));
        // 32 heads on six ranks are of the phase; what the scenario itself warns of is not said again.
        const PreparedScenario uneven = prepared(R"([{"tokens": 1e12, "count": 48, "tensor": 6}, )"
                                                 R"({"tokens": 1e12, "count": 96, "tensor": 6}])",
                                                 recomputed);
        const std::string heads = warningText(WarningCode::PhaseHasNotes, 0, uneven);
        QVERIFY2(heads.starts_with("phase 1: The attention heads") &&
                     heads.find(" phase 2: The attention heads") != heads.npos,
                 heads.c_str());
        PreparedScenario same = uneven;
        same.hardware.count = 48;
        same.parallelism.tensor = 6;
        QVERIFY(evaluate(same).warnings.has(WarningCode::HeadsNotDivisible));
        QVERIFY(!evaluate(same).warnings.has(WarningCode::PhaseHasNotes));
    }

    /// Llama 3 8B was trained for sequences of 8,192 tokens.
    void aPhaseBeyondTheContextIsSaid()
    {
        const auto warned = [](const std::string& phases) {
            return evaluate(prepared(phases)).warnings.has(WarningCode::BeyondMaxContext);
        };
        QVERIFY(!warned(R"([{"tokens": 1e12}, {"tokens": 1e12, "sequence_length": 4096}])"));
        const std::string longer = R"([{"tokens": 1e12}, {"name": "long", "tokens": 1e11, "sequence_length": 16384}])";
        QVERIFY(warned(longer));
        const PreparedScenario p = prepared(longer);
        const std::string text = warningText(WarningCode::BeyondMaxContext, 8192, p);
        QVERIFY2(text.starts_with("long: 16,384 tokens are more than the 8,192"), text.c_str());
        for (const ResultNote& note : resultNotes(p, evaluate(p)))
            QVERIFY(note.code != WarningCode::BeyondMaxContext || !note.row); // the scenario's own length is fine
    }

    /// No sample sees more than itself: Llama 3 8B reads 32,768 tokens of samples of 2,048.
    void packedSamplesAreWithinTheContext()
    {
        const auto warned = [](const std::string& phases, const std::string& sample) {
            PreparedScenario p = prepared(phases, R"(, "packed_sample_tokens": )" + sample);
            const bool ofPhase = evaluate(p).warnings.has(WarningCode::BeyondMaxContext);
            p.training.sequenceLength = 32768;
            p.phases.reset();
            return std::pair(ofPhase, evaluate(p).warnings.has(WarningCode::BeyondMaxContext));
        };
        const std::string longer = R"([{"name": "long", "tokens": 1e11, "sequence_length": 32768}])";
        QCOMPARE(warned(longer, "2048"), std::pair(false, false));
        QCOMPARE(warned(longer, "9000"), std::pair(true, true));
        const PreparedScenario p = prepared(longer, R"(, "packed_sample_tokens": 9000)");
        const std::string text = warningText(WarningCode::BeyondMaxContext, 8192, p);
        QVERIFY2(text.starts_with("long: 9,000 tokens are more than the 8,192"), text.c_str());
        QVERIFY(warningParameter(WarningCode::BeyondMaxContext, phaseScenario(p, p.phases->front()))->id ==
                "packed_sample_tokens");
    }

    /// Nothing else of the result depends on them than what is of the whole run.
    void theRestOfTheResultIsTheSame()
    {
        const PreparedScenario p = prepared(two, recomputed); // both fit: nothing is warned of
        PreparedScenario plain = p;
        plain.phases.reset();
        Evaluation with = evaluate(p);
        with.phases.reset();
        with.secondsToTrain.reset();
        with.costToTrain.reset();
        QVERIFY(with.warnings.has(WarningCode::BeyondMaxContext)); // the second phase's sequences
        with.warnings = evaluateStep(p).warnings;
        QVERIFY(with == evaluate(plain));
        QVERIFY(!evaluate(plain).phases);
    }

    /// Time, cost, energy and carbon of a run in phases are the sums over its phases, whatever training_tokens says.
    void theRunIsItsPhases()
    {
        for (const char* more : {"", R"(, "training_tokens": 7e12)", R"(, "reliability": {"spares": 8})"}) {
            PreparedScenario p = prepared(two, more);
            p.hardware.power.pue = 1.2;
            p.hardware.power.carbonGPerKwh = 400;
            const Evaluation e = evaluate(p);
            double seconds = 0, cost = 0, kwh = 0, lost = 0;
            for (const TrainingPhase& phase : *p.phases) { // each as a scenario of its own, in one piece
                const Evaluation own = evaluate(phaseScenario(p, phase));
                seconds += *own.secondsToTrain;
                cost += *own.costToTrain;
                kwh += *own.watts * 1.2 * *own.secondsToTrain / 3.6e6;
                lost += own.goodput ? *own.secondsToTrain * (1 - own.goodput->share) : 0;
            }
            const auto near = [](double a, double b) { return std::abs(a / b - 1) < 1e-12; };
            QVERIFY(near(*e.secondsToTrain, seconds) && near(*e.costToTrain, cost));
            QVERIFY(near(*e.site->runKwh, kwh) && near(*e.site->runCarbonKg, kwh * 0.4));
            QCOMPARE(lostSeconds(e).has_value(), e.goodput.has_value());
            QVERIFY(!e.goodput || near(*lostSeconds(e), lost));
            for (const char* id :
                 {"seconds_to_train", "cost.to_train", "energy.run_kwh", "energy.run_carbon_kg", "goodput.lost_s"}) {
                const auto value = metricRow(id)->value(e);
                if (!value)
                    continue;
                const Derivation d = derive(id, p, e);
                QVERIFY2(near(d.steps.back().value, *value), id);
                const bool sums = std::string_view(id) != "energy.run_carbon_kg"; // that is one of energy
                QVERIFY2(!sums || d.steps.size() == 3, id);                       // two phases and their sum
            }
        }
    }

    void tokensBesideOtherPhasesAreSaid()
    {
        const auto idle = [](const std::string& more) {
            const PreparedScenario p = prepared(two, more);
            return evaluate(p).warnings.has(WarningCode::KeyWithoutEffect)
                       ? warningText(WarningCode::KeyWithoutEffect, 0, p)
                       : std::string();
        };
        QCOMPARE(idle(""), std::string());
        QCOMPARE(idle(R"(, "training_tokens": 1.5e12)"), std::string()); // 10¹² + 5 · 10¹¹
        const std::string text = idle(R"(, "training_tokens": 1e12)");
        QVERIFY(text.find("1,000,000,000,000") != text.npos && text.find("1,500,000,000,000") != text.npos);
    }

    /// A curve over GPUs has the scenario's own sizes and no phases: it shows no time of the run.
    void aCurveOverGpusShowsNoRunInPhases()
    {
        const auto reading = [](bool inPhases) {
            ChartContext context;
            context.scenario = prepared(two, R"(, "training_tokens": 1e12)");
            if (!inPhases)
                context.scenario.phases.reset();
            context.evaluation = evaluate(context.scenario);
            return chartRow("more_gpus")->build(context).reading;
        };
        const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
        QVERIFY2(has(reading(false), "days now"), reading(false).c_str());
        QVERIFY2(has(reading(true), "tokens/s now") && !has(reading(true), "days"), reading(true).c_str());
    }

    /// An interval that is longer than one phase and shorter than the run writes checkpoints.
    void checkpointsAreThoseOfTheRun()
    {
        const auto warned = [](double hours) {
            PreparedScenario p = prepared(two, R"(, "training_tokens": 1e6, "reliability": {"spares": 0})");
            p.training.reliability.checkpointIntervalS = 3600 * hours;
            return evaluate(p).warnings.has(WarningCode::CheckpointBeyondRun);
        };
        QVERIFY(!warned(1)); // a million tokens take a second, the phases weeks
        QVERIFY(warned(24 * 365));
    }

    /// One that restated the scenario's own length lost its packed samples, and took twice the time.
    void aPhaseLikeTheScenarioTakesItsTime()
    {
        const std::string packed = R"(, "training_tokens": 1e12, "packed_sample_tokens": 1024)";
        for (const char* phase : {R"([{"tokens": 1e12}])", R"([{"tokens": 1e12, "sequence_length": 8192}])"}) {
            const PreparedScenario p = prepared(phase, packed);
            PreparedScenario alone = p;
            alone.phases.reset();
            const Evaluation e = evaluate(p), one = evaluate(alone);
            QCOMPARE(e.phases->seconds, *one.secondsToTrain);
            QCOMPARE(*e.phases->cost, *one.costToTrain);
        }
        const PreparedScenario shorter = prepared(R"([{"tokens": 1e12, "sequence_length": 512}])", packed);
        QCOMPARE(effectiveSampleTokens(phaseScenario(shorter, shorter.phases->front()).training), 512);
    }

    void theFileKeepsThem()
    {
        const Scenario s = reading(two).value().scenario;
        QCOMPARE(s.phases.size(), std::size_t(2));
        QCOMPARE(s.phases[0].name, std::string("short"));
        QVERIFY(readScenario(writeScenario(s), Catalog::builtIn()).value().scenario == s);
        Scenario plain = s;
        plain.phases.clear();
        QVERIFY(writeScenario(plain).find("phases") == std::string::npos);
    }

    void whatIsWrongIsNamed()
    {
        const auto pathOf = [](const std::string& phases) {
            const auto read = reading(phases);
            if (!read)
                return read.error().front().path;
            const auto p = prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn());
            return p ? std::string() : p.error().front().path;
        };
        QCOMPARE(pathOf("[]"), std::string("/workload/phases"));
        QCOMPARE(pathOf("{}"), std::string("/workload/phases"));
        QCOMPARE(pathOf(R"([{"name": "x"}])"), std::string("/workload/phases/0"));
        QCOMPARE(pathOf(R"([{"tokens": 0}])"), std::string("/workload/phases/0/tokens"));
        QCOMPARE(pathOf(R"([{"tokens": 1e9}, {"tokens": 1e9, "count": 1.5}])"),
                 std::string("/workload/phases/1/count"));
        QCOMPARE(pathOf(R"([{"tokens": 1e9}, {"tokens": 1e9, "batch": 8}])"), std::string("/workload/phases/1/batch"));
        QCOMPARE(pathOf(R"([{"tokens": 1e9}, {"tokens": 1e9, "tensor": 3}])"), std::string("/workload/phases/1"));
        QCOMPARE(pathOf(R"([{"tokens": 1e9, "pipeline": 64}])"), std::string("/workload/phases/0")); // 32 layers
        std::string many = R"([{"tokens": 1e9})";
        for (int i = 0; i < 16; ++i)
            many += R"(, {"tokens": 1e9})";
        QCOMPARE(pathOf(many + "]"), std::string("/workload/phases"));
        QVERIFY(!reading(two, "", "inference")); // a key of training
    }

    void resultAndChartShowEach()
    {
        const PreparedScenario p = prepared(two);
        const Evaluation e = evaluate(p);
        const auto json = nlohmann::json::parse(evaluationJson("", p, e, 0))["phases"];
        QCOMPARE(json["each"].size(), std::size_t(2));
        QCOMPARE(json["each"][0]["name"].get<std::string>(), std::string("short"));
        QCOMPARE(json["each"][1]["seconds"].get<double>() + json["each"][0]["seconds"].get<double>(),
                 json["seconds"].get<double>());
        ChartContext context;
        context.scenario = p;
        context.evaluation = e;
        const ChartRow& row = *chartRow("phases");
        QVERIFY(row.comesWith(p));
        const ChartSpec spec = row.build(context);
        QCOMPARE(spec.series.front().points.size(), std::size_t(2));
        QCOMPARE(spec.x.ticks[0].label, std::string("short"));
        QCOMPARE(spec.x.ticks[1].label, std::string("phase 2"));
        context.scenario.phases.reset();
        QVERIFY(!row.comesWith(context.scenario));
    }
};
HEADROOM_TEST(TestPhases)

} // namespace headroom::test_phases
#include "test_phases.moc"
