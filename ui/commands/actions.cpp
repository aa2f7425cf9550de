// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/actions.hpp"

#include "ui/base/typed.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/icon.hpp"

#include <QWidget>

namespace headroom::ui
{
namespace
{

struct ActionRow {
    ActionId id;
    const char* text;
    const char* tip;
    const char* shortcut; ///< portable text; several separated by "; "
    const char* icon;     ///< file in resources/icons; empty = none
    bool checkable = false;
};

#define TEXT(words) QT_TRANSLATE_NOOP("headroom::ui::Actions", words)

// Single letters work while no text field has the keyboard: a field takes them first.
constexpr ActionRow table[] = {
    {ActionId::New, TEXT("&New"), TEXT("Start from a plain scenario"), "Ctrl+N", "new"},
    {ActionId::Open, TEXT("&Open…"), TEXT("Open a scenario file"), "Ctrl+O", "open"},
    {ActionId::Import, TEXT("&Import…"), TEXT("Read a model's config.json or a catalogue entry"), "Ctrl+Shift+O", ""},
    {ActionId::Save, TEXT("&Save"), TEXT("Save the scenario"), "Ctrl+S", "save"},
    {ActionId::SaveAs, TEXT("Save &as…"), TEXT("Save the scenario under another name"), "Ctrl+Shift+S", ""},
    {ActionId::ExportReport, TEXT("Export repor&t…"),
     TEXT("Save the scenario as a PDF: result, charts, inputs, assumptions, sources"), "Ctrl+E", ""},
    {ActionId::Quit, TEXT("&Quit"), TEXT("Close the window"), "Ctrl+Q", ""},
    {ActionId::Undo, TEXT("&Undo"), TEXT("Take back the last change"), "Ctrl+Z", "undo"},
    {ActionId::Redo, TEXT("&Redo"), TEXT("Make the change again"), "Ctrl+Shift+Z; Ctrl+Y", "redo"},
    {ActionId::Copy, TEXT("&Copy scenario"), TEXT("Copy the scenario as a line of text"), "Ctrl+Shift+C", ""},
    {ActionId::Paste, TEXT("&Paste scenario"), TEXT("Replace the scenario by the text in the clipboard"),
     "Ctrl+Shift+V", ""},
    {ActionId::CopyCommandLine, TEXT("Copy as co&mmand line"),
     TEXT("Copy the headroom-cli command that gives the same numbers"), "", ""},
    {ActionId::DuplicateAccelerator, TEXT("Duplicate &accelerator…"),
     TEXT("Make an accelerator of your own from the one in hand"), "", ""},
    {ActionId::DuplicateModel, TEXT("Duplicate mo&del…"), TEXT("Make a model of your own from the one in hand"), "",
     ""},
    {ActionId::ResetRow, TEXT("Reset ro&w"), TEXT("Set the parameter in hand back to its default"), "R", ""},
    {ActionId::ResetAll, TEXT("Reset a&ll"), TEXT("Set every unlocked parameter back to its default"), "Shift+R", ""},
    {ActionId::LockRow, TEXT("Loc&k row"), TEXT("Lock the parameter in hand, or unlock it"), "L", ""},
    {ActionId::SweepRow, TEXT("&Sweep this parameter"), TEXT("Draw the charts over the parameter in hand"), "", ""},
    {ActionId::PlayRow, TEXT("Pla&y this parameter"),
     TEXT("Play the parameter in hand: it moves until a key or a click"), "", ""},
    {ActionId::Pin, TEXT("&Pin for comparison"), TEXT("Pin this scenario for comparison (A, B, C)"), "P", "pin"},
    {ActionId::ClearPins, TEXT("&Forget the pins"), TEXT("Forget the pinned scenarios"), "Shift+P", ""},
    {ActionId::Compare, TEXT("Comp&are"), TEXT("Show the scenario beside the pinned ones"), "C", ""},
    {ActionId::ImportRuns, TEXT("Import &measurements…"),
     TEXT("Read runs of your own: CSV; logs of torchtitan, Megatron-LM, Megatron Bridge, NeMo, MaxText, Trainer, "
          "LLaMA-Factory, Axolotl; results of vLLM, SGLang, trtllm-bench, GenAI-Perf, AIPerf, llama-bench"),
     "Ctrl+Shift+I", ""},
    {ActionId::ImportProfile, TEXT("Import pro&file…"),
     TEXT("Read a profile of a step: PyTorch profiler traces, Nsight Systems exports, one file a rank"), "", ""},
    {ActionId::Calibrate, TEXT("Calibrate to your &runs"),
     TEXT("Calibrate the expectation to your measurements; press again to restore the built-in calibration"), "", "",
     true},
    {ActionId::MeasureGpu, TEXT("&Calibrate to my GPU…"), TEXT("Measure your GPU with a script, and open its output"),
     "", ""},
    {ActionId::PickModel, TEXT("Choose &model…"), TEXT("Search the models"), "Alt+M", ""},
    {ActionId::PickAccelerator, TEXT("Choose acce&lerator…"), TEXT("Search the accelerators"), "Alt+G", ""},
    {ActionId::Phases, TEXT("P&hases of the training…"),
     TEXT("State the parts of a long training that differ in sequence length, batch, GPUs or layout"), "", ""},
    {ActionId::Palette, TEXT("F&ind anything…"),
     TEXT("Search commands, charts, models, accelerators, parameters and metrics"), "Ctrl+K; Ctrl+Shift+P", ""},
    {ActionId::Explanation, TEXT("&Explanation"), TEXT("Show why a figure has its value"), "Ctrl+I", "explain", true},
    {ActionId::FullSize, TEXT("&Full-size chart"), TEXT("Show the chart under the pointer over the whole page"), "F",
     ""},
    {ActionId::ChartNumbers, TEXT("Chart as &table"), TEXT("Show the numbers of the chart in hand"), "T", ""},
    {ActionId::ExportChart, TEXT("E&xport chart…"), TEXT("Save the chart in hand as a picture or as numbers"), "E", ""},
    {ActionId::Present, TEXT("&Present"),
     TEXT("Show the saved views full screen, or this scenario where there are none"), "F5", "present"},
    {ActionId::PresentThis, TEXT("Present t&his scenario"), TEXT("Show the scenario in hand full screen"), "Shift+F5",
     ""},
    {ActionId::Views, TEXT("&Views…"), TEXT("The saved views of a talk: add, order, name, charts, sliders, notes"),
     "Ctrl+F5", ""},
    {ActionId::ExportViews, TEXT("Export vie&ws…"), TEXT("Save the views of the talk as a PDF, one a page"), "", ""},
    {ActionId::ToggleTheme, TEXT("&Dark"), TEXT("Switch between light and dark"), "Ctrl+D", "theme", true},
    {ActionId::LargerType, TEXT("&Larger type"), TEXT("Make all text larger"), "Ctrl++; Ctrl+=", ""},
    {ActionId::SmallerType, TEXT("&Smaller type"), TEXT("Make all text smaller"), "Ctrl+-", ""},
    {ActionId::NormalType, TEXT("&Normal type"), TEXT("Text in the desktop's size"), "Ctrl+0", ""},
    {ActionId::Preferences, TEXT("Pr&eferences…"), TEXT("Theme, text size, unit of memory, next start"), "Ctrl+,", ""},
    {ActionId::NextPane, TEXT("Next p&ane"),
     TEXT("Move the keyboard focus to the next part: parameters, lesson, tiles, page, explanation, tabs"), "F6", ""},
    {ActionId::PreviousPane, TEXT("Pane &before"), TEXT("Move the keyboard focus to the previous part"), "Shift+F6",
     ""},
    {ActionId::LessonCard, TEXT("To the lesson &card"), TEXT("Move the keyboard focus to the running lesson"), "", ""},
    {ActionId::LessonNext, TEXT("&Next step"), TEXT("Go on in the lesson once the step is done"), "Alt+Right", ""},
    {ActionId::LessonBack, TEXT("Step &back"), TEXT("Go back to the previous step"), "Alt+Left", ""},
    {ActionId::LessonLeave, TEXT("&Leave the lesson"), TEXT("End the lesson; your scenario comes back"), "", ""},
    {ActionId::Help, TEXT("&Help"),
     TEXT("Open the help about the part of the window with the keyboard focus; press again to go back"), "F1", ""},
    {ActionId::WhatIsThis, TEXT("&What is this?"),
     TEXT("Then click an item, or press Enter for the one with the keyboard focus"), "Shift+F1", ""},
    {ActionId::Welcome, TEXT("&Four ways to begin"),
     TEXT("Explore, your own run, learn or plan: what the first start offers"), "", ""},
    {ActionId::About, TEXT("&About Headroom"), TEXT("Version and licence"), "", ""},
};

#undef TEXT

QList<QKeySequence> keysOf(const ActionRow& row)
{
    QList<QKeySequence> keys = QKeySequence::listFromString(QLatin1String(row.shortcut), QKeySequence::PortableText);
    keys.removeAll(QKeySequence()); // what an empty text gives
    return keys;
}

} // namespace

Actions::Actions(QWidget* window) : QObject(window), m_window(window)
{
    for (const ActionRow& row : table) {
        auto* action = new QAction(tr(row.text), this);
        action->setObjectName(QString(QLatin1String("action.") + QString::number(static_cast<int>(row.id))));
        const QList<QKeySequence> keys = keysOf(row);
        action->setShortcuts(keys);
        action->setToolTip(keys.isEmpty()
                               ? tr(row.tip)
                               : tr("%1 (%2)").arg(tr(row.tip), keys.front().toString(QKeySequence::NativeText)));
        action->setStatusTip(tr(row.tip));
        action->setCheckable(row.checkable);
        window->addAction(action);
        connect(action, &QAction::triggered, window, [window] { commitTyped(*window); }); // before what it does
        m_actions[static_cast<std::size_t>(row.id)] = action;
    }
    updateIcons();
}

QList<CommandWords> Actions::words()
{
    QList<CommandWords> list;
    for (const ActionRow& row : table)
        list.push_back({tr(row.text).remove(u'&').remove(u'…'), tr(row.tip), keysOf(row)});
    return list;
}

void Actions::updateIcons()
{
    const Theme& colours = themeOf(m_window->palette());
    for (const ActionRow& row : table)
        if (*row.icon)
            (*this)[row.id]->setIcon(
                lineIcon(QLatin1String(row.icon), colours.text, mixed(colours.surface, colours.muted, 0.55)));
}

} // namespace headroom::ui
