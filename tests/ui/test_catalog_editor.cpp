// SPDX-License-Identifier: GPL-3.0-or-later
// The user's catalogue in the window: folder, marks, forms, import of config.json.
#include "core/catalog/catalog_text.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/catalog/entry_form.hpp"
#include "ui/catalog/import_dialog.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>

namespace headroom::ui::test_catalog_editor
{

using headroom::test::WindowFixture;
using headroom::test::writtenFile;

class TestCatalogEditor : public QObject
{
    Q_OBJECT

    static QString cardFile(const WindowFixture& fixture)
    {
        return fixture.catalogFolder() + QStringLiteral("/accelerators/my-card.json");
    }

    static QByteArray card(double bandwidth)
    {
        return R"({"memory_gb": 96, "peak_tflops": {"bf16": 500}, "memory_bandwidth_gbps_bytes": )" +
               QByteArray::number(bandwidth) + "}";
    }

    static QByteArray config()
    {
        return R"({"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32,
                   "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
                   "max_position_embeddings": 131072, "tie_word_embeddings": true})";
    }

    static void drop(WindowFixture& fixture, const QStringList& paths)
    {
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        mime.setUrls(urls);
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(fixture.window.get(), &event);
        WindowFixture::settle();
    }

    static bool changes(WindowFixture& fixture)
    {
        QSignalSpy spy(&fixture.session.library, &CatalogLibrary::changed);
        const bool changed = spy.wait(30000);
        WindowFixture::settle();
        return changed;
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theFolderIsWatchedAndTheScenarioFollows()
    {
        WindowFixture fixture;
        const Catalog& catalog = fixture.session.recalculator.catalog();
        QVERIFY(!catalog.accelerator("my-card"));
        writtenFile(cardFile(fixture), card(1000)); // a new file
        QVERIFY(changes(fixture));
        QVERIFY(catalog.accelerator("my-card") && catalog.accelerator("my-card")->custom);
        fixture.session.store.edit(0, QStringLiteral("Accelerator"), [](Scenario& scenario) {
            scenario.accelerator = {"my-card", {}};
        });
        WindowFixture::settle();
        QCOMPARE(fixture.session.recalculator.context()->scenario.accelerator->memoryBandwidthGbPerS, 1000.0);
        writtenFile(cardFile(fixture), card(2000)); // the same file, written again
        QVERIFY(changes(fixture));
        QCOMPARE(fixture.session.recalculator.context()->scenario.accelerator->memoryBandwidthGbPerS, 2000.0);
        QFile::remove(cardFile(fixture)); // replaced, as editors do
        QFile(writtenFile(fixture.catalogFolder() + QStringLiteral("/accelerators/other.tmp"), card(3000)))
            .rename(cardFile(fixture));
        QVERIFY(changes(fixture));
        QCOMPARE(catalog.accelerator("my-card")->memoryBandwidthGbPerS, 3000.0);
        writtenFile(cardFile(fixture), card(4000)); // and watched still
        QVERIFY(changes(fixture));
        QCOMPARE(catalog.accelerator("my-card")->memoryBandwidthGbPerS, 4000.0);
        QFile::remove(cardFile(fixture));
        QVERIFY(changes(fixture));
        QVERIFY(!catalog.accelerator("my-card"));
        QVERIFY(fixture.session.recalculator.isRefused()); // the scenario names what is not there any more
    }

    void aBadFileIsSkippedAndListedAndTheRestKept()
    {
        WindowFixture fixture;
        writtenFile(cardFile(fixture), card(1000));
        writtenFile(fixture.catalogFolder() + QStringLiteral("/models/broken.json"),
                    "{\n \"layers\": -3,\n \"hidden\": 64}");
        QVERIFY(changes(fixture));
        QVERIFY(fixture.session.library.catalog().accelerator("my-card"));
        QVERIFY(!fixture.session.library.skipped().empty());
        fixture.window->pages().show(QStringLiteral("catalog"));
        WindowFixture::settle();
        auto* page = qobject_cast<CatalogPage*>(fixture.window->pages().page(QStringLiteral("catalog")));
        QVERIFY(page->notice()->isVisible());
        const QString notice = page->notice()->text();
        QVERIFY2(notice.contains(QLatin1String("broken.json:2")) && notice.contains(QLatin1String("/layers")),
                 qPrintable(notice));
        QFile::remove(fixture.catalogFolder() + QStringLiteral("/models/broken.json"));
        QVERIFY(changes(fixture));
        QVERIFY(!page->notice()->isVisible());
    }

    void ownEntriesAreMarked()
    {
        WindowFixture fixture;
        writtenFile(cardFile(fixture), card(1000));
        QVERIFY(changes(fixture));
        CatalogPicker* picker = fixture.part<ParameterPanel>().acceleratorPicker();
        picker->openPopup();
        QTest::keyClicks(picker->popup()->field(), QStringLiteral("my-card"));
        QCOMPARE(picker->popup()->rows(), 1); // the picker sees the new catalogue
        const auto* list = picker->popup()->findChild<QListView*>();
        QVERIFY(list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(QLatin1String("yours")));
        QTest::keyClick(picker->popup()->field(), Qt::Key_Return);
        QCOMPARE(fixture.session.store.scenario().accelerator.id, std::string("my-card"));
    }

    void duplicateAnAccelerator()
    {
        WindowFixture fixture;
        EntryForm* form = fixture.session.catalogEditor.duplicate(*Catalog::builtIn().accelerator("h100-sxm-80gb"));
        form->field(QStringLiteral("Name"))->setText(QStringLiteral("H100 with more (141 GB)"));
        form->field(QStringLiteral("Memory"))->setText(QStringLiteral("141"));
        form->field(QStringLiteral("Memory bandwidth"))->setText(QStringLiteral("4.8 TB/s")); // in its own unit
        QVERIFY2(form->previewText().contains(QLatin1String("4.80")), qPrintable(form->previewText()));
        QVERIFY2(form->previewText().contains(QLatin1String("206")), qPrintable(form->previewText())); // 989.4 / 4.8
        QVERIFY2(form->previewText().contains(QStringLiteral("1.43×")), qPrintable(form->previewText()));
        QVERIFY(form->saveButton()->isEnabled());
        form->saveButton()->click();
        WindowFixture::settle();
        const auto made = fixture.session.library.catalog().accelerator("h100-with-more-141-gb");
        QVERIFY(made && made->custom);
        QCOMPARE(made->memoryGb, 141.0);
        QCOMPARE(made->memoryBandwidthGbPerS, 4800.0);
        QVERIFY(!made->memoryUsableGib); // said of another memory
        QVERIFY(made->aliases.empty());
        QCOMPARE(made->fieldSources.at("bandwidth"), std::string("entered by hand"));
        QVERIFY(made->fieldSources.at("peak") != "entered by hand");
        QCOMPARE(fixture.session.store.scenario().accelerator.id, made->id);
        QVERIFY(QFile::exists(fixture.catalogFolder() + QStringLiteral("/accelerators/h100-with-more-141-gb.json")));
    }

    void theFormSaysWhatIsWrong()
    {
        WindowFixture fixture;
        EntryForm* form = fixture.session.catalogEditor.duplicate(*Catalog::builtIn().accelerator("h100-sxm-80gb"));
        const auto bad = [form](const char* field, const char* text) {
            const QString before = form->field(QLatin1String(field))->text();
            form->field(QLatin1String(field))->setText(QLatin1String(text));
            const QString problems = form->problems();
            const bool refused = !form->saveButton()->isEnabled() && !problems.isEmpty();
            form->field(QLatin1String(field))->setText(before);
            return refused && form->saveButton()->isEnabled();
        };
        QVERIFY(bad("Memory", "plenty"));
        QVERIFY(bad("Memory", ""));
        QVERIFY(bad("Memory", "-1"));
        QVERIFY(bad("Memory", "0"));
        QVERIFY(bad("Scale-up domain", "2.5"));
        QVERIFY(bad("Name", ""));
        QVERIFY(bad("Name", "B200 SXM")); // makes the id b200-sxm, which is taken
        QVERIFY(bad("Memory bandwidth", "1e99"));
        form->reject();
    }

    void duplicateAModel()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::New]->trigger(); // Llama 3 8B
        fixture.part<Actions>()[ActionId::DuplicateModel]->trigger();
        auto* form = fixture.window->findChild<EntryForm*>();
        QVERIFY(form);
        form->field(QStringLiteral("Name"))->setText(QStringLiteral("Llama half"));
        form->field(QStringLiteral("Layers"))->setText(QStringLiteral("16"));
        QVERIFY2(form->previewText().contains(QLatin1String("4.54")), qPrintable(form->previewText()));
        form->field(QStringLiteral("Key/value heads"))->setText(QStringLiteral("5"));
        QVERIFY(!form->saveButton()->isEnabled()); // 5 do not divide 32
        QVERIFY2(form->problems().contains(QLatin1String("32")), qPrintable(form->problems()));
        form->field(QStringLiteral("Key/value heads"))->setText(QStringLiteral("8"));
        form->saveButton()->click();
        WindowFixture::settle();
        const auto made = fixture.session.library.catalog().model("llama-half");
        QVERIFY(made && made->layers == 16 && made->published.empty());
        QCOMPARE(fixture.session.store.scenario().model.id, std::string("llama-half"));
        QCOMPARE(countParameters(*made).total, 8'030'261'248.0 - 16 * 218'112'000.0);
    }

    void editAndRemoveOnesOwn()
    {
        WindowFixture fixture;
        Accelerator mine = *Catalog::builtIn().accelerator("t4");
        mine.memoryGb = 17;
        QVERIFY(fixture.session.library.save(mine).has_value());
        QCOMPARE(fixture.session.library.catalog().accelerator("t4")->memoryGb, 17.0);
        EntryForm* form =
            fixture.session.catalogEditor.duplicate(*fixture.session.library.catalog().accelerator("t4"), true);
        form->field(QStringLiteral("Memory"))->setText(QStringLiteral("18"));
        form->saveButton()->click();
        WindowFixture::settle();
        QCOMPARE(fixture.session.library.catalog().accelerator("t4")->memoryGb, 18.0);
        fixture.dialogs.confirmed = false;
        fixture.session.catalogEditor.remove(false, "t4");
        QCOMPARE(fixture.session.library.catalog().accelerator("t4")->memoryGb, 18.0);
        fixture.dialogs.confirmed = true;
        fixture.session.catalogEditor.remove(false, "t4");
        QCOMPARE(fixture.session.library.catalog().accelerator("t4")->memoryGb, 16.0); // the built-in one is back
    }

    /// A file that the user named otherwise is the one that is changed and removed; another's is never written over.
    void filesKeepTheirNames()
    {
        WindowFixture fixture;
        CatalogLibrary& library = fixture.session.library;
        const QString odd = fixture.catalogFolder() + QStringLiteral("/accelerators/odd name.json");
        writtenFile(odd, R"({"id": "mine", )" + card(900).mid(1));
        const QByteArray broken = "{ not yet";
        const QString fault = writtenFile(fixture.catalogFolder() + QStringLiteral("/accelerators/new.json"), broken);
        library.reload();
        Accelerator mine = *library.catalog().accelerator("mine");
        mine.memoryGb = 97;
        QCOMPARE(library.save(mine).value(), odd);
        QCOMPARE(library.catalog().accelerator("mine")->memoryGb, 97.0);
        QCOMPARE(library.skipped().size(), 1U); // the broken one, and no second of the same id
        mine.id = mine.name = "new";
        QCOMPARE(QFileInfo(library.save(mine).value()).fileName(), QStringLiteral("new-2.json"));
        QFile kept(fault);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), broken);
        fixture.session.catalogEditor.remove(false, "mine");
        QVERIFY(!QFile::exists(odd) && library.catalog().accelerator("mine") == nullptr);
        QVERIFY(!library.removeAccelerator("h100-sxm-80gb")); // built in
    }

    void aDroppedConfigIsImported()
    {
        WindowFixture fixture;
        const QString path = writtenFile(fixture.folder.filePath(QStringLiteral("Llama-3.2-1B/config.json")), config());
        drop(fixture, {path});
        auto* dialog = fixture.window->findChild<ImportDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->nameField()->text(), QStringLiteral("Llama-3.2-1B")); // the folder's: the file has none
        QVERIFY2(dialog->text().contains(QStringLiteral("1,235,814,400")), qPrintable(dialog->text()));
        const Scenario before = fixture.session.store.scenario();
        dialog->useButton()->click();
        WindowFixture::settle();
        QCOMPARE(fixture.session.recalculator.context()->scenario.model->architecture.name,
                 std::string("Llama-3.2-1B"));
        QCOMPARE(fixture.session.recalculator.context()->scenario.model->parameters.total, 1235814400.0);
        // A scenario with the model in it can be written and read again.
        const auto again = readScenario(writeScenario(fixture.session.store.scenario()), Catalog::builtIn());
        QVERIFY(again.has_value() && again->scenario == fixture.session.store.scenario());
        fixture.session.store.undoStack().undo();
        QCOMPARE(fixture.session.store.scenario(), before);
    }

    void anImportedConfigIsKept()
    {
        WindowFixture fixture;
        fixture.dialogs.imports = {
            writtenFile(fixture.folder.filePath(QStringLiteral("one/config.json")), config()),
            writtenFile(
                fixture.folder.filePath(QStringLiteral("one/hf_quant_config.json")),
                R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4", "group_size": 16}})")};
        fixture.part<Actions>()[ActionId::Import]->trigger();
        auto* dialog = fixture.window->findChild<ImportDialog*>();
        QVERIFY(dialog);
        QVERIFY2(dialog->text().contains(QLatin1String("hf_quant_config.json")), qPrintable(dialog->text()));
        dialog->nameField()->setText(QStringLiteral("Small one"));
        dialog->keepButton()->click();
        WindowFixture::settle();
        const auto kept = fixture.session.library.catalog().model("small-one");
        QVERIFY(kept && kept->custom && kept->quantization && kept->quantization->algorithm == "NVFP4");
        QCOMPARE(fixture.session.store.scenario().model.id, std::string("small-one"));
    }

    void whatIsRefusedSaysWhy()
    {
        WindowFixture fixture;
        drop(fixture, {writtenFile(fixture.folder.filePath(QStringLiteral("config.json")),
                                   R"({"model_type": "t5", "d_model": 512, "num_layers": 6})")});
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY2(fixture.dialogs.errors.front().contains(QLatin1String("encoder-decoder")),
                 qPrintable(fixture.dialogs.errors.front()));
        drop(fixture, {writtenFile(fixture.folder.filePath(QStringLiteral("a/config.json")),
                                   R"({"model_type": "llama", "hidden_size": 512})")});
        QVERIFY2(fixture.dialogs.errors.back().contains(QLatin1String("num_hidden_layers")),
                 qPrintable(fixture.dialogs.errors.back()));
        drop(fixture, {writtenFile(fixture.folder.filePath(QStringLiteral("b/hf_quant_config.json")),
                                   R"({"producer": {}, "quantization": {"quant_algo": "FP8"}})")});
        QVERIFY(fixture.dialogs.errors.back().contains(QLatin1String("config.json")));
        QVERIFY(!fixture.window->findChild<ImportDialog*>());
    }

    void aDroppedRecordJoinsTheCatalogue()
    {
        WindowFixture fixture;
        const QString path = writtenFile(fixture.folder.filePath(QStringLiteral("card.json")),
                                         R"({"id": "../../evil", "memory_gb": 96, "peak_tflops": {"bf16": 500},
                                         "memory_bandwidth_gbps_bytes": 1000})");
        drop(fixture, {path});
        QVERIFY(fixture.dialogs.errors.isEmpty());
        QVERIFY(fixture.session.library.catalog().accelerator("../../evil"));
        QVERIFY(QFile::exists(fixture.catalogFolder() + QStringLiteral("/accelerators/evil.json")));
        drop(fixture, {path}); // what is the user's is not overwritten
        QCOMPARE(fixture.dialogs.errors.size(), 1);
    }

    void kindsAreToldApartByContent()
    {
        const auto kind = [](const char* name, const QByteArray& text) { return kindOf(QLatin1String(name), text); };
        QVERIFY(kind("a.headroom", "") == FileKind::Scenario);
        QVERIFY(kind("a.json", R"({"format": "headroom-scenario", "model": {"hf_config": {"model_type": "llama"}}})") ==
                FileKind::Scenario);
        QVERIFY(kind("whatever.json", config()) == FileKind::ModelConfig);
        QVERIFY(kind("config.json", "not even JSON") == FileKind::ModelConfig);
        QVERIFY(kind("x.json", R"({"producer": {}, "quantization": {"quant_algo": "FP8"}})") == FileKind::Quantization);
        QVERIFY(kind("x.json", card(1000)) == FileKind::Accelerator);
        QVERIFY(kind("x.json", R"({"layers": 2, "hidden": 64, "heads": 4})") == FileKind::Model);
        QVERIFY(kind("x.json", R"({"a": 1})") == FileKind::Other);
        for (const auto& m : Catalog::builtIn().models())
            QVERIFY2(kind("x.json", QByteArray::fromStdString(architectureText(*m))) == FileKind::Model, m->id.c_str());
        for (const auto& a : Catalog::builtIn().accelerators())
            if (a->missingFacts().empty())
                QVERIFY2(kind("x.json", QByteArray::fromStdString(acceleratorText(*a))) == FileKind::Accelerator,
                         a->id.c_str());
    }

    void namesMakeIds()
    {
        QCOMPARE(idFromName(QStringLiteral("My H100 (96 GB)")), std::string("my-h100-96-gb"));
        QCOMPARE(idFromName(QStringLiteral("../../étc/passwd")), std::string("etc-passwd"));
        QCOMPARE(idFromName(QStringLiteral("模型")), std::string("custom"));
        QCOMPARE(idFromName(QString(200, u'x')).size(), std::size_t(64));
    }
};
HEADROOM_TEST_WITH(QApplication, TestCatalogEditor)

} // namespace headroom::ui::test_catalog_editor
#include "test_catalog_editor.moc"
