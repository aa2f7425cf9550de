// SPDX-License-Identifier: GPL-3.0-or-later
// The workload sections (scenario.md 1.3, 1.4).
#include "core/scenario/scenario_names.hpp"
#include "core/scenario/scenario_reader.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <vector>

namespace headroom
{
namespace
{

void readFlashAttention(ObjectReader& reader, FlashAttention& target)
{
    const Json* value = reader.value("flash_attention");
    if (value == nullptr)
        return;
    if (value->is_boolean()) {
        target = value->get<bool>() ? FlashAttention::On : FlashAttention::Off;
        return;
    }
    if (!value->is_number()) {
        reader.wrongType("flash_attention", *value, said("true, false or a version: 1, 2, 3"));
        return;
    }
    int version = 0;
    if (reader.integer("flash_attention", version, 1, 3)) {
        constexpr std::array versions{FlashAttention::V1, FlashAttention::V2, FlashAttention::V3};
        target = versions[static_cast<std::size_t>(version - 1)];
    }
}

void readCheckpointing(ObjectReader& reader, TrainingWorkload& workload)
{
    const Json* value = reader.value("checkpointing");
    if (value == nullptr)
        return;
    if (value->is_string()) {
        reader.choice("checkpointing", workload.checkpointing, names::checkpointing);
        return;
    }
    if (!value->is_object()) {
        reader.wrongType("checkpointing", *value, say("a mode's name or {}", R"({"mode": …, "every": …})"));
        return;
    }
    reader.object("checkpointing", [&workload](ObjectReader& object) {
        object.choice("mode", workload.checkpointing, names::checkpointing, Presence::Required);
        readWhole(object, "every", workload.checkpointEvery);
    });
}

std::vector<std::string_view> loraTargetIds()
{
    std::vector<std::string_view> ids;
    for (const auto& name : names::loraTargets)
        ids.insert(ids.end(), {name.id, name.longId});
    return ids;
}

/// The bit of "q" or "q_proj"; reports an unknown name at its place in the list.
std::uint8_t loraTargetBit(const Json& element, std::string path, Diagnostics& diagnostics)
{
    if (!element.is_string()) {
        addDiagnostic(diagnostics, "wrong-type", std::move(path),
                      say("must be text (found {})", describeJson(element)));
        return 0;
    }
    const std::string& id = element.get_ref<const std::string&>();
    for (const auto& name : names::loraTargets) {
        if (name.id == id || name.longId == id)
            return name.bit;
    }
    addDiagnostic(diagnostics, "unknown-name", std::move(path), say("{} names no projection", describeJson(element)),
                  suggestName(id, loraTargetIds()));
    return 0;
}

void readLoraTargets(ObjectReader& reader, LoraTargets& target)
{
    const Json* value = reader.value("targets");
    if (value == nullptr)
        return;
    if (value->is_string()) {
        reader.choice("targets", target.bits, names::loraTargetSets);
        return;
    }
    if (!value->is_array()) {
        reader.wrongType("targets", *value, said("a set's name or an array of projections"));
        return;
    }
    std::uint8_t bits = 0;
    std::size_t index = 0;
    const std::size_t before = reader.diagnostics().size();
    for (const Json& element : *value)
        bits |=
            loraTargetBit(element, childPath(reader.pathOf("targets"), std::to_string(index++)), reader.diagnostics());
    if (value->empty())
        reader.error("targets", "out-of-range", said("at least one projection is needed"),
                     said("one of: q, k, v, o, gate, up, down"));
    if (reader.diagnostics().size() == before)
        target.bits = bits;
}

/// "max", or a number of sequences.
void readBatch(ObjectReader& reader, InferenceWorkload& workload)
{
    const Json* value = reader.value("batch");
    if (value == nullptr)
        return;
    if (!value->is_string()) {
        readWhole(reader, "batch", workload.batch);
        return;
    }
    workload.batchMax = value->get_ref<const std::string&>() == "max";
    if (!workload.batchMax)
        reader.wrongType("batch", *value, said("a whole number of sequences or \"max\""));
}

} // namespace

void readTraining(ObjectReader& reader, TrainingWorkload& workload)
{
    readWhole(reader, "sequence_length", workload.sequenceLength);
    readWhole(reader, "micro_batch", workload.microBatch);
    readWhole(reader, "global_batch", workload.globalBatch);
    reader.choice("method", workload.method, names::methods);
    reader.object("lora", [&workload](ObjectReader& lora) {
        readWhole(lora, "rank", workload.loraRank);
        readLoraTargets(lora, workload.loraTargets);
    });
    readCheckpointing(reader, workload);
    reader.choice("precision", workload.precision, names::trainingPrecisions);
    reader.choice("master_weights", workload.masterWeights, names::masterWeights);
    reader.choice("gradients", workload.gradients, names::gradients);
    reader.choice("optimizer", workload.optimizer, names::optimizers);
    readFlashAttention(reader, workload.flashAttention);
    readWhole(reader, "packed_sample_tokens", workload.packedSampleTokens);
    reader.boolean("chunked_loss", workload.chunkedLoss);
    reader.choice("offload", workload.offload, names::offload);
    readReal(reader, "expert_imbalance", workload.expertImbalance);
    reader.object("overlap", [&workload](ObjectReader& overlap) {
        readReal(overlap, "data_parallel", workload.overlapDataParallel);
        readReal(overlap, "tensor", workload.overlapTensor);
    });
    reader.choice("software", workload.software, names::trainingSoftware);
    readReal(reader, "training_tokens", workload.trainingTokens);
}

void readInference(ObjectReader& reader, InferenceWorkload& workload)
{
    readBatch(reader, workload);
    readWhole(reader, "prompt_tokens", workload.promptTokens);
    readWhole(reader, "output_tokens", workload.outputTokens);
    readWhole(reader, "prompt_tokens_p95", workload.promptTokensP95);
    readWhole(reader, "output_tokens_p95", workload.outputTokensP95);
    readReal(reader, "requests_per_s", workload.requestsPerS);
    reader.choice("weights", workload.weights, names::weightPrecisions);
    readReal(reader, "weight_bits", workload.weightBits);
    reader.choice("compute", workload.compute, names::computePrecisions);
    reader.choice("kv_cache", workload.kvCache, names::cachePrecisions);
    reader.choice("scheduling", workload.scheduling, names::scheduling);
    reader.choice("arrival", workload.arrival, names::arrival);
    readWhole(reader, "prefix_cached_tokens", workload.prefixCachedTokens);
    readReal(reader, "memory_utilization", workload.memoryUtilization);
    reader.object("latency_targets", [&workload](ObjectReader& targets) {
        readReal(targets, "ttft_s", workload.ttftTargetS);
        readReal(targets, "tpot_s", workload.tpotTargetS);
    });
    readFlashAttention(reader, workload.flashAttention);
    readReal(reader, "expert_imbalance", workload.expertImbalance);
    reader.choice("software", workload.software, names::inferenceSoftware);
}

} // namespace headroom
