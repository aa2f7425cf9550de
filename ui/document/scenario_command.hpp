// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioCommand: the one kind of undo step, a pair of scenarios; steps of one gesture merge into one.
#pragma once

#include "core/scenario/scenario.hpp"

#include <QUndoCommand>
#include <cstdint>
#include <functional>

namespace headroom::ui
{

class ScenarioCommand final : public QUndoCommand
{
public:
    using Apply = std::function<void(const Scenario&)>;

    /// `gesture` ≤ 0 never merges.
    ScenarioCommand(Scenario before, Scenario after, int gesture, const QString& text, Apply apply);

    /// What the step changes of what a file holds. Pins: those alone, which belong to a document that has a file.
    enum class Changes : std::uint8_t { Document, Pins, Nothing };
    void setChanges(Changes changes) { m_changes = changes; }
    [[nodiscard]] bool changesDocument(bool hasFile) const
    {
        return m_changes == Changes::Document || (m_changes == Changes::Pins && hasFile);
    }

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    [[nodiscard]] int id() const override { return m_gesture > 0 ? m_gesture : -1; }
    /// Takes over a later step of the same gesture; back where the gesture began, the step is void.
    bool mergeWith(const QUndoCommand* later) override;

private:
    Scenario m_before, m_after;
    int m_gesture;
    Apply m_apply;
    Changes m_changes = Changes::Document;
};

} // namespace headroom::ui
