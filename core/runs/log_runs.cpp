// SPDX-License-Identifier: GPL-3.0-or-later
// Run lines: scenarios with "measured", one a line, as the measuring script and validate have them.
#include "core/runs/log_formats.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <fmt/format.h>

namespace headroom::logs
{
namespace
{

/// A run, or why the line is none.
Expected<Scenario> readLine(const LogInput& input, const Lines& lines)
{
    auto reading = readScenario(lines.text(), input.catalog);
    if (!reading) {
        for (Diagnostic& error : reading.error())
            error.line = lines.number(); // a run is one line, wherever in it the error is
        return tl::unexpected(std::move(reading.error()));
    }
    Scenario& run = reading->scenario;
    if (!run.measured.any())
        return refuse(lines.number(), "nothing-measured", said("holds nothing measured"),
                      said("a run needs \"measured\", for instance {\"step_time_s\": 2.9}"));
    if (run.name.empty())
        run.name = fmt::format("{}, run {}", printable(input.fileName, 255), lines.number());
    if (run.source.empty())
        run.source = fmt::format("own measurement: {}", printable(input.fileName, 255));
    return std::move(run);
}

} // namespace

Expected<LogReading> readRunLines(const LogInput& input)
{
    LogReading reading;
    Lines lines(input.text);
    while (lines.next()) {
        if (lines.text().find_first_not_of(" \t") == std::string::npos)
            continue;
        auto run = readLine(input, lines);
        if (!run)
            return tl::unexpected(std::move(run.error()));
        reading.runs.push_back(*std::move(run));
        if (auto many = tooMany(reading.runs.size(), lines.number()))
            return tl::unexpected(Diagnostics{*std::move(many)});
    }
    if (reading.runs.empty())
        return refuse(0, "no-runs", said("holds no run"),
                      said("did the measuring script say that it measured something?"));
    return reading;
}

} // namespace headroom::logs
