// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/platform/dialogs.hpp"

#include <QFileDialog>
#include <QMessageBox>

namespace headroom::ui
{
namespace
{

QString scenarioFilter()
{
    return NativeDialogs::tr("Headroom scenarios (*.headroom);;JSON files (*.json);;All files (*)");
}

} // namespace

QString NativeDialogs::openLog(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Import measurements"), folder,
                                        tr("Logs and tables (*.csv *.log *.txt *.out *.json *.jsonl);;All files (*)"));
}

QString NativeDialogs::openViews(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Open views"), folder,
                                        tr("Views (*.headroom-views);;All files (*)"));
}

QStringList Dialogs::importFiles(QWidget*, const QString&)
{
    return {};
}

bool Dialogs::confirm(QWidget*, const QString&, const QString&)
{
    return false;
}

bool NativeDialogs::confirm(QWidget* parent, const QString& question, const QString& consequence)
{
    QMessageBox box(QMessageBox::Question, tr("Headroom"), question, QMessageBox::Yes | QMessageBox::Cancel, parent);
    box.setInformativeText(consequence);
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Yes;
}

QStringList NativeDialogs::importFiles(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileNames(parent, tr("Import"), folder,
                                         tr("Model configurations and catalogue entries (*.json);;All files (*)"));
}

QString NativeDialogs::openFile(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Open scenario"), folder, scenarioFilter());
}

QString NativeDialogs::saveFile(QWidget* parent, const QString& suggested)
{
    return QFileDialog::getSaveFileName(parent, tr("Save scenario"), suggested, scenarioFilter());
}

QString NativeDialogs::exportFile(QWidget* parent, const QString& suggested, const QString& title,
                                  const QString& filters)
{
    return QFileDialog::getSaveFileName(parent, title, suggested, filters);
}

SaveAnswer NativeDialogs::askSave(QWidget* parent, const QString& title)
{
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"), tr("Save the changes to “%1”?").arg(title),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setInformativeText(tr("Without saving they are lost."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return SaveAnswer::Save;
    case QMessageBox::Discard:
        return SaveAnswer::Discard;
    default:
        return SaveAnswer::Cancel;
    }
}

RestoreAnswer NativeDialogs::askRestore(QWidget* parent, const QString& title, const QString& when)
{
    QMessageBox box(QMessageBox::Question, tr("Unsaved scenario"),
                    tr("Restore the unsaved changes to “%1”?").arg(title), QMessageBox::NoButton, parent);
    box.setInformativeText(tr("Headroom did not end properly. The changes are from %1.").arg(when));
    const auto* restore = box.addButton(tr("&Restore"), QMessageBox::AcceptRole);
    const auto* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setEscapeButton(box.addButton(tr("&Later"), QMessageBox::RejectRole));
    box.exec();
    if (box.clickedButton() == restore)
        return RestoreAnswer::Restore;
    return box.clickedButton() == discard ? RestoreAnswer::Discard : RestoreAnswer::Later;
}

void NativeDialogs::showError(QWidget* parent, const QString& message, const QString& details)
{
    QMessageBox box(QMessageBox::Warning, tr("Headroom"), message, QMessageBox::Ok, parent);
    box.setInformativeText(details);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.exec();
}

void NativeDialogs::showAbout(QWidget* parent, const QString& title, const QString& html)
{
    QMessageBox::about(parent, title, html);
}

} // namespace headroom::ui
