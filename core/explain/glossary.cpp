// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/glossary.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cctype>

namespace headroom
{

namespace
{

constexpr GlossaryTerm table[] = {
    // id, term, long name, definition, formula, common mistake, metric, parameter
    {"acceptance-length", "Acceptance length", "tokens per cycle",
     "Tokens that a cycle of speculative decoding yields: the drafts accepted in a row and the token that the model "
     "adds.",
     "1 + a₁ + a₁·a₂ + …; with one chance α: (1 − α^(γ+1)) ÷ (1 − α)",
     "Leaving out the model's own token, as some engines' logs do; or dividing TPOT by it without the longer cycle.",
     "speculation.tokens_per_cycle", "acceptance_length"},
    {"activations", "Activations", "",
     "What the forward pass computes and the backward pass needs again. They grow with the tokens in a micro-batch.",
     "tokens × what each operator keeps",
     "Leaving out the logits: in a small model with a large vocabulary they are the largest tensor.",
     "memory.activations", ""},
    {"all-reduce", "All-reduce", "",
     "A collective after which every GPU holds the sum of all GPUs' values. Tensor parallelism needs two a layer in "
     "each direction.",
     "latency + 2 × bytes × (n − 1) ÷ n ÷ link", "", "", ""},
    {"all-to-all", "All-to-all", "",
     "A collective in which every GPU sends each other GPU its own share: how tokens reach their experts.",
     "latency + bytes × (n − 1) ÷ n ÷ link", "", "", ""},
    {"arithmetic-intensity", "Arithmetic intensity", "",
     "FLOP done per byte moved between the compute units and memory. Left of the ridge memory is the limit, right of "
     "it arithmetic.",
     "FLOP ÷ bytes", "Taking the intensity of the largest matmul for that of the whole step.", "", ""},
    {"autoscaling", "Autoscaling", "scale to load",
     "An autoscaler starts replicas as the load rises and stops them as it falls, so that each is as busy as a target "
     "says.",
     "replicas = ⌈requests/s ÷ (target × requests/s of a replica)⌉",
     "Leaving out the start of a replica: for minutes those that run serve the new load alone.", "day.gpu_hours",
     "autoscale_target"},
    {"batch", "Batch", "", "Sequences handled together. A larger one reuses each weight that is read for more tokens.",
     "", "Expecting latency to stay the same: past the ridge every doubling of the batch doubles the time.", "",
     "batch"},
    {"checkpointing", "Checkpointing", "activation checkpointing, recomputation",
     "Activations are thrown away and computed again in the backward pass: less memory, up to a third more FLOP "
     "executed.",
     "full: one more forward pass of the layers", "Counting the recomputed FLOP in MFU. They belong in HFU only.", "",
     "checkpointing"},
    {"chunked-prefill", "Chunked prefill", "",
     "Long prompts are read a piece at a time, beside the answers of each pass, so that no answer waits for a whole "
     "prompt.",
     "steps of a prompt = ⌈prompt ÷ (C − B)⌉",
     "Expecting the first token sooner: a prompt in pieces takes as many steps.", "ttft_s", "max_tokens_per_pass"},
    {"coefficient-of-variation", "Coefficient of variation", "cv",
     "How far lengths, or the times between requests, spread about their mean.", "standard deviation ÷ mean",
     "Taking it from mean and 95th percentile where a limit cuts long prompts off: it comes out twice as large.", "",
     "prompt_tokens_cv"},
    {"context-parallel", "Context parallel", "",
     "Each sequence is divided over several GPUs; keys and values travel around a ring.", "", "", "", "context"},
    {"continuous-batching", "Continuous batching", "",
     "Requests join and leave the running batch between two tokens instead of waiting for all to end.", "", "", "",
     "scheduling"},
    {"controller", "Controller", "single controller, driver",
     "The process of a framework for reinforcement learning that hands every part of a step its batch. All answers "
     "pass through it, padded to the longest there may be.",
     "answers × (prompt + longest answer) × bytes ÷ rate",
     "Expecting it to get faster with more GPUs: it is one process.", "", ""},
    {"convention", "Counting convention", "",
     "How a publication counts model FLOP: embeddings in or out, attention over the full square or its causal half.",
     "", "Comparing MFU figures that were counted differently: they can lie a fifth apart for one and the same run.",
     "", "accounting"},
    {"data-parallel", "Data parallel", "",
     "Copies of the model work on different sequences and add up their gradients.", "count ÷ (TP × PP × CP)", "", "",
     ""},
    {"decode", "Decode", "", "Generating output tokens one after the other. Each step reads all weights and the cache.",
     "", "Judging decode by MFU: at small batches decode uses bandwidth, so look at MBU.", "", ""},
    {"disaggregated", "Disaggregated serving", "prefill and decode pools",
     "Some GPUs read the prompts and others write the answers, so that neither holds the other up. The cache of each "
     "prompt moves between them.",
     "TTFT = wait + prefill + transfer that shows",
     "Counting the decoding GPUs alone: those that read prompts cost as much.", "pools.prefill.utilization",
     "prefill_count"},
    {"ettr", "ETTR", "effective training time ratio",
     "The share of a long run's time that trains: the rest goes to checkpoints, restarts and work done again.",
     "τ ÷ (M × e^(R/M) × (e^((τ+δ)/M) − 1))",
     "Mixing it into MFU: MFU describes the steps that run, ETTR the share of the time in which they run.",
     "goodput.ettr", "gpu_mtbf_hours"},
    {"expert-parallel", "Expert parallel", "",
     "The experts of a mixture model are divided over GPUs; tokens travel to them.", "", "", "", "expert"},
    {"exposed-communication", "Exposed communication", "no overlap",
     "Time in which a GPU exchanges data and does nothing else. What runs behind compute is hidden and costs no step "
     "time.",
     "union of the communication kernels less its overlap with all others",
     "Adding up the durations of the communication kernels: most of them may be hidden.", "", ""},
    {"flash-attention", "FlashAttention", "",
     "Attention in tiles that never writes the scores to memory. Its backward pass computes them again.",
     "traffic grows with s, not s²", "Counting its recomputed scores as model FLOP.", "", "flash_attention"},
    {"flop", "FLOP", "floating-point operation",
     "One multiplication or one addition. FLOP are an amount; FLOP/s are a rate.", "matmul [m,k]·[k,n]: 2·m·n·k",
     "Writing FLOPs for both the amount and the rate.", "", ""},
    {"fsdp", "FSDP", "fully sharded data parallel, ZeRO-3",
     "Data parallelism in which weights, gradients and optimizer states are divided, and each layer's weights are "
     "gathered when their turn comes.",
     "16 bytes ÷ ranks per parameter, and two layers gathered", "", "", "sharding"},
    {"goodput", "Goodput", "",
     "Throughput of a long run over the calendar, less what failures, checkpoints, stragglers and pauses take.",
     "tokens/s × ETTR × (1 − pauses) ÷ stragglers", "Planning a deadline with the throughput of steps alone.",
     "goodput.tokens_per_s", ""},
    {"gqa", "GQA", "grouped-query attention",
     "Several query heads share one key/value head, so the cache shrinks by that factor.", "", "", "", ""},
    {"gradient-accumulation", "Gradient accumulation", "", "Several micro-batches before one optimizer step.",
     "global batch ÷ (micro-batch × ranks)", "", "", "global_batch"},
    {"hfu", "HFU", "hardware FLOP utilisation",
     "Like MFU, but what is computed again counts too: how busy the arithmetic was, useful or not.",
     "(model + recomputed FLOP) ÷ (time × GPUs × peak)",
     "Quoting HFU as MFU after full checkpointing: it reads a third "
     "higher.",
     "hfu", ""},
    {"ideal", "Ideal", "speed of light",
     "Every kernel at its rated peak, no start times, communication hidden where it can be. Nothing real is faster.",
     "", "", "", "efficiency"},
    {"imbalance", "Imbalance", "", "Load of the busiest expert group over the mean. The others wait for it.",
     "largest load ÷ mean load", "", "", "expert_imbalance"},
    {"kv-cache", "KV cache", "key/value cache",
     "Keys and values of all tokens so far, kept so that decoding need not compute them again.",
     "2 × layers × KV heads × head size × tokens × bytes",
     "Taking query heads for KV heads: with grouped queries that is "
     "four to eight times too much.",
     "memory.kv_cache", "kv_cache"},
    {"kv-tiers", "Cache tiers", "KV offloading, hierarchical cache",
     "The cache of past prompts is kept in host memory and on drives when the GPU needs its room. A prompt that comes "
     "back, such as the next turn of a chat, loads it instead of computing it again.",
     "loading pays where the link is faster than cache bytes ÷ prefill time",
     "Taking the size of a tier for its hit rate: how often a prefix comes back is up to the traffic.",
     "kv_tiers.saved_s", "tier_host_gb"},
    {"launch-bound", "Launch-bound", "host-bound",
     "The GPU is idle because the host has not launched its next kernel. Many small kernels cause it; CUDA graphs and "
     "compilers need fewer launches.",
     "", "Taking a busy host for the cause of every gap: the GPU may also wait for data or for another rank.", "", ""},
    {"lora", "LoRA", "low-rank adaptation",
     "Small adapters learn while the weights stay frozen. The frozen weights need no gradients: 4 FLOP a token and "
     "weight, not 6.",
     "r × (in + out) trained parameters a matrix", "Counting 6·N FLOP: the MFU is then 1.5 times too high.", "",
     "lora_rank"},
    {"mbu", "MBU", "memory bandwidth utilisation",
     "Bytes that must move (weights touched once, the cache) over what the memory could move in that time.",
     "bytes ÷ (time × bandwidth)", "Comparing figures that count the cache with figures that do not.", "mbu", ""},
    {"mfu", "MFU", "model FLOP utilisation",
     "The FLOP that the method needs, as a share of the rated peak. 40 to 45 % is usual on H100, 50 to 60 % is good on "
     "A100.",
     "model FLOP ÷ (time × GPUs × peak)",
     "Taking it for a rate (FLOP/s), or dividing by the sparse peak, which halves it.", "mfu", ""},
    {"micro-batch", "Micro-batch", "",
     "Sequences that one data-parallel rank runs in one forward pass; activations grow with it.", "", "", "",
     "micro_batch"},
    {"mla", "MLA", "multi-head latent attention",
     "Keys and values are stored as one compressed vector per token that all heads share.", "",
     "Dividing its cache by the tensor-parallel size: it is replicated.", "", ""},
    {"moe", "MoE", "mixture of experts",
     "A feed-forward layer of many experts of which each token visits a few. FLOP follow the active parameters, memory "
     "all of them.",
     "experts touched: E·(1 − (1 − k/E)^T)", "Leaving the router out, or counting all experts in the FLOP.",
     "parameters.active", ""},
    {"mtbf", "MTBF", "mean time between failures",
     "How long something runs on average before it stops. A job of many GPUs stops with the first of them.",
     "hours of one GPU ÷ GPUs", "Taking the rate of large clusters for a small job: software and people fail too.",
     "goodput.mtbf_s", "gpu_mtbf_hours"},
    {"peak", "Peak", "", "The dense datasheet rate of the matmul precision.", "units × FLOP per clock × clock",
     "Using the sparse figure, which is twice the dense one.", "", ""},
    {"phase", "Phase of a training", "stage, recipe",
     "A stretch of a long training with a sequence length, a batch and GPUs of its own.", "tokens ÷ tokens/s",
     "Taking the throughput of one phase for the whole run: long sequences are slower.", "phases.seconds", ""},
    {"pipeline-bubble", "Pipeline bubble", "",
     "Time in which pipeline stages wait for the first and the last micro-batch.",
     "(p − 1) ÷ (v × m) of the time without it; (p − 1) ÷ (v × m + p − 1) of the step", "", "", "pipeline"},
    {"power-knee", "Knee of a power limit", "best power limit",
     "The power limit at which a token takes the least energy, of those that a board takes. Where it is not the "
     "lowest, "
     "a further cut takes more of the throughput, in percent, than of the power.",
     "least watts ÷ tokens/s",
     "Taking the saving in decode for certain: what it draws and what a limit costs come from two sources.",
     "energy.best_limit_w", "power_limit_w"},
    {"price-list", "Price list", "on demand, reserved, spot",
     "What a company pays for accelerators, in one file with its date and source.", "",
     "Comparing prices of different kinds: spot GPUs are taken back, reserved ones are paid for when they idle.",
     "cost.per_hour", "price_kind"},
    {"pue", "PUE", "power usage effectiveness",
     "What a site draws for each watt of its machines: cooling and conversion are the rest.",
     "power of the site ÷ power of the machines",
     "Comparing joules per token with and without it, or counting the hosts twice: they are machines.",
     "energy.site_watts", "pue"},
    {"prefill", "Prefill", "", "Reading the prompt in one forward pass: limited by arithmetic, like training.", "", "",
     "prefill.mfu", ""},
    {"profile", "Profile of a step", "trace",
     "A record of every kernel that ran in a step, with its beginning and its end, as the PyTorch profiler or Nsight "
     "Systems write it.",
     "", "Taking its time for the step time: a profiler slows the host.", "", ""},
    {"recurrent-state", "Recurrent state", "SSM state",
     "What a layer of Mamba or linear attention remembers of a sequence in place of keys and values. It does not grow "
     "with the tokens.",
     "layers × values of the state × bytes",
     "Taking it to be as wide everywhere: some engines keep it in 16 bit, others in 32.", "memory.kv_cache", ""},
    {"rl-step", "Reinforcement learning step", "RL, GRPO, PPO, RLHF",
     "A round of post-training: the model writes several answers to each prompt, a rule or another model judges them, "
     "and an update makes the better ones likelier.",
     "generate + old and reference probabilities + reward + update + hand weights over",
     "Counting the update alone: generating long answers takes longer than the update.", "rl.step_s", "rl_prompts"},
    {"ridge", "Ridge", "ridge point",
     "The intensity at which a device turns from memory-bound to compute-bound: about 295 FLOP per byte on H100 in 16 "
     "bits.",
     "peak ÷ bandwidth",
     "Expecting it to stay where the arithmetic is quantised too: the rate doubles, the bandwidth does not, so the "
     "ridge doubles. The intensity doubles with it, so the batch at which they meet hardly moves.",
     "", ""},
    {"rollout", "Rollout", "generation, actor",
     "The part of a reinforcement learning step in which a serving engine writes the answers. It ends with the longest "
     "of them.",
     "prompts + tokens at full copies + tail",
     "Taking the engine's full throughput for it: in the tail few answers are "
     "left.",
     "rl.generate_s", "rl_output_tokens"},
    {"roofline", "Roofline", "",
     "The rate a device can reach at each intensity: a slope of the bandwidth up to the flat peak.",
     "min(peak, intensity × bandwidth)", "", "", ""},
    {"speculative-decoding", "Speculative decoding", "drafts, MTP, EAGLE, Medusa",
     "Something quick proposes a few tokens, and the model verifies them in one pass; those before the first wrong one "
     "are kept. Decode reads all weights for a single token anyway, so a few more are nearly free at small batches.",
     "TPOT = (draft + verify + host) ÷ tokens kept",
     "Expecting the same gain at a large batch, where every verified token costs arithmetic and experts of its own.",
     "speculation.speedup", "speculative_method"},
    {"spot", "Spot", "preemptible, interruptible",
     "Accelerators that are cheap because their owner takes them back at any time.", "1 ÷ M = GPUs ÷ H + GPUs ÷ Hₛ",
     "Leaving out the work that each interruption loses.", "goodput.mtbf_s", "spot_mtbf_hours"},
    {"staleness", "Staleness", "off policy, asynchronous",
     "Number of updates between the weights that generated an answer and those that learn from it. It lets generation "
     "and update run side by side.",
     "", "Taking faster steps for faster learning: stale answers teach less.", "", "rl_staleness"},
    {"tensor-parallel", "Tensor parallel", "",
     "Every matrix of a layer is split over GPUs that exchange activations twice a layer. Best inside one node.", "",
     "Splitting across nodes, where the network is ten times slower than the scale-up link.", "", "tensor"},
    {"tpot", "TPOT", "time per output token",
     "Mean time between two output tokens of one request after the first. People read about 250 words a minute: 180 ms "
     "a token.",
     "(end − first token) ÷ (output − 1)",
     "Mixing it with the time per token over all requests, or with the first token in.", "tpot_s", ""},
    {"ttft", "TTFT", "time to first token", "From the request to its first output token: waiting, then prefill.", "",
     "Quoting it without the load: waiting can be "
     "most of it.",
     "ttft_s", ""},
    {"weight-offloading", "Weight offloading", "CPU offloading",
     "Some of the weights lie in host memory and are read over the host link in every pass, so that a model fits that "
     "would not.",
     "step ≥ bytes read ÷ host link", "Expecting the speed of GPU memory: PCIe is 20 to 130 times slower.",
     "host_weights.read_s", "host_weights_gb"},
    {"zero", "ZeRO", "zero redundancy optimizer",
     "Data-parallel ranks divide the optimizer states (stage 1), the gradients too (2), the weights too (3).", "", "",
     "", ""},
};

GlossaryEntry entryOf(const GlossaryTerm& term)
{
    GlossaryEntry entry;
    entry.id = term.id;
    entry.title = say(term.term);
    if (!term.longName.empty())
        entry.title += " (" + said(term.longName) + ")";
    entry.definition = say(term.definition);
    entry.formula = say(term.formula);
    entry.mistake = say(term.mistake);
    entry.metricId = term.metricId;
    entry.parameterId = term.parameterId;
    return entry;
}

GlossaryEntry entryOf(const MetricRow& row)
{
    GlossaryEntry entry;
    entry.id = (parameterRow(row.id) ? "metric." : "") + std::string(row.id); // a load is asked for, and reached
    entry.title = say(row.label);
    entry.definition = say(row.definition);
    entry.formula = say(row.formula);
    entry.metricId = row.id;
    return entry;
}

GlossaryEntry entryOf(const ParameterRow& row)
{
    GlossaryEntry entry;
    entry.id = row.id;
    entry.title = say(row.label);
    entry.definition = say(row.description);
    entry.parameterId = row.id;
    return entry;
}

GlossaryEntry entryOf(const ChartRow& row)
{
    GlossaryEntry entry;
    entry.id = "chart." + std::string(row.id);
    entry.title = said(row.title) + " (" + said("chart") + ")";
    entry.definition = say(row.description);
    entry.chartId = row.id;
    return entry;
}

bool before(std::string_view a, std::string_view b)
{
    return std::ranges::lexicographical_compare(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) < std::tolower(static_cast<unsigned char>(y));
    });
}

} // namespace

