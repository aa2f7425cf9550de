// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/serving_results.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{

double WaitTail::beyond(double seconds) const noexcept
{
    const double waited = seconds + countedS;
    if (waited < 0) // no wait is as short
        return 1;
    if (soonest > 0)
        return meanS > 0 ? share * std::pow(std::max(0.0, 1 - waited / ((soonest + 1) * meanS)), soonest) : 0;
    return meanS > 0 ? share * std::exp(-waited / meanS) : 0;
}

double WaitTail::quantile(double late) const noexcept
{
    if (!(share > late))
        return 0;
    const double means =
        soonest > 0 ? (soonest + 1) * (1 - std::pow(late / share, 1 / soonest)) : std::log(share / late);
    return std::max(0.0, meanS * means - countedS);
}

} // namespace headroom
