// SPDX-License-Identifier: GPL-3.0-or-later
// offerUnsaved(): at the start, asks whether to take up what a process left unsaved.
#pragma once

#include "core/catalog/catalog.hpp"

class QWidget;

namespace headroom::ui
{

class Autosave;
class Dialogs;
class ScenarioStore;

/// Asks about the newest unsaved scenario, if there is one. Restored, it is an unsaved edit of the document that it
/// came from: saving writes that file, undo gives its saved state. One that cannot be read any more is passed over.
void offerUnsaved(Autosave& autosave, ScenarioStore& store, const Catalog& catalog, Dialogs& dialogs, QWidget* window);

} // namespace headroom::ui
