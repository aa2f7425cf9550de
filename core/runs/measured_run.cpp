// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/measured_run.hpp"

#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace headroom
{
namespace
{

void readLines(std::string_view text, MeasuredRuns& runs)
{
    const Catalog& catalog = Catalog::builtIn();
    const auto calibration = Calibration::builtIn();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const auto reading = readScenario(text.substr(0, end), catalog);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!reading)
            continue;
        if (auto prepared = prepare(reading->scenario, catalog, calibration))
            if (auto run = measuredRun(reading->scenario, std::move(*prepared)))
                runs.push_back(std::move(*run));
    }
}

bool isNamePart(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.';
    });
}

} // namespace

std::optional<MeasuredRun> measuredRun(const Scenario& scenario, PreparedScenario prepared)
{
    if (!prepared.measured.any()) // none, or of other settings
        return std::nullopt;
    MeasuredRun run;
    run.id = fmt::format("{:016x}", std::hash<std::string>{}(writeScenarioLine(scenario)));
    run.name = scenario.name;
    run.source = scenario.source;
    run.year = scenario.year;
    run.prepared = std::move(prepared);
    run.evaluation = evaluate(run.prepared);
    run.features = runFeatures(run.prepared, run.evaluation);
    return run;
}

std::shared_ptr<const MeasuredRuns> publishedRuns()
{
    static const std::shared_ptr<const MeasuredRuns> runs = [] {
        auto read = std::make_shared<MeasuredRuns>();
        for (const EmbeddedFile& file : embeddedFolder("published_runs/"))
            readLines(file.text, *read);
        return read;
    }();
    return runs;
}

std::string runTitle(const MeasuredRun& run)
{
    const auto count = run.prepared.hardware.count;
    const std::string devices = count == 1 ? "" : formatText(double(count), ValueFormat::Integer) + " × ";
    return say("{} on {}{}", run.features.modelName, devices, run.features.acceleratorName);
}

std::string sourceUrl(std::string_view source)
{
    std::string_view place = source.substr(0, source.find_first_of(" @,;"));
    if (place.starts_with("https://") || place.starts_with("http://"))
        return std::string(place);
    const std::size_t slash = place.find('/');
    if (slash == std::string_view::npos)
        return {};
    const std::string_view first = place.substr(0, slash);
    const std::string_view second = place.substr(slash + 1, place.find('/', slash + 1) - slash - 1);
    if (!isNamePart(first) || !isNamePart(second))
        return {};
    if (first.find('.') != std::string_view::npos)
        return "https://" + std::string(place);
    return fmt::format("https://github.com/{}/{}", first, second);
}

} // namespace headroom
