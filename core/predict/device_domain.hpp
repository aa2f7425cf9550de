// SPDX-License-Identifier: GPL-3.0-or-later
// The accelerators that meet without the network, the link that joins them, and that to their host.
#pragma once

namespace headroom
{

struct PreparedScenario;

/// Accelerators that share a link, and its rated bytes/s for each of them.
struct DeviceDomain {
    bool pcie = false; ///< the host's link
    double size = 1, link = 0;
};

/// Where `devices` of the scenario's accelerators meet: in the scale-up domain that its maker states or `per_node`
/// says. Cards without such a link meet on their host's, `/inference/links/pcie_domain` to a host, and so does a group
/// too large for a bridge between two cards. A device whose memory is the host's own is a host by itself.
[[nodiscard]] DeviceDomain domainOf(const PreparedScenario& prepared, double devices) noexcept;

/// Bytes/s of a device's link to its host, one way: as rated, or as usual where the catalogue knows none.
[[nodiscard]] double hostLinkRate(const PreparedScenario& prepared) noexcept;

} // namespace headroom
