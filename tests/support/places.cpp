// SPDX-License-Identifier: GPL-3.0-or-later
// Only this file is given absolute paths: ccache can then serve all others to another working tree
// (tests/CMakeLists.txt).
#include "tests/support/places.hpp"

namespace headroom::test
{

std::string sourcePath(const std::string& relative)
{
    // Not by +: g++ 12 warns of an overflow that is none where the folder's name is 16 letters long.
    std::string path = HEADROOM_SOURCE_DIR "/";
    return path.append(relative);
}

std::string publishedRunsPath(const std::string& task)
{
    return HEADROOM_RUNS_DIR "/" + task + ".jsonl";
}

QString commandLineProgram()
{
    return QStringLiteral(HEADROOM_CLI);
}

QString windowProgram()
{
    return QStringLiteral(HEADROOM_PROGRAM);
}

} // namespace headroom::test
