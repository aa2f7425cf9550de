// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_comparison.hpp"

#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>

namespace headroom::profile
{
namespace
{

/// Less than this share of the shorter side apart needs no cause: a profiled step may be mostly idle.
constexpr double smallDifference = 0.02;

/// The predicted parts as a profile can show them.
struct Predicted {
    double matmul = 0, attention = 0, memoryBound = 0, optimizer = 0;
    double sharding = 0, experts = 0, sends = 0; ///< exposed communication
    double host = 0, bubble = 0, prefill = 0;
    double copies = 0; ///< weights from the hosts' memory
    [[nodiscard]] double sum() const
    {
        return matmul + attention + memoryBound + optimizer + sharding + experts + sends + host + bubble + prefill +
               copies;
    }
};

/// Recomputation by what it repeats.
void layRecomputation(const PreparedScenario& prepared, double recompute, Predicted& p)
{
    if (recompute <= 0)
        return;
    double all = 0, attention = 0, memoryBound = 0, communication = 0;
    for (const OperatorCost& cost : operatorCosts(prepared)) {
        if (!cost.repeats)
            continue;
        all += cost.timeS;
        attention += *cost.repeats == TimePart::Attention ? cost.timeS : 0;
        memoryBound += *cost.repeats == TimePart::MemoryBound ? cost.timeS : 0;
        communication += *cost.repeats == TimePart::TensorParallel ? cost.timeS : 0;
    }
    const double scale = all > 0 ? recompute / all : 0;
    p.attention += attention * scale;
    p.memoryBound += memoryBound * scale;
    p.sharding += communication * scale;
    p.matmul += recompute - (attention + memoryBound + communication) * scale;
}

Predicted predictedParts(const PreparedScenario& prepared, const Evaluation& e)
{
    // The parts are of one token; a step of speculative decoding yields several.
    const double times = e.speculation ? e.speculation->tokensAdded : 1;
    const auto part = [&](TimePart t) { return times * e.part(t); };
    Predicted p;
    p.matmul = part(TimePart::Matmul) + part(TimePart::Experts) + part(TimePart::Draft);
    p.attention = part(TimePart::Attention);
    p.memoryBound = part(TimePart::MemoryBound);
    p.optimizer = part(TimePart::OptimizerStep);
    p.sharding = part(TimePart::TensorParallel) + part(TimePart::DataParallel);
    p.experts = part(TimePart::ExpertParallel);
    p.sends = part(TimePart::PipelineSend) + part(TimePart::ContextParallel);
    p.host = part(TimePart::Host);
    p.bubble = part(TimePart::PipelineBubble);
    p.prefill = part(TimePart::PrefillInterference);
    p.copies = part(TimePart::HostLink);
    layRecomputation(prepared, part(TimePart::Recompute), p);
    return p;
}

/// Collects parts; those that neither side has are left out.
class Table final
{
public:
    explicit Table(ProfileComparison& comparison) : m_comparison(comparison) {}

