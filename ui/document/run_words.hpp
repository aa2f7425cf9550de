// SPDX-License-Identifier: GPL-3.0-or-later
// How many runs, in words: the source texts are English as they are, so that one is a case of its own.
#pragma once

#include <QCoreApplication>

namespace headroom::ui
{

/// "1 run", "12 runs".
[[nodiscard]] inline QString runCount(std::size_t count)
{
    const int number = static_cast<int>(count);
    return number == 1 ? QCoreApplication::translate("Runs", "1 run")
                       : QCoreApplication::translate("Runs", "%n runs", nullptr, number);
}

} // namespace headroom::ui
