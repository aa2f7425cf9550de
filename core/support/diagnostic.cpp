// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/diagnostic.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

namespace headroom
{

std::string toText(const Diagnostic& diagnostic)
{
    constexpr std::size_t longestPath = 300; // a key may be as long as the file
    std::string text;
    if (!diagnostic.file.empty()) {
        text += diagnostic.file;
        if (diagnostic.line > 0)
            text += ':' + std::to_string(diagnostic.line);
        text += ": ";
    } else if (diagnostic.line > 0) {
        text += say("line {}: ", diagnostic.line);
    }
    if (!diagnostic.path.empty())
        text += printable(diagnostic.path, longestPath) + ": ";
    text += diagnostic.message;
    if (!diagnostic.hint.empty())
        text += "; " + diagnostic.hint;
    return text;
}

tl::unexpected<Diagnostics> fail(std::string code, std::string path, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.path = std::move(path);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return tl::unexpected<Diagnostics>(Diagnostics{std::move(diagnostic)});
}

} // namespace headroom
