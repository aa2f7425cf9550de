// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_rows.hpp"

namespace headroom::rows
{

namespace
{

using R = RlWorkload;

constexpr std::array<double, 7> sampleSnaps{1, 4, 8, 16, 32, 64, 128};

bool separate(const Setup& s)
{
    return isRl(s) && s.training.rl.generatesApart();
}

template <auto Member>
ParameterRow rlRow(ParameterRow row)
{
    row.training = true;
    row.applies = row.applies ? row.applies : isRl;
    return of<access::Field<&Setup::training, &TrainingWorkload::rl, Member>>(row);
}

template <const auto& Names, auto Member>
ParameterRow rlChoice(ParameterRow row)
{
    row.training = true;
    row.applies = row.applies ? row.applies : isRl;
    return choice<Names, &Setup::training, &TrainingWorkload::rl, Member>(row);
}

template <auto Member>
ParameterRow rlToggle(std::string_view id, std::string_view path, std::string_view label, std::string_view description)
{
    return rlRow<Member>(asToggle({.id = id, .path = path, .label = label, .description = description}));
}

ParameterRow asTokens(ParameterRow row)
{
    row.unit = "tokens";
    row.maximum = 1e7;
    row.sliderMinimum = 16;
    row.sliderMaximum = 131072;
    row.snaps = tokenSnaps;
    return row;
}

} // namespace

std::span<const ParameterRow> reinforcement()
{
    static const std::array table{
        rlRow<&R::prompts>(
            {.id = "rl_prompts",
             .path = "/workload/rl/prompts",
             .label = "RL prompts a step",
             .symbol = "Q",
             .unit = "",
             .description = "Prompts that a step of reinforcement learning answers and learns from. Automatic: no "
                            "reinforcement learning, or 512 where another key of it is set.",
             .maximum = 1e7,
             .sliderMaximum = 8192,
             .snaps = powersTo8192,
             .optional = true,
             .applies = always,
             .get = [](const Setup& s) { return double(s.training.rl.prompts.value_or(usualRlPrompts)); }}),
        rlRow<&R::samples>({.id = "rl_samples",
                            .path = "/workload/rl/samples",
                            .label = "Answers to a prompt",
                            .symbol = "K",
                            .description = "How many answers to each prompt are generated and compared: the group of "
                                           "GRPO.",
                            .maximum = 1e5,
                            .sliderMaximum = 128,
                            .snaps = sampleSnaps}),
        rlRow<&R::promptTokens>(asTokens({.id = "rl_prompt_tokens",
                                          .path = "/workload/rl/prompt_tokens",
                                          .label = "RL prompt length",
                                          .symbol = "p",
                                          .description = "Tokens of a prompt in reinforcement learning; the mean."})),
        rlRow<&R::outputTokens>(asTokens({.id = "rl_output_tokens",
                                          .path = "/workload/rl/output_tokens",
                                          .label = "RL answer length",
                                          .symbol = "ℓ",
                                          .description = "Tokens of an answer in reinforcement learning; the mean."})),
        rlRow<&R::outputTokensP99>(
            asTokens({.id = "rl_output_tokens_p99",
                      .path = "/workload/rl/output_tokens_p99",
                      .label = "RL answer length, 99 %",
                      .symbol = "ℓ₉₉",
                      .description = "Length that 99 of 100 answers stay below. Automatic: the longest answer decides "
                                     "the spread; without either all answers are alike.",
                      .optional = true})),
        rlRow<&R::maxOutputTokens>(
            asTokens({.id = "rl_max_output_tokens",
                      .path = "/workload/rl/max_output_tokens",
                      .label = "Longest RL answer",
                      .symbol = "L",
                      .description = "Tokens after which an answer is cut off. Automatic: no limit.",
                      .optional = true})),
        rlChoice<names::rlPlacements, &R::placement>(
            {.id = "rl_placement",
             .path = "/workload/rl/placement",
             .label = "Where answers are generated",
             .description = "On the GPUs that train, in turn, or on GPUs of their own beside them."}),
        rlRow<&R::staleness>({.id = "rl_staleness",
                              .path = "/workload/rl/staleness",
                              .label = "Steps off policy",
                              .symbol = "k",
                              .description = "Steps that answers may be behind the weights they are generated with. 0: "
                                             "each step waits for its own answers.",
                              .scale = ParameterScale::Linear,
                              .minimum = 0,
                              .maximum = 8,
                              .sliderMinimum = 0,
                              .sliderMaximum = 8,
                              .applies = separate}),
        rlRow<&R::epochs>({.id = "rl_epochs",
                           .path = "/workload/rl/epochs",
                           .label = "Updates over the same answers",
                           .description = "How often a step learns from each of its answers.",
                           .scale = ParameterScale::Linear,
                           .maximum = 64,
                           .sliderMaximum = 8}),
        rlToggle<&R::oldLogProb>("rl_old_log_prob", "/workload/rl/old_log_prob", "Old probabilities again",
                                 "Whether the training stack computes the probabilities of the answers again before "
                                 "the update. Off: the engine's own are used."),
        rlToggle<&R::reference>("rl_reference", "/workload/rl/reference", "Reference model",
                                "Whether a frozen copy of the model reads the answers too, so that the policy stays "
                                "near it."),
        rlToggle<&R::critic>("rl_critic", "/workload/rl/critic", "Critic",
                             "Whether a second model of the same size learns the value of answers, as in PPO."),
        rlToggle<&R::rewardModel>("rl_reward_model", "/workload/rl/reward_model", "Reward model",
                                  "Whether a model of the same size judges the answers. Rules and tests need none."),
        rlRow<&R::rewardS>(
            asReal({.id = "rl_reward_s",
                    .path = "/workload/rl/reward_s",
                    .label = "Other reward time",
                    .unit = "s",
                    .description = "Seconds a step that GPUs wait for a judge elsewhere: code that runs, or a service.",
                    .format = ValueFormat::Plain},
                   0, 1e6, 0, 600)),
        rlRow<&R::rolloutCount>(
            {.id = "rl_rollout_count",
             .path = "/workload/rl/rollout_pool/count",
             .label = "Rollout GPUs",
             .symbol = "G_r",
             .unit = "GPUs",
             .description = "GPUs that generate answers, beside those that train. Automatic: as "
                            "many as train.",
             .group = ParameterGroup::Hardware,
             .maximum = 1048576,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .optional = true,
             .applies = separate,
             .get = [](const Setup& s) { return double(s.training.rl.rolloutCount.value_or(s.hardware.count)); }}),
        rlRow<&R::rolloutTensor>({.id = "rl_rollout_tensor",
                                  .path = "/workload/rl/rollout_pool/tensor",
                                  .label = "Rollout tensor parallel",
                                  .unit = "GPUs",
                                  .description = "GPUs that one copy of the model takes while it generates. Automatic: "
                                                 "the tensor-parallel size of the training.",
                                  .group = ParameterGroup::Parallelism,
                                  .maximum = 1048576,
                                  .sliderMaximum = 64,
                                  .snaps = powersTo64,
                                  .optional = true,
                                  .get = [](const Setup& s) { return double(rolloutTensor(s)); }}),
        rlRow<&R::rolloutBatch>(
            {.id = "rl_rollout_batch",
             .path = "/workload/rl/rollout_pool/batch",
             .label = "Answers at once",
             .unit = "sequences",
             .description = "Most answers that one copy of the model writes at once. Automatic: as "
                            "many as fit in its memory, at most 1024.",
             .maximum = 1048576,
             .sliderMaximum = 1024,
             .snaps = powersTo1024,
             .optional = true,
             .get = [](const Setup& s) { return double(s.training.rl.rolloutBatch.value_or(1024)); }}),
        rlChoice<names::rolloutEngines, &R::rolloutEngine>(
            {.id = "rl_rollout_software",
             .path = "/workload/rl/rollout_pool/software",
             .label = "Rollout engine",
             .description = "Engine whose overheads generation has. Synchronous vLLM schedules between the passes.",
             .group = ParameterGroup::Software}),
    };
    return table;
}

} // namespace headroom::rows
