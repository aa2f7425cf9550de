// SPDX-License-Identifier: GPL-3.0-or-later
// PlanInputs: what a plan asks for beyond the scenario — machines, limits, users, freedom — and the request they make.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/plan/planner.hpp"

#include <QStringList>
#include <QVariantMap>
#include <functional>

namespace headroom::ui
{

/// Kept with the scenario (Scenario::plan), and in the settings for one that has asked nothing yet.
struct PlanInputs {
    double fewestGpus = 1, mostGpus = 1024;
    QStringList accelerators; ///< catalogue ids; the scenario's own is compared with them anyway
    QVariantMap prices;       ///< per GPU-hour, by catalogue id: typed while the scenario had that accelerator
    PlanObjective objective = PlanObjective::Cost;
    std::optional<double> costPerHour;
    std::optional<double> deadlineDays, budget; ///< training
    std::optional<double> users;                ///< inference: in place of requests a second
    double thinkS = 10;
    bool formats = false; ///< number formats may change
    bool offload = false; ///< states may leave the accelerator (training)
    bool slowEnd = false; ///< targets hold at the slow end of the interval
    bool operator==(const PlanInputs&) const = default;

    [[nodiscard]] QVariantMap toMap() const;
    /// As a scenario keeps it.
    [[nodiscard]] PlanQuestion toQuestion() const;
    [[nodiscard]] static PlanInputs fromQuestion(const PlanQuestion& question);
    /// What is missing or makes no sense takes its default.
    [[nodiscard]] static PlanInputs fromMap(const QVariantMap& map);
};

using IsParameterLocked = std::function<bool(std::string_view parameterId)>;

/// What the search may choose: the usual, what the inputs free, less what is locked.
[[nodiscard]] PlanDimensions freedom(const PlanInputs& inputs, const IsParameterLocked& isLocked);

/// The question as plan() takes it; locked parameters hold the scenario's values. Refused in words where the inputs
/// ask for nothing (no requests), or for something the base does not have (a price).
[[nodiscard]] Expected<PlanRequest> planRequest(const PlanInputs& inputs, const PreparedScenario& base,
                                                const Catalog& catalog, const IsParameterLocked& isLocked);

} // namespace headroom::ui
