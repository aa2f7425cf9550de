// SPDX-License-Identifier: GPL-3.0-or-later
// What keys mean that no parameter describes, for the file format's page, in English.
#include "core/scenario/scenario_keys.hpp"

#include <algorithm>
#include <array>

namespace headroom
{
namespace
{

struct Meaning {
    std::string_view path, words;
};

constexpr auto meanings = std::to_array<Meaning>({
    {"/name", "What lists, legends and reports call the scenario."},
    {"/notes", "Free text about it."},
    {"/source", "Where its measurement was published."},
    {"/year", "When it was published."},
    {"/workload/software_version",
     "Release of the software. It chooses among profiles of one software and says what a logit takes in Transformers, "
     "and two runs are the farther apart the more their releases differ."},
    {"/workload/mix",
     "Classes of requests in place of one kind: each with its share and the mean lengths of its prompts and answers."},
    {"/workload/load_profile", "How the load changes over a day: a shape, or a load for each time."},
    {"/workload/speculative/draft_model", "The smaller model that proposes tokens."},
    {"/workload/prefill_pool/accelerator", "The device of the prefill pool. Automatic: that of the decode pool."},
    {"/workload/phases/…/name", "What charts and tables call the phase."},
    {"/workload/phases/…/tokens", "Tokens that the phase trains."},
    {"/plan/objective", "What the best plan has least of, or most of: cost of a token, step time, energy, GPUs, MFU."},
    {"/efficiency/base",
     "What the multipliers multiply: the calibrated prediction, or the speed of light (`ideal`), at which every share "
     "is 1."},
    {"/measured/bandwidth_count", "Which bytes the measured MBU counts a token."},
    {"/measured/max_batch", "The most sequences that the engine said it holds at a time."},
    {"/measured/kv_cache_tokens", "The tokens that the engine said its cache holds."},
    {"/measured/peak_memory_kind",
     "Which peak was measured: bytes in tensors, bytes that the allocator took, or all that the device shows in use."},
    {"/measured/out_of_memory", "Whether the run ended for want of memory."},
    {"/measured/profile/step_s", "Mean time of a profiled step, s. The parts below, idle time included, make it up."},
    {"/measured/profile/matmul_s", "In matmuls, s."},
    {"/measured/profile/attention_s", "In the attention core, s."},
    {"/measured/profile/router_s", "In routing of experts, s."},
    {"/measured/profile/norm_s", "In norms, s."},
    {"/measured/profile/quantise_s", "In kernels that quantise, s."},
    {"/measured/profile/elementwise_s", "In other kernels element by element, s."},
    {"/measured/profile/optimizer_s", "In the optimizer, s."},
    {"/measured/profile/copy_s", "In copies, s."},
    {"/measured/profile/other_s", "In kernels that no rule recognised, s."},
    {"/measured/profile/all_reduce_s", "In all-reduce, while nothing else ran, s."},
    {"/measured/profile/all_gather_s", "In all-gather, while nothing else ran, s."},
    {"/measured/profile/reduce_scatter_s", "In reduce-scatter, while nothing else ran, s."},
    {"/measured/profile/all_to_all_s", "In all-to-all, while nothing else ran, s."},
    {"/measured/profile/send_recv_s", "In sends and receives, while nothing else ran, s."},
    {"/measured/profile/other_communication_s", "In other communication, while nothing else ran, s."},
    {"/measured/profile/waiting_for_rank_s",
     "In a collective, for another rank to arrive, s; 0 where one rank alone was profiled."},
    {"/measured/profile/launch_bound_s", "Idle: the host had not launched the next kernel, s."},
    {"/measured/profile/waiting_for_data_s", "Idle: the host waited for its data loader, s."},
    {"/measured/profile/queued_s", "Idle, though the next kernel was launched, s."},
    {"/measured/profile/unexplained_s", "Idle, and the profile does not say what for, s."},
    {"/measured/profile/communication_s", "In which any communication ran, hidden or not, s; no part of the step."},
    {"/measured/profile/matmul_flop", "FLOP of the matmuls whose shapes are known."},
    {"/measured/profile/shaped_matmul_s", "How long those matmuls took, s."},
    {"/measured/profile/allowed_matmul_s",
     "The least that their shapes allow on the accelerator, s; 0 where that is not known."},
    {"/measured/profile/shapes", "Its matmuls by shape, those of most time: size, calls of a step and their time."},
    {"/measured/profile/steps", "Steps of which the times are the mean."},
    {"/measured/profile/ranks", "Ranks that were profiled."},
});

} // namespace

std::string_view keyWords(std::string_view path)
{
    if (const auto found = std::ranges::find(meanings, path, &Meaning::path); found != meanings.end())
        return found->words;
    return path.starts_with("/workload/phases/") ? "Of this phase, where it differs from the scenario's." : "";
}

} // namespace headroom
