// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every pipeline stage of a service, each worked out by itself from the layers that lie on it.
#include "core/predict/inference/inference_memory.hpp"
#include "core/predict/inference/inference_pipeline.hpp"
#include "tests/support/physics.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::test_physics_stages
{
namespace
{

using namespace inference;

constexpr int scenarios = 6000; // of each check
constexpr double rounding = 1e-9;

/// Counts anew how many layers have the blocks of each kind.
void countBlocks(std::vector<LayerKind>& kinds)
{
    for (LayerKind& kind : kinds)
        kind.mixerLayers = kind.feedForwardLayers = 0;
    for (const LayerKind& kind : kinds) {
        kinds[kind.mixerOf].mixerLayers += kind.count;
        kinds[kind.feedForwardOf].feedForwardLayers += kind.count;
    }
}

/// The layers of one stage as a model of its own, with the embedding or the head where the stage has it. Its kinds are
/// the model's, some of them with no layer left; norms and other small weights are left out.
ModelProfile stageModel(const ModelProfile& model, std::size_t begin, std::size_t end)
{
    ModelProfile stage = model;
    for (std::size_t k = 0; k < stage.kinds.size(); ++k)
        stage.kinds[k].count = double(std::count(model.order.begin() + std::ptrdiff_t(begin),
                                                 model.order.begin() + std::ptrdiff_t(end), std::uint32_t(k)));
    countBlocks(stage.kinds);
    stage.layers = double(end - begin);
    stage.parameters.total = 0;
    const bool last = end == model.order.size();
    if (begin > 0)
        stage.embeddingParameters = 0;
    if (last && begin > 0 && stage.untiedHeadParameters <= 0)
        stage.untiedHeadParameters = stage.headWeights; // its own copy
    if (!last)
        stage.untiedHeadParameters = stage.headWeights = 0;
    return stage;
}

/// Calls `look` with each stage's model and whether it is the last.
template <typename Look>
void eachStage(const PreparedScenario& p, const Machine& m, const Look& look)
{
    std::size_t begin = 0;
    for (std::size_t stage = 0; stage < m.layout.stages(); ++stage) {
        const std::size_t end = begin + std::size_t(m.layout.layers(stage));
        look(stageModel(*p.model, begin, end), stage == m.layout.last());
        begin = end;
    }
}

std::string fullestHolds(const PreparedScenario& p)
{
    const Machine m = makeMachine(p, false);
    if (m.sizes.pipeline <= 1 || m.hostShare > 0)
        return {};
    const MemoryPlan plan = planMemory(p, m);
    const double batch = std::max(1.0, double(p.inference.batch));
    std::string wrong;
    eachStage(p, m, [&](const ModelProfile& model, bool last) {
        PreparedScenario alone = p;
        alone.model = std::shared_ptr<const ModelProfile>(std::shared_ptr<void>(), &model);
        alone.parallelism.pipeline = 1;
        Machine one = makeMachine(alone, false);
        one.speculation = {};
        // What a prompt takes while it is read is the same for all, and so is the room for drafts that wait.
        const MemoryPlan its = planMemory(alone, one);
        const auto needed = [&](double sequences) {
            const double logits = last ? its.logits(its.first, sequences) : 0;
            return its.first.weights + its.cache(its.first, sequences) + logits;
        };
        const StageNeed& most = plan.fullest(batch);
        const double counted = most.weights + plan.cache(most, batch) + plan.logits(most, batch);
        if (needed(batch) > counted * (1 + rounding))
            wrong += fmt::format("a stage of {} layers needs {:.6g} bytes, the fullest is said to need {:.6g}\n",
                                 model.layers, needed(batch), counted);
        if (plan.maxBatch >= 1 && needed(plan.maxBatch) > plan.capacity * (1 + rounding))
            wrong += fmt::format("{} sequences need {:.6g} of {:.6g} bytes on a stage\n", plan.maxBatch,
                                 needed(plan.maxBatch), plan.capacity);
    });
    return wrong;
}

std::string slowestPaces(const PreparedScenario& p)
{
    const Machine m = makeMachine(p, false);
    // Engines that split layers have one group under way: no stage waits for another.
    if (m.sizes.pipeline <= 1 || m.engine.splitsLayers)
        return {};
    const double batch = std::max(1.0, double(p.inference.batch));
    const PassShape answers = decodeShape(m, batch);
    const double decodeS = decodePass(p, m, batch).total(), groups = microBatches(m, batch);
    // As many prompts as stages, each behind the one before.
    const double prompts = m.sizes.pipeline * m.sizes.attentionData;
    const double promptsS = prefillPass(p, m, prompts).total();
    const double chunk = m.engine.chunkTokens > 0 ? std::min(1.0, m.engine.chunkTokens / promptLength(p.inference)) : 1;
    const PassShape prompt = promptShape(p, m, chunk);
    const bool several = p.model->kinds.size() > 1;
    std::string wrong;
    eachStage(p, m, [&](const ModelProfile& model, bool) {
        const double stageS = passCost(m, p, PassModel(model), answers, Routing::Even).total();
        if (groups * stageS > decodeS * (1 + rounding))
            wrong += fmt::format("{} groups take a stage {:.6g} s, a decode pass {:.6g} s\n", groups, groups * stageS,
                                 decodeS);
        if (!several)
            return; // of equal layers the mean with its share of the head is taken
        const double busyS =
            m.sizes.pipeline * std::floor(1 / chunk) * passCost(m, p, PassModel(model), prompt, Routing::Even).total();
        if (busyS > promptsS * (1 + rounding))
            wrong += fmt::format("prompts take a stage {:.6g} s, all stages {:.6g} s\n", busyS, promptsS);
    });
    return wrong;
}

} // namespace

class TestPhysicsStages : public QObject
{
    Q_OBJECT
private slots:
    void theFullestStageIsAsFullAsAny()
    {
        QVERIFY(test::physicsHolds("the fullest stage", Task::Inference, test::physicsCount(scenarios), fullestHolds));
    }
    void noStageIsSlowerThanThePace()
    {
        QVERIFY(test::physicsHolds("the slowest stage", Task::Inference, test::physicsCount(scenarios), slowestPaces));
    }
};
HEADROOM_TEST(TestPhysicsStages)

} // namespace headroom::test_physics_stages
#include "test_physics_stages.moc"
