// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/goodput.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/rl.hpp"
#include "core/predict/training/training_goodput.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

using enum ValueFormat;
/// Of the best interval and of ETTR.
std::string daly()
{
    return said("Daly, A higher order estimate of the optimum checkpoint interval for restart dumps (2006)");
}

const Goodput& goodputOf(const DerivationBuilder& b)
{
    return *b.e.goodput;
}

/// The plan that was evaluated, as far as checkpoints read it.
struct Failures {
    explicit Failures(const DerivationBuilder& b)
        : plan(planTraining(b.p, ignored)), of(trainingFailures(plan, b.e.trainableParameters))
    {
    }
    WarningSet ignored;
    TrainingPlan plan;
    TrainingFailures of;
};

double mtbf(DerivationBuilder& b)
{
    return b.input("M", say("mean time between interruptions of the job"), goodputOf(b).mtbfS, Seconds);
}
double checkpoint(DerivationBuilder& b)
{
    return b.input("δ", say("time that a checkpoint stops the training"), goodputOf(b).checkpointS, Seconds);
}
double restart(DerivationBuilder& b)
{
    return b.parameter("restart_s");
}

/// What a small job may see instead (docs/method/goodput.md).
void assumeSmallJob(DerivationBuilder& b)
{
    const Goodput& g = goodputOf(b);
    if (g.ettrLow < g.ettr)
        b.assume(say("Jobs of fewer than {} GPUs fail more often for each GPU: with {} times as many failures "
                     "ETTR is {}.",
                     wholeText(smallJobGpus), wholeText(smallJobFailures), shown(g.ettrLow, Percent)));
}

void assumeLosses(DerivationBuilder& b)
{
    const Goodput& g = goodputOf(b);
    b.assume(say("Of the calendar: checkpoints {}, restarts {}, work done again {}, stragglers {}, pauses {}.",
                 shown(g.checkpointLoss, Percent), shown(g.restartLoss, Percent), shown(g.lostWork, Percent),
                 shown(g.stragglerLoss, Percent), shown(g.maintenance, Percent)));
}

} // namespace

double effectiveRate(DerivationBuilder& b)
{
    const Goodput& g = goodputOf(b);
    const double rate = b.e.rl ? b.input("r₀", say("tokens learned from per second while steps run"),
                                         b.e.rl->tokens / b.e.rl->stepS, TokensPerS)
                               : b.input("r₀", say("tokens/s while steps run"), *b.e.tokensPerS, TokensPerS);
    const double ettr = b.input("E", say("effective training time ratio"), g.ettr, Percent, daly());
    const double maintenance = b.parameter("maintenance");
    const double sigma = b.parameter("straggler_sigma");
    const double ranks = b.input("n", say("data-parallel ranks"), b.e.data, Integer);
    const double slower =
        b.step("S", say("stragglers: step time over that of equal ranks"), "1 + σ × Φ⁻¹((n − 0.375) ÷ (n + 0.25))",
               fmt::format("1 + {0} × Φ⁻¹(({1} − 0.375) ÷ ({1} + 0.25))", shown(sigma, Percent), wholeText(ranks)),
               stragglerFactor(sigma, ranks), Plain);
    if (b.e.rl && sigma > 0)
        b.assume(say("Stragglers count as if they made the whole step longer, not the update alone: an upper bound."));
    assumeLosses(b);
    assumeSmallJob(b);
    return b.step("r", say("tokens/s over the calendar"), "r₀ × E × (1 − m) ÷ S",
                  fmt::format("{} × {} × (1 − {}) ÷ {}", shown(rate, TokensPerS), shown(ettr, Percent),
                              shown(maintenance, Percent), scientific(slower)),
                  rate * ettr * (1 - maintenance) / slower, TokensPerS);
}

