// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_file.hpp"

#include "ui/platform/files.hpp"

namespace headroom::ui
{

Expected<ScenarioReading> readScenarioFile(const QString& path, const Catalog& catalog)
{
    const auto bytes = readFile(path, beyondAnyScenario);
    if (!bytes)
        return tl::unexpected(bytes.error());
    return readScenario(toView(*bytes), catalog);
}

} // namespace headroom::ui
