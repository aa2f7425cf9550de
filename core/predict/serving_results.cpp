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
    if (even)
        return meanS > 0 ? share * std::max(0.0, 1 - waited / (2 * meanS)) : 0;
    return meanS > 0 ? share * std::exp(-waited / meanS) : 0;
}

double WaitTail::quantile(double late) const noexcept
{
    if (!(share > late))
        return 0;
    return std::max(0.0, meanS * (even ? 2 * (1 - late / share) : std::log(share / late)) - countedS);
}

} // namespace headroom
