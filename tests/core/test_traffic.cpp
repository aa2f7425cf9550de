// SPDX-License-Identifier: GPL-3.0-or-later
// Load as it is: spreads of lengths, hits of the prefix cache, bursts, late requests; a simulation of the scheduler
// holds the closed forms.
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_pass.hpp"
#include "core/predict/inference/inference_queue.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/serving_simulation.hpp"
#include "tests/support/support.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace headroom::test_traffic
{

using test::near;
using test::serving;

namespace
{

/// Lengths of a public trace, computed from its rows: Azure 2023 (AzurePublicDataset), Mooncake FAST '25.
struct Trace {
    const char* name;
    double mean, p50, p95, p99, cv;
};
constexpr std::array traces{Trace{"Azure conversation, prompts", 1154.7, 1020, 4083, 4142, 0.96},
                            Trace{"Azure conversation, outputs", 211.1, 129, 451, 601, 0.771},
                            Trace{"Azure code, prompts", 2047.8, 1469, 7303, 7436, 0.964},
                            Trace{"Azure code, outputs", 27.9, 13, 90, 251, 2.147},
                            Trace{"Mooncake conversation, prompts", 12035.1, 6909, 39550, 85400, 1.313},
                            Trace{"Mooncake conversation, outputs", 342.6, 350, 698, 1118, 0.729},
                            Trace{"Mooncake synthetic, prompts", 15325.5, 11587, 48905, 66456, 1.199},
                            Trace{"Mooncake synthetic, outputs", 149.1, 69, 519, 768, 1.195}};

InferenceWorkload lengths(const Trace& t)
{
    InferenceWorkload w;
    w.promptTokens = std::llround(t.mean);
    return w;
}

/// One replica of Llama 3 8B on an H100.
PreparedScenario engine(std::int64_t batch, const std::function<void(Scenario&)>& change = {})
{
    return serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.inference.batch = batch;
        s.inference.promptTokens = 1000;
        s.inference.outputTokens = 200;
        if (change)
            change(s);
    });
}

/// An engine as the simulation's: newcomers' prompts are read in the next step. Fitted engines hold some back, which
/// moves delay between TTFT and TPOT, and leaves their sum.
PreparedScenario readsAtOnce(PreparedScenario s)
{
    auto calibration = std::make_shared<Calibration>(*s.calibration);
    for (auto& engine : calibration->inference.profiles)
        for (ServingProfile& profile : engine)
            profile.phi = 0;
    calibration->inference.serving.waveRequests = 0.01;
    s.calibration = calibration;
    return s;
}

double capacityOf(const PreparedScenario& s)
{
    return *evaluate(s).requestsPerS;
}

Evaluation loaded(PreparedScenario s, double requestsPerS)
{
    s.inference.requestsPerS = requestsPerS;
    return evaluate(s);
}

} // namespace

class TestTraffic : public QObject
{
    Q_OBJECT
private slots:
    /// What the coefficient of variation alone says of a trace's far percentiles: within a quarter and three eighths.
    void aTracesVariationGivesItsPercentiles()
    {
        for (const Trace& t : traces) {
            InferenceWorkload w = lengths(t);
            w.promptTokensCv = t.cv;
            const inference::LengthSpread spread = inference::promptSpread(w);
            const double p95 = spread.quantile(TargetPercentile::P95), p99 = spread.quantile(TargetPercentile::P99);
            QVERIFY2(near(p95, t.p95, 0.25), t.name);
            QVERIFY2(near(p99, t.p99, 0.37), fmt::format("{}: {} of {}", t.name, p99, t.p99).c_str());
        }
    }

    /// A limit of lengths cuts the tail: the log-normal through mean and 95th percentile then spreads twice as far, the
    /// one through the 99th does not.
    void theFarthestPercentileDecides()
    {
        const Trace& azure = traces[0];
        InferenceWorkload w = lengths(azure);
        w.promptTokensP95 = std::llround(azure.p95);
        const double trap = std::sqrt(*inference::promptSpread(w).squared);
        QVERIFY2(near(trap, 1.9, 0.05), fmt::format("{}", trap).c_str());
        w.promptTokensP99 = std::llround(azure.p99);
        QVERIFY(std::sqrt(*inference::promptSpread(w).squared) < azure.cv);
        QVERIFY(inference::promptSpread(w).quantile(TargetPercentile::P95) == azure.p95);
        w.promptTokensCv = azure.cv;
        QVERIFY(near(*inference::promptSpread(w).squared, azure.cv * azure.cv));
        // The median of a log-normal of variation 1 is mean ÷ √2.
        InferenceWorkload median;
        median.promptTokens = 1414;
        median.promptTokensP50 = 1000;
        QVERIFY(near(*inference::promptSpread(median).squared, 1, 1e-3));
        QVERIFY(!inference::promptSpread(InferenceWorkload{}).squared);
    }

