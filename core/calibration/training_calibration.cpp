// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/training_calibration.hpp"

#include "core/calibration/calibration_reader.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace headroom
{
namespace
{

constexpr std::array<std::string_view, trainingFamilyCount> familyIds{"V100",  "A100",  "H100", "B200",
                                                                      "MI300", "MI355", "TPU",  "PCIE"};
constexpr std::array<std::string_view, matmulClassCount> classIds{"16 bit", "8 bit", "4 bit"};
constexpr std::array<std::string_view, 14> profileIds{
    "tuned",        "megatron", "megatron-2021", "torch-fsdp", "torch-ddp", "composer", "deepspeed",
    "transformers", "unsloth",  "litgpt",        "nanotron",   "internevo", "jax",      "jax-eager"};
constexpr std::array<std::string_view, trainingKindCount> kindIds{"lora-nvidia",
                                                                  "lora-other",
                                                                  "amd",
                                                                  "moe-blackwell",
                                                                  "moe-hopper",
                                                                  "qlora",
                                                                  "tpu",
                                                                  "dense-a100",
                                                                  "dense-blackwell",
                                                                  "dense-blackwell-low-precision",
                                                                  "dense-hopper",
                                                                  "dense-hopper-low-precision",
                                                                  "recipe-partly-unknown",
                                                                  "software-without-runs",
                                                                  "other"};
constexpr std::array<std::string_view, memoryKindCount> memoryKindIds{"megatron", "full", "adapters"};

/// Index of a row's name in `ids`; refuses unknown and repeated names.
template <std::size_t N>
std::optional<std::size_t> rowIndex(CalibrationReader& row, std::string_view key,
                                    const std::array<std::string_view, N>& ids)
{
    const std::string id = row.text(key);
    const auto found = std::ranges::find(ids, id);
    if (found == ids.end()) {
        row.refuse(key, say("is not a known row: '{}'", printable(id)));
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - ids.begin());
}

void readMatmul(CalibrationReader& section, TrainingCalibration& calibration)
{
    std::array<std::array<bool, matmulClassCount>, trainingFamilyCount> seen{};
    for (CalibrationReader& row : section.rows("matmul")) {
        const auto family = rowIndex(row, "family", familyIds);
        const auto width = rowIndex(row, "class", classIds);
        const MatmulLaw law{
            row.number("start_us", 0, 1000) * 1e-6, row.number("compute", 0.01, 1) * row.number("sustained", 0.1, 2),
            row.number("memory", 0.01, 1), row.number("p", 1, 100), row.number("watts_per_tflops", 0, 100)};
        // Nothing sustains more of a dense peak through a training step (docs/method/matmul.md); shares are rounded.
        if (law.compute > 0.925)
            row.refuse("sustained", said("compute × sustained must not exceed 0.92 of the peak"));
        static_cast<void>(row.text("source"));
        row.finish();
        if (family && width) {
            if (seen[*family][*width])
                row.refuse("class", said("appears twice for this family"));
            seen[*family][*width] = true;
            calibration.matmul[*family][*width] = law;
        }
    }
    for (std::size_t family = 0; family < trainingFamilyCount; ++family) {
        if (!seen[family][0])
            section.refuse("matmul", say("has no 16 bit row for {}", familyIds[family]));
        for (std::size_t width = 1; width < matmulClassCount; ++width)
            if (!seen[family][width]) // no kernel table of its own: the next wider class stands in
                calibration.matmul[family][width] = calibration.matmul[family][width - 1];
    }
}

void readAttention(CalibrationReader& section, TrainingCalibration& calibration)
{
    std::array<bool, trainingFamilyCount> seen{};
    for (CalibrationReader& row : section.rows("attention")) {
        const auto family = rowIndex(row, "family", familyIds);
        const double factor = row.number("factor", 0.1, 2);
        const AttentionLaw law{row.number("forward", 0.01, 1) * factor, row.number("backward", 0.01, 1) * factor};
        static_cast<void>(row.text("source"));
        row.finish();
        if (family) {
            seen[*family] = true;
            calibration.attention[*family] = law;
        }
    }
    for (std::size_t family = 0; family < trainingFamilyCount; ++family)
        if (!seen[family])
            section.refuse("attention", say("has no row for {}", familyIds[family]));
}

void readProfiles(CalibrationReader& section, TrainingCalibration& calibration)
{
    std::array<bool, profileIds.size()> seen{};
    for (CalibrationReader& row : section.rows("profiles")) {
        const auto index = rowIndex(row, "profile", profileIds);
        TrainingProfile profile;
        profile.matmul = row.number("matmul", 0.1, 2);
        profile.elementwise = row.number("elementwise", 0.1, 10);
        profile.castFactor = row.number("cast_factor", 0.1, 10);
        profile.hostPerLayer = row.number("host_s", 0, 1);
        profile.hostPerExpert = row.number("expert_host_s", 0, 1);
        profile.overlapDataParallel = row.number("overlap_data_parallel", 0, 1);
        profile.overlapTensor = row.number("overlap_tensor", 0, 1);
        profile.attentionHopper = row.number("attention_hopper", 0.1, 2);
        profile.gradientLinkBytes = row.number("gradient_link_bytes", 1, 4);
        profile.optimizerFactor = row.number("optimizer_factor", 1, 10);
        profile.lossFactor = row.number("loss_factor", 1, 10);
        profile.gradientBytes = row.number("gradient_bytes", 1, 4);
        profile.zero1ExtraBytes = row.number("zero1_extra_bytes", 0, 8);
        profile.activationFactor = row.number("activation_factor", 0.1, 5);
        profile.logitBytes = row.number("logit_bytes", 1, 32);
        profile.gatedMlpBytes = row.number("gated_mlp_bytes", 1, 32);
        profile.dropoutBytes = row.number("dropout_bytes", 0, 8);
        profile.bucketBytes = row.number("bucket_bytes", 0, 1e11);
        profile.accumulatesFp32 = row.flag("accumulates_fp32");
        profile.gradientBuffers = row.flag("gradient_buffers");
        profile.updateCopies = row.number("update_copies", 0, 2);
        profile.keepsInputGradients = row.flag("keeps_input_gradients");
        profile.keepsShards = row.flag("keeps_shards");
        profile.padsVocabulary = row.flag("pads_vocabulary");
        profile.offloadsCheckpoints = row.flag("offloads_checkpoints");
        profile.chunkedLoss = row.flag("chunked_loss");
        profile.chunksLossToFit = row.flag("chunks_loss_to_fit");
        profile.savesToFit = row.flag("saves_to_fit");
        profile.fitted = row.flag("fitted");
        static_cast<void>(row.text("source"));
        row.finish();
        if (index) {
            seen[*index] = true;
            calibration.profiles[*index] = profile;
        }
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (!seen[i])
            section.refuse("profiles", say("has no row for {}", profileIds[i]));
}

struct ConstantRow {
    std::string_view key;
    double TrainingConstants::*member;
    double low, high;
};

using C = TrainingConstants;
constexpr std::array constantRows{
    ConstantRow{"expert_compute", &C::expertCompute, 0.01, 2},
    ConstantRow{"expert_memory", &C::expertMemory, 0.01, 1},
    ConstantRow{"expert_start_s", &C::expertStart, 0, 1e-2},
    ConstantRow{"expert_half_rows", &C::expertHalfRows, 0, 4096},
    ConstantRow{"weight_gradient_bytes", &C::weightGradientBytes, 0, 64},
    ConstantRow{"weight_gradient_share", &C::weightGradientShare, 0.01, 1},
    ConstantRow{"attention_start_forward_s", &C::attentionStartForward, 0, 1e-2},
    ConstantRow{"attention_start_backward_s", &C::attentionStartBackward, 0, 1e-2},
    ConstantRow{"attention_short_tokens", &C::attentionShortTokens, 0, 1e5},
    ConstantRow{"attention_backward_flop", &C::attentionBackwardFlop, 2, 5},
    ConstantRow{"ampere_attention_forward", &C::ampereAttentionForward, 0.01, 1},
    ConstantRow{"ampere_attention_backward", &C::ampereAttentionBackward, 0.01, 1},
    ConstantRow{"ampere_attention_hopper", &C::ampereAttentionHopper, 0.1, 1},
    ConstantRow{"fast_exponential_attention", &C::fastExponentialAttention, 0.5, 2},
    ConstantRow{"attention_traffic_share", &C::attentionTrafficShare, 0.01, 1},
    ConstantRow{"unaligned_share", &C::unalignedShare, 0.01, 1},
    ConstantRow{"unfused_matmul_share", &C::unfusedMatmulShare, 0.01, 1},
    ConstantRow{"score_bytes_forward", &C::scoreBytesForward, 0, 100},
    ConstantRow{"score_bytes_backward", &C::scoreBytesBackward, 0, 100},
    ConstantRow{"score_share", &C::scoreShare, 0.01, 1},
    ConstantRow{"elementwise_share", &C::elementwiseShare, 0.01, 1},
    ConstantRow{"compiled_elementwise", &C::compiledElementwise, 0.1, 10},
    ConstantRow{"eager_elementwise", &C::eagerElementwise, 0.1, 10},
    ConstantRow{"cast_bytes", &C::castBytes, 0, 100},
    ConstantRow{"dispatch_passes", &C::dispatchPasses, 0, 100},
    ConstantRow{"dispatch_backward", &C::dispatchBackward, 0, 10},
    ConstantRow{"loss_bytes", &C::lossBytes, 0, 200},
    ConstantRow{"fused_expert_traffic", &C::fusedExpertTraffic, 0, 1},
    ConstantRow{"scan_passes", &C::scanPasses, 0, 500},
    ConstantRow{"adapter_traffic", &C::adapterTraffic, 0, 10},
    ConstantRow{"dequantize_bytes", &C::dequantizeBytes, 0, 10},
    ConstantRow{"dequantize_share", &C::dequantizeShare, 0.01, 1},
    ConstantRow{"scale_up_share", &C::scaleUpShare, 0.01, 1},
    ConstantRow{"scale_out_share", &C::scaleOutShare, 0.01, 1},
    ConstantRow{"exchange_share", &C::exchangeShare, 0.01, 1},
    ConstantRow{"start_s", &C::start, 0, 1e-2},
    ConstantRow{"start_per_node_s", &C::startPerNode, 0, 1e-2},
    ConstantRow{"start_per_rank_s", &C::startPerRank, 0, 1e-2},
    ConstantRow{"exchange_overlap", &C::exchangeOverlap, 0, 1},
    ConstantRow{"exchange_copies_cap", &C::exchangeCopiesCap, 1, 100},
    ConstantRow{"slowdown", &C::slowdown, 0, 1},
    ConstantRow{"pipeline_exposed", &C::pipelineExposed, 0, 1},
    ConstantRow{"ring_exposed", &C::ringExposed, 0, 1},
    ConstantRow{"assumed_nic_gbit", &C::assumedNicGbit, 1, 1e5},
    ConstantRow{"host_link_share", &C::hostLinkShare, 0.01, 1},
    ConstantRow{"host_memory_bytes_per_s", &C::hostMemoryRate, 1e8, 1e13},
    ConstantRow{"host_process_bytes_per_s", &C::hostProcessRate, 1e8, 1e13},
    ConstantRow{"optimizer_bytes", &C::optimizerBytes, 1, 200},
    ConstantRow{"optimizer_share", &C::optimizerShare, 0.01, 1},
    ConstantRow{"optimizer_start_s", &C::optimizerStart, 0, 1},
    ConstantRow{"host_recompute", &C::hostRecompute, 1, 5},
    ConstantRow{"host_adapters", &C::hostAdapters, 1, 5},
    ConstantRow{"reserved_factor", &C::reservedFactor, 1, 3},
    ConstantRow{"context_bytes", &C::contextBytes, 0, 1e11},
    ConstantRow{"driver_bytes", &C::driverBytes, 0, 1e11},
    ConstantRow{"communication_bytes", &C::communicationBytes, 0, 1e11},
    ConstantRow{"workspace_factor", &C::workspaceFactor, 0, 10},
    ConstantRow{"chunked_logit_bytes", &C::chunkedLogitBytes, 0, 32},
    ConstantRow{"chunked_hidden_bytes", &C::chunkedHiddenBytes, 0, 1000},
};

ResidualRange readRange(CalibrationReader& row)
{
    const ResidualRange range{row.number("low", 0.01, 1), row.number("high", 1, 100)};
    static_cast<void>(row.text("source"));
    row.finish();
    return range;
}

template <std::size_t N>
void readIntervals(CalibrationReader& section, const char* key, const std::array<std::string_view, N>& kinds,
                   std::array<ResidualRange, N>& ranges)
{
    std::array<bool, N> seen{};
    for (CalibrationReader& row : section.rows(key)) {
        const auto index = rowIndex(row, "kind", kinds);
        const ResidualRange range = readRange(row);
        if (index) {
            seen[*index] = true;
            ranges[*index] = range;
        }
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (!seen[i])
            section.refuse(key, say("has no row for {}", kinds[i]));
}

} // namespace

TrainingFamily trainingFamily(AcceleratorFamily family) noexcept
{
    switch (family) {
    case AcceleratorFamily::V100:
        return TrainingFamily::V100;
    case AcceleratorFamily::A100:
        return TrainingFamily::A100;
    case AcceleratorFamily::Hopper:
        return TrainingFamily::H100;
    case AcceleratorFamily::Blackwell:
        return TrainingFamily::B200;
    case AcceleratorFamily::Cdna3:
        return TrainingFamily::Mi300;
    case AcceleratorFamily::Cdna4:
        return TrainingFamily::Mi355;
    case AcceleratorFamily::Tpu:
        return TrainingFamily::Tpu;
    case AcceleratorFamily::Ada:
    case AcceleratorFamily::Other:
        return TrainingFamily::Pcie;
    }
    return TrainingFamily::Pcie;
}

double mostCopies(const MoeShape& moe, const TrainingConstants& constants) noexcept
{
    constexpr double measured = 4; // DeepSeek-V3's limit, of which the constant is
    return moe.groupLimit > 0 ? constants.exchangeCopiesCap * double(moe.groupLimit) / measured
                              : std::numeric_limits<double>::infinity();
}

double optimizerStateBytes(Optimizer optimizer, MasterWeights master) noexcept
{
    const double moment = master == MasterWeights::None ? 2 : 4;
    switch (optimizer) {
    case Optimizer::AdamW:
        return 2 * moment;
    case Optimizer::AdamW8bit: // a byte each, whatever the weights are (bitsandbytes, Adam8bit)
        return 2;
    case Optimizer::SgdMomentum:
    case Optimizer::Muon:
        return moment;
    case Optimizer::Sgd:
    case Optimizer::Adafactor:
        return 0; // Adafactor keeps rows and columns: below 0.1 %
    }
    return 2 * moment;
}

std::string_view toId(TrainingKind kind)
{
    return kindIds[static_cast<std::size_t>(kind)];
}

std::string_view toId(MemoryKind kind)
{
    return memoryKindIds[static_cast<std::size_t>(kind)];
}

void readTrainingCalibration(CalibrationReader section, TrainingCalibration& calibration)
{
    readMatmul(section, calibration);
    readAttention(section, calibration);
    readProfiles(section, calibration);
    CalibrationReader constants = section.object("constants");
    for (const ConstantRow& row : constantRows)
        calibration.constants.*row.member = constants.constant(row.key, row.low, row.high);
    constants.finish();
    readIntervals(section, "intervals", kindIds, calibration.intervals);
    readIntervals(section, "memory_intervals", memoryKindIds, calibration.memoryIntervals);
    CalibrationReader newSource = section.object("new_source"), newFamily = section.object("new_family");
    calibration.newSource = readRange(newSource);
    calibration.newFamily = readRange(newFamily);
    readFitRecord(section);
    section.finish();
}

} // namespace headroom
