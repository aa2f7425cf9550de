// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/evaluate.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/support/language.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

using namespace inference;

std::string_view remainderName(TimePart part)
{
    switch (part) {
    case TimePart::Host:
        return phrase("host");
    case TimePart::PrefillInterference:
        return phrase("prompts of newcomers");
    case TimePart::PipelineSend:
        return phrase("pipeline send");
    default:
        return phrase("uneven pipeline stages");
    }
}

/// Operators of one name and part in one row: layer kinds differ in size only.
void merge(std::vector<OperatorCost>& rows)
{
    std::vector<OperatorCost> merged;
    for (OperatorCost& row : rows) {
        const auto same = std::ranges::find_if(
            merged, [&](const OperatorCost& other) { return other.name == row.name && other.part == row.part; });
        if (same == merged.end()) {
            merged.push_back(std::move(row));
            continue;
        }
        same->flop += row.flop;
        same->bytes += row.bytes;
        same->timeS += row.timeS;
    }
    rows = std::move(merged);
}

} // namespace

std::vector<OperatorCost> inferenceOperatorCosts(const PreparedScenario& p)
{
    const Machine m = makeMachine(p, p.efficiency.base == EfficiencyBase::Ideal);
    const Serving v = serve(p, m, planMemory(p, m));
    std::vector<OperatorCost> rows = passOperators(m, p, decodeShape(m, v.batch));
    merge(rows);
    for (OperatorCost& row : rows) {
        row.timeS *= m.profile.decode / m.speculation.tokens;
        row.flop /= m.speculation.tokens;
        row.bytes /= m.speculation.tokens;
    }
    if (const double draftS = v.time[static_cast<std::size_t>(TimePart::Draft)]; draftS > 0) {
        const Drafter drafter(p, m);
        const double passes = m.speculation.passes / m.speculation.tokens;
        rows.push_back({std::string(phrase("draft passes")), TimePart::Draft,
                        passes * drafter.flops(m.contexts, v.batch) / m.sizes.devices(),
                        passes * drafter.bytes(m.contexts, v.batch), draftS, m.plain.precision});
    }
    // What no kernel accounts for gets a row of its own, so that each part adds up to the breakdown.
    for (std::size_t i = 0; i < v.time.size() && !m.ideal; ++i) {
        const auto part = static_cast<TimePart>(i);
        double listed = 0;
        for (const OperatorCost& row : rows)
            listed += row.part == part ? row.timeS : 0;
        if (v.time[i] - listed > 1e-9 * v.tpotS)
            rows.push_back({std::string(remainderName(part)), part, 0, 0, v.time[i] - listed, m.plain.precision});
    }
    return rows;
}

} // namespace headroom