    /// DeepSeek's day: 342 of 608·10⁹ prompt tokens came from the cache.
    void aHitRateIsACachedPrefix()
    {
        const double rate = 342.0 / 608.0;
        QVERIFY(near(rate, 0.563, 1e-3));
        const auto with = [](std::optional<double> hit, std::int64_t cached) {
            return evaluate(engine(16, [&](Scenario& s) {
                s.inference.prefixHitRate = hit;
                s.inference.prefixCachedTokens = cached;
            }));
        };
        const Evaluation share = with(0.5, 0), tokens = with({}, 500), none = with({}, 0), all = with(1.0, 0);
        QVERIFY(share == tokens);
        QVERIFY(share.prefill->timeS<0.7 * none.prefill->timeS&& * share.tokensPerS> * none.tokensPerS);
        QVERIFY(all.prefill->timeS < share.prefill->timeS && *all.maxBatch >= *none.maxBatch);
        QCOMPARE(inference::promptLength(engine(1, [](Scenario& s) { s.inference.prefixHitRate = 1; }).inference), 1.0);
    }

    void whatIsKnownOfLengthsShortensTheWait()
    {
        const auto wait = [](std::optional<double> cv, double arrival) {
            const PreparedScenario s = engine(1, [&](Scenario& scenario) {
                scenario.inference.promptTokensCv = scenario.inference.outputTokensCv = cv;
                scenario.inference.arrivalCv = arrival;
            });
            return *loaded(s, 0.8 * capacityOf(s)).queue->meanWaitS;
        };
        QVERIFY(near(wait(1.0, 1), wait({}, 1), 1e-9) || wait(1.0, 1) < wait({}, 1));
        QVERIFY(near(wait(0.0, 1), wait({}, 1) / 2));
        QVERIFY(near(wait(0.0, 0), 0) && near(wait({}, 2), wait({}, 1) * 2.5 * std::exp(-0.2 * 3 / 8), 1e-6));
        const PreparedScenario s = engine(1, [](Scenario& scenario) { scenario.inference.arrivalCv = 13; });
        QVERIFY(loaded(s, 0.5 * capacityOf(s)).warnings.has(WarningCode::ArrivalsBursty));
    }

    void lateRequestsAreLongAndWait()
    {
        const auto with = [](std::optional<TargetPercentile> percentile) {
            const PreparedScenario s = engine(4, [&](Scenario& scenario) {
                scenario.inference.promptTokensP95 = 3000;
                scenario.inference.promptTokensP99 = 5000;
                scenario.inference.targetPercentile = percentile;
            });
            return loaded(s, 0.85 * capacityOf(s));
        };
        const Evaluation none = with({}), p95 = with(TargetPercentile::P95), p99 = with(TargetPercentile::P99);
        QVERIFY(!none.tail && p95.tail->promptTokens == 3000 && p99.tail->promptTokens == 5000);
        QVERIFY(near(*p95.tail->waitS, *p95.queue->p95WaitS) && near(*p99.tail->waitS, *p99.queue->p99WaitS));
        QVERIFY(*p99.queue->p99WaitS > *p99.queue->p95WaitS);
        QVERIFY(*p99.tail->ttftS > *p95.tail->ttftS && *p95.tail->ttftS > *p95.ttftS + *p95.tail->waitS);
        // A limit of lengths cuts the tail.
        const PreparedScenario short8k = engine(4, [](Scenario& scenario) {
            scenario.inference.promptTokensCv = 20;
            scenario.inference.targetPercentile = TargetPercentile::P99;
        });
        QVERIFY(evaluate(short8k).tail->promptTokens <= double(short8k.model->architecture.maxContext));
        const Evaluation over = loaded(short8k, 2 * capacityOf(short8k));
        QVERIFY(!over.tail->ttftS && over.tail->promptTokens > 0);
    }

