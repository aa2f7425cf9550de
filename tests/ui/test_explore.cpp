// SPDX-License-Identifier: GPL-3.0-or-later
// Exploring on the real window: comparison, palette, chart points explained, advice applied, the glossary, clipboard.
// HEADROOM_SCREENS=folder keeps pictures of the pages with three pins for looking at.
#include "core/metrics/words.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/say.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/compare_model.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/command_palette.hpp"
#include "ui/widgets/steady_scroll.hpp"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTextBrowser>
#include <QUrl>

namespace headroom::ui::test_explore
{

using headroom::test::WindowFixture;

class TestExplore : public QObject
{
    Q_OBJECT

    static void trigger(WindowFixture& fixture, ActionId id)
    {
        fixture.part<Actions>()[id]->trigger();
        WindowFixture::settle();
    }

    static ComparePage* comparePage(WindowFixture& fixture)
    {
        trigger(fixture, ActionId::Compare);
        return static_cast<ComparePage*>(fixture.window->pages().page(QStringLiteral("compare")));
    }

    static void click(QTextBrowser* browser, const QString& link)
    {
        emit browser->anchorClicked(QUrl(link));
        WindowFixture::settle();
    }

    static CommandPalette* openPalette(WindowFixture& fixture)
    {
        trigger(fixture, ActionId::Palette);
        return fixture.window->findChild<CommandPalette*>();
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pinsStandBesideTheScenarioInHand()
    {
        WindowFixture fixture;
        trigger(fixture, ActionId::New);
        trigger(fixture, ActionId::Pin);
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 8);
        ComparePage* page = comparePage(fixture);
        const QAbstractItemModelTester tester(page->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QCOMPARE(page->model()->columnCount(), 2);
        QVERIFY(page->model()->rowCount() > 10);
        QVERIFY2(page->changes().contains(QStringLiteral("Micro-batch")), qPrintable(page->changes()));
        // The table follows the hand.
        const QModelIndex step = page->model()->index(3, 0);
        const QString before = step.data().toString();
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 32);
        WindowFixture::settle();
        QVERIFY(step.data().toString() != before);
        trigger(fixture, ActionId::Pin);
        QCOMPARE(page->model()->columnCount(), 3);
        trigger(fixture, ActionId::ClearPins);
        QCOMPARE(page->model()->columnCount(), 1);
        QVERIFY(page->changes().contains(QStringLiteral("Nothing is pinned")));
    }

    void swappingIsOneStepBothWays()
    {
        WindowFixture fixture;
        trigger(fixture, ActionId::New);
        trigger(fixture, ActionId::Pin);
        ScenarioStore& store = fixture.session.store;
        store.setParameter(0, *parameterRow("micro_batch"), 8);
        ComparePage* page = comparePage(fixture);
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Swap with A"))
                button->click();
        WindowFixture::settle();
        QCOMPARE(store.scenario().training.microBatch, 1);
        QCOMPARE(store.pins().front().scenario.training.microBatch, 8);
        QVERIFY(page->changes().contains(QStringLiteral("Micro-batch")));
        store.undoStack().undo();
        WindowFixture::settle();
        QCOMPARE(store.scenario().training.microBatch, 8);
        QCOMPARE(store.pins().front().scenario.training.microBatch, 1);
    }

    void onlyWhatIsPinnedCanBeSwapped()
    {
        WindowFixture fixture;
        ComparePage* page = comparePage(fixture);
        const auto offered = [page] {
            QString letters;
            for (QPushButton* button : page->findChildren<QPushButton*>())
                if (button->text().startsWith(QStringLiteral("Swap with")) && button->isVisible())
                    letters += button->text().back();
            return letters;
        };
        QCOMPARE(offered(), QString());
        trigger(fixture, ActionId::Pin);
        QCOMPARE(offered(), QStringLiteral("A"));
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3); // refused: nothing is evaluated anew
        trigger(fixture, ActionId::Pin);
        QCOMPARE(offered(), QStringLiteral("AB"));
        trigger(fixture, ActionId::ClearPins);
        QCOMPARE(offered(), QString());
    }

