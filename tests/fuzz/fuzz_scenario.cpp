// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario from anywhere: read, evaluate, write, read again, the same; and never a NaN.
#include "core/predict/evaluate.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headroom::fuzz
{
namespace
{

std::string resultOf(const Scenario& scenario)
{
    const auto prepared = prepare(scenario, Catalog::builtIn(), nullptr);
    if (!prepared) {
        requireWords(prepared.error());
        return {};
    }
    return evaluationJson(scenario.name, *prepared, evaluate(*prepared), -1);
}

} // namespace

const unsigned ways = 1;

void fuzzOne(std::string_view input, unsigned /*way*/)
{
    const auto reading = readScenario(input, Catalog::builtIn());
    if (!reading) {
        requireWords(reading.error());
        requireJson(errorJson(scenarioName(input), reading.error()));
        return;
    }
    const std::string written = writeScenario(reading->scenario);
    const auto again = readScenario(written, Catalog::builtIn());
    require(again.has_value(), "what was written can be read", written);
    require(writeScenario(again->scenario) == written, "writing is canonical", written);
    requireJson(writeScenarioLine(reading->scenario));

    const std::string result = resultOf(reading->scenario);
    if (!result.empty())
        requireJson(result);
    require(resultOf(again->scenario) == result, "the same scenario has the same result", result);
}

} // namespace headroom::fuzz
