// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner.hpp"

#include "core/plan/planner_base.hpp"
#include "core/plan/planner_day.hpp"
#include "core/plan/planner_notes.hpp"
#include "core/plan/planner_report.hpp"
#include "core/plan/planner_ties.hpp"
#include "core/plan/planner_worker.hpp"
#include "core/predict/phases.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>

namespace headroom
{
namespace
{

using namespace planner;

/// Fills in what the request leaves out, and puts aside what belongs to the base run alone.
PlanRequest completed(PlanRequest request)
{
    request.day.reset();
    if (request.accelerators.empty())
        request.accelerators = {{request.base.accelerator, request.base.hardware.pricePerGpuHour, request.base.price,
                                 request.base.hardware.spotMtbfHours}};
    request.base.measured = {};
    request.base.phases.reset();                  // a plan is for one layout and one batch
    if (hasDay(request.base) && !request.users) { // and for one load: of a day the busiest hour's
        if (autoscales(request.base.inference)) {
            request.fewestReplicas = request.base.inference.autoscale.min;
            request.mostReplicas = request.base.inference.autoscale.max;
            if (!hasPrefillPool(request.base))
                request.day = request.base.inference; // with its own mean: the day has its busiest hour by itself
        }
        request.base.inference.requestsPerS = busiestRequestsPerS(request.base.inference);
    }
    takeDay(request.base.inference, {});
    if (request.users)
        request.base.inference.requestsPerS = request.users->count; // each configuration has its own: evaluateLoaded()
    const auto unpriced = [](const PlanAccelerator& device) { return !device.pricePerGpuHour; };
    if (std::ranges::any_of(request.accelerators, unpriced))
        std::ranges::replace(request.front, PlanObjective::Cost, PlanObjective::Gpus);
    std::ranges::sort(request.gpuCounts);
    std::vector<std::int64_t>& counts = request.gpuCounts;
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return request;
}

/// What a search cannot do anything with. The request is completed: whether its base was in phases is said beside it.
Diagnostics problemsOf(const PlanRequest& request, bool phased)
{
    const auto one = [](std::string code, std::string path, std::string message, std::string hint) {
        return fail(std::move(code), std::move(path), std::move(message), std::move(hint)).value();
    };
    if (isRl(request.base) && (request.objective == PlanObjective::Mfu || request.objective == PlanObjective::Energy))
        return one("unsupported", "/workload/rl",
                   said("steps of reinforcement learning have no MFU, and their energy is not predicted"),
                   said("choose cost, time or GPUs, or reset the prompts of a step to plan the update alone"));
    if (request.gpuCounts.empty())
        return one("missing", "/hardware/count", said("no number of GPUs to consider"), said("give at least one"));
    if (request.gpuCounts.front() < 1)
        return one("out-of-range", "/hardware/count", said("a number of GPUs must be at least 1"), "");
    if (request.users && !(request.users->count > 0 && std::isfinite(request.users->count)))
        return one("out-of-range", "/workload/requests_per_s",
                   said("nobody uses it: without requests no GPU is needed"), said("give at least one user"));
    const std::optional<double>& load = request.base.inference.requestsPerS;
    if (request.base.task == Task::Inference && load && !(*load > 0 && std::isfinite(*load)))
        return one("out-of-range", "/workload/requests_per_s", said("without requests no GPU is needed"),
                   said("give a load above 0, or none to compare deployments at full batch"));
    if (request.users && !(request.users->thinkS >= 0 && std::isfinite(request.users->thinkS)))
        return one("out-of-range", "/workload/requests_per_s", said("the time to think must be 0 s or more"), "");
    if (hasPrefillPool(request.base) && !load && !request.users)
        return one("missing", "/workload/requests_per_s", said("the ratio of two pools follows from a load"),
                   said("give requests_per_s, or leave prefill_pool out"));
    if (hasPrefillPool(request.base) && request.gpuCounts.back() < 2)
        return one("out-of-range", "/hardware/count", said("two pools are at least two GPUs"),
                   said("give a larger number, or leave prefill_pool out"));
    if (isRl(request.base) && request.base.training.rl.generatesApart() && request.gpuCounts.back() < 2)
        return one("out-of-range", "/hardware/count", said("GPUs that train and others that generate are at least two"),
                   said("give a larger number, or generate on the GPUs that train"));
    const PlanLimits& limits = request.limits;
    const bool training = request.base.task == Task::Training;
    if ((limits.deadlineS || limits.costToTrain) && !training)
        return one("wrong-task", "/workload", said("a service has no deadline and no budget of a whole run"),
                   said("limit its cost of an hour"));
    if ((limits.deadlineS || limits.costToTrain) && !request.base.training.trainingTokens && phased)
        return one("unsupported", "/workload/phases",
                   said("a training in phases cannot be planned for a deadline or a budget: a plan is for one phase"),
                   said("give the tokens of that phase as training_tokens, and what the deadline and the budget leave "
                        "for it"));
    if ((limits.deadlineS || limits.costToTrain) && !request.base.training.trainingTokens)
        return one("missing", "/workload/training_tokens",
                   said("a deadline or a budget needs the tokens of the whole run"), said("give training_tokens"));
    const bool cost = request.objective == PlanObjective::Cost || limits.costPerHour || limits.costToTrain;
    const PriceKind kind = request.base.hardware.priceKind.value_or(PriceKind::OnDemand);
    for (const PlanAccelerator& device : request.accelerators)
        if (cost && !device.pricePerGpuHour) {
            const bool readers = readerUnpriced(request.base, *device.accelerator, kind);
            const Accelerator& unpriced = readers ? *request.base.prefillAccelerator : *device.accelerator;
            return one("missing", "/hardware/price_per_gpu_hour", say("no price of the {} is known", unpriced.name),
                       said("give the price of a GPU-hour (price_per_gpu_hour), or choose another objective"));
        }
    if (request.objective == PlanObjective::Energy)
        for (const PlanAccelerator& device : request.accelerators)
            if (!(device.accelerator->tdpWatts > 0))
                return one("missing", "/hardware/accelerator",
                           say("no power of the {} is published", device.accelerator->name),
                           said("choose another objective"));
    return {};
}

std::vector<PlanOption> optionsOf(const PlanSpace& space, const std::vector<PlanFind>& finds)
{
    std::vector<PlanOption> options;
    options.reserve(finds.size());
    for (const PlanFind& find : finds)
        options.push_back(optionOf(space, find.point));
    return options;
}

/// What a stopped search does not know.
std::string stoppedNote(const PlanCounts& counts)
{
    if (counts.unseen() == 0)
        return said("Stopped: every configuration was tried, but not why each cheaper number of GPUs fails");
    return say("Stopped: {} of {} configurations were not tried, and a better one may be among them",
               formatText(double(counts.unseen()), ValueFormat::Integer),
               formatText(double(counts.configurations), ValueFormat::Integer));
}

/// Threads that take blocks in turn until none is left.
class PlanRun final
{
public:
    PlanRun(const PlanSpace& space, std::stop_token stop, const PlanProgressCallback& progress)
        : m_space(space), m_collector(space.request()), m_stop(std::move(stop)), m_progress(progress)
    {
    }

