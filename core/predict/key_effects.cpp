// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/key_effects.hpp"

#include "core/catalog/price_list.hpp"
#include "core/hardware/power.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/idle_keys_serving.hpp"
#include "core/predict/idle_keys_training.hpp"
#include "core/predict/phases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headroom
{
namespace
{

double statedImbalance(const PreparedScenario& p) noexcept
{
    return p.task == Task::Training ? p.training.expertImbalance : p.inference.expertImbalance;
}

/// Groups that the experts are spread over; 1 without experts. One group has all of the load.
double imbalanceGroups(const PreparedScenario& p) noexcept
{
    return p.model->experts > 0 ? static_cast<double>(std::max<std::int64_t>(1, p.parallelism.expert)) : 1;
}

/// Whether anything of a training may lie in its host's memory: what is offloaded, what waits for another part of a
/// step of reinforcement learning, inputs of layers that run again.
bool mayUseHostMemory(const PreparedScenario& p) noexcept
{
    if (p.task != Task::Training || p.accelerator->unifiedMemory)
        return false;
    const TrainingWorkload& w = p.training;
    const bool again = w.checkpointing == Checkpointing::Full || w.checkpointing == Checkpointing::SelectiveLayer ||
                       w.checkpointing == Checkpointing::Unknown;
    const bool beside = w.rl.critic || w.rl.rewardModel || (w.rl.reference && w.method == Method::Full);
    return w.offload != Offload::None || (again && p.calibration->training.profile(w.software).offloadsCheckpoints) ||
           (isRl(p) && (!w.rl.generatesApart() || beside));
}

/// What `idle_w` counts as.
double idleWatts(const PreparedScenario& p) noexcept
{
    return idlePowerShare(p) * p.accelerator->tdpWatts;
}

constexpr std::array idleKeys{
    IdleKey{[](const PreparedScenario& p) noexcept { return p.parallelism.expert > 1 && p.model->experts <= 0; },
            [](const PreparedScenario& p) {
                return say("expert = {} has no effect: {} has no experts.", p.parallelism.expert,
                           p.model->architecture.name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return statedImbalance(p) > imbalanceGroups(p); },
            [](const PreparedScenario& p) {
                return say("expert_imbalance = {} counts as {}: that is the number of groups of experts.",
                           formatText(statedImbalance(p), ValueFormat::Plain),
                           formatText(imbalanceGroups(p), ValueFormat::Plain));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const Hardware& h = p.hardware;
                const bool interrupts = h.spotMtbfHours && countsSpotInterruptions(p);
                return h.priceKind && !interrupts && !(h.pricePerGpuHour && (p.price || p.prefillPrice));
            },
            [](const PreparedScenario& p) {
                if (p.hardware.pricePerGpuHour)
                    return said("price_kind looks nothing up: price_per_gpu_hour states the price itself.");
                if (p.prefillAccelerator && knownPrice(*p.accelerator, *p.hardware.priceKind))
                    return say("price_kind has no effect: no such price of the {}, which reads prompts, is known. "
                               "State prefill_pool.price_per_gpu_hour.",
                               p.prefillAccelerator->name);
                return say("price_kind has no effect: no such price of the {} is known. Load a price list, or state "
                           "price_per_gpu_hour.",
                           p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return p.hardware.hostMemoryGb && !mayUseHostMemory(p); },
            [](const PreparedScenario&) {
                return said("host_memory_gb has no effect: no states of a training are offloaded.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return p.hardware.spotMtbfHours && p.hardware.priceKind != PriceKind::Spot;
            },
            [](const PreparedScenario&) {
                return said("spot_mtbf_hours has no effect: GPUs are taken back where price_kind is 'spot'.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept { return countsSpotInterruptions(p) && !p.hardware.spotMtbfHours; },
            [](const PreparedScenario&) {
                return said("How often spot GPUs are taken back is not known: state spot_mtbf_hours.");
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                return countsSiteEnergy(p.hardware) && (isRl(p) || p.accelerator->tdpWatts <= 0);
            },
            [](const PreparedScenario& p) {
                return isRl(p)
                           ? said("power has no effect: power is not predicted while answers are generated.")
                           : say("power has no effect: no rated power of the {} is published.", p.accelerator->name);
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                const double rated = p.accelerator->tdpWatts;
                const auto& limit = p.hardware.powerLimitW;
                return limit && (rated <= 0 || *limit > rated || *limit < lowestLimitShare * rated);
            },
            [](const PreparedScenario& p) {
                const double rated = p.accelerator->tdpWatts;
                if (rated <= 0)
                    return say("The power limit has no effect: the rated power of the {} is not known.",
                               p.accelerator->name);
                if (*p.hardware.powerLimitW > rated)
                    return say("The power limit has no effect: the {} is rated at {} W.", p.accelerator->name,
                               formatText(rated, ValueFormat::Plain));
                return say("The power limit counts as {} W: boards take none far below a quarter of their rated power.",
                           formatText(boardWatts(p.hardware, *p.accelerator), ValueFormat::Plain));
            }},
    IdleKey{[](const PreparedScenario& p) noexcept {
                constexpr double rounding = 1 + 1e-9;
                return p.hardware.power.idleW && p.accelerator->tdpWatts > 0 &&
                       *p.hardware.power.idleW > rounding * idleWatts(p);
            },
            [](const PreparedScenario& p) {
                return say("idle_w counts as {} W: a board that runs kernels takes that before they do anything.",
                           formatText(idleWatts(p), ValueFormat::Plain));
            }},
};

/// Whether one key of a table is idle. The question is a constant, which can be inlined; read from the table it is a
/// pointer to call.
template <const auto& table, std::size_t i>
bool isIdle(const PreparedScenario& p) noexcept
{
    constexpr auto question = table[i].idle;
    return question(p);
}

/// Whether any key of a table is idle. No loop: every evaluation asks.
template <const auto& table>
[[gnu::flatten]] bool anyIdle(const PreparedScenario& p) noexcept
{
    return [&]<std::size_t... i>(std::index_sequence<i...>)
    {
        return (isIdle<table, i>(p) || ...);
    }
    (std::make_index_sequence<table.size()>());
}

/// Whether a key that is idle in the scenario is so in each of its phases, which may have more ranks, or because of
/// them.
bool isIdleInPhases(const IdleKey& key, const PreparedScenario& p)
{
    if (!inPhases(p))
        return true;
    PreparedScenario alone = p;
    alone.phases.reset();
    return !key.idle(alone) || std::ranges::all_of(*p.phases, [&](const TrainingPhase& phase) {
        return key.idle(phaseScenario(p, phase));
    });
}

/// A sentence for each idle key of a table, behind `text`.
template <const auto& table>
void addIdle(const PreparedScenario& p, std::string& text)
{
    for (const IdleKey& key : table)
        if (key.idle(p) && isIdleInPhases(key, p))
            text += (text.empty() ? "" : " ") + key.text(p);
}

} // namespace

bool hasKeyWithoutEffect(const PreparedScenario& prepared) noexcept
{
    if (inPhases(prepared)) {
        const auto idles = [&](const IdleKey& key) { return key.idle(prepared) && isIdleInPhases(key, prepared); };
        return std::ranges::any_of(idleKeys, idles) || std::ranges::any_of(idleKeysOfTraining, idles);
    }
    if (anyIdle<idleKeys>(prepared))
        return true;
    return prepared.task == Task::Training ? anyIdle<idleKeysOfTraining>(prepared)
                                           : anyIdle<idleKeysOfServing>(prepared);
}

std::string keysWithoutEffectText(const PreparedScenario& prepared)
{
    std::string text;
    addIdle<idleKeys>(prepared, text);
    if (prepared.task == Task::Training)
        addIdle<idleKeysOfTraining>(prepared, text);
    else
        addIdle<idleKeysOfServing>(prepared, text);
    return text;
}

} // namespace headroom
