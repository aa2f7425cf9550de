// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/profile: from the events of a file to the profile of one device.
#pragma once

#include "core/profile/profile_reading.hpp"

#include <memory>

namespace headroom::profile
{

/// The profile of one device with what it was made from, while ranks are compared.
struct DeviceWork {
    std::shared_ptr<TraceEvents> trace;
    std::uint16_t device = 0;
    DeviceProfile profile;
};

/// Finds the steps, splits their time and adds up kernels and shapes. Fails where `step` is asked for and not there.
[[nodiscard]] std::optional<Diagnostic> makeProfile(DeviceWork& work, const std::optional<std::int64_t>& step);

/// Tells waiting from exchanging where the collectives of all devices go together one by one: the last to arrive waits
/// for nobody, so the shortest of them is the exchange. Changes the events of the traces; false where they do not
/// match.
bool markWaiting(std::vector<DeviceWork>& works);

} // namespace headroom::profile
