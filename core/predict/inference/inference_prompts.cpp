// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_prompts.hpp"

#include "core/predict/inference/inference_pipeline.hpp"
#include "core/predict/inference/inference_serving.hpp"

#include <algorithm>

namespace headroom::inference
{

PromptPasses::PromptPasses(const PreparedScenario& p, const Machine& m) noexcept
    : known(true), tokens(promptLength(p.inference)), one(promptShape(p, m, 1)),
      all(prefillPass(p, m, m.sizes.attentionData)), lone(m.sizes.attentionData > 1 ? prefillPass(p, m, 1) : all)
{
}

void PromptPasses::add(const PassCost& drafts) noexcept
{
    draft = drafts;
    all.add(draft, 1);
    lone.add(draft, 1);
}

PromptPasses PromptPasses::undrafted() const noexcept
{
    if (!known)
        return {};
    PromptPasses plain = *this;
    plain.all.add(draft, -1);
    plain.lone.add(draft, -1);
    plain.draft = {};
    return plain;
}

PassCost PromptPasses::beside(const PreparedScenario& p, const Machine& m, double batch) const noexcept
{
    if (batch >= m.sizes.attentionData)
        return all;
    if (batch <= 1)
        return lone;
    PassCost cost = prefillPass(p, m, batch);
    cost.add(draft, 1);
    return cost;
}

double PromptPasses::undraftedS(const PreparedScenario& p, const Machine& m, double prompts) const noexcept
{
    if (!known)
        return promptsTime(p, m, prompts);
    PassCost pass = beside(p, m, prompts);
    pass.add(draft, -1);
    return promptTime(p, m, pass);
}

double PromptPasses::firstTokenAloneS(const PreparedScenario& p, const Machine& m) const noexcept
{
    return beforeReadingS(p, m, 1) + undraftedS(p, m, 1) + m.profile.stepS;
}

} // namespace headroom::inference
