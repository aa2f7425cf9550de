// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and tool bar: where each action of the window is found.
#pragma once

class QMainWindow;

namespace headroom::ui
{

class Actions;
class Navigator;
struct Session;

void buildMenus(QMainWindow& window, const Actions& actions, Session& session, Navigator& pages);
/// Beside the menus, where it costs the charts no height.
void buildToolBar(QMainWindow& window, const Actions& actions);

} // namespace headroom::ui
