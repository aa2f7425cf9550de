// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_controller.hpp"

#include "core/calibrate/user_fit.hpp"
#include "core/runs/log_import.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/text.hpp"

#include <QFile>
#include <QFileInfo>
#include <QMenu>

namespace headroom::ui
{
namespace
{

constexpr qint64 mostBytes = (64 << 20) + 1; // importLog refuses more than 64 MiB
constexpr qint64 telling = 64 << 10;         // the first lines say what a file is

/// The measurements of a scenario: all that a fit may look at, at the built-in efficiencies.
void addPrepared(const Scenario& scenario, std::vector<PreparedScenario>& runs)
{
    if (!scenario.measured.any())
        return;
    if (auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn()))
        runs.push_back(std::move(*prepared));
}

} // namespace

RunController::RunController(ScenarioStore& store, RunLibrary& library, Dialogs& dialogs, QObject* parent)
    : QObject(parent), m_store(store), m_library(library), m_dialogs(dialogs)
{
}

void RunController::askAndImport(const QString& folder)
{
    const QString path = m_dialogs.openLog(m_window, folder);
    if (!path.isEmpty())
        import(path);
}

bool RunController::isLog(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray beginning = file.read(telling);
    return looksLikeLog(toUtf8(QFileInfo(path).fileName()),
                        {beginning.constData(), static_cast<std::size_t>(beginning.size())});
}

bool RunController::import(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    const auto refuse = [&](const Diagnostics& why) {
        m_dialogs.showError(m_window, tr("No measurements could be imported from “%1”.").arg(name),
                            diagnosticsText(why));
        return false;
    };
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse({{Severity::Error, "unreadable", {}, toUtf8(file.errorString()), {}, toUtf8(name), 0}});
    const QByteArray bytes = file.read(mostBytes);
    const auto reading = importLog({bytes.constData(), static_cast<std::size_t>(bytes.size())}, toUtf8(name),
                                   m_store.scenario(), Catalog::builtIn());
    if (!reading)
        return refuse(reading.error());
    const Diagnostics refused = m_library.add(reading->runs);
    if (refused.size() >= reading->runs.size())
        return refuse(refused);
    QString words = tr("%n run(s) imported from “%1” (%2)", nullptr, static_cast<int>(reading->runs.size()))
                        .arg(name, toQString(reading->format));
    for (const Diagnostics& diagnostics : {reading->warnings, refused})
        if (!diagnostics.empty())
            words += QStringLiteral("; ") + toQString(toText(diagnostics.front()));
    emit said(words);
    return true;
}

bool RunController::calibrate()
{
    const Scenario& here = m_store.scenario();
    std::vector<PreparedScenario> runs;
    for (const Scenario& run : m_library.own())
        if (run.task == here.task && run.accelerator == here.accelerator)
            addPrepared(run, runs);
    addPrepared(here, runs);
    const auto fit = fitToRuns(runs);
    if (!fit) {
        m_dialogs.showError(m_window, tr("There is nothing to calibrate to."),
                            tr("Measure this scenario (group “Measured” of the parameters), or import a log of a run "
                               "on the same accelerator."));
        return false;
    }
    m_store.edit(0, tr("Calibrate to your runs"), [&fit](Scenario& scenario) {
        const EfficiencyBase base = scenario.efficiency.base;
        scenario.efficiency = fit->efficiency;
        scenario.efficiency.base = base;
    });
    emit said(tr("Calibrated to your runs: %1").arg(toQString(userFitText(*fit))));
    return true;
}

void RunController::uncalibrate()
{
    m_store.edit(0, tr("Built-in calibration"), [](Scenario& scenario) {
        const EfficiencyBase base = scenario.efficiency.base;
        scenario.efficiency = {};
        scenario.efficiency.base = base;
    });
}

void RunController::fillRemoveMenu(QMenu* menu)
{
    menu->clear();
    const auto& runs = m_library.own();
    for (std::size_t i = 0; i < runs.size(); ++i)
        menu->addAction(toQString(runs[i].name.empty() ? runs[i].source : runs[i].name), this,
                        [this, i] { m_library.remove(i); });
    if (runs.empty()) {
        menu->addAction(tr("No runs of yours yet"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    menu->addAction(tr("Remove all"), this, [this] { m_library.removeAll(); });
}

} // namespace headroom::ui
