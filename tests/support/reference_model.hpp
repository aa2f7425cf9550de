// SPDX-License-Identifier: GPL-3.0-or-later
// Reference model: a second, slow, literal reading of the published formulas for plain transformers. Written from the
// papers, straight from the architecture's own numbers; shares no code with core beyond that plain struct.
#pragma once

#include "core/model/model_architecture.hpp"

namespace headroom::test::reference
{

/// Weights of the matrices that one token meets, layer by layer, one matrix at a time: grouped-query attention, gated
/// or plain feed-forward, or routed experts with their router; the output head. No norms, biases, embedding.
[[nodiscard]] double multipliedWeights(const ModelArchitecture& model);
/// The routers' part of the above.
[[nodiscard]] double routerWeights(const ModelArchitecture& model);
/// Every parameter a token can meet, both embeddings in, k of E experts.
[[nodiscard]] double activeParameters(const ModelArchitecture& model);

/// Forward FLOP of a whole sequence in the two attention matmuls, query by query: each sees the keys up to its own
/// place, no further back than `window` (0 = no window). One layer.
[[nodiscard]] double causalAttentionFlop(const ModelArchitecture& model, long sequence, long window);

/// 6·N + 12·L·H·Q·T (PaLM, appendix B).
[[nodiscard]] double palmFlopPerToken(const ModelArchitecture& model, double sequence);
/// 72·B·s·L·h²·(1 + s/(6h) + V/(12·L·h)) over B·s tokens (Megatron-LM 2021, equation 3): MHA, f = 4h, head once.
[[nodiscard]] double megatronFlopPerToken(const ModelArchitecture& model, double sequence);

/// s·b·h·(10 + 24/t + 5·a·s/(h·t)) and its variants (Korthikanti and others 2022, table 2), bytes a layer; 16 bit, GPT.
[[nodiscard]] double korthikantiNone(double tokens, double hidden, double heads, double sequence, double tensor);
[[nodiscard]] double korthikantiSequenceParallelSelective(double tokens, double hidden, double tensor);

} // namespace headroom::test::reference
