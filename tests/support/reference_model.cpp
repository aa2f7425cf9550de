// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reference_model.hpp"

#include <algorithm>

namespace headroom::test::reference
{
namespace
{

double attentionWeights(const ModelArchitecture& m)
{
    const double query = double(m.hidden) * double(m.heads) * double(m.headDim);
    const double key = double(m.hidden) * double(m.kvHeads) * double(m.headDim);
    return query + key + key + query; // q, k, v, output
}

double feedForwardWeights(const ModelArchitecture& m, double width)
{
    const double up = double(m.hidden) * width;
    return m.gated ? up + up + up : up + up;
}

} // namespace

double routerWeights(const ModelArchitecture& m)
{
    return m.moe.experts > 0 ? double(m.layers) * double(m.hidden) * double(m.moe.experts) : 0;
}

double multipliedWeights(const ModelArchitecture& m)
{
    double sum = 0;
    for (long layer = 0; layer < m.layers; ++layer) {
        sum += attentionWeights(m);
        if (m.moe.experts > 0)
            for (long expert = 0; expert < m.moe.topK; ++expert)
                sum += feedForwardWeights(m, double(m.moe.ffn));
        else
            sum += feedForwardWeights(m, double(m.ffn));
    }
    return sum + routerWeights(m) + double(m.hidden) * double(m.vocab);
}

double activeParameters(const ModelArchitecture& m)
{
    const double norm = (m.norm == NormKind::LayerNorm ? 2.0 : 1.0) * double(m.hidden);
    double sum = multipliedWeights(m);
    sum += double(m.layers) * double(m.normsPerLayer) * norm + norm;
    if (!m.tied)
        sum += double(m.hidden) * double(m.vocab);
    if (m.position == PositionKind::Learned)
        sum += double(m.maxContext) * double(m.hidden);
    if (m.mlpBias)
        sum += double(m.layers) * (double(m.ffn) + double(m.hidden));
    if (m.attention.qkvBias)
        sum += double(m.layers) * double(m.headDim) * double(m.heads + 2 * m.kvHeads);
    if (m.attention.outBias)
        sum += double(m.layers) * double(m.hidden);
    return sum;
}

double causalAttentionFlop(const ModelArchitecture& m, long sequence, long window)
{
    double flop = 0;
    for (long query = 1; query <= sequence; ++query) {
        const long keys = window > 0 ? std::min(query, window) : query;
        const double scores = 2 * double(m.heads) * double(m.headDim) * double(keys);
        flop += scores + scores; // q·k, then weights·v
    }
    return flop;
}

double palmFlopPerToken(const ModelArchitecture& m, double sequence)
{
    return 6 * activeParameters(m) + 12 * double(m.layers) * double(m.heads) * double(m.headDim) * sequence;
}

double megatronFlopPerToken(const ModelArchitecture& m, double s)
{
    const double l = double(m.layers), h = double(m.hidden), v = double(m.vocab);
    return 72 * l * h * h * (1 + s / (6 * h) + v / (12 * l * h));
}

double korthikantiNone(double tokens, double h, double a, double s, double t)
{
    return tokens * h * (10 + 24 / t + 5 * a * s / (h * t));
}

double korthikantiSequenceParallelSelective(double tokens, double h, double t)
{
    return tokens * h * 34 / t;
}

} // namespace headroom::test::reference
