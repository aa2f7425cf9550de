// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_doubt.hpp"

#include "core/facts/device_name.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom::profile
{

bool beatsLight(const MeasuredProfile& measured, const PreparedScenario& prepared)
{
    if (prepared.task != Task::Training || !measured.any())
        return false;
    PreparedScenario run = prepared;
    run.measured = {};
    run.measured.stepTimeS = measured.stepS;
    if (evaluate(run).warnings.has(WarningCode::FasterThanIdeal))
        return true;
    run.measured = {};
    run.efficiency = {};
    run.efficiency.base = EfficiencyBase::Ideal;
    if (run.training.checkpointing == Checkpointing::Unknown) // the run may have repeated nothing
        run.training.checkpointing = Checkpointing::None;
    const auto parts = compareProfile({}, run, evaluate(run)).parts;
    const auto matmul = std::ranges::find(parts, "matmul", &ProfilePart::id);
    constexpr double rounding = 0.99;
    return matmul != parts.end() && measured.matmulS > 0 &&
           measured.matmulS < rounding * matmul->predictedS.value_or(0);
}

Diagnostics profileDoubts(const ProfileReading& reading, const MeasuredProfile& measured,
                          const PreparedScenario& prepared)
{
    Diagnostics doubts;
    const auto doubt = [&](std::string code, std::string message, std::string hint) {
        doubts.push_back({Severity::Warning,
                          std::move(code),
                          {},
                          std::move(message),
                          std::move(hint),
                          reading.devices.front().file,
                          0});
    };
    const std::string& device = reading.devices.front().deviceName;
    if (namesOtherDevice(device, *prepared.accelerator))
        doubt("other-device",
              say("ran on \"{}\"; the scenario is about {}", printable(device), prepared.accelerator->name),
              said("choose the accelerator that ran, then import again"));
    if (beatsLight(measured, prepared))
        doubt("faster-than-ideal", said("the profiled step is faster than the speed of light of the scenario"),
              said("look at model, GPUs, precision and batch: another run was measured than they describe"));
    return doubts;
}

} // namespace headroom::profile
