// SPDX-License-Identifier: GPL-3.0-or-later
// Stage: the screen of a talk: large tiles, one to four charts, a note and a few live sliders, stepped view by view.
#pragma once

#include "core/present/stage_view.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/present/stage_keys.hpp"
#include "ui/present/stage_room.hpp"
#include "ui/theme/theme.hpp"

#include <QWidget>
#include <memory>

namespace headroom::ui
{

class ElidedText;
class LaserDot;
class ParameterRowWidget;
class StageChart;
class StageGrid;
class StageHeader;
class StageHint;
class StageSliders;
class StageTiles;
class Veil;

/// A window of its own, with a store and a recalculator of its own: whatever is moved here, the scenario, the pins and
/// the undo history of the window it came from stay as they are.
class Stage final : public QWidget
{
    Q_OBJECT

public:
    struct Content {
        std::vector<StageView> views; ///< at least one
        Catalog catalog;
        std::shared_ptr<const RunShelf> runs; ///< may be null
        ThemeKind theme = ThemeKind::HighContrast;
        QFont font; ///< of the window it came from
    };
    /// Type is larger than the window's by this factor.
    static constexpr double typeScale = 1.4;

    explicit Stage(Content content, QWidget* parent = nullptr);
    ~Stage() override;

    [[nodiscard]] int index() const { return m_index; }
    [[nodiscard]] int count() const { return static_cast<int>(m_views.size()); }
    /// Shows a view as it was saved; out of range: nothing happens.
    void showView(int index);
    /// The view's scenario as it is now, moved by hand or not.
    [[nodiscard]] const Scenario& scenario() const { return m_store.scenario(); }
    [[nodiscard]] const StageView& view() const { return m_views[static_cast<std::size_t>(m_index)]; }
    /// The view in hand now begins with the scenario on the stage.
    void storeScenario();

    void setBlack(bool black);
    [[nodiscard]] bool isBlack() const;
    void setLaser(bool on);
    [[nodiscard]] bool hasLaser() const;
    void setTheme(ThemeKind kind);
    /// Tells the speaker something, without a dialog.
    void say(const QString& words);

    [[nodiscard]] ScenarioStore& store() { return m_store; }
    [[nodiscard]] StageHeader& header() { return *m_header; }
    [[nodiscard]] StageTiles& tiles() { return *m_tiles; }
    [[nodiscard]] StageSliders& sliders() { return *m_sliders; }
    [[nodiscard]] QString note() const;
    /// Those of the view in hand that stand together now.
    [[nodiscard]] std::vector<StageChart*> charts() const;
    /// What screen readers were told last.
    [[nodiscard]] QString spoken() const { return accessibleDescription(); }

signals:
    void viewShown(int index);
    void leaveRequested();
    /// The scenario on the stage is to become the window's.
    void keepRequested();
    /// The scenario on the stage is to become the view's.
    void storeRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void build();
    /// Lays out so many of the view's charts, at most, with type that suits the screen.
    void arrange(std::size_t first, std::size_t together);
    void showOtherCharts();
    [[nodiscard]] StageRoom room() const { return {height(), m_desktop}; }
    void showResult();
    void orderTabs();
    /// Shows as many charts together as the screen holds, with type and gaps of the size that it has room for;
    /// whether they are others than before.
    [[nodiscard]] bool fit();
    void fitType();
    void reserveReadings();
    /// False where the key means nothing there.
    bool handleKey(const QKeyEvent& event, StagePlace place);
    void announce(const QString& words);

    std::vector<StageView> m_views;
    QFont m_desktop; ///< of the window it came from
    int m_index = 0;
    ScenarioStore m_store;
    Recalculator m_recalculator;
    StageHeader* m_header;
    StageTiles* m_tiles;
    StageGrid* m_grid = nullptr;
    ElidedText* m_note;
    StageSliders* m_sliders;
    StageHint* m_hint;
    Veil* m_veil = nullptr;
    QWidget* m_black;
    LaserDot* m_laser;
};

} // namespace headroom::ui
