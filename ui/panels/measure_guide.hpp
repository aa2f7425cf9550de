// SPDX-License-Identifier: GPL-3.0-or-later
// MeasureGuide: "Calibrate to my GPU": saves the measuring script, opens what it wrote, moves the expectation onto it.
#pragma once

#include "ui/document/run_controller.hpp"

#include <QDialog>

class QLabel;
class QPushButton;

namespace headroom::ui
{

class Settings;

class MeasureGuide final : public QDialog
{
    Q_OBJECT

public:
    MeasureGuide(RunController& runs, RunLibrary& library, ScenarioStore& store, Dialogs& dialogs, Settings& settings,
                 QWidget* parent);

    /// What is typed where the GPU is.
    static QString command();

private:
    void saveScript();
    void openOutput();
    void toggleCalibration();
    void refresh();
    /// Wrapped text is as high as it is, whatever was said last.
    void grow();

    RunController& m_runs;
    RunLibrary& m_library;
    Dialogs& m_dialogs;
    Settings& m_settings;
    QLabel *m_saved, *m_opened, *m_fitted;
    QPushButton* m_calibrate;
};

} // namespace headroom::ui
