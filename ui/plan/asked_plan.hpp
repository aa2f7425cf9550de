// SPDX-License-Identifier: GPL-3.0-or-later
// AskedPlan: the question of a plan that is in force: the scenario's own, else the last that was asked.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/scenario/plan_rows.hpp"

#include <QStringList>
#include <QVariantMap>

namespace headroom::ui
{

class ScenarioStore;
class Settings;

/// A question as the settings keep it, for a scenario that has asked nothing yet.
[[nodiscard]] QVariantMap toSettings(const PlanQuestion& question);
/// What is missing or makes no sense takes its default.
[[nodiscard]] PlanQuestion questionFromSettings(const QVariantMap& map);

class AskedPlan
{
public:
    AskedPlan(ScenarioStore& store, Settings& settings);

    [[nodiscard]] const PlanQuestion& question() const { return m_question; }
    /// Asks something else. It becomes the scenario's question, saved with it and one step to undo, whose change
    /// adopt() then finds; true where it is in force at once, because the document is set aside.
    [[nodiscard]] bool ask(const PlanQuestion& question);
    /// After another scenario: takes its question. True where it is another one.
    [[nodiscard]] bool adopt();
    /// For a scenario that is about to have another accelerator: the same question, in which the present one is
    /// compared from then on, at the price that it has here.
    [[nodiscard]] PlanQuestion withAccelerator() const;
    /// Whether a list has a price of it, of the kind that the scenario pays.
    [[nodiscard]] bool isListed(const Accelerator& accelerator) const;
    /// Catalogue ids of the accelerators to compare whose price is typed or has to be.
    [[nodiscard]] QStringList unlisted(const Catalog& catalog) const;

private:
    ScenarioStore& m_store;
    Settings& m_settings;
    PlanQuestion m_question, m_usual; ///< m_usual: of a scenario that has asked nothing
};

} // namespace headroom::ui
