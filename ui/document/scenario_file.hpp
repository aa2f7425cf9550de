// SPDX-License-Identifier: GPL-3.0-or-later
// readScenarioFile(): a scenario from a file of the user's.
#pragma once

#include "core/scenario/scenario_json.hpp"

#include <QString>

namespace headroom::ui
{

/// Reads no more of a file than a scenario may hold. Fails with unreadableFile (files.hpp), or as readScenario() does.
[[nodiscard]] Expected<ScenarioReading> readScenarioFile(const QString& path, const Catalog& catalog);

} // namespace headroom::ui
