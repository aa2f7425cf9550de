// SPDX-License-Identifier: GPL-3.0-or-later
// The closed lists of names in scenario files.
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
    {{"on_demand", PriceKind::OnDemand}, {"reserved", PriceKind::Reserved}, {"spot", PriceKind::Spot}}};

inline constexpr std::array<NamedValue<RlPlacement>, 2> rlPlacements{
    {{"colocated", RlPlacement::Colocated}, {"separate", RlPlacement::Separate}}};

inline constexpr std::array<NamedValue<RolloutEngine>, 4> rolloutEngines{{{"vllm", RolloutEngine::Vllm},
                                                                          {"vllm-sync", RolloutEngine::VllmSync},
                                                                          {"sglang", RolloutEngine::Sglang},
                                                                          {"trt-llm", RolloutEngine::TrtLlm}}};

inline constexpr std::array<NamedValue<Method>, 3> methods{
    {{"full", Method::Full}, {"lora", Method::Lora}, {"qlora", Method::Qlora}}};

inline constexpr std::array<NamedValue<Checkpointing>, 6> checkpointing{
    {{"none", Checkpointing::None},
     {"selective_op", Checkpointing::SelectiveOp},
     {"selective_layer", Checkpointing::SelectiveLayer},
     {"full", Checkpointing::Full},
     {"attention_only", Checkpointing::AttentionOnly},
     {"unknown", Checkpointing::Unknown}}};

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

inline constexpr std::array<NamedValue<Optimizer>, 6> optimizers{{{"adamw", Optimizer::AdamW},
                                                                  {"adamw8bit", Optimizer::AdamW8bit},
                                                                  {"sgd", Optimizer::Sgd},
                                                                  {"sgd_momentum", Optimizer::SgdMomentum},
                                                                  {"adafactor", Optimizer::Adafactor},
                                                                  {"muon", Optimizer::Muon}}};

inline constexpr std::array<NamedValue<Offload>, 3> offload{
    {{"none", Offload::None}, {"optimizer", Offload::Optimizer}, {"parameters", Offload::Parameters}}};

inline constexpr std::array<NamedValue<TrainingSoftware>, 14> trainingSoftware{
    {{"tuned", TrainingSoftware::Tuned},
     {"megatron", TrainingSoftware::Megatron},
     {"megatron-2021", TrainingSoftware::Megatron2021},
     {"torch-fsdp", TrainingSoftware::TorchFsdp},
     {"torch-ddp", TrainingSoftware::TorchDdp},
     {"composer", TrainingSoftware::Composer},
     {"deepspeed", TrainingSoftware::DeepSpeed},
     {"transformers", TrainingSoftware::Transformers},
     {"unsloth", TrainingSoftware::Unsloth},
     {"litgpt", TrainingSoftware::LitGpt},
     {"nanotron", TrainingSoftware::Nanotron},
     {"internevo", TrainingSoftware::InternEvo},
     {"jax", TrainingSoftware::Jax},
     {"jax-eager", TrainingSoftware::JaxEager}}};

/// Stored precisions of an inference scenario's weights.
inline constexpr std::array<NamedValue<DataType>, 9> weightPrecisions{{{"fp32", DataType::Fp32},
                                                                       {"bf16", DataType::Bf16},
                                                                       {"fp16", DataType::Fp16},
                                                                       {"fp8", DataType::Fp8},
                                                                       {"int8", DataType::Int8},
                                                                       {"int4", DataType::Int4},
                                                                       {"fp4", DataType::Fp4},
                                                                       {"mxfp4", DataType::Mxfp4},
                                                                       {"native", DataType::Native}}};

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
    {{"p95", TargetPercentile::P95}, {"p99", TargetPercentile::P99}}};

inline constexpr std::array<NamedValue<LoadShape>, 2> loadShapes{
    {{"sine", LoadShape::Sine}, {"office", LoadShape::Office}}};

inline constexpr std::array<NamedValue<Arrival>, 2> arrival{{{"steady", Arrival::Steady}, {"burst", Arrival::Burst}}};

/// Methods of speculative decoding.
inline constexpr std::array<NamedValue<Drafting>, draftingCount> drafting{{{"eagle", Drafting::Eagle},
                                                                           {"eagle3", Drafting::Eagle3},
                                                                           {"mtp", Drafting::Mtp},
                                                                           {"medusa", Drafting::Medusa},
                                                                           {"ngram", Drafting::Ngram},
                                                                           {"draft", Drafting::Draft}}};

inline constexpr std::array<NamedValue<InferenceSoftware>, 18> inferenceSoftware{
    {{"tuned", InferenceSoftware::Tuned},
     {"vllm", InferenceSoftware::Vllm},
     {"vllm-sync", InferenceSoftware::VllmSync},
     {"vllm-2024", InferenceSoftware::Vllm2024},
     {"sglang", InferenceSoftware::Sglang},
     {"trt-llm", InferenceSoftware::TrtLlm},
     {"trt-llm-2024", InferenceSoftware::TrtLlm2024},
     {"trt-llm-2023", InferenceSoftware::TrtLlm2023},
     {"llama.cpp", InferenceSoftware::LlamaCpp},
     {"llama.cpp-2024", InferenceSoftware::LlamaCpp2024},
     {"gpt-fast", InferenceSoftware::GptFast},
     {"exllama", InferenceSoftware::Exllama},
     {"mlc", InferenceSoftware::Mlc},
     {"tgi", InferenceSoftware::Tgi},
     {"deepspeed", InferenceSoftware::DeepSpeed},
     {"fastertransformer", InferenceSoftware::FasterTransformer},
     {"megatron", InferenceSoftware::Megatron},
     {"transformers", InferenceSoftware::Transformers}}};

inline constexpr std::array<NamedValue<Sharding>, 4> sharding{
    {{"none", Sharding::None}, {"zero1", Sharding::Zero1}, {"zero2", Sharding::Zero2}, {"fsdp", Sharding::Fsdp}}};

inline constexpr std::array<NamedValue<EfficiencyBase>, 2> efficiencyBases{
    {{"expected", EfficiencyBase::Expected}, {"ideal", EfficiencyBase::Ideal}}};

/// `accounting`; the descriptions stand in core/predict/utilization.hpp, whose ids a test holds equal to these.
inline constexpr std::array<NamedValue<Convention>, conventionCount> conventions{
    {{"standard", Convention::Standard},
     {"six_n", Convention::SixN},
     {"palm", Convention::Palm},
     {"causal", Convention::Causal},
     {"megatron", Convention::Megatron},
     {"megatron_causal", Convention::MegatronCausal},
     {"sc21", Convention::Sc21},
     {"matmul", Convention::Matmul},
     {"palm_4_3", Convention::Palm43},
     {"exact", Convention::Exact}}};

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
