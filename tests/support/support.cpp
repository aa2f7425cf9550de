// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/support.hpp"

#include <fstream>
#include <sstream>

namespace headroom::test
{

std::string readFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace headroom::test
