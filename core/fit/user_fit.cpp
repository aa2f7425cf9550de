// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/user_fit.hpp"

#include "core/fit/shift_search.hpp"
#include "core/predict/impossible.hpp"
#include "core/profile/profile_doubt.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace headroom
{
namespace
{

/// A run that is so many times off beside others that agree was another one than its scenario says.
constexpr double farOff = 3;

/// One run that decides, and what it is called.
struct NamedRun {
    PreparedScenario run;
    std::string name;
};

std::string timesText(double residual)
{
    return formatText(std::exp(std::abs(residual)), ValueFormat::Plain);
}

/// "run "x" took 1,050 times as long as predicted"; `residual` is ln(predicted ÷ measured).
std::string apart(const NamedRun& run, double residual)
{
    return residual < 0 ? say("run \"{}\" took {} times as long as predicted", run.name, timesText(residual))
                        : say("run \"{}\" was {} times as fast as predicted", run.name, timesText(residual));
}

/// What is likeliest wrong with a run that is far from its prediction, a clause; empty where nothing is known.
std::string causeOf(const NamedRun& run, double residual)
{
    return residual < 0 ? slowCause(run.run, std::exp(-residual)) : std::string();
}

Diagnostics refusal(const char* code, std::string message, const NamedRun& run, double residual)
{
    std::string cause = causeOf(run, residual);
    return fail(code, "/measured", std::move(message),
                cause.empty()
                    ? said("look at model, GPUs, precision and batch: another run was measured than they describe")
                    : say("most likely {}", cause))
        .value();
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double medianError(const std::vector<double>& residuals)
{
    std::vector<double> errors;
    for (const double value : residuals)
        errors.push_back(std::abs(std::expm1(value)));
    return median(std::move(errors));
}

/// Fits in steps, from the parts that profiles tell to the times of whole runs.
class Fitter final
{
public:
    explicit Fitter(std::vector<NamedRun> runs) : m_runs(std::move(runs)) {}

    Expected<UserFit> fit()
    {
        for (const PartKnob& part : partKnobs)
            fitPart(part);
        const bool exchanged = fitExchange();
        constexpr const Knob* links[] = {&linkKnob, &networkKnob};
        fitWhole(stepResidual, computeKnob, std::span(links).first(exchanged ? 0 : 2));
        fitWhole(decodeResidual, decodeKnob, {});
        fitWhole(prefillResidual, prefillKnob, {});
        if (!m_refused.empty())
            return tl::unexpected(std::move(m_refused));
        if (m_fit.shifts.empty() && m_figures == 0)
            return fail("nothing-measured", "/measured", said("no run says a time or a rate that is predicted"),
                        said("measure step_time_s, tokens_per_s, tpot_s or ttft_s"));
        m_fit.runs = m_runs.size();
        m_fit.errorBefore = medianError(wholeResiduals({}));
        m_fit.errorAfter = medianError(wholeResiduals(m_fit.efficiency));
        if (m_fit.shifts.empty())
            return fail("no-nearer", "/measured",
                        say("no multiplier brings the prediction nearer to these runs: the median error is {}",
                            formatText(m_fit.errorBefore, ValueFormat::Percent)),
                        said("the built-in calibration stays"));
        return std::move(m_fit);
    }

private:
    using Found = ShiftSearch::Found;

    struct Figures {
        std::vector<std::size_t> places; ///< in the runs
        std::vector<double> residuals;
        std::vector<PreparedScenario> runs;
    };

    [[nodiscard]] Figures figures(Residual residual, const Efficiency& efficiency,
                                  const std::vector<std::size_t>& without = {}) const
    {
        Figures found;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            PreparedScenario run = m_runs[i].run;
            run.efficiency = efficiency;
            const auto value = residual(run, evaluate(run));
            if (!value || std::ranges::find(without, i) != without.end())
                continue;
            found.places.push_back(i);
            found.residuals.push_back(*value);
            found.runs.push_back(std::move(run));
        }
        return found;
    }

    [[nodiscard]] std::vector<double> wholeResiduals(const Efficiency& efficiency) const
    {
        std::vector<double> all;
        for (const Residual residual : {stepResidual, profiledStepResidual, decodeResidual, prefillResidual})
            for (const double value : figures(residual, efficiency).residuals)
                all.push_back(value);
        return all;
    }

    /// Whose runs decided, by their places.
    void keepMachines(const std::vector<std::size_t>& places)
    {
        for (const std::size_t place : places) {
            const PreparedScenario& run = m_runs[place].run;
            auto& machines = run.task == Task::Training ? m_fit.fittedOn.training : m_fit.fittedOn.inference;
            const std::string& name = run.accelerator->id.empty() ? run.accelerator->name : run.accelerator->id;
            if (std::ranges::find(machines, name) == machines.end())
                machines.push_back(name);
        }
    }

    /// Five digits: a multiplier is no more exact, and a file should not pretend so.
    void take(const Found& found, const std::vector<std::size_t>& places)
    {
        keepMachines(places);
        const auto rounded = [](double factor) { return std::round(factor * 1e5) / 1e5; };
        const Efficiency parts = m_fit.efficiency;
        for (std::size_t i = 0; i < found.knobs.size(); ++i) {
            const double factor = rounded(std::exp(found.logs[i]));
            found.knobs[i]->set(m_fit.efficiency, parts, factor);
            m_fit.shifts.push_back({std::string(found.knobs[i]->name), factor, places.size()});
        }
        Efficiency& e = m_fit.efficiency;
        for (double* factor : {&e.matmul, &e.attention, &e.memoryBandwidth})
            *factor = rounded(*factor);
    }

    /// A part that no multiplier reaches is left as it is: the others still tell of the machine.
    void takePart(const Found& found, const std::vector<std::size_t>& places)
    {
        if (!found.atEnd)
            return take(found, places);
        m_fit.notes.push_back(say("{} left as it is: no multiplier explains the profile", say(found.knobs[0]->name)));
    }

    void fitPart(const PartKnob& part)
    {
        const Figures found = figures(part.residual, {});
        m_figures += found.places.size();
        if (!found.places.empty())
            takePart(ShiftSearch(found.runs, part.residual, m_fit.efficiency).found({&part.knob}), found.places);
    }

    bool fitExchange()
    {
        const Figures found = figures(exchangeResidual, {});
        m_figures += found.places.size();
        if (found.places.empty())
            return false;
        const ShiftSearch search(found.runs, exchangeResidual, m_fit.efficiency);
        Found link = search.found({&linkKnob}), network = search.found({&networkKnob});
        // The one that meets the runs; where both do, the one that has to move less, because it carries more.
        constexpr double alike = 1e-4;
        const bool byLink = network.atEnd || (!link.atEnd && (std::abs(link.squares - network.squares) < alike
                                                                  ? std::abs(link.logs[0]) <= std::abs(network.logs[0])
                                                                  : link.squares < network.squares));
        constexpr const Knob* both[] = {&networkKnob};
        Found chosen = search.chosen(linkKnob, both);
        takePart(chosen.knobs.size() > 1 ? chosen : byLink ? link : network, found.places);
        return true;
    }

    /// Runs that are far off beside the others, which agree: first those that look so, then those that still are once
    /// the others have decided.
    std::vector<std::size_t> strangers(Residual residual, const Knob& first, std::span<const Knob* const> links)
    {
        const Figures all = figures(residual, m_fit.efficiency);
        const double middle = median(all.residuals);
        std::vector<std::size_t> suspects;
        for (std::size_t i = 0; i < all.places.size(); ++i)
            if (std::abs(all.residuals[i] - middle) >= std::log(farOff))
                suspects.push_back(all.places[i]);
        if (suspects.empty() || suspects.size() * 3 > all.places.size()) // the others are not many enough
            return {};
        const Figures rest = figures(residual, m_fit.efficiency, suspects);
        const Found found = ShiftSearch(rest.runs, residual, m_fit.efficiency).chosen(first, links);
        const std::vector<double> then =
            ShiftSearch(all.runs, residual, m_fit.efficiency).residualsAt(found.knobs, found.logs);
        std::vector<std::size_t> far;
        for (std::size_t i = 0; i < all.places.size(); ++i)
            if (std::abs(then[i]) >= std::log(farOff)) {
                far.push_back(all.places[i]);
                const NamedRun& run = m_runs[all.places[i]];
                const std::string cause = causeOf(run, all.residuals[i]);
                const std::string what = apart(run, all.residuals[i]);
                m_fit.notes.push_back(cause.empty()
                                          ? say("left out, unlike the others: {}", what)
                                          : say("left out, unlike the others: {}, most likely {}", what, cause));
            }
        return far;
    }

    /// The run that is farthest from its prediction says why nothing was found.
    void refuse(const Figures& all, const std::vector<double>& distances)
    {
        std::size_t farthest = 0;
        for (std::size_t i = 0; i < distances.size(); ++i)
            if (std::abs(distances[i]) > std::abs(distances[farthest]))
                farthest = i;
        const NamedRun& run = m_runs[all.places[farthest]];
        const double residual = all.residuals[farthest];
        m_refused =
            refusal("out-of-reach", say("{}, which no multiplier explains", apart(run, residual)), run, residual);
    }

    void fitWhole(Residual residual, const Knob& first, std::span<const Knob* const> links)
    {
        const std::vector<std::size_t> far = strangers(residual, first, links);
        const Figures all = figures(residual, m_fit.efficiency, far);
        m_figures += all.places.size();
        if (all.places.empty() || !m_refused.empty())
            return;
        const ShiftSearch search(all.runs, residual, m_fit.efficiency);
        const Found found = search.chosen(first, links);
        if (found.atEnd)
            return refuse(all, all.residuals);
        if (std::ranges::any_of(found.residuals, [](double left) { return std::abs(left) >= std::log(farOff); }))
            return refuse(all, found.residuals);
        constexpr double met = 0.005; // nearer than a run repeats itself
        const double before = medianError(all.residuals), after = medianError(found.residuals);
        if (after >= before && before > met) {
            m_fit.notes.push_back(say("{} left as it is: no multiplier brings the runs nearer", say(first.name)));
            return;
        }
        take(found, all.places);
        if (found.untold)
            m_fit.notes.push_back(said("these runs cannot tell compute and network apart: runs on fewer GPUs can"));
    }

    std::vector<NamedRun> m_runs;
    UserFit m_fit;
    std::size_t m_figures = 0;
    Diagnostics m_refused;
};

/// Refuses runs of several accelerators whose machines want other multipliers: one for all would meet none.
std::optional<Diagnostics> otherMachines(const std::vector<NamedRun>& runs)
{
    constexpr double alike = 1.1; // as far apart as two sources of one accelerator are
    std::map<std::string, std::vector<NamedRun>> machines;
    for (const NamedRun& run : runs)
        machines[run.run.accelerator->name].push_back(run);
    std::map<std::string, std::pair<std::string, double>> seen; // by multiplier: whose it is
    for (auto& [machine, own] : machines) {
        if (machines.size() < 2)
            break;
        const auto fit = Fitter(std::move(own)).fit();
        if (!fit)
            continue;
        for (const FittedShift& shift : fit->shifts) {
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
    auto fit = Fitter(std::move(runs)).fit();
    if (fit)
        fit->leftOut = leftOut;
    return fit;
}

} // namespace headroom
