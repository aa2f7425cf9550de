// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/other_measurement.hpp"
#include "core/predict/impossible.hpp"
#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/document/report.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/platform/files.hpp"
#include "ui/settings/settings.hpp"

#include <QDir>
#include <QFileInfo>

namespace headroom::ui
{
namespace
{

/// What the report says of a measurement that is not in it.
QString aboutMeasurement(const Recalculator& results, const ChartContext& context)
{
    const auto other = otherMeasurement(results.store().scenario(), results.catalog(), Calibration::builtIn());
    return toQString(other ? other->sentence() : impossibleText(context.scenario, context.evaluation));
}

} // namespace

void exportReport(const Recalculator& results, const QStringList& chartIds, Settings& settings, Dialogs& dialogs,
                  QWidget* window)
{
    const ChartContext* context = results.context();
    if (results.isRefused()) { // the last good result is of another scenario
        dialogs.showError(window, tr("The report was not written."), toQString(results.refusal().front().message));
        return;
    }
    if (!context)
        return;
    const ScenarioStore& store = results.store();
    const QString name = store.path().isEmpty() ? store.title() : QFileInfo(store.path()).completeBaseName();
    const QDir folder(settings.value(SettingKey::LastFolder).toString());
    const QString path = dialogs.exportFile(window, folder.filePath(fileNameFor(name) + QStringLiteral(".pdf")),
                                            tr("Export report"), tr("PDF (*.pdf);;All files (*)"));
    if (path.isEmpty())
        return;
    const Scenario& scenario = store.scenario();
    const QString error = writeReport(
        {*context, toQString(scenario.name), toQString(scenario.notes), chartIds, aboutMeasurement(results, *context)},
        path);
    if (!error.isEmpty())
        return dialogs.showError(window, tr("The report was not written."), error);
    settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    if (window)
        tell(*window, tr("The report is in %1.").arg(QFileInfo(path).fileName()));
}

} // namespace headroom::ui
