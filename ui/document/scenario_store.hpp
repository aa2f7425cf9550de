// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioStore: the single source of truth of a window: the scenario, what is pinned, what is locked, and undo.
#pragma once

#include "core/explore/advice.hpp"
#include "core/scenario/scenario_json.hpp"
#include "ui/document/pins.hpp"

#include <QObject>
#include <QSet>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <optional>
#include <vector>

namespace headroom::ui
{

class ScenarioStore final : public QObject
{
    Q_OBJECT

public:
    using Change = std::function<void(Scenario&)>;

    explicit ScenarioStore(QObject* parent = nullptr);

    [[nodiscard]] const Scenario& scenario() const { return m_scenario; }

    /// A fresh id: edits that carry the same one are one undo step.
    [[nodiscard]] int newGesture() { return ++m_lastGesture; }
    /// Applies a change as an undo step; no step when nothing changes. `gesture` 0 never merges. A measurement stays
    /// with its settings, and another model, accelerator or task begins a scenario of the user's own (afterEdit() of
    /// core/scenario/measurement.hpp); not in what was set aside for: a lesson asks what a measurement would mean.
    void edit(int gesture, const QString& text, const Change& change);
    /// The edits of an advice, one undo step.
    void follow(const Advice& advice);
    /// Another model. Weights in 16 bit, unless locked, become what its checkpoint ships where that is quantized, as
    /// engines load it.
    void chooseModel(const QString& text, const ModelChoice& choice, const ModelArchitecture& model);
    /// Another accelerator of the catalogue. The price stays with the one that it is of, unless it is locked.
    void chooseAccelerator(const QString& text, const QString& id);
    /// Another scenario in its place, with a measurement of its own or none; one undo step.
    void replace(const QString& text, const Scenario& scenario);
    /// Sets a parameter within its hard range. Locked parameters stay as they are.
    void setParameter(int gesture, const ParameterRow& row, double value);
    void resetParameter(const ParameterRow& row);
    /// Resets all of them in one step; locked ones stay.
    void resetParameters(const QString& text, const std::vector<const ParameterRow*>& rows);
    void resetAll();

    /// Another document: the undo history begins anew, unmodified. `path` is empty for one without a file.
    void setDocument(const Scenario& scenario, const QString& path);
    void markSaved(const QString& path);
    /// What is pinned belongs to the file, where there is one: without a file nothing asks to be saved for a pin.
    [[nodiscard]] bool isModified() const { return m_aside ? m_aside->modified : isChanged(); }
    [[nodiscard]] const QString& path() const { return m_path; }

    /// Puts another scenario on the screen, one undo step, and the document with its pins aside: what is edited and
    /// pinned from here on is not the document, which is what gets saved. Ends with takeUp(), by undoing it, or with
    /// another document.
    void setAside(const QString& text, const Scenario& other);
    /// The document back on the screen, modified or not as it was. No step of what was tried meanwhile stays: undone or
    /// redone later, it would become the document. Nothing when none is aside.
    void takeUp();
    [[nodiscard]] bool isAside() const { return m_aside.has_value(); }
    /// What is saved: the scenario in hand, or the document that was set aside.
    [[nodiscard]] const Scenario& document() const { return m_aside ? m_aside->scenario : m_scenario; }
    /// The document's name, else the file's, else "Untitled".
    [[nodiscard]] QString title() const;
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// A step of what is no part of the document, such as the history of runs: `takeTurns` does it now, and undoes and
    /// does it by turns.
    void pushBeside(const QString& text, const std::function<void()>& takeTurns);

    [[nodiscard]] const std::vector<Pin>& pins() const { return m_pins.all(); }
    /// Pins the scenario on the next free letter, one undo step; false when all are taken.
    bool pinCurrent();
    /// One undo step; nothing where nothing is pinned.
    void clearPins();
    /// Others take the place of what is pinned, one undo step.
    void replacePins(const QString& text, const std::vector<SavedPin>& pins);
    /// Those of a file take the place of what is pinned: no undo step, for the file was opened.
    void setPins(const std::vector<SavedPin>& pins);
    [[nodiscard]] std::vector<SavedPin> savedPins() const { return (m_aside ? m_aside->pins : m_pins).saved(); }
    /// One undo step; cut to what a file may hold. Nothing without that pin.
    void setPinName(char letter, const QString& name);
    /// Takes the pinned scenario in hand and pins what was in hand in its place, one undo step for both; false without
    /// that pin. Undo leaves a pin alone that has come to hold something else.
    bool swapWithPin(char letter);

    /// Back to the settings that were measured; those in hand are what was measured; without the measurement. Each one
    /// undo step.
    void returnToMeasurement();
    void measureHere();
    void dropMeasurement();

    /// A hand holds a slider: what is drawn keeps its axes until it lets go.
    void setHeld(bool held);
    [[nodiscard]] bool isHeld() const { return m_held; }

    [[nodiscard]] bool isLocked(std::string_view parameterId) const;
    void setLocked(std::string_view parameterId, bool locked);
    /// What advice leaves alone.
    [[nodiscard]] IsHeld locks() const;

signals:
    void scenarioChanged();
    void pinsChanged();
    void locksChanged();
    void heldChanged(bool held);
    /// The measurement is of other settings than before (measureHere()).
    void measurementMoved();
    /// Path or modified state changed: the title needs a look.
    void documentChanged();

private:
    struct Aside {
        Scenario scenario;
        Pins pins;
        bool modified = false;
        int undoIndex = 0; ///< of the undo history: at it, or before it, the document is in hand again
        int begin = 0;     ///< where the undo history stood
    };

    void apply(const Scenario& scenario);
    [[nodiscard]] bool isChanged() const;
    /// Pins in place of the others, one undo step, which brings the scenario `in`, too.
    void pushPins(const QString& text, const Pins& after, const Scenario& in);
    void push(int gesture, const QString& text, Scenario after);
    /// No step is left to be redone.
    void forgetRedo();

    Scenario m_scenario;
    std::optional<Aside> m_aside;
    QString m_path;
    Pins m_pins;
    QSet<QString> m_locked;
    QUndoStack m_undo;
    int m_lastGesture = 0;
    bool m_held = false, m_toldModified = false;
};

} // namespace headroom::ui
