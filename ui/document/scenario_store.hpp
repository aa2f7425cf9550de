// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioStore: the single source of truth of a window: the scenario, what is pinned, what is locked, and undo.
#pragma once

#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario.hpp"

#include <QObject>
#include <QSet>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <vector>

namespace headroom::ui
{

struct Pin {
    char letter = 'A';
    Scenario scenario;
};

class ScenarioStore final : public QObject
{
    Q_OBJECT

public:
    static constexpr int maximumPins = 3;
    using Change = std::function<void(Scenario&)>;

    explicit ScenarioStore(QObject* parent = nullptr);

    [[nodiscard]] const Scenario& scenario() const { return m_scenario; }

    /// A fresh id: edits that carry the same one are one undo step.
    [[nodiscard]] int newGesture() { return ++m_lastGesture; }
    /// Applies a change as an undo step; no step when nothing changes. `gesture` 0 never merges.
    void edit(int gesture, const QString& text, const Change& change);
    /// Sets a parameter within its hard range. Locked parameters stay as they are.
    void setParameter(int gesture, const ParameterRow& row, double value);
    void resetParameter(const ParameterRow& row);
    /// Resets all of them in one step; locked ones stay.
    void resetParameters(const QString& text, const std::vector<const ParameterRow*>& rows);

    /// Another document: the undo history begins anew, unmodified. `path` is empty for one without a file.
    void setDocument(Scenario scenario, const QString& path);
    void markSaved(const QString& path);
    [[nodiscard]] bool isModified() const { return !m_undo.isClean(); }
    [[nodiscard]] const QString& path() const { return m_path; }
    /// The scenario's name, else the file's, else "Untitled".
    [[nodiscard]] QString title() const;
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    [[nodiscard]] const std::vector<Pin>& pins() const { return m_pins; }
    /// Pins the scenario on the next free letter; false when all are taken.
    bool pinCurrent();
    void clearPins();
    /// Takes the pinned scenario in hand, one undo step, and pins what was in hand in its place; false without that
    /// pin. Undo brings back what was in hand; the pins stay.
    bool swapWithPin(char letter);

    /// The settings have moved on from those that the scenario's measurement was stated with: observed figures are then
    /// of no run that anybody had.
    [[nodiscard]] bool isMeasurementForeign() const;

    /// A hand holds a slider: what is drawn keeps its axes until it lets go.
    void setHeld(bool held);
    [[nodiscard]] bool isHeld() const { return m_held; }

    [[nodiscard]] bool isLocked(std::string_view parameterId) const;
    void setLocked(std::string_view parameterId, bool locked);

signals:
    void scenarioChanged();
    void pinsChanged();
    void locksChanged();
    void heldChanged(bool held);
    /// Path or modified state changed: the title needs a look.
    void documentChanged();

private:
    void apply(const Scenario& scenario);

    Scenario m_scenario;
    Scenario m_measuredWith; ///< when the measurement was last stated
    QString m_path;
    std::vector<Pin> m_pins;
    QSet<QString> m_locked;
    QUndoStack m_undo;
    int m_lastGesture = 0;
    bool m_held = false;
};

} // namespace headroom::ui
