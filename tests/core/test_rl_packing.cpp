// SPDX-License-Identifier: GPL-3.0-or-later
// The update of a step of reinforcement learning: how answers are packed, and what a pass that only reads them takes.
#include "core/predict/evaluate.hpp"
#include "core/predict/rl.hpp"
#include "core/predict/rl_update.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace headroom::test_rl_packing
{
namespace
{

PreparedScenario prepared(const std::string& hardware, const std::string& workload, const std::string& parallelism = {})
{
    const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3.1-8b", )"
                                   R"("hardware": )" +
                                       hardware + R"(, "workload": {"task": "training", )" + workload + "}" +
                                       (parallelism.empty() ? "" : R"(, "parallelism": )" + parallelism) + "}",
                                   Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

PreparedScenario oneGpu()
{
    return prepared(R"({"accelerator": "h100-sxm-80gb", "count": 1})", R"("sequence_length": 8192, "rl": {"prompts": )"
                                                                       R"(256, "samples": 16, "prompt_tokens": 200, )"
                                                                       R"("output_tokens": 1000})");
}

/// Passes of a rank that has all answers, one sequence each.
double passesOf(const PreparedScenario& p, double answers)
{
    return RlUpdate(p, answers).plan(answers).microBatches;
}

/// As slime counts them (utils/data.py, get_minimum_num_micro_batch_size()): the first sequence with room takes an
/// answer; one that fits in none begins another, however long it is.
std::size_t firstFit(const std::vector<double>& lengths, double room)
{
    std::vector<double> filled;
    for (const double length : lengths) {
        const auto place = std::ranges::find_if(filled, [&](double tokens) { return tokens + length <= room; });
        place == filled.end() ? filled.push_back(length) : void(*place += length);
    }
    return filled.size();
}

double updateS(const PreparedScenario& p)
{
    return rlStep(p).part(RlPart::Update);
}

} // namespace

class TestRlPacking : public QObject
{
    Q_OBJECT
private slots:
    /// A sequence that holds fewer tokens than the longest answers: they are alone, the others share.
    void passesAreThoseOfFirstFit()
    {
        PreparedScenario p = oneGpu();
        constexpr int answers = 1500;
        std::mt19937 random(7);
        for (const auto& [p99, longest] :
             {std::pair<std::int64_t, std::int64_t>{2000, 0}, {4000, 0}, {8000, 0}, {0, 6000}, {5000, 6000}}) {
            p.training.rl.outputTokensP99 = p99 > 0 ? std::optional(p99) : std::nullopt;
            p.training.rl.maxOutputTokens = longest > 0 ? std::optional(longest) : std::nullopt;
            const AnswerLengths spread(p.training.rl, answers);
            std::vector<double> lengths;
            lengths.reserve(answers);
            for (int i = 0; i < answers; ++i)
                lengths.push_back(200 + spread.quantile((i + 0.5) / answers));
            std::ranges::shuffle(lengths, random);
            for (const std::int64_t room : {128, 400, 2400, 4096, 8192, 16384}) {
                p.training.sequenceLength = room;
                const double packed = double(firstFit(lengths, double(room))), ours = passesOf(p, answers);
                QVERIFY2(ours <= packed * 1.02 && ours >= packed * 0.85,
                         (std::to_string(p99) + " " + std::to_string(room) + " " + std::to_string(ours) + " " +
                          std::to_string(packed))
                             .c_str());
            }
        }
    }

    /// Where a sequence is shorter than every answer, each has one of its own, alike or not.
    void answersThatSpreadAreNotFaster()
    {
        PreparedScenario p = oneGpu();
        p.training.sequenceLength = 128;
        const double alike = updateS(p);
        QCOMPARE(passesOf(p, 4096), 4096.0);
        double before = alike;
        for (const std::int64_t p99 : {1010, 1500, 3000, 6000}) {
            p.training.rl.outputTokensP99 = p99;
            QCOMPARE(passesOf(p, 4096), 4096.0);
            const double now = updateS(p);
            QVERIFY2(now >= before, std::to_string(p99).c_str());
            before = now;
        }
        for (const std::int64_t longest : {1001, 3000, 12000}) {
            p.training.rl.outputTokensP99.reset();
            p.training.rl.maxOutputTokens = longest;
            QVERIFY2(updateS(p) >= alike, std::to_string(longest).c_str());
        }
    }

    /// Answers of 1,200 tokens in sequences of 8,192: as few passes as hold them, fewer than stages too. Interleaved,
    /// whole rounds of eight, as far as there are answers.
    void interleavedStagesTakeWholeRounds()
    {
        PreparedScenario p = oneGpu();
        p.hardware.count = 8;
        p.parallelism.pipeline = 8;
        QCOMPARE(passesOf(p, 14), 3.0);
        QCOMPARE(passesOf(p, 80), 12.0);
        p.parallelism.virtualPipeline = 2;
        QCOMPARE(passesOf(p, 14), 8.0);
        QCOMPARE(passesOf(p, 80), 16.0);
        QCOMPARE(passesOf(p, 6), 6.0);
        QCOMPARE(passesOf(p, 1), 1.0);
    }

    /// The update stands still as long as a training step of as many micro-batches of as many tokens.
    void aPipelineOfFewPassesIsThatOfATraining()
    {
        for (const int virtualStages : {1, 2})
            for (const int answers : {1, 6, 14, 40, 80}) {
                PreparedScenario p = oneGpu();
                p.hardware.count = 8;
                p.parallelism.pipeline = 8;
                p.parallelism.virtualPipeline = virtualStages;
                p.training.checkpointing = Checkpointing::Full;
                p.training.rl.prompts = answers;
                p.training.rl.samples = 1;
                p.training.rl.reference = p.training.rl.oldLogProb = false;
                const RlResult r = rlStep(p);
                PreparedScenario training = p;
                training.training.rl = {};
                const double passes = passesOf(p, answers);
                training.training.globalBatch = std::llround(passes);
                training.training.sequenceLength = std::llround(std::ceil(answers * 1200 / passes));
                training.training.packedSampleTokens = std::min<std::int64_t>(1200, training.training.sequenceLength);
                const double seconds = *evaluate(training).stepTimeS;
                QVERIFY2(std::abs(r.tokens / r.updateTokensPerS / seconds - 1) < 1e-3,
                         (std::to_string(virtualStages) + " " + std::to_string(answers)).c_str());
            }
    }

    /// No jump where a sequence comes to hold an answer, the longest one, or none.
    void passesFallAsSequencesGrow()
    {
        PreparedScenario p = oneGpu();
        p.training.rl.outputTokensP99 = 4000;
        double before = 4096;
        for (double room = 100; room < 40000; room *= 1.02) {
            p.training.sequenceLength = std::llround(room);
            const double now = passesOf(p, 4096);
            QVERIFY2(now <= before && now >= before * 0.96 - 1, std::to_string(room).c_str());
            before = now;
        }
    }

    /// So few answers cannot be expected to reach a far limit: then it says nothing.
    void limitsThatAreOutOfReachMakeNothingShorter()
    {
        RlWorkload w;
        w.outputTokens = 1000;
        for (const double answers : {3.0, 16.0, 64.0}) {
            double before = 0;
            for (double limit = 1000; limit < 400000; limit *= 1.1) {
                w.maxOutputTokens = std::llround(limit);
                const double longest = AnswerLengths(w, answers).longestOf(answers);
                QVERIFY2(longest >= before * (1 - 1e-3),
                         (std::to_string(answers) + " " + std::to_string(limit)).c_str());
                before = longest;
            }
        }
    }

    /// Of any lengths the squares over the sum are at most the longest: longer prompts are more work.
    void longerPromptsTakeLonger()
    {
        PreparedScenario p = oneGpu();
        p.training.rl.prompts = 8;
        p.training.rl.outputTokens = 8000;
        p.training.rl.outputTokensP99 = 320000;
        p.training.sequenceLength = 65536;
        double before = 0;
        for (const std::int64_t prompt : {1000, 4000, 5000, 8000, 16000}) {
            p.training.rl.promptTokens = prompt;
            RlUpdate update(p, 128);
            const TrainingPlan plan = update.plan(128);
            QVERIFY(plan.sample <= double(prompt) + AnswerLengths(p.training.rl, 128).longestOf(128));
            const double now = updateS(p);
            QVERIFY2(now > before, std::to_string(prompt).c_str());
            before = now;
        }
    }

    /// The host launches the kernels of a forward pass, too: a pass of few tokens on an eager stack waits for it.
    void readingAnswersTakesTheHostsTime()
    {
        PreparedScenario p = oneGpu();
        p.training.software = TrainingSoftware::Transformers;
        p.training.sequenceLength = 16;
        p.training.rl.promptTokens = 1;
        p.training.rl.outputTokens = 10;
        const RlResult r = rlStep(p);
        const double share = p.calibration->training.constants.hostRecompute - 1; // recomputation launches it once more
        QVERIFY2(std::abs(r.updateTokensPerS / r.forwardTokensPerS / share - 1) < 0.1,
                 std::to_string(r.updateTokensPerS / r.forwardTokensPerS).c_str());
    }

    /// Of a sharded layer a forward pass gathers weights beside its own compute: a faster device never makes it slower.
    void fasterMemoryReadsAnswersNoSlower()
    {
        for (const char* method : {"full", "lora"}) {
            PreparedScenario p =
                prepared(R"({"accelerator": "h100-sxm-80gb", "count": 8})",
                         R"("sequence_length": 512, "checkpointing": "full", "method": ")" + std::string(method) +
                             R"(", "rl": {"prompts": 1000, "samples": 16, "prompt_tokens": 20, "output_tokens": 100})",
                         R"({"sharding": "fsdp"})");
            double before = 1e300;
            Accelerator faster = *p.accelerator;
            for (int i = 0; i < 6; ++i) {
                p.accelerator = std::make_shared<const Accelerator>(faster);
                const RlResult r = rlStep(p);
                const double now = r.tokens / r.forwardTokensPerS;
                QVERIFY2(now <= before * (1 + 1e-12), method);
                before = now;
                faster.memoryBandwidthGbPerS *= 1.5;
            }
        }
    }
};
HEADROOM_TEST(TestRlPacking)

} // namespace headroom::test_rl_packing
#include "test_rl_packing.moc"
