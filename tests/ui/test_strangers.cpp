// SPDX-License-Identifier: GPL-3.0-or-later
// Files from strangers: whatever their names and notes say is shown as words. No markup of theirs is obeyed, in no
// label, tip, page, dialog or export; no link of theirs leads elsewhere than to the web (docs/trust.md).
#include "core/comparison/comparison.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/compared.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/catalog/fact_html.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/report.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/stage.hpp"
#include "ui/present/view_library.hpp"
#include "ui/theme/theme.hpp"

#include <QAbstractItemView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QStackedWidget>
#include <QTextDocument>
#include <QTextEdit>
#include <QTextFragment>
#include <QXmlStreamReader>

namespace headroom::ui::test_strangers
{

using headroom::test::WindowFixture;

namespace
{

/// Markup of every kind that something in Headroom writes or reads, in one name.
constexpr auto evil =
    R"(<img src="file:///etc/hostname"> <b>bold</b> </svg><script>x</script> | `c` [l](file:///etc) ' &amp;)";

bool isMarkup(const QString& text, Qt::TextFormat format)
{
    if (!text.contains(QLatin1String("<img")) && !text.contains(QLatin1String("<b>bold")))
        return false;
    return format == Qt::RichText || format == Qt::MarkdownText ||
           (format == Qt::AutoText && Qt::mightBeRichText(text));
}

bool holdsPictures(const QTextDocument& document)
{
    for (const QTextFormat& format : document.allFormats())
        if (format.isImageFormat())
            return true;
    return false;
}

/// What of a widget would be obeyed; empty = nothing.
QStringList obeyed(const QWidget& widget)
{
    QStringList found;
    const QString where = QLatin1String(widget.metaObject()->className()) + u' ' + widget.objectName();
    if (const auto* label = qobject_cast<const QLabel*>(&widget); label && isMarkup(label->text(), label->textFormat()))
        found << where + QStringLiteral(": text ") + label->text();
    if (isMarkup(widget.toolTip(), Qt::AutoText))
        found << where + QStringLiteral(": tip ") + widget.toolTip();
    if (const auto* edit = qobject_cast<const QTextEdit*>(&widget); edit && holdsPictures(*edit->document()))
        found << where + QStringLiteral(": a picture in its text");
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
        for (int row = 0; row < view->model()->rowCount(); ++row)
            for (int column = 0; column < view->model()->columnCount(); ++column)
                if (const QString tip = view->model()->index(row, column).data(Qt::ToolTipRole).toString();
                    isMarkup(tip, Qt::AutoText))
                    found << where + QStringLiteral(": tip of a cell ") + tip;
    const auto* menu = qobject_cast<const QMenu*>(&widget);
    for (const QAction* action : menu && !menu->toolTipsVisible() ? QList<QAction*>() : widget.actions())
        if (isMarkup(action->toolTip(), Qt::AutoText))
            found << where + QStringLiteral(": tip of an action ") + action->toolTip();
    return found;
}

QStringList obeyedIn(const QWidget& top)
{
    QStringList found = obeyed(top);
    for (const QWidget* widget : top.findChildren<QWidget*>())
        found << obeyed(*widget);
    found.removeDuplicates();
    return found;
}

#define NOTHING_OBEYED(widget)                                                                                         \
    do {                                                                                                               \
        const QStringList found = obeyedIn(widget);                                                                    \
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));                                                      \
    } while (false)

