// SPDX-License-Identifier: GPL-3.0-or-later
// SliderScale: the map between a slider's whole positions and a parameter's values, with its snap points.
#pragma once

#include "core/scenario/parameter_registry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace headroom
{

/// The ends of a slider, both possible values of its parameter, the lower one first.
struct SliderBounds {
    double low = 0, high = 1;
    bool operator==(const SliderBounds&) const = default;
};

/// Positions to values and back, with the keys' steps.
class SliderScale final
{
public:
    /// With fewer steps, small whole values of a wide log range cannot be reached.
    static constexpr int steps = 4096;

    explicit SliderScale(const ParameterRow& row);

    /// The range grows to hold `value` (a typed one may lie beyond the slider's first range), never shrinks below that.
    void include(double value);
    /// Other ends than the registry's; empty = the registry's. Nothing for choices and toggles.
    void setBounds(const std::optional<SliderBounds>& bounds);

    [[nodiscard]] double minimum() const { return m_minimum; }
    [[nodiscard]] double maximum() const { return m_maximum; }
    /// Only the snap points exist (choices, toggles).
    [[nodiscard]] bool isStepped() const { return m_stepped; }
    [[nodiscard]] const std::vector<double>& snaps() const { return m_snaps; }

    /// Other snap points than the registry's, ascending; empty = the registry's. Nothing for choices and toggles.
    void setSnaps(const std::vector<double>& snaps);

    /// Whole for whole parameters; within the range.
    [[nodiscard]] double toValue(double position) const;
    [[nodiscard]] int toPosition(double value) const;

    /// The next snap point up (+1) or down (−1); the bound where there is none.
    [[nodiscard]] double nextSnap(double value, int direction) const;
    /// A small step: one for whole numbers, else a hundredth of the range.
    [[nodiscard]] double fineStep(double value, int direction) const;
    /// Twice or half on log scales, a tenth of the range on linear ones.
    [[nodiscard]] double pageStep(double value, int direction) const;

    /// Short label of a tick: "4", "8k", "50".
    [[nodiscard]] std::string tickLabel(double value) const;

private:
    [[nodiscard]] double bounded(double value) const;
    void findFloor();

    const ParameterRow* m_row;
    SliderBounds m_ends; ///< before a value beyond them was included
    double m_minimum = 0, m_maximum = 1;
    double m_floor = 1; ///< smallest positive value of a log range that begins at zero
    bool m_log = false, m_stepped = false, m_whole = false;
    std::vector<double> m_snaps;
};

/// A choice in a few letters, for ticks and segments.
[[nodiscard]] std::string shortLabel(const ParameterChoice& choice);

/// k means 1024 for token counts of a sequence, 1000 for a corpus.
[[nodiscard]] bool usesBinaryK(const ParameterRow& row);

} // namespace headroom
