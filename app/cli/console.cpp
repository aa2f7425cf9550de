// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.hpp"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <io.h>
#include <windows.h>
#endif

namespace headroom::cli
{

void prepareStreams()
{
#ifdef _WIN32
    // As text, a Ctrl-Z would end the input and each end of a line grow by a byte.
    for (std::FILE* stream : {stdin, stdout, stderr})
        _setmode(_fileno(stream), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
#endif
}

} // namespace headroom::cli