    void run()
    {
        const unsigned wanted = m_space.request().threads;
        const unsigned machine = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t most = std::max<std::size_t>(1, m_space.blocks().size());
        const std::size_t threads = std::min<std::size_t>(wanted > 0 ? std::min(wanted, 256u) : machine, most);
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < threads; ++i)
            others.emplace_back([this] { work(); });
        work();
        others.clear(); // joins
        if (m_error)
            std::rethrow_exception(m_error);
    }

    [[nodiscard]] const PlanCollector& collector() const { return m_collector; }
    /// Of the whole space, also where the search was stopped within it.
    [[nodiscard]] PlanCounts counts() const
    {
        PlanCounts all = m_counts;
        for (std::size_t i = std::min(m_next.load(), m_space.blocks().size()); i < m_space.blocks().size(); ++i)
            all.configurations += m_space.count(m_space.blocks()[i]);
        return all;
    }

private:
    using Clock = std::chrono::steady_clock;

    void work()
    {
        try {
            decideBlocks();
        } catch (...) { // out of memory: the caller's thread reports it
            const std::lock_guard lock(m_mutex);
            m_error = std::current_exception();
            m_next = m_space.blocks().size();
        }
    }

    void decideBlocks()
    {
        PlanWorker worker(m_space, m_collector);
        while (!m_stop.stop_requested()) {
            const std::size_t next = m_next.fetch_add(1, std::memory_order_relaxed);
            if (next >= m_space.blocks().size())
                return;
            report(worker.decide(m_space.blocks()[next], m_stop));
        }
    }

