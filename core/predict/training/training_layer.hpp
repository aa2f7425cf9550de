// SPDX-License-Identifier: GPL-3.0-or-later
// Training layer: the operators of one kind of layer, of the head and of the loss, per rank and micro-batch.
#pragma once

#include "core/predict/training/training_plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

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

/// Which of a plan's shares says how much of an operator's forward pass runs twice.
enum class Repeated : std::uint8_t { Never, Matmul, Attention, MemoryBound, Experts, Expansion };
/// Those shares. Expansion: from the latents of multi-head latent attention, which may be kept alone.
class RepeatedShares final
{
public:
    explicit RepeatedShares(const TrainingPlan& plan) noexcept
        : m_shares{0,
                   plan.again.matmul,
                   plan.again.attention,
                   plan.again.memoryBound,
                   plan.again.experts,
                   std::max(plan.projectAgain, plan.again.matmul)}
    {
    }
    [[nodiscard]] double operator[](Repeated repeated) const noexcept
    {
        return m_shares[static_cast<std::size_t>(repeated)];
    }

private:
    std::array<double, 6> m_shares; ///< in the order of Repeated
};

/// One operator: its work forward and backward, per rank and micro-batch. Neither recomputation nor the way in which
/// states are kept changes it.
struct TrainingOperator {
    std::string_view name;
    TimePart part = TimePart::Matmul;
    bool wide = false; ///< runs in 16 bit whatever the precision
    Repeated repeated = Repeated::Never;
    Work forward, backward;
};

/// Takes operators one by one, as they are worked out.
class OperatorSink
{
public:
    virtual ~OperatorSink() = default;
    virtual void add(const TrainingOperator& item) noexcept = 0;
    virtual void endOfMixer() noexcept {} ///< those that follow are not of the layer's mixer
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

/// All of a layer, or what comes after its mixer.
enum class LayerPart : std::uint8_t { All, BehindMixer };
/// One layer, without communication. It is compiled as one function with all that it calls, as the head is: calls cost
/// as much as the sums.
void addLayerOperators(const TrainingPlan& plan, const LayerKind& kind, OperatorSink& sink,
                       LayerPart part = LayerPart::All) noexcept;
[[nodiscard]] OperatorList layerOperators(const TrainingPlan& plan, const LayerKind& kind) noexcept;
/// LM head and loss.
void addHeadOperators(const TrainingPlan& plan, OperatorSink& sink) noexcept;
[[nodiscard]] OperatorList headOperators(const TrainingPlan& plan) noexcept;

/// The operators of all kinds of layers (by their index in ModelProfile::kinds) and of the head.
struct StepOperators {
    std::vector<OperatorList> layers;
    OperatorList head;
};
[[nodiscard]] StepOperators stepOperators(const TrainingPlan& plan) noexcept;

} // namespace headroom
