# SPDX-License-Identifier: GPL-3.0-or-later
# Writes a C++ file with one raw string literal per resource (see HeadroomEmbed.cmake). LIST names them within ROOT, one a
# line and sorted. Names and texts go through appends, never through CMake lists, which take brackets and semicolons for
# their own; file(STRINGS) would leave out every letter beyond ASCII.
file(READ "${LIST}" names)
file(WRITE "${OUTPUT}" "// Generated from resources/. Do not edit.\n#include \"core/support/embedded.hpp\"\n\n#include <array>\n\n// The standard asks a compiler for 65536 characters at least; those that build Headroom take more.\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace headroom {\nnamespace {\n")
set(count 0)
set(table "")
while(NOT names STREQUAL "")
    string(FIND "${names}" "\n" end)
    string(SUBSTRING "${names}" 0 ${end} name)
    math(EXPR next "${end} + 1")
    string(SUBSTRING "${names}" ${next} -1 names)
    file(READ "${ROOT}/${name}" hex HEX)
    string(LENGTH "${hex}" length)
    math(EXPR bytes "${length} / 2")
    file(READ "${ROOT}/${name}" text)
    file(APPEND "${OUTPUT}" "constexpr std::string_view file${count}{R\"headroom~(")
    file(APPEND "${OUTPUT}" "${text}")
    file(APPEND "${OUTPUT}" ")headroom~\", ${bytes}};\n")
    string(APPEND table "    EmbeddedFile{\"${name}\", file${count}},\n")
    math(EXPR count "${count} + 1")
endwhile()
file(APPEND "${OUTPUT}" "constexpr std::array<EmbeddedFile, ${count}> table{{\n${table}}};\n} // namespace\n\nstd::span<const EmbeddedFile> embeddedFiles() { return table; }\n\n} // namespace headroom\n")
