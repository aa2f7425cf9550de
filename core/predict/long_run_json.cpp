// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/long_run_json.hpp"

#include "core/predict/goodput.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/rl.hpp"

namespace headroom
{

void appendGoodput(JsonText& json, const Evaluation& e)
{
    json.number("seconds_to_train", e.secondsToTrain);
    if (!e.goodput)
        return json.undefined("goodput");
    const Goodput& g = *e.goodput;
    json.open("goodput");
    json.number("ettr", g.ettr);
    json.number("ettr_low", g.ettrLow);
    json.number("share", g.share);
    json.number("tokens_per_s", g.tokensPerS);
    json.number("mtbf_s", g.mtbfS);
    json.number("checkpoint_bytes", g.checkpointBytes);
    json.number("checkpoint_s", g.checkpointS);
    json.number("interval_s", g.intervalS);
    json.number("best_interval_s", g.bestIntervalS);
    json.number("lost_s", lostSeconds(e));
    json.open("losses");
    json.number("checkpoints", g.checkpointLoss);
    json.number("restarts", g.restartLoss);
    json.number("lost_work", g.lostWork);
    json.number("stragglers", g.stragglerLoss);
    json.number("maintenance", g.maintenance);
    json.close();
    json.close();
}

void appendPhases(JsonText& json, const PreparedScenario& prepared, const Evaluation& e)
{
    if (!e.phases)
        return json.undefined("phases");
    json.open("phases");
    json.number("tokens", e.phases->tokens);
    json.number("seconds", e.phases->seconds);
    json.number("gpu_hours", e.phases->gpuHours);
    json.number("cost", e.phases->cost);
    json.boolean("fits", e.phases->fit);
    json.openArray("each");
    const std::vector<PhaseResult> results = evaluatePhases(prepared);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const PhaseResult& r = results[i];
        json.element();
        json.string("name", (*prepared.phases)[i].name);
        json.number("tokens", r.tokens);
        json.number("gpus", r.gpus);
        json.number("sequence_length", r.sequenceLength);
        json.number("tokens_per_step", r.tokensPerStep);
        json.number("mfu", r.mfu);
        json.number("tokens_per_s", r.tokensPerS);
        json.number("seconds", r.seconds);
        json.number("gpu_hours", r.gpuHours);
        json.number("cost", r.cost);
        json.boolean("fits", r.fits);
        json.close();
    }
    json.closeArray();
    json.close();
}

void appendRl(JsonText& json, const PreparedScenario& prepared, const Evaluation& e)
{
    if (!e.rl)
        return json.undefined("rl");
    const RlResult& r = *e.rl;
    json.open("rl");
    json.number("step_s", r.stepS);
    json.open("parts");
    for (int i = 0; i < rlPartCount; ++i)
        json.number(rlPartId(static_cast<RlPart>(i)), r.part(static_cast<RlPart>(i)));
    json.close();
    json.number("generate_s", r.part(RlPart::Generate));
    json.number("generate_share", generateShare(r));
    json.number("update_s", r.part(RlPart::Update));
    json.number("sync_s", r.part(RlPart::Sync));
    json.number("tail_s", r.tailS);
    json.number("wait_s", r.waitS);
    json.number("hidden_s", r.hiddenS);
    json.number("answers_s", r.answersS);
    json.number("states_s", r.statesS);
    json.number("idle_share", r.idle);
    json.number("tokens_per_s_per_gpu", r.tokensPerSPerGpu);
    json.number("answers_per_s", r.answers / r.stepS);
    json.number("cost_per_step", r.cost);
    json.number("answers", r.answers);
    json.number("tokens", r.tokens);
    json.number("longest_tokens", r.longestTokens);
    json.number("train_gpus", r.trainGpus);
    json.number("rollout_gpus", r.rolloutGpus);
    json.number("copies", r.copies);
    json.number("batch", r.batch);
    json.number("imbalance", r.imbalance);
    json.number("sync_bytes", r.syncBytes);
    json.number("state_bytes", r.stateBytes);
    json.number("used_bytes", r.usedBytes);
    json.number("capacity_bytes", r.capacityBytes);
    json.number("update_used_bytes", r.learnBytes);
    json.number("update_capacity_bytes", r.learnCapacityBytes);
    json.boolean("fits", r.fits);
    if (const auto split = bestRlSplit(prepared)) {
        json.number("best_rollout_gpus", split->rolloutGpus);
        json.number("best_step_s", split->stepS);
    }
    json.close();
}

} // namespace headroom
