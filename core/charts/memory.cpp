// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/memory_unit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::charts
{

namespace
{

struct PartStyle {
    MemoryPart part;
    int slot; ///< the same colour in every scenario
};
constexpr std::array<PartStyle, memoryPartCount> order{{{MemoryPart::Weights, 0},
                                                        {MemoryPart::Optimizer, 3},
                                                        {MemoryPart::Gradients, 4},
                                                        {MemoryPart::KvCache, 1},
                                                        {MemoryPart::Overhead, 2},
                                                        {MemoryPart::Logits, 5},
                                                        {MemoryPart::Activations, 1}}};

constexpr std::string_view usedId = "memory.used_bytes";

std::optional<double> used(const Evaluation& e)
{
    return e.usedBytes;
}

/// The largest whole value that fits: the curve's points bracket it, and between them the scenario is asked. Of a batch
/// it is what its tile says.
std::optional<double> largestThatFits(const ChartContext& context, const SweepCurves& curves)
{
    const auto last = lastThatFits(curves.expected);
    if (!last || curves.row->kind != ParameterKind::Integer)
        return last;
    const auto next = std::ranges::upper_bound(curves.expected, *last, {}, &SweepPoint::value);
    if (next == curves.expected.end())
        return last;
    PreparedScenario trial = ofStep(context.scenario);
    double fits = *last, beyond = next->value;
    while (beyond - fits > 1) {
        const double middle = std::floor((fits + beyond) / 2);
        setAlong(trial, *curves.row, middle, context.scenario);
        if (!checkSetup(trial).empty())
            return last; // not every whole number goes with the other sizes
        (evaluateStep(trial).fits ? fits : beyond) = middle;
    }
    return fits;
}

std::string reading(const ChartContext& context, const SweepCurves& curves)
{
    const Evaluation& e = context.evaluation;
    const auto bytes = [](double value) { return formatText(value, ValueFormat::Bytes); };
    const auto largest = std::ranges::max_element(e.memory);
    const auto part = static_cast<MemoryPart>(largest - e.memory.begin());
    const double share = e.usedBytes > 0 ? *largest / e.usedBytes : 0;
    if (!usedBytesFit(e))
        return say("Needs {}, has {}: {} {}.", bytes(e.usedBytes), bytes(e.capacityBytes), say(label(part)),
                   bytes(*largest));
    std::string text =
        say("{} {} {} of what is used; {} free", capitalized(said(label(part))),
            part == MemoryPart::KvCache || part == MemoryPart::Overhead || part == MemoryPart::Optimizer ? say("is")
                                                                                                         : say("are"),
            percentText(share), bytes(std::max(0.0, e.capacityBytes - e.usedBytes)));
    const auto last = largestThatFits(context, curves);
    if (last && *last < curves.expected.back().value && curves.row->choices.empty())
        text += say(", up to {}", named(*curves.row, *last));
    const std::string others = lackText(e); // the areas are of GPUs that have room
    return text + (others.empty() ? "." : ". " + capitalized(others) + ".");
}

/// Whether gradients or optimizer states fall along the curve: in the shape of a step that is fullest elsewhere.
bool fallsElsewhere(const SweepCurves& curves)
{
    const auto falls = [&](MemoryPart part) {
        return std::ranges::adjacent_find(curves.expected, [part](const SweepPoint& here, const SweepPoint& next) {
                   return next.evaluation.part(part) < here.evaluation.part(part) * (1 - smallestShare);
               }) != curves.expected.end();
    };
    return curves.row->id == "micro_batch" && (falls(MemoryPart::Gradients) || falls(MemoryPart::Optimizer));
}

/// Whether the stack saves memory along the curve, so that its sum stays the same where its parts change.
bool savesToFit(const SweepCurves& curves)
{
    const auto alike = [](const SweepPoint& here, const SweepPoint& next) {
        const Evaluation &a = here.evaluation, &b = next.evaluation;
        return a.warnings.has(WarningCode::SavesMemory) && b.warnings.has(WarningCode::SavesMemory) &&
               std::abs(b.usedBytes - a.usedBytes) < smallestShare * a.usedBytes;
    };
    return std::ranges::adjacent_find(curves.expected, alike) != curves.expected.end();
}

} // namespace

ChartSpec memory(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    const Evaluation& now = context.evaluation;
    ChartSpec spec;
    spec.id = "memory";
    spec.title = say("Memory per GPU over {}", inSentence(curves->row->label));
    spec.x = curves->x;
    spec.note = curves->note;
    if (fallsElsewhere(*curves))
        spec.note += (spec.note.empty() ? "" : " ") + said("Bands are what each part adds to a step's fullest moment.");
    if (savesToFit(*curves))
        spec.note += (spec.note.empty() ? "" : " ") + said("Flat at the limit: the stack saves memory.");
    for (const auto& [part, slot] : order) {
        Series area{.id = std::string(label(part)), .label = said(label(part)), .kind = SeriesKind::Area, .slot = slot};
        area.metric = usedId; // each part is explained within the sum
        area.points.reserve(curves->expected.size());
        double most = 0;
        for (const SweepPoint& point : curves->expected) {
            const double bytes = point.evaluation.part(part);
            most = std::max(most, std::min(bytes, point.evaluation.capacityBytes));
            area.points.push_back({.x = point.value, .y = bytes, .infeasible = !point.evaluation.fits});
        }
        if (most >= smallestShare * now.capacityBytes || (part == MemoryPart::Weights && most > 0))
            spec.series.push_back(std::move(area));
    }
    addPinCurves(spec, *curves, {usedId, used});
    addMeasured(spec, curves->current, context.scenario.measured.peakMemoryBytes, usedId);
    addOperatingPoint(spec, *curves, context, used);
    spec.guides.push_back({GuideKind::Horizontal, SeriesRole::Limit, 0, now.capacityBytes, 0,
                           formatText(now.capacityBytes, ValueFormat::Bytes)});

    // Cut on purpose a little above the capacity (or above what is used now): how far the rest lies above says nothing.
    const double most = 1.2 * std::max(now.capacityBytes, now.usedBytes);
    DataRange range;
    range.add(most);
    if (hasDistanceTerm(curves->row->id, context.scenario.task))
        addRunPoints(spec, context, memoryPlacement(*curves, spec.x, most));
    if (context.scenario.measured.peakMemoryBytes)
        range.add(*context.scenario.measured.peakMemoryBytes);
    for (const PinnedScenario* pin : comparablePins(context))
        range.add(pin->evaluation.usedBytes);
    spec.y =
        linearAxis("memory_bytes", said("Memory per GPU"), std::string(memoryUnitName()), ValueFormat::Bytes, range);
    spec.reading = reading(context, *curves);
    spec.summary = say("{}: {} of {} used now. {}", spec.title, formatText(now.usedBytes, ValueFormat::Bytes),
                       formatText(now.capacityBytes, ValueFormat::Bytes), spec.reading);
    return spec;
}

} // namespace headroom::charts
