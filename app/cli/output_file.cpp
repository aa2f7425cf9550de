// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_file.hpp"

#include "core/support/file_name.hpp"

#include <filesystem>
#include <fstream>
#include <random>

namespace headroom::cli
{

namespace fs = std::filesystem;

namespace
{

/// Whole or not at all: what was there before stays until the new text is complete. What failed; empty = written.
std::string writeWhole(const fs::path& path, const std::string& text)
{
    std::error_code ignored;
    const bool exists = fs::exists(path, ignored), isPlain = !exists || fs::is_regular_file(path, ignored);
    if (exists && isPlain &&
        !std::ofstream(path, std::ios::app)) // a file that may not be written is not to be replaced either
        return systemError();
    // Beside the file itself, not beside a link to it; a device or a pipe is written as it is.
    const fs::path target = exists ? fs::canonical(path, ignored) : path;
    const fs::path written = isPlain ? fs::path(target).concat("." + std::to_string(std::random_device()())) : target;
    std::ofstream file(written, std::ios::binary);
    file << text;
    file.close();
    if (file && !isPlain)
        return {};
    std::error_code error;
    if (file && exists)
        fs::permissions(written, fs::status(target, ignored).permissions(), ignored);
    if (file)
        fs::rename(written, target, error);
    if (file && !error)
        return {};
    std::string reason = error ? error.message() : systemError();
    if (isPlain)
        fs::remove(written, ignored);
    return reason;
}

} // namespace

void writeOutput(const std::string& path, const std::string& text, Context& context)
{
    const std::string error = writeWhole(pathFromName(path), text);
    if (!error.empty())
        refuseFile(context, path, fail("write", "", "could not be written: " + error).value());
}

} // namespace headroom::cli
