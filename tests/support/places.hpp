// SPDX-License-Identifier: GPL-3.0-or-later
// Where the source tree and this build have their files.
#pragma once

#include <QString>
#include <string>

namespace headroom::test
{

/// A file or folder of the source tree; "" is the tree itself.
[[nodiscard]] std::string sourcePath(const std::string& relative);
/// The published runs of "training" or "inference" as scenario lines (packaging/data/runs.py).
[[nodiscard]] std::string publishedRunsPath(const std::string& task);
/// headroom-cli as this build has made it.
[[nodiscard]] QString commandLineProgram();
/// headroom, the window, likewise.
[[nodiscard]] QString windowProgram();

} // namespace headroom::test
