// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/validation.hpp"

#include "core/catalog/data_type.hpp"
#include "core/predict/impossible.hpp"
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/source_peak.hpp"
#include "core/predict/training/training_kind.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/scenario/scenario_names.hpp"
#include "core/validation/run_notes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace headroom
{
namespace
{

/// Half of the last digit in the shortest print of `value`: what rounding may have taken away.
double halfLastDigit(double value)
{
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
    const std::string_view print(text, static_cast<std::size_t>(end - text));
    const auto point = print.find('.');
    if (point == std::string_view::npos)
        return 0.5;
    return 0.5 * std::pow(10.0, -double(print.size() - point - 1));
}

std::string batchClassOf(double batch)
{
    if (batch <= 1)
        return "1";
    if (batch <= 8)
        return "2-8";
    if (batch <= 64)
        return "9-64";
    return batch <= 512 ? "65-512" : "over 512";
}

void addFigure(ValidationRun& run, std::string metric, std::optional<double> measured, std::optional<double> predicted,
               const std::optional<Interval>& interval)
{
    if (!measured || !predicted || *measured <= 0 || *predicted <= 0)
        return;
    ValidationFigure figure{std::move(metric), *measured, *predicted, std::nullopt};
    figure.doubt = runNote(figure.metric, run.name, run.model);
    if (interval)
        figure.inside = *measured >= interval->low && *measured <= interval->high;
    run.figures.push_back(std::move(figure));
}

/// Half a digit of the measurement that decides the step time, as a share of it, and which one that is.
struct Deciding {
    const char* metric = nullptr;
    double rounding = 0;
};

Deciding decidingFigure(const Measured& m)
{
    const std::pair<const char*, const std::optional<double>&> order[] = {
        {"step_time_s", m.stepTimeS},
        {"tokens_per_s", m.tokensPerS},
        {"tokens_per_s_per_gpu", m.tokensPerSPerGpu},
        {"model_tflops_per_gpu", m.modelTflopsPerGpu},
        {"hardware_tflops_per_gpu", m.hardwareTflopsPerGpu},
    };
    for (const auto& [metric, value] : order)
        if (value)
            return {metric, halfLastDigit(*value) / *value};
    return {};
}

/// NeMo AutoModel takes two thirds of its whole count with LoRA, attention included, where others take them of the
/// weights alone: ours ÷ theirs.
double wholeCountRatio(const PreparedScenario& prepared, const Evaluation& r)
{
    if (prepared.training.method == Method::Full || prepared.accounting == Convention::Exact)
        return 1;
    const double s = double(effectiveSampleTokens(prepared.training));
    TrainingCount full;
    full.sequence = double(prepared.training.sequenceLength);
    full.sampleTokens = s;
    return modelFlopPerToken(*prepared.model, prepared.accounting, full) * 2 / 3 / r.modelFlopPerToken;
}

/// Published utilisation against ours from the same throughput, or from the same FLOP/s where no throughput stands.
void addAccounting(ValidationRun& run, const PreparedScenario& prepared, const Evaluation& r)
{
    const Measured& m = prepared.measured;
    const Deciding deciding = decidingFigure(m);
    if (!deciding.metric || !r.observed || !r.observed->mfu)
        return;
    const double peak = m.peakTflops.value_or(r.peakFlops / 1e12);
    const double whole = wholeCountRatio(prepared, r);
    const auto check = [&](std::string_view metric, const std::optional<double>& published, double unit, double ours) {
        if (!published || metric == deciding.metric)
            return;
        const double value = *published / unit;
        const double slack = halfLastDigit(*published) / unit + ours * deciding.rounding;
        const double difference = std::min(std::abs(value - ours), std::abs(value - ours * whole));
        const bool reproduced = difference <= std::max(0.0015, slack) + 1e-12;
        run.accounting.push_back({std::string(metric), value, ours, reproduced,
                                  reproduced ? std::string() : runNote("accounting", run.name, run.model)});
    };
    check("mfu", m.mfu, 1, *r.observed->mfu);
    check("hfu", m.hfu, 1, *r.observed->hfu);
    check("model_tflops_per_gpu", m.modelTflopsPerGpu, peak, *r.observed->mfu);
    check("hardware_tflops_per_gpu", m.hardwareTflopsPerGpu, peak, *r.observed->hfu);
}

void addMemory(ValidationRun& run, const Measured& m, const Evaluation& r)
{
    run.predictedFits = r.fits;
    run.ranOutOfMemory = m.outOfMemory.value_or(false);
    if (!m.peakMemoryBytes)
        return;
    run.memoryKind = nameOf(names::peakMemoryKinds, m.peakMemoryKind.value_or(PeakMemoryKind::Reserved));
    if (const double predicted = peakMemoryBytes(r, m.peakMemoryKind); predicted > 0)
        run.memoryError = predicted / *m.peakMemoryBytes - 1;
}

void addTraining(ValidationRun& run, const PreparedScenario& prepared, const Evaluation& r)
{
    if (r.observed)
        addFigure(run, "step_time_s", r.observed->stepTimeS, r.stepTimeS, r.stepTimeInterval);
    run.software = nameOf(names::trainingSoftware, prepared.training.software);
    run.precision = toId(prepared.training.precision);
    run.method = nameOf(names::methods, prepared.training.method);
    run.recipe = prepared.training.checkpointing == Checkpointing::Unknown ? "partly unknown" : "known";
    run.kind = toId(trainingKind(prepared));
    run.batchClass = batchClassOf(r.batch);
    addAccounting(run, prepared, r);
}

void addInference(ValidationRun& run, const PreparedScenario& prepared, const Evaluation& r)
{
    const Measured& m = prepared.measured;
    const inference::Machine machine = inference::makeMachine(prepared, false);
    run.kind = toId(machine.residualClass);
    addFigure(run, "tpot_s", m.tpotS, r.tpotS, r.tpotInterval);
    addFigure(run, "ttft_s", m.ttftS, r.ttftS, r.ttftInterval);
    addFigure(run, "tokens_per_s", m.tokensPerS, r.tokensPerS, r.tokensPerSInterval);
    if (m.achievedBandwidthGbPerS && m.tpotS && r.observed && r.observed->achievedBandwidthGbPerS) {
        // Which count of bytes the source used, and the same figure from its time per token, over the rated bandwidth.
        const auto count = inference::publishedCount(machine, prepared, r.batch, *m.tpotS);
        const double published = *m.achievedBandwidthGbPerS, ours = *r.observed->achievedBandwidthGbPerS;
        const double rated = r.memoryBandwidth / 1e9;
        run.accounting.push_back({"achieved_bandwidth_gb_per_s", published / rated, ours / rated,
                                  std::abs(ours / published - 1) <= 0.01, runNote("accounting", run.name, run.model),
                                  std::string(count.name)});
    }
    run.software = nameOf(names::inferenceSoftware, prepared.inference.software);
    run.precision = toId(prepared.inference.weights);
    run.method = "inference";
    run.recipe = "known";
    run.batchClass = batchClassOf(r.batch);
    // A published utilisation of the bandwidth, counted again from the time per token of the same run.
    if (m.mbu && m.tpotS && r.observed && r.observed->mbu)
        run.accounting.push_back({"mbu", *m.mbu, *r.observed->mbu,
                                  std::abs(*m.mbu - *r.observed->mbu) <= std::max(0.0015, halfLastDigit(*m.mbu)),
                                  runNote("accounting", run.name, run.model)});
}

/// A run as the predictor sees it, on one line.
std::string keyOf(const PreparedScenario& prepared)
{
    Scenario seen;
    seen.setup() = prepared.setup();
    seen.measured = {};
    seen.accounting = {};
    const ModelProfile& model = *prepared.model;
    seen.model = {model.architecture.name, {}};
    seen.accelerator = {prepared.accelerator->id, {}};
    return fmt::format("{} {:.0f} {}", model.layers, model.parameters.total, writeScenarioLine(seen));
}

} // namespace

std::string originOf(const std::string& full)
{
    std::string name = full.substr(0, full.find(':')); // "source-0001: what ran"
    const auto dash = name.rfind('-');
    if (dash == std::string::npos || dash + 1 == name.size() ||
        !std::all_of(name.begin() + std::ptrdiff_t(dash) + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return name;
    return name.substr(0, dash);
}

ValidationRun validateRun(std::string_view name, std::string_view source, const PreparedScenario& prepared)
{
    const Evaluation r = evaluate(prepared);
    ValidationRun run;
    run.name = name;
    run.origin = originOf(run.name);
    run.source = source;
    run.key = keyOf(prepared);
    run.task = prepared.task;
    run.model = prepared.model->architecture.name;
    run.accelerator = prepared.accelerator->id;
    run.architecture = prepared.model->moeLayers > 0 ? "moe" : "dense";
    if (prepared.task == Task::Training)
        addTraining(run, prepared, r);
    else
        addInference(run, prepared, r);
    addMemory(run, prepared.measured, r);
    const double theirs = sourcePeakRatio(prepared, r); // points of the peak that the source divides by
    if (r.observed && r.observed->mfu && r.mfu)
        run.mfuPoints = 100 * (*r.mfu * theirs - *r.observed->mfu);
    if (r.observed && r.observed->hfu && r.hfu)
        run.hfuPoints = 100 * (*r.hfu * theirs - *r.observed->hfu);
    if (run.task == Task::Inference && r.observed && r.observed->mbu && r.mbu)
        run.mbuPoints = 100 * (*r.mbu - *r.observed->mbu);
    run.fasterThanIdeal = r.warnings.has(WarningCode::FasterThanIdeal);
    run.doubt = runDoubt(prepared, r);
    if (run.fasterThanIdeal) {
        run.idealCause = runNote("speed of light", run.name, run.model);
        if (run.idealCause.empty())
            run.idealCause = likelyCause(prepared, r.warnings.number(WarningCode::FasterThanIdeal));
    }
    return run;
}

} // namespace headroom
