// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/step_finder.hpp"

#include "core/support/language.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom::profile
{
namespace
{

/// Marks of one number are one step: an annotation of a GPU is written for each of its streams.
std::vector<FoundStep> gathered(const std::vector<StepMark>& marks, bool onGpu, std::uint16_t device,
                                std::uint8_t family)
{
    std::map<std::int64_t, Span> spans;
    for (const StepMark& mark : marks) {
        if (mark.onGpu != onGpu || (onGpu && mark.device != device) || mark.family != family)
            continue;
        const auto [at, isNew] = spans.try_emplace(mark.number, mark.span);
        if (!isNew)
            at->second = {std::min(at->second.start, mark.span.start), std::max(at->second.end, mark.span.end)};
    }
    std::vector<FoundStep> steps;
    for (const auto& [number, span] : spans)
        if (span.length() > 0)
            steps.push_back({number, span});
    std::ranges::stable_sort(steps, {}, [](const FoundStep& s) { return s.span.start; });
    return steps;
}

/// The host runs ahead of the GPU: a step of the host begins where the first kernel that it launched begins, and lasts
/// at least to the end of the last. Steps that launched nothing known stay as they are.
void followLaunches(std::vector<FoundStep>& steps, const TraceEvents& trace, const DeviceTimeline& timeline)
{
    std::vector<Span> launched(steps.size(), Span{latest, -latest});
    for (const GpuEvent& event : timeline.events()) {
        const auto call = std::ranges::lower_bound(trace.launches, event.correlation, {}, &LaunchCall::correlation);
        if (event.correlation == 0 || call == trace.launches.end() || call->correlation != event.correlation)
            continue;
        const auto next =
            std::ranges::upper_bound(steps, call->start, {}, [](const FoundStep& s) { return s.span.start; });
        if (next == steps.begin() || call->start >= (next - 1)->span.end)
            continue;
        Span& own = launched[static_cast<std::size_t>(next - 1 - steps.begin())];
        own = {std::min(own.start, event.start), std::max(own.end, event.end)};
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (launched[i].start < launched[i].end)
            steps[i].span = {launched[i].start, std::max(steps[i].span.end, launched[i].end)};
    std::ranges::stable_sort(steps, {}, [](const FoundStep& s) { return s.span.start; });
}

/// Each step reaches to the next one. What a GPU waits for after the last annotation of its work is not known: such a
/// step does not count, unless none does.
void joinUp(std::vector<FoundStep>& steps, bool onGpu)
{
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool followed = i + 1 < steps.size() && steps[i + 1].number == steps[i].number + 1;
        if (followed)
            steps[i].span.end = steps[i + 1].span.start;
        else if (i + 1 < steps.size()) // steps between them were not profiled
            steps[i].span.end = std::min(steps[i].span.end, steps[i + 1].span.start);
        steps[i].used = followed || !onGpu;
    }
    std::erase_if(steps, [](const FoundStep& s) { return s.span.length() <= 0; });
}

void useAllWhereNone(std::vector<FoundStep>& steps)
{
    if (std::ranges::none_of(steps, &FoundStep::used))
        for (FoundStep& step : steps)
            step.used = true;
}

void leaveOutEmpty(std::vector<FoundStep>& steps, const DeviceTimeline& timeline)
{
    std::erase_if(steps, [&](const FoundStep& step) {
        const auto [first, last] = timeline.startingIn(step.span);
        return first == last;
    });
}

double medianLength(std::vector<FoundStep> steps)
{
    const auto middle = steps.begin() + std::ptrdiff_t(steps.size() / 2);
    std::ranges::nth_element(steps, middle, {}, [](const FoundStep& s) { return s.span.length(); });
    return double(middle->span.length());
}

void markWarmUp(std::vector<FoundStep>& steps)
{
    constexpr double muchLonger = 1.25; // judgement: steps of one run differ by a few percent
    std::vector<FoundStep> known;
    std::ranges::copy_if(steps, std::back_inserter(known), &FoundStep::used);
    if (known.size() < 3)
        return;
    const double usual = medianLength({known.begin() + 1, known.end()});
    for (FoundStep& step : steps) {
        if (double(step.span.length()) <= muchLonger * usual)
            break;
        step.warmUp = true;
        step.used = false;
    }
}

/// How often the kernels of a trace came again: the number of times the rarest of them come, where nearly all others
/// come a multiple of it and the rarest are evenly apart. 0 where nothing repeats.
std::vector<FoundStep> repeated(const TraceEvents& trace, const DeviceTimeline& timeline)
{
    constexpr double most = 0.9;          // of the names, and of the time: some kernels depend on the data
    constexpr double evenly = 0.05;       // of the kernels between two of one name
    constexpr std::size_t mostTried = 64; // more steps than this are rarely profiled
    const auto events = timeline.events();
    std::vector<std::vector<std::uint32_t>> places(trace.names.size());
    std::vector<double> time(trace.names.size());
    double allTime = 0, allNames = 0;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        const std::uint32_t name = events[i].name;
        allNames += places[name].empty() ? 1 : 0;
        places[name].push_back(i);
        const double length = double(events[i].end - events[i].start);
        time[name] += length;
        allTime += length;
    }
    const auto isEven = [&](const std::vector<std::uint32_t>& at) {
        const double mean = double(at.back() - at.front()) / double(at.size() - 1);
        for (std::size_t i = 1; i < at.size(); ++i)
            if (std::abs(double(at[i] - at[i - 1]) - mean) > std::max(1.0, evenly * mean))
                return false;
        return mean >= 2;
    };
    for (std::size_t count = 2; count <= mostTried; ++count) {
        double names = 0, seconds = 0;
        const std::vector<std::uint32_t>* anchor = nullptr;
        for (std::size_t name = 0; name < places.size(); ++name) {
            const auto& at = places[name];
            if (at.empty() || at.size() % count != 0)
                continue;
            names += 1;
            seconds += time[name];
            if (at.size() == count && (anchor == nullptr || at.front() < anchor->front()) && isEven(at))
                anchor = &at;
        }
        if (anchor == nullptr || names < most * allNames || seconds < most * allTime)
            continue;
        std::vector<FoundStep> steps;
        for (std::size_t i = 0; i < anchor->size(); ++i) {
            const std::int64_t start = events[(*anchor)[i]].start;
            const std::int64_t end = i + 1 < anchor->size() ? events[(*anchor)[i + 1]].start : timeline.whole().end;
            if (end > start)
                steps.push_back({std::int64_t(i), {start, end}});
        }
        return steps;
    }
    return {};
}

} // namespace