    /// A queue by events, first come first served, against Erlang C with Allen and Cunneen's factor.
    void theWaitIsThatOfASimulatedQueue()
    {
        struct Case {
            const char* name;
            int servers;
            double arrivalCv, serviceCv;
        };
        constexpr std::array cases{Case{"M/M/1", 1, 1, 1}, Case{"M/D/1", 1, 1, 0}, Case{"M/M/4", 4, 1, 1},
                                   Case{"M/D/4", 4, 1, 0}, Case{"bursts", 1, 2, 1}};
        for (const Case& c : cases)
            for (const double load : {0.5, 0.7, 0.85}) {
                inference::QueueInput q;
                q.requestsPerS = load * c.servers;
                q.serviceS = 1;
                q.servers = c.servers;
                q.squaredVariation = c.serviceCv * c.serviceCv;
                q.arrivalVariation = c.arrivalCv * c.arrivalCv;
                const double expected = *inference::queueing(q).meanWaitS;
                const double wait =
                    test::simulateWait(q.requestsPerS, 1, c.servers, 2000000,
                                       c.arrivalCv > 1 ? test::mixture(7, c.arrivalCv) : test::exponential(7),
                                       c.serviceCv > 0 ? test::exponential(8) : test::constant());
                // Bursts are the roughest of the approximation's cases.
                const double allowed = c.arrivalCv > 1 ? 0.06 : 0.05;
                // Of the time in the system, wait and service: what a request sees.
                QVERIFY2(near(expected + 1, wait + 1, allowed),
                         fmt::format("{} at {}: {} simulated, {} expected", c.name, load, wait, expected).c_str());
            }
    }

    /// The scheduler by events: who is in flight, how fast, how long, against the batch that carries the load.
    void theBatchInFlightIsThatOfASimulatedScheduler()
    {
        const std::array scenarios{engine(16), engine(64),
                                   engine(32, [](Scenario& s) { s.inference.maxTokensPerPass = 256; }),
                                   engine(64,
                                          [](Scenario& s) {
                                              s.inference.promptTokens = 2000;
                                              s.inference.outputTokens = 500;
                                          }),
                                   engine(32, [](Scenario& s) { s.inference.software = InferenceSoftware::Vllm; })};
        for (const PreparedScenario& s : scenarios)
            for (const double load : {0.3, 0.5, 0.7, 0.85}) {
                const double rate = load * capacityOf(s);
                for (const bool random : {false, true}) {
                    PreparedScenario known = readsAtOnce(s);
                    known.inference.promptTokensCv = 0;
                    known.inference.outputTokensCv = random ? 1 : 0;
                    const Evaluation e = loaded(known, rate);
                    const test::SimulatedServing run =
                        test::simulateServing(known, rate, 20000, test::exponential(11),
                                              test::answers(random ? test::exponential(12) : test::constant()));
                    const auto text = fmt::format("batch {}, load {}, {}: in flight {:.3f} of {:.3f}, TPOT {:.4f} of "
                                                  "{:.4f} ms, latency {:.3f} of {:.3f}",
                                                  s.inference.batch, load, random ? "random answers" : "equal answers",
                                                  run.inFlight, e.batch, run.tpotS * 1e3, *e.tpotS * 1e3, run.latencyS,
                                                  *e.requestLatencyS + *e.queue->meanWaitS);
                    QVERIFY2(near(run.requestsPerS, rate, 0.03), text.c_str());
                    QVERIFY2(near(run.inFlight, e.batch, 0.05), text.c_str());
                    QVERIFY2(near(run.tpotS, *e.tpotS, 0.05), text.c_str());
                    QVERIFY2(near(run.latencyS, *e.requestLatencyS + *e.queue->meanWaitS, 0.05), text.c_str());
                }
            }
    }

