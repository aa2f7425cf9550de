// SPDX-License-Identifier: GPL-3.0-or-later
// Measured runs in the window: published ones beside the scenario, the user's own imported, drawn, calibrated to.
#include "core/explain/chart_point.hpp"
#include "core/explain/tile_text.hpp"
#include "core/runs/measured_run.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/measure_guide.hpp"
#include "ui/panels/metric_tiles.hpp"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <algorithm>

namespace headroom::ui::test_runs
{

using headroom::test::WindowFixture;
using headroom::test::writtenFile;

class TestRuns : public QObject
{
    Q_OBJECT

    /// The example that torchtitan published: 64 A100, Llama 3 8B.
    static void openPublished(WindowFixture& fixture)
    {
        const auto& examples = fixture.session.documents.examples();
        const auto found = std::find_if(examples.begin(), examples.end(), [](const Example& example) {
            return example.text.find("selective_layer") != std::string_view::npos;
        });
        QVERIFY(found != examples.end());
        QVERIFY(fixture.session.documents.openExample(*found));
        fixture.session.store.edit(0, QStringLiteral("unmeasured"), [](Scenario& s) { s.measured = {}; });
        fixture.session.recalculator.flush();
    }

    static const Series* series(WindowFixture& fixture, const char* chart, SeriesRole role)
    {
        static ChartSpec spec;
        spec = chartRow(chart)->build(*fixture.session.recalculator.context());
        const auto found = std::ranges::find(spec.series, role, &Series::role);
        return found == spec.series.end() ? nullptr : &*found;
    }

private slots:
    void publishedRunsComeByThemselves()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.session.runLibrary.shelf()->published);
        openPublished(fixture);
        const Series* published = series(fixture, "utilization", SeriesRole::Published);
        QVERIFY(published);
        QVERIFY(!published->points.empty());
        const QString text = fixture.part<ExplanationPanel>().text();
        QVERIFY2(text.contains(QStringLiteral("The nearest published run measured")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("pytorch/torchtitan")), qPrintable(text));
    }

    void aMeasuredFieldShowsWhatWasObserved()
    {
        WindowFixture fixture;
        openPublished(fixture);
        ScenarioStore& store = fixture.session.store;
        const ChartContext& context = *fixture.session.recalculator.context();
        const double predicted = *context.evaluation.stepTimeS;
        QVERIFY(!context.evaluation.observed);
        store.setParameter(0, *parameterRow("measured_step_time_s"), 1.25 * predicted);
        fixture.session.recalculator.flush();
        QVERIFY(fixture.session.recalculator.context()->evaluation.observed);
        QVERIFY(std::abs(*fixture.session.recalculator.context()->evaluation.observed->stepTimeS / predicted - 1.25) <
                1e-9);
        const Series* gap = series(fixture, "loss_ladder", SeriesRole::Measured);
        QVERIFY(gap);
        QCOMPARE(gap->id, std::string("unexplained"));
        store.resetParameter(*parameterRow("measured_step_time_s")); // cleared
        fixture.session.recalculator.flush();
        QVERIFY(!fixture.session.recalculator.context()->evaluation.observed);
        store.undoStack().undo();
        fixture.session.recalculator.flush();
        QVERIFY(fixture.session.recalculator.context()->evaluation.observed);
    }

    void anImportedTableLiesOnTheChartsAndStays()
    {
        WindowFixture fixture;
        openPublished(fixture);
        fixture.dialogs.path = writtenFile(fixture.folder.filePath(QStringLiteral("mine.csv")),
                                           "name,micro_batch,step_time_s\none,1,3.0\ntwo,2,5.5\n");
        fixture.part<Actions>()[ActionId::ImportRuns]->trigger();
        QVERIFY2(fixture.dialogs.errors.isEmpty(), qPrintable(fixture.dialogs.errors.join(u'\n')));
        fixture.session.recalculator.flush();
        QCOMPARE(fixture.session.runLibrary.own().size(), std::size_t(2));
        const Series* own = series(fixture, "step_time", SeriesRole::Own);
        QVERIFY(own);
        QCOMPARE(own->points.size(), std::size_t(2));

        const QString kept = fixture.settings.fileBeside(QStringLiteral("runs.jsonl"));
        RunLibrary later(Catalog::builtIn(), kept); // the next start
        later.read();
        QCOMPARE(later.own().size(), std::size_t(2));

        // A line that cannot be read now, for an entry that is gone from the catalogue, stays in the file.
        QFile file(kept);
        QVERIFY(file.open(QIODevice::Append));
        file.write("{\"of\": \"another machine\"}\n");
        file.close();
        RunLibrary again(Catalog::builtIn(), kept);
        again.read();
        QCOMPARE(again.own().size(), std::size_t(2));
        again.remove({0});
        QVERIFY(QString::fromStdString(test::readFile(kept.toStdString())).contains(QStringLiteral("another machine")));

        QMenu menu;
        fixture.session.runs.fillMenu(&menu);
        const Scenario before = fixture.session.store.scenario();
        menu.actions().constFirst()->menu()->actions().constFirst()->trigger(); // open: the run with what was measured
        QCOMPARE(*fixture.session.store.scenario().measured.stepTimeS, 3.0);
        fixture.session.store.undoStack().undo();
        QVERIFY(fixture.session.store.scenario() == before);
        menu.actions().constFirst()->menu()->actions().constLast()->trigger(); // remove
        QCOMPARE(fixture.session.runLibrary.own().size(), std::size_t(1));
        QCOMPARE(fixture.session.runLibrary.own().front().name, std::string("two"));
        fixture.session.runs.remove({0});
        fixture.session.recalculator.flush();
        QVERIFY(!series(fixture, "step_time", SeriesRole::Own));
    }

    void aBadTableIsRefusedWithItsLine()
    {
        WindowFixture fixture;
        openPublished(fixture);
        fixture.dialogs.path =
            writtenFile(fixture.folder.filePath(QStringLiteral("bad.csv")), "micro_batch,step_time_s\n1,3\n1,fast\n");
        fixture.part<Actions>()[ActionId::ImportRuns]->trigger();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY2(fixture.dialogs.errors.front().contains(QStringLiteral("bad.csv:3")),
                 qPrintable(fixture.dialogs.errors.front()));
        QVERIFY(fixture.session.runLibrary.own().empty());
    }

    void aDroppedLogIsImported()
    {
        WindowFixture fixture;
        openPublished(fixture);
        const Scenario before = fixture.session.store.scenario();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(writtenFile(fixture.folder.filePath(QStringLiteral("train.log")),
                                                      "step: 10  loss: 3.1  memory: 41.00GiB(51%)  tps: 2,800\n"))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window.get(), &drop);
        QCOMPARE(fixture.session.runLibrary.own().size(), std::size_t(1));
        QVERIFY(fixture.session.store.scenario() == before);
        Scenario measured = before;
        measured.measured.stepTimeS = 3;
        QVERIFY(!RunController::isLog(writtenFile(fixture.folder.filePath(QStringLiteral("a.headroom")),
                                                  QByteArray::fromStdString(writeScenarioLine(measured)))));
    }

    /// A log that prints its settings first says what it is only behind them; a scenario is none however long it is.
    void aLogThatTellsItselfLateIsALog_data()
    {
        QTest::addColumn<QByteArray>("figures");
        QTest::newRow("trtllm-bench") << QByteArray("Total Output Throughput (tokens/sec):             5342.1\n");
        QTest::newRow("NeMo") << QByteArray("Epoch 0: 10%| train_step_timing in s=4.5\n");
        QTest::newRow("Megatron Bridge") << QByteArray("iteration 10/100 | 412.3 MODEL_TFLOP/s/GPU\n");
    }
    void aLogThatTellsItselfLateIsALog()
    {
        QFETCH(const QByteArray, figures);
        WindowFixture fixture;
        const QByteArray settings = QByteArray("[INFO] a setting of the run: 1\n").repeated(4000);
        QVERIFY(settings.size() > (64 << 10));
        const QString path =
            writtenFile(fixture.folder.filePath(QStringLiteral("late.log")), QByteArray(settings + figures));
        QVERIFY(RunController::isLog(path));
        // Dropped, it is imported (or refused as a log), and opens as no scenario.
        const Scenario before = fixture.session.store.scenario();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window.get(), &enter);
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window.get(), &drop);
        QVERIFY(fixture.session.store.scenario() == before);
        for (const QString& error : std::as_const(fixture.dialogs.errors))
            QVERIFY2(error.contains(QLatin1String("No measurements could be imported")), qPrintable(error));
        // Opened by the menu, too.
        const auto told = fixture.dialogs.errors.size(), kept = qsizetype(fixture.session.runLibrary.own().size());
        QVERIFY(told + kept > 0);
        fixture.dialogs.path = path;
        QVERIFY(fixture.session.documents.open());
        QVERIFY(fixture.session.store.path().isEmpty());
        QCOMPARE(fixture.dialogs.errors.size(), 2 * told);

        const QByteArray late = QByteArray(70'000, 'x') + figures.trimmed();
        QVERIFY(!RunController::isLog(
            writtenFile(fixture.folder.filePath(QStringLiteral("scenario.json")),
                        QByteArray("{\n\"format\": \"headroom-scenario\", \"notes\": \"" + late + "\"}"))));
        QVERIFY(!RunController::isLog(
            writtenFile(fixture.folder.filePath(QStringLiteral("bytes.bin")), QByteArray(70'000, '\0') + figures)));
        QVERIFY(!RunController::isLog(writtenFile(fixture.folder.filePath(QStringLiteral("plain.txt")), settings)));
    }

    void calibratingMovesTheExpectationAndBack()
    {
        WindowFixture fixture;
        openPublished(fixture);
        MainWindow& window = *fixture.window;
        QAction* calibrate = fixture.part<Actions>()[ActionId::Calibrate];
        calibrate->trigger(); // nothing measured: told, and the tick goes again
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(!calibrate->isChecked());
        fixture.session.store.setParameter(0, *parameterRow("measured_step_time_s"), 1e-6);
        calibrate->trigger(); // no machine did that
        QVERIFY2(fixture.dialogs.errors.back().contains(QStringLiteral("speed of light")),
                 qPrintable(fixture.dialogs.errors.back()));
        QVERIFY(!calibrate->isChecked());
        fixture.session.store.undoStack().undo();

        const double built = *fixture.session.recalculator.context()->evaluation.stepTimeS;
        fixture.session.store.setParameter(0, *parameterRow("measured_step_time_s"), 1.2 * built);
        QCOMPARE(fixture.session.runs.matching(), std::size_t(1));
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 2); // the measurement is not of this
        QCOMPARE(fixture.session.runs.matching(), std::size_t(0));
        fixture.session.store.undoStack().undo();
        calibrate->trigger();
        fixture.session.recalculator.flush();
        const Evaluation& fitted = fixture.session.recalculator.context()->evaluation;
        QVERIFY(calibrate->isChecked());
        QVERIFY2(std::abs(*fitted.stepTimeS / built - 1.2) < 0.005, qPrintable(QString::number(*fitted.stepTimeS)));
        QVERIFY(tileText(*metricRow("hfu"), *fixture.session.recalculator.context()).sub.starts_with("calibrated "));
        for (const char* chart : {"utilization", "step_time"})
            QVERIFY(
                chartRow(chart)->build(*fixture.session.recalculator.context()).note.starts_with("Own calibration"));
        QVERIFY(chartRow("memory")->build(*fixture.session.recalculator.context()).note.find("calibration") ==
                std::string::npos);

        auto* mark = window.statusBar()->findChild<QLabel*>(QStringLiteral("ownCalibration"));
        QVERIFY(mark->text().contains(QStringLiteral("own calibration")));
        emit mark->linkActivated(QStringLiteral("builtin")); // off by one click
        fixture.session.recalculator.flush();
        QVERIFY(!calibrate->isChecked());
        QVERIFY(std::abs(*fixture.session.recalculator.context()->evaluation.stepTimeS / built - 1) < 1e-9);
        fixture.session.store.undoStack().undo(); // calibrated again
        QVERIFY(calibrate->isChecked());
        fixture.session.store.undoStack().undo();
        QVERIFY(!calibrate->isChecked());
        QVERIFY(fixture.session.store.scenario().efficiency.isPlain());
        fixture.session.recalculator.flush();
        WindowFixture::settle();
        QVERIFY(mark->text().isEmpty());
    }

    void aPointOfARunTellsWhoMeasuredIt()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.session.runLibrary.shelf()->published);
        openPublished(fixture);
        const ChartContext& context = *fixture.session.recalculator.context();
        for (const char* chart : {"utilization", "step_time", "loss_ladder"}) {
            const ChartSpec spec = chartRow(chart)->build(context);
            const auto runs = std::ranges::find(spec.series, SeriesRole::Published, &Series::role);
            QVERIFY2(runs != spec.series.end(), chart);
            const auto point = chartPoint(context, spec, runs->id, 0);
            QVERIFY2(point, chart);
            QVERIFY2(point->where.starts_with("that was measured: "), point->where.c_str());
            QVERIFY(point->evaluation.observed);
            fixture.part<ExplanationPanel>().explainPoint(*point, context);
            QVERIFY(fixture.part<ExplanationPanel>().text().contains(QStringLiteral("pytorch/torchtitan")));
        }
    }

    void theGuideSavesTheScriptAndOpensItsOutput()
    {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        openPublished(fixture);
        fixture.part<Actions>()[ActionId::MeasureGpu]->trigger();
        auto* guide = window.findChild<MeasureGuide*>();
        QVERIFY(guide && guide->isVisible());
        const auto press = [guide](const char* name) {
            guide->findChild<QPushButton*>(QString::fromLatin1(name))->click();
        };
        QVERIFY(!guide->findChild<QPushButton*>(QStringLiteral("calibrate"))->isEnabled());

        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("headroom_measure.py"));
        press("save");
        for (const char* name : {"headroom_measure.py", "headroom_cases.py", "headroom_llama.py"}) {
            const QString saved = fixture.folder.filePath(QLatin1String(name));
            QCOMPARE(QString::fromStdString(test::readFile(saved.toStdString())),
                     QString::fromStdString(test::readFile(test::sourcePath("resources/measure/") + name)));
        }
        press("copy");
        QCOMPARE(QGuiApplication::clipboard()->text(), MeasureGuide::command());

        Scenario run = fixture.session.store.scenario();
        run.measured.stepTimeS = 1.5 * *fixture.session.recalculator.context()->evaluation.stepTimeS;
        run.source = "headroom_measure";
        fixture.dialogs.path = writtenFile(fixture.folder.filePath(QStringLiteral("mine.jsonl")),
                                           QByteArray::fromStdString(writeScenarioLine(run) + "\n"));
        press("open");
        QVERIFY2(fixture.dialogs.errors.isEmpty(), qPrintable(fixture.dialogs.errors.join(u'\n')));
        QCOMPARE(fixture.session.runLibrary.own().size(), std::size_t(1));
        const double before = *fixture.session.recalculator.context()->evaluation.stepTimeS;
        press("calibrate");
        fixture.session.recalculator.flush();
        QVERIFY(std::abs(*fixture.session.recalculator.context()->evaluation.stepTimeS / before - 1.5) < 0.01);
        QVERIFY(guide->findChild<QLabel*>(QStringLiteral("fitted"))->text().contains(u'×'));
        press("calibrate"); // back
        QVERIFY(fixture.session.store.scenario().efficiency.isPlain());

        // Runs of another machine: told which, and nothing moves.
        fixture.session.store.edit(0, QStringLiteral("other"), [](Scenario& s) { s.accelerator = {"h200", {}}; });
        WindowFixture::settle();
        QVERIFY(!guide->findChild<QPushButton*>(QStringLiteral("calibrate"))->isEnabled());
        QVERIFY(guide->findChild<QLabel*>(QStringLiteral("fitted"))->text().contains(QStringLiteral("A100")));
    }
};
HEADROOM_TEST_WITH(QApplication, TestRuns)

} // namespace headroom::ui::test_runs
#include "test_runs.moc"
