// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/other_measurement.hpp"

#include "core/comparison/scenario_diff.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/scenario/measurement.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <array>

namespace headroom
{
namespace
{

constexpr std::size_t mostNamed = 3; ///< a message has one line

/// "tensor parallel 8", "H100 SXM5 80GB", "training"
std::string asItWas(const ScenarioDifference& difference, const Setup& run)
{
    const ParameterRow* row = parameterRow(difference.parameterId);
    return row ? named(*row, row->get(run)) : difference.before;
}

std::string settingsText(const Scenario& run, const Scenario& now, const Catalog& catalog,
                         const std::shared_ptr<const Calibration>& calibration)
{
    const auto before = prepare(run, catalog, calibration), after = prepare(now, catalog, calibration);
    auto changes = before && after ? differences(*before, *after) : differences(run, now);
    std::erase_if(changes, [](const ScenarioDifference& change) {
        const ParameterRow* row = parameterRow(change.parameterId);
        return row && row->group == ParameterGroup::Measured;
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(changes.size(), mostNamed); ++i)
        text += (i > 0 ? ", " : "") + asItWas(changes[i], run);
    if (changes.size() > mostNamed)
        text = say("{} and {} more", text, changes.size() - mostNamed);
    return text.empty() ? said("other settings") : text;
}

std::string figureText(std::string_view metric, std::optional<double> value)
{
    const MetricRow* row = metricRow(metric);
    return row && value ? said(row->label) + " " + formatText(*value, row->format) : std::string();
}

std::string figureOf(const PreparedScenario& run)
{
    const Evaluation e = evaluate(run);
    const Measured& m = run.measured;
    if (!e.credible())
        return said("impossible even there");
    const std::array texts{run.task == Task::Training ? figureText("mfu", e.observed->mfu) : std::string(),
                           figureText("tpot_s", m.tpotS),
                           figureText("ttft_s", m.ttftS),
                           figureText("tokens_per_s", m.tokensPerS),
                           figureText("mbu", e.observed->mbu),
                           figureText("memory.used_bytes", m.peakMemoryBytes)};
    for (const std::string& text : texts)
        if (!text.empty())
            return text;
    return m.outOfMemory.value_or(false) ? said("out of memory") : std::string();
}

} // namespace

std::string OtherMeasurement::sentence() const
{
    return figure.empty() ? say("Measured with {}.", settings) : say("Measured with {}: {}.", settings, figure);
}

std::optional<OtherMeasurement> otherMeasurement(const Scenario& scenario, const Catalog& catalog,
                                                 std::shared_ptr<const Calibration> calibration)
{
    if (!scenario.measured.any() || !scenario.measuredWith)
        return std::nullopt;
    const Scenario run = atMeasuredSettings(scenario);
    OtherMeasurement other;
    other.settings = settingsText(run, scenario, catalog, calibration);
    if (const auto prepared = prepare(run, catalog, std::move(calibration)))
        other.figure = figureOf(*prepared);
    return other;
}

} // namespace headroom
