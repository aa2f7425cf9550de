// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_traits.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

/// What each part of the time comes from, in a few words.
std::string_view partFormula(TimePart part)
{
    switch (part) {
    case TimePart::Matmul:
        return phrase("start + FLOP over sustained rate, joined with bytes over bandwidth");
    case TimePart::Attention:
        return phrase("start + FLOP over the attention kernel's rate");
    case TimePart::MemoryBound:
        return phrase("bytes ÷ sustained bandwidth");
    case TimePart::Recompute:
        return phrase("the forward work that is done again");
    case TimePart::Experts:
        return phrase("like a matmul, over the experts touched");
    case TimePart::TensorParallel:
        return phrase("exposed all-reduces: latency + bytes ÷ link");
    case TimePart::ContextParallel:
        return phrase("exposed ring of keys and values");
    case TimePart::ExpertParallel:
        return phrase("exposed all-to-all of tokens to experts");
    case TimePart::DataParallel:
        return phrase("exposed gathers and reductions of weights and gradients");
    case TimePart::PipelineBubble:
        return phrase("stages waiting for the first and the last micro-batch");
    case TimePart::PipelineSend:
        return phrase("activations sent between stages");
    case TimePart::OptimizerStep:
        return phrase("bytes of the states ÷ bandwidth");
    case TimePart::Host:
        return phrase("launches and scheduling that the device waits for");
    case TimePart::PrefillInterference:
        return phrase("newcomers' prompts between two tokens");
    case TimePart::Draft:
        return phrase("draft passes of a cycle ÷ tokens it keeps");
    case TimePart::HostLink:
        return phrase("bytes read over the host link ÷ its rate, as far as it shows");
    }
    return {};
}

/// A mean of a mix may be no whole number.
std::string tokensText(double tokens)
{
    return tokens == std::round(tokens) ? wholeText(tokens) : shown(tokens, Plain);
}

double inputLengths(DerivationBuilder& b)
{
    b.parameter("prompt_tokens");
    return b.answer();
}

double servedAtMost(DerivationBuilder& b)
{
    return b.input("c",
                   b.e.pools ? say("requests/s that the narrower of the two pools serves")
                             : say("requests/s that all replicas serve with their full batch"),
                   b.e.queue->capacityRequestsPerS, Plain, b.calibrationSource());
}

/// Under a load.
void servedTokens(DerivationBuilder& b)
{
    const double load = b.parameter("requests_per_s");
    const double output = b.answer();
    const double capacity = servedAtMost(b);
    b.result(say("min(requests/s, c) × output"),
             fmt::format("min({}, {}) × {}", shown(load, Plain), shown(capacity, Plain), tokensText(output)),
             std::min(load, capacity) * output);
    b.assume(load > capacity ? say("More is asked for than can be served.")
                             : say("Throughput equals the load: spare capacity is not used."));
}

/// Of late requests, the wait for others' prompts; false where the wait for a place is longer.
bool promptWait(DerivationBuilder& b, double late)
{
    const WaitTail& prompts = b.e.queue->prompts;
    const double wait = *b.metric.value(b.e);
    if (!(wait > 0) || prompts.quantile(late) < wait)
        return false;
    const double share =
        b.input("C", say("share of the requests that wait for prompts of others"), prompts.share, Percent);
    const double mean = b.input("w", say("how far their waits spread"), prompts.meanS, Seconds, b.calibrationSource());
    const double counted = b.input("w_m", say("of that, what the mean TTFT has"), prompts.countedS, Seconds);
    b.result(fmt::format("w × ln(C ÷ {}) − w_m", late),
             fmt::format("{} × ln({} ÷ {}) − {}", shown(mean, Seconds), shown(share, Percent), late,
                         shown(counted, Seconds)),
             wait);
    return true;
}

} // namespace

