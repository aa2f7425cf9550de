// SPDX-License-Identifier: GPL-3.0-or-later
// Views of a talk in the window: kept without being asked, changed in a dialog with undo, opened, saved, on paper.
// HEADROOM_REPORTS=folder keeps the PDF for looking at.
#include "core/predict/evaluate.hpp"
#include "core/present/views_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/present/choice_list.hpp"
#include "ui/present/load_view.hpp"
#include "ui/present/stage_chart.hpp"
#include "ui/present/stage_header.hpp"
#include "ui/present/stage_tiles.hpp"
#include "ui/present/view_form.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/present/views_dialog.hpp"
#include "ui/present/views_pdf.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <set>

namespace headroom::ui::test_views
{

using headroom::test::WindowFixture;

namespace
{

ViewLibrary& library(WindowFixture& fixture)
{
    return fixture.part<Presenter>().library();
}

ViewsDialog& dialog(WindowFixture& fixture)
{
    fixture.part<Actions>()[ActionId::Views]->trigger();
    WindowFixture::settle();
    return *fixture.window->findChild<ViewsDialog*>();
}

QPushButton& button(const ViewsDialog& dialog, const char* name)
{
    return *dialog.findChild<QPushButton*>(QLatin1String(name));
}

void setBatch(WindowFixture& fixture, double value)
{
    fixture.session.store.setParameter(0, *parameterRow("micro_batch"), value);
    WindowFixture::settle();
}

/// Two views, of micro-batch 4 and 16.
ViewsDialog& twoViews(WindowFixture& fixture)
{
    ViewsDialog& views = dialog(fixture);
    for (const double batch : {4.0, 16.0}) {
        setBatch(fixture, batch);
        button(views, "viewAdd").click();
    }
    return views;
}

double batchOf(const StageView& view)
{
    return parameterRow("micro_batch")->get(view.scenario);
}

std::size_t pagesOf(const QString& path)
{
    const std::string bytes = test::readFile(path.toStdString());
    std::size_t pages = 0;
    for (std::size_t at = bytes.find("/Type /Page\n"); at != std::string::npos;
         at = bytes.find("/Type /Page\n", at + 1))
        ++pages;
    return pages;
}

} // namespace

class TestViews final : public QObject
{
    Q_OBJECT

private slots:
    void theScenarioInHandBecomesAView()
    {
        WindowFixture fixture;
        ViewsDialog& views = dialog(fixture);
        QCOMPARE(views.current(), -1);
        QVERIFY(!button(views, "viewPresent").isEnabled());
        setBatch(fixture, 8);
        fixture.session.store.pinCurrent();
        fixture.session.store.setPinName('A', QStringLiteral("before"));
        fixture.session.recalculator.setSweepParameter(QStringLiteral("sequence_length"));
        button(views, "viewAdd").click();
        QCOMPARE(views.current(), 0);
        QVERIFY(button(views, "viewPresent").isEnabled());
        const StageView& view = library(fixture).views().front();
        QCOMPARE(batchOf(view), 8.0);
        QCOMPARE(view.pins.size(), std::size_t(1));
        QCOMPARE(view.pins.front().name, std::string("before"));
        // On the stage the pin has its name, too.
        ScenarioStore stage;
        Recalculator recalculator(stage, fixture.session.recalculator.catalog(), Calibration::builtIn());
        loadView(view, stage, recalculator);
        QVERIFY(stage.savedPins() == view.pins);
        QCOMPARE(recalculator.context()->pins.front().name, std::string("before"));
        QCOMPARE(view.sweep, std::string("sequence_length"));
        QVERIFY(view.charts.size() == StageView::mostCharts && view.sliders.front() == "sequence_length");
    }

