// SPDX-License-Identifier: GPL-3.0-or-later
// What an inference::Engine is made of; how it serves: inference_serving.cpp.
#include "core/predict/inference/inference_engine.hpp"

#include "core/scenario/effective.hpp"

namespace headroom::inference
{

Engine::Engine(const PreparedScenario& prepared, const Machine& machine, const PrefillPool* pool) noexcept
    : p(prepared), m(machine), w(p.inference), m_pool(pool)
{
    if (w.scheduling != Scheduling::Static && !pool) {
        m_prompt = prefillPass(p, m, m.sizes.attentionData);
        m_lonePrompt = m.sizes.attentionData > 1 ? prefillPass(p, m, 1) : m_prompt;
    }
    if (w.scheduling == Scheduling::Continuous) {
        m_promptTokens = promptLength(w);
        m_onePrompt = promptShape(p, m, 1);
        m_promptVariation = promptVariation(w);
    }
    constexpr double nearlyNobody = 1e-12; // a load has others, if only now and then
    m_others = std::max(nearlyNobody, p.othersShare());
    if (m.speculation.on()) {
        m_drafter.emplace(p, m);
        if (!pool && w.scheduling != Scheduling::Static) { // which reads its prompts together
            m_draftPrompt = m_drafter->prompts(p, 1);
            addDrafts(m_draftPrompt, 1);
        }
    }
    if (!pool && usesTiers(w))
        m_load = tierLoad(p, m);
}

Engine::Engine(const Engine& drafting, const Machine& plain) noexcept
    : p(drafting.p), m(plain), w(p.inference), m_pool(drafting.m_pool), m_promptTokens(drafting.m_promptTokens),
      m_onePrompt(drafting.m_onePrompt), m_promptVariation(drafting.m_promptVariation), m_others(drafting.m_others),
      m_prompt(drafting.m_prompt), m_lonePrompt(drafting.m_lonePrompt), m_load(drafting.m_load)
{
    if (!m_pool)
        addDrafts(drafting.m_draftPrompt, -1);
}

void Engine::addDrafts(const PassCost& prompt, double times) noexcept
{
    m_prompt.add(prompt, times);
    m_lonePrompt.add(prompt, times);
}

double Engine::undraftedS(double prompts) const noexcept
{
    if (w.scheduling == Scheduling::Static || m_pool)
        return promptsTime(p, m, prompts);
    PassCost pass = promptPass(prompts);
    pass.add(m_draftPrompt, -1);
    return promptTime(p, m, pass);
}

PassCost Engine::promptPass(double batch) const noexcept
{
    if (batch >= m.sizes.attentionData)
        return m_prompt;
    if (batch <= 1)
        return m_lonePrompt;
    PassCost cost = prefillPass(p, m, batch);
    cost.add(m_draftPrompt, 1);
    return cost;
}

} // namespace headroom::inference
