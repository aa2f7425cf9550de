// SPDX-License-Identifier: GPL-3.0-or-later
// Training layer: the operators of one kind of layer, of the head and of the loss, per rank and micro-batch.
#pragma once

#include "core/predict/training/training_plan.hpp"

#include <array>
#include <string_view>

namespace headroom
{

/// What an operator executes, moves and takes.
struct Work {
    double flop = 0, bytes = 0, seconds = 0;
    Work& operator+=(const Work& other) noexcept
    {
        flop += other.flop;
        bytes += other.bytes;
        seconds += other.seconds;
        return *this;
    }
    friend Work operator+(Work a, const Work& b) noexcept { return a += b; }
    friend Work operator*(double factor, Work w) noexcept
    {
        return {factor * w.flop, factor * w.bytes, factor * w.seconds};
    }
};

/// One operator: its work forward and backward, per rank and micro-batch.
struct TrainingOperator {
    std::string_view name;
    TimePart part = TimePart::Matmul;
    bool wide = false; ///< runs in 16 bit whatever the precision
    double again = 0;  ///< share of the forward that recomputation runs twice
    Work forward, backward;
};

/// Takes operators one by one, as they are worked out.
class OperatorSink
{
public:
    virtual ~OperatorSink() = default;
    virtual void add(const TrainingOperator& item) noexcept = 0;
};

/// A short list without allocation.
class OperatorList final : public OperatorSink
{
public:
    void add(const TrainingOperator& item) noexcept override
    {
        if (m_size < m_items.size())
            m_items[m_size++] = item;
    }
    [[nodiscard]] const TrainingOperator* begin() const noexcept { return m_items.data(); }
    [[nodiscard]] const TrainingOperator* end() const noexcept { return m_items.data() + m_size; }

private:
    std::array<TrainingOperator, 16> m_items; ///< the longest layer (MLA and shared experts, QLoRA) has 15
    std::size_t m_size = 0;
};

/// One layer, without communication.
void addLayerOperators(const TrainingPlan& plan, const LayerKind& kind, OperatorSink& sink) noexcept;
[[nodiscard]] OperatorList layerOperators(const TrainingPlan& plan, const LayerKind& kind) noexcept;
/// LM head and loss.
void addHeadOperators(const TrainingPlan& plan, OperatorSink& sink) noexcept;
[[nodiscard]] OperatorList headOperators(const TrainingPlan& plan) noexcept;

} // namespace headroom
