// SPDX-License-Identifier: GPL-3.0-or-later
// readScenarioFile(): a scenario from a file of the user's.
#pragma once

#include "core/scenario/scenario_json.hpp"

#include <QString>

namespace headroom::ui
{

/// More than readScenario() takes: 1 MiB, and 16 MiB with a model's config.json in it. It then says so.
inline constexpr qint64 beyondAnyScenario = (16 << 20) + 1;

/// Reads no more of a file than a scenario may hold. Fails with unreadableFile (files.hpp), or as readScenario() does.
[[nodiscard]] Expected<ScenarioReading> readScenarioFile(const QString& path, const Catalog& catalog);

} // namespace headroom::ui
