// SPDX-License-Identifier: GPL-3.0-or-later
// makePlainButton(): a button of a dialog that Return does not press from elsewhere.
#pragma once

#include <QString>

class QPushButton;

namespace headroom::ui
{

/// `text` with its mnemonic, `tip` where there is more to say, `name` by which tests and style find it. The layout that
/// takes it owns it.
[[nodiscard]] QPushButton* makePlainButton(const QString& text, const QString& tip = {}, const char* name = nullptr);

} // namespace headroom::ui
