// SPDX-License-Identifier: GPL-3.0-or-later
// The user guide written into a folder: text from resources/help, pictures that the program draws of itself.
#pragma once

#include <QString>

class QApplication;

namespace headroom
{

/// False when something could not be written; what, stands on standard error.
[[nodiscard]] bool writeGuide(const QString& folder, QApplication& application);

} // namespace headroom
