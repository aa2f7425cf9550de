// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_replica.hpp"

#include "core/predict/inference/inference_carry.hpp"
#include "core/predict/inference/inference_lengths.hpp"

#include <algorithm>

namespace headroom::inference
{

Replica::Replica(const PreparedScenario& prepared, Machine& machine, PrefillPool* prefillPool,
                 ReplicaRecord* record) noexcept
    : m(machine), pool(prefillPool), engine(prepared, machine, prefillPool),
      memory(planMemory(prepared, machine, engine.drafter())), m_record(record)
{
}

void Replica::setCount(const PreparedScenario& prepared) noexcept
{
    m.sizes.replicas = static_cast<double>(std::max<std::int64_t>(1, servingReplicas(prepared)));
    if (pool)
        pool->setCount(prepared.inference.prefillPool.count, m.sizes.replicas);
}

Serving Replica::serve(const PreparedScenario& prepared) const noexcept
{
    return inference::serve(prepared, m, memory, engine, pool, m_record ? &m_record->curve : nullptr);
}

double Replica::fullRequestsPerS(const PreparedScenario& prepared) const noexcept
{
    std::optional<Serving> own, &full = m_record ? m_record->curve.full : own;
    if (!full)
        full = serveFull(prepared, m, memory, engine);
    return full->fullTokensPerS / answerTokens(prepared.inference);
}

PassCost Replica::drafts(const PreparedScenario& other, double prompts) const noexcept
{
    if (pool)
        return pool->drafts(other);
    return engine.drafter() ? engine.drafter()->prompts(other, onFullestRank(m, prompts)) : PassCost();
}

double Replica::promptsTime(const PreparedScenario& other, double prompts) const noexcept
{
    if (!m_record)
        return loadedPromptsTime(other, reader(), prompts, drafts(other, prompts));
    const InferenceWorkload& w = other.inference;
    auto& known = m_record->readings;
    const auto end = known.begin() + static_cast<std::ptrdiff_t>(m_record->readingCount);
    const auto same = std::find_if(known.begin(), end, [&](const ReplicaRecord::Reading& r) {
        return r.promptTokens == w.promptTokens && r.cachedTokens == w.prefixCachedTokens && r.prompts == prompts;
    });
    if (same != end)
        return same->seconds;
    const double seconds = loadedPromptsTime(other, reader(), prompts, drafts(other, prompts));
    if (end != known.end())
        known[m_record->readingCount++] = {w.promptTokens, w.prefixCachedTokens, prompts, seconds};
    return seconds;
}

} // namespace headroom::inference