    void report(const PlanCounts& counts)
    {
        const std::lock_guard lock(m_mutex);
        m_counts += counts;
        ++m_done;
        if (!m_progress)
            return;
        const std::uint64_t version = m_collector.version();
        const bool first = m_reported <= 1 && version > 1;
        constexpr std::chrono::milliseconds pause(50);
        if (!first && Clock::now() - m_last < pause)
            return;
        PlanProgress progress{double(m_done) / double(m_space.blocks().size()), m_counts, {}};
        if (version != m_reported)
            progress.best = optionsOf(m_space, ranking(m_space, m_collector).finds);
        m_reported = version;
        m_progress(progress);
        m_last = Clock::now();
    }

    const PlanSpace& m_space;
    PlanCollector m_collector;
    const std::stop_token m_stop;
    const PlanProgressCallback& m_progress;
    std::atomic<std::size_t> m_next{0};
    std::mutex m_mutex; ///< of what follows
    PlanCounts m_counts;
    std::exception_ptr m_error;
    std::size_t m_done = 0;
    std::uint64_t m_reported = 1; ///< version of the best that the last report had
    Clock::time_point m_last = Clock::now();
};

} // namespace

PlanObjective usualObjective(const std::vector<PlanAccelerator>& accelerators)
{
    const bool priced = std::ranges::all_of(
        accelerators, [](const PlanAccelerator& device) { return device.pricePerGpuHour.has_value(); });
    return priced ? PlanObjective::Cost : PlanObjective::Gpus;
}

PlanCounts& PlanCounts::operator+=(const PlanCounts& other)
{
    configurations += other.configurations;
    evaluated += other.evaluated;
    excludedByMemory += other.excludedByMemory;
    excludedByTime += other.excludedByTime;
    excludedByLimit += other.excludedByLimit;
    return *this;
}

Expected<PlanResult> plan(const PlanRequest& wanted, const std::stop_token& stop, const PlanProgressCallback& progress)
{
    try {
        const PlanRequest request = completed(wanted);
        if (Diagnostics problems = problemsOf(request, inPhases(wanted.base)); !problems.empty())
            return tl::unexpected(std::move(problems));
        const PlanSpace space(request);
        PlanRun run(space, stop, progress);
        run.run();
        PlanResult result;
        result.counts = run.counts();
        Ranking ranked = ranking(space, run.collector());
        result.ranked = optionsOf(space, ranked.finds);
        result.front = optionsOf(space, run.collector().front());
        result.notes = spaceNotes(space);
        result.notes.insert(result.notes.begin(), ranked.notes.begin(), ranked.notes.end());
        const PlanOption* best = result.ranked.empty() ? nullptr : &result.ranked.front();
        if (space.hasReaders() && request.comparesOnePool)
            compareOnePool(request, result, stop);
        // Numbers of GPUs of two pools are no row of cheaper ones: the best of each side stands in a note.
        if (request.rejections > 0 && !(space.hasReaders() && best))
            result.rejected = rejections(request, best, stop);
        if (!best && result.rejected.empty())
            result.whyNone = noLayoutText(space);
        if (space.hasReaders() && !best && result.rejected.empty()) {
            result.notes.insert(result.notes.begin(),
                                said("No two pools of these GPUs meet the targets and the limits"));
            if (result.whyNone.empty())
                result.whyNone = result.notes.front();
        }
        if (wanted.base.phases && request.base.task == Task::Training)
            result.notes.push_back(said("The plan is for one phase: sequence length, batch and tokens of the scenario "
                                        "itself, not those of its phases"));
        if (hasDay(wanted.base) && !wanted.users)
            priceDay(wanted.base, result);
        else if (hasDay(wanted.base))
            result.notes.push_back(autoscales(wanted.base.inference)
                                       ? said("The plan is for the users, who have no day: the load of the scenario is "
                                              "left out, with its day and the replicas that follow it")
                                       : said("The plan is for the users, who have no day: the load of the scenario is "
                                              "left out, with its day"));
        result.cancelled = stop.stop_requested();
        if (result.cancelled)
            result.notes.insert(result.notes.begin(), stoppedNote(result.counts));
        return result;
    } catch (const std::exception& error) { // out of memory, no more threads
        return fail("internal", "", say("the search could not be finished: {}", error.what()));
    }
}

} // namespace headroom
