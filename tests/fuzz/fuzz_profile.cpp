// SPDX-License-Identifier: GPL-3.0-or-later
// A profile from anywhere, as a trace or a table of kernel rules: refused with words, or parts that add up, are laid
// beside a prediction, and are written with a scenario and read again.
#include "core/predict/evaluate.hpp"
#include "core/profile/profile_print.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cmath>
#include <numeric>

namespace headroom::fuzz
{
namespace
{

using namespace profile;

void checkSplit(const TimeSplit& s)
{
    const double own = std::accumulate(s.own.begin(), s.own.end(), 0.0) + s.exposedCommunication() + s.idle();
    const double shared = std::accumulate(s.shared.begin(), s.shared.end(), 0.0) + s.idle();
    require(std::isfinite(own) && std::abs(own - s.span) <= 1e-3 * s.span, "parts add up to the step");
    require(std::isfinite(shared) && std::abs(shared - s.span) <= 1e-3 * s.span, "shares add up to the step");
}

void checkReading(const ProfileReading& reading)
{
    static const PreparedScenario prepared = [] {
        Scenario scenario;
        scenario.hardware.count = 8;
        return *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    }();
    require(!reading.devices.empty(), "a reading has a device");
    for (const DeviceProfile& device : reading.devices) {
        checkSplit(device.mean);
        checkSplit(device.whole);
    }
    const MeasuredProfile measured = measuredProfile(reading, prepared.accelerator.get());
    if (!measured.any())
        return; // events that take no time
    static const Evaluation evaluation = evaluate(prepared);
    const ProfileComparison comparison = compareProfile(measured, prepared, evaluation);
    const auto advice = profileAdvice(comparison, prepared, evaluation);
    requireJson(profileJson(reading, measured, &comparison, advice));
    require(!profileText(reading, &comparison, advice).empty(), "a reading has words");
    Scenario scenario;
    scenario.measured.profile = measured;
    const std::string written = writeScenario(scenario);
    if (measured.stepS > 1e9 || measured.matmulFlop > 1e30)
        return; // beyond what a file may say
    const auto again = readScenario(written, Catalog::builtIn());
    require(again.has_value() && again->scenario.measured.profile == measured, "a profile can be written and read",
            written);
}

} // namespace

const unsigned ways = 2;

void fuzzOne(std::string_view input, unsigned way)
{
    if (way == 1) {
        const auto rules = KernelRules::withOwn(input);
        if (!rules)
            requireWords(rules.error());
        else
            (void)rules->kindOf(input);
        return;
    }
    (void)looksLikeProfile("a.json", input.substr(0, 4096));
    const auto reading = readProfile(input, "a.json");
    if (reading)
        checkReading(*reading);
    else
        requireWords(reading.error());
}

} // namespace headroom::fuzz
