// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.hpp"

#include "core/support/file_name.hpp"
#include "core/support/utf8.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace headroom::cli
{

const Catalog& Context::catalog()
{
    if (!m_catalog)
        m_catalog = std::make_unique<Catalog>(Catalog::builtIn());
    return *m_catalog;
}

const std::shared_ptr<const Calibration>& Context::calibration()
{
    if (!m_calibration)
        m_calibration = Calibration::builtIn();
    return m_calibration;
}

[[noreturn]] void wrongUsage(const std::string& option, const std::string& message)
{
    throw CLI::ValidationError(option, message);
}

void addFormat(CLI::App& command, Format& format, std::initializer_list<Format> formats)
{
    static constexpr std::array<const char*, 5> names{"text", "json", "jsonl", "csv", "markdown"};
    std::vector<std::string> allowed;
    std::string list;
    for (const Format one : formats) {
        allowed.emplace_back(names[static_cast<std::size_t>(one)]);
        list += (list.empty() ? "" : ", ") + allowed.back();
    }
    const auto set = [&format](const std::string& name) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (name == names[i])
                format = static_cast<Format>(i);
        }
    };
    command.add_option_function<std::string>("--format", set, "Form of the result: " + list)
        ->check(CLI::IsMember(allowed).description(""))
        ->type_name("FORMAT");
}

Expected<std::string> readInputFile(const std::string& path, std::size_t mostMiB, const std::string& hint)
{
    const std::size_t most = mostMiB << 20;
    auto text = readBytes(path, most + 1);
    if (!text)
        return fail("unreadable", "", "the file cannot be read");
    if (text->size() > most)
        return fail("too-large", "", fmt::format("the file is larger than {} MiB", mostMiB), hint);
    return std::move(*text);
}

std::string systemError(int number)
{
    return std::generic_category().message(number);
}

void printMessage(const Diagnostic& diagnostic)
{
    const char* kind = diagnostic.severity == Severity::Warning ? "warning: " : "";
    std::fprintf(stderr, "headroom-cli: %s%s\n", kind, withoutControls(toText(diagnostic)).c_str());
}

void printMessages(const Diagnostics& diagnostics)
{
    for (const Diagnostic& diagnostic : diagnostics)
        printMessage(diagnostic);
}

void endWith(const Diagnostics& problems, const std::string& file)
{
    Diagnostic problem = problems.front();
    problem.file = file;
    throw std::runtime_error(toText(problem));
}

void refuse(Context& context, const Diagnostics& problems)
{
    context.refused();
    printMessages(problems);
}

void refuseFile(Context& context, const std::string& file, Diagnostics problems)
{
    for (Diagnostic& problem : problems)
        problem.file = file;
    refuse(context, problems);
}

void print(std::string_view text)
{
    // As withoutControls() has it, but for a copy: a piece of results is long, and holds none as a rule.
    for (std::size_t begin = 0; begin < text.size();) {
        const ControlCharacter next = nextControl(text, begin);
        std::fwrite(text.data() + begin, 1, next.at - begin, stdout);
        if (next.length > 0)
            std::fputc('?', stdout);
        begin = next.at + next.length;
    }
}

} // namespace headroom::cli
