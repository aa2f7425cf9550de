// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pipeline_layout.hpp"

#include <algorithm>
#include <limits>

namespace headroom
{

PipelineLayout::PipelineLayout(const ModelProfile& model, double stages, double chunks) noexcept
    : m_model(&model), m_stages(std::size_t(std::max(1.0, stages))),
      m_pieces(m_stages * std::size_t(std::max(1.0, chunks)))
{
    const auto all = std::size_t(model.layers), predicting = std::size_t(model.predictionLayers);
    const std::size_t heads = predicting + 1;
    if (predicting > 0 && m_pieces > 1 && (all + heads) % m_pieces == 0 &&
        (all + heads) / m_pieces >= heads + predicting) {
        m_lessLast = heads;
        m_each = (all + heads) / m_pieces;
    } else if (m_pieces > 1 && all % m_pieces != 0 && (all + 2) % m_pieces == 0) {
        m_lessFirst = m_lessLast = 1;
        m_each = (all + 2) / m_pieces;
    } else {
        m_each = all / m_pieces;
        m_extra = all % m_pieces;
        m_uneven = m_extra > 0;
    }
    const std::size_t chunksOfStage = m_pieces / m_stages;
    m_usual = double(chunksOfStage * m_each);
    m_oneKind = model.kinds.size() == 1;
    // Equal stages of equal layers: the first is as heavy as any.
    if (m_stages == 1 || (m_oneKind && !m_uneven && m_lessLast == 0)) {
        m_equal = model.layers / double(m_stages);
        return;
    }
    if (m_oneKind && m_lessLast > 0) { // all but the ends are as heavy
        m_heaviest = m_stages > 2 ? 1 : 0;
        return;
    }
    if (!m_oneKind)
        tabulate();
    double most = 0;
    for (std::size_t s = 0; s < m_stages; ++s) {
        if (const double here = parameters(s); here > most) {
            most = here;
            m_heaviest = s;
        }
    }
}

std::size_t PipelineLayout::begin(std::size_t c) const noexcept
{
    if (m_lessLast > 0)
        return c == 0 ? 0 : c * m_each - m_lessFirst - (c == m_pieces ? m_lessLast : 0);
    // The pieces with one layer more are the m_extra before the last one.
    const std::size_t firstExtra = m_pieces - 1 - m_extra;
    return c * m_each + std::min(m_extra, c > firstExtra ? c - firstExtra : 0);
}

std::size_t PipelineLayout::alike(std::size_t stage) const noexcept
{
    if (stage == 0 || stage >= last())
        return 1;
    if (m_equal > 0 || (m_lessLast > 0 && m_oneKind))
        return last() - stage;
    std::size_t count = last() - stage;
    if (m_tabled) {
        const std::size_t kinds = m_model->kinds.size();
        const unsigned char* const row = m_table.data() + stage * kinds;
        std::size_t same = 1;
        while (same < count && std::equal(row, row + kinds, row + same * kinds))
            ++same;
        return same;
    }
    const auto heed = [&](const auto& layersOn) {
        const double here = layersOn(stage);
        std::size_t same = 1;
        while (same < count && layersOn(stage + same) == here)
            ++same;
        count = same;
    };
    heed([&](std::size_t s) { return layers(s); });
    for (std::size_t k = 0; k + 1 < m_model->kinds.size(); ++k) // of the last kind are all others
        heed([&](std::size_t s) { return layers(s, k); });
    return count;
}

double PipelineLayout::extraPieces(std::size_t stage) const noexcept
{
    // Of the pieces before `c`, those on this stage.
    const auto before = [&](std::size_t c) { return (c + last() - stage) / m_stages; };
    return double(before(m_pieces - 1) - before(m_pieces - 1 - m_extra));
}

double PipelineLayout::counted(std::size_t stage, std::size_t kind) const noexcept
{
    std::ptrdiff_t sum = 0;
    const auto first = m_model->order.begin();
    for (std::size_t c = stage; c < m_pieces; c += m_stages)
        sum += std::count(first + std::ptrdiff_t(begin(c)), first + std::ptrdiff_t(begin(c + 1)), kind);
    return double(sum);
}

void PipelineLayout::tabulate() noexcept
{
    const std::size_t kinds = m_model->kinds.size();
    if (m_stages * kinds > m_table.size() || m_model->order.size() > std::numeric_limits<unsigned char>::max())
        return;
    m_table.fill(0);
    for (std::size_t c = 0, layer = 0; c < m_pieces; ++c) {
        unsigned char* const row = m_table.data() + c % m_stages * kinds;
        for (const std::size_t end = begin(c + 1); layer < end; ++layer)
            ++row[m_model->order[layer]];
    }
    m_tabled = true;
}

void PipelineLayout::count(std::size_t stage, std::span<double> counts) const noexcept
{
    if (!mixed()) {
        for (std::size_t k = 0; k < counts.size(); ++k)
            counts[k] = layers(stage, k);
        return;
    }
    std::ranges::fill(counts, 0.0);
    for (std::size_t c = stage; c < m_pieces; c += m_stages)
        for (std::size_t layer = begin(c), end = begin(c + 1); layer < end; ++layer)
            ++counts[m_model->order[layer]];
}

double PipelineLayout::most(std::span<const double> perLayer, double onLast) const noexcept
{
    double most = 0;
    for (std::size_t stage = 0; stage < m_stages; ++stage) {
        double sum = stage == last() ? onLast : 0;
        if (mixed()) {
            for (std::size_t c = stage; c < m_pieces; c += m_stages)
                for (std::size_t layer = begin(c), end = begin(c + 1); layer < end; ++layer)
                    sum += perLayer[m_model->order[layer]];
        } else {
            for (std::size_t k = 0; k < perLayer.size(); ++k)
                sum += layers(stage, k) * perLayer[k];
        }
        most = std::max(most, sum);
    }
    return most;
}

double PipelineLayout::mostLayers() const noexcept
{
    if (m_equal > 0)
        return m_equal;
    if (m_extra > 0) { // pieces that follow one another: no stage has more than one beyond another's
        const auto more = (m_extra + m_stages - 1) / m_stages; // whole layers
        return m_usual + double(more);
    }
    return m_lessFirst > 0 && m_stages == 2 ? m_usual - 1 : m_usual; // of two stages each has an end
}

double PipelineLayout::parameters(std::size_t stage) const noexcept
{
    double sum = 0;
    for (std::size_t k = 0; k < m_model->kinds.size(); ++k)
        sum += layers(stage, k) * m_model->kinds[k].parameters;
    return sum;
}

} // namespace headroom
