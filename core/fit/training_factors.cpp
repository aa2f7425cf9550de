// SPDX-License-Identifier: GPL-3.0-or-later
// Training: the constants that published runs fit (docs/method/fit.md), with what is believed without them.
#include "core/fit/fit_task.hpp"

#include "core/fit/fit_problem.hpp"
#include "core/fit/intervals.hpp"
#include "core/predict/training/training_kind.hpp"
#include "core/scenario/scenario_names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <memory>

namespace headroom
{
namespace
{

constexpr auto share = FitScale::Share;

void addMatmul(std::vector<FittedFactor>& factors)
{
    // σ: 1 is a kernel table kept up for hours. The reader holds compute × sustained below 0.92 of the peak. B200's of
    // 16 bit is held: one laboratory's runs would decide it (its source in calibration.json).
    const std::pair<const char*, const char*> rows[] = {{"A100", "16 bit"}, {"H100", "16 bit"}, {"H100", "8 bit"},
                                                        {"B200", "8 bit"},  {"MI300", "8 bit"}, {"MI355", "16 bit"},
                                                        {"TPU", "16 bit"},  {"PCIE", "16 bit"}};
    for (const auto& [family, width] : rows)
        factors.push_back({fmt::format("/training/matmul/family={},class={}/sustained", family, width), 1, 0.4, 1.8});
}

void addAttention(std::vector<FittedFactor>& factors)
{
    for (const char* family : {"A100", "H100", "B200", "TPU", "PCIE"})
        factors.push_back({fmt::format("/training/attention/family={}/factor", family), 1, 0.3, 1.6});
}

void addTrainingConstants(std::vector<FittedFactor>& factors)
{
    const auto add = [&factors](const char* name, double prior, double low, double high) {
        factors.push_back({fmt::format("/training/constants/{}/value", name), prior, low, high});
    };
    add("elementwise_share", 0.75, 0.3, 1);
    add("unaligned_share", 0.5, 0.1, 1);
    add("loss_bytes", 20, 4, 60);
    add("scale_up_share", 0.75, 0.3, 0.95);
}

void addStacks(std::vector<FittedFactor>& factors)
{
    struct Row {
        const char* profile;
        double matmul, elementwise, overlapData, overlapTensor; ///< negative: not fitted
    };
    // ε: fused kernels move a tensor once, eager code about twice. Overlap: what the stack says that it does.
    const Row rows[] = {
        {"megatron", 1, 1.3, -1, 0.5}, {"megatron-2021", 1, -1, 0.2, -1},
        {"composer", 1, 1.6, -1, -1},  {"torch-fsdp", 1, -1, 0.8, -1},
        {"jax", 1, 1, 0.7, -1},
    };
    for (const Row& row : rows) {
        const std::string path = fmt::format("/training/profiles/profile={}/", row.profile);
        factors.push_back({path + "matmul", row.matmul, 0.7, 1.05});
        if (std::string_view(row.profile) == "torch-fsdp") // the same kernels, parameters spread or not
            factors.back().same = {"/training/profiles/profile=torch-ddp/matmul"};
        if (row.elementwise >= 0)
            factors.push_back({path + "elementwise", row.elementwise, 0.7, 4});
        if (row.overlapData >= 0)
            factors.push_back({path + "overlap_data_parallel", row.overlapData, 0, 1, share});
        if (row.overlapTensor >= 0)
            factors.push_back({path + "overlap_tensor", row.overlapTensor, 0, 1, share});
    }
}

/// Unknown checkpointing is predicted as none where that fits. A run that took far less memory than that was another
/// one: its time says nothing about the constants.
bool othersRecipe(const PreparedScenario& prepared, const Evaluation& r)
{
    constexpr double surelyLess = 0.6;
    return prepared.training.checkpointing == Checkpointing::Unknown && prepared.measured.peakMemoryBytes &&
           *prepared.measured.peakMemoryBytes < surelyLess * r.reservedBytes;
}

std::optional<double> stepTime(const PreparedScenario& prepared, const Evaluation& r)
{
    if (othersRecipe(prepared, r))
        return std::nullopt;
    if (!r.observed || !r.observed->stepTimeS || !r.stepTimeS || *r.stepTimeS <= 0)
        return std::nullopt;
    return *r.stepTimeS / *r.observed->stepTimeS;
}

std::string kindOf(const PreparedScenario& prepared)
{
    return std::string(toId(trainingKind(prepared)));
}

std::string softwareOf(const PreparedScenario& prepared)
{
    return std::string(nameOf(names::trainingSoftware, prepared.training.software));
}

/// The result's interval is predicted × (measured ÷ predicted).
void writeBands(CalibrationDocument& document, std::string_view rows, std::span<const HeldOutResidual> residuals,
                std::string_view how)
{
    for (const ResidualBandRow& row : residualBands(residuals, BandShape::Balanced)) {
        const std::string path = std::string(rows) + row.group;
        if (!document.setNumber(path + "/low", 1 / row.high))
            continue;
        document.setNumber(path + "/high", 1 / row.low);
        document.setText(
            path + "/source",
            fmt::format(
                "eight in ten of measured over predicted, as far down as up, {}: {} published runs of {} sources", how,
                row.rows, row.sources));
    }
}

/// The band of a source, or of a family, that nobody has seen.
void writeNewBand(CalibrationDocument& document, const std::string& path, const std::optional<ResidualBandRow>& band,
                  std::string_view who, std::string_view voters)
{
    if (!band || !document.setNumber(path + "/low", 1 / band->high))
        return;
    document.setNumber(path + "/high", 1 / band->low);
    document.setText(path + "/source",
                     fmt::format("eight in ten of measured over predicted, as far down as up, {} with one vote and one "
                                 "more infinitely far off: {} published runs of {} {}",
                                 who, band->rows, band->sources, voters));
}

void writeIntervals(CalibrationDocument& document, std::span<const HeldOutResidual> residuals, std::string_view how)
{
    writeBands(document, "/training/intervals/kind=", residuals, how);
    std::vector<HeldOutResidual> judged; // but of software that no run decides, which has a kind of its own
    std::ranges::copy_if(residuals, std::back_inserter(judged), [](const HeldOutResidual& residual) {
        return residual.group != toId(TrainingKind::SoftwareWithoutRuns);
    });
    writeNewBand(document, "/training/new_source", newSourceBand(judged), fmt::format("{}, each source", how),
                 "sources");
}

/// Of the peak memory of runs that say what they recompute.
void writeMemoryIntervals(CalibrationDocument& document, const std::vector<FitRun>& runs)
{
    const auto calibration = document.read();
    if (!calibration)
        return;
    const auto shared = std::make_shared<const Calibration>(*calibration);
    std::vector<HeldOutResidual> residuals;
    for (const FitRun& run : runs) {
        const auto kind = memoryKind(run.prepared.training);
        const Measured& measured = run.prepared.measured;
        if (run.prepared.task != Task::Training || !kind || !measured.peakMemoryBytes)
            continue;
        PreparedScenario prepared = run.prepared;
        prepared.calibration = shared;
        const double predicted = peakMemoryBytes(evaluate(prepared), measured.peakMemoryKind);
        residuals.push_back({std::string(toId(*kind)), "memory.used_bytes", run.origin,
                             prepared.model->architecture.name, 0, predicted / *measured.peakMemoryBytes});
    }
    writeBands(document, "/training/memory_intervals/kind=", residuals, "no constant of memory fitted to them");
}

/// Of a family whose constants are an estimate: what runs of a family are predicted by without what was fitted to it.
/// Each family has one vote. What else was fitted to its runs stays: stacks, and what all devices share.
void writeNewFamily(CalibrationDocument& document, const std::vector<FitRun>& runs)
{
    constexpr std::pair<TrainingFamily, std::string_view> families[] = {
        {TrainingFamily::A100, "A100"},   {TrainingFamily::H100, "H100"},   {TrainingFamily::B200, "B200"},
        {TrainingFamily::Mi300, "MI300"}, {TrainingFamily::Mi355, "MI355"}, {TrainingFamily::Tpu, "TPU"},
        {TrainingFamily::Pcie, "PCIE"}};
    std::vector<FittedFactor> ofFamilies;
    addMatmul(ofFamilies);
    addAttention(ofFamilies);
    std::vector<HeldOutResidual> residuals;
    for (const auto& [family, name] : families) {
        CalibrationDocument without = document;
        for (const FittedFactor& factor : ofFamilies)
            if (factor.path.find(fmt::format("family={}", name)) != std::string::npos)
                without.setNumber(factor.path, factor.prior);
        const auto calibration = without.read();
        if (!calibration)
            return;
        const auto shared = std::make_shared<const Calibration>(*calibration);
        for (const FitRun& run : runs) {
            PreparedScenario prepared = run.prepared;
            if (prepared.task != Task::Training || trainingFamily(prepared.accelerator->family) != family ||
                trainingKind(prepared) == TrainingKind::SoftwareWithoutRuns)
                continue;
            prepared.calibration = shared;
            if (const auto ratio = stepTime(prepared, evaluate(prepared)))
                residuals.push_back(
                    {{}, "step_time_s", std::string(name), prepared.model->architecture.name, 0, *ratio});
        }
    }
    writeNewBand(document, "/training/new_family", newSourceBand(residuals),
                 "where what was fitted to the matmuls and the attention of a family is left out, each family",
                 "families");
}

void writeUnfitted(CalibrationDocument& document, const std::vector<FitRun>& runs)
{
    writeMemoryIntervals(document, runs);
    writeNewFamily(document, runs);
}

} // namespace

FitTask trainingFitTask()
{
    FitTask task;
    task.task = Task::Training;
    addMatmul(task.factors);
    addAttention(task.factors);
    addTrainingConstants(task.factors);
    addStacks(task.factors);
    task.metrics = {{"step_time_s", 1, stepTime}};
    task.group = kindOf;
    task.profile = softwareOf;
    task.writeIntervals = writeIntervals;
    task.writeUnfitted = writeUnfitted;
    task.balancedBands = true;
    return task;
}

} // namespace headroom
