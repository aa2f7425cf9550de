// SPDX-License-Identifier: GPL-3.0-or-later
// AskedPlan: the question of a plan that is in force: the scenario's own, else the last that was asked.
#pragma once

#include "ui/plan/plan_inputs.hpp"

namespace headroom::ui
{

class ScenarioStore;
class Settings;

class AskedPlan
{
public:
    AskedPlan(ScenarioStore& store, Settings& settings);

    [[nodiscard]] const PlanInputs& inputs() const { return m_inputs; }
    /// Asks something else. It becomes the scenario's question, saved with it and one step to undo, whose change
    /// adopt() then finds; true where it is in force at once, because the document is set aside.
    [[nodiscard]] bool ask(const PlanInputs& inputs);
    /// After another scenario: takes its question. True where it is another one.
    [[nodiscard]] bool adopt();
    /// For a scenario that is about to have another accelerator: the same question, in which the present one is
    /// compared from then on, at the price that it has here.
    [[nodiscard]] PlanInputs withAccelerator() const;
    /// Whether a list has a price of it, of the kind that the scenario pays.
    [[nodiscard]] bool isListed(const Accelerator& accelerator) const;
    /// Catalogue ids of the accelerators to compare whose price is typed or has to be.
    [[nodiscard]] QStringList unlisted(const Catalog& catalog) const;

private:
    ScenarioStore& m_store;
    Settings& m_settings;
    PlanInputs m_inputs, m_usual; ///< m_usual: of a scenario that has asked nothing
};

} // namespace headroom::ui
