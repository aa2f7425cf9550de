// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/missing_figure.hpp"

#include "core/metrics/words.hpp"
#include "core/predict/impossible.hpp"
#include "core/predict/power_knee.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <array>

namespace headroom
{

namespace
{

using Holds = bool (*)(const PreparedScenario&, const Evaluation&);

constexpr Holds hasPower = [](const PreparedScenario&, const Evaluation& e) { return e.watts.has_value(); };
constexpr Holds hasLoad = [](const PreparedScenario& p, const Evaluation&) {
    return p.inference.requestsPerS.has_value();
};
constexpr Holds hasPercentile = [](const PreparedScenario& p, const Evaluation&) {
    return countsLateRequests(p.inference);
};
/// The accelerator that decodes has a price in a list, the one that reads prompts has none.
constexpr Holds hasUnpricedPool = [](const PreparedScenario& p, const Evaluation& e) {
    const PriceKind kind = p.hardware.priceKind.value_or(PriceKind::OnDemand);
    return e.pools && p.prefillAccelerator && !p.hardware.pricePerGpuHour && !p.inference.prefillPool.pricePerGpuHour &&
           (p.hardware.priceKind || p.accelerator->listed) && knownPrice(*p.accelerator, kind) &&
           !knownPrice(*p.prefillAccelerator, kind);
};
constexpr Holds hasRl = [](const PreparedScenario&, const Evaluation& e) { return e.rl.has_value(); };
constexpr Holds hasDay = [](const PreparedScenario&, const Evaluation& e) { return e.day.has_value(); };
constexpr Holds hasFollowingDay = [](const PreparedScenario& p, const Evaluation& e) {
    return e.day && autoscales(p.inference);
};
constexpr Holds hasPhases = [](const PreparedScenario&, const Evaluation& e) { return e.phases.has_value(); };
constexpr Holds hasNoGoodput = [](const PreparedScenario&, const Evaluation& e) { return !e.goodput; };

struct Lack {
    std::string_view ids;      ///< how the ids of the figures begin
    Holds holds;               ///< null: always
    std::string_view sentence; ///< what to state, or why nothing helps
};

constexpr std::string_view unpricedPool =
    phrase("No price is known of the accelerator that reads prompts: enter the price of a prefill GPU.");

/// The first row that holds counts.
constexpr std::array lacks{
    Lack{"ttft_alone_s", nullptr, phrase("Choose continuous scheduling: in the others no request comes alone.")},
    Lack{"cost", hasUnpricedPool, unpricedPool},
    Lack{"cost", nullptr, phrase("Enter a price per GPU-hour (and the run's tokens, for the cost to train).")},
    Lack{"energy", hasRl, phrase("Power is not predicted while answers are generated.")},
    Lack{"energy.", hasPower, phrase("State the site's power: its PUE, a price of electricity or a carbon intensity.")},
    Lack{"energy", nullptr, phrase("The maker does not publish the power of this accelerator.")},
    Lack{"queue", hasLoad, phrase("More requests come than can be served: the queue grows without bound.")},
    Lack{"queue", nullptr, phrase("Enter the offered load in requests per second.")},
    Lack{"observed", nullptr, phrase("Enter what you measured, for example the step time.")},
    Lack{"speculation", nullptr, phrase("Choose a method of speculative decoding.")},
    Lack{"rl.cost_per_step", hasRl, phrase("Enter a price per GPU-hour.")},
    Lack{"rl.", hasRl, phrase("Choose GPUs of their own for generation.")},
    Lack{"rl.", nullptr, phrase("State the prompts of a step of reinforcement learning.")},
    Lack{"phases.cost", hasPhases, phrase("Enter a price per GPU-hour.")},
    Lack{"phases", hasRl, phrase("Phases are those of a training without reinforcement learning.")},
    Lack{"phases", nullptr, phrase("State the phases of the run.")},
    Lack{"day.cost", hasUnpricedPool, unpricedPool},
    Lack{"day.cost", hasDay, phrase("Enter a price per GPU-hour.")},
    Lack{"day.saving", hasFollowingDay, phrase("The replicas that may run cannot serve the busiest hour.")},
    Lack{"day.saving", hasDay, phrase("Let replicas follow the load: state the fewest or the most of them.")},
    Lack{"day.", hasDay, phrase("State a target for TTFT or TPOT.")},
    Lack{"day.", nullptr, phrase("State the load, and how it changes over the day.")},
    Lack{"tail", hasPercentile, phrase("The queue grows without bound: nothing bounds the wait.")},
    Lack{"tail", nullptr, phrase("State how many requests the targets hold for.")},
    Lack{"mix", nullptr, phrase("State a mix of classes of requests.")},
    Lack{"kv_tiers", nullptr, phrase("State what host memory or NVMe holds of the cache, and its hit rate.")},
    Lack{"host_weights", nullptr, phrase("State how much of the weights lies in host memory.")},
    Lack{"pools", nullptr, phrase("Choose disaggregated scheduling and state prefill GPUs.")},
    Lack{"goodput", hasNoGoodput, phrase("Failures are not counted: state GPU-hours per failure.")},
    Lack{"goodput.lost_s", nullptr, phrase("Enter the tokens of the whole run.")},
    Lack{"seconds_to_train", nullptr, phrase("Enter the tokens of the whole run.")},
};

/// A row that always holds hides all below it whose ids begin alike.
constexpr bool allCanHold()
{
    for (std::size_t above = 0; above < lacks.size(); ++above)
        for (std::size_t below = above + 1; below < lacks.size(); ++below)
            if (!lacks[above].holds && lacks[below].ids.starts_with(lacks[above].ids))
                return false;
    return true;
}
static_assert(allCanHold());

} // namespace

std::string missingFigure(const MetricRow& row, const PreparedScenario& prepared, const Evaluation& evaluation)
{
    if (row.id == "hfu" && prepared.task == Task::Inference)
        return said("HFU is explained for training. Serving executes more than the model needs for drafts alone, of "
                    "which some are thrown away.");
    if (!appliesTo(row, prepared.task))
        return prepared.task == Task::Training ? said("This figure is defined for inference only.")
                                               : said("This figure is defined for training only.");
    if (row.id.starts_with("observed") && evaluation.observed && evaluation.observed->impossible)
        return impossibleText(prepared, evaluation);
    const bool ofLimits = row.id == "energy.best_limit_w" || row.id == "energy.free_limit_w";
    if (const std::string_view reason = noKneeReason(prepared); ofLimits && !reason.empty())
        return said(reason);
    const auto lack = std::ranges::find_if(lacks, [&](const Lack& each) {
        return row.id.starts_with(each.ids) && (!each.holds || each.holds(prepared, evaluation));
    });
    return lack == lacks.end() ? said("This figure is not defined for this scenario.") : said(lack->sentence);
}

} // namespace headroom
