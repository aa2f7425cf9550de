// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterPanel: the left panel: pickers, task, and one row per parameter of the registry, by group.
#pragma once

#include "ui/document/recalculator.hpp"
#include "ui/parameters/kept_bounds.hpp"
#include "ui/parameters/parameter_row_widget.hpp"

#include "ui/parameters/player.hpp"
#include "ui/widgets/card.hpp"
#include <QHash>
#include <vector>

class QVBoxLayout;

namespace headroom::ui
{

class CatalogPicker;
class GroupHeader;
class SegmentedControl;
class Settings;
class SteadyScroll;
class WheelGuard;

/// Most rows are folded away, or of another task: each is made when it is first seen.
struct PlaceOfRow {
    const ParameterRow* row = nullptr;
    ParameterRowWidget* widget = nullptr;
};
struct GroupOfRows {
    GroupHeader* header = nullptr;
    std::vector<PlaceOfRow> places; ///< in the order of the screen
};

class ParameterPanel final : public Card
{
    Q_OBJECT

public:
    ParameterPanel(ScenarioStore& store, Recalculator& recalculator, Settings& settings, QWidget* parent = nullptr);

    [[nodiscard]] CatalogPicker* modelPicker() const { return m_model; }
    [[nodiscard]] CatalogPicker* acceleratorPicker() const { return m_accelerator; }
    [[nodiscard]] SegmentedControl* taskControl() const { return m_task; }
    [[nodiscard]] SteadyScroll* scrollArea() const { return m_scroll; }
    /// Makes it where it was never seen; null when there is no such parameter.
    [[nodiscard]] ParameterRowWidget* rowWidget(const QString& parameterId);
    /// Marks a row and brings it into view; an empty id clears the mark.
    void highlight(const QString& parameterId);
    /// Opens a row's group if need be and brings it into view; null when there is no such parameter.
    ParameterRowWidget* reveal(const QString& parameterId);
    /// The same, and puts the keyboard on it.
    void focusRow(const QString& parameterId);
    [[nodiscard]] const ParameterRow* focusedParameter() const;
    /// What the commands do to the row with the keyboard; nothing without one.
    void resetFocused();
    void lockFocused();
    void sweepFocused();
    void playFocused();
    /// Moves a parameter by itself until any input; nothing for one without a slider.
    void play(const QString& parameterId);
    [[nodiscard]] const Player& player() const { return m_player; }
    /// Room for its widest row, whatever the size of type.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void leaveEvent(QEvent* event) override;

signals:
    /// The glossary's entry of a parameter is asked for.
    void glossaryRequested(const QString& parameterId);
    void pointedAt(const QString& parameterId, bool here);
    /// What was measured was entered, or taken back.
    void measurementEdited();

private:
    void buildTop(QLayout* layout);
    void buildGroups();
    void refresh();
    void refreshVisibility();
    void refreshPickers();
    void refreshPrices();
    void showLookedUp(const QString& parameter, const KnownPrice* price);
    void refreshWarnings();
    /// What "as many as fit" comes to.
    void refreshBatch();
    void chooseTask(int index);
    [[nodiscard]] bool belongs(const ParameterRow& row) const;

    /// Hidden; Tab and screen readers come to it where it stands.
    void makeRow(const GroupOfRows& group, PlaceOfRow& place);
    /// Rows that were made have what is said of them: prices that were looked up, notices.
    void catchUp();

    ScenarioStore& m_store;
    Recalculator& m_recalculator;
    Settings& m_settings;
    KeptBounds m_bounds;
    CatalogPicker* m_model = nullptr;
    CatalogPicker* m_accelerator = nullptr;
    SegmentedControl* m_task = nullptr;
    WheelGuard* m_guard = nullptr;
    QVBoxLayout* m_layout = nullptr; ///< of headers and rows
    SteadyScroll* m_scroll = nullptr;
    std::vector<GroupOfRows> m_groups;
    QHash<QString, ParameterRowWidget*> m_rows; ///< that were made
    QString m_highlighted;
    Player m_player;
};

} // namespace headroom::ui
