// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_file.hpp"

#include "ui/platform/files.hpp"

namespace headroom::ui
{

Expected<ScenarioReading> readScenarioFile(const QString& path, const Catalog& catalog)
{
    constexpr qint64 sizeLimit = 1 << 20; // scenario.md 1.8: a scenario is at most 1 MiB
    const auto bytes = readFile(path, sizeLimit + 1);
    if (!bytes)
        return tl::unexpected(bytes.error());
    return readScenario({bytes->constData(), static_cast<std::size_t>(bytes->size())}, catalog);
}

} // namespace headroom::ui
