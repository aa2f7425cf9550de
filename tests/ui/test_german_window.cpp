// SPDX-License-Identifier: GPL-3.0-or-later
// The German window: every number that is shown has a comma, numbers are read as Germans type them, and what other
// programs read stays as it is.
#include "core/catalog/catalog.hpp"
#include "core/comparison/comparison.hpp"
#include "core/facts/catalog_facts.hpp"
#include "core/lessons/lesson_runner.hpp"
#include "tests/support/compared.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/catalog/catalog_editor.hpp"
#include "ui/catalog/entry_form.hpp"
#include "ui/catalog/fact_html.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/chart_table_model.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/learn/lesson_player.hpp"
#include "ui/learn/question_box.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/panels/table_output.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plan/plan_field.hpp"
#include "ui/plan/plan_form.hpp"
#include "ui/settings/language.hpp"
#include "ui/theme/theme.hpp"

#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>

namespace headroom::ui::test_german_window
{

using headroom::test::press;
using headroom::test::WindowFixture;

namespace
{

QStringList textsOf(const ChartSpec& spec)
{
    QStringList texts;
    const auto add = [&texts](const std::string& text) { texts << toQString(text); };
    for (const std::string& text : {spec.title, spec.reading, spec.summary, spec.note, spec.x.label, spec.y.label})
        add(text);
    for (const Axis* axis : {&spec.x, &spec.y})
        for (const Tick& tick : axis->ticks)
            add(tick.label);
    for (const Series& series : spec.series) {
        add(series.label);
        for (const Point& point : series.points)
            if (!isRun(series.role)) // those are said by their sources
                add(point.label);
    }
    return texts;
}

/// Everything that a widget shows, in its tool tip and to a screen reader, too.
QStringList textsOf(const QWidget& widget)
{
    QStringList texts{widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()};
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        texts << label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        texts << button->text();
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        texts << line->text();
    if (const auto* browser = qobject_cast<const QTextEdit*>(&widget))
        texts << browser->toPlainText().split(u'\n');
    if (const auto* chart = qobject_cast<const ChartView*>(&widget))
        texts << textsOf(chart->spec());
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model()) {
        constexpr int most = 40;
        for (int row = 0; row < std::min(most, view->model()->rowCount()); ++row)
            for (int column = 0; column < view->model()->columnCount(); ++column)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                    texts << view->model()->index(row, column).data(role).toString();
    }
    return texts;
}

/// Names and quotations of the catalogue hold points in every language.
QString withoutNames(QString text)
{
    static const QStringList names = [] {
        QStringList found;
        for (const auto& model : Catalog::builtIn().models())
            found << toQString(model->name);
        for (const auto& device : Catalog::builtIn().accelerators()) { // sources are quoted as they are
            found << toQString(device->name) << toQString(device->peakBasis);
            if (device->price)
                found << toQString(device->price->basis);
        }
        found.removeAll(QString());
        std::ranges::sort(found, std::ranges::greater{}, [](const QString& name) { return name.size(); });
        return found;
    }();
    for (const QString& name : names)
        text.remove(name);
    return text;
}

bool hasPoint(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("(?<![\\w.-])[0-9]+\\.[0-9]+(?![\\w.])"));
    return number.match(withoutNames(text)).hasMatch();
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Each chart of the dashboard as CSV.
QList<QByteArray> chartsAsCsv(WindowFixture& fixture)
{
    QList<QByteArray> files;
    for (const ChartView* chart : fixture.part<DashboardPage>().charts()) {
        const QString path = fixture.folder.filePath(QStringLiteral("chart.csv"));
        if (const QString error = writeChart(*chart, path); !error.isEmpty())
            qFatal("%s", qPrintable(error));
        files << contentOf(path);
    }
    return files;
}

} // namespace

class TestGermanWindow final : public QObject
{
    Q_OBJECT

private slots:
    void numbersHaveCommas_data()
    {
        QTest::addColumn<QString>("page");
        for (const PageRow& row : pageRegistry())
            QTest::newRow(row.id) << QString(QLatin1String(row.id));
    }