    /// Chat and code: a decode pass meets each class by share and answer, and the simulated scheduler agrees.
    void aMixIsItsClasses()
    {
        const auto mixed = [](double share, RequestClass first, RequestClass second) {
            return engine(64, [&](Scenario& s) {
                RequestMix mix;
                mix.count = 2;
                mix.all[0] = first;
                mix.all[1] = second;
                mix.all[0].share = share;
                mix.all[1].share = 1 - share;
                s.inference.mix = mix;
                s.inference.promptTokens = std::llround(mix.meanPrompt());
                s.inference.outputTokens = std::llround(mix.meanOutput());
                s.inference.targetPercentile = TargetPercentile::P95;
            });
        };
        // Two classes alike are one.
        const RequestClass chat{0, 1155, 211}, code{0, 2048, 28};
        const Evaluation alike = evaluate(mixed(0.4, chat, chat)), one = evaluate(engine(64, [](Scenario&s) {
                                                                       s.inference.promptTokens = 1155;
                                                                       s.inference.outputTokens = 211;
                                                                   }));
        QVERIFY(near(*alike.tpotS, *one.tpotS) && near(*alike.tokensPerS, *one.tokensPerS));
        QVERIFY(near(*alike.mbu, *one.mbu));
        // Who writes long answers is met more often: the cache that a step reads is theirs.
        const Evaluation longPrompts = evaluate(mixed(0.5, {0, 4000, 400}, {0, 100, 100}));
        const Evaluation longAnswers = evaluate(mixed(0.5, {0, 4000, 100}, {0, 100, 400}));
        QVERIFY(longPrompts.bytesMoved > longAnswers.bytesMoved);
        QCOMPARE(evaluate(mixed(0.9, chat, code)).tail->promptTokens, 2048.0);
        QCOMPARE(evaluate(mixed(0.96, chat, code)).tail->promptTokens, 1191.0); // no less than the mean
        for (const double load : {0.3, 0.7, 0.85}) {
            const PreparedScenario s = readsAtOnce(mixed(0.683, chat, code));
            const double rate = load * capacityOf(s);
            const Evaluation e = loaded(s, rate);
            const test::SimulatedServing run =
                test::simulateServing(s, rate, 40000, test::exponential(11), test::classes(13, *s.inference.mix));
            const auto text =
                fmt::format("load {}: in flight {:.3f} of {:.3f}, latency {:.3f} of {:.3f}", load, run.inFlight,
                            e.batch, run.latencyS, *e.requestLatencyS + *e.queue->meanWaitS);
            QVERIFY2(near(run.inFlight, e.batch, 0.05), text.c_str());
            QVERIFY2(near(run.latencyS, *e.requestLatencyS + *e.queue->meanWaitS, 0.05), text.c_str());
            // Each class by itself; where it writes few tokens, within as much time as the mean request is.
            for (const ClassResult& c : e.mix->classes()) {
                const double lasts = run.latencyOf.at(c.promptTokens / s.inference.mix->meanPrompt());
                const double allowed = 0.05 * std::max(lasts, c.outputTokens < 100 ? run.latencyS : 0);
                QVERIFY2(std::abs(lasts - c.latencyS - *e.queue->meanWaitS) <= allowed,
                         fmt::format("{} of {} at load {}", c.latencyS, lasts, load).c_str());
            }
        }
    }

