// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette finds in this window: its actions, pages, charts, the catalogue, parameters, metrics,
// examples, lessons and terms of the glossary.
#pragma once

#include "ui/widgets/command_palette.hpp"

#include <QAction>

namespace headroom::ui
{

class Explainer;
class Navigator;
class ParameterPanel;
struct Session;

/// Where entries come from, and what they act on; all of it outlives the palette's list.
struct PaletteSources {
    QList<QAction*> actions;
    Session& session;
    Navigator& pages;
    ParameterPanel& parameters;
    Explainer& explainer;
};

[[nodiscard]] std::vector<PaletteEntry> paletteEntries(const PaletteSources& sources);

} // namespace headroom::ui
