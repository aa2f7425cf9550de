// SPDX-License-Identifier: GPL-3.0-or-later
// What every test needs: files of the source tree, and the published runs.
#pragma once

#include "tests/support/patience.hpp"

#include <QTest>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::test
{

/// A file of the source tree.
[[nodiscard]] inline std::string sourcePath(const std::string& relative)
{
    // Not by +: g++ 12 warns of an overflow that is none where the folder's name is 16 letters long.
    std::string path = HEADROOM_SOURCE_DIR "/";
    return path.append(relative);
}

[[nodiscard]] std::string readFile(const std::string& path);
/// The lines of a file, without an empty one at its end. Ends the test program where there are none.
[[nodiscard]] std::vector<std::string> readLines(const std::string& path);
/// The published runs of data/runs as scenario lines, of "training" or "inference" (packaging/data/runs.py).
[[nodiscard]] std::vector<std::string> publishedRunLines(const std::string& task);
/// Writes a file, with the folders above it; gives its path back. Ends the test program where that fails.
QString writtenFile(const QString& path, const QByteArray& text);

} // namespace headroom::test