namespace derivations
{

void ettr(DerivationBuilder& b)
{
    const double m = mtbf(b);
    const double delta = checkpoint(b);
    const double r = restart(b);
    const auto stated = b.p.training.reliability.checkpointIntervalS;
    const double own = goodputOf(b).intervalS;
    const double tau = stated == own ? b.parameter("checkpoint_interval_s")
                       : !stated     ? b.input("τ", say("best checkpoint interval"), own, Seconds, daly())
                       : *stated < own
                           ? b.input("τ", say("one step: no checkpoint is written within it"), own, Seconds)
                           : b.input("τ", say("the whole run: a checkpoint is written at its end alone"), own, Seconds);
    b.result("τ ÷ (M × e^(R/M) × (e^((τ+δ)/M) − 1))",
             fmt::format("{0} ÷ ({1} × e^({2}/{1}) × (e^({3}/{1}) − 1))", shown(tau, Seconds), shown(m, Seconds),
                         shown(r, Seconds), shown(tau + delta, Seconds)),
             effectiveTrainingTimeRatio({m, delta, r}, tau), daly());
    b.assume(say("Failures come at random at a constant rate, while the job restarts too; each loses the work since "
                 "the last checkpoint."));
    assumeSmallJob(b);
}

void effectiveTokens(DerivationBuilder& b)
{
    const double rate = effectiveRate(b);
    b.result("r", shown(rate, TokensPerS), rate);
}

void lostTime(DerivationBuilder& b)
{
    if (b.e.phases)
        return phasesLostTime(b);
    const double time = b.input("t", say("time to train"), b.e.secondsToTrain.value_or(0), Seconds);
    const double share =
        b.input("s", say("share of the calendar that trains at the predicted throughput"), goodputOf(b).share, Percent);
    b.result("t × (1 − s)", fmt::format("{} × (1 − {})", shown(time, Seconds), shown(share, Percent)),
             time * (1 - share));
    assumeLosses(b);
}

void timeBetweenFailures(DerivationBuilder& b)
{
    const double hours = b.parameter("gpu_mtbf_hours");
    const double gpus = b.e.rl ? rlGpus(b) : b.gpus();
    if (const auto& spot = b.p.hardware.spotMtbfHours; spot && countsSpotInterruptions(b.p)) {
        const double taken = b.parameter("spot_mtbf_hours");
        b.result("3600 ÷ (G ÷ H + G ÷ Hₛ)",
                 fmt::format("3600 ÷ ({0:.0f} ÷ {1} + {0:.0f} ÷ {2})", gpus, scientific(hours), scientific(taken)),
                 secondsPerHour / (gpus / hours + gpus / taken));
        b.assume(say("GPUs are taken back one by one, each at the stated rate; those of one node often go together, "
                     "and then the job stops less often."));
    } else
        b.result("H × 3600 ÷ G", fmt::format("{} × 3600 ÷ {}", scientific(hours), wholeText(gpus)),
                 hours * secondsPerHour / gpus);
    if (b.e.rl)
        b.assume(say("Any of these GPUs stops the job, one that generates answers too; spares do not."));
    b.assume(say("Published: 45,600 GPU-hours (Llama 3), 25,000 (OPT-175B), 66,500 (504 B200): they differ by more "
                 "than twice."));
    assumeSmallJob(b);
}

void bestInterval(DerivationBuilder& b)
{
    const double m = mtbf(b);
    const double delta = checkpoint(b);
    const double step = b.e.rl ? b.input("t", say("time of a step"), b.e.rl->stepS, Seconds)
                               : b.input("t", say("step time"), *b.e.stepTimeS, Seconds);
    const double best = bestCheckpointInterval({m, delta, 0});
    const bool often = delta < 2 * m;
    b.step("τ*", say("interval that loses least"), often ? "√(2δM) × (1 + x/3 + x²/9) − δ, x = √(δ ÷ 2M)" : "M",
           shown(best, Seconds), best, Seconds, daly());
    const double rate = b.e.rl ? b.e.rl->tokens / b.e.rl->stepS : *b.e.tokensPerS;
    const double run = tokensInOnePiece(b.p).value_or(0) / rate;
    if (run > 0 && run < best) {
        b.input("T", say("steps of the whole run, at whose end one is written"), run, Seconds);
        b.result("max(min(τ*, T), t)",
                 fmt::format("max(min({}, {}), {})", shown(best, Seconds), shown(run, Seconds), shown(step, Seconds)),
                 std::max(run, step));
    } else
        b.result("max(τ*, t)", fmt::format("max({}, {})", shown(best, Seconds), shown(step, Seconds)),
                 std::max(best, step));
    if (!often)
        b.assume(say("A checkpoint takes as long as two times between failures, or longer."));
}

void checkpointSize(DerivationBuilder& b)
{
    const Failures failures(b);
    const bool predicting = failures.plan.predictionParameters() > 0;
    const double parameters = b.input(
        "n", predicting ? say("trained parameters, those for multi-token prediction in") : say("trained parameters"),
        b.e.trainableParameters, Parameters);
    const double bytes =
        b.input("b", say("bytes of weight and optimizer states a parameter"), savedBytes(failures.plan).all(), Plain);
    if (const double learners = failures.of.learners; learners > 1) {
        b.input("k", say("models that learn, the critic beside the policy"), learners, Integer);
        b.result("n × b × k", product({{parameters, Parameters}, {bytes, Plain}, {learners, Integer}}),
                 parameters * bytes * learners);
    } else
        b.result("n × b", product({{parameters, Parameters}, {bytes, Plain}}), parameters * bytes);
    b.assume(say("Gradients are not saved, nor what does not learn."));
}

void checkpointTime(DerivationBuilder& b)
{
    const TrainingWorkload& w = b.p.training;
    if (w.reliability.checkpointS) {
        const double stated = b.parameter("checkpoint_s");
        b.result("δ", shown(stated, Seconds), stated);
        return;
    }
    if (w.reliability.checkpointGbPerS) {
        const double bytes = b.input("B", say("checkpoint size"), goodputOf(b).checkpointBytes, Bytes);
        const double rate = b.parameter("checkpoint_gb_per_s");
        b.result("B ÷ w", fmt::format("{} ÷ {} GB/s", shown(bytes, Bytes), scientific(rate)), bytes / (rate * giga));
        return;
    }
    const Failures failures(b);
    const CheckpointCopy& copy = failures.of.copy;
    b.input("B", say("checkpoint size"), goodputOf(b).checkpointBytes, Bytes);
    const double link =
        b.input("h", say("link to the host, sustained"), failures.plan.hostLink, BytesPerS, b.calibrationSource());
    const double bytes = b.input("b", say("of it, from the GPU that copies most"), copy.linkBytes, Bytes);
    if (copy.hostBytes > 0) {
        b.input("c", say("copied within its host's memory, where the rest lies"), copy.hostBytes, Bytes);
        b.input("w", say("rate of the host's memory for one GPU, read and written"), copy.hostRate, BytesPerS,
                b.calibrationSource());
        b.result("b ÷ h + 2 × c ÷ w",
                 fmt::format("{} ÷ {} + 2 × {} ÷ {}", shown(bytes, Bytes), shown(link, BytesPerS),
                             shown(copy.hostBytes, Bytes), shown(copy.hostRate, BytesPerS)),
                 bytes / link + copy.hostSeconds());
    } else
        b.result("b ÷ h", fmt::format("{} ÷ {}", shown(bytes, Bytes), shown(link, BytesPerS)), bytes / link);
    b.assume(say("Training waits for the copy to the hosts' memory alone: the hosts write it to storage before the "
                 "next."));
}

} // namespace derivations

} // namespace headroom
