// SPDX-License-Identifier: GPL-3.0-or-later
// RunController: importing the user's measurements, and moving the expectation onto them and back.
#pragma once

#include "ui/document/run_library.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/platform/dialogs.hpp"

#include <QPointer>
#include <QWidget>

class QMenu;

namespace headroom::ui
{

class RunController final : public QObject
{
    Q_OBJECT

public:
    RunController(ScenarioStore& store, RunLibrary& library, Dialogs& dialogs, QObject* parent = nullptr);

    /// Dialogs appear over this window.
    void setWindow(QWidget* window) { m_window = window; }

    /// Asks for a log and imports it.
    void askAndImport(const QString& folder);
    /// Whether it was a log that could be read. What the log leaves out is taken from the scenario in hand.
    bool import(const QString& path);
    /// Whether the file looks like a log at all.
    [[nodiscard]] static bool isLog(const QString& path);

    /// Whether the expectation carries multipliers of its own.
    [[nodiscard]] bool isCalibrated() const { return !m_store.scenario().efficiency.isPlain(); }
    /// Fits multipliers to the runs on the scenario's accelerator and to its own measurement: one undo step. False
    /// where there is nothing to fit to; the user is told.
    bool calibrate();
    /// Back to the built-in calibration: one undo step.
    void uncalibrate();

    /// One entry a run, which removes it.
    void fillRemoveMenu(QMenu* menu);

signals:
    /// What was done, for the status line.
    void said(const QString& words);

private:
    ScenarioStore& m_store;
    RunLibrary& m_library;
    Dialogs& m_dialogs;
    QPointer<QWidget> m_window;
};

} // namespace headroom::ui
