// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_check.hpp"

#include "core/catalog/architecture_json.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// Collects the errors of one architecture.
class Checker final
{
public:
    Checker(const ModelArchitecture& m, std::string_view path, Diagnostics& diagnostics)
        : m_architecture(m), m_path(path), m_diagnostics(diagnostics)
    {
    }

    void all()
    {
        const ModelArchitecture& m = m_architecture;
        if (m.ffn == 0 && m.moe.experts == 0 && anyMlp())
            error("missing-key", "", said("'ffn' or 'moe' is missing"),
                  said("give the feed-forward width or the experts"));
        if (m.moe.experts > 0 && (m.moe.topK == 0 || m.moe.ffn == 0))
            error("missing-key", "/moe", said("'experts', 'top_k' and 'ffn' go together"));
        if (m.moe.topK > m.moe.experts)
            error("out-of-range", "/moe/top_k",
                  say("must not exceed the number of experts, {} (found {})", m.moe.experts, m.moe.topK));
        extras();
        if (m.customBlocks.empty())
            schedule();
        else
            customBlocks();
        if (m.mtp && m.mtp->layers > 0 && m.mtp->pattern.empty())
            layer("/mtp", m.mtp->mixer.empty() ? "full" : m.mtp->mixer, m.mtp->mlp.value_or(MlpKind::None));
    }

private:
    void error(std::string code, std::string_view below, std::string message, std::string hint = {})
    {
        Diagnostic d;
        d.code = std::move(code);
        d.path = std::string(m_path) + std::string(below);
        d.message = std::move(message);
        d.hint = std::move(hint);
        if (std::ranges::find(m_diagnostics, d) == m_diagnostics.end())
            m_diagnostics.push_back(std::move(d));
    }

    /// What is in a sum cannot be more than the sum.
    void extras()
    {
        const ModelArchitecture& m = m_architecture;
        const bool named = m.extraTables > 0 || m.extraMatrices > 0;
        if (named && m.extraTables + m.extraMatrices > m.extra)
            error("contradiction", "/extra",
                  say("must hold extra_tables and extra_matrices, {} together (found {})",
                      m.extraTables + m.extraMatrices, m.extra));
        if (m.extraMatricesPerLayer > m.extraPerLayer)
            error("contradiction", "/extra_per_layer",
                  say("must hold extra_matrices_per_layer, {} (found {})", m.extraMatricesPerLayer, m.extraPerLayer));
    }

    [[nodiscard]] bool anyMlp() const
    {
        return std::ranges::any_of(m_architecture.schedule, [](const LayerRun& run) {
            return std::ranges::any_of(run.segments, [](const LayerSegment& s) { return s.mlp != MlpKind::None; });
        });
    }

    void schedule()
    {
        double sum = 0;
        std::size_t index = 0;
        for (const LayerRun& run : m_architecture.schedule) {
            for (const LayerSegment& segment : run.segments) {
                sum += double(run.repeat) * double(segment.count);
                layer("/schedule/" + std::to_string(index), segment.mixer, segment.mlp);
            }
            ++index;
        }
        if (sum != double(m_architecture.layers))
            error("schedule-sum", "/schedule",
                  say("must sum to the number of layers, {} (found {:.0f})", m_architecture.layers, sum));
    }

    void customBlocks()
    {
        const auto& blocks = m_architecture.customBlocks;
        if (!blocks.empty() && static_cast<std::int64_t>(blocks.size()) != m_architecture.layers)
            error("schedule-sum", "/custom_blocks",
                  say("must have one entry for each layer, {} (found {})", m_architecture.layers, blocks.size()));
        std::size_t index = 0;
        for (const auto& block : blocks)
            layer("/custom_blocks/" + std::to_string(index++), block.first, MlpKind::None);
    }

