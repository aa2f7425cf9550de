// SPDX-License-Identifier: GPL-3.0-or-later
// DerivationBuilder: collects the steps of one derivation; each adder returns the value it showed.
#pragma once

#include "core/metrics/derivation.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluate.hpp"

#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <string_view>

namespace headroom
{

struct DerivationBuilder final {
    DerivationBuilder(const PreparedScenario& prepared, const Evaluation& evaluation, const MetricRow& row)
        : p(prepared), e(evaluation), metric(row)
    {
    }

    const PreparedScenario& p;
    const Evaluation& e;
    const MetricRow& metric;
    Derivation derivation;

    /// A value that nothing here explains further: a slider's, the catalogue's, an evaluation's.
    double input(std::string_view symbol, std::string_view name, double value, ValueFormat format,
                 std::string_view source = {});
    /// The value of a parameter of the registry, linked to its slider. Automatic values are what was evaluated.
    double parameter(std::string_view id);
    double parameter(std::string_view id, double effective);
    /// The mean answer, tokens: of a mix not rounded as the parameter is.
    double answer();
    /// A value computed from those above, with the numbers put in.
    double step(std::string_view symbol, std::string_view name, std::string_view formula, std::string substituted,
                double value, ValueFormat format, std::string_view source = {});
    /// The metric's own line: always the last.
    double result(std::string_view formula, std::string substituted, double value, std::string_view source = {});

    void assume(std::string_view text) { derivation.assumptions.emplace_back(text); }
    void explain(std::string_view text); ///< one more sentence of the meaning
    void unit(std::string_view text) { derivation.steps.back().unit = text; }

