// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/long_run_json.hpp"

#include "core/predict/goodput.hpp"
#include "core/predict/phases.hpp"

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

} // namespace headroom
