// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_file.hpp"

#include "ui/text.hpp"

#include <QFile>

namespace headroom::ui
{

Expected<ScenarioReading> readScenarioFile(const QString& path, const Catalog& catalog)
{
    constexpr qint64 sizeLimit = 1 << 20; // scenario.md 1.8: a scenario is at most 1 MiB
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(unreadableFile, {}, toUtf8(file.errorString()));
    const QByteArray bytes = file.read(sizeLimit + 1);
    return readScenario({bytes.constData(), static_cast<std::size_t>(bytes.size())}, catalog);
}

} // namespace headroom::ui