void partsOfTime(DerivationBuilder& b)
{
    double sum = 0;
    std::string terms;
    for (int i = 0; i < timePartCount; ++i) {
        const auto part = static_cast<TimePart>(i);
        const double seconds = b.e.part(part);
        if (seconds <= 0)
            continue;
        b.step("", say(label(part)), say(partFormula(part)), {}, seconds, Seconds, b.calibrationSource());
        sum += seconds;
        terms += (terms.empty() ? "" : " + ") + shown(seconds, Seconds);
    }
    b.result(say("sum of the parts"), terms, sum);
    b.assume(say("Communication counts as far as it does not hide behind compute."));
    if (b.training() && b.p.training.optimizer == Optimizer::Muon && b.p.training.method == Method::Full)
        b.assume(say("The optimizer's time has the five Newton-Schulz iterations of Muon, over whole matrices that the "
                     "ranks with a share of the states divide among them."));
    if (b.e.speculation)
        b.assume(say("Each part of a speculative cycle is divided by the {} tokens that it adds to an answer. The last "
                     "cycle may accept more than the answer wants.",
                     shown(b.e.speculation->tokensAdded, Plain)));
    const auto interval = b.training() ? b.e.stepTimeInterval : b.e.tpotInterval;
    if (interval)
        b.assume(say("{}: four of five comparable runs lie between {} and {}.",
                     b.training() ? say("Step time") : std::string("TPOT"), shown(interval->low, Seconds),
                     shown(interval->high, Seconds)));
}

void prefillTime(DerivationBuilder& b)
{
    b.parameter("prompt_tokens");
    (void)b.cachedTokens();
    b.result(say("one forward pass over the prompt, operator by operator"), {}, b.e.prefill->timeS,
             b.calibrationSource());
}

namespace
{

/// Says what waits for a place in the batch: it stands beside TTFT and latency, and is in neither.
void sayWait(DerivationBuilder& b, double figure)
{
    constexpr double worthSaying = 0.01; // of the figure; less changes none of its shown digits by much
    if (!b.e.queue)
        return;
    if (!b.e.queue->meanWaitS)
        b.assume(say("More is asked for than can be served: each request waits longer for a place than the one before. "
                     "That wait has no bound and is not in this figure."));
    else if (*b.e.queue->meanWaitS > worthSaying * figure)
        b.assume(say("The mean wait for a place, {}, is not in it.", shown(*b.e.queue->meanWaitS, Seconds)));
}

} // namespace

void ttft(DerivationBuilder& b)
{
    const double prefill =
        b.e.prefill ? b.input("t_p", say("prefill time"), b.e.prefill->timeS, Seconds, b.calibrationSource()) : 0;
    b.parameter("scheduling");
    if (b.p.inference.maxTokensPerPass) {
        b.parameter("max_tokens_per_pass");
        b.assume(inference::mixesPrompts(b.p.calibration->inference, b.p.inference)
                     ? say("A prompt longer than what answers leave of a pass is read in chunks, one a step.")
                     : say("A prompt longer than that is read in chunks, one after the other."));
    }
    b.batch();
    const PoolsResult* pools = b.e.pools ? &*b.e.pools : nullptr;
    const double moved =
        pools ? b.input("m", say("transfer of the cache that does not hide behind prefill"), pools->shownS, Seconds)
              : 0;
    const double load = b.e.tiers && b.e.tiers->loadBytes > 0
                            ? b.input("t_l", say("loading that prefill does not hide"), b.e.tiers->shownS, Seconds)
                            : 0;
    const double rest = b.input("w",
                                pools ? say("engine's first-token time, host")
                                      : say("engine's first-token time, host, and waiting for others"),
                                b.e.ttftS.value_or(0) - prefill - moved - load, Seconds, b.calibrationSource());
    std::string formula = "t_p", numbers = shown(prefill, Seconds);
    const auto plus = [&](bool there, std::string_view symbol, double seconds) {
        if (!there)
            return;
        formula.append(" + ").append(symbol);
        numbers += " + " + shown(seconds, Seconds);
    };
    plus(load > 0, "t_l", load);
    plus(pools != nullptr, "m", moved);
    plus(true, "w", rest);
    b.result(formula, numbers, prefill + load + moved + rest);
    if (b.e.queue && !b.e.queue->meanWaitS)
        b.assume(
            say("It is that of the largest load that can be served, or of a replica kept full where that is later."));
    b.assume(b.e.queue && b.e.queue->prompts.share > 0
                 ? say("Requests come when they come: w has the mean wait for the prompts before; late requests wait "
                       "longer.")
                 : say("Sequences beyond what the cache holds wait for those before them."));
    sayWait(b, *b.e.ttftS);
    if (b.e.ttftInterval)
        b.assume(say("{}: four of five comparable runs lie between {} and {}.", "TTFT",
                     shown(b.e.ttftInterval->low, Seconds), shown(b.e.ttftInterval->high, Seconds)));
}

