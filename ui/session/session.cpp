// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.hpp"

#include "core/lessons/lesson_results.hpp"
#include "ui/base/text.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

namespace headroom::ui
{
namespace
{

/// The user's runs lie in the data folder, beside the folder of entries of one's own. Earlier they lay beside the
/// settings: what is there is taken along.
QString runsFile(const Settings& settings, const QString& catalogFolder)
{
    const QString name = QStringLiteral("runs.jsonl");
    QString before = settings.fileBeside(name);
    if (catalogFolder.isEmpty())
        return before;
    QString file = QFileInfo(catalogFolder).dir().filePath(name);
    if (file != before && QFileInfo::exists(before) && !QFileInfo::exists(file) &&
        QDir().mkpath(QFileInfo(file).path()))
        QFile::copy(before, file);
    return file;
}

/// What is answered in a lesson, for the file that a teacher asks for.
void keepResult(LessonPlayer& player, Settings& settings)
{
    if (!player.isPlaying())
        return;
    const LessonResult result = resultOf(player.runner().lesson(), player.state());
    if (std::ranges::none_of(result.steps, [](const StepResult& step) { return step.answer || step.done; }))
        return;
    QVariantMap all = settings.value(SettingKey::LessonResults).toMap();
    const QString id = toQString(result.lesson), line = toQString(writeResult(result));
    if (all.value(id).toString() == line)
        return;
    if (const auto before = readResult(toUtf8(all.value(id).toString()));
        before && before->finished && !result.finished)
        return; // played again: what was reached stays until it is reached again
    all.insert(id, line);
    settings.setValue(SettingKey::LessonResults, all);
}

} // namespace

Session::Session(Settings& givenSettings, Dialogs& givenDialogs, Appearance& givenAppearance,
                 const QString& catalogFolder)
    : settings(givenSettings), dialogs(givenDialogs), appearance(givenAppearance), library(catalogFolder),
      recalculator(store, library.catalog(), Calibration::builtIn()),
      runLibrary(recalculator.catalog(), runsFile(settings, catalogFolder)),
      runs(store, recalculator.catalog(), runLibrary, dialogs),
      profiles(store, recalculator.catalog(), dialogs, settings),
      documents(store, recalculator.catalog(), settings, dialogs), catalogEditor(store, library, dialogs),
      lessons(store, recalculator.catalog())
{
    QObject::connect(&library, &CatalogLibrary::changed, &recalculator,
                     [this] { recalculator.setCatalog(library.catalog()); });
    documents.setOtherFiles([this](const QString& path) { return runs.openLog(path); });
    // Points of published runs come after the first picture.
    QObject::connect(&recalculator, &Recalculator::updateFinished, &runLibrary, &RunLibrary::read);
    QObject::connect(&runLibrary, &RunLibrary::changed, &recalculator,
                     [this] { recalculator.setRuns(runLibrary.shelf()); });
    // Every text with an amount of memory in it is made anew; so do the tables of the catalogue.
    QObject::connect(&appearance, &Appearance::unitChanged, &recalculator,
                     [this] { recalculator.setCatalog(recalculator.catalog()); });
    lessons.setBookmarks(settings.value(SettingKey::LessonsBegun).toMap());
    QObject::connect(&lessons, &LessonPlayer::bookmarked, &lessons,
                     [this] { settings.setValue(SettingKey::LessonsBegun, lessons.bookmarks()); });
    QObject::connect(&lessons, &LessonPlayer::changed, &lessons, [this] { keepResult(lessons, settings); });
    QObject::connect(&profiles, &ProfileController::said, &runs, &RunController::said); // one status line
    QObject::connect(&lessons, &LessonPlayer::finished, &lessons, [this](const QString& id) {
        QStringList done = settings.value(SettingKey::LessonsDone).toStringList();
        if (!done.contains(id))
            settings.setValue(SettingKey::LessonsDone, done << id);
    });
}

std::jthread Session::readAhead()
{
    return std::jthread([] {
        static_cast<void>(Catalog::builtIn());
        static_cast<void>(Calibration::builtIn());
    });
}

std::vector<DroppedFile> Session::importDropped(const QMimeData* mime)
{
    return profiles.importDropped(mime) ? std::vector<DroppedFile>() : catalogEditor.importFiles(droppedFiles(mime));
}

void Session::setWindow(QWidget* window)
{
    documents.setWindow(window);
    runs.setWindow(window);
    profiles.setWindow(window);
    catalogEditor.setWindow(window);
}

} // namespace headroom::ui
