// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_world.hpp"

#include "core/lessons/lesson_figure.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

bool compare(double found, LessonCondition::Relation relation, double wanted)
{
    constexpr double slack = 1e-9; // values that went through a slider and back
    switch (relation) {
    case LessonCondition::Relation::AtLeast:
        return found >= wanted * (1 - slack);
    case LessonCondition::Relation::AtMost:
        return found <= wanted * (1 + slack);
    case LessonCondition::Relation::Equal:
        return std::abs(found - wanted) <= slack * std::max(1.0, std::abs(wanted));
    }
    return false;
}

} // namespace

LessonWorld::LessonWorld(const Catalog& catalog, std::shared_ptr<const Calibration> calibration)
    : m_catalog(catalog), m_calibration(std::move(calibration))
{
}

std::optional<LessonMoment> LessonWorld::at(const Scenario& scenario) const
{
    auto prepared = prepare(scenario, m_catalog, m_calibration);
    if (!prepared)
        return std::nullopt;
    const Evaluation evaluation = evaluate(*prepared);
    return LessonMoment{std::move(*prepared), evaluation};
}

std::optional<double> LessonWorld::figure(std::string_view id, const Scenario& scenario) const
{
    const auto figure = lessonFigure(id);
    const auto moment = figure ? at(scenario) : std::nullopt;
    return moment ? valueOf(*figure, moment->prepared, moment->evaluation) : std::nullopt;
}

bool LessonWorld::hold(std::span<const LessonCondition> conditions, const Scenario& entry, const Scenario& now) const
{
    return std::ranges::all_of(conditions, [&](const LessonCondition& each) { return holds(each, entry, now); });
}

bool LessonWorld::holds(const LessonCondition& condition, const Scenario& entry, const Scenario& now) const
{
    switch (condition.subject) {
    case LessonCondition::Subject::Model:
        return now.model.id == condition.name;
    case LessonCondition::Subject::Accelerator:
        return now.accelerator.id == condition.name;
    case LessonCondition::Subject::Parameter: {
        const ParameterRow* row = parameterRow(condition.name);
        return row && compare(row->get(now), condition.relation, condition.value);
    }
    case LessonCondition::Subject::Figure:
        break;
    }
    const auto value = figure(condition.name, now);
    const auto before = condition.timesEntry ? figure(condition.name, entry) : 1.0;
    return value && before && compare(*value, condition.relation, condition.value * *before);
}

Scenario edited(Scenario scenario, std::span<const LessonEdit> edits)
{
    for (const LessonEdit& edit : edits) {
        const ParameterRow* row = parameterRow(edit.name);
        switch (edit.kind) {
        case LessonEdit::Kind::Set:
            if (row)
                row->set(scenario, std::clamp(edit.value, row->minimum, row->maximum));
            break;
        case LessonEdit::Kind::Reset:
            if (row)
                row->reset(scenario);
            break;
        case LessonEdit::Kind::Model:
            scenario.model = {edit.name, {}};
            break;
        case LessonEdit::Kind::Accelerator:
            scenario.accelerator = {edit.name, {}};
            break;
        }
    }
    return scenario;
}

} // namespace headroom
