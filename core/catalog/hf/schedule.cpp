// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/schedule.hpp"

#include <algorithm>
#include <span>

namespace headroom::hf
{
namespace
{

using Layers = std::span<const LayerEntry>;

std::vector<LayerSegment> segmentsOf(Layers layers)
{
    std::vector<LayerSegment> segments;
    for (const LayerEntry& layer : layers) {
        if (!segments.empty() && segments.back().mixer == layer.mixer && segments.back().mlp == layer.mlp)
            ++segments.back().count;
        else
            segments.push_back({1, layer.mixer, layer.mlp});
    }
    return segments;
}

void append(std::vector<LayerRun>& runs, std::vector<LayerSegment> segments)
{
    for (LayerSegment& segment : segments)
        runs.push_back({1, {std::move(segment)}});
}

/// How often the first `period` layers follow each other.
std::size_t repeatsOf(Layers layers, std::size_t period)
{
    std::size_t same = period;
    while (same < layers.size() && layers[same] == layers[same - period])
        ++same;
    return same / period;
}

} // namespace

std::vector<LayerRun> scheduleOf(const std::vector<LayerEntry>& list)
{
    constexpr std::size_t readable = 6, longestHead = 4, longestPeriod = 24; // beyond that no reader sees a pattern
    const Layers layers(list);
    std::vector<LayerRun> best;
    append(best, segmentsOf(layers));
    std::size_t fewest = best.size();
    if (fewest <= readable)
        return best;
    for (std::size_t head = 0; head <= std::min(longestHead, layers.size()); ++head) {
        const Layers body = layers.subspan(head);
        for (std::size_t period = 2; period <= longestPeriod && 2 * period <= body.size(); ++period) {
            const std::size_t repeats = repeatsOf(body, period), covered = period * repeats;
            if (repeats < 2 || 10 * covered < 6 * layers.size())
                continue;
            std::vector<LayerSegment> group = segmentsOf(body.first(period));
            std::vector<LayerRun> runs;
            append(runs, segmentsOf(layers.first(head)));
            const std::size_t groupSize = group.size();
            runs.push_back({static_cast<std::int64_t>(repeats), std::move(group)});
            append(runs, segmentsOf(body.subspan(covered)));
            if (const std::size_t size = runs.size() + groupSize; size < fewest) {
                fewest = size;
                best = std::move(runs);
            }
        }
    }
    return best;
}

} // namespace headroom::hf
