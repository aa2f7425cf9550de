// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of a training step one by one: the same terms that trainingStep() adds up.
#include "core/predict/evaluate.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_step.hpp"
#include "core/support/language.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom
{
namespace
{

constexpr std::array<std::pair<TimePart, std::string_view>, 8> remainders{{
    {TimePart::TensorParallel, phrase("tensor parallel communication")},
    {TimePart::ContextParallel, phrase("context parallel communication")},
    {TimePart::ExpertParallel, phrase("expert all-to-all")},
    {TimePart::DataParallel, phrase("data parallel communication")},
    {TimePart::PipelineBubble, phrase("pipeline bubble")},
    {TimePart::PipelineSend, phrase("pipeline sends")},
    {TimePart::OptimizerStep, phrase("optimizer")},
    {TimePart::Host, phrase("host")},
}};

/// Costs of equal names and parts gathered in one row.
class CostTable final
{
public:
    explicit CostTable(const TrainingPlan& plan) : m_plan(plan), m_again(plan) {}

    void add(const TrainingOperator& item, double times)
    {
        const DataType precision = item.wide ? sixteenBit() : m_plan.precision;
        addRow(item.name, item.part, times * (item.forward + item.backward), precision);
        if (const double again = m_again[item.repeated]; again > 0)
            addRow(item.name, TimePart::Recompute, times * again * item.forward, precision, item.part);
    }
    void addRow(std::string_view name, TimePart part, const Work& work, DataType precision,
                std::optional<TimePart> repeats = {})
    {
        if (work.seconds <= 0)
            return;
        const auto same =
            std::ranges::find_if(rows, [&](const OperatorCost& row) { return row.name == name && row.part == part; });
        if (same == rows.end()) {
            rows.push_back({std::string(name), part, work.flop, work.bytes, work.seconds, precision, repeats});
            return;
        }
        same->flop += work.flop;
        same->bytes += work.bytes;
        same->timeS += work.seconds;
    }
    [[nodiscard]] double seconds(TimePart part) const
    {
        double sum = 0;
        for (const OperatorCost& row : rows)
            sum += row.part == part ? row.timeS : 0;
        return sum;
    }

    std::vector<OperatorCost> rows;

private:
    [[nodiscard]] DataType sixteenBit() const
    {
        return m_plan.width == MatmulClass::Bits16 ? m_plan.precision : DataType::Bf16;
    }
    const TrainingPlan& m_plan;
    RepeatedShares m_again;
};

} // namespace

OperatorList layerOperators(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    OperatorList list;
    addLayerOperators(plan, kind, list);
    return list;
}

OperatorList headOperators(const TrainingPlan& plan) noexcept
{
    OperatorList list;
    addHeadOperators(plan, list);
    return list;
}

StepOperators stepOperators(const TrainingPlan& plan) noexcept
{
    StepOperators operators{{}, headOperators(plan)};
    operators.layers.reserve(plan.model->kinds.size());
    for (const LayerKind& kind : plan.model->kinds)
        operators.layers.push_back(layerOperators(plan, kind));
    return operators;
}

std::vector<OperatorCost> trainingOperatorCosts(const PreparedScenario& prepared)
{
    WarningSet ignored;
    TrainingPlan plan = planTraining(prepared, ignored);
    resolveUnstated(plan, ignored);
    const TrainingStep step = trainingStep(plan);
    CostTable table(plan);
    for (std::size_t k = 0; k < plan.model->kinds.size(); ++k)
        for (const TrainingOperator& item : layerOperators(plan, plan.model->kinds[k]))
            table.add(item, plan.microBatches * plan.layout.layers(step.stage, k));
    if (step.stage == plan.layout.last())
        for (const TrainingOperator& item : headOperators(plan))
            table.add(item, plan.heads() * plan.microBatches);
    // Communication that recomputation repeats belongs to no operator.
    const double repeated = step.part(TimePart::Recompute) - table.seconds(TimePart::Recompute);
    if (repeated > 1e-9 * step.seconds)
        table.addRow(phrase("communication"), TimePart::Recompute, {0, 0, repeated}, plan.precision,
                     TimePart::TensorParallel);
    for (const auto& [part, name] : remainders) {
        const double bytes = part == TimePart::OptimizerStep ? step.optimizerBytes : 0;
        table.addRow(name, part, {0, bytes, step.part(part)}, plan.precision);
    }
    return std::move(table.rows);
}

} // namespace headroom
