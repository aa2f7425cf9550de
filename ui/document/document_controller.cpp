// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document_controller.hpp"

#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/support/language.hpp"
#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/base/typed.hpp"
#include "ui/document/run_controller.hpp"
#include "ui/document/scenario_file.hpp"
#include "ui/platform/files.hpp"
#include "ui/settings/settings.hpp"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr auto scenarioSuffix = ".headroom";

} // namespace

QString diagnosticsText(const Diagnostics& diagnostics)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics)
        lines << toQString(toText(diagnostic));
    return lines.join(u'\n');
}

QString diagnosticsText(Diagnostics diagnostics, const QString& path)
{
    for (Diagnostic& diagnostic : diagnostics)
        if (diagnostic.file.empty())
            diagnostic.file = toUtf8(QFileInfo(path).fileName());
    return diagnosticsText(diagnostics);
}

DocumentController::DocumentController(ScenarioStore& store, const Catalog& catalog, Settings& settings,
                                       Dialogs& dialogs, QObject* parent)
    : QObject(parent), m_store(store), m_catalog(catalog), m_settings(settings), m_dialogs(dialogs), m_recent(settings)
{
    for (const EmbeddedFile& file : embeddedFolder("scenarios/")) {
        const auto reading = readScenario(file.text, m_catalog);
        if (reading)
            m_examples.push_back({toQString(say(reading->scenario.name)), file.text});
    }
    // Whoever opens a document in the store: the recovery does, too.
    connect(&m_store, &ScenarioStore::documentChanged, this, [this] {
        if (m_store.path() != m_seenPath)
            see(m_store.path());
    });
}

void DocumentController::see(const QString& path)
{
    m_seenPath = path;
    m_seen = path.isEmpty() ? QByteArray() : readFile(path, beyondAnyScenario).value_or(QByteArray());
}

void DocumentController::loadFirst()
{
    if (m_examples.empty() || !openExample(m_examples.front()))
        m_store.setDocument(Scenario{}, {});
}

bool DocumentController::newDocument()
{
    if (!maybeSave())
        return false;
    m_store.setDocument(Scenario{}, {});
    emit opened({});
    return true;
}

bool DocumentController::open()
{
    if (!maybeSave())
        return false;
    const QString path = m_dialogs.openFile(m_window, m_settings.value(SettingKey::LastFolder).toString());
    return !path.isEmpty() && ((m_others && m_others(path)) || openPath(path));
}

bool DocumentController::openPath(const QString& path)
{
    const auto reading = readScenarioFile(path, m_catalog);
    if (!reading) {
        refuse(reading.error().front().code == unreadableFile
                   ? tr("“%1” cannot be read.").arg(path)
                   : tr("“%1” is not a scenario that Headroom can open. The open scenario is unchanged.")
                         .arg(QFileInfo(path).fileName()),
               reading.error(), path);
        return false;
    }
    m_store.setDocument(reading->scenario, path);
    if (!reading->pins.empty())
        m_store.setPins(reading->pins);
    see(path);
    m_recent.add(path);
    m_settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    emit opened(reading->warnings);
    return true;
}

bool DocumentController::openExample(const Example& example)
{
    if (!maybeSave())
        return false;
    auto reading = readScenario(example.text, m_catalog);
    if (!reading)
        return false;
    // A copy to work on is the user's own, in the language that is spoken.
    reading->scenario.name = say(reading->scenario.name);
    reading->scenario.notes = say(reading->scenario.notes);
    m_store.setDocument(reading->scenario, {});
    emit opened({});
    return true;
}

bool DocumentController::save()
{
    const QString path = m_store.path();
    if (path.isEmpty())
        return saveAs();
    // By its content: clocks are set, and writing the same again is no change. A file that is gone is written anew.
    const auto there = readFile(path, beyondAnyScenario);
    if (there && *there != m_seen &&
        !m_dialogs.confirm(m_window, tr("Save over “%1”?").arg(QFileInfo(path).fileName()),
                           tr("Another window or program has changed the file since it was last opened or saved here. "
                              "Saving would lose that change; “Save as” keeps both."),
                           tr("&Save")))
        return false;
    return writeTo(path);
}

bool DocumentController::saveAs()
{
    QString suggested = m_store.path();
    if (suggested.isEmpty()) {
        const QString name = fileNameFor(m_store.title());
        suggested = m_settings.value(SettingKey::LastFolder).toString();
        suggested += (suggested.isEmpty() ? QString() : QStringLiteral("/")) + name + QLatin1String(scenarioSuffix);
    }
    QString path = m_dialogs.saveFile(m_window, suggested);
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1String(scenarioSuffix);
    return writeTo(path);
}

bool DocumentController::writeTo(const QString& path)
{
    const std::string text = writeScenario(m_store.document(), m_store.savedPins());
    if (const QString error = writeFile(path, text); !error.isEmpty()) {
        refuse(tr("“%1” cannot be written. What was there before is intact.").arg(path),
               {{Severity::Error, "unwritable", {}, toUtf8(error), {}, {}, 0}}, path);
        return false;
    }
    m_seenPath = path;
    m_seen = QByteArray::fromStdString(text);
    m_store.markSaved(path);
    m_recent.add(path);
    m_settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    return true;
}

bool DocumentController::maybeSave()
{
    if (m_window)
        commitTyped(*m_window);
    if (!m_store.isModified())
        return true;
    switch (m_dialogs.askSave(m_window, m_store.title())) {
    case SaveAnswer::Save:
        return save();
    case SaveAnswer::Discard:
        return true;
    case SaveAnswer::Cancel:
        break;
    }
    return false;
}

void DocumentController::copyScenario()
{
    QGuiApplication::clipboard()->setText(toQString(writeScenarioLine(m_store.scenario())));
    if (m_window)
        tell(*m_window, tr("The scenario is in the clipboard."));
}

bool DocumentController::pasteScenario()
{
    const std::string text = toUtf8(QGuiApplication::clipboard()->text());
    auto reading = readScenario(text, m_catalog);
    if (!reading) {
        refuse(tr("The clipboard does not hold a scenario."), reading.error(), {});
        return false;
    }
    m_store.replace(tr("Paste scenario"), reading->scenario);
    return true;
}

void DocumentController::refuse(const QString& message, Diagnostics diagnostics, const QString& file)
{
    m_dialogs.showError(m_window, message, diagnosticsText(std::move(diagnostics), file));
}

} // namespace headroom::ui
