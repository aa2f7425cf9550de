// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterRowWidget: one adjustable value of the registry as a row: label, box with unit, reset, lock, slider,
// warning.
#pragma once

#include "core/explore/advice.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/widgets/log_slider.hpp"
#include "ui/widgets/value_box.hpp"

#include <QWidget>
#include <optional>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QToolButton;

namespace headroom::ui
{

class ElidedLabel;
class SegmentedControl;
class WheelGuard;

/// Shows the store's value and asks the store for changes; holds none itself.
class ParameterRowWidget final : public QWidget
{
    Q_OBJECT

public:
    ParameterRowWidget(const ParameterRow& row, ScenarioStore& store, WheelGuard& guard, QWidget* parent = nullptr);

    [[nodiscard]] const ParameterRow& row() const { return m_row; }
    [[nodiscard]] ValueBox* box() const { return m_box; }        ///< null for choices and toggles
    [[nodiscard]] LogSlider* slider() const { return m_slider; } ///< null where there is none
    /// The widget that takes the keyboard.
    [[nodiscard]] QWidget* control() const;

    /// Shows the store's scenario.
    void refresh();
    /// What stands in the box where nothing is set and no default has a value; empty = "not set".
    void setUnsetText(const QString& text);
    /// A warning under the row, with one click to a value that is right; empty text = none.
    void setWarning(const QString& text, const std::optional<Advice>& fix = std::nullopt);
    [[nodiscard]] QString warningText() const;
    /// A warning that goes leaves its place empty until this is let go: the rows below it do not move.
    void setNoticeHeld(bool held);
    [[nodiscard]] bool isPointedAt() const { return m_hovered; }
    /// Marks the row whose symbol is pointed at in the explanation.
    void setHighlighted(bool highlighted);
    /// Other ends of the slider than the registry's; empty = the registry's.
    void setBounds(const std::optional<SliderBounds>& bounds);
    /// What can be done with the row.
    void fillMenu(QMenu& menu);

signals:
    /// The pointer or the keyboard came to (true) or left this row.
    void pointedAt(const QString& parameterId, bool here);
    /// This parameter is to be the x axis of the sweep charts.
    void sweepRequested(const QString& parameterId);
    /// The glossary's entry of this parameter is asked for.
    void glossaryRequested(const QString& parameterId);
    /// What was measured was entered here, or taken back.
    void measurementEdited();
    /// The value is to move by itself.
    void playRequested(const QString& parameterId);
    /// The ends of the slider were chosen; empty = the registry's.
    void boundsChosen(const QString& parameterId, const std::optional<headroom::SliderBounds>& bounds);

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(WheelGuard& guard);
    void buildControl(QLayout* head, WheelGuard& guard);
    void addSlider(WheelGuard& guard);
    void change(double value);
    void reset();
    void commitText(const QString& text);
    bool handleKey(QKeyEvent* event);
    void updateButtons();
    /// The label in one line, else in two; a list stands below its label where one line does not hold both.
    void arrangeHead();
    [[nodiscard]] int widestControl() const;
    /// While the pointer is here, what it may press next stays where it is.
    void holdPlaces(bool hold);
    void updateIcons();
    void editBounds();
    [[nodiscard]] double current() const { return m_row.get(m_store.scenario()); }
    [[nodiscard]] bool isAutomatic() const;
    [[nodiscard]] QString editableText(double value) const;

    const ParameterRow& m_row;
    ScenarioStore& m_store;
    QBoxLayout* m_head = nullptr;
    ElidedLabel* m_label = nullptr;
    QLabel* m_warning = nullptr;
    QLabel* m_choice = nullptr; ///< the choice in full, above a stepped slider
    QToolButton* m_reset = nullptr;
    QToolButton* m_lock = nullptr;
    ValueBox* m_box = nullptr;
    LogSlider* m_slider = nullptr;
    QComboBox* m_combo = nullptr;
    QCheckBox* m_check = nullptr;
    SegmentedControl* m_segments = nullptr;
    std::optional<Advice> m_fix;
    QString m_storeWarning; ///< what setWarning() said; a refused text speaks first
    QString m_unsetText;
    int m_gesture = 0;
    int m_arrangedFor = -1; ///< the width that the head was last arranged for
    bool m_highlighted = false, m_hovered = false;
};

} // namespace headroom::ui
