// SPDX-License-Identifier: GPL-3.0-or-later
// Workspace: left panel, centre and right panel; when the window is narrow the right one folds into a drawer.
#pragma once

#include <QWidget>

class QSplitter;

namespace headroom::ui
{

class Workspace final : public QWidget
{
    Q_OBJECT

public:
    /// Below this width (of larger type a larger one) the charts need the room of the right panel.
    static constexpr int foldWidth = 1250;

    /// `charts` is the part of the centre that the drawer may cover; what stands above it stays in sight.
    Workspace(QWidget* left, QWidget* centre, QWidget* right, QWidget* charts, QWidget* parent = nullptr);

    /// Shows or hides the right panel; in a narrow window it lies over the charts.
    void setRightShown(bool shown);
    /// What the user chose the last time: a window too narrow for the panel begins without the drawer over its charts.
    void setRightWanted(bool wanted);
    [[nodiscard]] bool isRightShown() const;
    /// While held, the right panel stays: beside the charts, and where there is no room for three it lies over a part
    /// of them.
    void setRightHeld(bool held);
    /// What the user chose, whatever the page in front or a hold make of it.
    [[nodiscard]] bool isRightWanted() const { return m_wanted; }
    /// Whether the page in front has use for the side panels at all; what the user chose comes back with the page.
    void setSidesWanted(bool left, bool right);
    [[nodiscard]] bool isFolded() const { return m_folded; }
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

signals:
    void rightShownChanged(bool shown);
    /// The drawer lies over so many px of the charts' far side; 0 where it does not lie over them.
    void chartsCovered(int px);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();
    void placeDrawer();
    void setCovered(int px);
    void growSides(); ///< panels beside the charts grow with the type

    QWidget* m_left;
    QWidget* m_right;
    QWidget* m_charts;
    QSplitter* m_splitter;
    bool m_folded = false, m_wanted = true, m_drawerOpen = false;
    bool m_rightOfUse = true, m_held = false;
    int m_covered = 0;
};

} // namespace headroom::ui
