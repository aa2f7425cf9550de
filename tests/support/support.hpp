// SPDX-License-Identifier: GPL-3.0-or-later
// What every test needs: paths, and the facts under shared/ where they are present.
#pragma once

#include "tests/support/patience.hpp"

#include <QTest>
#include <filesystem>
#include <string>

namespace headroom::test
{

/// A file of the source tree.
[[nodiscard]] inline std::string sourcePath(const std::string& relative)
{
    // Not by +: g++ 12 warns of an overflow that is none where the folder's name is 16 letters long.
    std::string path = HEADROOM_SOURCE_DIR "/";
    return path.append(relative);
}

/// A file of the shared facts; tests that need it skip where it is missing (HEADROOM_REQUIRE_SHARED).
[[nodiscard]] inline std::string sharedPath(const std::string& relative)
{
    return std::string(HEADROOM_SHARED_DIR) + "/" + relative;
}

[[nodiscard]] std::string readFile(const std::string& path);
/// Writes a file, with the folders above it; gives its path back. Ends the test program where that fails.
QString writtenFile(const QString& path, const QByteArray& text);

} // namespace headroom::test

#define HEADROOM_REQUIRE_SHARED(relative)                                                                              \
    if (!std::filesystem::exists(headroom::test::sharedPath(relative)))                                                \
    QSKIP("the shared facts are not beside this checkout")
