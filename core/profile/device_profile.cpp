// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/device_profile.hpp"

#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::profile
{
namespace
{

constexpr std::size_t mostRows = 200; ///< of kernels and of shapes: a table nobody reads to its end

template <typename Row>
void keepLargest(std::vector<Row>& rows)
{
    std::ranges::stable_sort(rows, std::greater(), &Row::seconds);
    if (rows.size() > mostRows)
        rows.resize(mostRows);
}

/// Kernels that begin in the steps that count, by name. `scale`: one over the number of steps.
void addKernels(const DeviceWork& work, const DeviceTimeline& timeline, double scale, DeviceProfile& profile)
{
    std::vector<KernelTotal> totals(work.trace->names.size());
    for (const FoundStep& step : profile.steps.steps) {
        if (!step.used)
            continue;
        const auto [first, last] = timeline.startingIn(step.span);
        for (std::size_t i = first; i < last; ++i) {
            const GpuEvent& event = timeline.events()[i];
            KernelTotal& total = totals[event.name];
            total.kernelClass = event.kind.kernelClass;
            total.seconds += scale * double(event.end - event.start) * nanosecond;
            total.count += event.kind.collective == Collective::Waiting ? 0 : scale; // the rest of it counts
        }
    }
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i].count <= 0)
            continue;
        totals[i].name = work.trace->names[i].text;
        profile.kernels.push_back(std::move(totals[i]));
    }
    keepLargest(profile.kernels);
}

/// Matmuls of the steps that count, by shape. Some operators start two kernels (one splits k, one adds up): their time
/// counts, their product counts once.
void addShapes(const DeviceWork& work, double scale, DeviceProfile& profile)
{
    const TraceEvents& trace = *work.trace;
    std::vector<ShapeTotal> totals(trace.shapes.size());
    std::uint32_t before = 0, shapeBefore = 0;
    for (const auto& [index, shape] : trace.shapeOfEvent) {
        const GpuEvent& event = trace.gpu[index];
        const bool same = index == before + 1 && shape == shapeBefore && before != 0 && event.correlation != 0 &&
                          trace.gpu[before].device == event.device &&
                          trace.names[event.name].text.find("reduce") != std::string::npos;
        before = index;
        shapeBefore = shape;
        if (event.device != work.device)
            continue;
        const bool counts = std::ranges::any_of(profile.steps.steps, [&](const FoundStep& step) {
            return step.used && event.start >= step.span.start && event.start < step.span.end;
        });
        if (!counts)
            continue;
        totals[shape].seconds += scale * double(event.end - event.start) * nanosecond;
        totals[shape].count += same ? 0 : scale;
    }
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i].seconds <= 0)
            continue;
        totals[i].shape = trace.shapes[i];
        profile.shapedSeconds += totals[i].seconds;
        profile.matmulFlop += totals[i].flop();
        profile.shapes.push_back(std::move(totals[i]));
    }
    keepLargest(profile.shapes);
}

std::optional<Diagnostic> chooseStep(FoundSteps& steps, std::int64_t number)
{
    bool found = false;
    for (FoundStep& step : steps.steps) {
        step.used = step.number == number && steps.source != StepSource::WholeTrace;
        found = found || step.used;
    }
    if (found)
        return std::nullopt;
    std::string known;
    for (const FoundStep& step : steps.steps)
        known += (known.empty() ? "" : ", ") + std::to_string(step.number);
    return Diagnostic{Severity::Error,
                      "no-such-step",
                      {},
                      say("holds no step {}", number),
                      steps.source == StepSource::WholeTrace ? said("no steps were found in it: leave --step out")
                                                             : say("it holds {}", known),
                      {},
                      0};
}

/// The n-th collective of every device belongs together where all have as many, of the same kinds.
std::vector<std::vector<std::uint32_t>> collectivesOf(const std::vector<DeviceWork>& works)
{
    std::vector<std::vector<std::uint32_t>> all;
    for (const DeviceWork& work : works) {
        auto& own = all.emplace_back();
        for (std::uint32_t i = 0; i < work.trace->gpu.size(); ++i)
            if (work.trace->gpu[i].device == work.device &&
                work.trace->gpu[i].kind.kernelClass == KernelClass::Communication)
                own.push_back(i);
        std::ranges::sort(own, {}, [&](std::uint32_t i) { return work.trace->gpu[i].start; });
    }
    return all;
}

} // namespace

int DeviceProfile::usedSteps() const
{
    return static_cast<int>(std::ranges::count_if(steps.steps, &FoundStep::used));
}

int DeviceProfile::warmUpSteps() const
{
    return static_cast<int>(std::ranges::count_if(steps.steps, &FoundStep::warmUp));
}

std::optional<Diagnostic> makeProfile(DeviceWork& work, const std::optional<std::int64_t>& step)
{
    DeviceProfile& profile = work.profile;
    const TraceEvents& trace = *work.trace;
    const DeviceTimeline timeline(trace, work.device);
    profile.events = timeline.events().size();
    profile.steps = findSteps(trace, work.device, timeline);
    if (step)
        if (auto problem = chooseStep(profile.steps, *step))
            return problem;
    profile.whole = timeline.split(timeline.whole());
    const double scale = 1.0 / std::max(1, profile.usedSteps());
    profile.mean = {};
    for (const FoundStep& found : profile.steps.steps)
        if (found.used)
            profile.mean.add(timeline.split(found.span), scale);
    profile.kernels.clear();
    profile.shapes.clear();
    profile.shapedSeconds = profile.matmulFlop = 0;
    addKernels(work, timeline, scale, profile);
    addShapes(work, scale, profile);
    return std::nullopt;
}

bool markWaiting(std::vector<DeviceWork>& works)
{
    if (works.size() < 2)
        return false;
    const auto collectives = collectivesOf(works);
    const auto& first = collectives.front();
    const auto event = [&](std::size_t device, std::size_t i) -> GpuEvent& {
        return works[device].trace->gpu[collectives[device][i]];
    };
    if (first.empty())
        return false;
    for (std::size_t device = 1; device < works.size(); ++device) {
        if (collectives[device].size() != first.size())
            return false;
        for (std::size_t i = 0; i < first.size(); ++i)
            if (event(device, i).kind != event(0, i).kind)
                return false;
    }
    std::vector<std::vector<GpuEvent>> waiting(works.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        std::int64_t shortest = latest;
        for (std::size_t device = 0; device < works.size(); ++device)
            shortest = std::min(shortest, event(device, i).end - event(device, i).start);
        for (std::size_t device = 0; device < works.size(); ++device) {
            GpuEvent& whole = event(device, i);
            if (whole.end - whole.start <= shortest)
                continue;
            GpuEvent wait = whole;
            wait.end = whole.start = whole.end - shortest;
            wait.kind.collective = Collective::Waiting;
            waiting[device].push_back(wait);
        }
    }
    for (std::size_t device = 0; device < works.size(); ++device)
        works[device].trace->gpu.insert(works[device].trace->gpu.end(), waiting[device].begin(), waiting[device].end());
    return true;
}

} // namespace headroom::profile
