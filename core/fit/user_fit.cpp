// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/user_fit.hpp"

#include "core/profile/profile_comparison.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>

namespace headroom
{
namespace
{

/// Beyond these a multiplier explains no machine; the run was another one than the scenario says.
constexpr double lowest = 0.1, highest = 4;

/// ln(predicted ÷ measured); empty where the run has no such figure.
using Residual = std::optional<double> (*)(const PreparedScenario&, const Evaluation&);

std::optional<double> logRatio(std::optional<double> predicted, std::optional<double> measured)
{
    if (!predicted || !measured || *predicted <= 0 || *measured <= 0)
        return std::nullopt;
    return std::log(*predicted / *measured);
}

std::optional<double> stepResidual(const PreparedScenario& p, const Evaluation& e)
{
    return p.task == Task::Training && e.observed ? logRatio(e.stepTimeS, e.observed->stepTimeS) : std::nullopt;
}

/// TPOT where it was measured, else the throughput as a time.
std::optional<double> decodeResidual(const PreparedScenario& p, const Evaluation& e)
{
    if (p.task != Task::Inference)
        return std::nullopt;
    if (p.measured.tpotS)
        return logRatio(e.tpotS, p.measured.tpotS);
    const auto rate = logRatio(e.tokensPerS, p.measured.tokensPerS);
    return rate ? std::optional(-*rate) : std::nullopt;
}

std::optional<double> prefillResidual(const PreparedScenario& p, const Evaluation& e)
{
    return p.task == Task::Inference ? logRatio(e.ttftS, p.measured.ttftS) : std::nullopt;
}

/// Parts of a profiled training step, predicted ÷ measured. Parts that are hardly there say nothing of a machine.
std::optional<double> partResidual(const PreparedScenario& p, const Evaluation& e,
                                   std::initializer_list<std::string_view> ids)
{
    constexpr double hardlyThere = 0.02, least = 1e-6; // a share of the measured part: its logarithm is finite
    if (p.task != Task::Training || !p.measured.profile.any())
        return std::nullopt;
    double predicted = 0, measured = 0;
    const auto comparison = profile::compareProfile(p.measured.profile, p, e);
    for (const profile::ProfilePart& part : comparison.parts)
        if (std::ranges::find(ids, part.id) != ids.end()) {
            predicted += part.predictedS.value_or(0);
            measured += part.measuredS.value_or(0);
        }
    if (measured < hardlyThere * comparison.measuredS)
        return std::nullopt;
    return logRatio(std::max(predicted, least * measured), measured);
}

std::optional<double> matmulResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"matmul"});
}

std::optional<double> attentionResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"attention"});
}

std::optional<double> memoryResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"memory_bound", "optimizer"});
}

std::optional<double> exchangeResidual(const PreparedScenario& p, const Evaluation& e)
{
    return partResidual(p, e, {"sharding_communication", "expert_communication", "sends"});
}

struct ShiftRow {
    std::string_view name;
    Residual residual;
    /// `parts`: what profiles told before, 1 without them.
    void (*set)(Efficiency&, const Efficiency& parts, double factor);
    bool communication; ///< only where runs can tell it from compute
};

/// From profiles, part by part. Not the host: a profiler slows it.
constexpr ShiftRow partRows[] = {
    {phrase("matmuls"), matmulResidual, [](Efficiency& e, const Efficiency&, double factor) { e.matmul = factor; },
     false},
    {phrase("attention core"), attentionResidual,
     [](Efficiency& e, const Efficiency&, double factor) { e.attention = factor; }, false},
    {phrase("memory-bound operators"), memoryResidual,
     [](Efficiency& e, const Efficiency&, double factor) { e.memoryBandwidth = factor; }, false},
    {phrase("communication"), exchangeResidual,
     [](Efficiency& e, const Efficiency&, double factor) { e.scaleUp = e.scaleOut = factor; }, false},
};

