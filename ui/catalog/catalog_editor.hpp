// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogEditor: makes entries of the user's own: duplicates in a form, imported config.json files, removals.
#pragma once

#include "ui/document/catalog_library.hpp"
#include "ui/document/dropped_file.hpp"

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace headroom::ui
{

class Dialogs;
class EntryForm;
class ImportDialog;
class ScenarioStore;

class CatalogEditor final : public QObject
{
    Q_OBJECT

public:
    CatalogEditor(ScenarioStore& store, CatalogLibrary& library, Dialogs& dialogs, QObject* parent = nullptr);
    void setWindow(QWidget* window) { m_window = window; }

    /// Opens a form on a copy under a new name; on a user's own entry with `inPlace`, on the entry itself.
    EntryForm* duplicate(const Accelerator& base, bool inPlace = false);
    EntryForm* duplicate(const ModelArchitecture& base, bool inPlace = false);
    /// The same of what the scenario in hand names; nothing where the catalogue has it no more.
    void duplicateChosenAccelerator();
    void duplicateChosenModel();

    /// Asks which files, and imports them.
    void askAndImport();
    /// A config.json (with hf_quant_config.json, given or beside it) opens the import dialog; catalogue records are
    /// checked and copied into the user's folder. What is refused is said. Returns what it did not take.
    std::vector<DroppedFile> importFiles(const std::vector<DroppedFile>& files);

    /// Deletes the file of one of the user's entries, after asking.
    void remove(bool model, const std::string& id);

    /// Puts an entry into the scenario: one undo step.
    void useModel(const std::string& id);
    void useAccelerator(const std::string& id);

signals:
    /// The form or the import wrote an entry.
    void saved(const QString& id);
    /// What was done, in a sentence.
    void said(const QString& words);

private:
    void importPrices(const QString& path);
    void importConfig(const QString& config, const QString& quantization);
    template <typename Parse>
    void importRecord(const QString& path, Parse parse);
    void refuse(const QString& message, Diagnostics diagnostics, const QString& file);
    template <typename Entry>
    bool keep(const Entry& entry);
    void useImported(const ModelArchitecture& model, bool kept);

    ScenarioStore& m_store;
    CatalogLibrary& m_library;
    Dialogs& m_dialogs;
    QPointer<QWidget> m_window;
};

} // namespace headroom::ui
