// SPDX-License-Identifier: GPL-3.0-or-later
// How a plan reads: layouts as people write them, and the whole result as JSON.
#include "core/plan/planner.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/support/json_text.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <fmt/format.h>

namespace headroom
{
namespace
{

/// What a layout is written into, size by size.
struct LayoutLine {
    Thousands thousands;
    std::string text;

    void add(std::string_view name, std::int64_t size)
    {
        if (size > 1)
            text += fmt::format("{} {} · ", name, count(double(size)));
    }

    [[nodiscard]] std::string count(double value) const
    {
        return thousands == Thousands::Grouped ? wholeText(value) : exactNumber(value);
    }
};

std::string_view shardingLabel(Sharding sharding)
{
    switch (sharding) {
    case Sharding::Zero1:
        return "ZeRO-1 · ";
    case Sharding::Zero2:
        return "ZeRO-2 · ";
    case Sharding::Fsdp:
        return "FSDP · ";
    case Sharding::None:
        break;
    }
    return {};
}

std::string checkpointingLabel(const TrainingWorkload& w)
{
    switch (w.checkpointing) {
    case Checkpointing::SelectiveOp:
        return said("selective checkpointing · ");
    case Checkpointing::SelectiveLayer:
        return say("checkpointing every {} layers · ", w.checkpointEvery);
    case Checkpointing::Full:
        return said("full checkpointing · ");
    case Checkpointing::AttentionOnly:
        return said("attention checkpointing · ");
    case Checkpointing::None:
    case Checkpointing::Unknown:
        break;
    }
    return {};
}

std::string trainingLayout(const PreparedScenario& s, Thousands thousands)
{
    LayoutLine line{thousands, {}};
    std::string& text = line.text;
    const Parallelism& p = s.parallelism;
    line.add("TP", p.tensor);
    if (p.tensor > 1 && !effectiveSequenceParallel(s))
        text += say("no SP · ");
    line.add("PP", p.pipeline);
    line.add("VP", p.pipeline > 1 ? p.virtualPipeline : 1);
    line.add("CP", p.context);
    line.add("EP", p.expert);
    line.add("DP", dataParallelRanks(s));
    text += shardingLabel(effectiveSharding(s));
    line.add(say("hybrid groups"), shardingReplicas(s));
    text += say("micro-batch {} · ", line.count(double(s.training.microBatch))) + checkpointingLabel(s.training);
    if (s.training.offload != Offload::None)
        text +=
            s.training.offload == Offload::Optimizer ? say("optimizer offloaded · ") : say("parameters offloaded · ");
    text += std::string(toId(s.training.precision));
    if (!isRl(s))
        return text;
    const std::int64_t tensor = rolloutTensor(s), copies = rolloutGpus(s) / tensor;
    text += s.training.rl.generatesApart() ? say(" · generating {} × TP {}", line.count(real(copies)), tensor)
                                           : say(" · generating TP {}", tensor);
    return text;
}

void addSizes(LayoutLine& line, const Parallelism& p)
{
    line.add("TP", p.tensor);
    line.add("PP", p.pipeline);
    line.add("CP", p.context);
    line.add(say("attention DP"), p.attentionData);
    line.add("EP", p.expert);
}

/// "prefill 4 × H100 SXM: instances 2 · TP 2 · "
std::string readingLayout(const PreparedScenario& s, const PoolsResult& pools, Thousands thousands)
{
    LayoutLine line{thousands, {}};
    line.text += say("prefill {} × {}: ", line.count(pools.prefill.devices), s.readingAccelerator().name);
    line.add(say("instances"), static_cast<std::int64_t>(pools.prefill.instances));
    addSizes(line, prefillLayout(s));
    return line.text;
}

/// What writes the answers: all of it in one pool, else "decode 2 × H100 SXM: TP 2 · …".
std::string servingLayout(const PreparedScenario& s, const Evaluation& e, Thousands thousands)
{
    LayoutLine line{thousands, {}};
    if (e.pools)
        line.text += say("decode {} × {}: ", line.count(e.pools->decode.devices), s.accelerator->name);
    line.add(say("replicas"), servingReplicas(s));
    addSizes(line, s.parallelism);
    return line.text + say("batch {} · {} weights · {} cache", line.count(fullBatch(e)), toId(s.inference.weights),
                           toId(s.inference.kvCache));
}

std::string number(const std::optional<double>& value)
{
    return value ? exactNumber(*value) : "null";
}

std::string parallelismJson(const PreparedScenario& s)
{
    const Parallelism& p = s.parallelism;
    std::string text = fmt::format(R"({{"tensor":{},"pipeline":{},"virtual_pipeline":{},"context":{},"expert":{},)"
                                   R"("attention_data":{},"replicas":{})",
                                   p.tensor, p.pipeline, p.virtualPipeline, p.context, p.expert, p.attentionData,
                                   s.task == Task::Training ? shardingReplicas(s) : servingReplicas(s));
    if (s.task == Task::Training)
        text += fmt::format(R"(,"sharding":"{}","sequence_parallel":{})", nameOf(names::sharding, effectiveSharding(s)),
                            effectiveSequenceParallel(s));
    return text + "}";
}

/// As the scenario format has it, for who puts the option to work: the rule by which it was sized.
std::string autoscaleJson(const std::optional<Autoscale>& autoscale)
{
    if (!autoscale)
        return {};
    std::string text;
    const auto add = [&text](std::string_view key, const auto& value) {
        if (value)
            text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", key, exactNumber(double(*value)));
    };
    add("min", autoscale->min);
    add("max", autoscale->max);
    add("target_utilization", autoscale->target);
    add("lag_s", autoscale->lagS);
    return fmt::format(R"(,"autoscale":{{{}}})", text);
}

std::string workloadJson(const PreparedScenario& s, const Evaluation& e, const std::optional<Autoscale>& autoscale = {})
{
    if (s.task == Task::Inference)
        return fmt::format(R"({{"batch":{},"weights":"{}","kv_cache":"{}"{}}})", fullBatch(e),
                           toId(s.inference.weights), toId(s.inference.kvCache), autoscaleJson(autoscale));
    const TrainingWorkload& w = s.training;
    std::string checkpointing = fmt::format(R"("{}")", nameOf(names::checkpointing, w.checkpointing));
    if (w.checkpointing == Checkpointing::SelectiveLayer)
        checkpointing = fmt::format(R"({{"mode":{},"every":{}}})", checkpointing, w.checkpointEvery);
    // An update of reinforcement learning is the whole step's where none is stated, not a pass of each rank.
    const std::string batch =
        isRl(s) && !w.globalBatch ? "" : fmt::format(R"("global_batch":{},)", effectiveGlobalBatch(s));
    return fmt::format(R"({{"micro_batch":{},{}"checkpointing":{},"precision":"{}","offload":"{}"}})", w.microBatch,
                       batch, checkpointing, toId(w.precision), nameOf(names::offload, w.offload));
}

/// The pool that reads prompts, where there is one.
std::string readerJson(const PreparedScenario& s, const Evaluation& e)
{
    if (!e.pools)
        return {};
    const Parallelism p = prefillLayout(s);
    const auto price = s.inference.prefillPool.pricePerGpuHour;
    return fmt::format(R"("prefill_pool":{{"accelerator":{},"count":{},"price_per_gpu_hour":{},"tensor":{},)"
                       R"("pipeline":{},"context":{},"expert":{},"attention_data":{},"instances":{}}},)",
                       jsonString(s.readingAccelerator().id), e.pools->prefill.devices,
                       number(price ? price : s.hardware.pricePerGpuHour), p.tensor, p.pipeline, p.context, p.expert,
                       p.attentionData, e.pools->prefill.instances);
}

/// The GPUs that generate answers of a step of reinforcement learning, where there is one.
std::string rolloutJson(const PreparedScenario& s)
{
    if (!isRl(s))
        return {};
    return fmt::format(R"("rollout_pool":{{"count":{},"tensor":{}}},)", rolloutGpus(s), rolloutTensor(s));
}

/// Of a step of reinforcement learning, under the names of the CSV's columns: the evaluation has the update's there.
std::string rlJson(const Evaluation& e)
{
    if (!e.rl)
        return {};
    return fmt::format(R"("step_time_s":{},"tokens_per_s":{},"update_step_time_s":{},"update_tokens_per_s":{},)",
                       exactNumber(e.rl->stepS), exactNumber(e.rl->tokens / e.rl->stepS), number(e.stepTimeS),
                       number(e.tokensPerS));
}

/// What a day costs, where the question has one.
std::string dayJson(const PlanOption& option)
{
    if (!option.day)
        return {};
    const DayResult& d = *option.day;
    return fmt::format(R"(,"day":{{"peak_requests_per_s":{},"replicas":{},"peak_replicas":{},"gpu_hours":{},)"
                       R"("cost":{},"peak_share":{}}})",
                       exactNumber(d.peakRequestsPerS), exactNumber(d.replicas), exactNumber(d.peakReplicas),
                       exactNumber(d.gpuHours), number(d.cost), number(d.peakShare));
}

/// Each under the percentile that it is; that of the target is known already.
std::string ttftJson(const PlanOption& option)
{
    PreparedScenario s = option.scenario;
    if (s.task != Task::Inference || !holdsFor99(s.inference))
        return fmt::format(R"("ttft_p95_s":{})", number(option.ttftP95S));
    s.inference.targetPercentile = TargetPercentile::P95;
    return fmt::format(R"("ttft_p95_s":{},"ttft_p99_s":{})", number(planner::waitedTtft(s, evaluate(s))),
                       number(option.ttftP95S));
}

std::string optionJson(const PlanOption& option)
{
    const PreparedScenario& s = option.scenario;
    const auto value = [&option](PlanObjective o) { return number(option.values[static_cast<std::size_t>(o)]); };
    const auto mfu = option.evaluation.rl ? std::nullopt : option.evaluation.mfu; // that of the update
    return fmt::format(R"({{"accelerator":{},"count":{},"price_per_gpu_hour":{},"layout":{},"parallelism":{},)"
                       R"("workload":{},{}"objectives":{{"cost":{},"time":{},"energy":{},"gpus":{},"mfu":{}}},)"
                       R"({}{},"evaluation":{}}})",
                       jsonString(s.accelerator->id), s.hardware.count, number(s.hardware.pricePerGpuHour),
                       jsonString(layoutText(option, Thousands::Plain)), parallelismJson(s),
                       workloadJson(s, option.evaluation, option.autoscale),
                       readerJson(s, option.evaluation) + rolloutJson(s) + rlJson(option.evaluation),
                       value(PlanObjective::Cost), value(PlanObjective::Time), value(PlanObjective::Energy),
                       planGpus(option), number(mfu), ttftJson(option), dayJson(option),
                       evaluationJson({}, s, option.evaluation, -1));
}

std::string growthJson(const PlanGrowthRow& row)
{
    return fmt::format(R"({{"multiple":{},"reason":{},"option":{}}})", exactNumber(row.multiple),
                       row.best ? "null" : jsonString(row.reason), row.best ? optionJson(*row.best) : "null");
}

template <typename List, typename Text>
std::string listJson(const List& list, const Text& text)
{
    std::string result = "[";
    for (const auto& item : list)
        result += (result.size() > 1 ? ",\n  " : "\n  ") + text(item);
    return result + (result.size() > 1 ? "\n]" : "]");
}

} // namespace

double planGpus(const PlanOption& option)
{
    const auto& pools = option.evaluation.pools;
    if (option.evaluation.rl)
        return option.evaluation.rl->gpus;
    return double(option.scenario.hardware.count) + (pools ? pools->prefill.devices : 0);
}

std::string planMachines(const PlanOption& option)
{
    const auto of = [](double gpus, const Accelerator& accelerator) {
        return formatText(gpus, ValueFormat::Integer) + " × " + accelerator.name;
    };
    const PreparedScenario& s = option.scenario;
    const auto& pools = option.evaluation.pools;
    if (!pools || s.readingAccelerator().id == s.accelerator->id)
        return of(planGpus(option), *s.accelerator);
    return of(pools->prefill.devices, s.readingAccelerator()) + " + " + of(double(s.hardware.count), *s.accelerator);
}

std::string layoutText(const PlanOption& option, Thousands thousands)
{
    const PreparedScenario& s = option.scenario;
    const Evaluation& e = option.evaluation;
    if (s.task == Task::Training)
        return trainingLayout(s, thousands);
    return (e.pools ? readingLayout(s, *e.pools, thousands) : std::string()) + servingLayout(s, e, thousands);
}

std::string layoutLines(const PlanOption& option)
{
    std::string text = layoutText(option);
    if (const auto& pools = option.evaluation.pools)
        text[readingLayout(option.scenario, *pools, Thousands::Grouped).size() - 1] = '\n';
    return text;
}

std::string deploymentId(const PlanOption& option)
{
    const PreparedScenario& s = option.scenario;
    return fmt::format("{} {} {} {}{}", s.accelerator->id, s.hardware.count, parallelismJson(s),
                       readerJson(s, option.evaluation) + rolloutJson(s), workloadJson(s, option.evaluation));
}

std::string planJson(const PlanResult& result, std::span<const PlanGrowthRow> growth)
{
    const InEnglish file;
    const PlanCounts& c = result.counts;
    return fmt::format(
        R"({{"counts":{{"configurations":{},"evaluated":{},"excluded_by_memory":{},)"
        R"("excluded_by_time":{},"excluded_by_limit":{},"unseen":{}}},"cancelled":{},)"
        "\n\"ranked\":{},\n\"front\":{},\n\"rejected\":{},\n\"notes\":{}{}{}}}\n",
        c.configurations, c.evaluated, c.excludedByMemory, c.excludedByTime, c.excludedByLimit, c.unseen(),
        result.cancelled, listJson(result.ranked, optionJson), listJson(result.front, optionJson),
        listJson(result.rejected,
                 [](const PlanRejection& r) {
                     return fmt::format(R"({{"reason":{},"nearest":{}}})", jsonString(r.reason), optionJson(r.nearest));
                 }),
        listJson(result.notes, [](const std::string& note) { return jsonString(note); }),
        result.onePool ? ",\n\"one_pool\":" + optionJson(*result.onePool) : "",
        growth.empty() ? "" : ",\n\"growth\":" + listJson(growth, growthJson));
}

} // namespace headroom
