// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/run_fitter.hpp"

#include "core/fit/shift_search.hpp"
#include "core/predict/impossible.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace headroom
{
namespace
{

/// A run that is so many times off beside others that agree was another one than its scenario says.
constexpr double farOff = 3;

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

std::string withCause(const NamedRun& run, double residual)
{
    const std::string cause = causeOf(run, residual);
    return cause.empty() ? apart(run, residual) : say("{}, most likely {}", apart(run, residual), cause);
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

double middleOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
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
        fitSteps(std::span(links).first(exchanged ? 0 : 2));
        fitServing();
        if (!m_refused.empty())
            return tl::unexpected(std::move(m_refused));
        if (m_fit.shifts.empty() && m_figures == 0)
            return fail("nothing-measured", "/measured", said("no run says a time or a rate that is predicted"),
                        said("measure step_time_s, tokens_per_s, tpot_s or ttft_s"));
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

    /// Of all that decided. Counts the runs.
    std::vector<double> wholeResiduals(const Efficiency& efficiency)
    {
        std::vector<double> all;
        std::vector<std::size_t> places;
        for (const auto& [residual, far] :
             {std::pair<Residual, const std::vector<std::size_t>*>(stepResidual, &m_farSteps),
              {profiledStepResidual, nullptr},
              {decodeResidual, &m_farDecode},
              {prefillResidual, &m_farPrefill}}) {
            const Figures found = figures(residual, efficiency, far ? *far : std::vector<std::size_t>());
            all.insert(all.end(), found.residuals.begin(), found.residuals.end());
            places.insert(places.end(), found.places.begin(), found.places.end());
        }
        std::ranges::sort(places);
        m_fit.runs = static_cast<std::size_t>(std::unique(places.begin(), places.end()) - places.begin());
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
        const bool byLink = network.atEnd || (!link.atEnd && (std::abs(link.loss - network.loss) < alike
                                                                  ? std::abs(link.logs[0]) <= std::abs(network.logs[0])
                                                                  : link.loss < network.loss));
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
        const double middle = middleOf(all.residuals);
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
        constexpr std::size_t named = 3; // a page of names says no more
        std::vector<std::size_t> far;
        for (std::size_t i = 0; i < all.places.size(); ++i)
            if (std::abs(then[i]) >= std::log(farOff)) {
                far.push_back(all.places[i]);
                if (far.size() <= named)
                    m_fit.notes.push_back(
                        say("left out, unlike the others: {}", withCause(m_runs[all.places[i]], all.residuals[i])));
            }
        if (far.size() > named)
            m_fit.notes.push_back(say("left out, unlike the others: {} more", far.size() - named));
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

    /// False, and refused, where one of the runs is still three times off: another one than its scenario says.
    bool reached(const Figures& all, const std::vector<double>& left)
    {
        if (std::ranges::all_of(left, [](double residual) { return std::abs(residual) < std::log(farOff); }))
            return true;
        refuse(all, left);
        return false;
    }

    /// Runs that are met, and most likely by mistake.
    void noteSlow(const Figures& all)
    {
        for (std::size_t i = 0; i < all.places.size(); ++i)
            if (all.residuals[i] <= -std::log(farOff) && !causeOf(m_runs[all.places[i]], all.residuals[i]).empty())
                m_fit.notes.push_back(withCause(m_runs[all.places[i]], all.residuals[i]));
    }

    void leave(const Knob& knob)
    {
        m_fit.notes.push_back(say("{} left as it is: no multiplier brings the runs nearer", say(knob.name)));
    }

    void fitSteps(std::span<const Knob* const> links)
    {
        m_farSteps = strangers(stepResidual, computeKnob, links);
        const Figures all = figures(stepResidual, m_fit.efficiency, m_farSteps);
        m_figures += all.places.size();
        if (all.places.empty())
            return;
        const Found found = ShiftSearch(all.runs, stepResidual, m_fit.efficiency).chosen(computeKnob, links);
        if (found.atEnd)
            return refuse(all, all.residuals);
        if (!reached(all, found.residuals))
            return;
        if (!isNearer(medianError(all.residuals), medianError(found.residuals)))
            return leave(computeKnob);
        take(found, all.places);
        noteSlow(all);
        if (found.untold)
            m_fit.notes.push_back(said("these runs cannot tell compute and network apart: runs on fewer GPUs can"));
    }

    /// One of the two multipliers of serving, or both: a rate holds the prompts' time, too, so they settle in turns.
    struct Serving {
        Efficiency efficiency;
        std::vector<Found> found; ///< one for each multiplier
        std::vector<double> residuals;
        bool atEnd = false;
    };

    Serving served(const Figures& decode, const Figures& prefill, bool movesDecode, bool movesPrefill) const
    {
        constexpr int rounds = 8;
        Serving made{m_fit.efficiency, {}, {}, false};
        for (int round = 0; round < (movesDecode && movesPrefill ? rounds : 1); ++round) {
            made.found.clear();
            for (const auto& [moves, figures, residual, knob] :
                 {std::tuple(movesDecode, &decode, &decodeResidual, &decodeKnob),
                  std::tuple(movesPrefill, &prefill, &prefillResidual, &prefillKnob)}) {
                if (!moves)
                    continue;
                made.found.push_back(ShiftSearch(figures->runs, residual, made.efficiency).found({knob}));
                knob->set(made.efficiency, {}, std::exp(made.found.back().logs[0]));
                made.atEnd = made.found.back().atEnd || (made.atEnd && made.found.size() > 1);
            }
        }
        for (const auto& [figures, residual] : {std::pair(&decode, &decodeResidual), {&prefill, &prefillResidual}}) {
            const std::vector<double> left = ShiftSearch(figures->runs, residual, made.efficiency).residualsAt({}, {});
            made.residuals.insert(made.residuals.end(), left.begin(), left.end());
        }
        return made;
    }

    void fitServing()
    {
        m_farDecode = strangers(decodeResidual, decodeKnob, {});
        m_farPrefill = strangers(prefillResidual, prefillKnob, {});
        const Figures decode = figures(decodeResidual, m_fit.efficiency, m_farDecode);
        const Figures prefill = figures(prefillResidual, m_fit.efficiency, m_farPrefill);
        const bool decodes = !decode.places.empty(), reads = !prefill.places.empty();
        if (!decodes && !reads)
            return;
        m_figures += decode.places.size() + prefill.places.size();
        Figures all = decode;
        all.places.insert(all.places.end(), prefill.places.begin(), prefill.places.end());
        all.residuals.insert(all.residuals.end(), prefill.residuals.begin(), prefill.residuals.end());
        const Serving whole = served(decode, prefill, decodes, reads);
        if (whole.atEnd)
            return refuse(all, all.residuals);
        if (!reached(all, whole.residuals))
            return;
        const double before = medianError(all.residuals);
        std::vector<Serving> better;
        if (isNearer(before, medianError(whole.residuals)))
            better.push_back(whole);
        for (const bool ofDecode : {true, false})
            if (decodes && reads && better.empty())
                if (Serving one = served(decode, prefill, ofDecode, !ofDecode);
                    !one.atEnd && isNearer(before, medianError(one.residuals)))
                    better.push_back(std::move(one));
        const auto best =
            std::ranges::min_element(better, {}, [](const Serving& s) { return robustLoss(s.residuals); });
        const auto has = [&](const Knob& knob) {
            return best != better.end() &&
                   std::ranges::any_of(best->found, [&](const Found& f) { return f.knobs.front() == &knob; });
        };
        if (best != better.end())
            for (const Found& found : best->found)
                take(found, found.knobs.front() == &decodeKnob ? decode.places : prefill.places);
        if (decodes && !has(decodeKnob))
            leave(decodeKnob);
        if (reads && !has(prefillKnob))
            leave(prefillKnob);
        if (best != better.end())
            noteSlow(all);
    }

    std::vector<NamedRun> m_runs;
    UserFit m_fit;
    std::vector<std::size_t> m_farSteps, m_farDecode, m_farPrefill; ///< left out
    std::size_t m_figures = 0;
    Diagnostics m_refused;
};

} // namespace

Expected<UserFit> fitNamed(std::vector<NamedRun> runs)
{
    return Fitter(std::move(runs)).fit();
}

} // namespace headroom
