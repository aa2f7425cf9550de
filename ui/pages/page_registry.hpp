// SPDX-License-Identifier: GPL-3.0-or-later
// PageRow: one page of the window's centre, declared once: its tab, shortcut, menu entry and `--page` name follow from
// it.
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace headroom::ui
{

struct Session;

/// Brings another page to the front, by id.
using ShowPage = std::function<void(const QString& pageId)>;

struct PageRow {
    const char* id;    ///< its class's pageId; name for `--page` and the tests
    const char* title; ///< its tab
    const char* tip;   ///< what one does there, one sentence without a full stop
    bool tiles;        ///< the metric tiles of the scenario stay above it
    bool parameters;   ///< the scenario's parameters stay to the left of it
    bool explanation;  ///< the explanation stays to the right of it
    QWidget* (*create)(Session& session, const ShowPage& show); ///< the session outlives the page
};

/// In the order of the tabs; Ctrl+1 is the first.
[[nodiscard]] const std::vector<PageRow>& pageRegistry();
/// A title or a tip in the window's language.
[[nodiscard]] QString pageWords(const char* text);
/// Null when there is none of that name.
[[nodiscard]] const PageRow* pageRow(const QString& id);

} // namespace headroom::ui
