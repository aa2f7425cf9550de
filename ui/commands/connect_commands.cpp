// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/connect_commands.hpp"

#include "ui/base/tr.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/document/profile_controller.hpp"
#include "ui/document/run_controller.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/row_list.hpp"
#include "ui/parameters/rows_dialog.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/catalog_picker.hpp"

namespace headroom::ui
{
namespace
{

constexpr double typeStep = 1.1;

template <typename Receiver, typename Act>
void connectTo(QAction* action, Receiver* receiver, Act act)
{
    QObject::connect(action, &QAction::triggered, receiver, act);
}

/// Null before it was first opened. Only the window's own children are asked: a slider's step leads here.
RowsDialog* phasesOf(const QWidget& window)
{
    return window.findChild<RowsDialog*>(QString(), Qt::FindDirectChildrenOnly);
}

} // namespace

void connectDocumentCommands(const Actions& a, DocumentController& documents, ScenarioStore& store)
{
    connectTo(a[ActionId::New], &documents, &DocumentController::newDocument);
    connectTo(a[ActionId::Open], &documents, &DocumentController::open);
    connectTo(a[ActionId::Save], &documents, &DocumentController::save);
    connectTo(a[ActionId::SaveAs], &documents, &DocumentController::saveAs);
    connectTo(a[ActionId::Copy], &documents, &DocumentController::copyScenario);
    connectTo(a[ActionId::Paste], &documents, &DocumentController::pasteScenario);
    connectTo(a[ActionId::ResetAll], &store, &ScenarioStore::resetAll);
    connectTo(a[ActionId::Pin], &store, &ScenarioStore::pinCurrent);
    connectTo(a[ActionId::ClearPins], &store, &ScenarioStore::clearPins);

    QUndoStack& stack = store.undoStack();
    QAction *undo = a[ActionId::Undo], *redo = a[ActionId::Redo];
    connectTo(undo, &stack, &QUndoStack::undo);
    connectTo(redo, &stack, &QUndoStack::redo);
    const auto showSteps = [&stack, undo, redo] {
        undo->setEnabled(stack.canUndo());
        redo->setEnabled(stack.canRedo());
        undo->setText(stack.canUndo() ? tr("&Undo “%1”").arg(stack.undoText()) : tr("&Undo"));
        redo->setText(stack.canRedo() ? tr("&Redo “%1”").arg(stack.redoText()) : tr("&Redo"));
    };
    QObject::connect(&stack, &QUndoStack::indexChanged, undo, showSteps);
    showSteps();
}

void connectParameterCommands(const Actions& a, ParameterPanel& parameters, ScenarioStore& store, Recalculator& results,
                              QWidget* window)
{
    connectTo(a[ActionId::ResetRow], &parameters, &ParameterPanel::resetFocused);
    connectTo(a[ActionId::LockRow], &parameters, &ParameterPanel::lockFocused);
    connectTo(a[ActionId::SweepRow], &parameters, &ParameterPanel::sweepFocused);
    connectTo(a[ActionId::PlayRow], &parameters, &ParameterPanel::playFocused);
    connectTo(a[ActionId::PickModel], parameters.modelPicker(), &CatalogPicker::openPopup);
    connectTo(a[ActionId::PickAccelerator], parameters.acceleratorPicker(), &CatalogPicker::openPopup);
    QAction* phases = a[ActionId::Phases];
    connectTo(phases, window, [&store, &results, window] {
        auto* dialog = phasesOf(*window);
        if (!dialog)
            dialog = new RowsDialog(phaseRows(), store, results, window);
        dialog->show();
        dialog->raise();
        dialog->activateWindow();
    });
    const auto offer = [&store, phases, window] { // only a training has them
        const bool training = store.scenario().task == Task::Training;
        phases->setEnabled(training);
        if (RowsDialog* dialog = training ? nullptr : phasesOf(*window))
            dialog->close();
    };
    QObject::connect(&store, &ScenarioStore::scenarioChanged, phases, offer);
    offer();
}

void connectRunCommands(const Actions& a, RunController& runs, ProfileController& profiles, ScenarioStore& store,
                        Settings& settings)
{
    connectTo(a[ActionId::ImportRuns], &runs,
              [&runs, &settings] { runs.askAndImport(settings.value(SettingKey::LastFolder).toString()); });
    connectTo(a[ActionId::ImportProfile], &profiles, &ProfileController::askAndImport);
    QAction* calibrate = a[ActionId::Calibrate];
    const auto showCalibrated = [&runs, calibrate] { calibrate->setChecked(runs.isCalibrated()); };
    connectTo(calibrate, &runs, [&runs, showCalibrated](bool on) {
        if (on)
            runs.calibrate();
        else
            runs.uncalibrate();
        showCalibrated(); // nothing to calibrate to: the tick goes again
    });
    QObject::connect(&store, &ScenarioStore::scenarioChanged, calibrate, showCalibrated);
    showCalibrated();
}

void connectAppearanceCommands(const Actions& a, Appearance& appearance)
{
    QAction* dark = a[ActionId::ToggleTheme];
    const auto showTheme = [&appearance, dark] { dark->setChecked(appearance.theme() == ThemeKind::Dark); };
    connectTo(dark, &appearance,
              [&appearance](bool on) { appearance.setTheme(on ? ThemeKind::Dark : ThemeKind::Light); });
    QObject::connect(&appearance, &Appearance::changed, dark, showTheme);
    showTheme();
    connectTo(a[ActionId::LargerType], &appearance,
              [&appearance] { appearance.setTypeScale(appearance.typeScale() * typeStep); });
    connectTo(a[ActionId::SmallerType], &appearance,
              [&appearance] { appearance.setTypeScale(appearance.typeScale() / typeStep); });
    connectTo(a[ActionId::NormalType], &appearance, [&appearance] { appearance.setTypeScale(1); });
}

} // namespace headroom::ui
