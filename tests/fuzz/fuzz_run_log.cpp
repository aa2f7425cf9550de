// SPDX-License-Identifier: GPL-3.0-or-later
// A log from anywhere, read under one kind of name and for one task: refused, or its runs are scenarios that can be
// evaluated, written and read again.
#include "core/predict/evaluation_json.hpp"
#include "core/runs/log_import.hpp"
#include "core/runs/measured_run.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headroom::fuzz
{
namespace
{

Scenario baseOf(Task task)
{
    Scenario base;
    base.task = task;
    base.hardware.count = 8;
    return base;
}

void checkRun(const Scenario& run)
{
    require(!run.name.empty() && !run.source.empty(), "a run has a name and a source");
    require(run.measured.any(), "a run holds something measured", run.name);
    const std::string written = writeScenario(run);
    const auto again = readScenario(written, Catalog::builtIn());
    require(again.has_value(), "an imported run can be written and read",
            again ? written : written + toText(again.error().front()));
    require(writeScenario(again->scenario) == written, "and stays the same", written);
    const auto prepared = prepare(run, Catalog::builtIn(), nullptr);
    if (!prepared) {
        requireWords(prepared.error());
        return;
    }
    const auto measured = measuredRun(run, *prepared);
    require(measured.has_value(), "a run is a measured run", written);
    requireJson(evaluationJson(run.name, *prepared, measured->evaluation, -1));
}

constexpr const char* fileNames[] = {"a.log", "a.csv", "a.jsonl"};

} // namespace

const unsigned ways = 2 * std::size(fileNames);

void fuzzOne(std::string_view input, unsigned way)
{
    static const Scenario bases[] = {baseOf(Task::Training), baseOf(Task::Inference)};
    constexpr std::size_t looked = 2; // runs of one log differ little
    const auto reading = importLog(input, fileNames[way / 2], bases[way % 2], Catalog::builtIn());
    if (!reading) {
        requireWords(reading.error());
        return;
    }
    require(!reading->format.empty() && !reading->runs.empty(), "a log that was read has a format and runs");
    if (!reading->warnings.empty())
        requireWords(reading->warnings);
    for (std::size_t i = 0; i < std::min(looked, reading->runs.size()); ++i)
        checkRun(reading->runs[i]);
}

} // namespace headroom::fuzz
