// SPDX-License-Identifier: GPL-3.0-or-later
// followInFocusChain(): Tab reaches parts in the order in which they stand, whenever they came.
#pragma once

class QWidget;

namespace headroom::ui
{

/// Puts the keyboard's way through `part` behind the way through `before`; both of one window.
void followInFocusChain(QWidget& part, QWidget& before);

} // namespace headroom::ui
