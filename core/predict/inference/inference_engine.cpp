// SPDX-License-Identifier: GPL-3.0-or-later
// What an inference::Engine is made of; how it serves: inference_serving.cpp.
#include "core/predict/inference/inference_engine.hpp"

#include "core/scenario/effective.hpp"

namespace headroom::inference
{

namespace
{

/// A static batch reads its prompts together, a pool for itself.
PromptPasses promptsOf(const PreparedScenario& p, const Machine& m, const PrefillPool* pool)
{
    if (p.inference.scheduling == Scheduling::Static || pool)
        return {};
    return {p, m};
}

} // namespace

Engine::Engine(const PreparedScenario& prepared, const Machine& machine, const PrefillPool* pool) noexcept
    : p(prepared), m(machine), w(p.inference), m_pool(pool), m_prompts(promptsOf(prepared, machine, pool))
{
    constexpr double nearlyNobody = 1e-12; // a load has others, if only now and then
    m_others = std::max(nearlyNobody, p.othersShare());
    if (m.speculation.on()) {
        m_drafter.emplace(p, m);
        if (m_prompts.known)
            m_prompts.add(m_drafter->prompts(p, 1));
    }
    if (!pool && usesTiers(w))
        m_load = tierLoad(p, m);
}

Engine::Engine(const Engine& drafting, const Machine& plain) noexcept
    : p(drafting.p), m(plain), w(p.inference), m_pool(drafting.m_pool), m_others(drafting.m_others),
      m_prompts(drafting.m_prompts.undrafted()), m_load(drafting.m_load)
{
}

} // namespace headroom::inference
