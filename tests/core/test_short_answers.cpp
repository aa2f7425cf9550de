// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of a few tokens: what a request takes is what the replica serves (Little's law), and one more in the batch
// costs nothing (docs/method/serving.md, "Scheduling").
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <limits>

namespace headroom::test_short_answers
{
namespace
{

PreparedScenario serving(const std::string& workload, const std::string& model = "llama-3.1-8b")
{
    const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": ")" + model +
                                       R"(", "hardware": )"
                                       R"({"accelerator": "h100-sxm-80gb"}, "workload": {"task": "inference", )" +
                                       workload + "}}",
                                   Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

const char* const drafts = R"(, "speculative": {"method": "eagle", "draft_tokens": 8, "acceptance": 0.8})";

/// Requests in flight by Little's law, over those that are: without what passes before a place is taken, t_1 and, of an
/// engine that looks for newcomers once a pass, what is left of the pass.
double inFlight(const PreparedScenario& p)
{
    const Evaluation e = evaluate(p);
    const double batch = double(p.inference.batch);
    const double before = inference::beforeReadingS(p, inference::makeMachine(p, false), batch);
    return *e.requestsPerS * (*e.requestLatencyS - before) / batch;
}

} // namespace

class TestShortAnswers : public QObject
{
    Q_OBJECT
private slots:
    void oneMoreInTheBatchCostsNothing()
    {
        for (const char* more : {"", drafts})
            for (const int prompt : {1, 64, 700})
                for (const int output : {1, 2, 3, 8}) {
                    PreparedScenario p = serving(R"("batch": 1, "prompt_tokens": )" + std::to_string(prompt) +
                                                 R"(, "output_tokens": )" + std::to_string(output) + more);
                    double before = 0;
                    for (const std::int64_t batch : {1, 2, 3, 4, 8, 9, 32, 33}) {
                        p.inference.batch = batch;
                        const double now = *evaluate(p).tokensPerS;
                        QVERIFY2(now >= before * 0.98, (std::to_string(prompt) + " " + std::to_string(output) + " " +
                                                        std::to_string(batch) + more)
                                                           .c_str());
                        before = now;
                    }
                }
    }

    /// A request is in flight for its own prompt, for those that are read with it and for its passes, of which the one
    /// that reads its prompt beside answers is one.
    void whatIsInFlightIsTheBatch()
    {
        for (const char* more : {"", drafts, R"(, "max_tokens_per_pass": 300)", R"(, "software": "sglang")"})
            for (const int prompt : {1, 64, 700, 4000})
                for (const int batch : {1, 2, 4, 16, 64})
                    for (const int output : {1, 2, 3, 4, 8, 16, 64}) {
                        const PreparedScenario p = serving(R"("admission_wait": 0, "batch": )" + std::to_string(batch) +
                                                           R"(, "prompt_tokens": )" + std::to_string(prompt) +
                                                           R"(, "output_tokens": )" + std::to_string(output) + more);
                        const double share = inFlight(p);
                        const double there = evaluate(p).batch; // a fraction where a pass limits it
                        const double close = there == std::floor(there) ? 1e-6 : 0.005;
                        QVERIFY2(std::abs(share - 1) < close,
                                 (std::to_string(prompt) + " " + std::to_string(output) + " " + std::to_string(batch) +
                                  more + ": " + std::to_string(share))
                                     .c_str());
                    }
    }

    /// By hand: of prompts and answers of a token and two, each of 16 requests takes two passes, the one that reads its
    /// prompt and the one after it, and each pass writes eight of its eight newcomers' and eight others' tokens.
    void aPassReadsAndWrites()
    {
        const Evaluation e =
            evaluate(serving(R"("admission_wait": 0, "batch": 16, "prompt_tokens": 1, "output_tokens": 2)"));
        const Evaluation later =
            evaluate(serving(R"("admission_wait": 0, "batch": 16, "prompt_tokens": 1, "output_tokens": 2000)"));
        QVERIFY(std::abs(*e.tokensPerS / *later.tokensPerS - 1) < 0.1);
    }