    void whatCannotBeEvaluatedIsNamedBesideTheOthers()
    {
        WindowFixture fixture;
        trigger(fixture, ActionId::New);
        trigger(fixture, ActionId::Pin);
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3);
        ComparePage* page = comparePage(fixture); // opened while the scenario in hand is refused
        QVERIFY(fixture.session.recalculator.isRefused());
        QVERIFY(page->model()->rowCount() > 10);
        QCOMPARE(page->model()->index(0, 0).data().toString(), QStringLiteral("–"));
        static const QRegularExpression digit(QStringLiteral("\\d"));
        QVERIFY(page->model()->index(0, 1).data().toString().contains(digit));
        const QString head = page->model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString();
        QVERIFY2(head.contains(QStringLiteral("cannot be evaluated")), qPrintable(head));
        const std::string reason = withLabels(fixture.session.recalculator.refusal().front().message);
        QVERIFY2(page->changes().contains(QString::fromStdString(reason)), qPrintable(page->changes()));
        QVERIFY(page->changes().contains(QStringLiteral("Tensor")));
        static const QRegularExpression key(QStringLiteral("[a-z]+_[a-z_]+")); // of a file: the window has labels
        // The other way round: the pin is refused, the scenario in hand is not.
        trigger(fixture, ActionId::Pin);
        fixture.session.store.edit(0, QStringLiteral("batch"), [](Scenario& scenario) {
            scenario.parallelism.tensor = 1;
            scenario.training.microBatch = 2;
            scenario.training.globalBatch = 3; // its message names the key of a file
        });
        WindowFixture::settle();
        QVERIFY2(!key.match(page->changes()).hasMatch() && page->changes().contains(u"icro-batch"),
                 qPrintable(page->changes()));
        fixture.session.store.edit(0, QStringLiteral("batch"),
                                   [](Scenario& scenario) { scenario.training.globalBatch.reset(); });
        WindowFixture::settle();
        QCOMPARE(page->model()->index(0, 2).data().toString(), QStringLiteral("–"));
        QVERIFY(page->model()->index(0, 0).data().toString() != QStringLiteral("–"));
        QVERIFY(page->changes().contains(QStringLiteral("Pin B cannot be evaluated")));
    }

    void theComparisonLeavesAsMarkdownAndCsv()
    {
        WindowFixture fixture;
        trigger(fixture, ActionId::Pin);
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 1024);
        ComparePage* page = comparePage(fixture);
        page->copyMarkdown();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("What changed from A")));
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("comparison.csv"));
        page->exportCsv();
        QVERIFY(test::readFile(fixture.dialogs.path.toStdString()).starts_with("metric,"));
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("no/such/folder.csv"));
        page->exportCsv();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
    }

    void nothingHiddenIsCompared()
    {
        WindowFixture fixture;
        ComparePage* page = comparePage(fixture);
        const int rows = page->model()->rowCount();
        QVERIFY(rows > 0);
        const QString before = page->model()->index(0, 0).data().toString();
        fixture.window->pages().show(QStringLiteral("dashboard"));
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 512);
        WindowFixture::settle();
        QCOMPARE(page->model()->index(0, 0).data().toString(), before);
    }

    /// "Ctrl+K finds anything", says the first start: a word that somebody does not know, too, and what teaches it.
    void thePaletteFindsTermsAndLessons()
    {
        WindowFixture fixture;
        CommandPalette* palette = openPalette(fixture);
        QTest::keyClicks(palette->field(), QStringLiteral("ridge"));
        QCOMPARE(palette->rowText(0), QStringLiteral("Ridge"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        WindowFixture::settle();
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("glossary"));
        openPalette(fixture);
        QTest::keyClicks(palette->field(), QStringLiteral("KV cache: GQA"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(fixture.session.lessons.isPlaying());
    }

    void thePaletteFindsByAnyWordsAndDoesIt()
    {
        WindowFixture fixture;
        CommandPalette* palette = openPalette(fixture);
        QVERIFY(palette->isVisible());
        QTest::keyClicks(palette->field(), QStringLiteral("mixtral 8x22"));
        QVERIFY(palette->rows() >= 1);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QVERIFY2(fixture.session.store.scenario().model.id.find("mixtral") != std::string::npos,
                 fixture.session.store.scenario().model.id.c_str());

        openPalette(fixture);
        QTest::keyClicks(palette->field(), QStringLiteral("glossary"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        WindowFixture::settle();
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("glossary"));

        openPalette(fixture);
        QTest::keyClicks(palette->field(), QStringLiteral("Free memory"));
        QCOMPARE(palette->rowText(0), QStringLiteral("Free memory"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        WindowFixture::settle();
        QVERIFY(fixture.part<ExplanationPanel>().text().contains(QStringLiteral("Free memory")));
    }

    /// Groups are folded at first: what is found in one comes into sight, with the keyboard, at once.
    void thePaletteLeadsToARowOfAFoldedGroup()
    {
        WindowFixture fixture({1366, 768});
        auto& panel = fixture.part<ParameterPanel>();
        int folded = 0;
        for (const ParameterRow& row : parameterRegistry()) {
            const ParameterRowWidget* widget = panel.rowWidget(toQString(row.id));
            if (!isOffered(row, fixture.session.store.scenario()) || !widget->isHidden())
                continue; // its group was unfolded for the row before
            ++folded;
            CommandPalette* palette = openPalette(fixture);
            palette->field()->setText(toQString(say(row.label)));
            QTest::keyClick(palette->field(), Qt::Key_Return);
            WindowFixture::settle();
            QVERIFY2(widget->control()->hasFocus(), row.id.data());
            const QWidget& seen = *panel.scrollArea()->viewport();
            QVERIFY2(seen.rect().contains({widget->mapTo(&seen, QPoint()), widget->size()}), row.id.data());
        }
        QVERIFY(folded >= 3);
    }

    void paletteMatchesRankTheNameFirst()
    {
        const std::vector<PaletteEntry> entries{
            {QStringLiteral("Latency over batch"), QStringLiteral("chart"), {}, {}},
            {QStringLiteral("Batch"), QStringLiteral("parameter"), {}, {}},
            {QStringLiteral("MFU"), QStringLiteral("metric"), QStringLiteral("rises with the batch"), {}}};
        const auto found = paletteMatches(entries, QStringLiteral("batch"));
        QCOMPARE(found.size(), std::size_t(3));
        QCOMPARE(found[0]->text, QStringLiteral("Batch"));
        QCOMPARE(found[2]->text, QStringLiteral("MFU"));
        QVERIFY(paletteMatches(entries, QStringLiteral("batch roof")).empty());
    }

    void aPointOfAChartIsExplainedAndGivesWayAgain()
    {
        WindowFixture fixture;
        ExplanationPanel& panel = fixture.part<ExplanationPanel>();
        const QString mine = panel.text();
        ChartView* chart = fixture.part<DashboardPage>().chart(QStringLiteral("utilization"));
        emit chart->pointActivated(QStringLiteral("mfu"), 0);
        WindowFixture::settle();
        QVERIFY2(panel.text().contains(QStringLiteral("Point of the chart at")), qPrintable(panel.text().left(200)));
        click(panel.findChild<QTextBrowser*>(), QStringLiteral("back:"));
        QCOMPARE(panel.text(), mine);
    }

    void anAdviceIsAppliedByOneClickAndOneUndo()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        const Scenario before = store.scenario();
        QVERIFY2(fixture.part<ExplanationPanel>().text().contains(QStringLiteral("WHAT TO CHANGE NEXT")),
                 qPrintable(fixture.part<ExplanationPanel>().text()));
        click(fixture.part<ExplanationPanel>().findChild<QTextBrowser*>(), QStringLiteral("advice:0"));
        QVERIFY(!(store.scenario() == before));
        store.undoStack().undo();
        QVERIFY(store.scenario() == before);
    }

    void whatDoesNotFitHasTheWayToFit()
    {
        WindowFixture fixture;
        trigger(fixture, ActionId::New);
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 512);
        WindowFixture::settle();
        QVERIFY(!fixture.session.recalculator.context()->evaluation.fits);
        QVERIFY(fixture.part<ExplanationPanel>().text().contains(QStringLiteral("WHAT WOULD FIT")));
        click(fixture.part<ExplanationPanel>().findChild<QTextBrowser*>(), QStringLiteral("advice:0"));
        QVERIFY(fixture.session.recalculator.context()->evaluation.fits);
    }

    void theGlossaryIsReachedFromAMetricAndLeadsBack()
    {
        WindowFixture fixture;
        click(fixture.part<ExplanationPanel>().findChild<QTextBrowser*>(), QStringLiteral("glossary:mfu"));
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("glossary"));
        auto* page = static_cast<GlossaryPage*>(fixture.window->pages().page(QStringLiteral("glossary")));
        QVERIFY2(page->text().contains(QStringLiteral("MFU")), qPrintable(page->text()));
        page->field()->setText(QStringLiteral("key value cache"));
        QVERIFY(page->text().contains(QStringLiteral("KV cache")));
        page->field()->setText(QStringLiteral("zzz"));
        QVERIFY(page->text().contains(QStringLiteral("No term")));
        click(page->findChild<QTextBrowser*>(), QStringLiteral("metric:mbu"));
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("dashboard"));
        QVERIFY(fixture.part<ExplanationPanel>().text().contains(QStringLiteral("MBU")));
    }

    void screensForLookingAt()
    {
        const QString folder = qEnvironmentVariable("HEADROOM_SCREENS");
        if (folder.isEmpty())
            return;
        const QString pixels = qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1"));
        for (const QSize size : {QSize(1366, 768), QSize(1920, 1080)})
            for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark})
                for (const bool serve : {false, true}) {
                    WindowFixture fixture(size);
                    fixture.appearance.setTheme(kind);
                    ScenarioStore& store = fixture.session.store;
                    Scenario scenario;
                    scenario.hardware.count = 8;
                    scenario.hardware.pricePerGpuHour = 2.5;
                    scenario.task = serve ? Task::Inference : Task::Training;
                    scenario.training.checkpointing = Checkpointing::Full;
                    scenario.inference.tpotTargetS = 0.02;
                    store.setDocument(scenario, {});
                    const ParameterRow& batch = *parameterRow(serve ? "batch" : "micro_batch");
                    for (const double value : {2.0, 8.0, 32.0}) {
                        store.setParameter(0, batch, value);
                        store.pinCurrent();
                    }
                    store.setParameter(0, batch, 16);
                    QStringList ids;
                    for (const ChartRow& row : chartRegistry())
                        if ((serve ? row.inference : row.training) && ids.size() < (size.width() > 1500 ? 12 : 8))
                            ids << toQString(row.id);
                    fixture.part<DashboardPage>().choice().setChartIds(scenario.task, ids);
                    for (const char* page : {"dashboard", "compare", "glossary"}) {
                        fixture.window->pages().show(QLatin1String(page));
                        WindowFixture::settle();
                        fixture.window->grab().save(
                            QStringLiteral("%1/%2-%3-%4-%5-%6x.png")
                                .arg(folder, QLatin1String(page),
                                     serve ? QStringLiteral("serve") : QStringLiteral("train"))
                                .arg(size.width())
                                .arg(kind == ThemeKind::Dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                     pixels));
                    }
                }
    }

    void aScenarioTravelsAsOneLineAndAsACommand()
    {
        WindowFixture fixture;
        trigger(fixture, ActionId::Copy);
        const QString line = QGuiApplication::clipboard()->text();
        QCOMPARE(line.trimmed().count(u'\n'), 0);
        const Scenario before = fixture.session.store.scenario();
        trigger(fixture, ActionId::New);
        trigger(fixture, ActionId::Paste);
        QCOMPARE(writeScenarioLine(fixture.session.store.scenario()), writeScenarioLine(before));
        trigger(fixture, ActionId::CopyCommandLine);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("headroom-cli evaluate -")));
    }
};
HEADROOM_TEST_WITH(QApplication, TestExplore)

} // namespace headroom::ui::test_explore
#include "test_explore.moc"
