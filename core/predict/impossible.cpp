// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/impossible.hpp"

#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

std::string peakText(double tflops)
{
    return formatText(tflops * 1e12, ValueFormat::FlopPerS);
}

/// Whether a figure that is `factor` times too large would be one of a run no faster than this one by much.
bool explains(double factor, double excess)
{
    constexpr double slowest = 8; // runs lie within an eighth of the speed of light
    return factor > 1 && factor >= excess && factor <= slowest * excess;
}

/// Empty where the peak explains nothing.
std::string ofThePeak(const PreparedScenario& p, double excess)
{
    constexpr double sparse = 2, rounded = 0.05; // 2:4 sparsity doubles the rate that data sheets print
    const Measured& m = p.measured;
    const double own = p.accelerator->peakFlops(p.training.precision) / 1e12;
    if (p.task != Task::Training || own <= 0)
        return {};
    if (m.peakTflops && excess * *m.peakTflops <= own)
        return say("its peak of {} is too small (dense: {})", peakText(*m.peakTflops), peakText(own));
    const bool share = (m.mfu || m.hfu) && !m.stepTimeS && !m.tokensPerS && !m.tokensPerSPerGpu;
    if (!share)
        return {};
    if (m.peakTflops && *m.peakTflops >= own * sparse * (1 - rounded))
        return say("its peak of {} counts sparsity (dense: {})", peakText(*m.peakTflops), peakText(own));
    if (!m.peakTflops && excess <= sparse)
        return said("its utilisation is a share of another peak: state the peak that the source used");
    return {};
}

std::string ofTheTraining(const PreparedScenario& p, double excess)
{
    const Measured& m = p.measured;
    const auto gpus = static_cast<double>(p.hardware.count);
    const auto perMicroBatch = static_cast<double>(p.training.microBatch * dataParallelRanks(p));
    const double microBatches = static_cast<double>(effectiveGlobalBatch(p)) / perMicroBatch;
    if (m.stepTimeS)
        return explains(microBatches, excess) ? said("the time is of one micro-batch, not of the whole step")
                                              : said("the step had fewer tokens, or more GPUs, than are stated");
    if (m.tokensPerS)
        return said("the tokens a second are of more GPUs than are stated");
    if (m.tokensPerSPerGpu)
        return explains(gpus, excess)
                   ? said("the tokens a second are of all GPUs, not of each")
                   : said("the tokens were counted otherwise, or model or parallel sizes are others");
    return said("the FLOP were counted otherwise, or the precision is a narrower one");
}

std::string ofTheServing(const PreparedScenario& p)
{
    const Measured& m = p.measured;
    if (m.tpotS)
        return said("a step gives several tokens (speculative decoding), or batch, weights or GPUs are others");
    if (m.tokensPerS)
        return said("prompt tokens are counted with the output, or batch or GPUs are others");
    if (m.ttftS)
        return said("part of the prompt was in the cache, or the prompt or the GPUs are others");
    return said("more bytes were counted than a step must move");
}

} // namespace

std::string likelyCause(const PreparedScenario& prepared, double excess)
{
    if (std::string peak = ofThePeak(prepared, excess); !peak.empty())
        return peak;
    return prepared.task == Task::Training ? ofTheTraining(prepared, excess) : ofTheServing(prepared);
}

SlowCause slowCauseOf(const PreparedScenario& prepared, double times) noexcept
{
    constexpr double near = 2;      // predictions are rarely farther off
    constexpr double slowest = 100; // published runs are up to 3.7 times off
    constexpr double milli = 1000, fewestGpus = 4;
    const auto isNear = [&](double factor) { return times > factor / near && times < factor * near; };
    const Measured& m = prepared.measured;
    const auto gpus = static_cast<double>(prepared.hardware.count);
    const bool training = prepared.task == Task::Training;
    if ((training ? m.stepTimeS.has_value() : m.tpotS || m.ttftS) && isNear(milli))
        return SlowCause::Milliseconds;
    if (!(training ? m.stepTimeS : m.tpotS) && m.tokensPerS && gpus >= fewestGpus && isNear(gpus))
        return SlowCause::RateOfOneGpu;
    return times > slowest ? SlowCause::OtherUnit : SlowCause::None;
}

double slowForACause(const PreparedScenario& prepared, const Evaluation& e) noexcept
{
    const Measured& m = prepared.measured;
    constexpr double farOff = 5; // nearer than that a slow machine is likelier: published runs are up to 3.7 off
    double slow = 0;
    const auto look = [&](std::optional<double> predicted, std::optional<double> measured) {
        if (predicted && measured && *predicted > 0 && *measured > farOff * *predicted &&
            slowCauseOf(prepared, *measured / *predicted) != SlowCause::None)
            slow = std::max(slow, *measured / *predicted);
    };
    if (prepared.task == Task::Training)
        look(e.stepTimeS, e.observed ? e.observed->stepTimeS : std::nullopt);
    else {
        look(e.tpotS, m.tpotS);
        look(e.ttftS, m.ttftS);
        if (!m.tpotS)
            look(m.tokensPerS, e.tokensPerS); // a rate: the other way round
    }
    return slow;
}

std::string slowCause(const PreparedScenario& prepared, double times)
{
    switch (slowCauseOf(prepared, times)) {
    case SlowCause::Milliseconds:
        return said("the time is in milliseconds, and seconds are asked for");
    case SlowCause::RateOfOneGpu:
        return said("the tokens a second are of each GPU, not of all");
    case SlowCause::OtherUnit:
    case SlowCause::None:
        break;
    }
    return {};
}

std::string impossibleText(const PreparedScenario& prepared, const Evaluation& evaluation)
{
    constexpr auto code = WarningCode::FasterThanIdeal;
    if (!evaluation.warnings.has(code))
        return {};
    return warningText(code, evaluation.warnings.number(code), prepared);
}

} // namespace headroom
