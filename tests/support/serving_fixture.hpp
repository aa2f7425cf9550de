// SPDX-License-Identifier: GPL-3.0-or-later
// Serving scenarios in a line, for the tests of the inference predictor.
#pragma once

#include "core/predict/evaluate.hpp"

#include <QtGlobal>
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

} // namespace headroom::test
