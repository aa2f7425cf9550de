// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/platform/dialogs.hpp"

#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

namespace headroom::ui
{
namespace
{

QString scenarioFilter()
{
    return NativeDialogs::tr("Headroom scenarios (*.headroom);;JSON files (*.json);;All files (*)");
}

/// A question or message whose words may be a file's: they are words, whatever markup they hold.
class PlainBox final : public QMessageBox
{
public:
    PlainBox(Icon icon, const QString& title, const QString& text, StandardButtons buttons, QWidget* parent)
        : QMessageBox(icon, title, QString(), buttons, parent)
    {
        setTextFormat(Qt::PlainText);
        setText(text);
    }

    void setConsequence(const QString& text)
    {
        setInformativeText(text);
        for (QLabel* label : findChildren<QLabel*>())
            label->setTextFormat(Qt::PlainText); // setTextFormat() leaves the lower text to guess
    }
};

} // namespace

QString NativeDialogs::openLog(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Import measurements"), folder,
                                        tr("Logs and tables (*.csv *.log *.txt *.out *.json *.jsonl);;All files (*)"));
}

QStringList NativeDialogs::openResults(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileNames(parent, tr("Open results of a class"), folder,
                                         tr("Results of lessons (*.headroom-results);;All files (*)"));
}

QString NativeDialogs::openViews(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Open views"), folder,
                                        tr("Views (*.headroom-views);;All files (*)"));
}

QStringList NativeDialogs::openProfiles(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileNames(parent, tr("Import profile"), folder,
                                         tr("Profiles (*.json *.json.gz *.gz *.sqlite *.csv);;All files (*)"));
}

bool NativeDialogs::confirm(QWidget* parent, const QString& question, const QString& consequence, const QString& action)
{
    PlainBox box(QMessageBox::Question, tr("Headroom"), question, QMessageBox::Cancel, parent);
    box.setConsequence(consequence);
    const auto* act = box.addButton(action, QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == act;
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
    PlainBox box(QMessageBox::Question, tr("Unsaved changes"), tr("Save the changes to “%1”?").arg(title),
                 QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setConsequence(tr("Without saving they are lost."));
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
    PlainBox box(QMessageBox::Question, tr("Unsaved scenario"), tr("Restore the unsaved changes to “%1”?").arg(title),
                 QMessageBox::NoButton, parent);
    box.setConsequence(tr("Headroom stopped unexpectedly. The changes are from %1.").arg(when));
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
    PlainBox box(QMessageBox::Warning, tr("Headroom"), message, QMessageBox::Ok, parent);
    box.setConsequence(details);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.exec();
}

void NativeDialogs::showAbout(QWidget* parent, const QString& title, const QString& html)
{
    QMessageBox::about(parent, title, html);
}

} // namespace headroom::ui
