// SPDX-License-Identifier: GPL-3.0-or-later
// commitTyped(): what is being typed counts before a command acts on it.
#pragma once

class QWidget;

namespace headroom::ui
{

/// Makes the text in hand the value, as leaving its field does: commands by keys, and tools that take no focus, leave
/// none. The field keeps the keyboard.
void commitTyped(QWidget& window);

} // namespace headroom::ui
