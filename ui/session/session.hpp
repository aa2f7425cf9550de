// SPDX-License-Identifier: GPL-3.0-or-later
// Session: what a window works on: the scenario and its results, the catalogue, the runs, and what changes them.
#pragma once

#include "ui/catalog/catalog_editor.hpp"
#include "ui/document/catalog_library.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/document/dropped_file.hpp"
#include "ui/document/profile_controller.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/document/run_controller.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/learn/lesson_player.hpp"

#include <thread>

namespace headroom::ui
{

class Appearance;

/// Knows no window and outlives the one that shows it: whatever listens to its parts may go before them.
struct Session {
    /// Reads the catalogue and the predictor's constants in a thread, while Qt begins: to be called before
    /// QApplication is made, once the environment is as it shall be. Keep what it gives.
    [[nodiscard]] static std::jthread readAhead();

    /// `catalogFolder` holds the user's own entries; empty = the built-in ones alone.
    Session(Settings& settings, Dialogs& dialogs, Appearance& appearance, const QString& catalogFolder = {});

    /// Dialogs appear over this window.
    void setWindow(QWidget* window);
    /// Brings in the profiles of a drag, or its models and accelerators; gives back what is neither.
    std::vector<DroppedFile> importDropped(const QMimeData* mime);

    Settings& settings;
    Dialogs& dialogs;
    Appearance& appearance;
    ScenarioStore store;
    CatalogLibrary library;
    Recalculator recalculator;
    RunLibrary runLibrary;
    RunController runs;
    ProfileController profiles;
    DocumentController documents;
    CatalogEditor catalogEditor;
    LessonPlayer lessons;
};

} // namespace headroom::ui
