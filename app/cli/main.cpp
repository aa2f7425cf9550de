// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli: Headroom without a window, for login nodes, scripts and tests. Links the core alone.
#include "app/cli/command.hpp"
#include "app/cli/console.hpp"

#include <array>
#include <cstdio>

namespace
{

using headroom::cli::Status;

/// In the order that --help lists them.
constexpr std::array subcommands{
    headroom::cli::addEvaluate,  headroom::cli::addSweep,         headroom::cli::addPlan,
    headroom::cli::addValidate,  headroom::cli::addCalibrate,     headroom::cli::addExplain,
    headroom::cli::addModels,    headroom::cli::addAccelerators,  headroom::cli::addImportConfig,
    headroom::cli::addImportLog, headroom::cli::addImportProfile, headroom::cli::addLessons,
    headroom::cli::addManual};

int run(int argc, char** argv)
{
    CLI::App app("Headroom: what-if explorer for large-model efficiency", "headroom-cli");
    app.set_version_flag("--version", "headroom-cli " HEADROOM_VERSION);
    app.allow_windows_style_options(false); // "/folder/file" is a file on every system
    app.require_subcommand(1);
    app.footer("Exit status: 0 done, 1 a scenario was refused, 2 wrong usage.");
    headroom::cli::Context context;
    for (const auto add : subcommands)
        add(app, context);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool asked = error.get_exit_code() == 0; // --help, --version
        app.exit(error);
        return static_cast<int>(asked ? Status::Done : Status::WrongUsage);
    }
    return static_cast<int>(context.status);
}

} // namespace

int main(int argc, char** argv)
{
    headroom::cli::prepareStreams();
    try {
        const int status = run(argc, argv);
        // A full disk or a closed pipe must not pass for success.
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            std::fputs("headroom-cli: the result could not be written\n", stderr);
            return static_cast<int>(Status::Refused);
        }
        return status;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "headroom-cli: %s\n", error.what());
        return static_cast<int>(Status::Refused);
    }
}
