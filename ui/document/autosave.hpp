// SPDX-License-Identifier: GPL-3.0-or-later
// Autosave: a copy of the unsaved scenario beside the user's data, for the day the program or the machine dies.
#pragma once

#include "ui/document/scenario_store.hpp"

#include <QDateTime>
#include <QDir>
#include <QLockFile>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace headroom::ui
{

/// What a process that did not end properly left behind.
struct UnsavedScenario {
    QString scenario; ///< text of the scenario file
    QString document; ///< the file that it was an edit of; empty for none
    QDateTime time;   ///< when it was kept
};

/// Keeps one file per process in `folder`: written (atomically, on a thread of its own) at most a second after an edit,
/// removed when the document is saved and when the program ends. A lock beside it tells whether its process lives.
class Autosave final : public QObject
{
    Q_OBJECT

public:
    /// Longest time between an edit and its copy, milliseconds.
    static constexpr int delayMs = 1000;

    Autosave(ScenarioStore& store, const QString& folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// The newest copy whose process is gone and whose scenario `isReadable`, for this process alone until one of the
    /// two below is called (or this object ends: it stays then). Files that are none of ours, are damaged or cannot be
    /// read today are passed over: they hide none behind them.
    [[nodiscard]] std::optional<UnsavedScenario>
    takeUnsaved(const std::function<bool(const UnsavedScenario&)>& isReadable = {});
    /// It stays for the next start.
    void leaveTaken() { m_taken.reset(); }
    /// It was restored or is not wanted: removed, once this process's own copy is on the disk. Where that cannot be
    /// written it stays, for it is the only one.
    void removeTaken();

    /// Writes what is pending now and waits for it.
    void flush();

signals:
    /// The copy cannot be written; said once, and again if it could be meanwhile.
    void failed(const QString& reason);

private:
    void documentChanged();
    void write();
    void remove();

    struct Taken {
        QString path;
        std::unique_ptr<QLockFile> lock;
    };

    ScenarioStore& m_store;
    QDir m_folder;
    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
    std::optional<Taken> m_taken;
    QTimer m_timer;
    std::atomic<bool> m_failing = false; ///< the copy written last was not
    QThreadPool m_writer;                ///< one thread: writes and removals stay in order
};

/// Where copies are kept: the user's local data folder (honours XDG variables).
[[nodiscard]] QString autosaveFolder();

} // namespace headroom::ui
