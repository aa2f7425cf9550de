// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/device_domain.hpp"

#include "core/predict/evaluate.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom
{

DeviceDomain domainOf(const PreparedScenario& p, double devices) noexcept
{
    const Accelerator& a = *p.accelerator;
    const InferenceLinkConstants& l = p.calibration->inference.links;
    const bool bridge = a.scaleUpDomain == 2 && devices > 2;
    DeviceDomain d;
    d.pcie = a.scaleUpGbPerS <= 0 || bridge;
    d.link = d.pcie ? hostLinkRate(p) : a.scaleUpGbPerS * giga;
    const double onHost = a.unifiedMemory ? 1 : l.pcieDomain;
    const double rated = d.pcie ? onHost : static_cast<double>(a.scaleUpDomain);
    d.size = std::max(1.0, p.hardware.perNode ? static_cast<double>(*p.hardware.perNode) : rated);
    return d;
}

double hostLinkRate(const PreparedScenario& p) noexcept
{
    const double rated = p.accelerator->hostLinkGbPerS * giga;
    return rated > 0 ? rated : p.calibration->inference.links.defaultHostLink;
}

} // namespace headroom
