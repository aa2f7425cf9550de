// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/request_mix.hpp"

namespace headroom
{

double RequestMix::meanPrompt() const noexcept
{
    double mean = 0;
    for (const RequestClass& c : classes())
        mean += c.share * static_cast<double>(c.promptTokens);
    return mean;
}

double RequestMix::meanOutput() const noexcept
{
    double mean = 0;
    for (const RequestClass& c : classes())
        mean += c.share * static_cast<double>(c.outputTokens);
    return mean;
}

} // namespace headroom
