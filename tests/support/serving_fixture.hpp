// SPDX-License-Identifier: GPL-3.0-or-later
// Serving scenarios in a line, for the tests of the inference predictor.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"

#include <QtGlobal>
#include <fmt/format.h>
#include <functional>
#include <string>

namespace headroom::test
{

/// An inference scenario of catalogue entries, changed by `change`, looked up. Fails loudly on a bad one.
inline PreparedScenario serving(const std::string& model, const std::string& accelerator, std::int64_t count,
                                const std::function<void(Scenario&)>& change = {})
{
    static const Catalog catalog = Catalog::builtIn();
    Scenario s;
    s.task = Task::Inference;
    s.model.id = model;
    s.accelerator.id = accelerator;
    s.hardware.count = count;
    s.parallelism.tensor = count;
    if (change)
        change(s);
    const auto prepared = prepare(s, catalog, Calibration::builtIn());
    if (!prepared)
        qFatal("%s", toText(prepared.error().front()).c_str());
    return *prepared;
}

/// Whether its result says so.
inline bool warns(const PreparedScenario& prepared, WarningCode code)
{
    return evaluate(prepared).warnings.has(code);
}

/// A scenario file of Llama 3 8B on one H100 with these keys in its workload.
inline Expected<Scenario> readServing(const std::string& workload)
{
    const std::string text =
        fmt::format(R"({{"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", "hardware": )"
                    R"({{"accelerator": "h100-sxm-80gb"}}, "workload": {{"task": "inference", {}}}}})",
                    workload);
    const auto reading = readScenario(text, Catalog::builtIn());
    if (!reading)
        return tl::unexpected(reading.error());
    return reading->scenario;
}

/// The same, looked up.
inline Expected<PreparedScenario> prepareServing(const std::string& workload)
{
    return readServing(workload).and_then(
        [](const Scenario& scenario) { return prepare(scenario, Catalog::builtIn(), Calibration::builtIn()); });
}

} // namespace headroom::test
