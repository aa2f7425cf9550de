// SPDX-License-Identifier: GPL-3.0-or-later
// LayoutParts: parts of a layout that software may lack, and the one table of what each stack has.
#pragma once

#include "core/scenario/scenario.hpp"

#include <bit>
#include <initializer_list>
#include <string>

namespace headroom
{

enum class LayoutPart : std::uint8_t {
    Tensor,
    Pipeline,
    Interleaving, ///< several pieces a pipeline stage (virtual_pipeline)
    Context,
    Expert,
    AttentionData,
    Zero1,
    Zero2,
    Fsdp
};
inline constexpr std::size_t layoutPartCount = 9;

/// A set of LayoutPart.
struct LayoutParts {
    std::uint16_t bits = 0;

    constexpr LayoutParts() = default;
    constexpr LayoutParts(std::initializer_list<LayoutPart> parts)
    {
        for (const LayoutPart part : parts)
            add(part);
    }
    constexpr void add(LayoutPart part) noexcept { bits |= std::uint16_t(1U << unsigned(part)); }
    [[nodiscard]] constexpr bool has(LayoutPart part) const noexcept { return (bits >> unsigned(part) & 1U) != 0; }
    [[nodiscard]] constexpr bool any() const noexcept { return bits != 0; }
    /// Those that `other` has not.
    [[nodiscard]] constexpr LayoutParts without(LayoutParts other) const noexcept
    {
        LayoutParts rest;
        rest.bits = std::uint16_t(bits & ~unsigned(other.bits));
        return rest;
    }
    /// Precondition: any().
    [[nodiscard]] constexpr LayoutPart first() const noexcept { return LayoutPart(std::countr_zero(bits)); }
    [[nodiscard]] constexpr LayoutParts both(LayoutParts other) const noexcept { return without(without(other)); }
};

/// What the task's software does not have beside so many pipeline stages. Empty where nothing is known to be missing:
/// well-tuned software has everything.
[[nodiscard]] LayoutParts missingParts(const Setup& setup, std::int64_t pipeline) noexcept;
/// Of them, what the layout of `setup` has all the same.
[[nodiscard]] LayoutParts lackedParts(const Setup& setup) noexcept;
/// Whether `after` lacks something that `before` did not ask for: no advice leads there.
[[nodiscard]] inline bool lacksMore(const Setup& after, const Setup& before) noexcept
{
    return lackedParts(after).without(lackedParts(before)).any();
}
/// Whether there is any; at once where the software is well tuned.
[[nodiscard]] inline bool lacksParts(const Setup& setup) noexcept
{
    const bool tuned = setup.task == Task::Training ? setup.training.software == TrainingSoftware::Tuned
                                                    : setup.inference.software == InferenceSoftware::Tuned;
    return !tuned && lackedParts(setup).any();
}
/// Whether ZeRO-2 or FSDP are missing only because of the pipeline stages of `setup` (DeepSpeed).
[[nodiscard]] bool pipelinesRefuseSharding(const Setup& setup) noexcept;

/// The id of the parameter that asks for a part: "tensor".
[[nodiscard]] std::string_view parameterOf(LayoutPart part) noexcept;
/// "tensor parallelism, FSDP".
[[nodiscard]] std::string partsText(LayoutParts parts);
/// What people call the task's software: "PyTorch DDP".
[[nodiscard]] std::string softwareName(const Setup& setup);

} // namespace headroom