    void add(std::string_view id, std::string_view label, std::optional<double> predicted,
             std::optional<double> measured, std::string more, std::string less = {})
    {
        if (m_comparison.measuredS <= 0)
            measured.reset(); // there is no profile
        if (predicted.value_or(0) <= 0 && measured.value_or(0) <= 0)
            return;
        ProfilePart part{id, label, predicted, measured, {}};
        const double difference = part.differenceS();
        if (measured && std::abs(difference) >= m_comparison.smallS)
            part.cause = difference > 0 ? std::move(more) : std::move(less);
        m_comparison.predictedS += predicted.value_or(0);
        m_comparison.parts.push_back(std::move(part));
    }

private:
    ProfileComparison& m_comparison;
};

std::string matmulCause(const ProfileComparison& comparison)
{
    if (comparison.allowedShare)
        return say(
            "the matmuls run at {} of what their shapes allow: clocks held down, or kernels that do not fit them",
            percentText(*comparison.allowedShare));
    return comparison.matmulShare ? say("the matmuls run at {} of the peak: small shapes, another precision, or clocks "
                                        "held down",
                                        percentText(*comparison.matmulShare))
                                  : said("slower matmuls than usual: small shapes, another precision, or clocks held "
                                         "down");
}

/// One kind of exchange and how long nothing else ran beside it.
struct Exchange {
    Collective kind = Collective::Other;
    double exposed = 0;
};

/// Names the one that shows longest.
std::string exchangeCause(const MeasuredProfile& m, std::initializer_list<Exchange> kinds)
{
    const Exchange most = *std::max_element(kinds.begin(), kinds.end(),
                                            [](const Exchange& a, const Exchange& b) { return a.exposed < b.exposed; });
    const double hidden = m.communicationS > 0 ? 1 - m.exposedS() / m.communicationS : 0;
    constexpr double hardlyAny = 0.1;
    return hidden < hardlyAny ? say("{} exposed for {}: no overlap", say(label(most.kind)), secondsText(most.exposed))
                              : say("{} exposed for {}; {} of all communication is hidden", say(label(most.kind)),
                                    secondsText(most.exposed), percentText(hidden));
}

void addCommunication(const MeasuredProfile& m, const Predicted& p, const Parallelism& parallel, Table& table)
{
    // NCCL sends an all-to-all as sends and receives: they are the experts' where nothing else sends.
    const bool expertsSend = parallel.expert > 1 && parallel.pipeline == 1 && parallel.context == 1;
    const double experts = m.allToAllS + (expertsSend ? m.sendRecvS : 0);
    const double sends = expertsSend ? 0 : m.sendRecvS;
    const double sharding = m.allReduceS + m.allGatherS + m.reduceScatterS + m.otherCommunicationS;
    table.add("sharding_communication", phrase("tensor and data parallel"), p.sharding, sharding,
              exchangeCause(m, {{Collective::AllReduce, m.allReduceS},
                                {Collective::AllGather, m.allGatherS},
                                {Collective::ReduceScatter, m.reduceScatterS},
                                {Collective::Other, m.otherCommunicationS}}),
              said("more of it is hidden than expected"));
    table.add("expert_communication", phrase("expert all-to-all"), p.experts, experts,
              exchangeCause(m, {{Collective::AllToAll, experts}}), said("more of it is hidden than expected"));
    table.add("sends", phrase("pipeline and context sends"), p.sends, sends,
              exchangeCause(m, {{Collective::SendRecv, sends}}), said("more of it is hidden than expected"));
    table.add("waiting", phrase("waiting for other ranks"), p.bubble > 0 ? std::optional(p.bubble) : std::nullopt,
              m.waitingForRankS, said("the ranks' work is uneven, or one of them is slow"));
}

} // namespace

const ProfilePart* ProfileComparison::largest() const
{
    const auto by = [](const ProfilePart& part) { return std::abs(part.differenceS()); };
    const auto most = std::ranges::max_element(parts, {}, by);
    return most == parts.end() || by(*most) < smallS ? nullptr : &*most;
}

std::optional<DataType> dataTypeOf(std::string_view traceType)
{
    // As PyTorch writes them: https://github.com/pytorch/pytorch, c10/core/ScalarType.h.
    constexpr std::array<std::pair<std::string_view, DataType>, 8> types{{
        {"c10::BFloat16", DataType::Bf16},
        {"c10::Half", DataType::Fp16},
        {"float", DataType::Fp32},
        {"c10::Float8_e4m3fn", DataType::Fp8},
        {"c10::Float8_e5m2", DataType::Fp8},
        {"c10::Float8_e4m3fnuz", DataType::Fp8},
        {"c10::Float8_e5m2fnuz", DataType::Fp8},
        {"signed char", DataType::Int8},
    }};
    const auto type = std::ranges::find(types, traceType, [](const auto& row) { return row.first; });
    return type == types.end() ? std::nullopt : std::optional(type->second);
}

namespace
{

std::optional<MeasuredShape> measuredShape(const MatmulShape& shape)
{
    const auto type = dataTypeOf(shape.type);
    if (!type || std::min({shape.batch, shape.m, shape.n, shape.k}) < 1)
        return std::nullopt;
    return MeasuredShape{shape.batch, shape.m, shape.n, shape.k, *type};
}

/// The shapes whose points a chart can show: those that took longest.
std::optional<MeasuredShapes> measuredShapes(const std::vector<ShapeTotal>& totals)
{
    constexpr std::int64_t longest = 1'000'000'000'000; // as the file format takes them
    MeasuredShapes shapes;
    for (const ShapeTotal& total : totals) {
        auto shape = measuredShape(total.shape);
        if (!shape || total.seconds <= 0 || total.count <= 0 ||
            std::max({shape->batch, shape->m, shape->n, shape->k}) > longest)
            continue;
        shape->seconds = total.seconds;
        shape->count = total.count;
        shapes.all[shapes.count++] = *shape;
        if (shapes.count == MeasuredShapes::most)
            break;
    }
    return shapes.count > 0 ? std::optional(shapes) : std::nullopt;
}

} // namespace

std::string shapeId(const MeasuredShape& shape)
{
    return fmt::format("{}x{}x{}x{}.{}", shape.batch, shape.m, shape.n, shape.k, toId(shape.type));
}

double allowedSeconds(const MatmulShape& shape, const Accelerator& accelerator)
{
    const auto known = measuredShape(shape);
    const double peak = known ? accelerator.peakFlops(known->type) : 0;
    if (peak <= 0 || accelerator.memoryBandwidth() <= 0)
        return 0;
    return std::max(known->flop() / peak, known->bytes() / accelerator.memoryBandwidth());
}

MeasuredProfile measuredProfile(const ProfileReading& reading, const Accelerator* accelerator)
{
    const DeviceProfile& device = reading.devices.front();
    const TimeSplit& s = device.mean;
    const auto exposed = [&](Collective c) { return s.exposed[static_cast<std::size_t>(c)]; };
    MeasuredProfile m;
    m.stepS = s.span;
    m.matmulS = s.ofClass(KernelClass::Matmul);
    m.attentionS = s.ofClass(KernelClass::Attention);
    m.routerS = s.ofClass(KernelClass::Router);
    m.normS = s.ofClass(KernelClass::Norm);
    m.quantiseS = s.ofClass(KernelClass::Quantise);
    m.elementwiseS = s.ofClass(KernelClass::Elementwise);
    m.optimizerS = s.ofClass(KernelClass::Optimizer);
    m.copyS = s.ofClass(KernelClass::Copy);
    m.otherS = s.ofClass(KernelClass::Other);
    m.allReduceS = exposed(Collective::AllReduce);
    m.allGatherS = exposed(Collective::AllGather);
    m.reduceScatterS = exposed(Collective::ReduceScatter);
    m.allToAllS = exposed(Collective::AllToAll);
    m.sendRecvS = exposed(Collective::SendRecv);
    m.otherCommunicationS = exposed(Collective::Other);
    m.waitingForRankS = exposed(Collective::Waiting);
    m.launchBoundS = s.launchBound;
    m.waitingForDataS = s.waitingForData;
    m.queuedS = s.queued;
    m.unexplainedS = s.unexplained;
    m.communicationS = s.communication;
    m.matmulFlop = device.matmulFlop;
    m.shapedMatmulS = device.shapedSeconds;
    m.shapes = measuredShapes(device.shapes);
    if (accelerator != nullptr) {
        for (const ShapeTotal& total : device.shapes) {
            const double least = allowedSeconds(total.shape, *accelerator);
            m.allowedMatmulS = least > 0 ? m.allowedMatmulS + total.count * least : 0;
            if (least <= 0)
                break; // a share of some would be none of all
        }
    }
    m.steps = device.usedSteps();
    m.ranks = static_cast<std::int64_t>(reading.devices.size());
    return m;
}

std::vector<ProfileFinding> profileFindings(const ProfileComparison& comparison)
{
    std::vector<ProfileFinding> findings;
    for (const ProfilePart& part : comparison.parts)
        if (part.differenceS() > 0 && !part.cause.empty() && !(comparison.profilerSlowed && part.id == "host"))
            findings.push_back({part.id, part.differenceS(),
                                say("{}, {} longer than predicted: {}.", capitalized(said(part.label)),
                                    secondsText(part.differenceS()), part.cause)});
    std::ranges::stable_sort(findings, std::greater(), &ProfileFinding::seconds);
    return findings;
}

ProfileComparison compareProfile(const MeasuredProfile& m, const PreparedScenario& prepared, const Evaluation& e)
{
    ProfileComparison c;
    c.measuredS = m.stepS;
    if (m.shapedMatmulS > 0 && e.peakFlops > 0)
        c.matmulShare = m.matmulFlop / m.shapedMatmulS / e.peakFlops;
    if (c.matmulShare > 1)
        c.matmulShare.reset();                                       // another precision than the scenario's
    if (m.allowedMatmulS > 0 && m.allowedMatmulS <= m.shapedMatmulS) // else the shapes are not those that ran
        c.allowedShare = m.allowedMatmulS / m.shapedMatmulS;
    if (m.communicationS > 0)
        c.hiddenShare = std::clamp(1 - m.exposedS() / m.communicationS, 0.0, 1.0);
    const Predicted p = predictedParts(prepared, e);
    c.smallS = smallDifference * (m.any() ? std::min(p.sum(), m.stepS) : p.sum());
    const bool training = prepared.task == Task::Training;
    const bool offloads = training && effectiveOffload(prepared, *prepared.accelerator) != Offload::None;
    Table table(c);
    table.add("matmul", phrase("matmuls"), p.matmul, m.matmulS, matmulCause(c),
              said("faster matmuls than usual, a lower precision, or fewer of them"));
    table.add("attention", phrase("attention core"), p.attention, m.attentionS,
              said("another attention kernel than the scenario names, or other lengths"),
              said("a faster attention kernel than the scenario names, or other lengths"));
    table.add("memory_bound", phrase("memory-bound operators"), p.memoryBound,
              m.memoryBoundS() + (training ? 0 : m.optimizerS), // PyTorch copies lists of tensors by the same kernels
              said("norms, activations and casts are not fused: torch.compile or fused kernels"),
              said("more of them are fused than expected"));
    if (training)
        table.add("optimizer", phrase("optimizer"), p.optimizer, m.optimizerS + (offloads ? m.copyS : 0),
                  said("the optimizer is not fused, or its states are wider than the scenario says"),
                  said("its states are smaller than the scenario says, or sharded further"));
    addCommunication(m, p, prepared.parallelism, table);
    table.add("host", phrase("host: launch-bound"), p.host, m.launchBoundS,
              said("the host launches kernels too slowly: CUDA graphs, torch.compile, or larger batches"),
              said("the host keeps up better than expected"));
    table.add("data", phrase("waiting for data"), std::nullopt, m.waitingForDataS,
              said("the data loader is late: more workers, or prefetching"));
    table.add("idle", phrase("other idle time"), std::nullopt, m.queuedS + m.unexplainedS,
              said("gaps between kernels that were launched in time, or that the trace does not explain"));
    if (!offloads)
        table.add("copy", phrase("copies"), p.copies > 0 ? std::optional(p.copies) : std::nullopt, m.copyS,
                  said("copies between host and GPU, or within it: pin memory, or leave them out"));
    table.add("other", phrase("not recognised"), std::nullopt, m.otherS,
              said("kernels that no rule names: add rows with --rules"));
    table.add("prefill_interference", phrase("others' prefill"), p.prefill, std::nullopt, {});
    if (!m.any())
        return c;
    // What a profiler adds is no part of the run: to mend it would bring nothing.
    c.profilerSlowed = m.launchBoundS > 0.5 * m.stepS;
    if (c.profilerSlowed)
        c.notes.push_back(said("Most of the step the GPU waits for the host, which a profiler slows: profile without "
                               "stacks to see what is left."));
    else
        c.notes.push_back(said("A profiler slows the host: compare the parts, not the sums."));
    if (c.allowedShare)
        c.notes.push_back(say("Your matmuls run at {} of what their shapes allow.", percentText(*c.allowedShare)));
    if (!training)
        c.notes.push_back(said("The prediction is of one decode step: profile steps without prompts."));
    if (m.ranks < 2 && m.communicationS > 0)
        c.notes.push_back(said("One rank was profiled: waiting for others counts as communication."));
    if (p.bubble > 0 && m.waitingForRankS <= 0)
        c.notes.push_back(said("The pipeline bubble is idle or waiting time here: the profile cannot tell it."));
    return c;
}

} // namespace headroom::profile
