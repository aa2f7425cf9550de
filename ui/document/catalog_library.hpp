// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogLibrary: the built-in catalogue with the user's own files over it, kept up to date while they change.
#pragma once

#include "core/catalog/user_catalog.hpp"
#include "core/support/diagnostic.hpp"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace headroom::ui
{

class CatalogLibrary final : public QObject
{
    Q_OBJECT

public:
    /// Reads FOLDER/accelerators, FOLDER/models and FOLDER/prices.json, makes the folders where they are missing, and
    /// watches them. An empty folder: the built-in catalogue alone.
    explicit CatalogLibrary(QString folder, QObject* parent = nullptr);

    [[nodiscard]] const Catalog& catalog() const { return m_user.catalog; }
    /// Files that were passed over, and why; empty when all is well.
    [[nodiscard]] const Diagnostics& skipped() const { return m_user.diagnostics; }
    [[nodiscard]] const QString& folder() const { return m_folder; }
    /// How many entries are the user's.
    [[nodiscard]] int ownEntries() const { return static_cast<int>(m_user.accelerators.size() + m_user.models.size()); }

    /// Whether the user has an entry of the same id.
    [[nodiscard]] bool isOwn(const Accelerator& accelerator) const;
    [[nodiscard]] bool isOwn(const ModelArchitecture& model) const;

    /// Writes an entry's file, the one it came from or a new one, whole or not at all, and reads the folder again.
    [[nodiscard]] Expected<QString> save(const Accelerator& accelerator);
    [[nodiscard]] Expected<QString> save(const ModelArchitecture& model);
    /// Removes the file of one of the user's entries; a built-in entry that it replaced comes back.
    [[nodiscard]] Expected<QString> removeAccelerator(const std::string& id);
    [[nodiscard]] Expected<QString> removeModel(const std::string& id);

    /// The price list in force; empty where the folder has none.
    [[nodiscard]] const std::optional<PriceList>& prices() const { return m_user.prices; }
    /// Puts a price list into the folder, in place of the one there, once it reads without a fault.
    [[nodiscard]] Expected<QString> installPrices(const std::string& text);

    /// Reads the folder again now.
    void reload();

signals:
    /// catalog() or skipped() is new.
    void changed();

private:
    void load();
    void watch();
    [[nodiscard]] Expected<QString> write(const QString& path, const std::string& text);
    [[nodiscard]] Expected<QString> remove(const UserCatalog::Files& files, const std::string& id);
    [[nodiscard]] QString fileFor(const QString& subfolder, const UserCatalog::Files& files,
                                  const std::string& id) const;

    QString m_folder;
    UserCatalog m_user;
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
};

/// The catalogue's folder in the user's data folder.
[[nodiscard]] QString userCatalogFolder();

/// "My H100 (96 GB)" → "my-h100-96gb": lower case letters, digits, dots and single hyphens, at most 64.
[[nodiscard]] std::string idFromName(const QString& name);

} // namespace headroom::ui
