// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/chart_registry.hpp"

#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom
{

// The builders, each in its file of this folder.
namespace charts
{
ChartSpec cacheTiers(const ChartContext& context);
ChartSpec classes(const ChartContext& context);
ChartSpec conventions(const ChartContext& context);
ChartSpec cost(const ChartContext& context);
ChartSpec day(const ChartContext& context);
ChartSpec heatMap(const ChartContext& context);
ChartSpec latency(const ChartContext& context);
ChartSpec lossLadder(const ChartContext& context);
ChartSpec memory(const ChartContext& context);
ChartSpec moreGpus(const ChartContext& context);
ChartSpec phases(const ChartContext& context);
ChartSpec rlParts(const ChartContext& context);
ChartSpec powerLimit(const ChartContext& context);
ChartSpec profileParts(const ChartContext& context);
ChartSpec roofline(const ChartContext& context);
ChartSpec sensitivity(const ChartContext& context);
ChartSpec stepTime(const ChartContext& context);
ChartSpec throughput(const ChartContext& context);
ChartSpec timeBreakdown(const ChartContext& context);
ChartSpec utilization(const ChartContext& context);
} // namespace charts

namespace
{

/// A chart of predicted times says so when the efficiencies are not the built-in ones.
void markOwnCalibration(ChartSpec& spec, const ChartContext& context)
{
    if (context.scenario.efficiency.isPlain())
        return;
    spec.note = said("Own calibration in force.") + (spec.note.empty() ? "" : " " + spec.note);
}

template <ChartSpec (*Build)(const ChartContext&)>
ChartSpec timed(const ChartContext& context)
{
    ChartSpec spec = Build(context);
    markOwnCalibration(spec, context);
    return spec;
}

constexpr ChartRow chartRows[] = {
    // id, title, description, training, inference, swept, builder; in the dashboard's order
    {"utilization", "Utilisation", "MFU, HFU and MBU along the swept parameter, beside the speed of light.", true, true,
     true, timed<charts::utilization>},
    {"roofline", "Roofline", "Every operator by FLOP per byte and rate, under the device's roofs.", true, true, false,
     timed<charts::roofline>},
    {"loss_ladder", "Where the peak goes", "The losses from 100 % of peak down to the predicted and the measured MFU.",
     true, true, false, timed<charts::lossLadder>},
    {"memory", "Memory per GPU", "What fills the memory along the swept parameter, against the capacity.", true, true,
     true, charts::memory},
    {"step_time", "Step time", "Time of an optimizer step along the swept parameter.", true, false, true,
     timed<charts::stepTime>},
    {"latency", "Latency", "TPOT and TTFT along the swept parameter, against the targets.", false, true, true,
     timed<charts::latency>},
    {"sensitivity", "What would help",
     "The next step of each everyday parameter and what it gains; where memory is lacking, what would make it fit.",
     true, true, false, timed<charts::sensitivity>},
    {"throughput", "Throughput against speed", "Output of a GPU against the speed of one user, along the batch.", false,
     true, true, timed<charts::throughput>},
    {"time_breakdown", "Where the time goes", "The parts of the step time or of the time per token.", true, true, false,
     timed<charts::timeBreakdown>},
    {"cost", "Cost per million tokens", "Money, or GPU-hours without a price, along the swept parameter.", true, true,
     true, timed<charts::cost>},
    {"heat_map", "Heat map", "MFU or throughput over two parameters, with what does not fit.", true, true, false,
     timed<charts::heatMap>},
    {"conventions", "Counting conventions", "The same run's MFU as ten conventions count it.", true, false, false,
     timed<charts::conventions>},
    {"more_gpus", "More GPUs", "Throughput over the number of GPUs, and what failures leave of it.", true, false, false,
     timed<charts::moreGpus>},
    {"power_limit", "Power limit", "Throughput and energy per token over the power limit, with the knee between them.",
     true, true, false, timed<charts::powerLimit>},
    {"phases", "Phases of the training",
     "How long each phase of a training takes and what it costs; shown where phases are stated.", true, false, false,
     timed<charts::phases>, [](const PreparedScenario& s) { return s.task == Task::Training && s.phases != nullptr; }},
    {"classes", "Classes of requests",
     "How long requests of each class take, to the first token and to the last; shown where a mix is stated.", false,
     true, false, timed<charts::classes>,
     [](const PreparedScenario& s) { return s.task == Task::Inference && s.inference.mix.has_value(); }},
    {"day", "Replicas and load over the day",
     "The load of each hour beside the replicas that run; shown where the load changes over the day.", false, true,
     false, timed<charts::day>, [](const PreparedScenario& s) { return hasDay(s); }},
    {"cache_tiers", "First token by cache tier",
     "The first token where host memory or NVMe holds part of the prompt's cache; shown where tiers are stated.", false,
     true, false, timed<charts::cacheTiers>,
     [](const PreparedScenario& s) { return s.task == Task::Inference && usesTiers(s.inference); }},
    {"rl_parts", "RL step by part",
     "What a step of reinforcement learning spends its time on; shown where its prompts are stated.", true, false,
     false, timed<charts::rlParts>, [](const PreparedScenario& s) { return isRl(s); }},
    {"profile", "Profile", "Parts of a profiled step beside the predicted ones; shown where a profile was imported.",
     true, true, false, timed<charts::profileParts>,
     [](const PreparedScenario& s) { return s.measured.profile.any(); }},
};

} // namespace

std::span<const ChartRow> chartRegistry()
{
    return chartRows;
}

const ChartRow* chartRow(std::string_view id)
{
    const auto row = std::ranges::find(chartRows, id, &ChartRow::id);
    return row == std::end(chartRows) ? nullptr : row;
}

} // namespace headroom
