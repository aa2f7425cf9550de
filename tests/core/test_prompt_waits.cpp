// SPDX-License-Identifier: GPL-3.0-or-later
// What a request waits for before its first token: others' prompts, and its own token by token.
#include "core/predict/inference/inference_engine.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <utility>

namespace headroom::test_prompt_waits
{

using test::serving;

class TestPromptWaits : public QObject
{
    Q_OBJECT
private slots:
    /// Steady requests of one length keep meeting in small waves: of few requests nearly all the delay falls before the
    /// first token, of many the share φ and a constant. The rest slows the later tokens.
    void fewRequestsWaitInOneWave()
    {
        const auto after = [](std::int64_t batch, int promptTokens, Arrival arrival) {
            const Evaluation r = evaluate(serving("llama-3.1-8b", "h200-sxm-141gb", 1, [&](Scenario& s) {
                s.inference.software = InferenceSoftware::Vllm;
                s.inference.promptTokens = promptTokens;
                s.inference.outputTokens = 10;
                s.inference.weights = DataType::Fp8;
                s.inference.kvCache = DataType::Fp8;
                s.inference.batch = batch;
                s.inference.arrival = arrival;
            }));
            return r.part(TimePart::PrefillInterference);
        };
        const InferenceCalibration& c = Calibration::builtIn()->inference;
        const double phi = c.profiles[1][static_cast<std::size_t>(VendorGroup::Nvidia)].phi;
        const double wave = c.serving.waveRequests;
        // A pass takes 8,192 tokens of prompts: two of 4,096 stay together, of 16,384 it is a quarter of a wave.
        for (const auto& [tokens, together] : {std::pair(500, 1.0), std::pair(4096, 1.0), std::pair(16384, 0.25)})
            for (const std::int64_t batch : {2, 8, 100}) {
                const double others = static_cast<double>(batch - 1), met = together * wave;
                const double steady = (1 - phi) * (others - met * (1 - std::exp(-others / met)));
                const double burst = (1 - c.serving.burstPhi) * others;
                const double ratio = after(batch, tokens, Arrival::Steady) / after(batch, tokens, Arrival::Burst);
                QVERIFY2(std::abs(ratio / (steady / burst) - 1) < 1e-9, std::to_string(ratio).c_str());
            }
    }

    /// An answer of one token has no later ones to be slowed, one of two a single one: TTFT and the tokens after it add
    /// up to the time in flight, whatever the answer's length.
    void shortAnswersLoseNobodysPrompt()
    {
        for (const std::int64_t output : {1, 2, 3, 100}) {
            const PreparedScenario p = serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
                s.inference.promptTokens = 4000;
                s.inference.outputTokens = output;
                s.inference.batch = 8;
            });
            const Evaluation r = evaluate(p);
            const double step = *r.tpotS - r.part(TimePart::PrefillInterference);
            // Of one token nobody has another to write: the engine is between two passes when a request comes.
            const double constants =
                p.calibration->inference.profiles[0][0].firstTokenS + (output > 1 ? 0.5 : 0) * step;
            const double inFlightS = 8.0 * double(output) / *r.tokensPerS;
            const double seenS = *r.requestLatencyS - constants;
            QVERIFY2(std::abs(seenS / inFlightS - 1) < 1e-9, std::to_string(seenS / inFlightS).c_str());
            QVERIFY(output > 1 || r.part(TimePart::PrefillInterference) == 0);
        }
    }

    /// As many requests come in a pass as end in it: of 64 with answers of two tokens 32 are read in each, a request's
    /// own among them, so its second token meets the other 32. Of four tokens, each later one meets 16.
    void whoComesTogetherIsReadTogether()
    {
        for (const auto& [output, each] : {std::pair(2, 32.0), std::pair(4, 16.0)}) {
            const PreparedScenario p = serving("llama-3.1-8b", "h100-sxm-80gb", 1, [&, tokens = output](Scenario& s) {
                s.inference.software = InferenceSoftware::Tuned;
                s.inference.promptTokens = 2000;
                s.inference.outputTokens = tokens;
                s.inference.batch = 64;
            });
            const inference::Machine m = inference::makeMachine(p, false);
            inference::Serving v;
            inference::Engine(p, m).serve(64, v);
            const double met = v.time[std::size_t(TimePart::PrefillInterference)] / v.work.turn.addedS;
            QVERIFY2(std::abs(met / each - 1) < 1e-9, std::to_string(met).c_str());
        }
    }

    /// llama-bench -b 1: a token of the prompt a pass, as slow as writing. Stages of a pipeline read different tokens
    /// of a prompt at once, while they write one token after the other.
    void aPromptReadTokenByToken()
    {
        const auto llama = [](std::int64_t stages, std::int64_t most) {
            return evaluate(serving("llama-2-7b", "h100-sxm-80gb", int(stages), [&](Scenario& s) {
                s.inference.software = InferenceSoftware::LlamaCpp2024;
                s.inference.scheduling = Scheduling::Static;
                s.inference.weights = DataType::Fp16;
                s.inference.promptTokens = 512;
                s.inference.outputTokens = 512;
                s.inference.batch = 1;
                s.inference.maxTokensPerPass = most;
                s.parallelism.tensor = 1;
                s.parallelism.pipeline = stages;
            }));
        };
        const Evaluation one = llama(1, 1), four = llama(4, 1), chunks = llama(1, 512);
        // Its contexts are shorter than the answer's.
        const double kernels = 512 * (*one.tpotS - one.part(TimePart::Host));
        QVERIFY2(std::abs(one.prefill->timeS / kernels - 1) < 0.07,
                 std::to_string(one.prefill->timeS / kernels).c_str());
        QVERIFY(chunks.prefill->timeS < one.prefill->timeS / 50);
        const double share = four.prefill->timeS / one.prefill->timeS;
        QVERIFY2(share > 0.25 && share < 0.27, std::to_string(share).c_str());
        QVERIFY(std::abs(*four.tpotS / *one.tpotS - 1) < 0.02);
        QVERIFY(*four.tokensPerS > 1.4 * *one.tokensPerS);
    }
};
HEADROOM_TEST(TestPromptWaits)

} // namespace headroom::test_prompt_waits
#include "test_prompt_waits.moc"
