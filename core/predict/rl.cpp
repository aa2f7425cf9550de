// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/rl.hpp"

#include "core/predict/inference/inference_serving.hpp"
#include "core/predict/rl_framework.hpp"
#include "core/predict/rl_update.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/predict/training/training_step.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom
{
namespace
{

/// Most sequences that vLLM decodes at once where nothing is stated (max_num_seqs of offline use on GPUs of 70 GB and
/// more, vllm/engine/arg_utils.py of v0.9 and later).
constexpr double engineBatch = 1024;
constexpr double bf16Bytes = 2; ///< of a weight as it is handed over

InferenceSoftware softwareOf(RolloutEngine engine)
{
    switch (engine) {
    case RolloutEngine::Vllm:
        break;
    case RolloutEngine::VllmSync:
        return InferenceSoftware::VllmSync;
    case RolloutEngine::Sglang:
        return InferenceSoftware::Sglang;
    case RolloutEngine::TrtLlm:
        return InferenceSoftware::TrtLlm;
    }
    return InferenceSoftware::Vllm;
}

/// The scenario as the engine sees it that generates: copies of the model on the rollout GPUs.
PreparedScenario rolloutOf(const PreparedScenario& prepared)
{
    PreparedScenario p = prepared;
    p.task = Task::Inference;
    p.phases.reset();
    p.measured = {};
    p.draft.reset();
    p.prefillAccelerator.reset();
    p.inference = {};
    p.inference.software = softwareOf(prepared.training.rl.rolloutEngine);
    p.inference.promptTokens = prepared.training.rl.promptTokens;
    p.inference.outputTokens = prepared.training.rl.outputTokens;
    p.parallelism = {};
    p.hardware.count = rolloutGpus(prepared);
    p.parallelism.tensor =
        std::clamp<std::int64_t>(rolloutTensor(prepared), 1, std::max<std::int64_t>(1, p.hardware.count));
    return p;
}

/// Generation on one copy of the model.
class Rollout final
{
public:
    Rollout(const PreparedScenario& prepared, RlResult& result) noexcept
        : w(prepared.training.rl), r(result), p(rolloutOf(prepared)),
          m(inference::makeMachine(p, p.efficiency.base == EfficiencyBase::Ideal)), lengths(w, r.answers)
    {
        const inference::MemoryPlan memory = inference::planMemory(p, m);
        r.copies = std::max(1.0, std::floor(real(p.hardware.count) / real(p.parallelism.tensor)));
        r.rolloutGpus = real(p.hardware.count);
        m_each = std::max(1.0, r.answers / r.copies);
        const double most = w.rolloutBatch ? real(*w.rolloutBatch) : engineBatch;
        r.batch = std::max(1.0, std::min({m_each, most, memory.maxBatch}));
        r.usedBytes = memory.need(r.batch);
        r.capacityBytes = memory.capacity;
        r.fits = memory.maxBatch >= 1;
    }

    /// Fills the parts of generation.
    void run() noexcept
    {
        const double prompt = real(w.promptTokens), mean = real(w.outputTokens);
        // The answers to a prompt share its cache: it is read once.
        r.promptS = std::max(1.0, m_each / real(w.samples)) *
                    inference::pooledPromptS(p, m, std::max(1.0, m_each / real(w.samples)));
        r.passS = step(r.batch, prompt + mean / 2);
        r.fullS = m_each * mean / r.batch * r.passS;
        r.longestTokens = lengths.longestOf(r.answers);
        const auto [own, all] = decode();
        r.waitS = all - own;
        r.tailS = std::max(0.0, all - r.fullS);
    }

private:
    const RlWorkload& w;
    RlResult& r;
    const PreparedScenario p;
    inference::Machine m;
    const AnswerLengths lengths;
    double m_each = 1; ///< answers of a copy

    /// s of a decode pass where each sequence sees `context` tokens.
    double step(double batch, double context) noexcept
    {
        m.contexts.fill(context);
        return inference::decodeStepS(p, m, batch);
    }

    /// s in which the answers that are under way, `active` of them, grow from one length to the next. What does not
    /// run at once takes turns.
    double grow(double from, double to, double active) noexcept
    {
        if (to <= from)
            return 0;
        const double batch = std::clamp(active, 1.0, r.batch);
        return (to - from) * std::max(1.0, active / r.batch) * step(batch, real(w.promptTokens) + (from + to) / 2);
    }

    struct Seconds {
        double own = 0; ///< until the copy's own longest answer ends, as expected
        double all = 0; ///< until that of the whole step does, alone
    };
    /// Decodes all answers together; none takes the place of one that has ended: Σ (ℓ_i − ℓ_(i−1)) · step(those left),
    /// over lengths that stand for shares of the answers.
    Seconds decode() noexcept
    {
        constexpr std::array left{0.99, 0.975, 0.95, 0.9,  0.85,  0.8,  0.7,   0.6,   0.5,   0.4,    0.3,
                                  0.2,  0.15,  0.1,  0.05, 0.025, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002};
        Seconds s;
        double length = 0, before = 1;
        const double last = AnswerLengths::beyondLongest(m_each);
        const auto until = [&](double share) {
            const double next = lengths.quantile(1 - share);
            s.own += grow(length, next, m_each * (before + share) / 2);
            length = std::max(length, next);
            before = share;
        };
        if (lengths.sigma() <= 0) {
            before = 1;
            s.own = s.all = grow(0, lengths.quantile(0.5), m_each);
            return s;
        }
        for (const double share : left)
            if (share > last)
                until(share);
        until(last);
        const double own = lengths.longestOf(m_each);
        s.own += grow(length, own, 1); // of few answers
        s.all = s.own + grow(std::max(length, own), r.longestTokens, 1);
        return s;
    }
};

enum class Timed : std::uint8_t { Whole, Least };

/// Bytes that reach the GPUs that generate. They have the base of adapters, which alone are sent (verl,
/// utils/fsdp_utils.py, collect_lora_params), in 32 bit as they are trained.
double handedOverBytes(const PreparedScenario& prepared, const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = prepared.training;
    constexpr double adapterBytes = 4;
    return plan.adapters && !learnsWithTrl(prepared)
               ? adapterBytes * loraParameters(*plan.model, real(t.loraRank), t.loraTargets)
               : bf16Bytes * plan.model->parameters.total;
}

/// The update, and what else reads the answers on the GPUs that train.
RlFramework learn(const PreparedScenario& prepared, Timed timed, RlResult& r) noexcept
{
    const RlWorkload& w = prepared.training.rl;
    const bool whole = timed == Timed::Whole;
    RlUpdate update(prepared, r.answers);
    const double each = update.answers();
    r.imbalance = update.imbalance(each);
    TrainingPlan plan = update.plan(each);
    if (whole) {
        const TrainingMemory memory = update.resolve(plan);
        r.fits = memory.fits() && r.fits;
        r.learnBytes = memory.device;
        r.learnCapacityBytes = memory.capacity;
        r.hostBytes = hostInputBytes(plan); // while nothing waits
    }
    // All ranks wait for the slowest: the one with the longest answer may have fewer tokens and more attention.
    const auto slowest = [&](double answers, const auto& secondsOf) {
        const auto alone = whole ? update.longestAlone(plan, answers) : std::nullopt;
        return alone ? std::max(secondsOf(plan), secondsOf(*alone)) : secondsOf(plan);
    };
    r.updateTokensPerS = update.tokens(each) / slowest(each, [whole](const TrainingPlan& p) {
                             return whole ? trainingStep(p).seconds : leastStepSeconds(p);
                         });
    if (each < r.answers) { // all of the step are read together, however many updates learn from them
        plan = update.plan(r.answers);
        if (whole)
            static_cast<void>(update.resolve(plan));
    }
    r.forwardTokensPerS = update.tokens(r.answers) / slowest(r.answers, [whole](const TrainingPlan& p) {
                              return forwardSeconds(whole ? p : withoutDataExchange(p));
                          });
    const double forward = r.tokens / r.forwardTokensPerS;
    const double learning = real(w.epochs) * r.tokens / r.updateTokensPerS;
    r.part(RlPart::OldLogProb) = w.oldLogProb ? forward : 0;
    r.part(RlPart::Reference) = w.reference ? forward : 0;
    r.part(RlPart::Critic) = w.critic ? forward + learning : 0;
    r.part(RlPart::Reward) = (w.rewardModel ? forward : 0) + std::max(0.0, w.rewardS);
    r.part(RlPart::Update) = learning;
    // All weights pass by every GPU, which keeps its part: they are gathered or broadcast tensor by tensor, over the
    // kind of link that joins all GPUs.
    r.syncBytes = handedOverBytes(prepared, plan);
    r.syncBytesPerS = r.gpus > plan.domain ? plan.links.scaleOut : plan.links.scaleUp;
    r.part(RlPart::Sync) = r.gpus > 1 && r.syncBytesPerS > 0 ? r.syncBytes / r.syncBytesPerS : 0;
    RlFramework framework = rlFramework(prepared, plan, r);
    if (!whole) {
        framework.statesS = {};
        framework.stateBytes = framework.hostBytes = 0;
    }
    return framework;
}

RlResult stepOf(const PreparedScenario& prepared, const RlResult& generation, Timed timed) noexcept
{
    const RlWorkload& w = prepared.training.rl;
    RlResult r = generation;
    r.trainGpus = real(prepared.hardware.count);
    const bool apart = w.generatesApart();
    r.gpus = real(rlGpus(prepared));
    const RlFramework framework = learn(prepared, timed, r);
    framework.addTo(r, w);
    const double generate = r.part(RlPart::Generate), sync = r.part(RlPart::Sync);
    const double learning = learnS(r);
    const bool beside = apart && w.staleness > 0;
    r.hiddenS = beside ? std::min(generate, learning) : 0;
    r.stepS = beside ? std::max(generate, learning) + sync : r.sumS(); // to the digit, for all that learn sooner
    r.tokensPerSPerGpu = r.tokens / (r.stepS * r.gpus);
    // Nothing of this runs on these GPUs.
    const double waiting = r.waitS + framework.gatherS,
                 outside = std::max(0.0, w.rewardS) + r.answersS - framework.gatherS;
    if (apart)
        r.idle = (r.rolloutGpus * (r.stepS - sync - generate + waiting) +
                  r.trainGpus * (r.stepS - sync - learning + outside)) /
                 (r.gpus * r.stepS);
    else
        r.idle = (waiting + outside) / r.stepS;
    r.idle = std::clamp(r.idle, 0.0, 1.0);
    if (const auto price = prepared.hardware.pricePerGpuHour) {
        const double spares = countsFailures(prepared.training) ? real(prepared.training.reliability.spares) : 0;
        r.cost = *price * (r.gpus + spares) * r.stepS / secondsPerHour; // as the job pays for them
    }
    return r;
}

} // namespace

std::int64_t rlGpus(const Setup& setup)
{
    const bool apart = setup.training.rl.generatesApart();
    return setup.hardware.count + (apart ? rolloutGpus(setup) : 0);
}

RlResult rlGeneration(const PreparedScenario& prepared) noexcept
{
    const RlWorkload& w = prepared.training.rl;
    RlResult r;
    r.answers = real(w.prompts.value_or(usualRlPrompts)) * real(w.samples);
    r.tokens = r.answers * real(w.promptTokens + w.outputTokens);
    Rollout rollout(prepared, r);
    rollout.run();
    // Answers of several steps under way: long ones end beside the next steps' short ones.
    const double steps = w.generatesApart() ? std::max(1.0, real(w.staleness)) : 1;
    r.tailS /= steps;
    r.waitS = std::min(r.waitS / steps, r.tailS);
    r.part(RlPart::Generate) = r.promptS + r.fullS + r.tailS;
    return r;
}

RlResult rlStep(const PreparedScenario& prepared, const RlResult& generation) noexcept
{
    return stepOf(prepared, generation, Timed::Whole);
}

RlResult leastRlStep(const PreparedScenario& prepared, const RlResult& generation) noexcept
{
    return stepOf(prepared, generation, Timed::Least);
}

RlResult rlStep(const PreparedScenario& prepared) noexcept
{
    return rlStep(prepared, rlGeneration(prepared));
}

namespace
{

/// As many GPUs of `all` to `groups` that train, the rest to whole copies that generate.
void split(PreparedScenario& scenario, std::int64_t all, std::int64_t groups)
{
    const std::int64_t copy = std::max<std::int64_t>(1, rolloutTensor(scenario));
    scenario.hardware.count = groups * std::max<std::int64_t>(1, modelParallelRanks(scenario.parallelism));
    scenario.training.rl.rolloutCount = (all - scenario.hardware.count) / copy * copy;
}

/// Numbers of groups that may train of `all` GPUs: splits that a file may say.
std::vector<std::int64_t> legalGroups(PreparedScenario& scratch, std::int64_t all)
{
    const std::int64_t copy = std::max<std::int64_t>(1, rolloutTensor(scratch));
    const std::int64_t most = (all - copy) / std::max<std::int64_t>(1, modelParallelRanks(scratch.parallelism));
    const std::int64_t batch = scratch.training.globalBatch.value_or(0);
    std::vector<std::int64_t> groups;
    for (std::int64_t n = 1; n <= most; ++n) {
        if (batch % n != 0) // checkSetup() would say so, at length
            continue;
        split(scratch, all, n);
        if (checkSetup(scratch).empty())
            groups.push_back(n);
    }
    return groups;
}

} // namespace

std::optional<RlSplit> bestRlSplit(const PreparedScenario& prepared) noexcept
{
    if (!isRl(prepared) || !prepared.training.rl.generatesApart())
        return std::nullopt;
    const std::int64_t all = prepared.hardware.count + rolloutGpus(prepared);
    constexpr std::size_t tries = 64;
    std::optional<RlSplit> best;
    bool bestFits = false;
    PreparedScenario scratch = prepared;
    const std::vector<std::int64_t> groups = legalGroups(scratch, all);
    const std::size_t stride = std::max<std::size_t>(1, (groups.size() + tries - 1) / tries);
    for (std::size_t i = 0; i < groups.size(); i += stride) {
        split(scratch, all, groups[i]);
        const RlResult r = rlStep(scratch);
        if (best && (bestFits != r.fits ? bestFits : best->stepS <= r.stepS))
            continue;
        best = RlSplit{r.rolloutGpus, r.trainGpus, r.stepS};
        bestFits = r.fits;
    }
    return best;
}

std::string_view rlPartId(RlPart part)
{
    constexpr std::array<std::string_view, rlPartCount> ids{"generate", "old_log_prob", "reference", "critic",
                                                            "reward",   "controller",   "update",    "sync"};
    return ids[static_cast<std::size_t>(part)];
}

std::string_view rlPartLabel(RlPart part)
{
    constexpr std::array<std::string_view, rlPartCount> labels{phrase("generating answers"),
                                                               phrase("old probabilities"),
                                                               phrase("reference model"),
                                                               phrase("critic"),
                                                               phrase("reward"),
                                                               phrase("controller"),
                                                               phrase("update"),
                                                               phrase("handing weights over")};
    return labels[static_cast<std::size_t>(part)];
}

} // namespace headroom
