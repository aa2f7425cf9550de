// SPDX-License-Identifier: GPL-3.0-or-later
// ViewLibrary: the saved views of the talk in hand, with undo, kept in a file of the user's without being asked.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/present/stage_view.hpp"
#include "core/support/diagnostic.hpp"

#include <QDateTime>
#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <functional>

namespace headroom::ui
{

/// Every change is on the disk (whole or not at all) within a moment; files that people name are copies to take along.
class ViewLibrary final : public QObject
{
    Q_OBJECT

public:
    using Views = std::vector<StageView>;
    /// Longest time between a change and its copy on the disk, milliseconds.
    static constexpr int delayMs = 300;

    /// Keeps them in `file`; both outlive it.
    ViewLibrary(const Catalog& catalog, QString file, QObject* parent = nullptr);
    ~ViewLibrary() override;

    [[nodiscard]] const Views& views() const { return m_views; }
    /// Reads the kept file where it is newer than what is in hand: at the start, and what another window wrote.
    void read();
    /// Why the kept file could not be read; it is put beside (.refused) before anything is written in its place.
    [[nodiscard]] const Diagnostics& refusal() const { return m_refusal; }

    /// One undo step; changes that carry the same `gesture` above 0 are one.
    void change(const QString& text, const std::function<void(Views&)>& edit, int gesture = 0);
    [[nodiscard]] int newGesture() { return ++m_lastGesture; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// Takes the views of a file in place of those in hand, one undo step. What is wrong with it: nothing is changed.
    [[nodiscard]] Diagnostics open(const QString& path);
    /// Writes a copy; what failed, empty = written.
    [[nodiscard]] QString saveCopy(const QString& path) const;
    /// Writes what is pending now.
    void flush();

signals:
    void changed();
    /// The kept file could not be written.
    void failed(const QString& reason);

private:
    void apply(const Views& views);
    void write();

    const Catalog& m_catalog;
    QString m_file;
    Views m_views;
    Diagnostics m_refusal;
    QDateTime m_seen; ///< the kept file's age when it was last read or written
    QUndoStack m_undo;
    QTimer m_timer;
    int m_lastGesture = 0;
};

/// The views of a file; fails as readViews() does, or with unreadableFile.
[[nodiscard]] Expected<std::vector<StageView>> readViewsFile(const QString& path, const Catalog& catalog);

} // namespace headroom::ui
