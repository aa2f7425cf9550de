// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/utilization.hpp"
// PLACEHOLDER, replaced by the training work. The table is real.
namespace headroom {
const std::array<ConventionRow, conventionCount>& conventionTable()
{
    static constexpr std::array<ConventionRow, conventionCount> table{{
        {Convention::Standard, "standard", "Standard", "6·M + 3·core(s)", "torchtitan since embeddings are excluded, nanotron, MaxText before mid 2025", false},
        {Convention::SixN, "six_n", "6·N", "6·N", "quick estimates", false},
        {Convention::Palm, "palm", "PaLM", "6·N + 12·L·q·d·s", "PaLM appendix B, torchtitan before embeddings were excluded", false},
        {Convention::Causal, "causal", "Causal", "6·M + 3·core(s/2)", "FlashAttention papers, MaxText since mid 2025", true},
        {Convention::Megatron, "megatron", "Megatron", "6·(M − R) + 3·core(s)", "Megatron-LM until 2024, NeMo pre-training pages", false},
        {Convention::MegatronCausal, "megatron_causal", "Megatron, causal", "6·(M − R) + 3·core(s/2)", "Megatron-Core from 2025, Megatron-Bridge", true},
        {Convention::Sc21, "sc21", "Megatron 2021", "72·L·h²·(1 + s/(6h)) + 6·h·V", "Megatron 2021 papers, InternEvo", false},
        {Convention::Matmul, "matmul", "Matmul weights", "6·M", "fine-tuning pages with short packed samples", true},
        {Convention::Palm43, "palm_4_3", "PaLM, HFU 4/3", "6·N + 12·L·q·d·s", "llm-foundry, fms-fsdp", false},
        {Convention::Exact, "exact", "Exact, causal", "6·M + 3·core((s+1)/2)", "the honest comparison", true},
    }};
    return table;
}
const ConventionRow& conventionRow(Convention c) { return conventionTable()[static_cast<std::size_t>(c)]; }
double attentionCoreFlopPerToken(const ModelProfile&, double, KeyCount) { return 0; }
double modelFlopPerToken(const ModelProfile&, Convention, const TrainingCount&) { return 0; }
double hardwareFlopPerToken(const ModelProfile&, Convention, const TrainingCount&) { return 0; }
double forwardFlopPerToken(const ModelProfile&, Convention, double) { return 0; }
double loraParameters(const ModelProfile&, double, LoraTargets) { return 0; }
} // namespace headroom