/// A window in which everything that a file can name is named by a stranger.
struct StrangersWindow : WindowFixture {
    StrangersWindow()
    {
        Accelerator accelerator = *Catalog::builtIn().accelerator("h100-sxm-80gb");
        accelerator.id = "strange";
        accelerator.aliases.clear();
        accelerator.name = accelerator.vendor = accelerator.architecture = accelerator.formFactor = evil;
        for (auto& [field, source] : accelerator.fieldSources)
            source = evil;
        accelerator.notes = accelerator.sources = {evil};
        ModelArchitecture model = *Catalog::builtIn().model("llama-3-8b");
        model.id = "strange";
        model.name = model.family = model.notes = model.source = evil;
        saved = session.library.save(accelerator).has_value() && session.library.save(model).has_value();
        settle();
        Scenario scenario;
        scenario.name = scenario.notes = scenario.source = evil;
        scenario.model.id = scenario.accelerator.id = "strange";
        scenario.measured.stepTimeS = 3;
        session.runLibrary.add({scenario});
        session.store.setDocument(scenario, folder.filePath(QStringLiteral("<img src=x><b>bold")));
        session.recalculator.flush();
        session.store.pinCurrent();
        session.store.setParameter(0, *parameterRow("micro_batch"), 4);
        session.recalculator.flush();
        StageView view = part<Presenter>().present();
        view.name = view.note = evil;
        part<Presenter>().library().change(QStringLiteral("x"), [&](auto& views) { views = {view, view}; });
        settle();
    }
    bool saved = false;
};

/// Looks at the message box that `open` shows, and closes it.
QStringList obeyedByBox(const std::function<void()>& open)
{
    QStringList found(QStringLiteral("no box came"));
    QTimer look;
    look.setInterval(10);
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            found = obeyedIn(*box);
            box->reject();
        }
    });
    look.start();
    open();
    return found;
}

} // namespace