/// From times and rates of whole runs: what profiles told of the parts keeps its proportions.
constexpr ShiftRow shiftRows[] = {
    {phrase("compute"), stepResidual,
     [](Efficiency& e, const Efficiency& parts, double factor) {
         e.matmul = parts.matmul * factor;
         e.attention = parts.attention * factor;
         e.memoryBandwidth = parts.memoryBandwidth * factor;
     },
     false},
    {phrase("communication"), stepResidual,
     [](Efficiency& e, const Efficiency&, double factor) { e.scaleUp = e.scaleOut = factor; }, true},
    {phrase("decode"), decodeResidual, [](Efficiency& e, const Efficiency&, double factor) { e.decode = factor; },
     false},
    {phrase("prefill"), prefillResidual, [](Efficiency& e, const Efficiency&, double factor) { e.prefill = factor; },
     false},
};

double communicationShare(const Evaluation& e)
{
    const double exposed = e.part(TimePart::TensorParallel) + e.part(TimePart::ContextParallel) +
                           e.part(TimePart::ExpertParallel) + e.part(TimePart::DataParallel) +
                           e.part(TimePart::PipelineSend);
    return e.stepTimeS && *e.stepTimeS > 0 ? exposed / *e.stepTimeS : 0;
}

/// Compute and communication can be told apart when some runs wait for the network and others hardly do.
bool tellsCommunication(std::span<const PreparedScenario> runs)
{
    constexpr double apart = 0.1;
    constexpr int fewest = 3;
    double least = 1, most = 0;
    int several = 0;
    for (const PreparedScenario& run : runs) {
        const Evaluation e = evaluate(run);
        if (!stepResidual(run, e))
            continue;
        several += run.hardware.count > 1 ? 1 : 0;
        least = std::min(least, communicationShare(e));
        most = std::max(most, communicationShare(e));
    }
    return several >= fewest && most - least >= apart;
}

std::vector<double> residualsOf(std::span<const PreparedScenario> runs, const Efficiency& efficiency, Residual residual)
{
    std::vector<double> found;
    for (PreparedScenario run : runs) {
        run.efficiency = efficiency;
        if (const auto value = residual(run, evaluate(run)))
            found.push_back(*value);
    }
    return found;
}

double squares(const std::vector<double>& residuals)
{
    double sum = 0;
    for (const double value : residuals)
        sum += value * value;
    return sum;
}

/// Golden-section search on the logarithm: one multiplier, the others held.
double bestFactor(std::span<const PreparedScenario> runs, Efficiency efficiency, const Efficiency& parts,
                  const ShiftRow& row)
{
    const auto loss = [&](double logFactor) {
        row.set(efficiency, parts, std::exp(logFactor));
        return squares(residualsOf(runs, efficiency, row.residual));
    };
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double low = std::log(lowest), high = std::log(highest);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double lossA = loss(a), lossB = loss(b);
    constexpr double exactEnough = 1e-5, noDifference = 1e-9;
    if (std::abs(loss(low) - loss(high)) + std::abs(lossA - lossB) < noDifference)
        return 1; // it moves nothing here
    while (high - low > exactEnough) {
        if (lossA <= lossB) {
            high = b;
            b = a;
            lossB = lossA;
            a = high - golden * (high - low);
            lossA = loss(a);
        } else {
            low = a;
            a = b;
            lossA = lossB;
            b = low + golden * (high - low);
            lossB = loss(b);
        }
    }
    return std::exp((low + high) / 2);
}

double medianError(std::span<const PreparedScenario> runs, const Efficiency& efficiency)
{
    std::vector<double> errors;
    for (const Residual residual : {stepResidual, decodeResidual, prefillResidual, matmulResidual, attentionResidual,
                                    memoryResidual, exchangeResidual})
        for (const double value : residualsOf(runs, efficiency, residual))
            errors.push_back(std::abs(std::expm1(value)));
    if (errors.empty())
        return 0;
    std::ranges::sort(errors);
    return (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2;
}

/// The runs that can be: nothing that was measured beats the speed of light of what it says.
std::vector<PreparedScenario> possible(std::span<const PreparedScenario> runs)
{
    std::vector<PreparedScenario> kept;
    for (const PreparedScenario& run : runs)
        if (!evaluate(run).warnings.has(WarningCode::FasterThanIdeal))
            kept.push_back(run);
    return kept;
}

/// Fits these multipliers in turns, from what is in the fit, and adds them to it.
void fitRows(std::span<const PreparedScenario> runs, const std::vector<const ShiftRow*>& rows, UserFit& fit)
{
    const Efficiency parts = fit.efficiency;
    const std::size_t first = fit.shifts.size();
    for (const ShiftRow* row : rows)
        fit.shifts.push_back({std::string(row->name), 1, residualsOf(runs, {}, row->residual).size()});
    constexpr int rounds = 8; // multipliers that act on the same time settle after a few
    for (int round = 0; round < (rows.size() > 1 ? rounds : 1); ++round)
        for (std::size_t i = 0; i < rows.size(); ++i) {
            fit.shifts[first + i].factor = bestFactor(runs, fit.efficiency, parts, *rows[i]);
            rows[i]->set(fit.efficiency, parts, fit.shifts[first + i].factor);
        }
    // Five digits: a multiplier is no more exact, and a file should not pretend so.
    const auto rounded = [](double factor) { return std::round(factor * 1e5) / 1e5; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        fit.shifts[first + i].factor = rounded(fit.shifts[first + i].factor);
        rows[i]->set(fit.efficiency, parts, fit.shifts[first + i].factor);
    }
    for (double* factor : {&fit.efficiency.matmul, &fit.efficiency.attention, &fit.efficiency.memoryBandwidth})
        *factor = rounded(*factor);
}

} // namespace

