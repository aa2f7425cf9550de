// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in measured runs: what is published, what the user imports and calibrates to.
#include "ui/main_window.hpp"
#include "ui/panels/measure_guide.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/settings/settings.hpp"

#include <QStatusBar>

namespace headroom::ui
{

void MainWindow::connectRuns()
{
    constexpr int readingMs = 8000;
    // Points of published runs come after the first picture.
    connect(&m_recalculator, &Recalculator::updateFinished, &m_runLibrary, &RunLibrary::read);
    connect(&m_runLibrary, &RunLibrary::changed, this, [this] { m_recalculator.setRuns(m_runLibrary.shelf()); });
    connect(&m_runs, &RunController::said, this,
            [this](const QString& words) { statusBar()->showMessage(words, readingMs); });
    connect((*m_actions)[ActionId::ImportRuns], &QAction::triggered, this,
            [this] { m_runs.askAndImport(m_services.settings.value(SettingKey::LastFolder).toString()); });

    connect((*m_actions)[ActionId::MeasureGpu], &QAction::triggered, this, [this] {
        auto* guide = findChild<MeasureGuide*>();
        if (!guide)
            guide = new MeasureGuide(m_runs, m_runLibrary, m_store, m_services.dialogs, m_services.settings, this);
        guide->show();
        guide->raise();
        guide->activateWindow();
    });
    connect(m_status, &StatusLine::builtInRequested, &m_runs, &RunController::uncalibrate);

    QAction* calibrate = (*m_actions)[ActionId::Calibrate];
    const auto showCalibrated = [this, calibrate] { calibrate->setChecked(m_runs.isCalibrated()); };
    connect(calibrate, &QAction::triggered, this, [this, showCalibrated](bool on) {
        if (on)
            m_runs.calibrate();
        else
            m_runs.uncalibrate();
        showCalibrated(); // nothing to calibrate to: the tick goes again
    });
    connect(&m_store, &ScenarioStore::scenarioChanged, this, showCalibrated);
    showCalibrated();
}

} // namespace headroom::ui
