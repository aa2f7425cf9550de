// SPDX-License-Identifier: GPL-3.0-or-later
// RandomScenarios: scenarios drawn from the ranges of the parameter registry, the same on every machine.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/predict/evaluate.hpp"

#include <cstdint>
#include <random>

namespace headroom::test
{

/// Draws models, accelerators and slider values that go together. Equal seeds give equal scenarios.
class RandomScenarios final
{
public:
    explicit RandomScenarios(std::uint64_t seed);

    [[nodiscard]] PreparedScenario next(Task task);
    /// The scenario evaluated, with `pins` more of the same task beside it.
    [[nodiscard]] ChartContext nextContext(Task task, int pins);

private:
    /// A prefill pool for some; whether it serves depends on the scheduling.
    void addPool(Scenario& scenario);
    /// A step of reinforcement learning for some trainings.
    void addRl(PreparedScenario& prepared);
    /// Two phases for some trainings, the second with longer sequences.
    void addPhases(PreparedScenario& prepared);
    /// Spreads, hits and bursts for some.
    void addTraffic(Scenario& scenario);
    [[nodiscard]] Scenario draw(Task task);
    [[nodiscard]] double share(); ///< uniform in [0, 1), from the generator's bits: no library's distribution

    std::mt19937_64 m_bits;
    std::mt19937_64 m_poolBits;  ///< apart, so that pools change no other draw
    std::mt19937_64 m_phaseBits; ///< and phases none
    std::mt19937_64 m_rlBits;    ///< and reinforcement learning none
    Catalog m_catalog;
    std::shared_ptr<const Calibration> m_calibration;
};

} // namespace headroom::test
