// SPDX-License-Identifier: GPL-3.0-or-later
// A real MainWindow with its own settings file and scripted answers to every dialog.
#pragma once

#include "tests/support/patience.hpp"
#include "ui/main_window.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace headroom::test
{

class ScriptedDialogs final : public ui::Dialogs
{
public:
    QString openFile(QWidget*, const QString&) override { return path; }
    QString saveFile(QWidget*, const QString&) override { return path; }
    QString exportFile(QWidget*, const QString&, const QString&, const QString&) override { return path; }
    ui::SaveAnswer askSave(QWidget*, const QString&) override
    {
        ++asked;
        return answer;
    }
    ui::RestoreAnswer askRestore(QWidget*, const QString& title, const QString&) override
    {
        offered << title;
        return restore;
    }
    void showError(QWidget*, const QString& message, const QString& details) override
    {
        errors << message + QChar(u'\n') + details;
    }
    void showAbout(QWidget*, const QString&, const QString&) override {}

    QStringList importFiles(QWidget*, const QString&) override { return imports; }
    QStringList openProfiles(QWidget*, const QString&) override { return imports; }
    bool confirm(QWidget*, const QString&, const QString&, const QString&) override { return confirmed; }

    QStringList imports;   ///< what the next import dialog answers
    bool confirmed = true; ///< the answer to what cannot be undone
    QString path;          ///< what the next file dialog answers
    ui::SaveAnswer answer = ui::SaveAnswer::Discard;
    int asked = 0;
    ui::RestoreAnswer restore = ui::RestoreAnswer::Later;
    QStringList offered; ///< titles of unsaved scenarios that were offered
    QStringList errors;
};

struct WindowFixture {
    WindowFixture(const WindowFixture&) = delete;
    WindowFixture& operator=(const WindowFixture&) = delete;
    ~WindowFixture() { QApplication::setFont(desktop); } // the next one begins from the desktop's type, not from ours
    explicit WindowFixture(QSize size = {1600, 900})
        : settings(folder.filePath(QStringLiteral("settings.ini"))), appearance(*qApp, settings),
          session(settings, dialogs, appearance, catalogFolder()), window(std::make_unique<ui::MainWindow>(session))
    {
        // Set by ctest: the same tests with the type of a desktop that reads large.
        if (const double scale = qEnvironmentVariable("HEADROOM_TEST_TYPE_SCALE").toDouble(); scale > 0)
            appearance.setTypeScale(scale);
        window->resize(size);
        window->show();
        window->activateWindow();
        [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(window.get());
        settle();
        // Published runs come from a thread after the first picture: no test may depend on when.
        constexpr int mostMs = 30000;
        [[maybe_unused]] const bool read =
            QTest::qWaitFor([this] { return session.runLibrary.shelf()->published != nullptr; }, mostMs);
        settle();
    }

    /// Evaluations, layouts and replots that are queued happen.
    static void settle()
    {
        for (int i = 0; i < 5; ++i) {
            QCoreApplication::processEvents();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

    /// The window's only one of its class.
    template <typename Part>
    [[nodiscard]] Part& part() const
    {
        return *window->findChild<Part*>();
    }

    [[nodiscard]] QString catalogFolder() const { return folder.filePath(QStringLiteral("catalog")); }

    QFont desktop = QApplication::font();
    QTemporaryDir folder;
    ui::Settings settings;
    ScriptedDialogs dialogs;
    ui::Appearance appearance;
    ui::Session session;
    std::unique_ptr<ui::MainWindow> window;
};

} // namespace headroom::test
