// SPDX-License-Identifier: GPL-3.0-or-later
// What advice may name: only what fits whole, what engines run and files accept, and stages where ranks end.
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/plan/several_changes.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_advice_reach
{

using test::trainingCase;

namespace
{

/// Llama 3 8B on eight H100: 4,096 tokens fit with everything kept, 65,536 do not.
PreparedScenario inPhases(Checkpointing checkpointing)
{
    PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
    p.training.sequenceLength = 4096;
    p.training.chunkedLoss = true;
    p.training.checkpointing = checkpointing;
    TrainingPhase first, last;
    first.tokens = 1e12;
    last.tokens = 1e10;
    last.sequenceLength = 65536;
    p.phases = std::make_shared<const TrainingPhases>(TrainingPhases{first, last});
    return p;
}

PreparedScenario serving(std::string_view model, std::int64_t count, std::int64_t tensor)
{
    PreparedScenario p = trainingCase(model, "h100-sxm-80gb", count);
    p.task = Task::Inference;
    p.parallelism.tensor = tensor;
    return p;
}

/// Whether what would help a metric is told without `word`; what is told otherwise is printed.
bool helpsWithout(std::string_view word, const PreparedScenario& p, const Evaluation& e, const char* metric)
{
    const std::string text = whatWouldHelp(p, e, metric);
    if (text.find(word) == std::string::npos)
        return true;
    qWarning("%s: %s", metric, text.c_str());
    return false;
}

} // namespace

class TestAdviceReach : public QObject
{
    Q_OBJECT

private slots:
    /// Half of the batch would leave a load that what fits of it carries to wait without end.
    void whatWouldFitCarriesTheLoad()
    {
        PreparedScenario p = test::serving("llama-3.1-8b", "l4", 1, [](Scenario& s) {
            s.inference.promptTokens = 100;
            s.inference.outputTokens = 1000;
        });
        const auto most = evaluate(p).maxBatch.value();
        const auto capacity = [&p](double batch) {
            p.inference.batch = static_cast<std::int64_t>(batch);
            p.inference.requestsPerS.reset();
            return *evaluate(p).requestsPerS;
        };
        const double asked = std::floor(most * 1.5), half = capacity(std::floor(asked / 2)), whole = capacity(most);
        QVERIFY(half < 0.95 * whole);
        p.inference.batch = static_cast<std::int64_t>(asked);
        for (const double load : {half * 0.9, (half + whole) / 2, whole * 1.1}) {
            p.inference.requestsPerS = load;
            const Evaluation e = evaluate(p);
            QVERIFY(!e.fits);
            const bool carried = e.queue->meanWaitS.has_value();
            QCOMPARE(carried, load < whole);
            const std::vector<Advice> found = remedies(p, e);
            QVERIFY(!found.empty());
            const auto halves = [](const Advice& a) { return a.edits.front().row->id == "batch"; };
            QCOMPARE(std::ranges::any_of(found, halves), load < half || !carried);
            for (const Advice& a : found)
                QVERIFY2(!carried || a.after.queue->meanWaitS, a.text.c_str());
        }
    }

    void whatWouldFitFitsInEveryPhase()
    {
        const PreparedScenario p = inPhases(Checkpointing::None);
        const Evaluation e = evaluate(p);
        QVERIFY(e.fits && !allFits(e) && !isRunning(e));
        const auto found = whatNext(p, e);
        QVERIFY(!found.empty());
        for (const Advice& advice : found)
            QVERIFY2(allFits(advice.after), advice.text.c_str());
        QVERIFY(!severalChanges(p, e));
    }

    /// Nothing is recomputed for the sake of the short sequences where the long ones need it.
    void whatGainsFitsInEveryPhase()
    {
        const PreparedScenario p = inPhases(Checkpointing::Full);
        const Evaluation e = evaluate(p);
        QVERIFY(allFits(e));
        for (const SensitivityStep& step : sensitivity(p, e, leadingMetric(p))) {
            PreparedScenario after = p;
            apply(after, *step.row, step.to);
            QCOMPARE(allFits(step.evaluation), allFits(evaluate(after)));
        }
        for (const Advice& advice : improvements(p, e, 100))
            QVERIFY2(allFits(advice.after), advice.text.c_str());
        if (const auto several = severalChanges(p, e))
            QVERIFY2(allFits(several->after), several->text.c_str());
    }

    /// An update whose longest answers do not fit, and copies that do not: neither is "what would fit".
    void whatWouldFitFitsInAStepOfReinforcementLearning()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.training.sequenceLength = 2048;
        p.training.rl.prompts = 64;
        p.training.rl.outputTokens = 4096;
        p.training.rl.outputTokensP99 = 65536;
        const Evaluation e = evaluate(p);
        QVERIFY(e.fits && !allFits(e));
        for (const Advice& advice : whatNext(p, e))
            QVERIFY2(allFits(advice.after), advice.text.c_str());
        p = trainingCase("llama-3-70b", "h100-sxm-80gb", 64);
        p.training.rl.prompts = 64;
        p.training.rl.rolloutTensor = 1; // 141 GB on one GPU
        p.training.checkpointing = Checkpointing::Full;
        const auto found = whatNext(p, evaluate(p));
        QVERIFY(!found.empty());
        QCOMPARE(found.front().edits.front().row->id, std::string_view("rl_rollout_tensor"));
        QVERIFY(allFits(found.front().after));
    }

    /// Llama 3.1 405B in 16 bit takes 16 GPUs: tensor parallel ends with the node, and coarser numbers are not the way.
    void stagesAreNamedWhereRanksEnd()
    {
        const auto first = [](std::int64_t count) {
            const PreparedScenario p = serving("llama-3.1-405b", count, 8);
            return remedies(p, evaluate(p)).at(0);
        };
        QCOMPARE(first(16).change, std::string("Pipeline parallel 2"));
        const PreparedScenario enough = serving("llama-3.1-405b", 16, 8);
        for (const Advice& advice : remedies(enough, evaluate(enough))) // no more GPUs for more stages than are needed
            QVERIFY2(advice.edits.size() == 1, advice.change.c_str());
        const Advice more = first(8);
        QCOMPARE(more.price, LeverPrice::Hardware);
        QCOMPARE(more.edits.size(), std::size_t(2));
        QVERIFY(more.edits[0].row->id == "count" && more.edits[0].value == 16);
        QVERIFY(more.edits[1].row->id == "pipeline" && more.edits[1].value == 2);
        // From one GPU both grow; what is held stays.
        const PreparedScenario one = serving("llama-3.1-405b", 1, 1);
        const auto held = [](std::string_view id) { return id == "pipeline"; };
        for (const Advice& advice : remedies(one, evaluate(one), 3, held))
            for (const ParameterEdit& edit : advice.edits)
                QVERIFY(edit.row->id != "pipeline");
        const Advice both = remedies(one, evaluate(one)).at(0);
        QCOMPARE(both.edits.size(), std::size_t(3));
        QVERIFY2(both.edits[1].value == 8 && both.edits[2].value == 2, both.change.c_str());
    }

    /// Qwen2.5 7B has 28 heads: four ranks share them, eight do not, and vLLM and Megatron refuse these.
    void noHeadIsCut()
    {
        PreparedScenario p = serving("qwen2.5-7b", 8, 4);
        const ParameterRow& tensor = *parameterRow("tensor");
        QVERIFY(cutsHeads(p, {{&tensor, 8}}) && !cutsHeads(p, {{&tensor, 2}}));
        for (const LeverMove& move : memoryMoves(p, {}))
            for (const ParameterEdit& edit : move.edits)
                QVERIFY(edit.row != &tensor || edit.value != 8);
        const Evaluation e = evaluate(p);
        for (const Advice& advice : improvements(p, e, 100))
            QVERIFY2(!advice.after.warnings.has(WarningCode::HeadsNotDivisible), advice.text.c_str());
        QVERIFY(whatWouldHelp(p, e, "tpot_s").find("ensor parallel") == std::string::npos);
        // Where more ranks cannot share the heads, stages share the layers.
        p.hardware.count = 4;
        const auto moves = memoryMoves(p, {});
        QVERIFY(std::ranges::any_of(moves, [](const LeverMove& move) {
            return move.edits.size() == 2 && move.edits[1].row->id == "pipeline" && move.edits[1].value == 2;
        }));
    }

    /// Four sequences a rank in a global batch of 32 on eight: eight would take 64.
    void aGlobalBatchThatIsHeldStays()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.training.sequenceLength = 64;
        p.training.microBatch = 4;
        p.training.globalBatch = 32;
        const Edits twice{{parameterRow("micro_batch"), 8}}, half{{parameterRow("micro_batch"), 2}};
        const auto held = [](std::string_view id) { return id == "global_batch"; };
        QVERIFY(movesHeldBatch(p, twice, held) && !movesHeldBatch(p, twice, {}) && !movesHeldBatch(p, half, held));
        const auto proposesMore = [&](const IsHeld& kept) {
            return std::ranges::any_of(improvements(p, evaluate(p), 100, kept),
                                       [&](const Advice& advice) { return advice.edits == twice; });
        };
        QVERIFY(proposesMore({}) && !proposesMore(held));
    }

    /// Sequence parallel follows tensor parallel where nobody set it, and a pool for prompts is not made by the way.
    void severalChangesEditWhatTheyChange()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.training.sequenceLength = 4096;
        p.training.globalBatch = 64;
        p.training.checkpointing = Checkpointing::Full;
        p.parallelism.tensor = 8;
        const auto training = severalChanges(p, evaluate(p));
        QVERIFY(training && training->edits.front().value < 8);
        for (const ParameterEdit& edit : training->edits)
            QVERIFY2(edit.row->id != "sequence_parallel", training->change.c_str());
        for (const Scheduling scheduling : {Scheduling::Continuous, Scheduling::Disaggregated}) {
            p = serving("llama-3-8b", 8, 4);
            p.inference.scheduling = scheduling;
            p.inference.batch = 8;
            const auto several = severalChanges(p, evaluate(p));
            QVERIFY(several);
            for (const ParameterEdit& edit : several->edits)
                QVERIFY2(!edit.row->path.starts_with("/workload/prefill_pool"), several->change.c_str());
        }
    }

    /// Under a load fewer in flight write a token sooner, and let the others wait for seconds.
    void noTokenIsSoonerWhereRequestsWaitLonger()
    {
        const PreparedScenario p = test::serving("llama-3.1-70b", "h100-sxm-80gb", 4, [](Scenario& s) {
            s.inference.batch = 32;
            s.inference.promptTokens = 2500;
            s.inference.outputTokens = 300;
            s.inference.requestsPerS = 2;
        });
        const Evaluation e = evaluate(p);
        const auto whole = [](const Evaluation& of) { return *of.requestLatencyS + *of.queue->meanWaitS; };
        PreparedScenario half = p;
        half.inference.batch = 16;
        const Evaluation halved = evaluate(half);
        QVERIFY(*halved.tpotS < 0.99 * *e.tpotS && whole(halved) > 1.5 * whole(e));
        for (const Advice& advice : improvements(p, e, 8))
            QVERIFY2(whole(advice.after) <= 1.01 * whole(e), advice.text.c_str());
        for (const char* metric : {"tpot_s", "request_latency_s", "tokens_per_s_per_user"})
            QVERIFY(helpsWithout("batch", p, e, metric));
    }

    /// More is asked than eight replicas serve: four that each write sooner serve less. At the largest batch, attention
    /// whose scores are stored leaves room for fewer, which write sooner.
    void noTokenIsSoonerWhereFewerAreServed()
    {
        const auto writesAsMuch = [](const PreparedScenario& p) {
            const Evaluation e = evaluate(p);
            for (const Advice& advice : improvements(p, e, 8))
                QVERIFY2(*advice.after.tokensPerS > 0.99 * *e.tokensPerS, advice.text.c_str());
        };
        const PreparedScenario asked = test::serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.parallelism.tensor = 1;
            s.inference.batch = 1;
            s.inference.promptTokens = 1000;
            s.inference.outputTokens = 200;
            s.inference.requestsPerS = 20;
        });
        PreparedScenario split = asked;
        split.parallelism.tensor = 2;
        const Evaluation now = evaluate(asked), fewer = evaluate(split);
        QVERIFY(now.warnings.has(WarningCode::LoadBeyondCapacity));
        QVERIFY(*fewer.tpotS < 0.7 * *now.tpotS && *fewer.tokensPerS < 0.8 * *now.tokensPerS);
        writesAsMuch(asked);

        const PreparedScenario full = test::serving("yi-6b", "h800-pcie-80gb", 2, [](Scenario& s) {
            s.inference.batchMax = true;
            s.inference.promptTokens = 131072;
            s.inference.outputTokens = 256;
            s.parallelism.tensor = 2;
        });
        PreparedScenario stored = full;
        stored.inference.flashAttention = FlashAttention::Off;
        const Evaluation fused = evaluate(full), unfused = evaluate(stored);
        QVERIFY(*unfused.tpotS < 0.9 * *fused.tpotS && *unfused.tokensPerS < 0.9 * *fused.tokensPerS);
        writesAsMuch(full);
    }

    /// What slows a replica is no way to save more by its tiers, or power.
    void slowerIsNoHelp()
    {
        const PreparedScenario p = test::serving("llama-3.1-70b", "h100-sxm-80gb", 4, [](Scenario& s) {
            s.inference.batch = 32;
            s.inference.promptTokens = 6000;
            s.inference.outputTokens = 300;
            s.inference.tierHostGb = 200;
            s.inference.tierHostHits = 0.4;
        });
        const Evaluation e = evaluate(p);
        PreparedScenario off = p;
        off.inference.flashAttention = FlashAttention::Off;
        const Evaluation slower = evaluate(off);
        QVERIFY(slower.tiers->savedS > 1.1 * e.tiers->savedS && *slower.requestLatencyS > *e.requestLatencyS);
        for (const char* metric : {"kv_tiers.saved_s", "kv_tiers.break_even_bytes_per_s", "energy.watts"})
            QVERIFY(helpsWithout("FlashAttention", p, e, metric));
    }

    /// Slower prompts ask for another instance of a prefill pool that follows, and are less busy for it.
    void noReadersAreAddedUnsaid()
    {
        const PreparedScenario p = test::serving("olmo-3-7b", "h100-sxm-80gb", 1, [](Scenario& s) {
            s.inference.batch = 64;
            s.inference.promptTokens = 6000;
            s.inference.outputTokens = 2;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.batch = 1;
            s.inference.requestsPerS = 14;
        });
        const Evaluation e = evaluate(p);
        QVERIFY(e.pools);
        int grown = 0;
        for (const char* id : {"queue.utilization", "queue.mean_wait_s", "queue.p95_wait_s"}) {
            const MetricRow& metric = *metricRow(id);
            for (const SensitivityStep& step : sensitivity(p, e, metric)) {
                const bool more = step.evaluation.pools->prefill.devices > e.pools->prefill.devices;
                if (!more || step.gain <= 0)
                    continue;
                ++grown;
                QVERIFY2(gainsNothing(step, metric, p, e), aloneText(step, metric).c_str());
            }
        }
        QVERIFY(grown > 0);
    }

    void noFixIsRefusedByFilesOrInventsSoftware()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        for (const double value : nearbyValues(*parameterRow("checkpointing"), p))
            QVERIFY(static_cast<Checkpointing>(std::llround(value)) != Checkpointing::Unknown);
        p.task = Task::Inference;
        p.inference.software = InferenceSoftware::Tgi;
        const Evaluation e = evaluate(p);
        QVERIFY(e.warnings.has(WarningCode::SoftwareWithoutFit));
        const ParameterRow* row = warningParameter(WarningCode::SoftwareWithoutFit, p);
        QVERIFY(row && !withoutWarning(p, WarningCode::SoftwareWithoutFit, *row));
    }

    /// Stated bits decide the size: another format beside them would only be multiplied in another way.
    void statedBitsKeepTheirFormat()
    {
        const auto tries = [](std::optional<double> bits) {
            PreparedScenario p = serving("llama-3-8b", 1, 1);
            p.inference.weights = DataType::Int4;
            p.inference.weightBits = bits;
            return nextSteps(*parameterRow("weights"), p).size();
        };
        QVERIFY(tries(std::nullopt) > 0);
        QCOMPARE(tries(4.85), std::size_t(0));
    }

    /// Apple's chips have a rate for fp16 alone. Weights of four bits are multiplied in 16: they are not at fault.
    void fewerBitsAreNotBlamedForTheMatmuls()
    {
        PreparedScenario p = serving("llama-3-8b", 1, 1);
        p.accelerator = Catalog::builtIn().accelerator("apple-m3-ultra");
        p.inference.weights = DataType::Int4;
        constexpr WarningCode code = WarningCode::PrecisionUnavailable;
        const Evaluation e = evaluate(p);
        QVERIFY(e.warnings.has(code));
        const std::string text = warningText(code, 0, p);
        QVERIFY2(text.find("int4") == std::string::npos && text.find("that of fp16 is taken") != std::string::npos,
                 text.c_str());
        const ParameterRow& row = *warningParameter(code, p);
        QCOMPARE(row.id, std::string_view("compute"));
        const auto fix = withoutWarning(p, code, row);
        QVERIFY(fix);
        applyEdits(p, fix->edits);
        QVERIFY(!evaluate(p).warnings.has(code));
        QCOMPARE(evaluate(p).usedBytes, e.usedBytes);
    }

    /// Where not even one sequence fits, asking for one is no remedy.
    void aSmallerBatchIsOfferedOnlyWhereItFits()
    {
        PreparedScenario p = serving("llama-3.1-405b", 2, 2);
        p.inference.batch = 32;
        QVERIFY(evaluate(p).warnings.has(WarningCode::BatchLimitedByMemory));
        QVERIFY(!withoutWarning(p, WarningCode::BatchLimitedByMemory, *parameterRow("batch")));
        p = serving("llama-3-8b", 1, 1);
        p.inference.batch = 4096;
        QVERIFY(evaluate(p).warnings.has(WarningCode::BatchLimitedByMemory));
        QVERIFY(withoutWarning(p, WarningCode::BatchLimitedByMemory, *parameterRow("batch")));
    }
};
HEADROOM_TEST(TestAdviceReach)

} // namespace headroom::test_advice_reach
#include "test_advice_reach.moc"
