// SPDX-License-Identifier: GPL-3.0-or-later
// What a driver calls a device, beside the catalogue's accelerators.
#pragma once

#include "core/catalog/accelerator.hpp"

#include <string_view>

namespace headroom
{

/// Whether a device's name ("NVIDIA H100 80GB HBM3") is that of another chip than the accelerator's; false where that
/// cannot be told.
[[nodiscard]] bool namesOtherDevice(std::string_view device, const Accelerator& accelerator);

} // namespace headroom
