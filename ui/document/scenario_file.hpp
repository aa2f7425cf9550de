// SPDX-License-Identifier: GPL-3.0-or-later
// readScenarioFile(): a scenario from a file of the user's.
#pragma once

#include "core/scenario/scenario_json.hpp"

#include <QString>

namespace headroom::ui
{

/// The code of a file that cannot be opened or read.
inline constexpr const char* unreadableFile = "unreadable";

/// Reads no more of a file than a scenario may hold. Fails with unreadableFile, or as readScenario() does.
[[nodiscard]] Expected<ScenarioReading> readScenarioFile(const QString& path, const Catalog& catalog);

} // namespace headroom::ui
