// SPDX-License-Identifier: GPL-3.0-or-later
// The manual of headroom-cli in every form it ships in, written from the options themselves, so that none can differ.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace headroom::cli
{

/// A man page (section 1), in roff.
[[nodiscard]] std::string manPage(const CLI::App& app);
/// The same for the documentation folder, in Markdown.
[[nodiscard]] std::string markdownManual(const CLI::App& app);
/// Completion of subcommands, options and file names.
[[nodiscard]] std::string bashCompletion(const CLI::App& app);
[[nodiscard]] std::string zshCompletion(const CLI::App& app);
[[nodiscard]] std::string fishCompletion(const CLI::App& app);

} // namespace headroom::cli
