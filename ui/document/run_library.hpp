// SPDX-License-Identifier: GPL-3.0-or-later
// RunLibrary: the measured runs that a window lays beside its scenario: published ones, and the user's own, in a file.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/runs/measured_run.hpp"

#include <QByteArrayList>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QThread;

namespace headroom::ui
{

class RunLibrary final : public QObject
{
    Q_OBJECT

public:
    /// The user's own runs are kept in `file` (JSON Lines); empty = in memory only.
    /// `catalog` is looked up whenever runs are read; it must live as long.
    RunLibrary(const Catalog& catalog, QString file, QObject* parent = nullptr);
    ~RunLibrary() override;

    /// Never null; its parts are while nothing is there.
    [[nodiscard]] const std::shared_ptr<const RunShelf>& shelf() const { return m_shelf; }
    [[nodiscard]] const std::vector<Scenario>& own() const { return m_own; }
    /// When each of own() was entered or imported, UTC, "2026-11-25T03:40:00Z"; empty where nobody wrote it down.
    [[nodiscard]] const std::vector<std::string>& recorded() const { return m_recorded; }
    /// Takes in what another window has kept meanwhile.
    void refresh() { (void)readOwn(); }
    /// Where they are kept; empty: nowhere.
    [[nodiscard]] const QString& file() const { return m_file; }

    /// Reads the published runs beside the window's own work and the user's file, once however often it is called. For
    /// after the first picture: nobody waits for points.
    void read();

    /// A run and when it was kept.
    struct Kept {
        Scenario scenario;
        std::string recorded;
        bool operator==(const Kept&) const = default;
    };
    [[nodiscard]] Kept at(std::size_t index) const { return {m_own.at(index), m_recorded.at(index)}; }

    /// Keeps runs. Those that cannot be prepared are not kept: why is returned.
    Diagnostics add(const std::vector<Scenario>& runs);
    void remove(const std::vector<std::size_t>& places);
    /// These, wherever they are by now; those that have gone meanwhile are passed over.
    void removeThese(const std::vector<Kept>& runs);
    /// As they were kept, with their time; those that are there already stay as they are.
    void restore(const std::vector<Kept>& runs);
    /// The notes of a run.
    void setNote(std::size_t index, const QString& note);

signals:
    /// shelf() is new.
    void changed();
    /// The user's runs could not be written; what the file held before is intact.
    void failed(const QString& reason);

private:
    void setPublished(std::shared_ptr<const MeasuredRuns> runs);
    /// False where the file is there and cannot be read.
    [[nodiscard]] bool readOwn();
    [[nodiscard]] std::vector<Kept> all() const;
    /// Reads what others wrote, changes it, and writes: nobody else of the same file does meanwhile.
    void change(const std::function<void(std::vector<Kept>&)>& change);
    void setOwn(std::vector<Kept> runs);
    void write();

    const Catalog& m_catalog;
    QString m_file;
    QByteArray m_seen; ///< what the file held when it was last read or written here
    QByteArrayList
        m_unread; ///< lines that cannot be read now (an entry of the catalogue is gone): they stay in the file
    std::vector<Scenario> m_own;
    std::vector<std::string> m_recorded; ///< one for each of m_own
    std::shared_ptr<const RunShelf> m_shelf = std::make_shared<RunShelf>();
    QThread* m_reader = nullptr;
};

} // namespace headroom::ui
