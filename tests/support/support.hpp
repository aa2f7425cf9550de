// SPDX-License-Identifier: GPL-3.0-or-later
// What every test needs: files of the source tree, and the published runs.
#pragma once

#include "tests/support/patience.hpp"
#include "tests/support/places.hpp"

#include <QTest>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::test
{

[[nodiscard]] std::string readFile(const std::string& path);
/// The lines of a file, without an empty one at its end. Ends the test program where there are none.
[[nodiscard]] std::vector<std::string> readLines(const std::string& path);
/// The published runs of data/runs as scenario lines, of "training" or "inference" (packaging/data/runs.py).
[[nodiscard]] std::vector<std::string> publishedRunLines(const std::string& task);
/// Writes a file, with the folders above it; gives its path back. Ends the test program where that fails.
QString writtenFile(const QString& path, const QByteArray& text);

} // namespace headroom::test
