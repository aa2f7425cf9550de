// SPDX-License-Identifier: GPL-3.0-or-later
// What the streams of the command line need before their first byte.
#pragma once

namespace headroom::cli
{

/// On Windows: standard input and output pass bytes as they are, the same as on other systems, and a console reads them
/// as UTF-8. Elsewhere nothing.
void prepareStreams();

} // namespace headroom::cli