std::string_view label(StepSource source)
{
    switch (source) {
    case StepSource::GpuAnnotation:
        return phrase("annotations of the GPU's work");
    case StepSource::HostAnnotation:
        return phrase("annotations of the host");
    case StepSource::Repetition:
        return phrase("kernels that repeat");
    case StepSource::WholeTrace:
        return phrase("no steps found: the whole trace");
    }
    return {};
}

FoundSteps findSteps(const TraceEvents& trace, std::uint16_t device, const DeviceTimeline& timeline)
{
    FoundSteps found;
    for (const std::uint8_t family : {std::uint8_t(0), std::uint8_t(1)}) {
        for (const bool onGpu : {true, false}) {
            found.source = onGpu ? StepSource::GpuAnnotation : StepSource::HostAnnotation;
            found.steps = gathered(trace.steps, onGpu, device, family);
            if (!onGpu)
                followLaunches(found.steps, trace, timeline);
            joinUp(found.steps, onGpu);
            leaveOutEmpty(found.steps, timeline);
            if (found.steps.empty())
                continue;
            markWarmUp(found.steps);
            useAllWhereNone(found.steps);
            return found;
        }
    }
    found.source = StepSource::Repetition;
    found.steps = repeated(trace, timeline);
    if (found.steps.size() > 1) {
        found.steps.back().used = false;
        markWarmUp(found.steps);
        useAllWhereNone(found.steps);
        return found;
    }
    found.source = StepSource::WholeTrace;
    found.steps.clear();
    if (timeline.whole().length() > 0)
        found.steps.push_back({0, timeline.whole()});
    return found;
}

} // namespace headroom::profile
