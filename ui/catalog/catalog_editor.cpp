// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/catalog_editor.hpp"

#include "core/catalog/catalog_text.hpp"
#include "core/catalog/hf_config.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/say.hpp"
#include "ui/base/text.hpp"
#include "ui/catalog/entry_fields.hpp"
#include "ui/catalog/fact_html.hpp"
#include "ui/catalog/import_dialog.hpp"
#include "ui/document/document_controller.hpp"
#include "ui/platform/files.hpp"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr qint64 mostConfigBytes = (16 << 20) + 1; ///< one more than the reader takes: it then says so

QStringList acceleratorPreview()
{
    return {QStringLiteral("memory"), QStringLiteral("bandwidth"),  QStringLiteral("sweep"),
            QStringLiteral("bf16"),   QStringLiteral("fp8"),        QStringLiteral("fp4"),
            QStringLiteral("ridge"),  QStringLiteral("ridge-fp8"),  QStringLiteral("scale-up"),
            QStringLiteral("power"),  QStringLiteral("efficiency"), QStringLiteral("price")};
}

QStringList modelPreview()
{
    return {QStringLiteral("total"),         QStringLiteral("active"), QStringLiteral("layers"),
            QStringLiteral("non-embedding"), QStringLiteral("mtp"),    QStringLiteral("attention"),
            QStringLiteral("weights"),       QStringLiteral("cache")};
}

QString copyName(const std::string& name, bool inPlace)
{
    return inPlace ? toQString(name) : CatalogEditor::tr("%1 (copy)").arg(toQString(name));
}

QByteArray contentOf(const QString& path)
{
    return readFile(path, mostConfigBytes).value_or(QByteArray());
}

/// What a model is called where its config.json does not say: its folder, unless that is a revision.
QString nameOf(const HfImport& imported, const QString& path)
{
    QString own = toQString(imported.architecture.name);
    const QString type = toQString(imported.architecture.modelType);
    const QFileInfo file(path);
    QString folder = file.absoluteDir().dirName();
    if (folder.size() == 40) // a cache keeps models--owner--name/snapshots/REVISION
        folder = file.absoluteDir().filePath(QStringLiteral("../..")).section(QStringLiteral("--"), -1);
    const bool generic = own.isEmpty() || own == type || own == QLatin1String("custom");
    if (!generic)
        return own;
    return file.fileName() == QLatin1String("config.json") && !folder.isEmpty() ? folder : file.completeBaseName();
}

} // namespace

CatalogEditor::CatalogEditor(ScenarioStore& store, CatalogLibrary& library, Dialogs& dialogs, QObject* parent)
    : QObject(parent), m_store(store), m_library(library), m_dialogs(dialogs)
{
}

template <typename Entry>
bool CatalogEditor::keep(const Entry& entry)
{
    const auto written = m_library.save(entry);
    if (!written) {
        refuse(tr("“%1” could not be kept.").arg(toQString(entry.name)), written.error(), {});
        return false;
    }
    emit saved(toQString(entry.id));
    return true;
}

void CatalogEditor::duplicateChosenAccelerator()
{
    if (const auto chosen = resolveAccelerator(m_store.scenario().accelerator, m_library.catalog()))
        duplicate(*chosen);
}

void CatalogEditor::duplicateChosenModel()
{
    if (const auto chosen = resolveModel(m_store.scenario().model, m_library.catalog()))
        duplicate(*chosen);
}

