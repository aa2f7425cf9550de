// SPDX-License-Identifier: GPL-3.0-or-later
// The one way the command line writes a file.
#pragma once

#include "app/cli/command.hpp"

#include <string>

namespace headroom::cli
{

/// Whole or not at all; where it fails, says why and ends the call with Status::Refused.
void writeOutput(const std::string& path, const std::string& text, Context& context);

} // namespace headroom::cli
