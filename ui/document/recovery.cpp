// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recovery.hpp"

#include "core/scenario/scenario_json.hpp"
#include "ui/base/text.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/scenario_file.hpp"
#include "ui/platform/dialogs.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

namespace headroom::ui
{
namespace
{

/// The document as it was last saved; nothing for none, or one that is gone or cannot be read.
ScenarioReading savedDocument(const QString& document, const Catalog& catalog)
{
    if (document.isEmpty())
        return {};
    auto reading = readScenarioFile(document, catalog);
    return reading ? std::move(*reading) : ScenarioReading{};
}

} // namespace

void offerUnsaved(Autosave& autosave, ScenarioStore& store, const Catalog& catalog, Dialogs& dialogs, QWidget* window)
{
    std::optional<ScenarioReading> reading;
    const auto unsaved = autosave.takeUnsaved([&](const UnsavedScenario& found) {
        if (auto read = readScenario(toUtf8(found.scenario), catalog))
            reading = std::move(*read);
        return reading.has_value();
    });
    if (!unsaved)
        return;
    const QString name = toQString(reading->scenario.name), file = QFileInfo(unsaved->document).completeBaseName();
    const QString title = !name.isEmpty()   ? name
                          : !file.isEmpty() ? file
                                            : QCoreApplication::translate("Dialogs", "Untitled");
    switch (dialogs.askRestore(window, title, QLocale().toString(unsaved->time, QLocale::ShortFormat))) {
    case RestoreAnswer::Restore: {
        // From the document to what was not saved, pins too: those that were forgotten mark it as those that are new.
        const ScenarioReading saved = savedDocument(unsaved->document, catalog);
        const QString text = QCoreApplication::translate("Dialogs", "Restore unsaved changes");
        store.setDocument(saved.scenario, unsaved->document);
        store.setPins(saved.pins);
        store.replace(text, reading->scenario);
        store.replacePins(text, reading->pins);
        autosave.removeTaken();
        break;
    }
    case RestoreAnswer::Discard:
        autosave.removeTaken();
        break;
    case RestoreAnswer::Later:
        autosave.leaveTaken();
        break;
    }
}

} // namespace headroom::ui
