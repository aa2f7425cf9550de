// SPDX-License-Identifier: GPL-3.0-or-later
// A step of reinforcement learning: its parts add up, the tail follows the lengths, placement and staleness do what
// they say, published steps are met as far as docs/method/rl.md says; the file's keys; the chart.
#include "core/predict/rl.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace std::string_literals;

namespace headroom::test_rl
{
namespace
{

Expected<ScenarioReading> reading(const std::string& rl, const std::string& task = "training")
{
    return readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3.1-8b", "hardware": )"
                        R"({"accelerator": "h100-sxm-80gb", "count": 16, "price_per_gpu_hour": 2}, "workload": )"
                        R"({"task": ")" +
                            task + R"(", "sequence_length": 8192)" + (rl.empty() ? "" : R"(, "rl": )" + rl) + "}}",
                        Catalog::builtIn());
}

PreparedScenario prepared(const std::string& rl)
{
    return prepare(reading(rl).value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

RlResult stepOf(const std::string& rl)
{
    return evaluate(prepared(rl)).rl.value();
}

/// Keys of a step that is like many, with `more` after them.
std::string usual(const std::string& more = {})
{
    return R"({"prompts": 64, "samples": 16, "prompt_tokens": 200, "output_tokens": 1000)" + more + "}";
}

double aroundOf(const RlResult& r, RlPart part)
{
    return r.around[static_cast<std::size_t>(part)];
}

const char* const apart = R"(, "placement": "separate", "rollout_pool": {"count": 16}, "staleness": )";

} // namespace

class TestRl : public QObject
{
    Q_OBJECT
private slots:
    void whatIsLeftOutIsSaid()
    {
        PreparedScenario p = prepared(usual());
        QVERIFY(evaluate(p).warnings.has(WarningCode::RlWithoutFramework));
        p.training.rl = {};
        QVERIFY(!evaluate(p).warnings.has(WarningCode::RlWithoutFramework));
    }

    void partsAddUp()
    {
        for (const std::string& more :
             {std::string(), std::string(R"(, "max_output_tokens": 6000, "critic": true, "reward_s": 12)"),
              apart + "0"s, apart + "1"s, apart + "4, \"reward_model\": true"s}) {
            const RlResult r = stepOf(usual(more));
            QVERIFY(std::abs(r.sumS() - r.hiddenS - r.stepS) < 1e-9 * r.stepS);
            QVERIFY(std::abs(r.promptS + r.fullS + r.tailS + r.around[0] - r.part(RlPart::Generate)) < 1e-9 * r.stepS);
            QVERIFY(r.idle >= 0 && r.idle < 1 && r.stepS > 0 && r.waitS <= r.tailS);
            QCOMPARE(r.tokens, 64.0 * 16 * 1200);
            QCOMPARE(r.tokensPerSPerGpu, r.tokens / r.stepS / r.gpus);
            QCOMPARE(*r.cost, 2 * r.gpus * r.stepS / 3600);
        }
    }

    /// The two predictors that everything else stands on are those of the program.
    void itIsTheServingAndTheTrainingOfTheProgram()
    {
        const PreparedScenario p = prepared(usual(R"(, "reference": false, "old_log_prob": false)"));
        const RlResult r = *evaluate(p).rl;
        PreparedScenario update = p;
        update.training.rl = {};
        update.training.packedSampleTokens = 1200;
        update.training.globalBatch = 160; // ten on each of 16 ranks
        update.training.sequenceLength = 1024 * 1200 / 160;
        const Evaluation e = evaluate(update);
        QVERIFY(std::abs(r.updateTokensPerS / *e.tokensPerS - 1) < 1e-6);
        QCOMPARE(r.part(RlPart::Update) - aroundOf(r, RlPart::Update), r.tokens / r.updateTokensPerS);
        PreparedScenario serving = p;
        serving.task = Task::Inference;
        serving.inference = {};
        serving.inference.software = InferenceSoftware::Vllm;
        serving.inference.scheduling = Scheduling::Disaggregated; // no prompts between the passes
        serving.inference.promptTokens = 700;                     // half of the answer is written
        serving.inference.outputTokens = 1;
        serving.inference.batch = 64;
        serving.parallelism = {};
        QCOMPARE(r.batch, 64.0);
        QVERIFY(std::abs(r.passS / *evaluate(serving).tpotS - 1) < 1e-3);
        QVERIFY(std::abs(r.fullS - 1000 * r.passS) < 1e-9);
    }

    void answersThatAreAlikeHaveNoTail()
    {
        const RlResult r = stepOf(usual());
        QVERIFY(r.tailS < 1e-9 * r.stepS);
        QCOMPARE(r.waitS, 0.0);
        QCOMPARE(std::round(r.longestTokens), 1000.0);
    }

    /// As by hand: Σ (ℓ_(i) − ℓ_(i−1)) · step(n − i + 1) over a sorted sample of the same spread.
    void theTailIsThatOfSortedLengths()
    {
        const PreparedScenario p = prepared(usual(R"(, "output_tokens_p99": 4000)"));
        const RlResult r = *evaluate(p).rl;
        const AnswerLengths lengths(p.training.rl, r.answers);
        PreparedScenario serving = p;
        serving.task = Task::Inference;
        serving.inference = {};
        serving.inference.software = InferenceSoftware::Vllm;
        serving.inference.scheduling = Scheduling::Disaggregated;
        serving.inference.outputTokens = 1;
        serving.parallelism = {};
        constexpr int n = 64;
        double seconds = 0, before = 0, sum = 0;
        for (int i = 0; i < n; ++i) {
            const double length = lengths.quantile((i + 0.5) / n);
            serving.inference.batch = n - i;
            serving.inference.promptTokens = 200 + std::llround((before + length) / 2);
            seconds += (length - before) * *evaluate(serving).tpotS;
            before = length;
            sum += length;
        }
        QVERIFY2(std::abs(sum / n / 1000 - 1) < 0.03, std::to_string(sum / n).c_str());
        const double own = r.fullS + r.tailS - r.waitS;
        QVERIFY2(std::abs(own / seconds - 1) < 0.05, (std::to_string(own) + " " + std::to_string(seconds)).c_str());
        QVERIFY(r.waitS > 0);
        QVERIFY(r.longestTokens > before);
    }

    void lengthsKeepTheirMeanAndTheirLimit()
    {
        RlWorkload w;
        w.outputTokens = 2000;
        for (const auto& [p99, longest] : {std::pair<std::int64_t, std::int64_t>{6000, 0}, {0, 8000}, {6000, 6500}}) {
            w.outputTokensP99.reset();
            w.maxOutputTokens.reset();
            if (p99 > 0)
                w.outputTokensP99 = p99;
            if (longest > 0)
                w.maxOutputTokens = longest;
            const AnswerLengths lengths(w, 8192);
            double sum = 0, squares = 0;
            constexpr int n = 20000;
            for (int i = 0; i < n; ++i) {
                const double length = lengths.quantile((i + 0.5) / n);
                sum += length;
                squares += length * length;
                if (longest > 0)
                    QVERIFY(length <= double(longest));
            }
            QVERIFY2(std::abs(sum / n / 2000 - 1) < 0.01, std::to_string(sum / n).c_str());
            QVERIFY2(std::abs(squares * n / sum / sum / lengths.squareRatio() - 1) < 0.02,
                     std::to_string(squares * n / sum / sum).c_str());
        }
    }

    void longerTailsTakeLonger()
    {
        double before = stepOf(usual()).stepS;
        for (const char* p99 : {"2000", "4000", "8000"}) {
            const double now = stepOf(usual(R"(, "output_tokens_p99": )" + std::string(p99))).stepS;
            QVERIFY2(now > before, p99);
            before = now;
        }
        const double cut = stepOf(usual(R"(, "output_tokens_p99": 8000, "max_output_tokens": 8000)")).stepS;
        QVERIFY(cut < before);
    }

    void whatReadsTheAnswersTakesAForwardPass()
    {
        const RlResult none = stepOf(usual(R"(, "reference": false, "old_log_prob": false)"));
        QCOMPARE(none.part(RlPart::Reference) + none.part(RlPart::OldLogProb) + none.part(RlPart::Critic) +
                     none.part(RlPart::Reward),
                 0.0);
        const RlResult all = stepOf(usual(R"(, "critic": true, "reward_model": true, "reward_s": 7)"));
        const double forward = all.part(RlPart::OldLogProb);
        QCOMPARE(all.part(RlPart::Reference) - aroundOf(all, RlPart::Reference),
                 forward - aroundOf(all, RlPart::OldLogProb));
        QCOMPARE(all.part(RlPart::Reward), all.part(RlPart::Reference) + 7);
        QCOMPARE(all.part(RlPart::Critic), forward + all.part(RlPart::Update));
        QVERIFY(forward > all.part(RlPart::Update) / 5 && forward < all.part(RlPart::Update) / 2); // ideal: a third
        const double hands = aroundOf(all, RlPart::Update); // once a step, however often it learns from them
        QCOMPARE(stepOf(usual(R"(, "epochs": 3)")).part(RlPart::Update) - hands,
                 3 * (all.part(RlPart::Update) - hands));
    }

    void separateGpusRunBesideEachOtherOnlyOffPolicy()
    {
        const std::string tail = R"(, "output_tokens_p99": 4000)";
        const RlResult turns = stepOf(usual(tail + apart + "0")), one = stepOf(usual(tail + apart + "1")),
                       four = stepOf(usual(tail + apart + "4"));
        QCOMPARE(turns.hiddenS, 0.0);
        const double generate = one.part(RlPart::Generate), sync = one.part(RlPart::Sync),
                     rest = one.sumS() - generate - sync;
        QCOMPARE(one.stepS, std::max(generate, rest) + sync);
        QVERIFY(one.stepS < turns.stepS && one.idle < turns.idle);
        QVERIFY(std::abs(four.tailS - one.tailS / 4) < 1e-9);
        QVERIFY(four.stepS <= one.stepS);
        QCOMPARE(one.gpus, 32.0);
        QCOMPARE(stepOf(usual()).gpus, 16.0);
    }

    /// No split of the same GPUs is better.
    void theBestSplitIsTheBest()
    {
        PreparedScenario p = prepared(usual(R"(, "output_tokens_p99": 4000)"s + apart + "1"));
        const RlSplit best = bestRlSplit(p).value();
        QCOMPARE(best.rolloutGpus + best.trainGpus, 32.0);
        for (int train = 1; train < 32; ++train) {
            p.hardware.count = train;
            p.training.rl.rolloutCount = 32 - train;
            const RlResult r = rlStep(p);
            QVERIFY2(!r.fits || r.stepS >= best.stepS, std::to_string(train).c_str());
            if (train == int(best.trainGpus))
                QCOMPARE(r.stepS, best.stepS);
        }
        QVERIFY(!bestRlSplit(prepared(usual())));
    }

    /// A split that no file may say is none: whole batches, whole groups of replicas.
    void theBestSplitMayBeSaid()
    {
        for (int rollouts = 8; rollouts <= 48; rollouts += 4) {
            PreparedScenario p = prepared(usual(R"(, "output_tokens_p99": 4000)"s + apart + "1"));
            rollouts % 8 == 0 ? void(p.parallelism.replicas = 4) : void(p.training.globalBatch = 512);
            p.training.rl.rolloutCount = rollouts;
            const RlSplit best = bestRlSplit(p).value();
            p.hardware.count = std::int64_t(best.trainGpus);
            p.training.rl.rolloutCount = std::int64_t(best.rolloutGpus);
            QVERIFY(checkSetup(p).empty());
            QCOMPARE(rlStep(p).stepS, best.stepS);
        }
    }

    /// By hand: 1,024 answers of 1,000 tokens after 200, all alike; Llama 3.1 8B over 16 GPUs by FSDP, 12 bytes a
    /// parameter and 4 of them weights.
    void answersAndStatesAreUnderWay()
    {
        const RlCalibration& c = Calibration::builtIn()->rl;
        const double places = 1024 * 1200, send = places / c.sendBytesPerS, receive = places / c.receiveBytesPerS;
        const double byte = 1 / c.statesOutBytesPerS + 1 / c.statesInBytesPerS, share = 8.03e9 / 16;
        const RlResult same = stepOf(usual(R"(, "reference": false)"));
        const auto near = [](double a, double b) { return std::abs(a / b - 1) < 1e-3; };
        QVERIFY(near(same.stateBytes, 12 * share));
        QVERIFY(near(aroundOf(same, RlPart::Generate), 32 * receive + 4 * share * byte));
        QVERIFY(near(aroundOf(same, RlPart::OldLogProb), 40 * send + 8 * receive + 4 * share * byte));
        QVERIFY(near(aroundOf(same, RlPart::Update), 60 * send + 12 * share * byte));
        QVERIFY(near(same.part(RlPart::Controller), places * c.controllerS));
        QVERIFY(near(same.statesS, 20 * share * byte));
        QCOMPARE(aroundOf(same, RlPart::Reference), 0.0);
        // GPUs of their own keep their states; the answers still go through the controller.
        const RlResult own = stepOf(usual(R"(, "reference": false)"s + apart + "0"));
        QCOMPARE(own.statesS, 0.0);
        QCOMPARE(own.answersS, same.answersS);
        // A batch is padded to the longest answer there may be.
        const RlResult padded = stepOf(usual(R"(, "max_output_tokens": 5800)"));
        QVERIFY(near(padded.part(RlPart::Controller), 5 * same.part(RlPart::Controller)));
        PreparedScenario ideal = prepared(usual());
        ideal.efficiency.base = EfficiencyBase::Ideal;
        QCOMPARE(evaluate(ideal).rl->answersS, 0.0);
        QVERIFY(evaluate(ideal).rl->statesS > 0 && evaluate(ideal).rl->statesS < same.statesS);
    }

    void handingOverTakesTheWeightsOverALink()
    {
        const RlResult r = stepOf(usual());
        QVERIFY(std::abs(r.syncBytes / (2 * 8.03e9) - 1) < 0.01);
        QCOMPARE(r.part(RlPart::Sync), r.syncBytes / r.syncBytesPerS);
        QVERIFY(r.part(RlPart::Sync) < 1); // verl: less than 0.3 s for 7B over faster links
        QCOMPARE(stepOf(usual(R"(, "rollout_pool": {"tensor": 4})")).syncBytes, r.syncBytes); // all pass by
    }

    void nothingElseOfTheResultChanges()
    {
        const PreparedScenario p = prepared(usual());
        PreparedScenario plain = p;
        plain.training.rl = {};
        const Evaluation alone = evaluate(plain);
        Evaluation with = evaluate(p);
        with.rl.reset();
        with.warnings = alone.warnings;                         // but for the one of the step itself
        with.costPerMillionTokens = alone.costPerMillionTokens; // and what the job costs and draws: test_rl_cost
        with.watts = alone.watts;
        with.joulesPerToken = alone.joulesPerToken;
        with.hostStates = alone.hostStates; // what waits there while answers are generated: test_rl_room
        QVERIFY(with == alone);
        QVERIFY(!evaluate(plain).rl);
        QVERIFY(evaluateStep(p) == evaluate(plain)); // what sweeps ask for
    }

    void everyFigureIsDerived()
    {
        for (const std::string& more : {std::string(R"(, "output_tokens_p99": 4000)"), apart + "2"s}) {
            const PreparedScenario p = prepared(usual(more));
            const Evaluation e = evaluate(p);
            int seen = 0;
            for (const MetricRow& row : metricRegistry()) {
                if (!row.id.starts_with("rl."))
                    continue;
                const auto value = figureOf(row, p, e);
                QCOMPARE(value.has_value(), row.id != "rl.best_rollout_gpus" || more.find("separate") != more.npos);
                if (!value)
                    continue;
                const double last = derive(row.id, p, e).steps.back().value;
                QVERIFY2(std::abs(last - *value) <= 1e-6 * std::abs(*value), std::string(row.id).c_str());
                ++seen;
            }
            QVERIFY(seen >= 9);
        }
    }

    void theFileKeepsThem()
    {
        const Scenario s =
            reading(usual(R"(, "max_output_tokens": 5000, "critic": true, "reference": false)"s + apart + "3"))
                .value()
                .scenario;
        QCOMPARE(s.training.rl.rolloutCount.value(), std::int64_t(16));
        QVERIFY(readScenario(writeScenario(s), Catalog::builtIn()).value().scenario == s);
        QCOMPARE(reading("{}").value().scenario.training.rl.prompts.value(), usualRlPrompts);
        QVERIFY(!isRl(reading("").value().scenario));
        QVERIFY(writeScenario(reading("").value().scenario).find("\"rl\"") == std::string::npos);
    }

    void whatIsWrongIsNamed()
    {
        const auto pathOf = [](const std::string& rl) {
            const auto read = reading(rl);
            if (!read)
                return read.error().front().path;
            const auto p = prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn());
            return p ? std::string() : p.error().front().path;
        };
        const std::string at = "/workload/rl/";
        QCOMPARE(pathOf("[]"), std::string("/workload/rl"));
        QCOMPARE(pathOf(R"({"prompts": 0})"), at + "prompts");
        QCOMPARE(pathOf(R"({"staleness": 9})"), at + "staleness");
        QCOMPARE(pathOf(R"({"placement": "elsewhere"})"), at + "placement");
        QCOMPARE(pathOf(R"({"group": 9})"), at + "group");
        QCOMPARE(pathOf(R"({"output_tokens_p99": 100})"), at + "output_tokens_p99");
        QCOMPARE(pathOf(R"({"max_output_tokens": 100})"), at + "max_output_tokens");
        QCOMPARE(pathOf(R"({"rollout_pool": {"tensor": 3}})"), at + "rollout_pool/tensor");
        QCOMPARE(pathOf(R"({"placement": "separate", "rollout_pool": {"count": 6, "tensor": 4}})"),
                 at + "rollout_pool/count");
        QVERIFY(!reading("{}", "inference")); // a key of training
        const PreparedScenario idle = prepared(usual(R"(, "staleness": 2)"));
        QVERIFY(evaluate(idle).warnings.has(WarningCode::KeyWithoutEffect));
    }

    void resultAndChartShowThem()
    {
        const PreparedScenario p = prepared(usual(R"(, "output_tokens_p99": 4000)"s + apart + "1"));
        ChartContext context;
        context.scenario = p;
        context.evaluation = evaluate(p);
        const RlResult& r = *context.evaluation.rl;
        const auto json = nlohmann::json::parse(evaluationJson("", p, context.evaluation, 0))["rl"];
        double sum = 0;
        for (const auto& part : json["parts"])
            sum += part.get<double>();
        QVERIFY(std::abs(sum - r.sumS()) < 1e-6 * sum);
        QVERIFY(json["best_rollout_gpus"].get<double>() >= 1);
        const ChartRow& row = *chartRow("rl_parts");
        QVERIFY(row.comesWith(p));
        const ChartSpec spec = row.build(context);
        double end = 0;
        for (const Point& point : spec.series.front().points)
            end = std::max(end, point.y);
        QVERIFY(std::abs(end / r.stepS - 1) < 1e-9); // the last bar ends with the step
        context.scenario.training.rl = {};
        QVERIFY(!row.comesWith(context.scenario));
    }
};
HEADROOM_TEST(TestRl)

} // namespace headroom::test_rl
#include "test_rl.moc"
