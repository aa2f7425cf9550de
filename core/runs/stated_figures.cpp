// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/stated_figures.hpp"

#include "core/predict/source_peak.hpp"
#include "core/predict/utilization.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <cmath>
#include <fmt/format.h>

namespace headroom
{
namespace
{

/// Programs print three digits of rates of steps that vary; memory is predicted, not counted.
constexpr double sameRate = 0.02, sameMemory = 0.1;

bool near(double a, double b, double within)
{
    return std::abs(a - b) <= within * std::abs(b);
}

std::string teraflops(double flopPerS)
{
    return formatText(flopPerS, ValueFormat::FlopPerS);
}

/// FLOP/s per GPU that a convention makes of the measured time.
double rateBy(const PreparedScenario& prepared, Convention convention)
{
    PreparedScenario other = prepared;
    other.accounting = convention;
    const Evaluation e = evaluate(other);
    return e.observed && e.observed->mfu ? *e.observed->mfu * e.peakFlops / sourcePeakRatio(other, e) : 0;
}

/// Why a program's FLOP/s are not ours, from the same time.
std::string reasonOf(const PreparedScenario& prepared, double stated, double ours)
{
    for (const ConventionRow& row : conventionTable())
        if (row.convention != prepared.accounting && near(rateBy(prepared, row.convention), stated, sameRate))
            return say("another count: it is what {} gives", say(row.label));
    return say("it counts {} × our FLOP: another model, sequence or batch than the scenario's, or a count of its own",
               withLocalMark(fmt::format("{:.2f}", stated / ours)));
}

void addMemory(const PreparedScenario& prepared, const Evaluation& e, std::vector<std::string>& notes)
{
    const Measured& m = prepared.measured;
    if (!m.peakMemoryBytes)
        return;
    const double ours = peakMemoryBytes(e, m.peakMemoryKind);
    if (ours <= 0 || near(*m.peakMemoryBytes, ours, sameMemory))
        return;
    const std::string stated = formatText(*m.peakMemoryBytes, ValueFormat::Bytes),
                      predicted = formatText(ours, ValueFormat::Bytes);
    notes.push_back(
        *m.peakMemoryBytes > ours
            ? say("Peak memory, {}: {} stated, {} predicted; less is recomputed or sharded than the scenario "
                  "says, or its batch is larger.",
                  peakMemoryKindText(m), stated, predicted)
            : say("Peak memory, {}: {} stated, {} predicted; more is recomputed or sharded than the scenario "
                  "says, or its batch is smaller.",
                  peakMemoryKindText(m), stated, predicted));
}

} // namespace

std::string peakMemoryKindText(const Measured& measured)
{
    switch (measured.peakMemoryKind.value_or(PeakMemoryKind::Reserved)) {
    case PeakMemoryKind::Allocated:
        return said("tensors alone");
    case PeakMemoryKind::Device:
        return said("as the device counts it");
    case PeakMemoryKind::Reserved:
        break;
    }
    return said("as the allocator reserves it");
}

std::vector<std::string> statedFigureNotes(const PreparedScenario& prepared, const Evaluation& e)
{
    std::vector<std::string> notes;
    const Measured& m = prepared.measured;
    const bool timed = m.stepTimeS || m.tokensPerS || m.tokensPerSPerGpu;
    if (prepared.task != Task::Training)
        return notes;
    if (timed && e.credible() && e.observed->mfu && e.peakFlops > 0) {
        const double ours = *e.observed->mfu * e.peakFlops / sourcePeakRatio(prepared, e);
        // A MFU alone is of the scenario's peak, unless its own is stated.
        const double peak = m.peakTflops ? *m.peakTflops * 1e12 : e.peakFlops;
        const std::optional<double> rate = m.modelTflopsPerGpu ? std::optional(*m.modelTflopsPerGpu * 1e12)
                                           : m.mfu             ? std::optional(*m.mfu * peak)
                                                               : std::nullopt;
        if (rate && !near(*rate, ours, sameRate))
            notes.push_back(m.modelTflopsPerGpu
                                ? say("{} per GPU stated, {} by our count of the same time; {}.", teraflops(*rate),
                                      teraflops(ours), reasonOf(prepared, *rate, ours))
                                : say("MFU: {} stated, {} by our count of the same time; {}.", percentText(*m.mfu),
                                      percentText(ours / peak), reasonOf(prepared, *rate, ours)));
        if (m.mfu && m.modelTflopsPerGpu && *m.mfu > 0 && !near(*rate / *m.mfu, peak, sameRate))
            notes.push_back(say("MFU: {} stated, of another peak: its rates are shares of {}, ours of {}.",
                                percentText(*m.mfu), teraflops(*rate / *m.mfu), teraflops(peak)));
    }
    addMemory(prepared, e, notes);
    return notes;
}

} // namespace headroom