class TestStrangers : public QObject
{
    Q_OBJECT

private slots:
    void noPageObeysThem()
    {
        StrangersWindow fixture;
        QVERIFY(fixture.saved);
        QVERIFY(fixture.session.recalculator.context());
        for (const PageRow& row : pageRegistry()) {
            fixture.window->pages().show(QLatin1String(row.id));
            WindowFixture::settle();
            QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->pages().stack()->currentWidget()->property("busy").toBool(),
                                     60000);
            NOTHING_OBEYED(*fixture.window);
        }
        for (QMenu* menu : fixture.window->findChildren<QMenu*>()) {
            emit menu->aboutToShow();
            NOTHING_OBEYED(*menu);
        }
    }

    void noDialogOrStageObeysThem()
    {
        StrangersWindow fixture;
        fixture.part<Actions>()[ActionId::Views]->trigger();
        WindowFixture::settle();
        for (const QWidget* top : QApplication::topLevelWidgets())
            NOTHING_OBEYED(*top);
        const auto stage =
            fixture.part<Presenter>().makeStage(fixture.part<Presenter>().library().views(), fixture.window.get());
        stage->show();
        WindowFixture::settle();
        NOTHING_OBEYED(*stage);
    }

    void noMessageObeysThem()
    {
        StrangersWindow fixture;
        fixture.window->findChild<MessageBar*>()->show(MessageKind::Error, toQString(evil), toQString(evil), {});
        NOTHING_OBEYED(*fixture.window);
        NativeDialogs dialogs;
        const QString name = toQString(evil);
        QCOMPARE(obeyedByBox([&] { (void)dialogs.askSave(fixture.window.get(), name); }), QStringList());
        QCOMPARE(obeyedByBox([&] { (void)dialogs.askRestore(fixture.window.get(), name, name); }), QStringList());
        QCOMPARE(obeyedByBox([&] { (void)dialogs.confirm(fixture.window.get(), name, name, name); }), QStringList());
        QCOMPARE(obeyedByBox([&] { dialogs.showError(fixture.window.get(), name, name); }), QStringList());
    }

    /// Not "Yes": who reads the buttons alone knows what they do.
    void aQuestionsButtonSaysWhatItDoes()
    {
        NativeDialogs dialogs;
        QStringList buttons;
        QTimer look;
        look.setInterval(10);
        connect(&look, &QTimer::timeout, &look, [&buttons] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box)
                return;
            for (const QAbstractButton* each : box->buttons())
                buttons << each->text();
            for (QAbstractButton* each : box->buttons())
                if (each->text() == QLatin1String("&Replace"))
                    each->click();
        });
        look.start();
        QVERIFY(dialogs.confirm(nullptr, QStringLiteral("Replace it?"), {}, QStringLiteral("&Replace")));
        QVERIFY(buttons.contains(QStringLiteral("&Replace")) && buttons.size() == 2);
    }

    void theReportShowsThem()
    {
        StrangersWindow fixture;
        ReportContent content{*fixture.session.recalculator.context(), toQString(evil), toQString(evil), {}};
        const auto document = reportDocument(content);
        QVERIFY(document->toPlainText().contains(QLatin1String("<img src=\"file:///etc/hostname\">")));
        for (const QTextFormat& format : document->allFormats())
            QVERIFY2(!format.isImageFormat(), qPrintable(format.toImageFormat().name()));
    }

    void anSvgHoldsThemAsText()
    {
        ChartSpec spec = test::lineSpec(0);
        spec.title = spec.summary = spec.reading = evil;
        for (Series& series : spec.series)
            series.label = evil;
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.svg"));
        QCOMPARE(exportSvg(spec, path, {600, 400}, theme(ThemeKind::Light)), QString());
        const std::string text = test::readFile(toUtf8(path));
        QXmlStreamReader xml(QByteArray::fromStdString(text));
        bool titled = false;
        static const QSet<QString> drawn{QStringLiteral("svg"),      QStringLiteral("g"),       QStringLiteral("path"),
                                         QStringLiteral("polyline"), QStringLiteral("title"),   QStringLiteral("desc"),
                                         QStringLiteral("defs"),     QStringLiteral("text"),    QStringLiteral("rect"),
                                         QStringLiteral("circle"),   QStringLiteral("ellipse"), QStringLiteral("line"),
                                         QStringLiteral("polygon"),  QStringLiteral("clipPath")};
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement) {
                QVERIFY2(drawn.contains(xml.name().toString()), qPrintable(xml.name().toString()));
                if (xml.name() == QLatin1String("title")) {
                    titled = true;
                    QCOMPARE(xml.readElementText(), toQString(evil));
                }
            }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(titled);
    }

    void markdownHoldsThemAsText()
    {
        StrangersWindow fixture;
        const QString text = toQString(comparisonMarkdown(test::compared(*fixture.session.recalculator.context())));
        QTextDocument document;
        document.setMarkdown(text, QTextDocument::MarkdownDialectGitHub);
        QVERIFY(!holdsPictures(document));
        QVERIFY2(document.toPlainText().contains(QLatin1String("<script>x</script> | `c` [l](file:///etc)")),
                 qPrintable(text.left(900)));
        for (const QTextFormat& format : document.allFormats())
            QVERIFY2(!format.toCharFormat().isAnchor(), qPrintable(format.toCharFormat().anchorHref()));
    }

    void linksLeadToTheWebAlone()
    {
        Accelerator accelerator = *Catalog::builtIn().accelerator("h100-sxm-80gb");
        const std::vector<std::string> sources{"file:///etc/passwd",
                                               "javascript:alert(1)",
                                               "smb://host.example/share",
                                               "https://example.org/a' onclick='x",
                                               "owner/name@0123456789abcdef x.md",
                                               "data.example.org/page"};
        accelerator.sources = sources;
        for (auto& [field, source] : accelerator.fieldSources)
            source = sources[field.size() % sources.size()];
        QTextDocument document;
        document.setHtml(
            factHtml(std::vector<std::shared_ptr<const Accelerator>>{std::make_shared<const Accelerator>(accelerator)},
                     theme(ThemeKind::Light)));
        int web = 0;
        for (const QTextFormat& format : document.allFormats()) {
            const QString href = format.toCharFormat().anchorHref();
            web += href.startsWith(QLatin1String("https://"));
            QVERIFY2(href.isEmpty() || href.startsWith(QLatin1String("https://")) || href.startsWith(u'#'),
                     qPrintable(href));
        }
        QVERIFY(web >= 2);
    }
};
HEADROOM_TEST_WITH(QApplication, TestStrangers)

} // namespace headroom::ui::test_strangers
#include "test_strangers.moc"
