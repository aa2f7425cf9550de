// SPDX-License-Identifier: GPL-3.0-or-later
// Collective: how long a group of accelerators takes to gather, reduce or exchange (docs/method/communication.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headroom
{

/// Links as a collective sustains them, and the fixed times of starting one. Bytes/s per accelerator, one direction.
struct Links {
    double scaleUp = 0;  ///< inside the scale-up domain (or over PCIe where there is none)
    double scaleOut = 0; ///< the network adapter of one accelerator
    double exchange = 0; ///< scale-up link under an all-to-all
    double start = 0;    ///< s, start of one collective
    double perNode = 0;  ///< s for each further node
    double perRank = 0;  ///< s for each rank in the node
    /// As the best algorithm uses them: bytes cross once to a node (NCCL's trees on two nodes go beyond what adapters
    /// give a ring: nccl-tests issue 196), and a token once to a rank. The times of starting are 0 then.
    bool light = false;
};

/// How a group lies on the machine.
struct GroupShape {
    double ranks = 1;
    double ranksPerNode = 1; ///< members that share one scale-up domain, ≤ ranks
    double nodes = 1;
    [[nodiscard]] bool crossesNodes() const noexcept { return nodes > 1; }
};

/// `ranks` members, each `stride` accelerators apart, on domains of `domain` accelerators.
[[nodiscard]] inline GroupShape groupShape(double ranks, double stride, double domain) noexcept
{
    const double perNode = std::clamp(std::floor(domain / stride), 1.0, std::max(1.0, ranks));
    return {ranks, perNode, std::ceil(ranks / perNode)};
}

/// The same in a job of `all` accelerators that are numbered through: where groups neither divide a node nor are made
/// of whole ones, some lie across a boundary, and the smallest piece sets their rate. Not where the job needs no more
/// nodes with groups uncut. Not in racks: jobs leave some of their accelerators out (MLPerf's on GB200 take 64 of 72),
/// where a node is rented whole.
[[nodiscard]] inline GroupShape groupShape(double ranks, double stride, double domain, double all) noexcept
{
    GroupShape group = groupShape(ranks, stride, domain);
    const auto span = static_cast<std::int64_t>(ranks * stride), size = static_cast<std::int64_t>(domain),
               job = static_cast<std::int64_t>(all);
    constexpr std::int64_t node = 16; // the largest that is sold as one
    if (job <= size || span <= 1 || size <= 1 || size > node || size % span == 0 || span % size == 0)
        return group;                              // nearly always
    const std::int64_t whole = size / span * span; // that groups fill without a cut
    if (whole > 0 && (job + whole - 1) / whole == (job + size - 1) / size)
        return group;
    std::int64_t piece = size; // where a group begins and ends within a node; after `size` of them all repeats
    for (std::int64_t begin = 0; begin < std::min(job, size * span); begin += span) {
        const std::int64_t first = size - begin % size, last = (begin + span) % size;
        if (first < span)
            piece = std::min({piece, first, last > 0 ? last : size});
    }
    group.ranksPerNode = std::clamp(std::floor(static_cast<double>(piece) / stride), 1.0, group.ranksPerNode);
    group.nodes = std::max(2.0, group.nodes);
    return group;
}

/// Bytes/s that one member of the group gets.
[[nodiscard]] inline double groupBandwidth(const GroupShape& group, const Links& links) noexcept
{
    return group.crossesNodes() ? std::min(links.scaleUp, group.ranksPerNode * links.scaleOut) : links.scaleUp;
}

/// The least that any algorithm takes until each member has the `lacking` bytes that it lacks, s: they come over both
/// of its links, and those that are `elsewhere`, on none of its node's members, over all adapters of the node.
[[nodiscard]] inline double leastGatherTime(double lacking, double elsewhere, const GroupShape& group,
                                            const Links& links) noexcept
{
    if (!group.crossesNodes())
        return lacking / links.scaleUp;
    return std::max(lacking / (links.scaleUp + links.scaleOut), elsewhere / (group.ranksPerNode * links.scaleOut));
}

/// Fixed time of one collective over the group, s. Nodes of more than 8 accelerators join them by switches that reduce
/// and broadcast: more ranks inside take no longer than 8 (judgement; without it a larger node would be slower).
[[nodiscard]] inline double collectiveStart(const GroupShape& group, const Links& links) noexcept
{
    constexpr double chained = 8;
    return links.start + links.perNode * (group.nodes - 1) + links.perRank * std::min(chained, group.ranksPerNode);
}

/// All-gather or reduce-scatter that leaves (or starts from) `bytes` on every member, s. An all-reduce is two.
[[nodiscard]] inline double gatherTime(double bytes, const GroupShape& group, const Links& links) noexcept
{
    if (group.ranks <= 1)
        return 0;
    const double each = bytes / group.ranks;
    if (links.light)
        return leastGatherTime(each * (group.ranks - 1), each * (group.ranks - group.ranksPerNode), group, links);
    return bytes * (group.ranks - 1) / group.ranks / groupBandwidth(group, links) + collectiveStart(group, links);
}

/// Other nodes that a token has to reach when it goes to `k` experts spread evenly over `nodes`, at most `cap`.
[[nodiscard]] inline double remoteCopies(double nodes, double k, double cap) noexcept
{
    if (nodes <= 1)
        return 0;
    return std::min(cap, (nodes - 1) * (1 - std::pow(1 - 1 / nodes, k)));
}

/// The same where each expert lies on several of the nodes, which are `places` groups of them; one group is one
/// expert's at least, and a token that needs it reaches all of its nodes.
[[nodiscard]] inline double remoteCopies(double nodes, double places, double k, double cap) noexcept
{
    if (places >= nodes)
        return remoteCopies(nodes, k, cap);
    return std::min(cap * nodes / places, (nodes - 1) * (1 - std::pow(1 - 1 / places, k)));
}

/// All-to-all of one dispatch (or one combine), s: `bytes` leave each member for `copies` experts' worth of tokens of
/// `tokenBytes` in all; inside the node each copy travels (at the speed of light one for each rank), between nodes a
/// token crosses once per node it needs.
[[nodiscard]] inline double exchangeTime(double tokenBytes, double k, double cap, const GroupShape& group,
                                         const Links& links) noexcept
{
    if (group.ranks <= 1)
        return 0;
    double inside = tokenBytes * k * (group.ranks - 1) / group.ranks / links.exchange;
    if (links.light)
        inside = tokenBytes * remoteCopies(group.ranks, k, k) /
                 (links.exchange + (group.crossesNodes() ? links.scaleOut : 0));
    const double across = tokenBytes * remoteCopies(group.nodes, k, cap) / links.scaleOut;
    return std::max(inside, across) + collectiveStart(group, links);
}

} // namespace headroom