std::span<const GlossaryTerm> glossary()
{
    return table;
}

const GlossaryTerm* glossaryTerm(std::string_view id)
{
    const auto term = std::ranges::find(table, id, &GlossaryTerm::id);
    return term == std::end(table) ? nullptr : term;
}

std::vector<GlossaryEntry> glossaryEntries()
{
    std::vector<GlossaryEntry> entries;
    for (const GlossaryTerm& term : table)
        entries.push_back(entryOf(term));
    for (const MetricRow& row : metricRegistry())
        if (std::ranges::find(table, row.id, &GlossaryTerm::metricId) == std::end(table))
            entries.push_back(entryOf(row));
    for (const ParameterRow& row : parameterRegistry())
        if (std::ranges::find(table, row.id, &GlossaryTerm::parameterId) == std::end(table))
            entries.push_back(entryOf(row));
    for (const ChartRow& row : chartRegistry())
        entries.push_back(entryOf(row));
    std::ranges::stable_sort(entries, before, &GlossaryEntry::title);
    return entries;
}

std::optional<GlossaryEntry> glossaryEntryOfMetric(std::string_view metricId)
{
    const auto term = std::ranges::find(table, metricId, &GlossaryTerm::metricId);
    if (term != std::end(table))
        return entryOf(*term);
    const MetricRow* row = metricRow(metricId);
    return row ? std::optional(entryOf(*row)) : std::nullopt;
}

std::optional<GlossaryEntry> glossaryEntryOfParameter(std::string_view parameterId)
{
    const auto term = std::ranges::find(table, parameterId, &GlossaryTerm::parameterId);
    if (term != std::end(table))
        return entryOf(*term);
    const ParameterRow* row = parameterRow(parameterId);
    return row ? std::optional(entryOf(*row)) : std::nullopt;
}

std::optional<GlossaryEntry> glossaryEntryOfChart(std::string_view chartId)
{
    const ChartRow* row = chartRow(chartId);
    return row ? std::optional(entryOf(*row)) : std::nullopt;
}

std::optional<GlossaryEntry> glossaryEntry(std::string_view id)
{
    std::vector<GlossaryEntry> all = glossaryEntries();
    const auto found = std::ranges::find(all, id, &GlossaryEntry::id);
    return found == all.end() ? std::nullopt : std::optional(std::move(*found));
}

} // namespace headroom
