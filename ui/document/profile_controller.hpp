// SPDX-License-Identifier: GPL-3.0-or-later
// ProfileController: brings profiles into the scenario, with progress and a way to stop.
#pragma once

#include "ui/document/scenario_store.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/settings/settings.hpp"

#include <QObject>
#include <QPointer>

class QMimeData;

namespace headroom
{
class Catalog;
}

namespace headroom::ui
{

class ProfileController final : public QObject
{
    Q_OBJECT

public:
    ProfileController(ScenarioStore& store, const Catalog& catalog, Dialogs& dialogs, const Settings& settings,
                      QObject* parent = nullptr);

    /// Dialogs appear over this window.
    void setWindow(QWidget* window) { m_window = window; }

    /// Asks for profiles and imports them.
    void askAndImport();
    /// Reads the profiles of one run beside the window's thread; the mean step of the slowest becomes the scenario's
    /// profile: one undo step. False where they could not be read or were cancelled; the user is told.
    bool import(const QStringList& paths);
    /// Imports the profiles of a drag; false where it holds none.
    bool importDropped(const QMimeData* mime);
    /// The files of a drag that are profiles; one run is one drag.
    [[nodiscard]] static QStringList profilesAmong(const QMimeData* mime);

signals:
    /// What was done, for the status line.
    void said(const QString& words);

private:
    ScenarioStore& m_store;
    const Catalog& m_catalog;
    Dialogs& m_dialogs;
    const Settings& m_settings;
    QPointer<QWidget> m_window;
};

} // namespace headroom::ui