void ttftAlone(DerivationBuilder& b)
{
    const double prefill = b.input("t_p", say("prefill time"), b.e.prefill->timeS, Seconds, b.calibrationSource());
    const double host = b.input("t_1", say("host: the first token of a request alone, one step"),
                                *b.e.ttftAloneS - prefill, Seconds, b.calibrationSource());
    b.result("t_p + t_1", fmt::format("{} + {}", shown(prefill, Seconds), shown(host, Seconds)), prefill + host);
    b.assume(say("Among others a request also waits for their prompts: TTFT has that."));
}

void tokensPerS(DerivationBuilder& b)
{
    if (b.training()) {
        const double tokens = b.tokensPerStep();
        const double time = b.time();
        b.result("T ÷ t", fmt::format("{} ÷ {}", scientific(tokens), shown(time, Seconds)), tokens / time);
        return;
    }
    if (b.e.queue)
        return servedTokens(b);
    const double output = inputLengths(b);
    const double batch = b.batch();
    const bool whole = batch == std::floor(batch);
    const double replicas = b.parameter("replicas", b.e.replicas);
    const double served = batch * output * replicas;
    const double time = b.input("t_B", say("time in which a replica serves its batch, prompts included"),
                                served / *b.e.tokensPerS, Seconds, b.calibrationSource());
    if (b.p.inference.scheduling == Scheduling::Static) {
        const double longest = inference::longestAnswer(b.p.inference, b.e.batch, b.p.model->architecture.maxContext);
        if (longest > output)
            b.assume(
                say("A batch lasts until its longest answer is written, in the mean {} tokens.", wholeText(longest)));
    }
    b.result(whole ? say("batch × output × replicas ÷ t_B") : say("n × output × replicas ÷ t_B"),
             fmt::format("{} × {} × {} ÷ {}", tokensText(batch), tokensText(output), wholeText(replicas),
                         shown(time, Seconds)),
             served / time);
    b.assume(b.e.pools && b.e.pools->decode.utilization < 1
                 ? say("The prefill pool reads no more: the batch is what it keeps in flight.")
                 : say("Requests keep coming: the batch is always full."));
}

void tokensPerSPerGpu(DerivationBuilder& b)
{
    const double tokens = b.tokensPerStep();
    const double time = b.time();
    const double gpus = b.gpus();
    b.result("T ÷ (t × G)", fmt::format("{} ÷ ({} × {})", scientific(tokens), shown(time, Seconds), wholeText(gpus)),
             tokens / (time * gpus));
}

void tokensPerSPerUser(DerivationBuilder& b)
{
    const double time = b.time();
    b.result("1 ÷ t", fmt::format("1 ÷ {}", shown(time, Seconds)), 1 / time);
    b.assume(say("People read about 5.5 tokens a second."));
}

void requestLatency(DerivationBuilder& b)
{
    const double first = b.input("TTFT", say("time to first token"), *b.e.ttftS, Seconds);
    const double each = b.input("TPOT", say("time per output token"), *b.e.tpotS, Seconds);
    const double output = b.answer();
    b.result(say("TTFT + (output − 1) × TPOT"),
             fmt::format("{} + {} × {}", shown(first, Seconds), tokensText(output - 1), shown(each, Seconds)),
             first + (output - 1) * each);
    sayWait(b, first + (output - 1) * each);
}

