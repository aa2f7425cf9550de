// SPDX-License-Identifier: GPL-3.0-or-later
// What a job of reinforcement learning takes and costs as a whole: the GPUs of both sides, the time of whole steps, and
// nothing that was predicted of the update alone.
#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/missing_figure.hpp"
#include "core/explore/advice.hpp"
#include "core/explore/levers.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_rl_cost
{

using test::near;

namespace
{

/// 16 GPUs that train and `rollout` that generate, at 2 a GPU-hour; `more` are further keys of the workload.
PreparedScenario job(const char* model, const std::string& rollout, const std::string& more = {})
{
    const auto read = readScenario(
        std::string(R"({"format": "headroom-scenario", "version": 1, "model": ")") + model +
            R"(", "hardware": {"accelerator": "h100-sxm-80gb", "count": 16, "price_per_gpu_hour": 2, )"
            R"("power": {"carbon_g_per_kwh": 300}}, "workload": {"task": "training", "sequence_length": 4096, )"
            R"("training_tokens": 1e9, "rl": {"prompts": 64, "samples": 16, "prompt_tokens": 200, )"
            R"("output_tokens": 1000, "placement": "separate", "staleness": 1, "rollout_pool": )" +
            rollout + "}" + more + R"(}, "parallelism": {"sharding": "fsdp"}})",
        Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

} // namespace

class TestRlCost : public QObject
{
    Q_OBJECT
private slots:
    void allGpusAndWholeStepsArePaidFor()
    {
        const Evaluation e = evaluate(job("llama-3.1-8b", R"({"count": 8})"));
        const RlResult& r = *e.rl;
        QCOMPARE(r.gpus, 24.0);
        const std::string text = evaluationText("", job("llama-3.1-8b", R"({"count": 8})"), e);
        QVERIFY2(text.starts_with("Llama 3.1 8B on 16 × H100 SXM5 80GB and 8 that generate, training\n"), text.c_str());
        QCOMPARE(*e.costPerHour, 2 * 24.0);
        QVERIFY(near(*e.costPerMillionTokens, *r.cost / r.tokens * 1e6));
        QVERIFY(near(*e.secondsToTrain, 1e9 / r.tokens * r.stepS));
        QVERIFY(near(*e.costToTrain, 1e9 / r.tokens * *r.cost));
        QVERIFY(*e.secondsToTrain > 1.2e9 / *e.tokensPerS); // generating takes its time, too
    }

    void failuresStretchItAndSparesCost()
    {
        const std::string failing = R"(, "reliability": {"gpu_mtbf_hours": 2000, "spares": 2})";
        const PreparedScenario p = job("llama-3.1-8b", R"({"count": 8})", failing);
        const Evaluation e = evaluate(p);
        QVERIFY(e.goodput->share < 0.999);
        QVERIFY(near(*e.rl->cost, *e.costPerHour * e.rl->stepS / 3600)); // a step was paid for without the spares
        QVERIFY(near(derive("rl.cost_per_step", p, e).steps.back().value, *e.rl->cost));
        QCOMPARE(*e.costPerHour, 2 * 26.0);
        QVERIFY(near(*e.secondsToTrain, 1e9 / e.rl->tokens * e.rl->stepS / e.goodput->share));
        QVERIFY(near(*e.costToTrain, *e.costPerHour * *e.secondsToTrain / 3600));
    }

    /// A critic learns, too: its weights and states are saved beside the policy's (by hand: 14 bytes a parameter each).
    void aCriticIsSavedBesideThePolicy()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 8})", R"(, "reliability": {"checkpoint_gb_per_s": 2})");
        const Goodput alone = *evaluate(p).goodput;
        QVERIFY(near(alone.checkpointBytes, 14 * 8030261248.0));
        p.training.rl.critic = true;
        const Evaluation e = evaluate(p);
        QVERIFY(near(e.goodput->checkpointBytes, 2 * 14 * 8030261248.0));
        QVERIFY(near(e.goodput->checkpointS, 14 * 8.030261248));
        const auto derivation = derive("goodput.checkpoint_bytes", p, e);
        QVERIFY(near(derivation.steps.back().value, e.goodput->checkpointBytes));
    }

    /// Any GPU of either side stops the job, and a step that is cut off is lost whole (by hand, Daly's model).
    void failuresAreOfTheWholeJob()
    {
        for (const double hours : {2000.0, 0.2}) { // the best interval above a step, and below it
            PreparedScenario p =
                job("llama-3.1-8b", R"({"count": 8})",
                    R"(, "reliability": {"gpu_mtbf_hours": 2000, "checkpoint_s": 1, "restart_s": 60, "spares": 2})");
            p.training.reliability.gpuMtbfHours = hours;
            const Evaluation e = evaluate(p);
            const Goodput& g = *e.goodput;
            const double m = hours * 3600 / 24, x = std::sqrt(1 / (2 * m));
            const double best = std::sqrt(2 * m) * (1 + x / 3 + x * x / 9) - 1, step = e.rl->stepS;
            QCOMPARE(best < step, hours < 100);
            const double tau = std::max(best, step);
            QVERIFY(near(g.mtbfS, m));
            QVERIFY(near(g.bestIntervalS, tau));
            QVERIFY(near(g.ettr, tau / m / std::exp(60 / m) / std::expm1((tau + 1) / m)));
            QVERIFY(near(g.tokensPerS, e.rl->tokens / step * g.ettr));
            QVERIFY(near(*e.secondsToTrain, 1e9 / g.tokensPerS));
            for (const char* id : {"goodput.ettr", "goodput.tokens_per_s", "goodput.lost_s", "goodput.mtbf_s",
                                   "goodput.best_interval_s", "goodput.checkpoint_bytes", "goodput.checkpoint_s"})
                QVERIFY2(near(derive(id, p, e).steps.back().value, *metricRow(id)->value(e)), id);
        }
    }

    /// An interval, and a run, are held against steps as long as they are; an update alone would be done long before.
    void warningsAreOfTheWholeJob()
    {
        const auto warned = [](double interval) {
            return evaluate(job("llama-3.1-8b", R"({"count": 8})",
                                R"(, "reliability": {"gpu_mtbf_hours": 2000, "checkpoint_interval_s": )" +
                                    std::to_string(interval) + "}"))
                .warnings.has(WarningCode::CheckpointBeyondRun);
        };
        const Evaluation e = evaluate(job("llama-3.1-8b", R"({"count": 8})"));
        QVERIFY(1e9 / *e.tokensPerS < 0.9 * *e.secondsToTrain);
        QVERIFY(!warned(0.95 * *e.secondsToTrain));
        QVERIFY(warned(1.05 * *e.secondsToTrain));
    }

    /// Charts of the update alone leave failures out, and say so.
    void chartsOfTheUpdateCountNoFailures()
    {
        ChartContext context;
        context.scenario = job("llama-3.1-8b", R"({"count": 8})", R"(, "reliability": {"gpu_mtbf_hours": 2000})");
        context.evaluation = evaluate(context.scenario);
        for (const char* id : {"cost", "more_gpus"}) {
            const ChartSpec spec = chartRow(id)->build(context);
            QVERIFY2(spec.note.find("are left out here") != std::string::npos, id);
            const Guide* point = nullptr; // where it is now lies on the curve
            for (const Guide& guide : spec.guides)
                if (guide.kind == GuideKind::OperatingPoint)
                    point = &guide;
            QVERIFY2(point, id);
            bool found = false;
            for (const Series& series : spec.series)
                for (const Point& other : series.points)
                    found = found || (other.x == point->x && near(other.y, point->y));
            QVERIFY2(found, id);
        }
    }

    void whatIsOfTheUpdateAloneIsLeftOut()
    {
        const PreparedScenario p =
            job("llama-3.1-8b", R"({"count": 8})", R"(, "phases": [{"tokens": 1e9}, {"tokens": 1e8}])");
        const Evaluation e = evaluate(p);
        QVERIFY(!e.watts && !e.joulesPerToken && !e.site && !e.phases);
        for (const char* id : {"energy.watts", "energy.carbon_g_per_million_tokens", "phases.seconds"}) {
            QVERIFY2(metricRow(id), id);
            QVERIFY2(missingFigure(*metricRow(id), p, e).find("generated") != std::string::npos ||
                         missingFigure(*metricRow(id), p, e).find("reinforcement learning") != std::string::npos,
                     id);
        }
        QVERIFY(e.warnings.has(WarningCode::KeyWithoutEffect)); // power and phases
        ChartContext context;
        context.scenario = p;
        context.evaluation = e;
        for (const char* id : {"cost", "more_gpus"})
            QVERIFY2(chartRow(id)->build(context).note.find("Of the update alone") != std::string::npos, id);
        const auto bars = chartRow("phases")->build(context).series.front().points; // the whole run in one piece
        QCOMPARE(bars.size(), std::size_t(1));
        QVERIFY(near(bars.front().y, *e.secondsToTrain));
    }

    void eachFigureOpensIntoItsNumbers()
    {
        for (const char* more : {"", R"(, "reliability": {"gpu_mtbf_hours": 2000, "spares": 2})"}) {
            const PreparedScenario p = job("llama-3.1-8b", R"({"count": 8})", more);
            const Evaluation e = evaluate(p);
            for (const char* id : {"cost.per_hour", "cost.per_million_tokens", "cost.to_train", "seconds_to_train"})
                QVERIFY2(near(derive(id, p, e).steps.back().value, *metricRow(id)->value(e)), id);
        }
    }

    /// Cost that a step alone would have is no "next" to what the job has.
    void whatChangesNextIsOfTheWholeJob()
    {
        const PreparedScenario p = job("llama-3.1-8b", R"({"count": 8})");
        const Evaluation e = evaluate(p);
        QVERIFY(isOfStep(*metricRow("mfu"), p));
        for (const char* id : {"cost.per_hour", "cost.per_million_tokens", "cost.to_train", "seconds_to_train"}) {
            const MetricRow& row = *metricRow(id);
            QVERIFY2(!isOfStep(row, p), id);
            for (const SensitivityStep& step : sensitivity(p, e, row))
                QVERIFY2(step.evaluation.rl && near(*row.value(step.evaluation), step.after), id);
        }
    }

    /// 70 billion weights in 16 bit are 141 GB: no single GPU of 80 GB writes answers with them.
    void aCopyThatDoesNotFitIsSaid()
    {
        const Evaluation narrow = evaluate(job("llama-3.3-70b", R"({"count": 16, "tensor": 1})"));
        QVERIFY(narrow.warnings.has(WarningCode::RolloutDoesNotFit) && !narrow.rl->fits);
        const Evaluation wide = evaluate(job("llama-3.3-70b", R"({"count": 16, "tensor": 4})"));
        QVERIFY(!wide.warnings.has(WarningCode::RolloutDoesNotFit));
        QCOMPARE(narrow.usedBytes, wide.usedBytes); // of a GPU that trains
        QCOMPARE(narrow.fits, wide.fits);
    }

    /// Sequences of 8,192 tokens fit; an update whose mean answer has 30,200 has longer ones.
    void anUpdateThatDoesNotFitIsSaid()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 16, "tensor": 1})");
        p.training.sequenceLength = 8192;
        QVERIFY(!evaluate(p).warnings.has(WarningCode::RlUpdateDoesNotFit));
        p.training.rl.outputTokens = 30000;
        const Evaluation e = evaluate(p);
        QVERIFY(e.fits && !e.rl->fits && e.rl->learnBytes > e.rl->learnCapacityBytes);
        QVERIFY(e.warnings.has(WarningCode::RlUpdateDoesNotFit));
    }

    /// 70 billion on 32 GPUs: a critic with 12 bytes a parameter of states has no room beside the update, and moves.
    void modelsBesideThePolicyMoveWhereTheyHaveNoRoom()
    {
        PreparedScenario p = job("llama-3.3-70b", R"({"count": 16, "tensor": 4})");
        p.training.checkpointing = Checkpointing::Full;
        p.hardware.count = 32;
        p.training.rl.reference = false;
        const double alone = evaluate(p).rl->learnBytes;
        QCOMPARE(evaluate(p).rl->statesS, 0.0);
        p.training.rl.reference = true;
        const RlResult referred = *evaluate(p).rl;
        QVERIFY2(near(referred.learnBytes - alone, 2 * p.model->parameters.total / 32), // in 16 bits, by 32 ranks
                 std::to_string(referred.learnBytes - alone).c_str());
        p.training.software = TrainingSoftware::Transformers; // TRL loads both in one type
        const double all = evaluate(p).rl->learnBytes;
        p.training.rl.reference = false;
        QVERIFY(near(all - evaluate(p).rl->learnBytes, 4 * p.model->parameters.total / 32));
        p.training.software = TrainingSoftware::Tuned;
        p.training.rl.critic = p.training.rl.rewardModel = true;
        QVERIFY(evaluate(p).rl->statesS > 0);
    }

    /// Answers of 16,000 tokens: what is kept of a forward pass takes 97 of 85 GB, though sequences of 4,096 would fit.
    void whatToChangeNextFitsWhole()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 16, "tensor": 8})");
        p.training.checkpointing = Checkpointing::Full;
        p.training.rl.outputTokens = 16000;
        p.training.rl.placement = RlPlacement::Colocated;
        p.training.rl.rolloutCount.reset();
        p.training.rl.staleness = 0;
        const Evaluation now = evaluate(p);
        QVERIFY(allFits(now));
        PreparedScenario kept = p;
        kept.training.checkpointing = Checkpointing::None;
        const Evaluation e = evaluate(kept);
        QVERIFY(e.fits && !e.rl->fits && !allFits(e));
        const auto advice = improvements(p, now, 20);
        QVERIFY(!advice.empty());
        for (const Advice& each : advice)
            QVERIFY2(each.after.rl->fits, each.text.c_str());
        for (const SensitivityStep& step : sensitivity(p, now, *metricRow("rl.step_s")))
            if (step.row->id == "checkpointing")
                QVERIFY(step.evaluation.rl->fits); // of two steps the one that fits
    }

    /// An answer is never cut: shorter sequences take as much memory for the longest, which is alone in its own. They
    /// are more, so that the update is not sooner.
    void sequencesHoldTheLongestAnswer()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 16})");
        p.training.checkpointing = Checkpointing::Full;
        p.training.rl.maxOutputTokens = 16000;
        p.training.sequenceLength = 16200;
        const RlResult whole = *evaluate(p).rl;
        p.training.sequenceLength = 2048;
        const RlResult shorter = *evaluate(p).rl;
        QVERIFY(near(shorter.learnBytes, whole.learnBytes));
        QVERIFY(shorter.part(RlPart::Update) > whole.part(RlPart::Update));
        QVERIFY(shorter.part(RlPart::OldLogProb) > whole.part(RlPart::OldLogProb));
    }

    /// A rank that has the longest answer and nothing else works as long as one whose answers are all as long, and so
    /// long do all wait: attention sees 30,200 tokens, not the mean's.
    void theLongestAnswerPacesWithItsAttention()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 16})");
        p.training.checkpointing = Checkpointing::Full;
        p.training.rl.prompts = 2; // 32 answers on 16 ranks
        p.training.sequenceLength = 32768;
        p.training.rl.outputTokens = 4000;
        p.training.rl.maxOutputTokens = 30000;
        const RlResult spread = *evaluate(p).rl;
        p.training.rl.prompts = 1; // one on each
        p.training.rl.maxOutputTokens.reset();
        p.training.rl.outputTokens = 30000;
        const RlResult alike = *evaluate(p).rl;
        const auto seconds = [](const RlResult& r, double rate) { return r.tokens / rate; };
        QVERIFY(std::abs(seconds(spread, spread.updateTokensPerS) / seconds(alike, alike.updateTokensPerS) - 1) < 0.01);
        QVERIFY(std::abs(seconds(spread, spread.forwardTokensPerS) / seconds(alike, alike.forwardTokensPerS) - 1) <
                0.01);
    }

    /// Two answers of a step that fill a rank's pass of four rows are as long to attention as in one row.
    void attentionSeesWholeAnswers()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 16})");
        p.training.checkpointing = Checkpointing::Full;
        p.training.rl.prompts = 2; // 32 answers on 16 ranks
        p.training.rl.outputTokens = p.training.sequenceLength = 16000;
        const double one = evaluate(p).rl->updateTokensPerS;
        p.training.microBatch = 4;
        const double four = evaluate(p).rl->updateTokensPerS;
        QVERIFY2(std::abs(one / four - 1) < 0.02, (std::to_string(one) + " " + std::to_string(four)).c_str());
    }

    /// The passes that read all answers of a step are as full whether one update learns from them or sixteen.
    void readingIsOfTheStepNotOfAnUpdate()
    {
        PreparedScenario p = job("llama-3.1-8b", R"({"count": 16})");
        const RlResult one = *evaluate(p).rl;
        p.training.globalBatch = 64; // of 1,024 answers
        const RlResult many = *evaluate(p).rl;
        QCOMPARE(many.part(RlPart::OldLogProb), one.part(RlPart::OldLogProb));
        QCOMPARE(many.forwardTokensPerS, one.forwardTokensPerS);
        QVERIFY(many.part(RlPart::Update) > one.part(RlPart::Update)); // emptier passes, more optimizer steps
    }

    /// Answers beyond the model's context are said, with the key that has them: Llama 3 8B was trained for 8,192
    /// tokens.
    void answersBeyondTheContextAreSaid()
    {
        PreparedScenario p = job("llama-3-8b", R"({"count": 8})");
        QVERIFY(!evaluate(p).warnings.has(WarningCode::BeyondMaxContext));
        p.training.rl.maxOutputTokens = 16000;
        QVERIFY(evaluate(p).warnings.has(WarningCode::BeyondMaxContext));
        QVERIFY(
            warningText(WarningCode::BeyondMaxContext, 8192, p).starts_with("16,200 tokens are more than the 8,192"));
        const ParameterRow& row = *warningParameter(WarningCode::BeyondMaxContext, p);
        QCOMPARE(row.id, std::string_view("rl_max_output_tokens"));
        const auto fix = withoutWarning(p, WarningCode::BeyondMaxContext, row);
        QVERIFY(fix && fix->edits.front().value <= 8192 - 200);
    }

    /// Whoever reads the answers comes onto the GPUs and leaves: the policy in 32 bit, who does not learn in 16.
    void whoDoesNotLearnMovesHalfAsMuch()
    {
        PreparedScenario p = job("llama-3.1-8b", "{}");
        p.training.rl.rewardModel = true;
        p.training.rl.placement = RlPlacement::Colocated;
        const RlResult r = *evaluate(p).rl;
        const RlCalibration& c = Calibration::builtIn()->rl;
        const double share = p.model->parameters.total / 16, byte = 1 / c.statesOutBytesPerS + 1 / c.statesInBytesPerS;
        const auto around = [&](RlPart part) { return r.around[std::size_t(part)]; };
        QVERIFY(near(around(RlPart::OldLogProb) - around(RlPart::Reference), (4 - 2) * share * byte));
        QCOMPARE(around(RlPart::Reward), around(RlPart::Reference));
    }

    /// The reference of adapters is their frozen base: no second copy of it lies beside the update, and none moves.
    void adaptersAreTheirOwnReference()
    {
        PreparedScenario p = job("llama-3.3-70b", R"({"count": 16, "tensor": 4})");
        p.training.checkpointing = Checkpointing::Full;
        p.training.method = Method::Lora;
        p.training.rl.reference = false;
        const RlResult alone = *evaluate(p).rl;
        p.training.rl.reference = true;
        const RlResult referred = *evaluate(p).rl;
        QCOMPARE(referred.learnBytes, alone.learnBytes);
        QCOMPARE(referred.statesS, 0.0);
        QVERIFY(referred.part(RlPart::Reference) > 0); // it is read all the same
        // Nor is it handed over: adapters alone are, in 32 bit, but by TRL, which merges them first.
        const double trained = loraParameters(*p.model, double(p.training.loraRank), p.training.loraTargets);
        QVERIFY(near(referred.syncBytes, 4 * trained));
        QVERIFY(near(referred.part(RlPart::Sync), 4 * trained / referred.syncBytesPerS));
        p.training.software = TrainingSoftware::Transformers;
        QVERIFY(near(evaluate(p).rl->syncBytes, 2 * p.model->parameters.total));
        p.training.software = TrainingSoftware::Tuned;
        p.training.rl.rewardModel = true;
        QVERIFY(evaluate(p).rl->learnBytes > alone.learnBytes);
    }
};
HEADROOM_TEST(TestRlCost)

} // namespace headroom::test_rl_cost
#include "test_rl_cost.moc"
