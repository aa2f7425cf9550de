// SPDX-License-Identifier: GPL-3.0-or-later
// BenchWindow: the real window, 1600×900, with settings of its own and nobody to answer its dialogs.
#pragma once

#include "ui/main_window.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QTemporaryDir>

namespace headroom::bench
{

class NoDialogs final : public ui::Dialogs
{
public:
    QString openFile(QWidget*, const QString&) override { return {}; }
    QString saveFile(QWidget*, const QString&) override { return {}; }
    ui::SaveAnswer askSave(QWidget*, const QString&) override { return ui::SaveAnswer::Discard; }
    void showError(QWidget*, const QString&, const QString&) override {}
    void showAbout(QWidget*, const QString&, const QString&) override {}
};

/// Shown, but not settled: how long to wait for it is what a benchmark may ask.
struct BenchWindow {
    explicit BenchWindow(QApplication& application) : appearance(application, settings)
    {
        window.resize(1600, 900);
        window.show();
    }

    QTemporaryDir folder;
    ui::Settings settings{folder.filePath(QStringLiteral("headroom.ini"))};
    NoDialogs dialogs;
    ui::Appearance appearance;
    ui::Session session{settings, dialogs, appearance};
    ui::MainWindow window{session};
};

} // namespace headroom::bench
