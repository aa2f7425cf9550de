// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual.hpp"

#include <fmt/format.h>
#include <vector>

namespace headroom::cli
{
namespace
{

std::vector<const CLI::App*> shownSubcommands(const CLI::App& app)
{
    // An empty group hides a subcommand from --help, so from here too.
    return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

struct Entry {
    std::string term; ///< "--format FORMAT", "FILE..."
    std::string text;
    bool positional;
};

std::vector<Entry> entries(const CLI::App& command)
{
    std::vector<Entry> list;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty() || option == command.get_help_ptr())
            continue;
        const bool positional = option->get_positional();
        std::string term = positional ? option->get_name() : option->get_name(false, true);
        for (std::size_t at = 0; (at = term.find(',', at)) != std::string::npos; at += 2)
            term.replace(at, 1, ", ");
        if (positional && option->get_expected_max() > 1)
            term += "...";
        if (const std::size_t value = term.find('{'); value != std::string::npos) // a flag that may have a value
            term = term.substr(0, value) + "[=" + term.substr(value + 1, term.find('}') - value - 1) + "]";
        if (!positional && option->get_expected_max() > 0)
            term += " " + (option->get_type_name() == "TEXT" ? std::string("FILE") : option->get_type_name());
        const bool needed = !positional && option->get_required();
        list.push_back({std::move(term), option->get_description() + (needed ? " (required)" : ""), positional});
    }
    return list;
}

std::string synopsis(const std::string& program, const CLI::App& command)
{
    std::string line = program + " " + command.get_name() + " [OPTION...]";
    for (const CLI::Option* option : command.get_options())
        if (!option->get_positional() && option->get_required())
            line += " " + option->get_name(false, true) + " " + option->get_type_name();
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional())
            continue;
        const std::string name = option->get_name() + (option->get_expected_max() > 1 ? "..." : "");
        line += option->get_required() ? " " + name : " [" + name + "]";
    }
    return line;
}

/// Roff reads a backslash, a leading dot and a hyphen as its own.
std::string roff(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '.' && (out.empty() || out.back() == '\n'))
            out += "\\&.";
        else
            out += c;
    }
    return out;
}

std::string optionWords(const CLI::App& command)
{
    std::string words;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            words += (words.empty() ? "--" : " --") + name;
    return words;
}

std::string subcommandWords(const CLI::App& app)
{
    std::string words;
    for (const CLI::App* sub : shownSubcommands(app))
        words += (words.empty() ? "" : " ") + sub->get_name();
    return words;
}

/// Within single quotes of a shell.
std::string shellQuoted(std::string_view text)
{
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

} // namespace

std::string manPage(const CLI::App& app)
{
    const std::string& program = app.get_name();
    std::string page = fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", "HEADROOM\\-CLI",
                                   "headroom " HEADROOM_VERSION, roff(program),
                                   "what\\-if explorer for the efficiency of large models, without a window");
    page += ".SH SYNOPSIS\n";
    for (const CLI::App* sub : shownSubcommands(app))
        page += fmt::format(".B {}\n.br\n", roff(synopsis(program, *sub)));
    page += ".SH DESCRIPTION\n" +
            roff("Reads scenarios (a model, an accelerator, a workload) and prints model and "
                 "hardware FLOP utilisation, bandwidth utilisation, time, memory and cost. "
                 "A scenario file is JSON and ends in .headroom; JSON Lines hold many.") +
            "\n.SH COMMANDS\n";
    for (const CLI::App* sub : shownSubcommands(app)) {
        page += fmt::format(".SS {}\n{}.\n", roff(synopsis(program, *sub)), roff(sub->get_description()));
        for (const Entry& entry : entries(*sub))
            page += fmt::format(".TP\n.B {}\n{}\n", roff(entry.term), roff(entry.text));
        if (sub->get_footer() != app.get_footer())
            page += ".PP\n" + roff(sub->get_footer()) + "\n";
    }
    page += ".SH EXIT STATUS\n" +
            roff("0: done. 1: a scenario was refused; the reason is on standard error. "
                 "2: wrong usage.") +
            "\n.SH SEE ALSO\n.BR headroom (1)\n";
    return page;
}

std::string markdownManual(const CLI::App& app)
{
    const std::string& program = app.get_name();
    std::string page = fmt::format("# {}\n\n<!-- Written by `{} manual markdown`: change the options, not this page. "
                                   "-->\n\n{}\n",
                                   program, program, app.get_footer());
    for (const CLI::App* sub : shownSubcommands(app)) {
        page += fmt::format("\n## {}\n{}.\n\n```\n{}\n```\n\n", sub->get_name(), sub->get_description(),
                            synopsis(program, *sub));
        for (const Entry& entry : entries(*sub))
            page += fmt::format("- `{}`: {}\n", entry.term, entry.text);
        if (sub->get_footer() != app.get_footer())
            page += "\n" + sub->get_footer() + "\n";
    }
    return page;
}

std::string bashCompletion(const CLI::App& app)
{
    std::string cases;
    for (const CLI::App* sub : shownSubcommands(app))
        cases += fmt::format("        {}) words=\"{}\" ;;\n", sub->get_name(), optionWords(*sub));
    return fmt::format(R"(# bash completion for headroom-cli
_headroom_cli() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "{} --help --version" -- "$current")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{}        *) words="" ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}}
complete -o filenames -F _headroom_cli headroom-cli
)",
                       subcommandWords(app), cases);
}

std::string zshCompletion(const CLI::App& app)
{
    std::string commands, cases;
    for (const CLI::App* sub : shownSubcommands(app)) {
        commands += fmt::format("        {}\n", shellQuoted(sub->get_name() + ":" + sub->get_description()));
        cases += fmt::format("    {}) flags=({}) ;;\n", sub->get_name(), optionWords(*sub));
    }
    return fmt::format(R"(#compdef headroom-cli
_headroom_cli() {{
    local -a commands flags
    if (( CURRENT == 2 )); then
        commands=(
{}        )
        _describe command commands
        return
    fi
    case $words[2] in
{}    esac
    if [[ $PREFIX == -* ]]; then
        compadd -- $flags
    else
        _files
    fi
}}
_headroom_cli "$@"
)",
                       commands, cases);
}

std::string fishCompletion(const CLI::App& app)
{
    std::string lines = "# fish completion for headroom-cli\n";
    for (const CLI::App* sub : shownSubcommands(app)) {
        lines += fmt::format("complete -c headroom-cli -n __fish_use_subcommand -a {} -d {}\n", sub->get_name(),
                             shellQuoted(sub->get_description()));
        for (const CLI::Option* option : sub->get_options())
            for (const std::string& name : option->get_lnames())
                lines += fmt::format("complete -c headroom-cli -n '__fish_seen_subcommand_from {}' -l {} -d {}{}\n",
                                     sub->get_name(), name, shellQuoted(option->get_description()),
                                     option->get_expected_max() > 0 ? " -r" : "");
    }
    return lines;
}

} // namespace headroom::cli
