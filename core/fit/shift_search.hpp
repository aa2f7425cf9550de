// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/fit: ShiftSearch finds the multipliers that bring one kind of figure nearest to its measurements, and
// chooses those that the runs can tell.
#pragma once

#include "core/fit/run_figures.hpp"

#include <span>
#include <vector>

namespace headroom
{

/// Beyond these a multiplier explains no machine; the run was another one than the scenario says.
inline constexpr double lowestShift = 0.1, highestShift = 4;

class ShiftSearch final
{
public:
    /// The runs that have this figure; `parts`: the multipliers that are there already.
    ShiftSearch(std::span<const PreparedScenario> runs, Residual residual, const Efficiency& parts);

    /// Multipliers and what they leave.
    struct Found {
        std::vector<const Knob*> knobs{};
        std::vector<double> logs{}; ///< ln of the factor of each
        std::vector<double> residuals{};
        double loss = 0;     ///< robustLoss() the residuals
        bool atEnd = false;  ///< one of them lies at an end of its range: nothing was found
        bool untold = false; ///< a part of it could as well be the network's
    };

    [[nodiscard]] std::size_t size() const { return m_runs.size(); }
    /// Least loss over these multipliers at once.
    [[nodiscard]] Found found(const std::vector<const Knob*>& knobs) const;
    /// Which of `first` and `others` (links) to move: each only where the runs differ in it, and `first` (compute) is
    /// not made faster where that pays back a slow link. Without any that is inside its range: `first`, at its end.
    [[nodiscard]] Found chosen(const Knob& first, std::span<const Knob* const> others) const;
    /// Residuals at these multipliers, one for each run.
    [[nodiscard]] std::vector<double> residualsAt(const std::vector<const Knob*>& knobs,
                                                  const std::vector<double>& logs) const;

private:
    [[nodiscard]] Found golden(const Knob& knob) const;
    [[nodiscard]] Found descended(const std::vector<const Knob*>& knobs, double start) const;
    [[nodiscard]] std::vector<double> sensitivity(const Found& at, const Knob& knob) const;
    [[nodiscard]] bool matters(const Knob& knob) const;
    [[nodiscard]] bool tells(const Found& at, const Knob& first) const;
    [[nodiscard]] double score(const Found& found) const;

    mutable std::vector<PreparedScenario> m_runs; ///< their efficiencies change while they are tried
    Residual m_residual;
    Efficiency m_parts;
};

/// Huber's loss: squares up to 5 %, beyond it the error itself, so that few strange runs do not decide.
[[nodiscard]] double robustLoss(const std::vector<double>& residuals);
/// Median |predicted ÷ measured − 1|; 0 of none.
[[nodiscard]] double medianError(const std::vector<double>& residuals);
/// Whether multipliers are worth it: the median error falls by a twentieth at least, or there was none.
[[nodiscard]] bool isNearer(double before, double after);

} // namespace headroom