Expected<UserFit> fitToRuns(std::span<const PreparedScenario> given)
{
    UserFit fit;
    const std::vector<PreparedScenario> runs = possible(given);
    fit.runs = runs.size();
    fit.leftOut = given.size() - runs.size();
    if (runs.empty() && !given.empty())
        return fail("faster-than-ideal", "/measured",
                    said("every run is faster than the speed of light of what it says"),
                    said("look at model, GPUs, precision and batch: another run was measured than they describe"));
    fit.errorBefore = medianError(runs, {});
    const auto count = [&](const ShiftRow& row) { return residualsOf(runs, {}, row.residual).size(); };
    std::vector<const ShiftRow*> rows;
    for (const ShiftRow& row : partRows)
        if (count(row) > 0)
            rows.push_back(&row);
    const bool exchange = std::ranges::find(rows, &partRows[3]) != rows.end();
    fitRows(runs, rows, fit);
    rows.clear();
    const bool communication = !exchange && tellsCommunication(runs);
    for (const ShiftRow& row : shiftRows)
        if (count(row) > 0 && (!row.communication || communication))
            rows.push_back(&row);
    fitRows(runs, rows, fit);
    if (fit.shifts.empty())
        return fail("nothing-measured", "/measured", said("no run says a time or a rate that is predicted"),
                    said("measure step_time_s, tokens_per_s, tpot_s or ttft_s"));
    fit.errorAfter = medianError(runs, fit.efficiency);
    return fit;
}

std::string efficiencyJson(const Efficiency& efficiency)
{
    const std::pair<const char*, double> multipliers[] = {{"matmul", efficiency.matmul},
                                                          {"attention", efficiency.attention},
                                                          {"memory_bandwidth", efficiency.memoryBandwidth},
                                                          {"scale_up", efficiency.scaleUp},
                                                          {"scale_out", efficiency.scaleOut},
                                                          {"host", efficiency.host},
                                                          {"prefill", efficiency.prefill},
                                                          {"decode", efficiency.decode}};
    std::string text;
    for (const auto& [key, value] : multipliers)
        if (value != 1)
            text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", key, exactNumber(value));
    return "{" + text + "}";
}

std::string userFitText(const UserFit& fit)
{
    std::string text;
    for (const FittedShift& shift : fit.shifts)
        text += fmt::format("{}{} ×{}", text.empty() ? "" : ", ", say(shift.name),
                            withLocalMark(fmt::format("{:.3g}", shift.factor)));
    const std::string before = formatText(fit.errorBefore, ValueFormat::Percent);
    if (fit.runs == 1) // met whatever it was: that its error is gone says nothing
        text = say("{} meets the one run, from which the built-in calibration is {} off", text, before);
    else
        text = say("{} from {} runs: median error {} before, {} after", text, fit.runs, before,
                   formatText(fit.errorAfter, ValueFormat::Percent));
    if (fit.leftOut == 1)
        return say("{}; one run left out, faster than the speed of light", text);
    if (fit.leftOut > 1)
        return say("{}; {} runs left out, faster than the speed of light", text, fit.leftOut);
    return text;
}

} // namespace headroom
