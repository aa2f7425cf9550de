// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/profile_controller.hpp"

#include "core/profile/profile_comparison.hpp"
#include "core/profile/profile_doubt.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/document/dropped_file.hpp"
#include "ui/platform/files.hpp"

#include <QEventLoop>
#include <QFileInfo>
#include <QProgressDialog>
#include <QThread>
#include <QTimer>
#include <atomic>
#include <optional>

namespace headroom::ui
{
namespace
{

constexpr int shownAfterMs = 500; // a small trace is read before anybody could read the dialog
constexpr int updatedEveryMs = 100;
constexpr int wholeBar = 1000;

bool isProfile(const QString& path)
{
    const auto beginning = readFile(path, telling);
    return beginning && profile::looksLikeProfile(toUtf8(QFileInfo(path).fileName()), toView(*beginning));
}

QString seconds(double s)
{
    return toQString(secondsText(s));
}

} // namespace

ProfileController::ProfileController(ScenarioStore& store, const Catalog& catalog, Dialogs& dialogs,
                                     const Settings& settings, QObject* parent)
    : QObject(parent), m_store(store), m_catalog(catalog), m_dialogs(dialogs), m_settings(settings)
{
}

void ProfileController::askAndImport()
{
    const QString folder = m_settings.value(SettingKey::LastFolder).toString();
    const QStringList paths = m_dialogs.openProfiles(m_window, folder);
    if (!paths.isEmpty())
        import(paths);
}

bool ProfileController::import(const QStringList& paths)
{
    std::vector<std::string> files;
    for (const QString& path : paths)
        files.push_back(path.toStdString());
    std::atomic<double> share{0};
    std::atomic<bool> cancelled{false};
    profile::ProfileOptions options;
    options.progress = [&](double now) {
        share = now;
        return !cancelled;
    };
    std::optional<Expected<profile::ProfileReading>> reading;
    QProgressDialog dialog(tr("Reading the profile…"), tr("Cancel"), 0, wholeBar, m_window);
    dialog.setWindowModality(Qt::WindowModal);
    dialog.setMinimumDuration(shownAfterMs);
    connect(&dialog, &QProgressDialog::canceled, &dialog, [&] { cancelled = true; });
    QTimer clock;
    connect(&clock, &QTimer::timeout, &dialog, [&] { dialog.setValue(std::min(wholeBar - 1, int(share * wholeBar))); });
    clock.start(updatedEveryMs);
    QEventLoop waiting;
    const std::unique_ptr<QThread> worker(QThread::create([&] { reading = profile::readProfiles(files, options); }));
    connect(worker.get(), &QThread::finished, &waiting, &QEventLoop::quit);
    worker->start();
    waiting.exec();
    worker->wait();
    clock.stop();
    dialog.reset();
    if (!*reading) {
        if (!cancelled)
            m_dialogs.showError(m_window, tr("No profile could be imported."), diagnosticsText(reading->error()));
        return false;
    }
    const auto prepared = prepare(m_store.scenario(), m_catalog, Calibration::builtIn());
    const Accelerator* accelerator = prepared ? prepared->accelerator.get() : nullptr;
    const MeasuredProfile measured = profile::measuredProfile(**reading, accelerator);
    if (!measured.any()) {
        m_dialogs.showError(m_window, tr("No profile could be imported."), tr("Its events take no time."));
        return false;
    }
    const auto names = profile::keptNames(toUtf8(m_settings.value(SettingKey::KernelNames).toString()));
    const ProfiledKernels kernels = profile::profiledKernels(**reading, names.value_or(profile::KeptNames::None));
    m_store.edit(0, tr("Import profile"), [&](Scenario& scenario) {
        scenario.measured.profile = measured;
        scenario.kernels = kernels;
    });
    QString words =
        tr("Profile imported (%1): a step takes %2").arg(toQString((*reading)->format), seconds(measured.stepS));
    const Diagnostics doubts = prepared ? profile::profileDoubts(**reading, measured, *prepared) : Diagnostics();
    for (const Diagnostic& doubt : doubts) // another run than the scenario's: before what its files leave open
        words += QStringLiteral("; ") + toQString(toText(doubt));
    if (doubts.empty() && !(*reading)->warnings.empty())
        words += QStringLiteral("; ") + toQString(toText((*reading)->warnings.front()));
    if (!kernels.empty())
        words += QStringLiteral("; ") + tr("kernel names kept: %1").arg(kernels.size());
    emit said(words);
    return true;
}

bool ProfileController::importDropped(const QMimeData* mime)
{
    const QStringList paths = profilesAmong(mime);
    if (!paths.isEmpty())
        import(paths);
    return !paths.isEmpty();
}

QStringList ProfileController::profilesAmong(const QMimeData* mime)
{
    QStringList paths;
    for (const QString& path : localFiles(mime))
        if (isProfile(path))
            paths << path;
    return paths;
}

} // namespace headroom::ui
