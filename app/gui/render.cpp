// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/render.hpp"

#include "ui/main_window.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/platform/files.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/present/views_pdf.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QBuffer>
#include <QEvent>
#include <QEventLoop>
#include <QPixmap>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTimer>
#include <utility>

namespace headroom
{
namespace
{

/// Messages to standard error: nobody can answer a dialog in a picture.
class PrintedDialogs final : public ui::Dialogs
{
public:
    QString openFile(QWidget*, const QString&) override { return {}; }
    QString saveFile(QWidget*, const QString&) override { return {}; }
    ui::SaveAnswer askSave(QWidget*, const QString&) override { return ui::SaveAnswer::Discard; }
    void showError(QWidget*, const QString& message, const QString& details) override
    {
        complain(message + u'\n' + details);
    }
    void showAbout(QWidget*, const QString&, const QString&) override {}
};

bool savePicture(QWidget& widget, const Options& options)
{
    QPixmap picture = widget.grab();
    if (options.fit > 0)
        picture = picture.scaled(options.fit, options.fit, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    picture.save(&buffer, "PNG");
    return writeFile(options.renderTo, bytes);
}

/// Waits until nothing of the program happens for a while: no timer, queued call, layout or painting. On a busy machine
/// what is due comes late, and all at once.
class Quiet final : public QObject
{
public:
    Quiet()
    {
        m_pause.setInterval(pauseMs);
        connect(&m_pause, &QTimer::timeout, this, [this] {
            if (!std::exchange(m_happened, false) || --m_left == 0)
                m_loop.quit();
        });
        qApp->installEventFilter(this);
    }
    void wait()
    {
        m_pause.start();
        m_loop.exec();
    }
    bool eventFilter(QObject* object, QEvent* event) override
    {
        const QEvent::Type type = event->type();
        m_happened = m_happened || (type == QEvent::Timer && object != &m_pause) || type == QEvent::MetaCall ||
                     type == QEvent::LayoutRequest || type == QEvent::UpdateRequest || type == QEvent::Paint;
        return false;
    }

private:
    static constexpr int pauseMs = 300;
    int m_left = 20; ///< pauses: something may move for ever
    bool m_happened = false;
    QTimer m_pause;
    QEventLoop m_loop;
};

/// Lets queued evaluations, layouts and replots happen, and what waits until the hand rests.
void settle()
{
    Quiet().wait();
}

} // namespace

bool writeFile(const QString& path, const QByteArray& bytes)
{
    const QString error = ui::writeFile(path, bytes);
    return error.isEmpty() || complain(path + QStringLiteral(" cannot be written: ") + error);
}

bool openFile(ui::Session& session, ui::MainWindow& window, const QString& path)
{
    if (ui::ViewsController::isViewsFile(path))
        return window.views().open(path);
    return session.runs.openLog(path) || session.documents.openPath(path);
}

int render(const Options& options, QApplication& application)
{
    const QTemporaryDir folder; // a picture neither reads nor changes the user's settings
    ui::Settings settings(folder.filePath(QStringLiteral("headroom.ini")));
    PrintedDialogs dialogs;
    const ui::Language language(options.language.isEmpty() ? QStringLiteral("en") : options.language);
    ui::Appearance appearance(application, settings);
    appearance.showTheme(options.theme.value_or(ui::ThemeKind::Light));
    ui::Session session(settings, dialogs, appearance);
    ui::MainWindow window(session);
    if (!options.file.isEmpty() && !openFile(session, window, options.file))
        return refused;
    const bool stage = options.page == QLatin1String(stagePage);
    if (!options.page.isEmpty() && !stage)
        window.pages().show(options.page);
    window.resize(options.size);
    window.show();
    settle();
    constexpr int mostPauses = 100; // a page that searches may take its time, not for ever
    const auto busy = [&window, &session] {
        return window.pages().stack()->currentWidget()->property("busy").toBool() ||
               !session.runLibrary.shelf()->published; // read beside the window's own work
    };
    if (busy()) {
        for (int i = 0; i < mostPauses && busy(); ++i)
            settle();
        settle(); // what came last reaches the picture
    }
    if (!stage)
        return savePicture(window, options) ? done : refused;
    ui::Presenter& presenter = window.views().presenter();
    const auto views =
        presenter.library().views().empty() ? std::vector{presenter.present()} : presenter.library().views();
    if (options.renderTo.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        const QString error =
            ui::writeViewsPdf(views, session.recalculator.catalog(), session.runLibrary.shelf(), options.renderTo);
        return error.isEmpty() || complain(error) ? done : refused;
    }
    const auto presented = presenter.makeStage(views, &window);
    presented->resize(options.size);
    presented->show();
    settle();
    return savePicture(*presented, options) ? done : refused;
}

} // namespace headroom