void requestsPerS(DerivationBuilder& b)
{
    const double rate = b.input("r", say("output tokens/s over all replicas"), *b.e.tokensPerS, TokensPerS);
    const double output = b.answer();
    b.result(say("r ÷ output"), fmt::format("{} ÷ {}", shown(rate, TokensPerS), tokensText(output)), rate / output);
}

void lateTtft(DerivationBuilder& b)
{
    const TailResult& tail = *b.e.tail;
    b.parameter("target_percentile");
    const double wait = b.input("w", say("wait that so many stay under"), tail.waitS.value_or(0), Seconds);
    const double mean = b.input("TTFT", say("time to first token"), *b.e.ttftS, Seconds);
    b.input("p", say("length of a late request's prompt"), tail.promptTokens, Integer);
    const double longer = b.input("t_l",
                                  b.e.pools ? say("what reading and sending a prompt of that length adds")
                                            : say("what reading a prompt of that length adds"),
                                  *tail.ttftS - mean - wait, Seconds, b.calibrationSource());
    b.result("w + TTFT + t_l",
             fmt::format("{} + {} + {}", shown(wait, Seconds), shown(mean, Seconds), shown(longer, Seconds)),
             wait + mean + longer);
    b.assume(say("The sum of two percentiles: long prompts and long waits do not always meet."));
}

void queueUtilization(DerivationBuilder& b)
{
    const double load = b.parameter("requests_per_s");
    b.parameter("batch", fullBatch(b.e));
    const double capacity = servedAtMost(b);
    b.result("λ ÷ c", fmt::format("{} ÷ {}", scientific(load), shown(capacity, Plain)), load / capacity);
    const double needed = b.e.queue->replicasNeeded;
    b.explain(needed == 1 ? said("1 replica would be the fewest that keep up.")
                          : say("{} replicas would be the fewest that keep up.", wholeText(needed)));
}

void queueWait(DerivationBuilder& b)
{
    if (b.p.inference.arrivalCv != 1)
        b.parameter("arrival_cv");
    b.parameter("requests_per_s");
    b.input("ρ", say("offered load over capacity"), b.e.queue->utilization, Percent);
    if (b.e.tiers && b.e.tiers->loadBytes > 0 && !b.e.pools)
        b.assume(
            say("Prompts wait for the drives or the link that bring their cache: of that wait and that for a place "
                "the longer counts."));
    const bool ofMean = b.metric.id == "queue.mean_wait_s";
    const bool far = b.metric.id == "tail.wait_s" && holdsFor99(b.p.inference);
    if (!ofMean && promptWait(b, far ? 0.01 : 0.05))
        return;
    if (b.e.pools)
        b.input("w_p", say("of it, for a prefill instance"),
                ofMean ? b.e.pools->waitS
                : far  ? b.e.pools->p99WaitS
                       : b.e.pools->p95WaitS,
                Seconds);
    b.result(b.metric.formula, {}, *b.metric.value(b.e), say("calculation: Erlang C, Allen–Cunneen"));
    b.assume(say("An unknown spread of lengths counts as exponential; where nothing else is stated, requests arrive at "
                 "random (Poisson)."));
}

void secondsToTrain(DerivationBuilder& b)
{
    if (b.e.phases) {
        phasesTime(b);
    } else {
        const double tokens = b.parameter("training_tokens");
        const double rate = b.e.rl        ? rlRate(b)
                            : b.e.goodput ? effectiveRate(b)
                                          : b.input("r", say("tokens/s of the whole job"), *b.e.tokensPerS, TokensPerS);
        b.result("D ÷ r", fmt::format("{} ÷ {}", scientific(tokens), shown(rate, TokensPerS)), tokens / rate);
    }
    if (!b.e.goodput)
        b.assume(say("Failures are not counted, nor restarts, evaluations or pauses: state GPU-hours per failure "
                     "to count them."));
}

} // namespace headroom::derivations