    void layer(const std::string& below, std::string_view mixer, MlpKind mlp)
    {
        const ModelArchitecture& m = m_architecture;
        const bool dense = mlp == MlpKind::Dense || mlp == MlpKind::DenseDouble || mlp == MlpKind::DenseAndMoe;
        if (dense && m.ffn == 0 && m.moe.experts > 0)
            error("missing-key", "", said("'ffn' is missing"), said("the schedule has dense feed-forward layers"));
        if ((mlp == MlpKind::Moe || mlp == MlpKind::DenseAndMoe) && m.moe.experts == 0 && m.ffn > 0)
            error("missing-key", "", said("'moe' is missing"), said("the schedule has mixture-of-experts layers"));
        if (mixer == "none")
            return;
        if (mixer == "linear")
            linear();
        else if (mixer == "mamba")
            mamba();
        else
            attention(below, mixer);
    }

    void linear()
    {
        const LinearShape& l = m_architecture.linear;
        const bool complete = l.kind == LinearKind::GatedDeltaNet
                                  ? l.keyHeads > 0 && l.valueHeads > 0 && l.keyDim > 0 && l.valueDim > 0
                                  : l.heads > 0 && l.headDim > 0;
        if (!complete)
            error("missing-key", "/linear", said("the sizes of the linear layers are missing"),
                  said("gated_deltanet: key_heads, value_heads, key_dim, value_dim, conv; lightning, kda: heads, "
                       "head_dim"));
    }

    void mamba()
    {
        const MambaShape& s = m_architecture.mamba;
        if (s.inner == 0 || s.state == 0 || (s.version == 1 ? s.dtRank == 0 : s.heads == 0 || s.groups == 0))
            error(
                "missing-key", "/mamba", said("the sizes of the state-space layers are missing"),
                said("version 1: inner, state, dt_rank, conv; version 2: inner, state, heads, head_dim, groups, conv"));
    }

    void attention(const std::string& below, std::string_view mixer)
    {
        const ModelArchitecture& m = m_architecture;
        const bool known = mixer == "full" || mixer == "sliding" || mixer == "chunked" || mixer == "cross" ||
                           mixer.ends_with("_shared_index") || mixer.ends_with("_no_index") ||
                           m.attentionVariants.contains(std::string(mixer));
        const bool prefixed =
            mixer.starts_with("full") || mixer.starts_with("sliding") || mixer == "chunked" || mixer == "cross";
        if (!known || !prefixed)
            error("unknown-name", below, say("the mixer '{}' is not known", printable(mixer)),
                  said("full, sliding, chunked, cross, linear, mamba or none; full_x and sliding_x need an entry in "
                       "attention_variants"));
        if ((mixer.starts_with("sliding") || mixer == "chunked" || m.attention.kind == AttentionKind::Dsv4) &&
            m.sliding.window == 0)
            error("missing-key", "/sliding", said("'window' is missing: some layers see so many tokens only"),
                  said("layers without a limit are 'full'"));
        if (m.heads == 0 || m.kvHeads == 0)
            error("out-of-range", "/heads", said("must be at least 1: the model has attention layers"));
        else if (m.kvHeads > m.heads)
            error("out-of-range", "/kv_heads",
                  say("must not exceed the {} query heads (found {})", m.heads, m.kvHeads));
        const AttentionShape& a = m.attention;
        if (a.kind == AttentionKind::None)
            error("contradiction", "/attention/kind", said("is 'none', but the schedule has attention layers"));
        if (a.kind == AttentionKind::Mla && (a.mla.kvLoraRank == 0 || a.mla.qkNope == 0 || a.mla.vHeadDim == 0))
            error("missing-key", "/attention/mla",
                  said("latent attention needs kv_lora_rank, qk_nope, qk_rope, v_head_dim"));
        if (a.kind == AttentionKind::Dsv4 && (a.dsv4.qLoraRank == 0 || a.dsv4.oLoraRank == 0 || a.dsv4.oGroups == 0 ||
                                              a.dsv4.indexHeads == 0 || a.dsv4.indexHeadDim == 0))
            error("missing-key", "/attention/dsv4",
                  said("needs q_lora_rank, o_lora_rank, o_groups and the index sizes"));
    }

    const ModelArchitecture& m_architecture;
    std::string_view m_path;
    Diagnostics& m_diagnostics;
};