    /// Each class sees its own prompt and answer, and all of them together are the service.
    void classesOfAMixAddUp()
    {
        const auto with = [](const RequestMix& mix, auto&& more) {
            return engine(32, [&](Scenario& s) {
                s.inference.mix = mix;
                s.inference.promptTokens = std::llround(mix.meanPrompt());
                s.inference.outputTokens = std::llround(mix.meanOutput());
                s.inference.targetPercentile = TargetPercentile::P99;
                more(s);
            });
        };
        RequestMix mix;
        mix.count = 3;
        mix.all = {{{0.5, 1000, 200}, {0.3, 4000, 50}, {0.2, 100, 800}}};
        const auto nothing = [](Scenario&) {};
        const auto loads = [](Scenario& s) { s.inference.requestsPerS = 2; };
        const auto chunks = [](Scenario& s) { s.inference.maxTokensPerPass = 256; };
        const auto apart = [](Scenario& s) {
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 2;
            s.inference.prefillPool.tensor = 1;
        };
        const auto still = [](Scenario& s) { s.inference.scheduling = Scheduling::Static; };
        for (const PreparedScenario& s :
             {with(mix, nothing), with(mix, loads), with(mix, chunks), with(mix, apart), with(mix, still)}) {
            const Evaluation e = evaluate(s);
            QVERIFY(e.mix && e.mix->count == 3);
            double tokens = 0, requests = 0, flight = 0, seconds = 0;
            for (const ClassResult& c : e.mix->classes()) {
                tokens += c.tokensPerS;
                requests += c.requestsPerS;
                flight += c.inFlight;
                seconds += c.requestsPerS * c.latencyS;
                QVERIFY(c.ttftS > 0 && c.ttftS <= e.mix->ttftS && c.latencyS <= e.mix->latencyS);
                QVERIFY(near(c.latencyS, c.ttftS + (c.outputTokens - 1) * *e.tpotS));
            }
            QVERIFY(near(tokens, *e.tokensPerS) && near(requests, *e.requestsPerS));
            QVERIFY(near(flight, s.inference.requestsPerS ? seconds : e.batch * e.replicas));
            const auto& [chat, code, story] = std::tie(e.mix->all[0], e.mix->all[1], e.mix->all[2]);
            if (s.inference.scheduling == Scheduling::Static)
                QVERIFY(chat.ttftS == *e.ttftS && code.ttftS == *e.ttftS);
            else
                QVERIFY(story.ttftS < chat.ttftS && chat.ttftS < code.ttftS);
            QVERIFY(code.latencyS < story.latencyS);
            // The late requests' prompt is the longest class's, and so is what it adds.
            if (s.inference.scheduling != Scheduling::Static && !s.inference.maxTokensPerPass)
                QVERIFY(near(code.ttftS, *e.tail->ttftS - e.tail->waitS.value_or(0)));
        }
        // In chunks of what a pass has room for, the long prompts take as many steps more.
        const Evaluation slow = evaluate(with(mix, chunks));
        const double step = *slow.tpotS - slow.part(TimePart::PrefillInterference);
        QVERIFY(slow.mix->all[1].ttftS >= 4000 / 224.0 * step);
        // A class that is the mean is the mean request; without a mix there are none.
        mix.count = 2;
        mix.all = {{{0.5, 1000, 200}, {0.5, 1000, 200}}};
        const Evaluation alike = evaluate(with(mix, nothing));
        QCOMPARE(alike.mix->ttftS, *alike.ttftS);
        QCOMPARE(alike.mix->latencyS, *alike.requestLatencyS);
        QVERIFY(!evaluate(engine(8)).mix);
    }

    /// ⌈(p − q)/(C − B)⌉ steps at least; and a pass that has room for few prompts decodes few answers.
    void promptsInChunksTakeAsManySteps()
    {
        const auto with = [](std::optional<std::int64_t> most, std::int64_t cached = 0) {
            return evaluate(engine(16, [&](Scenario& s) {
                s.inference.promptTokens = 8000;
                s.inference.prefixCachedTokens = cached;
                s.inference.maxTokensPerPass = most;
            }));
        };
        const Evaluation whole = with({}), chunks = with(1024), tiny = with(128), hit = with(128, 4000);
        const auto step = [](const Evaluation& e) { return *e.tpotS - e.part(TimePart::PrefillInterference); };
        QVERIFY(*chunks.ttftS >= 8 * step(chunks) && *tiny.ttftS >= 64 * step(tiny) && *hit.ttftS >= 32 * step(hit));
        QVERIFY(near(step(whole), step(chunks)) && *hit.ttftS < *tiny.ttftS);
        // 128 tokens a pass: of a request it takes 8,000 tokens and then 199, the first one comes with the prompt. So
        // 128 ÷ 8,199 requests end in a pass: one is read, and 199 times as many have their answer written.
        QCOMPARE(tiny.batch, 1 + 199 * 128 / 8199.0);
        QVERIFY(*tiny.tokensPerS < *chunks.tokensPerS && *tiny.tokensPerS * 8199 / 200 <= 128 / step(tiny));
        QVERIFY(tiny.part(MemoryPart::Activations) < whole.part(MemoryPart::Activations));
        // A limit that no prompt meets is none.
        const Evaluation wide = with(16384);
        QVERIFY(near(*wide.tpotS, *whole.tpotS) && near(*wide.ttftS, *whole.ttftS));
        // As many as fit leave room for the prompts of those to come.
        const Evaluation most = evaluate(engine(1, [](Scenario& s) {
            s.inference.batchMax = true;
            s.inference.maxTokensPerPass = 600;
        }));
        QCOMPARE(most.batch, 1 + 199 * 600 / 1199.0);
    }
};
HEADROOM_TEST(TestTraffic)

} // namespace headroom::test_traffic
#include "test_traffic.moc"
