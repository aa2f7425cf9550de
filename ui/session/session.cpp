// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.hpp"

#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"

namespace headroom::ui
{

Session::Session(Settings& givenSettings, Dialogs& givenDialogs, Appearance& givenAppearance,
                 const QString& catalogFolder)
    : settings(givenSettings), dialogs(givenDialogs), appearance(givenAppearance), library(catalogFolder),
      recalculator(store, library.catalog(), Calibration::builtIn()),
      runLibrary(recalculator.catalog(), settings.fileBeside(QStringLiteral("runs.jsonl"))),
      runs(store, recalculator.catalog(), runLibrary, dialogs),
      profiles(store, recalculator.catalog(), dialogs, settings),
      documents(store, recalculator.catalog(), settings, dialogs), catalogEditor(store, library, dialogs),
      lessons(store, recalculator.catalog())
{
    QObject::connect(&library, &CatalogLibrary::changed, &recalculator,
                     [this] { recalculator.setCatalog(library.catalog()); });
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
    QObject::connect(&profiles, &ProfileController::said, &runs, &RunController::said); // one status line
    QObject::connect(&lessons, &LessonPlayer::finished, &lessons, [this](const QString& id) {
        QStringList done = settings.value(SettingKey::LessonsDone).toStringList();
        if (!done.contains(id))
            settings.setValue(SettingKey::LessonsDone, done << id);
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
