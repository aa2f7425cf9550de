// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kineto_events.hpp"

#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::profile
{
namespace
{

Span spanOf(const ChromeEvent& event)
{
    return {*event.start, *event.start + *event.duration};
}

std::uint32_t shortened(const std::optional<std::int64_t>& id)
{
    return id ? static_cast<std::uint32_t>(*id) : 0;
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, text) != words.end();
}

/// Calls that put work on a device; synchronising and asking put none. CUDA's and HIP's names.
bool launches(std::string_view call)
{
    const auto holds = [&](std::string_view part) { return call.find(part) != call.npos; };
    return holds("aunch") || holds("emcpy") || holds("emset");
}

Diagnostic tooLarge()
{
    return {Severity::Error,
            "too-large",
            {},
            say("the trace holds more than {} events of one kind", mostEvents),
            said("profile fewer steps"),
            {},
            0};
}

} // namespace

void ChromeEvent::clear()
{
    phase.clear();
    category.clear();
    name.clear();
    collective.clear();
    start = duration = process = device = correlation = external = std::nullopt;
    dims.clear();
    types.clear();
    badTime = false;
}

std::optional<Diagnostic> EventTaker::take(const ChromeEvent& event)
{
    if (event.phase != "X" || event.category.empty())
        return std::nullopt;
    const bool isKernel = isOneOf(event.category, {"kernel", "Kernel"});
    const bool isGpu = isKernel || isOneOf(event.category, {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"});
    if (event.badTime)
        return isGpu ? std::optional(Diagnostic{Severity::Error,
                                                "out-of-range",
                                                {},
                                                said("\"ts\" or \"dur\" of a GPU event is no time in µs"),
                                                said("write the trace again"),
                                                {},
                                                0})
                     : std::nullopt;
    if (!event.start || !event.duration || *event.duration < 0)
        return std::nullopt;
    if (isGpu) {
        if (m_events.gpu.size() >= mostEvents)
            return tooLarge();
        takeGpu(event, isKernel);
        return std::nullopt;
    }
    ++m_events.hostEvents;
    if (isOneOf(event.category, {"cuda_runtime", "cuda_driver", "Runtime"})) {
        if (event.correlation && launches(event.name)) {
            if (m_events.launches.size() >= mostEvents)
                return tooLarge();
            const Span span = spanOf(event);
            m_events.launches.push_back({shortened(event.correlation), span.start, span.end});
        }
    } else if (event.category == "gpu_user_annotation") {
        takeAnnotation(event, true);
    } else if (isOneOf(event.category, {"user_annotation", "cpu_op", "Operator"})) {
        if (event.category == "user_annotation" || event.name.starts_with("ProfilerStep#"))
            takeAnnotation(event, false);
        if (event.name.starts_with("enumerate(DataLoader)") && m_events.dataLoading.size() < mostEvents)
            m_events.dataLoading.push_back(spanOf(event));
        takeOperator(event);
    }
    return std::nullopt;
}

void EventTaker::takeGpu(const ChromeEvent& event, bool isKernel)
{
    GpuEvent taken;
    const Span span = spanOf(event);
    taken.start = span.start;
    taken.end = span.end;
    taken.correlation = shortened(event.correlation);
    taken.device = m_events.deviceIndex(event.device ? *event.device : event.process.value_or(0));
    taken.name = m_names.add(event.name);
    taken.kind = m_events.names[taken.name].kind;
    if (!isKernel)
        taken.kind = {KernelClass::Copy, Collective::Other};
    else if (taken.kind.kernelClass == KernelClass::Communication && !event.collective.empty())
        taken.kind.collective = collectiveNamed(event.collective).value_or(taken.kind.collective);
    if (taken.kind.kernelClass == KernelClass::Matmul && event.external)
        m_matmuls.emplace_back(static_cast<std::uint32_t>(m_events.gpu.size()), *event.external);
    m_events.gpu.push_back(taken);
}

void EventTaker::takeAnnotation(const ChromeEvent& event, bool onGpu)
{
    const auto step = stepNamed(event.name);
    if (!step || m_events.steps.size() >= mostEvents)
        return;
    StepMark mark;
    mark.span = spanOf(event);
    mark.onGpu = onGpu;
    mark.device = onGpu ? m_events.deviceIndex(event.device ? *event.device : event.process.value_or(0)) : 0;
    mark.family = step->family;
    const std::size_t place = onGpu ? mark.device + 1u : 0u;
    m_counted.resize(std::max(m_counted.size(), place + 1));
    mark.number = step->number ? *step->number : m_counted[place]++;
    m_events.steps.push_back(mark);
}

void EventTaker::takeOperator(const ChromeEvent& event)
{
    if (event.dims.empty() || !event.external || m_shapeOfOperator.size() >= mostEvents)
        return;
    const auto shape = matmulShape(event.name, event.dims, event.types);
    if (!shape)
        return;
    std::string key = shape->type;
    for (const std::int64_t size : {shape->batch, shape->m, shape->n, shape->k})
        key += ' ' + std::to_string(size);
    const auto [known, isNew] =
        m_shapes.try_emplace(std::move(key), static_cast<std::uint32_t>(m_events.shapes.size()));
    if (isNew)
        m_events.shapes.push_back(*shape);
    m_shapeOfOperator.emplace(*event.external, known->second);
}

void EventTaker::finish()
{
    for (const auto& [event, external] : m_matmuls)
        if (const auto found = m_shapeOfOperator.find(external); found != m_shapeOfOperator.end())
            m_events.shapeOfEvent.emplace_back(event, found->second);
}

} // namespace headroom::profile
