// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf_import_json.hpp"

#include "core/catalog/architecture_json.hpp"
#include "core/catalog/hf_quantization.hpp"
#include "core/model/model_profile.hpp"
#include "core/units/format.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

std::string row(std::string_view label, const std::string& value)
{
    return fmt::format("{:<14}{}\n", label, value);
}

/// "8,030,261,248 (8.03 B)": exact, and as people say it.
std::string countText(double count)
{
    const std::string digits = fmt::format("{:.0f}", count);
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            grouped += ',';
        grouped += digits[i];
    }
    return fmt::format("{} ({})", grouped, formatText(count, ValueFormat::Parameters));
}

std::string attentionText(const ModelArchitecture& m)
{
    if (m.heads == 0)
        return "none";
    if (m.attention.kind == AttentionKind::Mla)
        return fmt::format("{} heads, latent of {} + {} values", m.heads, m.attention.mla.kvLoraRank,
                           m.attention.mla.qkRope);
    std::string text = fmt::format("{} heads of {}, {} for keys and values", m.heads, m.headDim, m.kvHeads);
    if (m.sliding.window > 0)
        text += fmt::format(", window {}{}", m.sliding.window, m.sliding.chunked ? " (chunks)" : "");
    return text;
}

std::string expertsText(const MoeShape& moe)
{
    std::string text = fmt::format("{} of {}, width {}", moe.topK, moe.experts, moe.ffn);
    if (moe.sharedFfn > 0)
        text += fmt::format(", shared width {}", moe.sharedFfn);
    return text;
}

std::string quantizationText(const Quantization& q)
{
    std::string text = q.method;
    if (!q.algorithm.empty())
        text += " " + q.algorithm;
    const double bits = storedBitsPerWeight(q);
    text += bits > 0 ? fmt::format(", {:.4g} bits per weight with scales", bits) : ", bits unknown";
    for (const auto& [part, own] : {std::pair{"attention", q.attentionBits},
                                    {"feed-forward", q.denseBits},
                                    {"experts", q.expertBits},
                                    {"output head", q.headBits},
                                    {"embedding", q.embedBits}})
        if (own > 0)
            text += fmt::format(", {} {:.4g}", part, own);
    return text;
}

} // namespace

std::string hfImportJson(const HfImport& imported, int indent)
{
    const ParameterCounts counts = countParameters(imported.architecture);
    const auto whole = [](double count) { return static_cast<std::int64_t>(count); };
    nlohmann::ordered_json json;
    json["architecture"] = writeArchitecture(imported.architecture);
    json["parameters"] = {{"total", whole(counts.total)},
                          {"active", whole(counts.active)},
                          {"active_no_input_embedding", whole(counts.activeNoInputEmbedding)},
                          {"non_embedding", whole(counts.nonEmbedding)},
                          {"matmul", whole(counts.matmul)},
                          {"matmul_active", whole(counts.matmulActive)},
                          {"mtp", whole(counts.mtp)}};
    json["exact"] = imported.exact;
    json["active_definition"] = imported.activeDefinition;
    json["warnings"] = imported.architecture.warnings;
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string hfImportText(const HfImport& imported)
{
    const ModelArchitecture& m = imported.architecture;
    const ParameterCounts counts = countParameters(m);
    std::string text = row("model", fmt::format("{} ({}, model_type {})", m.name, m.family, m.modelType));
    text += row("layers", std::to_string(m.layers));
    text += row("hidden", std::to_string(m.hidden));
    text += row("attention", attentionText(m));
    if (m.ffn > 0)
        text += row("feed-forward", fmt::format("{}{}", m.ffn, m.gated ? ", gated" : ""));
    if (m.moe.experts > 0)
        text += row("experts", expertsText(m.moe));
    text += row("vocabulary", fmt::format("{}{}", m.vocab, m.tied ? ", tied to the output head" : ""));
    if (m.maxContext > 0)
        text += row("context", std::to_string(m.maxContext));
    if (m.quantization)
        text += row("stored as", quantizationText(*m.quantization));
    text += row("parameters", countText(counts.total));
    if (counts.active != counts.total)
        text += row("active", countText(counts.active));
    if (counts.mtp > 0)
        text += row("prediction", countText(counts.mtp) + " besides, for multi-token prediction");
    text += row("counted", imported.exact ? "exactly; " + imported.activeDefinition
                                          : "as Llama-like, which may be off; " + imported.activeDefinition);
    return text;
}

} // namespace headroom
