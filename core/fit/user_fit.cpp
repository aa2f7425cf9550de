// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/user_fit.hpp"

#include "core/fit/run_fitter.hpp"
#include "core/profile/profile_doubt.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace headroom
{
namespace
{

/// The multipliers of one machine's runs, 1 of those that were looked for and not needed; empty where they tell
/// nothing.
std::vector<FittedShift> shiftsOf(const std::vector<NamedRun>& runs)
{
    auto fit = fitNamed(runs);
    if (!fit && fit.error().front().code != "no-nearer")
        return {};
    std::vector<FittedShift> shifts = fit ? std::move(fit->shifts) : std::vector<FittedShift>();
    const auto any = [&](const auto& holds) { return std::ranges::any_of(runs, holds, &NamedRun::run); };
    const bool steps =
        any([](const PreparedScenario& run) { return run.task == Task::Training && !run.measured.profile.any(); });
    const bool decodes = any([](const PreparedScenario& run) {
        return run.task == Task::Inference && (run.measured.tpotS || run.measured.tokensPerS);
    });
    for (const auto& [there, name] : {std::pair(steps, "compute"), std::pair(decodes, "decode")})
        if (there && std::ranges::find(shifts, name, &FittedShift::name) == shifts.end())
            shifts.push_back({name, 1, 0});
    return shifts;
}

/// Refuses runs of several accelerators whose machines want other multipliers: one for all would meet none.
std::optional<Diagnostics> otherMachines(const std::vector<NamedRun>& runs)
{
    constexpr double alike = 1.1; // as far apart as two sources of one accelerator are
    std::map<std::string, std::vector<NamedRun>> machines;
    for (const NamedRun& run : runs)
        machines[run.run.accelerator->name].push_back(run);
    std::map<std::string, std::pair<std::string, double>> seen; // by multiplier: whose it is
    for (const auto& [machine, own] : machines)
        for (const FittedShift& shift : machines.size() > 1 ? shiftsOf(own) : std::vector<FittedShift>()) {
            const auto [at, isNew] = seen.try_emplace(shift.name, machine, shift.factor);
            const double ratio = shift.factor / at->second.second;
            if (!isNew && std::max(ratio, 1 / ratio) > alike)
                return fail("accelerators-differ", "/hardware/accelerator",
                            say("runs on {} and {} want other multipliers: {} ×{} and ×{}", at->second.first, machine,
                                say(shift.name), withLocalMark(fmt::format("{:.3g}", at->second.second)),
                                withLocalMark(fmt::format("{:.3g}", shift.factor))),
                            said("calibrate to the runs of one accelerator at a time"))
                    .value();
        }
    return std::nullopt;
}

} // namespace

Expected<UserFit> fitToRuns(std::span<const PreparedScenario> given, std::span<const std::string> names)
{
    std::vector<NamedRun> runs; // those that can be: nothing measured beats the speed of light of what it says
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!evaluate(given[i]).warnings.has(WarningCode::FasterThanIdeal) &&
            !profile::beatsLight(given[i].measured.profile, given[i]))
            runs.push_back({given[i], i < names.size() && !names[i].empty() ? printable(names[i], names[i].size())
                                                                            : std::to_string(i + 1)});
    const std::size_t leftOut = given.size() - runs.size();
    if (runs.empty() && !given.empty())
        return fail("faster-than-ideal", "/measured",
                    said("every run is faster than the speed of light of what it says"),
                    said("look at model, GPUs, precision and batch: another run was measured than they describe"));
    if (auto differ = otherMachines(runs))
        return tl::unexpected(*std::move(differ));
    auto fit = fitNamed(std::move(runs));
    if (fit)
        fit->leftOut = leftOut;
    return fit;
}

} // namespace headroom
