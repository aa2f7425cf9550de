// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of a dialog in the order of the Tab key.
#pragma once

class QDialogButtonBox;
class QWidget;

namespace headroom::ui
{

/// Tab walks through all of them as the eye does, after `last`. To be called once the box is in its dialog and holds
/// its buttons: Qt 6.4 by itself leaves some of several out.
void orderButtons(QDialogButtonBox& box, QWidget* last);

} // namespace headroom::ui
