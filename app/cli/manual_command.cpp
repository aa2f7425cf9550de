// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommand manual: the man page, docs/cli.md and the shells' completions. Hidden: packagers call it, not users.
#include "app/cli/command.hpp"
#include "app/cli/manual.hpp"

#include <array>
#include <memory>

namespace headroom::cli
{
namespace
{

struct Form {
    const char* name;
    std::string (*write)(const CLI::App&);
};
constexpr std::array<Form, 5> forms{{{"man", manPage},
                                     {"markdown", markdownManual},
                                     {"bash", bashCompletion},
                                     {"zsh", zshCompletion},
                                     {"fish", fishCompletion}}};

} // namespace

void addManual(CLI::App& app, Context&)
{
    CLI::App* command = app.add_subcommand("manual", "Print this manual");
    command->group("");
    const auto name = std::make_shared<std::string>();
    std::vector<std::string> allowed;
    for (const Form& form : forms)
        allowed.emplace_back(form.name);
    command->add_option("FORM", *name, "man, markdown, bash, zsh or fish")->required()->check(CLI::IsMember(allowed));
    command->callback([&app, name] {
        for (const Form& form : forms)
            if (*name == form.name)
                print(form.write(app));
    });
}

} // namespace headroom::cli
