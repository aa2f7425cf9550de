// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/bound.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_layer.hpp"
#include "core/predict/inference/inference_lengths.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace headroom::inference
{
namespace
{

/// Time of work that computes and moves at once: the p-norm of both, s; exponent ∞ would be the plain roofline. It is
/// remembered within a pass: kinds of layers that differ in one block share all the others, and powers are nearly half
/// of an evaluation's work.
class Combiner final
{
public:
    /// `remembers`: kernels of several kinds of layers may be alike.
    explicit Combiner(bool remembers) : m_remembers(remembers)
    {
        if (m_remembers)
            for (Entry& e : m_entries)
                e.exponent = 0;
    }
    double operator()(double compute, double memory, double exponent)
    {
        return exponent == 1 ? compute + memory : norm(compute, memory, exponent);
    }

private:
    struct Entry {
        double compute, memory, exponent, result;
    };
    [[gnu::noinline]] double norm(double compute, double memory, double exponent)
    {
        if (!m_remembers)
            return softMaximum(compute, memory, exponent);
        const std::uint64_t key = std::bit_cast<std::uint64_t>(compute) ^ std::bit_cast<std::uint64_t>(memory);
        Entry& e = m_entries[(key * 0x9E3779B97F4A7C15u) >> 60]; // Fibonacci hashing
        if (e.exponent != exponent || e.compute != compute || e.memory != memory)
            e = {compute, memory, exponent, softMaximum(compute, memory, exponent)};
        return e.result;
    }

    bool m_remembers;
    std::array<Entry, 16> m_entries; ///< an exponent of 0: empty
};

/// linkStart() of a pass's links. The one before is remembered, where it has a bump: kinds of layers that follow one
/// another send the same message.
class LinkStarts final
{
public:
    double operator()(const LinkRate& rate, double bytes, double bumpBytes)
    {
        if (rate.bumpS <= 0)
            return rate.startS;
        if (bytes != m_bytes || rate.startS != m_startS || rate.bumpS != m_bumpS) {
            m_bytes = bytes;
            m_startS = rate.startS;
            m_bumpS = rate.bumpS;
            m_seconds = linkStart(rate, bytes, bumpBytes);
        }
        return m_seconds;
    }

private:
    double m_bytes = 0, m_startS = 0, m_bumpS = 0, m_seconds = 0;
};

/// Whether a pass says what bounds it, or its time alone.
template <typename Cost>
constexpr bool hasBounds = std::is_same_v<Cost, PassCost>;

/// Times of the kernels, added up by part, and what bounds them where `Sum` has a place for it; `perLayer`, where it is
/// given, gets those of a layer of each kind.
template <typename Sum>
class TimeSink final
{
public:
    /// Adds to `sum`. `alike`: some kernels may be.
    TimeSink(Sum& sum, bool alike, std::vector<double>* perLayer = nullptr)
        : cost(sum), m_combine(alike), m_perLayer(perLayer)
    {
    }
    [[nodiscard]] bool apart() const { return m_perLayer != nullptr; }

    [[gnu::always_inline]] void kernel(const Kernel& k, const KernelRate& rate, double count)
    {
        const double compute = k.flop * k.padding * rate.perFlop, memory = (k.bytes + k.activations) * rate.perByte;
        const double fixed = rate.startS * k.starts;
        m_last = count * (fixed + m_combine(compute, memory, rate.exponent));
        cost.time[static_cast<std::size_t>(k.part)] += m_last;
        if constexpr (hasBounds<Sum>) {
            cost.lightComputeS += count * k.flop * rate.lightPerFlop;
            cost.lightMemoryS += count * k.lightBytes.value_or(k.bytes) * rate.lightPerByte;
            cost.computeS += count * compute;
            cost.memoryS += count * memory;
            cost.fixedS += count * fixed;
        }
    }
    void link(const Kernel& k, const LinkRate& rate, double bumpBytes, double count)
    {
        const double moving = k.bytes * rate.perByte;
        const double fixed = m_starts(rate, k.bytes, bumpBytes);
        cost.time[static_cast<std::size_t>(k.part)] += count * (fixed + moving);
        if constexpr (hasBounds<Sum>) {
            cost.linkS += count * moving;
            cost.lightLinkS += count * k.bytes * rate.lightPerByte;
            cost.fixedS += count * fixed;
        }
    }
    void layer(const LayerKind& k)
    {
        if (!m_perLayer)
            return;
        const double all = cost.total();
        m_perLayer->push_back(k.count > 0 ? (all - m_before) / k.count : 0);
        m_before = all;
    }
    void head() { cost.headS = m_last; }

private:
    Sum& cost;
    Combiner m_combine;
    LinkStarts m_starts;
    std::vector<double>* m_perLayer;
    double m_before = 0; ///< s of the kinds before
    double m_last = 0;   ///< s of the kernel before
};

/// The speed of light: arithmetic, memory and links all overlap, so a pass takes the largest of three sums. Memory
/// holds what must move, as MBU counts it: activations can stay on the chip. Each part has its share of the sum that
/// decides.
class BoundSink final
{
public:
    [[nodiscard]] static bool apart() { return true; }
    void kernel(const Kernel& k, const KernelRate& rate, double count)
    {
        const auto part = static_cast<std::size_t>(k.part);
        m_compute[part] += count * k.flop * rate.perFlop;
        m_memory[part] += count * k.bytes * rate.perByte;
    }
    void link(const Kernel& k, const LinkRate& rate, double, double count)
    {
        m_link[static_cast<std::size_t>(k.part)] += count * k.bytes * rate.perByte;
    }
    void layer(const LayerKind&) {}
    void head() {}
    template <typename Cost>
    [[nodiscard]] Cost cost() const
    {
        const double compute = sum(m_compute), memory = sum(m_memory), link = sum(m_link);
        Cost c;
        if constexpr (hasBounds<Cost>) {
            c.computeS = c.lightComputeS = compute;
            c.memoryS = c.lightMemoryS = memory;
            c.linkS = c.lightLinkS = link;
        }
        if (link > compute && link > memory)
            c.time = m_link;
        else
            c.time = compute > memory ? m_compute : m_memory;
        return c;
    }

private:
    using Parts = std::array<double, timePartCount>;
    static double sum(const Parts& parts)
    {
        double total = 0;
        for (const double x : parts)
            total += x;
        return total;
    }
    Parts m_compute{}, m_memory{}, m_link{};
};

/// One entry a kernel.
class OperatorSink final
{
public:
    std::vector<OperatorCost> rows;

    [[nodiscard]] static bool apart() { return true; }

    void kernel(const Kernel& k, const KernelRate& rate, double count)
    {
        PassTime one;
        TimeSink(one, false).kernel(k, rate, count);
        rows.push_back(
            {std::string(k.name), k.part, count * k.flop, count * (k.bytes + k.activations), one.total(), k.precision});
    }
    void link(const Kernel& k, const LinkRate& rate, double bumpBytes, double count)
    {
        PassTime one;
        TimeSink(one, false).link(k, rate, bumpBytes, count);
        rows.push_back({std::string(k.name), k.part, 0, 0, one.total(), k.precision});
    }
    void layer(const LayerKind&) {}
    void head() {}
};

/// A pass at the speed of light.
template <typename Cost>
Cost boundWay(const Machine& machine, const PreparedScenario& prepared, const PassModel& model, const PassShape& shape,
              Routing routing)
{
    BoundSink sink;
    Pass<BoundSink>(machine, prepared, model, shape, routing, sink).run();
    return sink.cost<Cost>();
}

/// Kinds with mixers of their own have projections that are alike; a mixer that is of several kinds comes once.
bool hasAlikeKernels(const PassModel& model)
{
    return model.kinds.size() > 1 && std::ranges::any_of(model.kinds, [](const LayerKind& k) { return k.mixerOf > 0; });
}

/// A pass as it is; `stages`: with the slowest of a pipeline's. One function with all that it calls: handing a kernel
/// on costs as much as adding it up.
template <typename Cost>
[[gnu::flatten]] Cost timedWay(const Machine& machine, const PreparedScenario& prepared, const PassModel& model,
                               const PassShape& shape, Routing routing, bool stages)
{
    Cost cost;
    std::vector<double> perLayer;
    perLayer.reserve(stages ? model.kinds.size() : 0);
    TimeSink sink(cost, stages ? model.kinds.size() > 1 : hasAlikeKernels(model), stages ? &perLayer : nullptr);
    Pass<TimeSink<Cost>>(machine, prepared, model, shape, routing, sink).run();
    if (stages)
        cost.slowestS = machine.layout.most(perLayer, cost.headS);
    return cost;
}

/// A pass whose prompts go the way that the shape says.
template <typename Cost>
Cost oneWay(const Machine& machine, const PreparedScenario& prepared, const PassModel& model, const PassShape& shape,
            Routing routing, bool stages)
{
    if (machine.ideal)
        return boundWay<Cost>(machine, prepared, model, shape, routing);
    return timedWay<Cost>(machine, prepared, model, shape, routing, stages);
}

/// Whether prompts have two ways through latent attention: behind a cached prefix, which may be projected up again.
bool hasTwoWays(const PassModel& model, const PassShape& shape)
{
    const auto latent = [](const LayerKind& k) {
        return k.mixer == MixerKind::Attention && k.attention.kind == AttentionKind::Mla;
    };
    return shape.prompts > 0 && shape.cached > 0 && std::ranges::any_of(model.kinds, latent);
}

/// What the ways are compared by: prompts that have a pass to themselves take the engine's time for it.
double takenS(const Machine& m, const PassShape& shape, const PassCost& pass)
{
    return shape.sequences > 0 ? pass.total() : boundedTime(m.profile.prefill * pass.total(), pass.light());
}
/// Beside answers.
double takenS(const Machine&, const PassShape&, const PassTime& pass)
{
    return pass.total();
}

/// The pass by the way that takes less time, which becomes the shape's.
template <typename Cost>
Cost shorterWay(const Machine& machine, const PreparedScenario& prepared, const PassModel& model, PassShape& shape,
                Routing routing, bool stages)
{
    const Cost expanded = oneWay<Cost>(machine, prepared, model, shape, routing, stages);
    shape.absorbs = true;
    const Cost absorbed = oneWay<Cost>(machine, prepared, model, shape, routing, stages);
    shape.absorbs = takenS(machine, shape, absorbed) < takenS(machine, shape, expanded);
    return shape.absorbs ? absorbed : expanded;
}

/// By the only way, or the shorter.
template <typename Cost>
Cost passOf(const Machine& machine, const PreparedScenario& prepared, const PassModel& model, const PassShape& shape,
            Routing routing, bool stages)
{
    if (!hasTwoWays(model, shape))
        return oneWay<Cost>(machine, prepared, model, shape, routing, stages);
    PassShape way = shape;
    return shorterWay<Cost>(machine, prepared, model, way, routing, stages);
}

/// By the model's own layers, with what is read from the host beside it.
template <typename Cost>
Cost modelPass(const Machine& machine, const PreparedScenario& prepared, const PassShape& shape, Routing routing)
{
    const bool stages = machine.layout.mixed() && !machine.ideal;
    Cost cost = passOf<Cost>(machine, prepared, PassModel(*prepared.model), shape, routing, stages);
    if (machine.hostShare > 0) {
        cost.hostS = hostReadS(machine, *prepared.model, shape);
        if (cost.slowestS > 0)
            cost.slowestHostS = slowestHostReadS(machine, *prepared.model, shape);
    }
    return cost;
}

} // namespace

PassCost passCost(const Machine& machine, const PreparedScenario& prepared, const PassModel& model,
                  const PassShape& shape, Routing routing) noexcept
{
    return passOf<PassCost>(machine, prepared, model, shape, routing, false);
}

PassCost passCost(const Machine& machine, const PreparedScenario& prepared, const PassShape& shape,
                  Routing routing) noexcept
{
    return modelPass<PassCost>(machine, prepared, shape, routing);
}

PassTime passTimeBeside(const Machine& machine, const PreparedScenario& prepared, const PassShape& shape) noexcept
{
    return modelPass<PassTime>(machine, prepared, shape, Routing::Even);
}

PassShape decodeShape(const Machine& m, double batch) noexcept
{
    PassShape s;
    const double groups = m.engine.splitsLayers ? 1 : m.sizes.pipeline;
    s.sequences = std::max(1.0, onFullestRank(m, batch) / groups);
    s.evenSequences = std::max(1.0, batch / m.sizes.attentionData / groups) / s.sequences;
    s.tokensEach = m.speculation.verified();
    s.contexts = m.contexts;
    s.ranks = std::min(batch, m.sizes.attentionData);
    return s;
}

std::vector<OperatorCost> passOperators(const Machine& machine, const PreparedScenario& prepared,
                                        const PassShape& shape)
{
    const PassModel model(*prepared.model);
    PassShape way = shape;
    if (hasTwoWays(model, shape))
        shorterWay<PassCost>(machine, prepared, model, way, Routing::Even, false);
    OperatorSink sink;
    Pass<OperatorSink>(machine, prepared, model, way, Routing::Even, sink).run();
    if (!machine.ideal)
        return std::move(sink.rows);
    // Under the bound everything overlaps: scale so that the operators fill the pass.
    double sum = 0;
    for (const OperatorCost& row : sink.rows)
        sum += row.timeS;
    const double scale = sum > 0 ? passCost(machine, prepared, shape).total() / sum : 0;
    for (OperatorCost& row : sink.rows)
        row.timeS *= scale;
    return std::move(sink.rows);
}

} // namespace headroom::inference
