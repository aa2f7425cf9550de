// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_registry.hpp"

#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/metric_rows_rl.hpp"
#include "core/metrics/metric_values.hpp"
#include "core/predict/goodput.hpp"
#include "core/predict/power_knee.hpp"

#include <array>
#include <utility>

namespace headroom
{

namespace
{

using namespace metric_values;
using enum ValueFormat;
using enum Better;

Value none(const Setup&, const Evaluation&)
{
    return std::nullopt;
}
Value whole(const Setup&, const Evaluation&)
{
    return 1.0;
}
Value capacity(const Setup&, const Evaluation& e)
{
    return e.capacityBytes;
}
Value peakTflops(const Setup&, const Evaluation& e)
{
    return e.peakFlops / 1e12;
}
Value bandwidth(const Setup&, const Evaluation& e)
{
    return e.memoryBandwidth / 1e9;
}
Value ttftTarget(const Setup& s, const Evaluation&)
{
    return s.inference.ttftTargetS;
}
Value tpotTarget(const Setup& s, const Evaluation&)
{
    return s.inference.tpotTargetS;
}

/// In place of a value: the row has an answer.
Value asked(const Evaluation&)
{
    return std::nullopt;
}
Value bestLimit(const PreparedScenario& p)
{
    const auto knee = powerKnee(p);
    return knee ? Value(knee->bestW) : std::nullopt;
}
Value freeLimit(const PreparedScenario& p)
{
    const auto knee = powerKnee(p);
    return knee ? Value(knee->freeW) : std::nullopt;
}

constexpr MetricRow table[] = {
    // id, label, long name, definition, formula, format, better, training, inference, tile, value, limit, derivation,
    // chapter, tile when defined, answer
    {"mfu", "MFU", "Model FLOP utilisation",
     "The share of the machine's peak that the FLOP the method needs amount to. Recomputation does not count; in "
     "inference it is the decode step's.",
     "model FLOP ÷ (time × GPUs × peak)", Percent, Higher, true, true, true, field<&Evaluation::mfu>, whole,
     derivations::mfu, MethodChapter::Counting},
    {"hfu", "HFU", "Hardware FLOP utilisation",
     "Like MFU, but counting what is executed again because activations were not kept.",
     "(model + recomputed FLOP) ÷ (time × GPUs × peak)", Percent, Higher, true, false, true, field<&Evaluation::hfu>,
     whole, derivations::hfu, MethodChapter::Counting},
    {"mbu", "MBU", "Memory bandwidth utilisation",
     "The share of the memory bandwidth that the bytes which must move amount to: in decode the weights touched and "
     "the cache read, in training what the step's operators move.",
     "bytes that must move ÷ (time × bandwidth)", Percent, Higher, true, true, true, field<&Evaluation::mbu>, whole,
     derivations::mbu, MethodChapter::Counting},
    {"prefill.mfu", "Prefill MFU", "Model FLOP utilisation of the prefill",
     "MFU while the prompt is read, before the first token.", "prefill FLOP ÷ (prefill time × GPUs × peak)", Percent,
     Higher, false, true, false, prefillMfu, whole, derivations::prefillMfu, MethodChapter::Counting},
    {"prefill.time_s", "Prefill time", "Time to read the prompt", "How long one prompt's forward pass takes.",
     "FLOP ÷ sustained rate, operator by operator", Seconds, Lower, false, true, false, prefillTime, none,
     derivations::prefillTime, MethodChapter::Time},
    {"step_time_s", "Step time", "Time of one optimizer step",
     "From one weight update to the next: all micro-batches, communication that shows, the optimizer.",
     "micro-batches × stage time + bubble + exposed communication + optimizer", Seconds, Lower, true, false, true,
     field<&Evaluation::stepTimeS>, none, derivations::partsOfTime, MethodChapter::Time},
    {"ttft_s", "TTFT", "Time to first token", "How long a user waits from the request to the first output token.",
     "prefill + host time + waiting for others' prefills", Seconds, Lower, false, true, true, field<&Evaluation::ttftS>,
     ttftTarget, derivations::ttft, MethodChapter::Time},
    {"ttft_alone_s", "TTFT alone", "Time to first token of a request alone",
     "How long the first token takes where no other request is in flight: what a benchmark at concurrency 1 measures.",
     "prefill + host time of a request alone", Seconds, Lower, false, true, false, field<&Evaluation::ttftAloneS>,
     ttftTarget, derivations::ttftAlone, MethodChapter::Time},
    {"tpot_s", "TPOT", "Time per output token",
     "The mean time between two output tokens of one request, after the first.",
     "decode step + share of newcomers' prefills", Seconds, Lower, false, true, true, field<&Evaluation::tpotS>,
     tpotTarget, derivations::partsOfTime, MethodChapter::Time},
    {"tokens_per_s", "Tokens/s", "Throughput",
     "Tokens a second over all GPUs: processed tokens in training, output tokens in inference.",
     "tokens per step ÷ step time", TokensPerS, Higher, true, true, true, field<&Evaluation::tokensPerS>, none,
     derivations::tokensPerS, MethodChapter::Time},
    {"tokens_per_s_per_gpu", "Tokens/s/GPU", "Throughput per GPU", "Processed tokens a second and GPU.",
     "tokens/s ÷ GPUs", TokensPerS, Higher, true, false, true, field<&Evaluation::tokensPerSPerGpu>, none,
     derivations::tokensPerSPerGpu, MethodChapter::Time},
    {"max_batch", "Largest batch", "Largest batch that fits",
     "Sequences of full length that one replica can hold at once; beyond it requests wait.",
     "⌊memory left for the cache ÷ cache of one sequence⌋", Integer, Higher, false, true, true,
     field<&Evaluation::maxBatch>, none, derivations::maxBatch, MethodChapter::Memory},
    {"memory.used_bytes", "Memory", "Memory used per GPU",
     "What the driver shows on the fullest GPU: tensors, the allocator's reserve, context and buffers.",
     "weights + states + activations + cache + overhead", Bytes, Lower, true, true, true, field<&Evaluation::usedBytes>,
     capacity, derivations::memoryUsed, MethodChapter::Memory},
    {"memory.share", "Memory share", "Share of the memory in use", "Memory used over what software can use.",
     "used ÷ capacity", Percent, Lower, true, true, false, memoryShare, whole, derivations::memoryShare,
     MethodChapter::Memory},
    {"memory.free_bytes", "Free memory", "Memory left per GPU",
     "Capacity less what is used; below zero the scenario does not fit.", "capacity − used", Bytes, Higher, true, true,
     false, freeBytes, capacity, derivations::memoryFree, MethodChapter::Memory},
    {"memory.capacity_bytes", "Capacity", "Memory that software can use", "Usable memory of one GPU.",
     "usable memory of the device", Bytes, Neither, true, true, false, field<&Evaluation::capacityBytes>, none,
     derivations::memoryCapacity, MethodChapter::Memory},
    {"memory.weights", "Weights", "Memory for weights", "Stored weights of the fullest GPU.",
     "parameters of the rank × bytes each", Bytes, Lower, true, true, false, memory<MemoryPart::Weights>, capacity,
     derivations::memoryPart, MethodChapter::Memory},
    {"memory.gradients", "Gradients", "Memory for gradients", "Gradients of what is trained.",
     "trained parameters of the rank × bytes each", Bytes, Lower, true, false, false, memory<MemoryPart::Gradients>,
     capacity, derivations::memoryPart, MethodChapter::Memory},
    {"memory.optimizer", "Optimizer states", "Memory for the optimizer",
     "Moments and master weights of what is trained.", "trained parameters of the rank × bytes each", Bytes, Lower,
     true, false, false, memory<MemoryPart::Optimizer>, capacity, derivations::memoryPart, MethodChapter::Memory},
    {"memory.activations", "Activations", "Memory for activations",
     "What the backward pass needs again (training) or the largest pass holds (inference).",
     "tokens × what each operator keeps", Bytes, Lower, true, true, false, memory<MemoryPart::Activations>, capacity,
     derivations::memoryPart, MethodChapter::Memory},
    {"memory.logits", "Logits", "Memory for logits", "The LM head's output and its copies in the loss.",
     "tokens × vocabulary × bytes", Bytes, Lower, true, false, false, memory<MemoryPart::Logits>, capacity,
     derivations::memoryPart, MethodChapter::Memory},
    {"memory.kv_cache", "KV cache", "Memory for the key/value cache", "Keys and values of every token in flight.",
     "sequences × tokens × layers × 2 × KV heads × head size × bytes", Bytes, Lower, false, true, false,
     memory<MemoryPart::KvCache>, capacity, derivations::memoryPart, MethodChapter::Memory},
    {"memory.overhead", "Overhead", "Memory overhead", "Runtime context, communication buffers, allocator slack.",
     "context + buffers + slack", Bytes, Lower, true, true, false, memory<MemoryPart::Overhead>, capacity,
     derivations::memoryPart, MethodChapter::Memory},
    {"model_tflops_per_gpu", "Model TFLOP/s/GPU", "Model TFLOP/s per GPU", "MFU's numerator as a rate, in TFLOP/s.",
     "model FLOP ÷ (time × GPUs)", Plain, Higher, true, false, false, field<&Evaluation::modelTflopsPerGpu>, peakTflops,
     derivations::modelTflops, MethodChapter::Counting},
    {"hardware_tflops_per_gpu", "Hardware TFLOP/s/GPU", "Hardware TFLOP/s per GPU",
     "HFU's numerator as a rate, in TFLOP/s.", "(model + recomputed FLOP) ÷ (time × GPUs)", Plain, Higher, true, false,
     false, field<&Evaluation::hardwareTflopsPerGpu>, peakTflops, derivations::hardwareTflops, MethodChapter::Counting},
    {"tokens_per_s_per_user", "Tokens/s/user", "Speed that one user sees", "Output tokens a second of one request.",
     "1 ÷ TPOT", TokensPerS, Higher, false, true, false, tokensPerSPerUser, none, derivations::tokensPerSPerUser,
     MethodChapter::Time},
    {"request_latency_s", "Request latency", "Time of one request", "From the request to its last token.",
     "TTFT + (output − 1) × TPOT", Seconds, Lower, false, true, false, field<&Evaluation::requestLatencyS>, none,
     derivations::requestLatency, MethodChapter::Time},
    {"speculation.tokens_per_cycle", "Acceptance length", "Tokens that a speculative cycle yields",
     "What a sequence gains by one drafting and one verifying: the accepted drafts and the token that the model itself "
     "adds.",
     "1 + Σ_i Π_{j ≤ i} a_j", Plain, Higher, false, true, false, speculation<&SpeculationResult::tokensPerCycle>, none,
     derivations::tokensOfCycle, MethodChapter::Speculation},
    {"speculation.cycle_s", "Cycle", "Time of a speculative cycle",
     "Drafting, one pass that verifies all drafts, and the host's work between them; newcomers' prompts are no part of "
     "it.",
     "drafts × draft pass + verifying pass + host", Seconds, Lower, false, true, false,
     speculation<&SpeculationResult::cycleS>, none, derivations::speculativeCycle, MethodChapter::Speculation},
    {"speculation.plain_tpot_s", "TPOT without drafts", "Time per output token without drafts",
     "The TPOT of the same scenario with speculative decoding off.", "decode step + share of newcomers' prefills",
     Seconds, Lower, false, true, false, speculation<&SpeculationResult::plainTpotS>, none, derivations::plainTpot,
     MethodChapter::Speculation},
    {"speculation.speedup", "Speed-up by drafts", "Speed-up by speculative decoding",
     "How many times shorter TPOT is than without drafts; below 1 they cost more than they bring.",
     "TPOT without drafts ÷ TPOT", Plain, Higher, false, true, false, speculation<&SpeculationResult::speedup>, none,
     derivations::speculativeSpeedup, MethodChapter::Speculation},
    {"pools.prefill.utilization", "Prefill pool", "How busy the prefill pool is",
     "What the pool that reads prompts serves, or under a load is asked for, over what it could.",
     "requests/s ÷ requests/s that the pool could read", Percent, Neither, false, true, true,
     pool<&PoolsResult::prefill, &PoolResult::utilization>, whole, derivations::poolUtilization, MethodChapter::Pools,
     true},
    {"pools.decode.utilization", "Decode pool", "How busy the decode pool is",
     "What the pool that decodes serves, or under a load is asked for, over what its full batch could.",
     "requests/s ÷ requests/s at full batch", Percent, Neither, false, true, true,
     pool<&PoolsResult::decode, &PoolResult::utilization>, whole, derivations::poolUtilization, MethodChapter::Pools,
     true},
    {"pools.prefill.gpus", "Prefill GPUs", "GPUs that read prompts", "As stated, or as many as keep up.",
     "⌈requests/s × time of a prompt ÷ 90 %⌉ × GPUs of an instance", Integer, Neither, false, true, false,
     pool<&PoolsResult::prefill, &PoolResult::devices>, none, derivations::prefillGpus, MethodChapter::Pools},
    {"pools.ratio", "Prefill per decode GPU", "Prefill GPUs for a decode GPU",
     "The ratio at which neither pool waits for the other.",
     "requests/s at full batch × time of a prompt × GPUs of an instance ÷ decode GPUs", Plain, Neither, false, true,
     false, pools<&PoolsResult::ratio>, none, derivations::poolRatio, MethodChapter::Pools},
    {"pools.transfer_bytes", "Moved cache", "Cache that a prompt moves", "Keys and values of a prompt, all layers.",
     "layers × 2 × max(KV heads, tensor) × head size × bytes × tokens", Bytes, Lower, false, true, false,
     pools<&PoolsResult::transferBytes>, none, derivations::transferBytes, MethodChapter::Pools},
    {"pools.transfer_s", "Cache transfer", "Time of a cache's transfer",
     "From the first prefill GPU to the decode GPUs.", "start + bytes ÷ rate", Seconds, Lower, false, true, false,
     pools<&PoolsResult::transferS>, none, derivations::transferTime, MethodChapter::Pools},
    {"requests_per_s", "Requests/s", "Requests a second", "Requests that all replicas finish in a second.",
     "tokens/s ÷ output tokens", Plain, Higher, false, true, false, field<&Evaluation::requestsPerS>, none,
     derivations::requestsPerS, MethodChapter::Time},
    {"queue.utilization", "Load", "Offered load over capacity",
     "The share of the capacity that the offered requests take; at 100 % the queue grows without bound.",
     "requests/s ÷ requests/s at full batch", Percent, Lower, false, true, false, queue<&QueueResult::utilization>,
     whole, derivations::queueUtilization, MethodChapter::Load},
    {"queue.mean_wait_s", "Mean wait", "Mean time in the queue", "How long a request waits before it is taken up.",
     "Erlang C with the Allen–Cunneen factor", Seconds, Lower, false, true, false,
     [](const Evaluation& e) { return e.queue ? e.queue->meanWaitS : std::nullopt; }, none, derivations::queueWait,
     MethodChapter::Load},
    {"queue.p95_wait_s", "95 % wait", "95th percentile of the wait", "Nineteen of twenty requests wait less.",
     "exponential tail of the wait", Seconds, Lower, false, true, false,
     [](const Evaluation& e) { return e.queue ? e.queue->p95WaitS : std::nullopt; }, none, derivations::queueWait,
     MethodChapter::Load},
    {"tail.ttft_s", "Late TTFT", "Time to first token of late requests",
     "What 95 or 99 of 100 requests stay under: a long prompt after a long wait, as the targets say.",
     "TTFT + what a longer prompt adds + wait", Seconds, Lower, false, true, true, tail<&TailResult::ttftS>, ttftTarget,
     derivations::lateTtft, MethodChapter::Load, true},
    {"tail.wait_s", "Late wait", "Wait of late requests", "What 95 or 99 of 100 requests wait less than.",
     "exponential tail of the wait", Seconds, Lower, false, true, false, tail<&TailResult::waitS>, none,
     derivations::queueWait, MethodChapter::Load},
    {"mix.ttft_s", "TTFT, slowest class", "Time to first token of the slowest class",
     "Of the classes of a mix, the one whose first token takes longest, without waiting.",
     "longest over classes of TTFT + what their prompt adds", Seconds, Lower, false, true, false,
     mix<&MixResult::ttftS>, ttftTarget, derivations::classTtft, MethodChapter::Load},
    {"mix.latency_s", "Latency, slowest class", "Time of a request of the slowest class",
     "Of the classes of a mix, the one whose request takes longest, without waiting.",
     "longest over classes of TTFT + (output − 1) × TPOT", Seconds, Lower, false, true, true, mix<&MixResult::latencyS>,
     none, derivations::classLatency, MethodChapter::Load, true},
    {"cost.per_hour", "Cost per hour", "Cost of the job per hour", "All GPUs at the price given, spare ones too.",
     "GPUs × price", Money, Lower, true, true, false, field<&Evaluation::costPerHour>, none, derivations::costPerHour,
     MethodChapter::EnergyCost},
    {"cost.per_million_tokens", "Cost per million tokens", "Cost per million tokens",
     "Per million tokens processed (training) or put out (inference).", "cost per hour ÷ (tokens/s × 3600) × 10⁶",
     Money, Lower, true, true, false, field<&Evaluation::costPerMillionTokens>, none, derivations::costPerMillionTokens,
     MethodChapter::EnergyCost},
    {"cost.to_train", "Cost to train", "Cost of the whole run",
     "The run's tokens at this speed and price; with its failures and spare GPUs where they are counted.",
     "cost per hour × hours to train", Money, Lower, true, false, false, field<&Evaluation::costToTrain>, none,
     derivations::costToTrain, MethodChapter::EnergyCost},
    {"seconds_to_train", "Time to train", "Time of the whole run",
     "The run's tokens at this speed; calendar time where failures are counted.", "training tokens ÷ tokens/s", Seconds,
     Lower, true, false, false, field<&Evaluation::secondsToTrain>, none, derivations::secondsToTrain,
     MethodChapter::EnergyCost},
    {"goodput.ettr", "ETTR", "Effective training time ratio",
     "The share of the job's time that trains: the rest goes to checkpoints, restarts and work done again. Planned "
     "pauses and stragglers are not in it, and it is not in MFU.",
     "τ ÷ (M × e^(R/M) × (e^((τ+δ)/M) − 1))", Percent, Higher, true, false, true, goodput<&Goodput::ettr>, whole,
     derivations::ettr, MethodChapter::Goodput, true},
    {"goodput.tokens_per_s", "Effective tokens/s", "Throughput over the calendar",
     "Tokens of the whole run over the time that it takes with its failures.",
     "tokens/s × ETTR × (1 − pauses) ÷ stragglers", TokensPerS, Higher, true, false, false,
     goodput<&Goodput::tokensPerS>, none, derivations::effectiveTokens, MethodChapter::Goodput},
    {"goodput.lost_s", "Time lost", "Time lost in the whole run",
     "The part of the time to train in which nothing new is learned: checkpoints, restarts, work done again, "
     "stragglers, pauses.",
     "time to train × (1 − effective share)", Seconds, Lower, true, false, false, lostSeconds, none,
     derivations::lostTime, MethodChapter::Goodput},
    {"goodput.mtbf_s", "Time between failures", "Mean time between interruptions",
     "How long the whole job runs on average before something stops it.", "GPU-hours per failure ÷ GPUs", Seconds,
     Higher, true, false, false, goodput<&Goodput::mtbfS>, none, derivations::timeBetweenFailures,
     MethodChapter::Goodput},
    {"goodput.best_interval_s", "Best checkpoint interval", "Checkpoint interval that loses least",
     "Training between two checkpoints at which checkpoints and work done again cost least together; at least a step.",
     "√(2δM) × (1 + x/3 + x²/9) − δ, x = √(δ ÷ 2M)", Seconds, Neither, true, false, false,
     goodput<&Goodput::bestIntervalS>, none, derivations::bestInterval, MethodChapter::Goodput},
    {"goodput.checkpoint_bytes", "Checkpoint size", "Size of a checkpoint",
     "The trained weights and their optimizer states, once for the whole job.",
     "trained parameters × bytes of weight and states", Bytes, Neither, true, false, false,
     goodput<&Goodput::checkpointBytes>, none, derivations::checkpointSize, MethodChapter::Goodput},
    {"goodput.checkpoint_s", "Checkpoint time", "Time that a checkpoint stops the training",
     "As stated, or the checkpoint over the stated rate, or over the links to the hosts' memory.",
     "checkpoint size ÷ rate", Seconds, Lower, true, false, false, goodput<&Goodput::checkpointS>, none,
     derivations::checkpointTime, MethodChapter::Goodput},
    {"phases.seconds", "Time of the phases", "Time of all phases of the training",
     "From the first phase to the last, one after the other; calendar time where failures are counted.",
     "Σ tokens of the phase ÷ its tokens/s", Seconds, Lower, true, false, true, phases<&PhasesTotal::seconds>, none,
     derivations::phasesTime, MethodChapter::Phases, true},
    {"phases.cost", "Cost of the phases", "Cost of all phases of the training",
     "Each phase's GPUs at their price, for as long as it takes.", "Σ cost per hour of the phase × its hours", Money,
     Lower, true, false, true, phases<&PhasesTotal::cost>, none, derivations::phasesCost, MethodChapter::Phases, true},
    {"phases.gpu_hours", "GPU-hours of the phases", "GPU-hours of all phases of the training",
     "The GPUs that train in each phase for as long as it takes, without spares.", "Σ GPUs of the phase × its hours",
     Plain, Lower, true, false, false, phases<&PhasesTotal::gpuHours>, none, derivations::phasesGpuHours,
     MethodChapter::Phases},
    {"phases.tokens", "Tokens of the phases", "Tokens of all phases of the training",
     "What the run processes from the first phase to the last.", "Σ tokens of the phase", Parameters, Neither, true,
     false, false, phases<&PhasesTotal::tokens>, none, derivations::phasesTokens, MethodChapter::Phases},
    {"energy.watts", "Power", "Power of the job",
     "All GPUs by what they do, at most their rated power, with the host's share.",
     "GPUs × TDP × (c₀ + c₁ × MBU + c₂ × FLOP share) × host", Watts, Lower, true, true, false,
     field<&Evaluation::watts>, none, derivations::watts, MethodChapter::EnergyCost},
    {"energy.joules_per_token", "Joules per token", "Energy per token",
     "Per token processed (training) or put out (inference).", "watts ÷ tokens/s", Plain, Lower, true, true, false,
     field<&Evaluation::joulesPerToken>, none, derivations::joulesPerToken, MethodChapter::EnergyCost},
    {"energy.best_limit_w", "Best power limit", "Power limit with the least energy per token",
     "The limit of a board at which a token takes the least energy. Below it a further cut takes more of the "
     "throughput, in percent, than of the power.",
     "least watts ÷ tokens/s over the limits of a board", Watts, Neither, true, true, false, asked, none,
     derivations::bestLimit, MethodChapter::EnergyCost, false, bestLimit},
    {"energy.free_limit_w", "Limit that is not felt", "Lowest power limit that is not felt",
     "The lowest limit of a board that takes at most a hundredth of the throughput.",
     "lowest limit with 99 % of the tokens/s", Watts, Neither, true, true, false, asked, none, derivations::freeLimit,
     MethodChapter::EnergyCost, false, freeLimit},
    {"energy.site_watts", "Site power", "Power of the whole site",
     "The job's power with the site's share: cooling, conversion.", "power × PUE", Watts, Lower, true, true, false,
     site<&SiteEnergy::watts>, none, derivations::siteWatts, MethodChapter::EnergyCost},
    {"energy.kwh_per_million_tokens", "kWh per million tokens", "Energy per million tokens",
     "Of the whole site, per million tokens processed (training) or put out (inference).",
     "site power ÷ tokens/s × 10⁶ ÷ 3.6 × 10⁶", Plain, Lower, true, true, true, site<&SiteEnergy::kwhPerMillionTokens>,
     none, derivations::kwhPerMillionTokens, MethodChapter::EnergyCost, true},
    {"energy.run_kwh", "kWh of the run", "Energy of the whole run", "Of the whole site, over the time to train.",
     "site power × time to train ÷ 3.6 × 10⁶", Plain, Lower, true, false, false, site<&SiteEnergy::runKwh>, none,
     derivations::runKwh, MethodChapter::EnergyCost},
    {"energy.electricity_per_hour", "Electricity per hour", "Cost of electricity per hour",
     "What the site's power costs at the price of a kilowatt-hour.", "site power ÷ 1000 × price", Money, Lower, true,
     true, false, site<&SiteEnergy::electricityPerHour>, none, derivations::electricityPerHour,
     MethodChapter::EnergyCost},
    {"energy.electricity_per_million_tokens", "Electricity per million tokens",
     "Cost of electricity per million tokens", "The kilowatt-hours of a million tokens at their price.",
     "kWh per million tokens × price", Money, Lower, true, true, false, site<&SiteEnergy::electricityPerMillionTokens>,
     none, derivations::electricityPerMillionTokens, MethodChapter::EnergyCost},
    {"energy.carbon_g_per_million_tokens", "CO₂e per million tokens", "Carbon per million tokens",
     "Grams of CO₂ equivalent that making the electricity emits.", "kWh per million tokens × carbon intensity", Plain,
     Lower, true, true, true, site<&SiteEnergy::carbonGPerMillionTokens>, none, derivations::carbonPerMillionTokens,
     MethodChapter::EnergyCost, true},
    {"energy.run_carbon_kg", "CO₂e of the run", "Carbon of the whole run",
     "Kilograms of CO₂ equivalent that making the run's electricity emits.", "kWh of the run × carbon intensity ÷ 1000",
     Plain, Lower, true, false, false, site<&SiteEnergy::runCarbonKg>, none, derivations::runCarbon,
     MethodChapter::EnergyCost},
    {"flops.model", "Model FLOP", "FLOP that the method needs, per step",
     "Exact sum over the operators of the whole job, no recomputation.", "forward + backward, causal", Flop, Neither,
     true, true, false, flops<&FlopCounts::model>, none, derivations::flopsModel, MethodChapter::Counting},
    {"flops.hardware", "Executed FLOP", "FLOP that are executed, per step", "Model FLOP and what is computed again.",
     "model + recomputed", Flop, Neither, true, true, false, flops<&FlopCounts::hardware>, none,
     derivations::flopsHardware, MethodChapter::Counting},
    {"parameters.total", "Parameters", "Parameters", "Every stored weight.", "sum over all tensors", Parameters,
     Neither, true, true, false, field<&Evaluation::totalParameters>, none, derivations::parametersTotal,
     MethodChapter::Counting},
    {"parameters.active", "Active parameters", "Parameters one token meets",
     "All but the experts that a token is not sent to.", "total with top-k instead of all experts", Parameters, Neither,
     true, true, false, field<&Evaluation::activeParameters>, none, derivations::parametersActive,
     MethodChapter::Counting},
    {"parameters.trainable", "Trained parameters", "Parameters that are trained",
     "All of them, or the adapters with LoRA.", "total, or Σ rank × (in + out)", Parameters, Neither, true, false,
     false, field<&Evaluation::trainableParameters>, none, derivations::parametersTrainable, MethodChapter::Counting},
    {"observed.mfu", "MFU, observed", "MFU from the measurement", "MFU's definition with the measured time.",
     "model FLOP ÷ (measured time × GPUs × peak)", Percent, Higher, true, true, false, observed<&Observed::mfu>, whole,
     derivations::observedMfu, MethodChapter::Counting},
    {"observed.hfu", "HFU, observed", "HFU from the measurement", "HFU's definition with the measured time.",
     "(model + recomputed FLOP) ÷ (measured time × GPUs × peak)", Percent, Higher, true, true, false,
     observed<&Observed::hfu>, whole, derivations::observedHfu, MethodChapter::Counting},
    {"observed.mbu", "MBU, observed", "MBU from the measurement", "MBU's definition with the measured time.",
     "bytes that must move ÷ (measured time × bandwidth)", Percent, Higher, true, true, false, observed<&Observed::mbu>,
     whole, derivations::observedMbu, MethodChapter::Counting},
    {"observed.step_time_s", "Step time, measured", "Measured step time",
     "The step time that the measurement states or implies.", "as measured", Seconds, Lower, true, true, false,
     observed<&Observed::stepTimeS>, none, derivations::observedStepTime, MethodChapter::Counting},
    {"observed.achieved_bandwidth_gb_per_s", "Achieved GB/s", "Achieved bandwidth per GPU",
     "Bytes moved over the measured time, in GB/s, counted as the source counts.", "bytes ÷ measured time", Plain,
     Higher, false, true, false, observed<&Observed::achievedBandwidthGbPerS>, bandwidth,
     derivations::observedBandwidth, MethodChapter::Counting},
};

/// The rows above and those that have a file of their own.
template <std::size_t n, std::size_t m, std::size_t... i, std::size_t... j>
constexpr std::array<MetricRow, n + m> joined(const MetricRow (&first)[n], const MetricRow (&second)[m],
                                              std::index_sequence<i...>, std::index_sequence<j...>)
{
    return {first[i]..., second[j]...};
}
constexpr auto allRows =
    joined(table, rlRows, std::make_index_sequence<std::size(table)>(), std::make_index_sequence<std::size(rlRows)>());

} // namespace

std::span<const MetricRow> metricRegistry()
{
    return allRows;
}

} // namespace headroom
