// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of another length: finds the cycle that a schedule repeats and continues it.
#include "core/catalog/architecture_json.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

std::vector<LayerSegment> expanded(const std::vector<LayerRun>& schedule)
{
    std::vector<LayerSegment> layers;
    for (const LayerRun& run : schedule)
        for (std::int64_t repeat = 0; repeat < run.repeat; ++repeat)
            for (const LayerSegment& segment : run.segments)
                layers.insert(layers.end(), static_cast<std::size_t>(segment.count), {1, segment.mixer, segment.mlp});
    return layers;
}

/// Length of the cycle that the tail of `layers` repeats: at least twice, and over at least half of the layers, so
/// that two odd layers at the end are not taken for one. The earliest and shortest wins; else all layers are the cycle.
std::size_t cycleOf(const std::vector<LayerSegment>& layers)
{
    const std::size_t n = layers.size();
    std::size_t best = n, bestCost = n;
    for (std::size_t period = 1; period <= n / 2 && period < bestCost; ++period) {
        std::size_t head = n - period; // the tail from here on repeats with this period
        while (head > 0 && layers[head - 1] == layers[head - 1 + period])
            --head;
        const std::size_t tail = n - head;
        if (tail >= 2 * period && 2 * tail >= n && head + period < bestCost) {
            best = period;
            bestCost = head + period;
        }
    }
    return best;
}

std::vector<LayerRun> compressed(const std::vector<LayerSegment>& layers)
{
    std::vector<LayerRun> runs;
    for (const LayerSegment& layer : layers) {
        if (!runs.empty() && runs.back().segments[0].mixer == layer.mixer && runs.back().segments[0].mlp == layer.mlp)
            ++runs.back().segments[0].count;
        else
            runs.push_back({1, {layer}});
    }
    return runs;
}

} // namespace

std::vector<LayerRun> resizedSchedule(const std::vector<LayerRun>& schedule, std::int64_t count)
{
    std::vector<LayerSegment> layers = expanded(schedule);
    if (layers.empty() || count <= 0)
        return schedule;
    const std::size_t wanted = static_cast<std::size_t>(count), cycle = cycleOf(layers);
    layers.reserve(std::max(wanted, layers.size()));
    while (layers.size() < wanted)
        layers.push_back(layers[layers.size() - cycle]);
    layers.resize(wanted);
    return compressed(layers);
}

} // namespace headroom
