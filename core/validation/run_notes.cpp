// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/run_notes.hpp"

#include "core/support/embedded.hpp"

#include <nlohmann/json.hpp>
#include <vector>

namespace headroom
{
namespace
{

struct Note {
    std::string about, runs, model, cause;
};

/// One name, or a beginning and a star.
bool matchesOne(std::string_view pattern, std::string_view run)
{
    while (pattern.starts_with(' '))
        pattern.remove_prefix(1);
    if (pattern.ends_with('*'))
        return run.starts_with(pattern.substr(0, pattern.size() - 1));
    return run == pattern;
}

bool matches(std::string_view patterns, std::string_view run)
{
    while (!patterns.empty()) {
        const auto comma = patterns.find(',');
        if (matchesOne(patterns.substr(0, comma), run))
            return true;
        patterns = comma == std::string_view::npos ? std::string_view() : patterns.substr(comma + 1);
    }
    return false;
}

const std::vector<Note>& notes()
{
    static const std::vector<Note> all = [] {
        std::vector<Note> result;
        const auto document = nlohmann::json::parse(embeddedFile("run_notes.json").value_or("{}"), nullptr, false);
        if (!document.is_object() || !document.contains("notes"))
            return result;
        for (const auto& row : document["notes"])
            result.push_back(
                {row.value("about", ""), row.value("runs", ""), row.value("model", ""), row.value("cause", "")});
        return result;
    }();
    return all;
}

} // namespace

std::string runNote(std::string_view about, std::string_view run, std::string_view model)
{
    run = run.substr(0, run.find(':')); // "source-0001: what ran"
    for (const Note& note : notes())
        if (note.about == about && (note.model.empty() || note.model == model) && matches(note.runs, run))
            return note.cause;
    return {};
}

} // namespace headroom
