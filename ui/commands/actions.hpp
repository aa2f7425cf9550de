// SPDX-License-Identifier: GPL-3.0-or-later
// Actions: every command of the window with its words, icon and shortcut, one row each in one table.
#pragma once

#include <QAction>
#include <QObject>
#include <array>

class QWidget;

namespace headroom::ui
{

enum class ActionId : int {
    New,
    Open,
    Import,
    Save,
    SaveAs,
    ExportReport,
    Quit,
    Undo,
    Redo,
    Copy,
    Paste,
    CopyCommandLine,
    DuplicateAccelerator,
    DuplicateModel,
    ResetRow,
    ResetAll,
    LockRow,
    SweepRow,
    PlayRow,
    Pin,
    ClearPins,
    Compare,
    ImportRuns,
    ImportProfile,
    Calibrate,
    MeasureGpu,
    PickModel,
    PickAccelerator,
    Phases,
    Palette,
    Explanation,
    FullSize,
    ChartNumbers,
    ExportChart,
    Present,
    PresentThis,
    Views,
    ExportViews,
    ToggleTheme,
    LargerType,
    SmallerType,
    NormalType,
    Preferences,
    NextPane,
    PreviousPane,
    LessonCard,
    LessonNext,
    LessonBack,
    LessonLeave,
    Help,
    WhatIsThis,
    Welcome,
    About,
    Count
};

/// A command as a table of keys shows it.
struct CommandWords {
    QString text, tip; ///< without mnemonic; what it does
    QList<QKeySequence> keys;
};

class Actions final : public QObject
{
    Q_OBJECT

public:
    /// Creates them all and makes their shortcuts work in `window`.
    explicit Actions(QWidget* window);
    [[nodiscard]] QAction* operator[](ActionId id) const { return m_actions[static_cast<std::size_t>(id)]; }
    /// Every command, in the order of the enumeration.
    [[nodiscard]] static QList<CommandWords> words();
    /// Draws the icons again in the colours of the window's palette.
    void updateIcons();

private:
    QWidget* m_window;
    std::array<QAction*, static_cast<std::size_t>(ActionId::Count)> m_actions{};
};

} // namespace headroom::ui
