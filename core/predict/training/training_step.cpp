// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_step.hpp"

#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_update.hpp"
#include "core/support/per_thread.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace headroom
{
namespace
{

/// One micro-batch through some layers, by part.
struct StageTime {
    std::array<double, timePartCount> time{};
    double flop = 0, bytes = 0;
    double forward = 0, backward = 0; ///< compute with nothing hidden behind it yet

    double& operator[](TimePart part) noexcept { return time[static_cast<std::size_t>(part)]; }
    [[nodiscard]] double total() const noexcept { return totalOf(time); }

    /// Adds an operator, of whose forward pass `share` runs again; gives its compute to `layer`.
    void add(const TrainingOperator& item, double share, LayerCompute& layer) noexcept
    {
        const double again = share * item.forward.seconds;
        (*this)[item.part] += item.forward.seconds + item.backward.seconds;
        (*this)[TimePart::Recompute] += again;
        flop += (1 + share) * item.forward.flop + item.backward.flop;
        bytes += (1 + share) * item.forward.bytes + item.backward.bytes;
        forward += item.forward.seconds;
        backward += item.backward.seconds + again;
        layer.forward += item.forward.seconds;
        layer.backward += item.backward.seconds;
        layer.again += again;
        if (item.part == TimePart::Attention) {
            layer.coreForward += item.forward.seconds;
            layer.coreBackward += item.backward.seconds;
        }
    }

    void add(const LayerCommunication& c, double again) noexcept
    {
        (*this)[TimePart::TensorParallel] += c.tensorForward + c.tensorBackward;
        (*this)[TimePart::ContextParallel] += c.contextForward + c.contextBackward;
        (*this)[TimePart::ExpertParallel] += c.expertForward + c.expertBackward;
        (*this)[TimePart::DataParallel] += c.data;
        (*this)[TimePart::Recompute] += again * c.forward();
        forward = std::max(0.0, forward - c.hiddenForward);
        backward = std::max(0.0, backward - c.hiddenBackward);
    }

    void add(const StageTime& other, double times) noexcept
    {
        for (std::size_t i = 0; i < time.size(); ++i)
            time[i] += times * other.time[i];
        flop += times * other.flop;
        bytes += times * other.bytes;
        forward += times * other.forward;
        backward += times * other.backward;
    }
};

/// Of a layer, its mixer alone.
struct MixerTime {
    StageTime stage;
    LayerCompute layer;
};

/// Adds operators up as they come: no list of them is kept.
class StageSum final : public OperatorSink
{
public:
    StageSum(const RepeatedShares& again, StageTime& stage, LayerCompute& layer) noexcept
        : m_again(again), m_stage(stage), m_layer(layer)
    {
    }
    void add(const TrainingOperator& item) noexcept override { m_stage.add(item, m_again[item.repeated], m_layer); }
    void endOfMixer() noexcept override
    {
        if (m_mixer)
            *m_mixer = {m_stage, m_layer};
    }
    /// From now on endOfMixer() leaves in `mixer` what there is of the layer then.
    void noteMixer(MixerTime& mixer) noexcept { m_mixer = &mixer; }
    /// A mixer that is known.
    void add(const MixerTime& mixer) noexcept
    {
        m_stage = mixer.stage;
        m_layer = mixer.layer;
    }

private:
    const RepeatedShares& m_again;
    StageTime& m_stage;
    LayerCompute& m_layer;
    MixerTime* m_mixer = nullptr;
};

/// Experts that a stage runs one after the other for a micro-batch, where the stack has no grouped matmul.
double expertsInTurn(const TrainingPlan& plan, std::size_t stage) noexcept
{
    double experts = 0;
    for (std::size_t k = 0; k < plan.model->kinds.size(); ++k)
        if (const LayerKind& kind = plan.model->kinds[k]; kind.hasMoe)
            experts +=
                plan.layout.layers(stage, k) * std::min(expertsOnRank(plan, kind), plan.tokens * double(kind.moe.topK));
    return experts;
}

/// s that a stage waits for its host in a micro-batch of `work` seconds, where the host launches `passes` times the
/// kernels of a step that runs nothing again. It launches layers ahead of the device. To call an expert it waits for
/// the list of its tokens, and the device for what it launches then.
double hostWait(const TrainingPlan& plan, double passes, std::size_t stage, double work) noexcept
{
    const double times = passes * (plan.adapters ? plan.constants.hostAdapters : 1);
    const double wait = std::max(0.0, times * plan.profile.hostPerLayer * plan.layout.layers(stage) - work);
    return plan.profile.hostPerExpert > 0 ? wait + times * plan.profile.hostPerExpert * expertsInTurn(plan, stage)
                                          : wait;
}

double stepWait(const TrainingPlan& plan, std::size_t stage, double work) noexcept
{
    return hostWait(plan, plan.again.matmul > 0 ? plan.constants.hostRecompute : 1, stage, work);
}

/// One layer of a kind, or the head, and its total, s.
struct LayerTime {
    StageTime work;
    double seconds = 0;
};

/// Every stage of the pipeline for one micro-batch.
class Stages final
{
public:
    explicit Stages(const TrainingPlan& plan) noexcept : m_plan(plan), m_kinds(scratch())
    {
        const std::vector<LayerKind>& kinds = plan.model->kinds;
        const auto addHead = [&](StageSum& sum) { addHeadOperators(plan, sum); };
        if (kinds.size() == 1) {
            addUp([&](std::size_t, StageSum& sum) { addLayerOperators(plan, kinds[0], sum); }, addHead);
            return;
        }
        // Later kinds may have the mixer of an earlier one: as in DeepSeek-V3, under experts and under none.
        auto& mixers = ofThisThread<std::vector<MixerTime>>();
        mixers.resize(std::max(mixers.size(), kinds.size()));
        addUp(
            [&](std::size_t k, StageSum& sum) {
                const std::size_t first = kinds[k].mixerOf;
                first < k ? sum.add(mixers[first]) : sum.noteMixer(mixers[k]);
                addLayerOperators(plan, kinds[k], sum, first < k ? LayerPart::BehindMixer : LayerPart::All);
            },
            addHead);
    }
    /// The same where the operators of the plan are known.
    Stages(const TrainingPlan& plan, const StepOperators& known) noexcept : m_plan(plan), m_kinds(scratch())
    {
        const auto add = [](const OperatorList& list, StageSum& sum) {
            for (const TrainingOperator& item : list)
                sum.add(item);
        };
        addUp([&](std::size_t k, StageSum& sum) { add(known.layers[k], sum); },
              [&](StageSum& sum) { add(known.head, sum); });
    }

    /// All that a stage does: its layers and, on the last one, the head.
    [[nodiscard]] StageTime work(std::size_t stage) const noexcept
    {
        StageTime result;
        for (std::size_t k = 0; k < m_kinds.size(); ++k)
            if (const double layers = m_plan.layout.layers(stage, k); layers > 0)
                result.add(m_kinds[k].work, layers);
        if (stage == m_plan.layout.last())
            result.add(m_head.work, 1);
        return result;
    }
    /// s, with what the stage waits for its host.
    [[nodiscard]] double seconds(std::size_t stage) const noexcept
    {
        double compute = stage == m_plan.layout.last() ? m_head.seconds : 0;
        for (std::size_t k = 0; k < m_kinds.size(); ++k)
            compute += m_plan.layout.layers(stage, k) * m_kinds[k].seconds;
        return compute + stepWait(m_plan, stage, compute);
    }

private:
    /// The functions give the operators of a kind of layers, and of one pass of the head, to a sum.
    template <typename Layer, typename Head>
    void addUp(const Layer& addLayer, const Head& addHead) noexcept
    {
        m_kinds.clear();
        const RepeatedShares shares(m_plan);
        const double again = communicationAgain(m_plan);
        for (std::size_t k = 0; k < m_plan.model->kinds.size(); ++k) {
            LayerTime& time = m_kinds.emplace_back();
            StageTime& work = time.work;
            LayerCompute layer;
            StageSum sum(shares, work, layer);
            addLayer(k, sum);
            if (m_plan.gpus > 1)
                work.add(layerCommunication(m_plan, m_plan.model->kinds[k], layer), again);
            time.seconds = work.total();
        }
        LayerCompute head;
        StageSum sum(shares, m_head.work, head);
        for (double passes = m_plan.heads(); passes > 0; --passes)
            addHead(sum);
        if (m_plan.gpus > 1)
            m_head.work[TimePart::DataParallel] += outsideExchange(m_plan, head.forward, head.backward).both();
        m_head.seconds = m_head.work.total();
    }

    /// Room for one entry a kind, kept between calls: an evaluation allocates nothing.
    static std::vector<LayerTime>& scratch() noexcept { return ofThisThread<std::vector<LayerTime>>(); }

    const TrainingPlan& m_plan;
    std::vector<LayerTime>& m_kinds;
    LayerTime m_head;
};

/// What a stage does once a step, after its micro-batches.
struct StageEnd {
    double dataParallel = 0;
    Work optimizer;       ///< offload included in its seconds
    double wait = 0;      ///< of them, for the host: s
    double hostBytes = 0; ///< of a rank, in the host's memory
    [[nodiscard]] double seconds() const noexcept { return dataParallel + optimizer.seconds; }
};

/// `seconds`: between two micro-batches, in which the stage may wait for the host or for a slower stage; exchanges run
/// meanwhile as beside compute. `passes`: of all micro-batches. One function with all that it calls, as those below:
/// every evaluation comes by here, and calls cost as much as the sums.
[[gnu::flatten]] StageEnd endOf(const TrainingPlan& plan, const ShardGroups& groups, std::size_t stage,
                                const StageTime& work, double seconds, double passes,
                                const OffloadedParameter& each) noexcept
{
    const double idle = std::max(0.0, seconds - work.total());
    const StageParameters parameters = stageParameters(plan, stage);
    StageEnd end;
    end.dataParallel = stepDataParallel(plan, groups, parameters, work.forward, work.backward, idle);
    end.dataParallel += tiedEmbeddingSeconds(plan, stage);
    end.optimizer = optimizerWork(plan, parameters) + orthogonalWork(plan, stage);
    if (plan.offload == Offload::None)
        return end;
    const double offload = offloadSeconds(plan, parameters);
    // At the speed of light the host's link and its update work beside the device and its network.
    end.wait = plan.ideal ? std::max(0.0, offload - passes - end.dataParallel) : offload;
    end.optimizer.seconds += end.wait;
    end.hostBytes = offloadedBytes(plan, each, parameters);
    return end;
}

/// The next step waits for the stage that ends last. Its bytes on the host are those of the stage that has most.
StageEnd latestEnd(const TrainingPlan& plan, const Stages& stages, std::size_t pace, const StageTime& paceWork,
                   double seconds, double passes) noexcept
{
    const ShardGroups groups = stepGroups(plan);
    const OffloadedParameter each = plan.offload == Offload::None ? OffloadedParameter{} : offloadedParameter(plan);
    StageEnd latest = endOf(plan, groups, pace, paceWork, seconds, passes, each);
    double most = latest.hostBytes;
    for (std::size_t stage = 0; stage < plan.layout.stages(); stage += plan.layout.alike(stage)) {
        if (stage == pace)
            continue;
        const StageEnd end = endOf(plan, groups, stage, stages.work(stage), seconds, passes, each);
        most = std::max(most, end.hostBytes);
        if (end.seconds() > latest.seconds())
            latest = end;
    }
    latest.hostBytes = most;
    return latest;
}

/// All micro-batches through the pipeline.
struct Passes {
    TrainingStep step;
    StageTime pace;   ///< one micro-batch on the slowest stage
    double seconds{}; ///< between two micro-batches there, the host's idle time in
    double apart{};   ///< the same with what it waits for the link between stages, and between the pieces of a few
};

[[gnu::flatten]] Passes passesOf(const TrainingPlan& plan, const Stages& stages) noexcept
{
    Passes passes;
    TrainingStep& step = passes.step;
    double all = 0; // s of one micro-batch through every stage
    for (std::size_t s = 0, count = 1; s < plan.layout.stages(); s += count) {
        count = plan.layout.alike(s);
        const double seconds = stages.seconds(s);
        all += double(count) * seconds;
        if (seconds > passes.seconds) {
            passes.seconds = seconds;
            step.stage = s;
        }
    }
    passes.pace = stages.work(step.stage);
    const double m = plan.microBatches;
    for (std::size_t i = 0; i < step.time.size(); ++i)
        step.time[i] = m * passes.pace.time[i];
    step.part(TimePart::Host) = m * stepWait(plan, step.stage, passes.pace.total());
    step.part(TimePart::PipelineBubble) = pipelineBubble(plan, all, passes.seconds, 2);
    step.part(TimePart::PipelineSend) = pipelineSends(plan, passes.seconds, 2);
    step.bytes = m * passes.pace.bytes;
    step.flop = m * passes.pace.flop;
    step.seconds = totalOf(step.time);
    // Stages wait for a slow link as for each other, and where few micro-batches are in pieces, from piece to piece.
    const double gaps = step.part(TimePart::PipelineBubble) - (all - passes.seconds) / plan.virtualPipeline;
    passes.apart = std::max(passes.seconds, pipelineLinkSeconds(plan)) + std::max(0.0, gaps) / m;
    return passes;
}

} // namespace

TrainingStep trainingStep(const TrainingPlan& plan) noexcept
{
    const Stages stages(plan);
    const Passes passes = passesOf(plan, stages);
    TrainingStep step = passes.step;
    const StageEnd end = latestEnd(plan, stages, step.stage, passes.pace, passes.apart, step.seconds);
    step.part(TimePart::DataParallel) += end.dataParallel;
    step.part(TimePart::OptimizerStep) = end.optimizer.seconds;
    step.waitS = end.wait;
    step.hostBytes = end.hostBytes;
    step.optimizerBytes = end.optimizer.bytes;
    step.flop += end.optimizer.flop;
    step.bytes += end.optimizer.bytes;
    step.seconds = totalOf(step.time);
    return step;
}

double hostForwardWait(const TrainingPlan& plan, std::size_t stage, double work) noexcept
{
    return hostWait(plan, plan.constants.hostRecompute - 1, stage, work);
}

TrainingPlan withoutDataExchange(const TrainingPlan& plan) noexcept
{
    TrainingPlan alone = plan;
    alone.sharding = Sharding::Fsdp; // one shard exchanges nothing
    alone.shards = alone.expertShards = alone.replicas = 1;
    alone.hostLink = std::numeric_limits<double>::infinity(); // and a shard on the host comes by at once
    return alone;
}

namespace
{

constexpr double roundedDown = 1 - 1e-9;

} // namespace

double leastStepSeconds(const TrainingPlan& plan) noexcept
{
    const TrainingPlan alone = withoutDataExchange(plan);
    return passesOf(alone, Stages(alone)).step.seconds * roundedDown;
}

double leastStepSeconds(const TrainingPlan& plan, const StepOperators& operators) noexcept
{
    const TrainingPlan alone = withoutDataExchange(plan);
    return passesOf(alone, Stages(alone, operators)).step.seconds * roundedDown;
}

} // namespace headroom
