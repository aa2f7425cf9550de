// SPDX-License-Identifier: GPL-3.0-or-later
// PipelineLayout: which layers of a model lie on which stage of a pipeline; for training and for serving.
#pragma once

#include "core/model/model_profile.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace headroom
{

/// `stages` stages of `chunks` pieces each; piece c lies on stage c mod stages (interleaved where chunks > 1).
///
/// Pieces are equal where the layers divide by them. Where layers + 2 divide by them, embedding and head take a layer's
/// place each, so the first piece and the last have one layer less (Megatron-LM, account for embedding and loss in the
/// pipeline split). Otherwise some pieces have one layer more than the others: those before the last piece, which has
/// the head (vLLM, get_pp_indices).
/// Layers that predict further tokens lie on the last piece, which runs the head once more for each. Where these heads
/// and the model's own make up for layers, the last piece has so many less, and nothing is uneven (the layouts of
/// Megatron Bridge's recipe for DeepSeek-V3: 16 pieces of 4, of which the last has one layer, mtp and loss).
class PipelineLayout final
{
public:
    PipelineLayout() = default;
    /// Both at least 1, whole numbers. The model must outlive the layout.
    PipelineLayout(const ModelProfile& model, double stages, double chunks = 1) noexcept;

    [[nodiscard]] std::size_t stages() const noexcept { return m_stages; }
    [[nodiscard]] std::size_t last() const noexcept { return m_stages - 1; }
    /// The stage with the most weights in its layers, the earliest of several.
    [[nodiscard]] std::size_t heaviest() const noexcept { return m_heaviest; }
    /// Some pieces have a layer more than others, and no embedding or head makes up for it.
    [[nodiscard]] bool uneven() const noexcept { return m_uneven; }

    /// Layers on one stage, of all kinds and of one (by its index in ModelProfile::kinds).
    [[nodiscard]] double layers(std::size_t stage) const noexcept { return m_equal > 0 ? m_equal : counted(stage); }
    [[nodiscard]] double layers(std::size_t stage, std::size_t kind) const noexcept
    {
        if (m_stages == 1)
            return m_model->kinds[kind].count;
        if (m_oneKind)
            return layers(stage);
        return m_tabled ? m_table[stage * m_model->kinds.size() + kind] : counted(stage, kind);
    }
    /// Layers of every kind on one stage, counted in one walk; `counts` has a place for each kind.
    void count(std::size_t stage, std::span<double> counts) const noexcept;
    /// The most that lies on any stage of what a layer of each kind has (`perLayer`, by its index in
    /// ModelProfile::kinds), with `onLast` beside the layers of the last.
    [[nodiscard]] double most(std::span<const double> perLayer, double onLast = 0) const noexcept;
    /// Layers are of several kinds and lie on several stages: which stage has most of anything, their number alone
    /// does not say.
    [[nodiscard]] bool mixed() const noexcept { return m_stages > 1 && !m_oneKind; }
    /// Stages from this one on that hold the same layers as it, and neither embedding nor head; at least 1.
    [[nodiscard]] std::size_t alike(std::size_t stage) const noexcept;
    /// Layers of the stage that has most.
    [[nodiscard]] double mostLayers() const noexcept;

private:
    [[nodiscard]] double counted(std::size_t stage) const noexcept
    {
        if (m_extra > 0)
            return m_usual + extraPieces(stage);
        return m_usual - double((stage == 0 ? m_lessFirst : 0) + (stage == last() ? m_lessLast : 0));
    }
    /// Pieces on a stage that have one layer more.
    [[nodiscard]] double extraPieces(std::size_t stage) const noexcept;
    [[nodiscard]] double counted(std::size_t stage, std::size_t kind) const noexcept;
    /// Counts the layers of every stage and kind in one walk, where there is room for them.
    void tabulate() noexcept;
    /// Layers before piece `c`.
    [[nodiscard]] std::size_t begin(std::size_t c) const noexcept;
    /// Parameters in the layers of one stage.
    [[nodiscard]] double parameters(std::size_t stage) const noexcept;

    const ModelProfile* m_model = nullptr;
    std::size_t m_stages = 1, m_pieces = 1, m_heaviest = 0;
    double m_usual = 0;      ///< layers of a stage whose pieces all have m_each
    std::size_t m_each = 0;  ///< layers of a piece, at least
    std::size_t m_extra = 0; ///< pieces with one more
    double m_equal = 0;      ///< layers of every stage where all hold as many, of one kind or on one stage; else 0
    /// Layers that the first piece and the last have less than m_each, for embedding and heads.
    std::size_t m_lessFirst = 0, m_lessLast = 0;
    bool m_uneven = false;
    bool m_oneKind = false; ///< all layers are alike
    bool m_tabled = false;  ///< m_table holds the layers of stage s and kind k at s · kinds + k
    /// 21 stages of three kinds; an evaluation asks for each some ten times. Only where m_tabled: every plan has one.
    std::array<unsigned char, 64> m_table;
};

} // namespace headroom
