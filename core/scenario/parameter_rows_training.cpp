// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

template <auto Member>
using TrainingField = access::Field<&Setup::training, Member>;

bool usesAdapters(const Setup& setup)
{
    return setup.training.method != Method::Full;
}

constexpr std::array<ParameterChoice, 4> loraTargets{{{"all-linear", "all linear layers"},
                                                      {"attention", "attention"},
                                                      {"qv", "queries and values"},
                                                      {"custom", "as the file lists"}}};

double targetsIndex(const Setup& setup)
{
    switch (setup.training.loraTargets.bits) {
    case LoraTargets::allLinear:
        return 0;
    case LoraTargets::attention:
        return 1;
    case LoraTargets::qv:
        return 2;
    default:
        return 3;
    }
}

void setTargets(Setup& setup, double value)
{
    constexpr std::array<std::uint8_t, 3> bits{LoraTargets::allLinear, LoraTargets::attention, LoraTargets::qv};
    const auto index = static_cast<std::size_t>(std::llround(value));
    if (index < bits.size())
        setup.training.loraTargets.bits = bits[index];
}

} // namespace

std::span<const ParameterRow> training()
{
    static const std::array table{
        of<TrainingField<&TrainingWorkload::microBatch>>(
            {.id = "micro_batch",
             .path = "/workload/micro_batch",
             .label = "Micro-batch",
             .symbol = "b",
             .unit = "sequences",
             .description = "Sequences that one data-parallel rank runs in one forward pass.",
             .group = ParameterGroup::Workload,
             .minimum = 1,
             .maximum = 1048576,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .training = true,
             .everyday = true}),
        of<TrainingField<&TrainingWorkload::globalBatch>>(
            {.id = "global_batch",
             .path = "/workload/global_batch",
             .label = "Global batch",
             .symbol = "B",
             .unit = "sequences",
             .description =
                 "Sequences per optimizer step over the whole job; a multiple of micro-batch × data-parallel "
                 "ranks. Automatic: exactly that product.",
             .group = ParameterGroup::Workload,
             .minimum = 1,
             .maximum = 16777216,
             .sliderMaximum = 8192,
             .snaps = powersTo8192,
             .training = true,
             .optional = true,
             .get = [](const Setup& s) { return static_cast<double>(effectiveGlobalBatch(s)); }}),
        of<TrainingField<&TrainingWorkload::sequenceLength>>({.id = "sequence_length",
                                                              .path = "/workload/sequence_length",
                                                              .label = "Sequence length",
                                                              .symbol = "s",
                                                              .unit = "tokens",
                                                              .description = "Tokens in one training sequence.",
                                                              .group = ParameterGroup::Workload,
                                                              .minimum = 1,
                                                              .maximum = 16777216,
                                                              .sliderMinimum = 64,
                                                              .sliderMaximum = 131072,
                                                              .snaps = tokenSnaps,
                                                              .training = true,
                                                              .everyday = true}),
        of<TrainingField<&TrainingWorkload::packedSampleTokens>>(
            {.id = "packed_sample_tokens",
             .path = "/workload/packed_sample_tokens",
             .label = "Packed sample length",
             .unit = "tokens",
             .description = "Mean length of the samples packed into a sequence; attention stays inside a sample. "
                            "Automatic: one sample fills the sequence.",
             .group = ParameterGroup::Workload,
             .minimum = 1,
             .maximum = 16777216,
             .sliderMinimum = 64,
             .sliderMaximum = 131072,
             .snaps = tokenSnaps,
             .training = true,
             .optional = true,
             .get = [](const Setup& s) { return static_cast<double>(effectiveSampleTokens(s.training)); }}),
        of<TrainingField<&TrainingWorkload::trainingTokens>>(
            {.id = "training_tokens",
             .path = "/workload/training_tokens",
             .label = "Training tokens",
             .symbol = "D",
             .unit = "tokens",
             .description = "Tokens of the whole run: gives the time, energy and cost to train.",
             .group = ParameterGroup::Workload,
             .kind = ParameterKind::Real,
             .format = ValueFormat::Parameters,
             .minimum = 1,
             .maximum = 1e18,
             .sliderMinimum = 1e6,
             .sliderMaximum = 1e14,
             .training = true,
             .optional = true}),
        choice<names::methods, &Setup::training, &TrainingWorkload::method>(
            {.id = "method",
             .path = "/workload/method",
             .label = "Method",
             .description = "Which weights learn: all of them (pre-training, and full fine-tuning, which is the same "
                            "work), or small adapters on frozen weights (LoRA; QLoRA keeps the frozen weights in 4 "
                            "bits).",
             .group = ParameterGroup::Workload,
             .training = true,
             .everyday = true}),
        of<TrainingField<&TrainingWorkload::loraRank>>(
            {.id = "lora_rank",
             .path = "/workload/lora/rank",
             .label = "LoRA rank",
             .symbol = "r",
             .description = "Inner width of each adapter: a matrix [i, o] gains r·(i + o) trained parameters.",
             .group = ParameterGroup::Workload,
             .minimum = 1,
             .maximum = 65536,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .training = true,
             .everyday = true,
             .applies = usesAdapters}),
        of<TrainingField<&TrainingWorkload::loraTargets>>(
            withChoices({.id = "lora_targets",
                         .path = "/workload/lora/targets",
                         .label = "LoRA targets",
                         .description = "Which matrices carry adapters. All linear layers: attention and "
                                        "feed-forward of every layer, experts too, not the router or the head.",
                         .group = ParameterGroup::Workload,
                         .training = true,
                         .applies = usesAdapters,
                         .get = targetsIndex,
                         .set = setTargets},
                        loraTargets)),
        choice<names::checkpointing, &Setup::training, &TrainingWorkload::checkpointing>(
            {.id = "checkpointing",
             .path = "/workload/checkpointing",
             .label = "Checkpointing",
             .description =
                 "Which activations are computed again in the backward pass instead of being kept: less memory, "
                 "more FLOP executed. MFU does not count them, HFU does. 'unknown' is for runs that somebody measured.",
             .group = ParameterGroup::Memory,
             .training = true,
             .everyday = true}),
        of<TrainingField<&TrainingWorkload::checkpointEvery>>(
            {.id = "checkpoint_every",
             .path = "/workload/checkpointing/every",
             .label = "Checkpoint every",
             .unit = "layers",
             .description = "Selective by layer: one layer in n is run again.",
             .group = ParameterGroup::Memory,
             .minimum = 1,
             .maximum = 100000,
             .sliderMaximum = 64,
             .snaps = powersTo64,
             .training = true,
             .applies = [](const Setup& s) { return s.training.checkpointing == Checkpointing::SelectiveLayer; }}),
        choice<names::trainingPrecisions, &Setup::training, &TrainingWorkload::precision>(
            {.id = "precision",
             .path = "/workload/precision",
             .label = "Matmul precision",
             .description = "Number format of the matmul inputs. Attention and the output head "
                            "stay in 16 bits below bf16; the peak that MFU divides by is this format's.",
             .group = ParameterGroup::Precision,
             .training = true,
             .everyday = true}),
        choice<names::masterWeights, &Setup::training, &TrainingWorkload::masterWeights>(
            {.id = "master_weights",
             .path = "/workload/master_weights",
             .label = "Master weights",
             .description = "Whether the optimizer keeps a 32-bit copy of the weights.",
             .group = ParameterGroup::Precision,
             .training = true}),
        choice<names::gradients, &Setup::training, &TrainingWorkload::gradients>(
            {.id = "gradients",
             .path = "/workload/gradients",
             .label = "Gradients",
             .description = "Number format gradients are accumulated in. Automatic: by training stack.",
             .group = ParameterGroup::Precision,
             .training = true,
             .optional = true,
             .get = [](const Setup& s) { return double(placeOf(names::gradients, effectiveGradients(s))); }}),
        choice<names::optimizers, &Setup::training, &TrainingWorkload::optimizer>(
            {.id = "optimizer",
             .path = "/workload/optimizer",
             .label = "Optimizer",
             .description = "Decides the bytes of state kept per trained parameter.",
             .group = ParameterGroup::Memory,
             .training = true}),
        of<TrainingField<&TrainingWorkload::optimizerInBackward>>(
            asToggle({.id = "optimizer_in_backward",
                      .path = "/workload/optimizer_in_backward",
                      .label = "Optimizer in backward pass",
                      .description = "Whether each parameter is updated as soon as its gradient is there, which is "
                                     "then freed (torchtune's optimizer_in_bwd, LOMO): no gradients are kept, and "
                                     "there is one micro-batch. Automatic: no.",
                      .group = ParameterGroup::Memory,
                      .training = true,
                      .optional = true,
                      .applies = [](const Setup& s) { return s.training.method == Method::Full && !isRl(s); }})),
        of<TrainingField<&TrainingWorkload::chunkedLoss>>(
            asToggle({.id = "chunked_loss",
                      .path = "/workload/chunked_loss",
                      .label = "Chunked loss",
                      .description = "Logits are computed in pieces and never stored whole. Automatic: by "
                                     "training stack.",
                      .group = ParameterGroup::Memory,
                      .training = true,
                      .optional = true,
                      .decidedElsewhere = true})),
        choice<names::offload, &Setup::training, &TrainingWorkload::offload>(
            {.id = "offload",
             .path = "/workload/offload",
             .label = "Offload",
             .description = "What is kept in host memory and moved over the host link each step.",
             .group = ParameterGroup::Memory,
             .training = true}),
        of<TrainingField<&TrainingWorkload::overlapDataParallel>>(
            asReal({.id = "overlap_data_parallel",
                    .path = "/workload/overlap/data_parallel",
                    .label = "Data-parallel overlap",
                    .description =
                        "Share of the data-parallel communication that can hide behind compute. Automatic: by stack.",
                    .group = ParameterGroup::Software,
                    .format = ValueFormat::Percent,
                    .training = true,
                    .optional = true},
                   0, 1, 0, 1)),
        of<TrainingField<&TrainingWorkload::overlapTensor>>(
            asReal({.id = "overlap_tensor",
                    .path = "/workload/overlap/tensor",
                    .label = "Tensor-parallel overlap",
                    .description =
                        "Share of the tensor-parallel communication that can hide behind compute. Automatic: by stack.",
                    .group = ParameterGroup::Software,
                    .format = ValueFormat::Percent,
                    .training = true,
                    .optional = true,
                    .applies = [](const Setup& s) { return s.parallelism.tensor > 1; }},
                   0, 1, 0, 1)),
        of<TrainingField<&TrainingWorkload::overlapExpert>>(
            asReal({.id = "overlap_expert",
                    .path = "/workload/overlap/expert",
                    .label = "Expert-exchange overlap",
                    .description = "Share of the experts' all-to-all that can hide behind compute: of one micro-batch "
                                   "behind another's, all of it. Automatic: as of stacks that overlap within a layer.",
                    .group = ParameterGroup::Software,
                    .format = ValueFormat::Percent,
                    .training = true,
                    .optional = true,
                    .applies = [](const Setup& s) { return s.parallelism.expert > 1; }},
                   0, 1, 0, 1)),
        choice<names::trainingSoftware, &Setup::training, &TrainingWorkload::software>(
            {.id = "software",
             .path = "/workload/software",
             .label = "Training stack",
             .description = "Software whose overheads the prediction assumes, as fitted to its published runs where "
                            "there are any.",
             .group = ParameterGroup::Software,
             .training = true,
             .everyday = true}),
        of<TrainingField<&TrainingWorkload::compile>>(asToggle(
            {.id = "compile",
             .path = "/workload/compile",
             .label = "torch.compile",
             .description = "Whether PyTorch's compiler fuses the kernels between matmuls. Automatic: not known, as in "
                            "most published runs.",
             .group = ParameterGroup::Software,
             .training = true,
             .optional = true,
             .decidedElsewhere = true,
             .applies = [](const Setup& s) { return mayCompile(s.training.software); }})),
        of<TrainingField<&TrainingWorkload::fusedDispatch>>(asToggle(
            {.id = "fused_dispatch",
             .path = "/workload/fused_dispatch",
             .label = "Fused expert dispatch",
             .description = "Whether one kernel takes tokens to their experts and back, as DeepEP's does. Automatic: "
                            "several passes over memory.",
             .group = ParameterGroup::Software,
             .training = true,
             .optional = true})),
        of<TrainingField<&TrainingWorkload::multiTokenPrediction>>(asToggle(
            {.id = "multi_token_prediction",
             .path = "/workload/multi_token_prediction",
             .label = "Multi-token prediction",
             .description = "Whether the model's layers that predict further tokens are trained with it, where it has "
                            "some. Automatic: Megatron trains them, other software does not.",
             .group = ParameterGroup::Software,
             .training = true,
             .optional = true})),
    };
    return table;
}

} // namespace headroom::rows
