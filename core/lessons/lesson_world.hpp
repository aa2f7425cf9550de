// SPDX-License-Identifier: GPL-3.0-or-later
// LessonWorld: what a lesson's figures are computed with; evaluates scenarios, changed ones too, and judges conditions.
#pragma once

#include "core/lessons/lesson.hpp"
#include "core/predict/evaluate.hpp"

#include <optional>
#include <span>

namespace headroom
{

struct LessonMoment {
    PreparedScenario prepared;
    Evaluation evaluation;
};

/// Evaluates for lessons.
class LessonWorld final
{
public:
    LessonWorld(const Catalog& catalog, std::shared_ptr<const Calibration> calibration);

    /// Empty where the scenario is refused.
    [[nodiscard]] std::optional<LessonMoment> at(const Scenario& scenario) const;
    /// A figure of a scenario; empty where it is refused or the figure is not defined.
    [[nodiscard]] std::optional<double> figure(std::string_view id, const Scenario& scenario) const;

    /// Whether all hold of `now`; `entry` is the scenario that the step began with.
    [[nodiscard]] bool hold(std::span<const LessonCondition> conditions, const Scenario& entry,
                            const Scenario& now) const;

private:
    [[nodiscard]] bool holds(const LessonCondition& condition, const Scenario& entry, const Scenario& now) const;

    Catalog m_catalog;
    std::shared_ptr<const Calibration> m_calibration;
};

/// The scenario with the changes made, one after the other.
[[nodiscard]] Scenario edited(Scenario scenario, std::span<const LessonEdit> edits);

} // namespace headroom