    void itIsRenamedNotedOrderedAndDeletedWithUndo()
    {
        WindowFixture fixture;
        ViewsDialog& views = twoViews(fixture);
        QCOMPARE(views.current(), 1);
        QLineEdit& name = *views.form()->name();
        name.setFocus();
        name.selectAll();
        QTest::keyClicks(&name, QStringLiteral("More at once"));
        QTest::keyClicks(views.form()->note(), QStringLiteral("Ask first."));
        const auto& saved = library(fixture).views();
        QCOMPARE(saved[1].name, std::string("More at once"));
        QCOMPARE(saved[1].note, std::string("Ask first."));
        QVERIFY(views.list()->item(1)->text().contains(QStringLiteral("More at once")));

        QTest::keyClick(views.list(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(saved[0].name, std::string("More at once"));
        QCOMPARE(views.current(), 0);
        QVERIFY(!button(views, "viewUp").isEnabled() && button(views, "viewDown").isEnabled());
        QTest::keyClick(views.list(), Qt::Key_Delete);
        QCOMPARE(saved.size(), std::size_t(1));
        QCOMPARE(batchOf(saved[0]), 4.0);

        button(views, "viewUndo").click(); // the deletion
        QCOMPARE(saved.size(), std::size_t(2));
        button(views, "viewUndo").click(); // the move
        QCOMPARE(saved[1].name, std::string("More at once"));
        button(views, "viewUndo").click(); // the note, however many keys it took
        QCOMPARE(saved[1].note, std::string());
        QCOMPARE(saved[1].name, std::string("More at once"));
    }

    void chartsAndSlidersAreChosenInOrderWithinTheirNumber()
    {
        WindowFixture fixture;
        ViewsDialog& views = twoViews(fixture);
        ChoiceList& charts = *views.form()->charts();
        const auto& view = library(fixture).views()[1];
        const std::vector<std::string> before = view.charts;
        charts.toggle("cost");
        QVERIFY2(view.charts == before, "a fifth does not fit");
        for (std::size_t i = 0; i + 1 < before.size(); ++i)
            charts.toggle(before[i]);
        charts.toggle(before.back());
        QCOMPARE(view.charts, std::vector<std::string>{before.back()}); // one stays
        charts.toggle("cost");
        QCOMPARE(view.charts, (std::vector<std::string>{before.back(), "cost"}));
        QVERIFY(std::any_of(view.sliders.begin(), view.sliders.end(), [](auto& id) { return id == "micro_batch"; }));
        views.form()->sliders()->toggle("micro_batch");
        QVERIFY(std::none_of(view.sliders.begin(), view.sliders.end(), [](auto& id) { return id == "micro_batch"; }));
    }

    void aViewTakesTheWindowsScenarioAndGivesItsOwn()
    {
        WindowFixture fixture;
        ViewsDialog& views = twoViews(fixture);
        setBatch(fixture, 32);
        emit views.form()->takeRequested();
        QCOMPARE(batchOf(library(fixture).views()[1]), 32.0);
        views.list()->setCurrentRow(0);
        emit views.form()->useRequested();
        QCOMPARE(parameterRow("micro_batch")->get(fixture.session.store.scenario()), 4.0);
        fixture.session.store.undoStack().undo();
        QCOMPARE(parameterRow("micro_batch")->get(fixture.session.store.scenario()), 32.0);
    }

    void theyAreKeptWithoutBeingAsked()
    {
        WindowFixture fixture;
        twoViews(fixture);
        const auto views = library(fixture).views();
        const QString kept = fixture.settings.fileBeside(QStringLiteral("kept.headroom-views"));
        const auto isOnDisk = [&] {
            const auto onDisk = readViewsFile(kept, fixture.session.recalculator.catalog());
            return onDisk && *onDisk == views;
        };
        QTRY_VERIFY(isOnDisk()); // while the program runs: a crash loses nothing
        Session session(fixture.settings, fixture.dialogs, fixture.appearance);
        MainWindow second(session);
        ViewLibrary& other = second.views().presenter().library();
        other.read();
        QVERIFY(other.views() == views);
        // What the second window writes is what the first one sees next.
        other.change(QStringLiteral("x"), [](auto& all) { all.pop_back(); });
        other.flush();
        QTest::qWait(20); // file times
        fixture.window->activateWindow();
        WindowFixture::settle();
        fixture.window->findChild<ViewsDialog*>()->activateWindow(); // as by a click in its list
        QTRY_COMPARE(library(fixture).views().size(), std::size_t(1));
    }

    void aDamagedFileIsToldAndNotOverwritten()
    {
        WindowFixture fixture;
        const QByteArray bad = R"({"format": "headroom-views", "version": 1, "views": [{"nam": "x"}]})";
        const QString kept = fixture.settings.fileBeside(QStringLiteral("kept.headroom-views"));
        test::writtenFile(kept, bad);
        ViewsDialog& views = dialog(fixture);
        bool told = false;
        for (const QLabel* label : views.findChildren<QLabel*>())
            told = told || (label->isVisible() && label->text().contains(QStringLiteral("/views/0/nam")));
        QVERIFY(told);
        button(views, "viewAdd").click();
        library(fixture).flush();
        const QString beside = kept + QStringLiteral(".refused");
        QCOMPARE(QByteArray::fromStdString(test::readFile(beside.toStdString())), bad);
        QVERIFY(readViewsFile(kept, fixture.session.recalculator.catalog()));
    }

    void filesAreSavedAndOpenedAndARefusalNamesItsPlace()
    {
        WindowFixture fixture;
        ViewsDialog& views = twoViews(fixture);
        const auto before = library(fixture).views();
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("talk.headroom-views"));
        button(views, "viewSave").click();
        QTest::keyClick(views.list(), Qt::Key_Delete);
        QCOMPARE(library(fixture).views().size(), std::size_t(1));
        button(views, "viewOpen").click();
        QVERIFY(library(fixture).views() == before);
        QVERIFY(fixture.dialogs.errors.isEmpty());
        library(fixture).undoStack().undo();
        QCOMPARE(library(fixture).views().size(), std::size_t(1));

        fixture.dialogs.path = test::writtenFile(
            fixture.folder.filePath(QStringLiteral("bad.headroom-views")),
            R"({"format": "headroom-views", "version": 1, "views": [{"charts": ["memory"], "scenario": {}}]})");
        button(views, "viewOpen").click();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY2(fixture.dialogs.errors.front().contains(QStringLiteral("/views/0/scenario")),
                 qPrintable(fixture.dialogs.errors.front()));
        QCOMPARE(library(fixture).views().size(), std::size_t(1));
    }

    void f5ShowsThemAndTheStageStoresIntoThem()
    {
        WindowFixture fixture;
        twoViews(fixture);
        fixture.part<Actions>()[ActionId::Present]->trigger();
        Stage& stage = *fixture.part<Presenter>().stage();
        QCOMPARE(stage.count(), 2);
        QTest::keyClick(&stage, Qt::Key_Right);
        stage.store().setParameter(0, *parameterRow("micro_batch"), 64);
        WindowFixture::settle();
        emit stage.storeRequested();
        QCOMPARE(batchOf(library(fixture).views()[1]), 64.0);
        QTest::keyClick(&stage, Qt::Key_Escape);
        WindowFixture::settle();

        fixture.part<Actions>()[ActionId::PresentThis]->trigger();
        Stage& single = *fixture.part<Presenter>().stage();
        QCOMPARE(single.count(), 1);
        emit single.storeRequested();
        QCOMPARE(library(fixture).views().size(), std::size_t(3));
    }

    void aSmallScreenNamesEveryBar_data()
    {
        QTest::addColumn<double>("type");
        for (const double type : {1.0, 1.1, 1.2})
            QTest::newRow(qPrintable(QString::number(type))) << type;
    }

    /// The eleven bars of where the peak goes keep their names; four charts are not worth half of them.
    void aSmallScreenNamesEveryBar()
    {
        QFETCH(const double, type);
        WindowFixture fixture;
        fixture.appearance.setTypeScale(type);
        StageView view;
        view.charts = {"utilization", "roofline", "loss_ladder", "memory"};
        view.scenario =
            readScenario(*embeddedFile("scenarios/03-llama-3.1-405b-128-h100.headroom"), Catalog::builtIn())->scenario;
        fixture.part<Presenter>().begin({view});
        Stage& stage = *fixture.part<Presenter>().stage();
        for (const QSize size : {QSize(1024, 700), QSize(1280, 720), QSize(1366, 768)}) {
            stage.resize(size);
            WindowFixture::settle();
            if (stage.charts().size() == 2)
                QTest::keyClick(&stage, Qt::Key_C); // to the other two
            WindowFixture::settle();
            int named = 0;
            for (const StageChart* chart : stage.charts()) {
                const ChartScene& scene = chart->view()->findChild<ChartCanvas*>()->scene();
                if (!scene.layout.horizontal)
                    continue;
                for (const Tick& tick : scene.layout.keyTicks) {
                    QVERIFY2(!tick.label.empty(), qPrintable(QString::number(size.height())));
                    ++named;
                }
            }
            QVERIFY(named >= 10);
        }
    }

    /// A talk about reinforcement learning showed the time of the update alone, one about a day no GPU-hours.
    void headlinesAreWhatTheScenarioAsksFor()
    {
        const auto headlines = [](const Scenario& scenario) {
            ChartContext context;
            context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
            context.evaluation = evaluate(context.scenario);
            std::set<std::string_view> ids;
            for (const MetricRow* row : headlineMetrics(context, 6))
                ids.insert(row->id);
            return ids;
        };
        Scenario training;
        using Ids = std::set<std::string_view>;
        QCOMPARE(headlines(training), (Ids{"mfu", "step_time_s", "tokens_per_s", "mbu", "memory.used_bytes", "hfu"}));
        training.training.rl.prompts = 64;
        const Ids rl = headlines(training);
        QVERIFY(rl.contains("mfu") && rl.contains("rl.step_s") && rl.contains("rl.generate_share"));
        QVERIFY(!rl.contains("step_time_s") && !rl.contains("tokens_per_s")); // those of the update
        Scenario serving;
        serving.task = Task::Inference;
        QCOMPARE(headlines(serving), (Ids{"mfu", "tpot_s", "ttft_s", "tokens_per_s", "mbu", "memory.used_bytes"}));
        serving.inference.requestsPerS = 0.5;
        serving.inference.loadProfile = LoadProfile::shaped(LoadShape::Office, 4);
        const Ids day = headlines(serving);
        QVERIFY(day.contains("mfu") && day.contains("tpot_s") && day.contains("day.gpu_hours"));
        WindowFixture fixture;
        StageView view;
        view.charts = {"day"};
        view.scenario = serving;
        fixture.part<Presenter>().begin({view});
        Stage& stage = *fixture.part<Presenter>().stage();
        stage.resize(1366, 768);
        WindowFixture::settle();
        std::set<std::string_view> shown;
        for (const MetricTile* tile : stage.tiles().tiles())
            shown.insert(tile->row().id);
        QVERIFY(shown.contains("day.gpu_hours"));
    }

    void everyViewHasAPageOfVectors()
    {
        WindowFixture fixture;
        ViewsDialog& views = twoViews(fixture);
        QTest::keyClicks(views.form()->note(), QStringLiteral("The note of the second view."));
        for (const std::size_t count : {1, 2, 3}) {
            StageView view = library(fixture).views()[1];
            view.charts.resize(count);
            library(fixture).change(QStringLiteral("x"), [&view](auto& all) { all.push_back(view); });
        }
        const QString keep = qEnvironmentVariable("HEADROOM_REPORTS");
        fixture.dialogs.path =
            keep.isEmpty() ? fixture.folder.filePath(QStringLiteral("talk.pdf")) : keep + QStringLiteral("/talk.pdf");
        fixture.part<Actions>()[ActionId::ExportViews]->trigger();
        QVERIFY(fixture.dialogs.errors.isEmpty());
        QCOMPARE(pagesOf(fixture.dialogs.path), std::size_t(5));
        QVERIFY(test::readFile(fixture.dialogs.path.toStdString()).find("/Subtype /Image") == std::string::npos);
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("none/talk.pdf"));
        fixture.part<Actions>()[ActionId::ExportViews]->trigger();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
    }
};
HEADROOM_TEST_WITH(QApplication, TestViews)

} // namespace headroom::ui::test_views
#include "test_views.moc"