    /// By hand: a pass of 256 tokens reads two prompts of 128 whose only token comes with them. Of prompts of
    /// 1,000 and answers of three it ends 256 ÷ 1,002 requests: one is read, and two times as many are written.
    void aPassHasRoomForWhatItReads()
    {
        const auto batch = [](int prompt, int output) {
            return evaluate(serving(R"("max_tokens_per_pass": 256, "batch": 16, "prompt_tokens": )" +
                                    std::to_string(prompt) + R"(, "output_tokens": )" + std::to_string(output)))
                .batch;
        };
        QCOMPARE(batch(128, 1), 2.0);
        QCOMPARE(batch(1000, 3), 1 + 2 * 256 / 1002.0); // in the mean: now one, now two
        QCOMPARE(batch(1000, 5), 1 + 4 * 256 / 1004.0);
    }

    /// A token more an answer lets no more requests through: the limit of a pass is a mean, no whole number.
    void longerAnswersAreNotServedSooner()
    {
        for (const int chunk : {256, 512, 1024}) {
            double before = std::numeric_limits<double>::infinity();
            for (int output = 20; output < 150; ++output) {
                const Evaluation e =
                    evaluate(serving(R"("batch": 32, "prompt_tokens": 16000, "output_tokens": )" +
                                     std::to_string(output) + R"(, "max_tokens_per_pass": )" + std::to_string(chunk)));
                QVERIFY2(*e.requestsPerS <= before * 1.001, std::to_string(output).c_str());
                before = *e.requestsPerS;
            }
        }
    }

    /// Of a load that a small batch carries, and a much larger one whose prompts share passes, the small one is met: a
    /// replica begins empty. More load makes no first token sooner.
    void theSmallestBatchThatCarriesALoadIsMet()
    {
        const std::string keys = R"("prompt_tokens": 128, "output_tokens": 1, "batch": "max", "software": "sglang")";
        const PreparedScenario closed = serving(keys);
        const double capacity = *evaluate(closed).requestsPerS;
        double before = 0;
        for (const double share : {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95}) {
            PreparedScenario p = closed;
            p.inference.requestsPerS = share * capacity;
            const Evaluation e = evaluate(p);
            QVERIFY2(*e.ttftS >= before * (1 - 1e-9), std::to_string(share).c_str());
            QVERIFY2(e.batch < 0.2 * e.queue->mostBatch, std::to_string(share).c_str());
            before = *e.ttftS;
        }
    }

    /// Whose only token comes with its prompt writes none beside others' prompts, so no draft is made for it.
    void oneTokenNeedsNoDrafts()
    {
        for (const int batch : {1, 2, 16}) {
            const std::string keys = R"("prompt_tokens": 500, "output_tokens": 1, "batch": )" + std::to_string(batch);
            const Evaluation plain = evaluate(serving(keys));
            const Evaluation drafted =
                evaluate(serving(keys + R"(, "speculative": {"method": "ngram", "draft_tokens": 5})"));
            QVERIFY(std::abs(*drafted.tokensPerS / *plain.tokensPerS - 1) < 0.02);
            QVERIFY(std::abs(*drafted.ttftS / *plain.ttftS - 1) < 0.02);
        }
    }

    /// Passes of so few tokens read no more prompts than the queue for them takes: what is served, and what waits, know
    /// one capacity. It was two: full for nine tenths, and yet the late waited without end.
    void theCapacityIsThatOfTheReadingQueue()
    {
        for (const char* model : {"llama-3.1-8b", "qwen3-30b-a3b"})
            for (const int prompt : {128, 500, 2000})
                for (const int output : {1, 2, 4, 32}) {
                    PreparedScenario p = serving(
                        R"("batch": "max", "max_tokens_per_pass": 512, "requests_per_s": 1, "prompt_tokens": )" +
                            std::to_string(prompt) + R"(, "output_tokens": )" + std::to_string(output),
                        model);
                    const double capacity = evaluate(p).queue->capacityRequestsPerS;
                    p.inference.requestsPerS = 0.99 * capacity;
                    QVERIFY2(evaluate(p).queue->p95WaitS,
                             (std::to_string(prompt) + " " + std::to_string(output)).c_str());
                    p.inference.requestsPerS.reset(); // kept full, it serves as much
                    QVERIFY(std::abs(*evaluate(p).requestsPerS / capacity - 1) < 1e-9);
                }
    }
};
HEADROOM_TEST(TestShortAnswers)

} // namespace headroom::test_short_answers
#include "test_short_answers.moc"
