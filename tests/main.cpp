// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.hpp"

#include <cstdio>
#include <map>
#include <string>

namespace headroom::test
{
namespace
{

/// By name. A function: tests make themselves known while static objects come into being, in any order.
std::map<std::string, RunTests, std::less<>>& known()
{
    static std::map<std::string, RunTests, std::less<>> tests;
    return tests;
}

} // namespace

bool addTests(std::string_view file, RunTests run)
{
    file.remove_prefix(file.rfind('/') + 1); // npos + 1 is 0
    known().emplace(file.substr(0, file.find('.')), run);
    return true;
}

} // namespace headroom::test

int main(int count, char** arguments)
{
    const auto& known = headroom::test::known();
    if (count > 1)
        if (const auto chosen = known.find(std::string_view(arguments[1])); chosen != known.end())
            return chosen->second(count - 1, arguments + 1);
    std::fprintf(stderr, "Usage: %s TESTS [OPTION of Qt Test]...\nTESTS is one of\n", arguments[0]);
    for (const auto& [name, run] : known)
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