EntryForm* CatalogEditor::duplicate(const Accelerator& base, bool inPlace)
{
    Accelerator start = base;
    start.custom = inPlace;
    auto fields = acceleratorFields(start);
    fields.front().value = copyName(base.name, inPlace);
    const auto check = [this, start, base, inPlace](const std::vector<FormValue>& values) {
        auto made = acceleratorFrom(start, values);
        FormCheck result;
        if (!made) {
            result.problems = made.error();
            return result;
        }
        if (!inPlace && m_library.catalog().accelerator(made->id))
            result.problems.push_back({Severity::Error,
                                       "taken",
                                       "/name",
                                       "there is an accelerator of that name already",
                                       "choose another",
                                       {},
                                       0});
        result.preview = changeHtml(acceleratorPreview(), base, *made, themeOf(m_window->palette()));
        return result;
    };
    auto* form = new EntryForm(inPlace ? tr("Edit accelerator") : tr("Duplicate accelerator"), std::move(fields), check,
                               m_window);
    form->setAttribute(Qt::WA_DeleteOnClose);
    connect(form, &QDialog::accepted, this, [this, form, start] {
        if (const auto made = acceleratorFrom(start, form->values()); made && keep(*made))
            useAccelerator(made->id);
    });
    form->open();
    return form;
}

EntryForm* CatalogEditor::duplicate(const ModelArchitecture& base, bool inPlace)
{
    ModelArchitecture start = base;
    start.custom = inPlace;
    auto fields = modelFields(start);
    fields.front().value = copyName(base.name, inPlace);
    const auto from = modelEntry(std::make_shared<const ModelArchitecture>(base));
    const auto check = [this, start, from, inPlace](const std::vector<FormValue>& values) {
        auto made = modelFrom(start, values);
        FormCheck result;
        if (!made) {
            result.problems = made.error();
            return result;
        }
        if (!inPlace && m_library.catalog().model(made->id))
            result.problems.push_back(
                {Severity::Error, "taken", "/name", "there is a model of that name already", "choose another", {}, 0});
        const auto to = modelEntry(std::make_shared<const ModelArchitecture>(std::move(*made)));
        result.preview = changeHtml(modelPreview(), from, to, themeOf(m_window->palette()));
        return result;
    };
    auto* form = new EntryForm(inPlace ? tr("Edit model") : tr("Duplicate model"), std::move(fields), check, m_window);
    form->setAttribute(Qt::WA_DeleteOnClose);
    connect(form, &QDialog::accepted, this, [this, form, start] {
        if (const auto made = modelFrom(start, form->values()); made && keep(*made))
            useModel(made->id);
    });
    form->open();
    return form;
}

void CatalogEditor::remove(bool model, const std::string& id)
{
    if (!m_dialogs.confirm(m_window, tr("Remove “%1” from your catalogue?").arg(toQString(id)),
                           tr("Its file is deleted. A built-in entry that it replaced comes back."), tr("&Remove")))
        return;
    const auto removed = model ? m_library.removeModel(id) : m_library.removeAccelerator(id);
    if (!removed)
        refuse(tr("“%1” could not be removed.").arg(toQString(id)), removed.error(), {});
}

void CatalogEditor::useModel(const std::string& id)
{
    if (const auto model = m_library.catalog().model(id))
        m_store.chooseModel(tr("Model"), {id, {}}, *model);
}

void CatalogEditor::useAccelerator(const std::string& id)
{
    m_store.chooseAccelerator(tr("Accelerator"), toQString(id));
}

void CatalogEditor::useImported(const ModelArchitecture& model, bool kept)
{
    if (!kept) {
        m_store.chooseModel(tr("Model"), {"custom", architectureChoice(model)}, model);
    } else if (keep(model)) {
        useModel(model.id);
    }
}

void CatalogEditor::askAndImport()
{
    std::vector<DroppedFile> files;
    for (const QString& path : m_dialogs.importFiles(m_window, {}))
        files.push_back({path, kindOfFile(path)});
    for (const DroppedFile& left : importFiles(files))
        refuse(tr("“%1” cannot be imported.").arg(QFileInfo(left.path).fileName()),
               fail("unknown-file", {}, headroom::said("this is neither a config.json nor a catalogue entry"),
                    headroom::said(
                        "scenarios open with File, Open; logs and tables of runs with File, Import measurements"))
                   .value(),
               left.path);
}

