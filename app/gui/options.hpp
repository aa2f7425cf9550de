// SPDX-License-Identifier: GPL-3.0-or-later
// Options: what the command line of the window program asks for.
#pragma once

#include "ui/theme/theme.hpp"

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

namespace headroom
{

/// The name of the presentation among the pages.
inline constexpr auto stagePage = "present";

/// Exit status of the program.
inline constexpr int done = 0, refused = 1, wrongUsage = 2;

struct Options {
    QString file;     ///< scenario to open; empty = the first example
    QString renderTo; ///< picture to write instead of opening a window
    QString guide;    ///< folder to write the user guide into instead; its pictures are drawn for it
    QString page;     ///< of the picture; empty = the first
    QSize size{1600, 900};
    int fit = 0; ///< longest side of the picture, pixels; 0 = as large as the window (thumbnails)
    std::optional<ui::ThemeKind> theme;
    QString language; ///< "system", "en" or "de"; empty = as the settings say, of a picture English
    QString error;    ///< not empty: wrong usage
};

/// Reads the arguments; --help and --version print and end the program.
[[nodiscard]] Options readOptions(const QStringList& arguments);

/// Says on standard error what could not be done; false, to be returned.
bool complain(const QString& what);

/// What has to be in the environment before Qt starts: offscreen where there is no display, the scale of a picture.
void prepareEnvironment(int argc, char** argv);

} // namespace headroom
