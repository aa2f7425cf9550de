// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingStates: memory of weights, gradients and optimizer states under every sharding of a block.
#pragma once

#include "core/plan/planner_space.hpp"
#include "core/predict/training/training_memory.hpp"

#include <algorithm>

namespace headroom::planner
{

class TrainingStates final
{
public:
    explicit TrainingStates(const PlanSpace& space) : m_space(space), m_scenario(space.request().base) {}

    /// Forgets the last block. `choices` has to stay.
    void enter(const TrainingChoices& choices)
    {
        m_choices = &choices;
        m_known.clear();
    }

    struct Entry {
        std::int64_t virtualPipeline = 1;
        std::vector<StageStates> bytes; ///< by index of choices.shardings
        double leastShare = 0;          ///< of the device's memory, by the leanest of them
    };
    /// Of the block with the point's virtual pipeline size; valid until the next call.
    [[nodiscard]] const Entry& of(PlanPoint point)
    {
        const auto found = std::ranges::find(m_known, point.virtualPipeline, &Entry::virtualPipeline);
        if (found != m_known.end())
            return *found;
        Entry entry{point.virtualPipeline, {}, 0};
        for (const ShardingChoice& choice : m_choices->shardings) {
            choose(point, choice);
            m_space.apply(point, m_scenario);
            WarningSet ignored;
            const TrainingPlan plan = planTraining(m_scenario, ignored);
            entry.bytes.push_back(trainingStateBytes(plan));
            const double share = shareOf(TrainingDevice(plan), entry.bytes.back(), {});
            entry.leastShare = entry.bytes.size() > 1 ? std::min(entry.leastShare, share) : share;
        }
        return m_known.emplace_back(std::move(entry));
    }

    /// Share of the device's memory that states and activations take, the fuller stage's.
    [[nodiscard]] static double shareOf(const TrainingDevice& device, const StageStates& states,
                                        const StageActivationBytes& activations)
    {
        return device.bytes(peakBytes(states, activations)) / std::max(1.0, device.capacity);
    }

private:
    const PlanSpace& m_space;
    PreparedScenario m_scenario;
    const TrainingChoices* m_choices = nullptr;
    std::vector<Entry> m_known;
};

} // namespace headroom::planner
