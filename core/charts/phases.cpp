// SPDX-License-Identifier: GPL-3.0-or-later
// A training in phases: how long each takes, with its cost.
#include "core/predict/phases.hpp"
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"
#include "core/units/two_figures.hpp"

#include <algorithm>

namespace headroom::charts
{

namespace
{

/// "24.3 days, $61.2M"
std::string barLabel(const PhaseResult& phase, double longest)
{
    const std::string time = partOfTimeText(phase.seconds, longest);
    return phase.cost ? time + ", " + formatText(*phase.cost, ValueFormat::Money) : time;
}

std::string detailOf(const PhaseResult& r)
{
    return say("{} tokens, {} GPUs, sequences of {}", formatText(r.tokens, ValueFormat::Parameters), wholeText(r.gpus),
               wholeText(r.sequenceLength));
}

} // namespace

ChartSpec phases(const ChartContext& context)
{
    ChartSpec spec;
    spec.id = "phases";
    spec.title = said("Phases of the training");
    spec.barDirection = BarDirection::Horizontal;
    std::vector<PhaseResult> results = evaluatePhases(context.scenario);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < results.size(); ++i)
        names.push_back(phaseName((*context.scenario.phases)[i], i));
    if (results.empty()) { // the whole run, or an hour of it, in one piece
        PhaseResult whole;
        whole.seconds = context.evaluation.secondsToTrain.value_or(secondsPerHour);
        whole.cost =
            context.evaluation.secondsToTrain ? context.evaluation.costToTrain : context.evaluation.costPerHour;
        whole.tokens =
            context.scenario.training.trainingTokens.value_or(paidTokensPerS(context.evaluation) * whole.seconds);
        whole.gpus = context.evaluation.rl ? context.evaluation.rl->gpus : double(context.scenario.hardware.count);
        whole.sequenceLength = double(context.scenario.training.sequenceLength);
        whole.fits = context.evaluation.fits;
        results.push_back(whole);
        names.push_back(context.evaluation.secondsToTrain ? said("the whole run") : said("an hour"));
    }
    Series bars{.id = "time",
                .label = said("time"),
                .kind = SeriesKind::Bar,
                .metric = context.evaluation.phases ? "phases.seconds" : "seconds_to_train"};
    double all = 0;
    const auto longest =
        static_cast<std::size_t>(std::ranges::max_element(results, {}, &PhaseResult::seconds) - results.begin());
    for (std::size_t i = 0; i < results.size(); ++i) {
        bars.points.push_back({.x = static_cast<double>(i),
                               .y = results[i].seconds,
                               .label = barLabel(results[i], results[longest].seconds),
                               .base = 0.0,
                               .infeasible = !results[i].fits,
                               .detail = detailOf(results[i])});
        all += results[i].seconds;
    }
    DataRange range;
    range.add(bars);
    spec.series.push_back(std::move(bars));
    spec.x = categoryAxis("phase", said("Phase"), names);
    spec.y = linearAxis("phase_s", said("Time"), timeUnit(results[longest].seconds), ValueFormat::Seconds, range);
    const auto& total = context.evaluation.phases;
    spec.reading = !total        ? said("The run is of one piece: state its phases to see them apart.")
                   : total->cost ? say("{} and {} in all; {} takes {} of the time.", secondsText(all),
                                       formatText(*total->cost, ValueFormat::Money), names[longest],
                                       percentText(results[longest].seconds / all))
                                 : say("{} in all; {} takes {} of it.", secondsText(all), names[longest],
                                       percentText(results[longest].seconds / all));
    if (total && !total->fit)
        spec.note = said("A phase does not fit: its time is as if it did.");
    spec.summary = say("How long each phase of the training takes. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
