// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_space.hpp"

#include "core/plan/planner_layouts.hpp"
#include "core/scenario/effective.hpp"

namespace headroom::planner
{

PlanSpace::PlanSpace(const PlanRequest& request)
    : m_request(request), m_hasReaders(hasPrefillPool(request.base)), m_readers(readersOf(request))
{
    if (request.base.task == Task::Training) {
        m_blocks = trainingLayouts(request);
    } else {
        m_batches = batchesOf(request);
        m_blocks = servingLayouts(request);
    }
}

std::uint64_t PlanSpace::count(const PlanPoint& block) const
{
    return m_request.base.task == Task::Training ? trainingChoices(m_request, block).count() : m_batches.size();
}

void PlanSpace::apply(const PlanPoint& point, PreparedScenario& s) const
{
    applyPoint(m_request, point, s);
    if (m_readers.empty())
        return;
    const PlanReader& reader = m_readers[point.reader];
    InferenceWorkload& w = s.inference;
    w.prefillPool.tensor = reader.layout.tensor;
    w.prefillPool.pipeline = reader.layout.pipeline;
    w.prefillPool.context = reader.layout.context;
    w.prefillPool.expert = reader.layout.expert;
    w.prefillPool.attentionData = reader.layout.attentionData;
    w.prefillPool.count = point.readers > 0 ? std::optional(point.readers * reader.gpus) : std::nullopt;
    const bool same = reader.device.accelerator == s.accelerator;
    s.prefillAccelerator = same ? nullptr : reader.device.accelerator;
    w.prefillPool.accelerator = same ? std::nullopt : CatalogId::from(reader.device.accelerator->id);
    w.prefillPool.pricePerGpuHour =
        reader.device.pricePerGpuHour == s.hardware.pricePerGpuHour ? std::nullopt : reader.device.pricePerGpuHour;
    if (s.prefillPrice != reader.device.price)
        s.prefillPrice = reader.device.price;
}

std::optional<std::int64_t> PlanSpace::heldReaders(const PlanReader& reader) const
{
    const auto& held = m_request.base.inference.prefillPool.count;
    if (!held || isFree(PlanDimension::Replicas))
        return std::nullopt;
    return *held % reader.gpus == 0 ? *held / reader.gpus : 0;
}

} // namespace headroom::planner
