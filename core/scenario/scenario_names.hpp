// SPDX-License-Identifier: GPL-3.0-or-later
// The closed lists of scenario files: names, what they stand for and, where people read another word, that word. The
// choices of the parameter registry are these lists, in this order.
#pragma once

#include "core/scenario/scenario.hpp"
#include "core/support/named_value.hpp"

#include <array>

namespace headroom::names
{

inline constexpr std::array<NamedValue<Task>, 2> tasks{{{"training", Task::Training}, {"inference", Task::Inference}}};

inline constexpr std::array<NamedValue<PlanGoal>, 5> planGoals{{{"cost", PlanGoal::Cost},
                                                                {"time", PlanGoal::Time},
                                                                {"energy", PlanGoal::Energy},
                                                                {"gpus", PlanGoal::Gpus},
                                                                {"mfu", PlanGoal::Mfu}}};

inline constexpr std::array<NamedValue<PriceKind>, 3> priceKinds{
    {{"on_demand", PriceKind::OnDemand, "on demand"}, {"reserved", PriceKind::Reserved}, {"spot", PriceKind::Spot}}};

inline constexpr std::array<NamedValue<RlPlacement>, 2> rlPlacements{
    {{"colocated", RlPlacement::Colocated, "shared"}, {"separate", RlPlacement::Separate, "own GPUs"}}};

inline constexpr std::array<NamedValue<RolloutEngine>, 4> rolloutEngines{
    {{"vllm", RolloutEngine::Vllm, "vLLM"},
     {"vllm-sync", RolloutEngine::VllmSync, "vLLM, synchronous"},
     {"sglang", RolloutEngine::Sglang, "SGLang"},
     {"trt-llm", RolloutEngine::TrtLlm, "TensorRT-LLM"}}};

inline constexpr std::array<NamedValue<Method>, 3> methods{
    {{"full", Method::Full, "full weights"}, {"lora", Method::Lora, "LoRA"}, {"qlora", Method::Qlora, "QLoRA"}}};

inline constexpr std::array<NamedValue<Checkpointing>, 6> checkpointing{
    {{"none", Checkpointing::None},
     {"selective_op", Checkpointing::SelectiveOp, "by operator"},
     {"selective_layer", Checkpointing::SelectiveLayer, "by layer"},
     {"full", Checkpointing::Full},
     {"attention_only", Checkpointing::AttentionOnly, "attention only"},
     {"unknown", Checkpointing::Unknown, "not stated"}}};

/// Matmul precisions of training.
inline constexpr std::array<NamedValue<DataType>, 7> trainingPrecisions{{{"fp32", DataType::Fp32},
                                                                         {"tf32", DataType::Tf32},
                                                                         {"fp16", DataType::Fp16},
                                                                         {"bf16", DataType::Bf16},
                                                                         {"fp8", DataType::Fp8},
                                                                         {"mxfp8", DataType::Mxfp8},
                                                                         {"fp4", DataType::Fp4}}};

inline constexpr std::array<NamedValue<MasterWeights>, 2> masterWeights{
    {{"fp32", MasterWeights::Fp32}, {"none", MasterWeights::None}}};

inline constexpr std::array<NamedValue<Gradients>, 2> gradients{{{"fp32", Gradients::Fp32}, {"bf16", Gradients::Bf16}}};

inline constexpr std::array<NamedValue<Optimizer>, 6> optimizers{
    {{"adamw", Optimizer::AdamW, "AdamW"},
     {"adamw8bit", Optimizer::AdamW8bit, "AdamW, 8-bit states"},
     {"sgd", Optimizer::Sgd, "SGD"},
     {"sgd_momentum", Optimizer::SgdMomentum, "SGD with momentum"},
     {"adafactor", Optimizer::Adafactor, "Adafactor"},
     {"muon", Optimizer::Muon, "Muon"}}};

inline constexpr std::array<NamedValue<Offload>, 3> offload{
    {{"none", Offload::None},
     {"optimizer", Offload::Optimizer, "optimizer states"},
     {"parameters", Offload::Parameters, "parameters and optimizer"}}};

inline constexpr std::array<NamedValue<TrainingSoftware>, 14> trainingSoftware{
    {{"tuned", TrainingSoftware::Tuned, "well tuned"},
     {"megatron", TrainingSoftware::Megatron, "Megatron"},
     {"megatron-2021", TrainingSoftware::Megatron2021, "Megatron 2021"},
     {"torch-fsdp", TrainingSoftware::TorchFsdp, "PyTorch FSDP"},
     {"torch-ddp", TrainingSoftware::TorchDdp, "PyTorch DDP"},
     {"composer", TrainingSoftware::Composer, "Composer"},
     {"deepspeed", TrainingSoftware::DeepSpeed, "DeepSpeed"},
     {"transformers", TrainingSoftware::Transformers, "Transformers"},
     {"unsloth", TrainingSoftware::Unsloth, "Unsloth"},
     {"litgpt", TrainingSoftware::LitGpt, "LitGPT"},
     {"nanotron", TrainingSoftware::Nanotron},
     {"internevo", TrainingSoftware::InternEvo, "InternEvo"},
     {"jax", TrainingSoftware::Jax, "JAX"},
     {"jax-eager", TrainingSoftware::JaxEager, "JAX, eager"}}};

/// Stored precisions of an inference scenario's weights.
inline constexpr std::array<NamedValue<DataType>, 9> weightPrecisions{
    {{"fp32", DataType::Fp32},
     {"bf16", DataType::Bf16},
     {"fp16", DataType::Fp16},
     {"fp8", DataType::Fp8},
     {"int8", DataType::Int8},
     {"int4", DataType::Int4},
     {"fp4", DataType::Fp4, "fp4 (NVFP4)"},
     {"mxfp4", DataType::Mxfp4},
     {"native", DataType::Native, "as the checkpoint ships"}}};

/// Matmul precisions of inference.
inline constexpr std::array<NamedValue<DataType>, 10> computePrecisions{{{"fp32", DataType::Fp32},
                                                                         {"tf32", DataType::Tf32},
                                                                         {"fp16", DataType::Fp16},
                                                                         {"bf16", DataType::Bf16},
                                                                         {"fp8", DataType::Fp8},
                                                                         {"mxfp8", DataType::Mxfp8},
                                                                         {"int8", DataType::Int8},
                                                                         {"int4", DataType::Int4},
                                                                         {"fp4", DataType::Fp4},
                                                                         {"mxfp4", DataType::Mxfp4}}};

inline constexpr std::array<NamedValue<DataType>, 6> cachePrecisions{{{"fp32", DataType::Fp32},
                                                                      {"bf16", DataType::Bf16},
                                                                      {"fp16", DataType::Fp16},
                                                                      {"fp8", DataType::Fp8},
                                                                      {"int8", DataType::Int8},
                                                                      {"int4", DataType::Int4}}};

inline constexpr std::array<NamedValue<Scheduling>, 3> scheduling{{{"static", Scheduling::Static},
                                                                   {"continuous", Scheduling::Continuous},
                                                                   {"disaggregated", Scheduling::Disaggregated}}};

inline constexpr std::array<NamedValue<TargetPercentile>, 2> targetPercentiles{
    {{"p95", TargetPercentile::P95, "95 of 100 requests"}, {"p99", TargetPercentile::P99, "99 of 100 requests"}}};

inline constexpr std::array<NamedValue<LoadShape>, 2> loadShapes{
    {{"sine", LoadShape::Sine}, {"office", LoadShape::Office}}};

inline constexpr std::array<NamedValue<Arrival>, 2> arrival{
    {{"steady", Arrival::Steady}, {"burst", Arrival::Burst, "in bursts"}}};

/// Methods of speculative decoding.
inline constexpr std::array<NamedValue<Drafting>, draftingCount> drafting{
    {{"eagle", Drafting::Eagle, "EAGLE head"},
     {"eagle3", Drafting::Eagle3, "EAGLE-3 head"},
     {"mtp", Drafting::Mtp, "the model's own (MTP)"},
     {"medusa", Drafting::Medusa, "Medusa heads"},
     {"ngram", Drafting::Ngram, "n-gram lookup"},
     {"draft", Drafting::Draft, "draft model"}}};

inline constexpr std::array<NamedValue<InferenceSoftware>, 18> inferenceSoftware{
    {{"tuned", InferenceSoftware::Tuned, "well tuned"},
     {"vllm", InferenceSoftware::Vllm, "vLLM"},
     {"vllm-sync", InferenceSoftware::VllmSync, "vLLM, synchronous"},
     {"vllm-2024", InferenceSoftware::Vllm2024, "vLLM 2024"},
     {"sglang", InferenceSoftware::Sglang, "SGLang"},
     {"trt-llm", InferenceSoftware::TrtLlm, "TensorRT-LLM"},
     {"trt-llm-2024", InferenceSoftware::TrtLlm2024, "TensorRT-LLM 2024"},
     {"trt-llm-2023", InferenceSoftware::TrtLlm2023, "TensorRT-LLM 2023"},
     {"llama.cpp", InferenceSoftware::LlamaCpp},
     {"llama.cpp-2024", InferenceSoftware::LlamaCpp2024, "llama.cpp 2024"},
     {"gpt-fast", InferenceSoftware::GptFast},
     {"exllama", InferenceSoftware::Exllama, "ExLlama"},
     {"mlc", InferenceSoftware::Mlc, "MLC"},
     {"tgi", InferenceSoftware::Tgi, "TGI"},
     {"deepspeed", InferenceSoftware::DeepSpeed, "DeepSpeed"},
     {"fastertransformer", InferenceSoftware::FasterTransformer, "FasterTransformer"},
     {"megatron", InferenceSoftware::Megatron, "Megatron"},
     {"transformers", InferenceSoftware::Transformers, "Transformers"}}};

inline constexpr std::array<NamedValue<Sharding>, 4> sharding{{{"none", Sharding::None},
                                                               {"zero1", Sharding::Zero1, "ZeRO-1"},
                                                               {"zero2", Sharding::Zero2, "ZeRO-2"},
                                                               {"fsdp", Sharding::Fsdp, "FSDP"}}};

inline constexpr std::array<NamedValue<EfficiencyBase>, 2> efficiencyBases{
    {{"expected", EfficiencyBase::Expected}, {"ideal", EfficiencyBase::Ideal, "speed of light"}}};

/// `accounting`; the descriptions stand in core/predict/utilization.hpp, whose ids a test holds equal to these.
inline constexpr std::array<NamedValue<Convention>, conventionCount> conventions{
    {{"standard", Convention::Standard},
     {"six_n", Convention::SixN, "6·N"},
     {"palm", Convention::Palm, "PaLM"},
     {"causal", Convention::Causal},
     {"megatron", Convention::Megatron, "Megatron"},
     {"megatron_causal", Convention::MegatronCausal, "Megatron, causal"},
     {"sc21", Convention::Sc21, "Megatron 2021"},
     {"matmul", Convention::Matmul, "matmul weights"},
     {"palm_4_3", Convention::Palm43, "PaLM, HFU 4/3"},
     {"exact", Convention::Exact, "exact, causal"}}};

inline constexpr std::array<NamedValue<BandwidthCount>, 2> bandwidthCounts{
    {{"weights", BandwidthCount::Weights}, {"weights_and_cache", BandwidthCount::WeightsAndCache}}};

inline constexpr std::array<NamedValue<PeakMemoryKind>, 3> peakMemoryKinds{{{"allocated", PeakMemoryKind::Allocated},
                                                                            {"reserved", PeakMemoryKind::Reserved},
                                                                            {"device", PeakMemoryKind::Device}}};

/// One projection a LoRA adapter can sit on, in both spellings that are read; the first is written.
struct LoraTargetName {
    std::string_view id, longId;
    LoraTargets::Bit bit;
};
inline constexpr std::array<LoraTargetName, 7> loraTargets{{{"q", "q_proj", LoraTargets::Q},
                                                            {"k", "k_proj", LoraTargets::K},
                                                            {"v", "v_proj", LoraTargets::V},
                                                            {"o", "o_proj", LoraTargets::O},
                                                            {"gate", "gate_proj", LoraTargets::Gate},
                                                            {"up", "up_proj", LoraTargets::Up},
                                                            {"down", "down_proj", LoraTargets::Down}}};

inline constexpr std::array<NamedValue<std::uint8_t>, 3> loraTargetSets{
    {{"all-linear", LoraTargets::allLinear}, {"attention", LoraTargets::attention}, {"qv", LoraTargets::qv}}};

} // namespace headroom::names
