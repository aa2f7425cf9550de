// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands do that go straight to a document, parameters, runs or the appearance.
#pragma once

class QWidget;

namespace headroom::ui
{

class Actions;
class Appearance;
class DocumentController;
class ParameterPanel;
class ProfileController;
class Recalculator;
class RunController;
class ScenarioStore;
class Settings;

/// Files, the clipboard, undo and redo, which say what they would change, and pins.
void connectDocumentCommands(const Actions& actions, DocumentController& documents, ScenarioStore& store);
/// The row in hand, the choice of model and accelerator, and the phases of a training, in a dialog over `window`.
void connectParameterCommands(const Actions& actions, ParameterPanel& parameters, ScenarioStore& store,
                              Recalculator& results, QWidget* window);
/// Imports of measurements and profiles, and the calibration to them.
void connectRunCommands(const Actions& actions, RunController& runs, ProfileController& profiles, ScenarioStore& store,
                        Settings& settings);
/// Theme and size of type.
void connectAppearanceCommands(const Actions& actions, Appearance& appearance);

} // namespace headroom::ui
