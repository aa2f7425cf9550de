// SPDX-License-Identifier: GPL-3.0-or-later
// OtherMeasurement: what was measured with other settings than those that a scenario has by now, in words.
#pragma once

#include "core/calibration/calibration.hpp"
#include "core/catalog/catalog.hpp"
#include "core/scenario/scenario.hpp"

#include <memory>
#include <optional>
#include <string>

namespace headroom
{

struct OtherMeasurement {
    std::string settings; ///< what differs, as it was: "tensor parallel 8, sharding zero2"
    std::string figure;   ///< "MFU 38 %", "TPOT 23 ms"; empty where the run cannot be evaluated
    /// "Measured with tensor parallel 8, sharding zero2: MFU 38 %."
    [[nodiscard]] std::string sentence() const;
};

/// Empty where the scenario has no measurement, or one of its own settings.
[[nodiscard]] std::optional<OtherMeasurement> otherMeasurement(const Scenario& scenario, const Catalog& catalog,
                                                               std::shared_ptr<const Calibration> calibration);

} // namespace headroom