    // Inputs that many derivations share:
    double gpus();
    double peak();              ///< FLOP/s per GPU that utilisation divides by
    double bandwidth();         ///< bytes/s per GPU
    double tokensPerStep();     ///< with its factors above it
    double modelFlopPerToken(); ///< under the scenario's convention, with its terms above it
    double cachedTokens();      ///< of a prompt, that the cache holds already
    double batch();             ///< sequences that a replica decodes together, as the load or the scenario has it
    double time();              ///< predicted: step time, or TPOT in inference
    [[nodiscard]] bool training() const { return p.task == Task::Training; }
    [[nodiscard]] std::string calibrationSource() const;
    /// Where a fact of the accelerator comes from: the first of these groups that has a source.
    [[nodiscard]] std::string acceleratorSource(std::initializer_list<std::string_view> groups) const;
    [[nodiscard]] std::string modelSource() const;
};

/// "16 × 64": the factors as a person reads them.
[[nodiscard]] std::string product(std::initializer_list<std::pair<double, ValueFormat>> factors);
/// Counts and FLOP: "1.66 × 10¹⁵", exact whole numbers up to seven digits.
[[nodiscard]] std::string scientific(double value);
[[nodiscard]] std::string shown(double value, ValueFormat format);

/// Tokens a second over the calendar, with what lowers them above it. Precondition: failures are counted.
double effectiveRate(DerivationBuilder& b);
/// Tokens a second that steps of reinforcement learning learn from, over the calendar where failures count.
double rlRate(DerivationBuilder& b);
double rlGpus(DerivationBuilder& b); ///< that train and that generate, each counted once

/// The derivations, by group; each fills steps up to the result.
namespace derivations
{
void mfu(DerivationBuilder& b);
void hfu(DerivationBuilder& b);
void mbu(DerivationBuilder& b);
void prefillMfu(DerivationBuilder& b);
void modelTflops(DerivationBuilder& b);
void hardwareTflops(DerivationBuilder& b);
void observedMfu(DerivationBuilder& b);
void observedHfu(DerivationBuilder& b);
void observedMbu(DerivationBuilder& b);
void observedStepTime(DerivationBuilder& b);
void observedBandwidth(DerivationBuilder& b);
void observedTokensPerS(DerivationBuilder& b);
void observedAsStated(DerivationBuilder& b);
void prefillTime(DerivationBuilder& b);
void partsOfTime(DerivationBuilder& b);
void ttft(DerivationBuilder& b);
void ttftAlone(DerivationBuilder& b);
void tokensPerS(DerivationBuilder& b);
void tokensPerSPerGpu(DerivationBuilder& b);
void tokensPerSPerUser(DerivationBuilder& b);
void requestLatency(DerivationBuilder& b);
void requestsPerS(DerivationBuilder& b);
void tokensOfCycle(DerivationBuilder& b);
void speculativeCycle(DerivationBuilder& b);
void plainTpot(DerivationBuilder& b);
void speculativeSpeedup(DerivationBuilder& b);
void poolUtilization(DerivationBuilder& b);
void prefillGpus(DerivationBuilder& b);
void poolRatio(DerivationBuilder& b);
void transferBytes(DerivationBuilder& b);
void transferTime(DerivationBuilder& b);
void classTtft(DerivationBuilder& b);
void classLatency(DerivationBuilder& b);
void lateTtft(DerivationBuilder& b);
void dayGpuHours(DerivationBuilder& b);
void dayCost(DerivationBuilder& b);
void dayPeakShare(DerivationBuilder& b);
void daySaving(DerivationBuilder& b);
void dayReplicas(DerivationBuilder& b);
void dayPeakReplicas(DerivationBuilder& b);
void dayLateShare(DerivationBuilder& b);
void tiersSaved(DerivationBuilder& b);
void tiersLoad(DerivationBuilder& b);
void tiersBreakEven(DerivationBuilder& b);
void tierTokens(DerivationBuilder& b);
void hostRead(DerivationBuilder& b);
void hostBytes(DerivationBuilder& b);
void queueUtilization(DerivationBuilder& b);
void queueWait(DerivationBuilder& b);
void secondsToTrain(DerivationBuilder& b);
void memoryUsed(DerivationBuilder& b);
void memoryShare(DerivationBuilder& b);
void memoryFree(DerivationBuilder& b);
void memoryCapacity(DerivationBuilder& b);
void memoryPart(DerivationBuilder& b);
void kvCache(DerivationBuilder& b);
void maxBatch(DerivationBuilder& b);
void costPerHour(DerivationBuilder& b);
void costPerMillionTokens(DerivationBuilder& b);
void costToTrain(DerivationBuilder& b);
void watts(DerivationBuilder& b);
void joulesPerToken(DerivationBuilder& b);
void bestLimit(DerivationBuilder& b);
void freeLimit(DerivationBuilder& b);
void siteWatts(DerivationBuilder& b);
void kwhPerMillionTokens(DerivationBuilder& b);
void runKwh(DerivationBuilder& b);
void electricityPerHour(DerivationBuilder& b);
void electricityPerMillionTokens(DerivationBuilder& b);
void carbonPerMillionTokens(DerivationBuilder& b);
void runCarbon(DerivationBuilder& b);
void rlStepTime(DerivationBuilder& b);
void rlGenerateShare(DerivationBuilder& b);
void rlIdleShare(DerivationBuilder& b);
void rlTokensPerS(DerivationBuilder& b);
void rlGenerate(DerivationBuilder& b);
void rlTail(DerivationBuilder& b);
void rlUpdate(DerivationBuilder& b);
void rlSync(DerivationBuilder& b);
void rlCost(DerivationBuilder& b);
void rlBestSplit(DerivationBuilder& b);
void phasesTime(DerivationBuilder& b);
void phasesCost(DerivationBuilder& b);
/// Whose price an amount of money has, with its date and source.
void assumePrice(DerivationBuilder& b);
void phasesGpuHours(DerivationBuilder& b);
void phasesTokens(DerivationBuilder& b);
void phasesKwh(DerivationBuilder& b);
void phasesLostTime(DerivationBuilder& b);
void ettr(DerivationBuilder& b);
void effectiveTokens(DerivationBuilder& b);
void lostTime(DerivationBuilder& b);
void timeBetweenFailures(DerivationBuilder& b);
void bestInterval(DerivationBuilder& b);
void checkpointSize(DerivationBuilder& b);
void checkpointTime(DerivationBuilder& b);
void flopsModel(DerivationBuilder& b);
void flopsHardware(DerivationBuilder& b);
void parametersTotal(DerivationBuilder& b);
void parametersActive(DerivationBuilder& b);
void parametersTrainable(DerivationBuilder& b);
} // namespace derivations

} // namespace headroom