std::vector<DroppedFile> CatalogEditor::importFiles(const std::vector<DroppedFile>& files)
{
    std::vector<DroppedFile> left;
    QString config, quantization;
    for (const DroppedFile& file : files) {
        switch (file.kind) {
        case FileKind::ModelConfig:
            config = file.path;
            break;
        case FileKind::Quantization:
            quantization = file.path;
            break;
        case FileKind::Accelerator:
            importRecord(file.path, parseAccelerator);
            break;
        case FileKind::Model:
            importRecord(file.path, parseArchitecture);
            break;
        case FileKind::Prices:
            importPrices(file.path);
            break;
        default:
            left.push_back(file);
        }
    }
    const auto beside = [](const QString& path, const QString& name) {
        const QString found = QFileInfo(path).absoluteDir().filePath(name);
        return QFileInfo::exists(found) ? found : QString();
    };
    if (config.isEmpty() && !quantization.isEmpty()) {
        config = beside(quantization, QStringLiteral("config.json"));
        if (config.isEmpty())
            refuse(tr("“%1” says only how a model is stored.").arg(QFileInfo(quantization).fileName()),
                   fail("missing-file", {}, headroom::said("there is no config.json beside it"),
                        headroom::said("import both files together"))
                       .value(),
                   quantization);
    }
    if (!config.isEmpty())
        importConfig(config, quantization.isEmpty() ? beside(config, toQString(hfQuantFile)) : quantization);
    return left;
}

void CatalogEditor::importPrices(const QString& path)
{
    const auto& before = m_library.prices();
    if (before && !m_dialogs.confirm(m_window, tr("Replace the price list “%1”?").arg(toQString(before->name)),
                                     tr("It is of %1.").arg(toQString(before->date)), tr("&Replace")))
        return;
    if (const auto kept = m_library.installPrices(contentOf(path).toStdString()); !kept)
        refuse(tr("“%1” is not a price list that Headroom can read.").arg(QFileInfo(path).fileName()), kept.error(),
               path);
    else if (const auto& list = m_library.prices(); list && m_library.skipped().empty()) // else that is said
        emit said(tr("Prices are those of “%1”, of %2.").arg(toQString(list->name), toQString(list->date)));
}

void CatalogEditor::importConfig(const QString& config, const QString& quantization)
{
    const QByteArray text = contentOf(config);
    const QByteArray quantText = quantization.isEmpty() ? QByteArray() : contentOf(quantization);
    auto imported = importHfConfig(toView(text), toView(quantText));
    if (!imported) {
        refuse(tr("“%1” cannot be imported.").arg(QFileInfo(config).fileName()), imported.error(), config);
        return;
    }
    if (!quantText.isEmpty())
        imported->warnings.push_back({Severity::Note,
                                      "quantization-file",
                                      {},
                                      toUtf8(QFileInfo(quantization).fileName()) + " says how the weights are stored",
                                      {},
                                      {},
                                      0});
    const QString name = nameOf(*imported, config);
    auto* dialog = new ImportDialog(std::move(*imported), name, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::useChosen, this, [this, dialog] { useImported(dialog->model(), false); });
    connect(dialog, &ImportDialog::keepChosen, this, [this, dialog] { useImported(dialog->model(), true); });
    dialog->open();
}

template <typename Parse>
void CatalogEditor::importRecord(const QString& path, Parse parse)
{
    const QByteArray text = contentOf(path);
    auto entry = parse(toView(text));
    if (!entry) {
        refuse(tr("“%1” is not a catalogue entry that Headroom can read.").arg(QFileInfo(path).fileName()),
               entry.error(), path);
        return;
    }
    if (entry->id.empty())
        entry->id = idFromName(QFileInfo(path).completeBaseName());
    if (m_library.isOwn(*entry)) {
        refuse(tr("“%1” is in your catalogue already.").arg(toQString(entry->name)),
               {{Severity::Error,
                 "taken",
                 "/id",
                 "there is an entry '" + entry->id + "' of yours",
                 "give the file another id, or remove that entry first",
                 {},
                 0}},
               path);
        return;
    }
    keep(*entry);
}

void CatalogEditor::refuse(const QString& message, Diagnostics diagnostics, const QString& file)
{
    m_dialogs.showError(m_window, message, diagnosticsText(std::move(diagnostics), file));
}

} // namespace headroom::ui
