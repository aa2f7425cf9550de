// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterRowWidget: one adjustable value of the registry as a row: label, box with unit, reset, lock, slider,
// warning.
#pragma once

#include "ui/parameters/value_control.hpp"

#include <QWidget>
#include <optional>

class QBoxLayout;
class QMenu;
class QToolButton;

namespace headroom::ui
{

class RowNotice;

/// Shows the store's value and asks the store for changes; holds none itself.
class ParameterRowWidget final : public QWidget
{
    Q_OBJECT

public:
    ParameterRowWidget(const ParameterRow& row, ScenarioStore& store, WheelGuard& guard, QWidget* parent = nullptr);

    [[nodiscard]] const ParameterRow& row() const { return m_row; }
    [[nodiscard]] ValueBox* box() const { return m_control->box(); }          ///< null for choices and toggles
    [[nodiscard]] LogSlider* slider() const { return m_control->slider(); }   ///< null where there is none
    [[nodiscard]] QWidget* control() const { return m_control->takesKeys(); } ///< has the keyboard

    /// Shows the store's scenario.
    void refresh();
    /// What stands in the box where nothing is set and no default has a value; empty = "not set".
    void setUnsetText(const QString& text);
    /// The value that holds where another row decides instead of this one; empty where it is not known.
    void setInForce(const std::optional<double>& value);
    /// The words under the row.
    [[nodiscard]] RowNotice& notice() const { return *m_notice; }
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
    void connectParts();
    void updateButtons();
    /// The label in one line, else in two; a list stands below its label where one line does not hold both.
    void arrangeHead();
    /// Reset and lock are as large as the type asks for.
    void growButtons();
    /// While the pointer is here, what it may press next stays where it is.
    void holdPlaces(bool hold);
    void updateIcons();
    void editBounds();

    const ParameterRow& m_row;
    ScenarioStore& m_store;
    QBoxLayout* m_head = nullptr;
    ElidedLabel* m_label = nullptr;
    QToolButton* m_reset = nullptr;
    QToolButton* m_lock = nullptr;
    ValueControl* m_control = nullptr;
    RowNotice* m_notice = nullptr;
    QString m_unsetText;
    int m_arrangedFor = -1; ///< the width that the head was last arranged for
    bool m_highlighted = false, m_hovered = false;
};

} // namespace headroom::ui
