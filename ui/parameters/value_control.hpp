// SPDX-License-Identifier: GPL-3.0-or-later
// ValueControl: what the value of a parameter is moved with: a box with a slider, a stepped slider, segments, a list or
// a tick.
#pragma once

#include "ui/document/scenario_store.hpp"
#include "ui/widgets/log_slider.hpp"
#include "ui/widgets/value_box.hpp"

#include <optional>

class QCheckBox;
class QComboBox;
class QKeyEvent;

namespace headroom::ui
{

class ElidedLabel;
class SegmentedControl;
class WheelGuard;

/// Shows the store's value and turns drags, keys and typed text into changes of the store; a drag or a held key is one
/// undo step. Its parts are children of the row around it, whose layout says where they stand.
class ValueControl final : public QObject
{
    Q_OBJECT

public:
    ValueControl(const ParameterRow& row, ScenarioStore& store, WheelGuard& guard, QWidget* parent);

    [[nodiscard]] ValueBox* box() const { return m_box; }        ///< null for choices and toggles
    [[nodiscard]] LogSlider* slider() const { return m_slider; } ///< null where there is none
    /// The widget that takes the keyboard.
    [[nodiscard]] QWidget* takesKeys() const;
    /// The part that stands beside the label; a slider stands below both.
    [[nodiscard]] QWidget* besideLabel() const { return m_beside; }
    /// The same where it is a list of choices, which may stand below the label as well; null for others.
    [[nodiscard]] QWidget* list() const { return m_combo || m_segments ? m_beside : nullptr; }
    /// px that besideLabel() takes with the widest of its values.
    [[nodiscard]] int widest() const;
    /// It grows no narrower than it is while a hand is on the row.
    void setWidthHeld(bool held);

    /// Shows what the store holds; `unset` stands in the box where nothing is set and no default has a value.
    void refresh(const QString& unset);
    /// The value that holds where another row decides instead of this one; empty where it is not known.
    void setInForce(const std::optional<double>& value) { m_inForce = value; }
    /// What a key does while the keyboard is on this, or on the lock of the row; false = nothing.
    bool handleKey(QKeyEvent* event);
    /// Back to what holds where nothing is set.
    void reset();
    [[nodiscard]] bool isRefused() const { return m_box && m_box->isRefused(); }
    /// What was typed is given up.
    void endRefusal();

signals:
    /// The value was changed or taken back here.
    void edited();
    /// An edit is over, whether it changed something or not: what is shown may not be what holds.
    void settled();
    /// What was typed is no value, and why; the advice leads to the nearest that is, and `link` names it.
    void refused(const QString& reason, const QString& link, const headroom::Advice& nearest);

private:
    void buildChoice(const QString& name, WheelGuard& guard, QWidget* parent);
    void addSlider(const QString& name, WheelGuard& guard, QWidget* parent);
    void change(double value);
    /// What a hand or a key asks for: the value that goes with the other sizes, and why where that is none.
    void step(double wanted, int direction = 0);
    /// Under the row: why no value lies beyond, and the click that makes room for one.
    void tellEnd();
    void commitText(const QString& text);
    [[nodiscard]] bool isOverruled() const { return headroom::isOverruled(m_row, m_store.scenario()); }
    [[nodiscard]] double current() const
    {
        return isOverruled() && m_inForce ? *m_inForce : m_row.get(m_store.scenario());
    }
    [[nodiscard]] bool isAutomatic() const
    {
        return (m_row.optional && !m_row.isSet(m_store.scenario())) || isOverruled();
    }

    const ParameterRow& m_row;
    ScenarioStore& m_store;
    QWidget* m_beside = nullptr;     ///< one of those below
    ElidedLabel* m_choice = nullptr; ///< the choice in full, above a stepped slider
    ValueBox* m_box = nullptr;
    QComboBox* m_combo = nullptr;
    QCheckBox* m_check = nullptr;
    SegmentedControl* m_segments = nullptr;
    LogSlider* m_slider = nullptr;
    std::optional<double> m_inForce;
    bool m_beyond = false; ///< the hand is where no value goes
    int m_gesture = 0;
};

} // namespace headroom::ui
