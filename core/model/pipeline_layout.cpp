// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pipeline_layout.hpp"

#include <algorithm>

namespace headroom
{

PipelineLayout::PipelineLayout(const ModelProfile& model, double stages, double chunks) noexcept
    : m_model(&model), m_stages(std::size_t(std::max(1.0, stages))),
      m_pieces(m_stages * std::size_t(std::max(1.0, chunks)))
{
    const auto all = std::size_t(model.layers);
    if (m_pieces > 1 && all % m_pieces != 0 && (all + 2) % m_pieces == 0) {
        m_ends = true;
        m_each = (all + 2) / m_pieces;
    } else {
        m_each = all / m_pieces;
        m_extra = all % m_pieces;
        m_uneven = m_extra > 0;
    }
    // Equal stages of equal layers: the first is as heavy as any.
    if (m_stages == 1 || (model.kinds.size() == 1 && !m_uneven && !m_ends))
        return;
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
    if (m_ends)
        return c == 0 ? 0 : c * m_each - 1 - (c == m_pieces ? 1 : 0);
    // The pieces with one layer more are the m_extra before the last one.
    const std::size_t firstExtra = m_pieces - 1 - m_extra;
    return c * m_each + std::min(m_extra, c > firstExtra ? c - firstExtra : 0);
}

double PipelineLayout::layers(std::size_t stage) const noexcept
{
    if (m_stages == 1)
        return m_model->layers;
    std::size_t sum = 0;
    for (std::size_t c = stage; c < m_pieces; c += m_stages)
        sum += begin(c + 1) - begin(c);
    return double(sum);
}

double PipelineLayout::layers(std::size_t stage, std::size_t kind) const noexcept
{
    if (m_stages == 1)
        return m_model->kinds[kind].count;
    if (m_model->kinds.size() == 1)
        return layers(stage);
    std::ptrdiff_t sum = 0;
    const auto first = m_model->order.begin();
    for (std::size_t c = stage; c < m_pieces; c += m_stages)
        sum += std::count(first + std::ptrdiff_t(begin(c)), first + std::ptrdiff_t(begin(c + 1)), kind);
    return double(sum);
}

double PipelineLayout::mostLayers() const noexcept
{
    double most = 0;
    for (std::size_t s = 0; s < m_stages; ++s)
        most = std::max(most, layers(s));
    return most;
}

double PipelineLayout::parameters(std::size_t stage) const noexcept
{
    double sum = 0;
    for (std::size_t k = 0; k < m_model->kinds.size(); ++k)
        sum += layers(stage, k) * m_model->kinds[k].parameters;
    return sum;
}

} // namespace headroom