std::string defaultMixer(const ModelArchitecture& m)
{
    if (m.attention.kind == AttentionKind::None || m.heads == 0)
        return m.mamba.inner > 0 ? "mamba" : "none";
    if (m.sliding.window > 0)
        return m.sliding.chunked ? "chunked" : "sliding";
    return "full";
}

MlpKind defaultMlp(const ModelArchitecture& m)
{
    if (m.moe.experts > 0)
        return MlpKind::Moe;
    const bool pureStateSpace = m.mamba.inner > 0 && m.heads == 0 && m.ffn == 0;
    return pureStateSpace ? MlpKind::None : MlpKind::Dense;
}

} // namespace

void fillDefaults(ModelArchitecture& m, bool kindGiven)
{
    AttentionShape& a = m.attention;
    if (a.mla.kvLoraRank > 0 && !kindGiven)
        a.kind = AttentionKind::Mla;
    else if (m.heads == 0 && !kindGiven)
        a.kind = AttentionKind::None;
    if (m.kvHeads == 0)
        m.kvHeads = kindGiven && a.kind == AttentionKind::Mqa ? std::min<std::int64_t>(1, m.heads) : m.heads;
    if (a.kind == AttentionKind::Mla) {
        m.headDim = a.mla.qkNope + a.mla.qkRope; // config files carry other values here, which mean nothing
        m.vHeadDim = a.mla.vHeadDim;
    } else if (m.headDim == 0 && m.heads > 0 && m.hidden % m.heads == 0) {
        m.headDim = m.hidden / m.heads;
    }
    if (!kindGiven && a.kind == AttentionKind::Gqa && m.heads > 0)
        a.kind = m.kvHeads == m.heads ? AttentionKind::Mha : m.kvHeads == 1 ? AttentionKind::Mqa : AttentionKind::Gqa;
    a.heads = m.heads;
    a.kvHeads = m.kvHeads;
    a.headDim = m.headDim;
    a.vHeadDim = m.vHeadDim;
    if (m.schedule.empty() && m.customBlocks.empty())
        m.schedule = {LayerRun{1, {LayerSegment{m.layers, defaultMixer(m), defaultMlp(m)}}}};
    else if (m.schedule.empty())
        for (const auto& block : m.customBlocks)
            m.schedule.push_back(LayerRun{1, {LayerSegment{1, block.first, MlpKind::None}}});
}

void noteAssumptions(ModelArchitecture& m)
{
    const std::string note = said("learned positions are not counted: max_context, their number, is not known");
    std::erase(m.warnings, note);
    if (m.position == PositionKind::Learned && m.maxContext == 0)
        m.warnings.push_back(note);
}

void checkArchitecture(const ModelArchitecture& architecture, std::string_view path, Diagnostics& diagnostics)
{
    const bool latent = architecture.attention.kind == AttentionKind::Mla; // its width follows from attention.mla
    const bool divides = architecture.heads == 0 || architecture.headDim > 0 || latent;
    if (!divides) {
        Diagnostic d;
        d.code = "missing-key";
        d.path = std::string(path);
        d.message = say("'head_dim' is missing: {} hidden does not divide by {} heads", architecture.hidden,
                        architecture.heads);
        diagnostics.push_back(std::move(d));
        return;
    }
    Checker(architecture, path, diagnostics).all();
}

double customBlockParameters(const ModelArchitecture& m)
{
    const double h = double(m.hidden);
    double sum = 0;
    for (const auto& [mixer, width] : m.customBlocks)
        sum += (m.gated ? 3 : 2) * h * double(width) - ((mixer == "none" ? h : 0) + (width == 0 ? h : 0));
    return sum;
}

void resizeLayers(ModelArchitecture& m)
{
    m.schedule = resizedSchedule(m.schedule, m.layers);
    const std::size_t wanted = static_cast<std::size_t>(m.layers), cycle = m.customBlocks.size();
    if (cycle == 0)
        return;
    while (m.customBlocks.size() < wanted)
        m.customBlocks.push_back(m.customBlocks[m.customBlocks.size() - cycle]);
    m.customBlocks.resize(wanted);
    m.schedule.clear();
}

} // namespace headroom