    void numbersHaveCommas()
    {
        QFETCH(const QString, page);
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        QVERIFY(fixture.window->pages().show(page));
        const QWidget* front = fixture.window->pages().stack()->currentWidget();
        QVERIFY(QTest::qWaitFor([front] { return !front->property("busy").toBool(); }, 60'000));
        WindowFixture::settle();
        QStringList wrong;
        for (const QWidget* widget : fixture.window->findChildren<QWidget*>())
            for (const QString& text : textsOf(*widget))
                if (hasPoint(text))
                    wrong << QLatin1String(widget->metaObject()->className()) + u' ' + widget->objectName() +
                                 QStringLiteral(": ") + text.left(200);
        wrong.removeDuplicates();
        QVERIFY2(wrong.isEmpty(), qPrintable(u'\n' + wrong.join(u'\n')));
    }

    void factsOfEveryEntryHaveCommas()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        QVERIFY(fixture.window->pages().show(QStringLiteral("catalog")));
        WindowFixture::settle();
        EntryForm* form = fixture.session.catalogEditor.duplicate(*Catalog::builtIn().accelerator("gb10"));
        for (const QLineEdit* field : form->findChildren<QLineEdit*>())
            QVERIFY2(!hasPoint(field->text()), qPrintable(field->text()));
        QVERIFY2(!hasPoint(form->previewText()), qPrintable(form->previewText()));
    }

    void notesOfTheCatalogueAreGermanAndTheUsersOwnStay()
    {
        const Language german(QStringLiteral("de"));
        const Theme theme;
        const auto h100 = Catalog::builtIn().accelerator("h100-sxm-80gb");
        const QString words = factHtml({h100}, theme);
        QVERIFY2(words.contains(QStringLiteral("Speicher: 80\u00A0GiB verbaut")), qPrintable(words)); // a note
        QVERIFY2(words.contains(QStringLiteral("Diagonale von")), qPrintable(words));   // of a measured rate
        QVERIFY2(words.contains(QStringLiteral("Höchsttakt 1980")), qPrintable(words)); // of another peak in print
        QVERIFY2(words.contains(QStringLiteral("Speicherbandbreite")), qPrintable(words));
        const auto gemma = Catalog::builtIn().model("gemma-2b");
        const QString model = factHtml({modelEntry(gemma)}, theme);
        QVERIFY2(model.contains(QStringLiteral("ist ein Fünftel des Modells")), qPrintable(model));
        QVERIFY2(model.contains(QStringLiteral("exakt")), qPrintable(model));

        Accelerator own = *h100;
        own.custom = true;
        own.notes = {"The one in the cellar, 2.5 years old"};
        QVERIFY(factHtml({std::make_shared<const Accelerator>(own)}, theme)
                    .contains(QStringLiteral("The one in the cellar, 2.5 years old")));
    }

    /// CSV is for machines, in English with points; what people paste follows the window.
    void filesStayEnglishAndPastedTextIsGerman()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        fixture.window->pages().show(QStringLiteral("catalog"));
        WindowFixture::settle();
        const QWidget* page = fixture.window->pages().page(QStringLiteral("catalog"));
        const auto* table = page->findChild<QTableView*>();
        QVERIFY(table);
        const QString csv = QString::fromUtf8(tableCsv(*table)), heading = csv.section(u'\n', 0, 0);
        QVERIFY2(heading.startsWith(QLatin1String("Name,")), qPrintable(heading));
        QVERIFY2(heading.contains(QLatin1String("Memory")) && !heading.contains(QLatin1String("Speicher")),
                 qPrintable(heading));
        static const QRegularExpression decimalComma(QStringLiteral("\\d,\\d+ [A-Z]"));
        QVERIFY2(!decimalComma.match(csv).hasMatch(), qPrintable(csv));
        copyTable(*table);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->text().section(u'\n', 0, 0).contains(QLatin1String("Speicher")));
        QCOMPARE(QString::fromUtf8(data->data(QStringLiteral("text/csv"))), csv);
        Comparison comparison = test::compared(*fixture.session.recalculator.context());
        QVERIFY2(QString::fromStdString(comparisonCsv(comparison)).startsWith(QLatin1String("metric")), "heading");
        static const QRegularExpression fraction(QStringLiteral("\\d,\\d"));
        QVERIFY(QString::fromStdString(comparisonMarkdown(comparison)).contains(fraction));
    }

    void aFormOfTheCatalogueReadsCommas()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        EntryForm* form = fixture.session.catalogEditor.duplicate(*Catalog::builtIn().accelerator("h100-sxm-80gb"));
        form->field(QStringLiteral("Name"))->setText(QStringLiteral("meine"));
        form->field(QStringLiteral("Speicher"))->setText(QStringLiteral("79,65"));
        form->field(QStringLiteral("Speicherbandbreite"))->setText(QStringLiteral("4,8 TB/s"));
        QVERIFY2(form->saveButton()->isEnabled(), qPrintable(form->problems()));
        QCOMPARE(form->values()[2].number, std::optional(79.65));
        QVERIFY(std::abs(form->values()[3].number.value_or(0) - 4800) < 1e-6);
    }

    void aFieldOfThePlannerReadsAndShowsCommas()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        fixture.window->pages().show(QStringLiteral("plan"));
        auto* page = qobject_cast<PlanPage*>(fixture.window->pages().page(QStringLiteral("plan")));
        ValueBox* box = page->form()->field(QStringLiteral("price_per_gpu_hour"))->box();
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("2,75"));
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([page] { return !page->isBusy(); }, 60'000));
        QCOMPARE(fixture.session.store.scenario().hardware.pricePerGpuHour, std::optional(2.75));
        QVERIFY2(box->text().contains(QStringLiteral("2,75")), qPrintable(box->text()));
        box->setFocus(); // what is typed over, too
        QVERIFY2(box->text().contains(QStringLiteral("2,75")), qPrintable(box->text()));
    }

    void aGuessIsReadWithAComma()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        LessonPlayer& player = fixture.session.lessons;
        player.start(QStringLiteral("mfu"));
        player.send(lesson_event::Answered{1});
        player.send(lesson_event::Next{});
        WindowFixture::settle();
        QuestionBox& question = *fixture.part<LessonCard>().question();
        question.field()->setText(QStringLiteral("0,25"));
        question.field()->setFocus();
        press(fixture, Qt::Key_Return);
        QTRY_COMPARE(player.state().steps[1].answer, std::optional(0.25));
        QVERIFY2(fixture.part<LessonCard>().text().contains(QString::fromUtf8("0,238\u202Fs")),
                 qPrintable(fixture.part<LessonCard>().text()));
    }

    void chartsAreExportedAsInEnglish()
    {
        QList<QByteArray> english;
        {
            WindowFixture fixture;
            english = chartsAsCsv(fixture);
        }
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        QVERIFY(english.size() > 3);
        QCOMPARE(chartsAsCsv(fixture), english);
        // On the screen they are German.
        const ChartTable shown = chartTable(fixture.part<DashboardPage>().charts().front()->spec());
        QVERIFY(!english.front().startsWith(QByteArray::fromStdString(shown.header.front())));
        QCOMPARE(shownCell("1.5"), QStringLiteral("1,5"));
        QCOMPARE(shownCell("Llama 3.1"), QStringLiteral("Llama 3.1"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestGermanWindow)

} // namespace headroom::ui::test_german_window
#include "test_german_window.moc"
