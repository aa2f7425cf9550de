// SPDX-License-Identifier: GPL-3.0-or-later
// The worked examples of docs/plan_examples.md: questions, what is held, and the reasoning in words.
#include "tests/support/plan_example.hpp"

namespace headroom::test
{
namespace
{

PlanRequest held(PlanRequest request, std::initializer_list<PlanDimension> dimensions)
{
    for (const PlanDimension d : dimensions)
        request.free = request.free.lock(d);
    return request;
}

/// torchtitan's layouts of 2024: FSDP with tensor parallelism, no context or pipeline parallelism in these runs.
PlanRequest asTorchtitan(const PlanRequest& request)
{
    return held(request, {PlanDimension::Context, PlanDimension::Pipeline, PlanDimension::VirtualPipeline,
                          PlanDimension::Sharding, PlanDimension::Replicas});
}

PlanExample torchtitan(std::string_view file, std::string title, std::string question, std::string reasoning)
{
    const PlanRequest request = requestOfExample(file);
    return {std::move(title),
            std::move(question),
            optionOf(request.base),
            {{"best with FSDP and TP only", asTorchtitan(request)}, {"best of all", request}},
            std::move(reasoning)};
}

PlanExample lora()
{
    PlanRequest request = requestOfExample("01");
    request.gpuCounts = {1, 2, 4, 8};
    PlanRequest sharded = held(request, {PlanDimension::Tensor, PlanDimension::Pipeline, PlanDimension::Context});
    sharded.gpuCounts = {8};
    return {
        "Llama 3.1 405B, LoRA on MI300X",
        "How few MI300X hold the run, and how should eight of them share it? 16 sequences of 64 tokens a step.",
        optionOf(request.base),
        {{"best without TP, PP, CP", sharded}, {"best of all", request}},
        "The frozen base takes 811 GB in 16 bits: four GPUs (824 GB, less what runtime and activations need) are not "
        "enough, eight are. What decides is what travels. FSDP gathers all those weights on every GPU in each pass "
        "over the layers, for 128 tokens a GPU: the link works and the compute units wait. Tensor and pipeline "
        "parallelism leave the weights where they are and send activations, which are a few megabytes for a step this "
        "small, so the planner gives up data parallelism altogether, and needs no checkpointing either. Its many "
        "interleaved stages are cheap on paper because a chunk of one layer sends little; with the chunk count held at "
        "1 the answer loses some percent and no more. The published run took 30 s, five times the prediction for a "
        "tuned stack: its eager software (`jax-eager`) is the larger loss, and no layout removes that."};
}

PlanExample reading(std::string_view file)
{
    PlanRequest request = requestOfExample(file);
    request.objective = PlanObjective::Gpus;
    request.gpuCounts = {1, 2, 4, 8};
    const PlanOption published = optionOf(request.base);
    request.base.parallelism.tensor = 1;
    PlanRequest batchOne = held(request, {PlanDimension::Batch});
    PlanRequest wide = batchOne; // 8 requests of the model's whole context
    wide.base.inference.batch = 8;
    wide.base.inference.promptTokens = 3840;
    PlanRequest sixteen = batchOne;
    sixteen.base.inference.weights = DataType::Bf16;
    PlanRequest safe = batchOne;
    safe.base.inference.tpotTargetS = 0.024; // what leaves the slow end of the interval under 30 ms
    return {"Llama 2 70B at 30 ms a token",
            "The fewest H100 on which one reader gets a token every 30 ms.",
            published,
            {{"8 sequences of 4096 tokens", wide},
             {"16-bit weights", sixteen},
             {"with room for the interval (24 ms)", safe},
             {"fewest GPUs", batchOne}},
            "A token reads all weights once: 69 GB in int8 over 3.35 TB/s is 20.6 ms at the speed of light, so one "
            "H100 can make 30 ms, at about three quarters of its bandwidth. It is an answer with two edges. Memory: 70 "
            "of 77 GB are weights, so a short cache fits and eight long ones do not, nor do weights in 16 bits. Time: "
            "the expected figure meets the target and the slow end of its 80 % interval does not. Who needs the 30 ms "
            "asks for less, say 24, and gets two GPUs with TP 2, the published choice, which halves what each one "
            "reads. PP 2 would not do: a token still passes all the weights in turn."};
}

} // namespace

std::vector<PlanExample> planExamples()
{
    const std::string large = "Given 128 H100 and 32 sequences of 8192 tokens a step: which layout trains fastest?";
    const std::string small = "Given 64 A100 and 64 sequences of 8192 tokens a step: which layout trains fastest?";
    return {
        torchtitan(
            "03", "Llama 3.1 405B, 128 H100, bf16", large,
            "405 billion parameters with their fp32 master, gradients and moments are 6.5 TB: over 128 GPUs 51 GB "
            "each, which leaves less than half of the memory for activations, and full checkpointing is what fits: "
            "recomputing nothing takes 16 or more GPUs to each layer, across nodes, and a step a sixth as long again. "
            "FSDP alone gathers a layer of 6.4 GB on each GPU and keeps a whole sequence's activations: over the edge, "
            "as published. Something has to split a layer or a sequence. Tensor parallelism moves four activations a "
            "layer over the link and nothing hides them here, so TP 4 beats TP 8 where it fits, and here it does. "
            "Context parallelism splits the activations too and only sends keys and values, an eighth of the width "
            "with 8 KV heads of 128: of layouts without interleaved pipelines CP 4 alone is the fastest, and fills the "
            "memory. Just ahead is a pipeline of 128 pieces: the 126 layers, the embedding and the head, one each, as "
            "Llama 3's own run had them (arXiv 2407.21783, 3.3.2). Its stages run cheap operators again alone, and "
            "fill the memory to the edge. The published TP 8, one node, takes a sixth longer and has more than a third "
            "of the memory to spare; CP came to that stack later."),
        torchtitan(
            "04", "Llama 3.1 405B, 128 H100, Float8", large,
            "The same question with matmuls in 8 bits. Matmuls shrink by half, communication and attention do not, so "
            "what tensor parallelism costs weighs twice as much: the gain of leaving TP 8 is larger than in bf16, in "
            "the same direction. Memory decides the same way, since master weights stay in fp32."),
        torchtitan("05", "Llama 3.1 405B, 128 H100, Float8, asynchronous TP", large,
                   "Half of the tensor-parallel communication hides behind matmuls. That helps TP 8 most, which has "
                   "most to hide: of layouts with FSDP and TP only the published one comes closer to the best. Best "
                   "of all is then a pipeline of TP 8 as well, again of 128 pieces, that runs cheap operators again "
                   "alone."),
        torchtitan("07", "Llama 3 8B, 64 A100, every second layer recomputed", small,
                   "8 billion parameters take 129 GB of states, 2 GB a GPU when all 64 share them: there is no reason "
                   "to split a layer, and every kind of model parallelism only adds communication. Pure data "
                   "parallelism over 64 wins. What remains is recomputation: with one sequence a GPU the activations "
                   "fit whole, so the planner recomputes nothing; an eighth (ZeRO-2) or more than a quarter (FSDP) of "
                   "the memory stays free. The published runs recompute all the same, which costs them a tenth and "
                   "more: they ran "
                   "on an allocator and a release that were not as tight as the calibration's. ZeRO-2 and FSDP are a "
                   "tie within the uncertainty; with the same figures the leaner one, FSDP, is the better choice."),
        torchtitan("08", "Llama 3 8B, 64 A100, cheap operators recomputed", small,
                   "The same machine and the same answer, since the search chooses the checkpointing itself. Of the "
                   "two published ways, recomputing cheap operators runs fewer FLOP again than every second layer and "
                   "is the faster, predicted as measured."),
        torchtitan(
            "09", "Llama 3 70B, 64 A100, full checkpointing", small,
            "1.1 TB of states are 18 GB a GPU. The activations of a whole sequence of 8192 over 80 layers are "
            "what does not fit, and FSDP alone can only recompute them all: that is the published layout. Once "
            "TP splits them there is room to keep everything: the second forward pass goes, a quarter of the "
            "work, communication comes, and the balance is a gain; TP 2 with CP 2 pays less for the same split. "
            "It fills the memory to nine tenths: at four times the sequence, without CP, recomputation comes back."),
        lora(),
        reading("10"),
    };
}

} // namespace headroom::test
