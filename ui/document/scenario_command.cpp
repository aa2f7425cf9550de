// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_command.hpp"

namespace headroom::ui
{

ScenarioCommand::ScenarioCommand(Scenario before, Scenario after, int gesture, const QString& text, Apply apply)
    : QUndoCommand(text), m_before(std::move(before)), m_after(std::move(after)), m_gesture(gesture),
      m_apply(std::move(apply))
{
}

bool ScenarioCommand::mergeWith(const QUndoCommand* later)
{
    const auto* command = dynamic_cast<const ScenarioCommand*>(later);
    if (!command || command->id() != id())
        return false;
    m_after = command->m_after;
    setText(command->text());
    setObsolete(m_after == m_before);
    return true;
}

} // namespace headroom::ui
