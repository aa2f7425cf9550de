// SPDX-License-Identifier: GPL-3.0-or-later
// DocumentController: new, open, save, examples, clipboard and drops, with their questions and their errors.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/support/diagnostic.hpp"
#include "ui/document/recent_files.hpp"
#include "ui/document/scenario_store.hpp"
#include "ui/platform/dialogs.hpp"

#include <QObject>
#include <QPointer>
#include <QWidget>
#include <functional>

namespace headroom::ui
{

class Settings;

/// One built-in scenario of resources/scenarios.
struct Example {
    QString title;
    std::string_view text;
};

class DocumentController final : public QObject
{
    Q_OBJECT

public:
    DocumentController(ScenarioStore& store, const Catalog& catalog, Settings& settings, Dialogs& dialogs,
                       QObject* parent = nullptr);

    /// Dialogs appear over this window.
    void setWindow(QWidget* window) { m_window = window; }

    /// What open() asks of a file that was chosen before it takes it for a scenario: true = it was another kind and is
    /// dealt with.
    void setOtherFiles(std::function<bool(const QString&)> others) { m_others = std::move(others); }

    /// Each returns whether it was done; the open document is untouched where it was not.
    bool newDocument();
    bool open();
    bool openPath(const QString& path);
    bool openExample(const Example& example);
    bool save();
    bool saveAs();
    /// Asks about unsaved changes; false = stay.
    bool maybeSave();

    void copyScenario();
    /// One undo step.
    bool pasteScenario();

    /// A working scenario, never an empty window: the first example.
    void loadFirst();
    [[nodiscard]] const std::vector<Example>& examples() const { return m_examples; }
    [[nodiscard]] RecentFiles& recentFiles() { return m_recent; }

signals:
    /// Warnings of a file that was opened; empty after a clean one.
    void opened(const headroom::Diagnostics& warnings);

private:
    bool writeTo(const QString& path);
    /// From here on it is this content of the file that saving may write over without asking.
    void see(const QString& path);
    void refuse(const QString& message, Diagnostics diagnostics, const QString& file);

    ScenarioStore& m_store;
    const Catalog& m_catalog;
    Settings& m_settings;
    Dialogs& m_dialogs;
    RecentFiles m_recent;
    std::function<bool(const QString&)> m_others;
    QString m_seenPath;
    QByteArray m_seen; ///< what the document's file held when it was last read or written here
    std::vector<Example> m_examples;
    QPointer<QWidget> m_window;
};

/// Every message on a line of its own, with file, JSON path and hint.
[[nodiscard]] QString diagnosticsText(const Diagnostics& diagnostics);
/// The same of the file at `path`, where they name none.
[[nodiscard]] QString diagnosticsText(Diagnostics diagnostics, const QString& path);

} // namespace headroom::ui
