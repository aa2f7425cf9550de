// SPDX-License-Identifier: GPL-3.0-or-later
// Measured runs in the window: published ones beside the scenario, the user's own imported, drawn, calibrated to.
#include "core/runs/measured_run.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/tile_text.hpp"
#include "ui/text.hpp"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <algorithm>

using namespace headroom;
using namespace headroom::ui;
using headroom::test::WindowFixture;

class TestRuns : public QObject
{
    Q_OBJECT

    static QString written(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }

    /// The example that torchtitan published: 64 A100, Llama 3 8B.
    static void openPublished(WindowFixture& fixture)
    {
        MainWindow& window = *fixture.window;
        const auto& examples = window.documents().examples();
        const auto found = std::find_if(examples.begin(), examples.end(), [](const Example& example) {
            return example.text.find("selective_layer") != std::string_view::npos;
        });
        QVERIFY(found != examples.end());
        QVERIFY(window.documents().openExample(*found));
        window.store().edit(0, QStringLiteral("unmeasured"), [](Scenario& s) { s.measured = {}; });
        window.recalculator().flush();
    }

    static const Series* series(WindowFixture& fixture, const char* chart, SeriesRole role)
    {
        static ChartSpec spec;
        spec = chartRow(chart)->build(*fixture.window->recalculator().context());
        const auto found = std::ranges::find(spec.series, role, &Series::role);
        return found == spec.series.end() ? nullptr : &*found;
    }

private slots:
    void publishedRunsComeByThemselves()
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.window->runLibrary().shelf()->published);
        openPublished(fixture);
        const Series* published = series(fixture, "utilization", SeriesRole::Published);
        QVERIFY(published);
        QVERIFY(!published->points.empty());
        const QString text = fixture.window->explanation().text();
        QVERIFY2(text.contains(QStringLiteral("The nearest published run measured")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("pytorch/torchtitan")), qPrintable(text));
    }

    void aMeasuredFieldShowsWhatWasObserved()
    {
        WindowFixture fixture;
        openPublished(fixture);
        ScenarioStore& store = fixture.window->store();
        const ChartContext& context = *fixture.window->recalculator().context();
        const double predicted = *context.evaluation.stepTimeS;
        QVERIFY(!context.evaluation.observed);
        store.setParameter(0, *parameterRow("measured_step_time_s"), 1.25 * predicted);
        fixture.window->recalculator().flush();
        QVERIFY(fixture.window->recalculator().context()->evaluation.observed);
        QVERIFY(std::abs(*fixture.window->recalculator().context()->evaluation.observed->stepTimeS / predicted - 1.25) <
                1e-9);
        const Series* gap = series(fixture, "loss_ladder", SeriesRole::Measured);
        QVERIFY(gap);
        QCOMPARE(gap->id, std::string("unexplained"));
        store.resetParameter(*parameterRow("measured_step_time_s")); // cleared
        fixture.window->recalculator().flush();
        QVERIFY(!fixture.window->recalculator().context()->evaluation.observed);
        store.undoStack().undo();
        fixture.window->recalculator().flush();
        QVERIFY(fixture.window->recalculator().context()->evaluation.observed);
    }

    void anImportedTableLiesOnTheChartsAndStays()
    {
        WindowFixture fixture;
        openPublished(fixture);
        MainWindow& window = *fixture.window;
        fixture.dialogs.path = written(fixture.folder.filePath(QStringLiteral("mine.csv")),
                                       "name,micro_batch,step_time_s\none,1,3.0\ntwo,2,5.5\n");
        window.actions()[ActionId::ImportRuns]->trigger();
        QVERIFY2(fixture.dialogs.errors.isEmpty(), qPrintable(fixture.dialogs.errors.join(u'\n')));
        window.recalculator().flush();
        QCOMPARE(window.runLibrary().own().size(), std::size_t(2));
        const Series* own = series(fixture, "step_time", SeriesRole::Own);
        QVERIFY(own);
        QCOMPARE(own->points.size(), std::size_t(2));

        RunLibrary later(fixture.settings.fileBeside(QStringLiteral("runs.jsonl"))); // the next start
        later.read();
        QCOMPARE(later.own().size(), std::size_t(2));

        QMenu menu;
        window.runs().fillRemoveMenu(&menu);
        menu.actions().front()->trigger();
        QCOMPARE(window.runLibrary().own().size(), std::size_t(1));
        QCOMPARE(window.runLibrary().own().front().name, std::string("two"));
        window.runLibrary().removeAll();
        window.recalculator().flush();
        QVERIFY(!series(fixture, "step_time", SeriesRole::Own));
    }

    void aBadTableIsRefusedWithItsLine()
    {
        WindowFixture fixture;
        openPublished(fixture);
        fixture.dialogs.path =
            written(fixture.folder.filePath(QStringLiteral("bad.csv")), "micro_batch,step_time_s\n1,3\n1,fast\n");
        fixture.window->actions()[ActionId::ImportRuns]->trigger();
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY2(fixture.dialogs.errors.front().contains(QStringLiteral("bad.csv:3")),
                 qPrintable(fixture.dialogs.errors.front()));
        QVERIFY(fixture.window->runLibrary().own().empty());
    }

    void aDroppedLogIsImported()
    {
        WindowFixture fixture;
        openPublished(fixture);
        const Scenario before = fixture.window->store().scenario();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(written(fixture.folder.filePath(QStringLiteral("train.log")),
                                                  "step: 10  loss: 3.1  memory: 41.00GiB(51%)  tps: 2,800\n"))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window.get(), &drop);
        QCOMPARE(fixture.window->runLibrary().own().size(), std::size_t(1));
        QVERIFY(fixture.window->store().scenario() == before);
    }

    void calibratingMovesTheExpectationAndBack()
    {
        WindowFixture fixture;
        openPublished(fixture);
        MainWindow& window = *fixture.window;
        QAction* calibrate = window.actions()[ActionId::Calibrate];
        calibrate->trigger(); // nothing measured: told, and the tick goes again
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(!calibrate->isChecked());

        const double built = *window.recalculator().context()->evaluation.stepTimeS;
        window.store().setParameter(0, *parameterRow("measured_step_time_s"), 1.2 * built);
        calibrate->trigger();
        window.recalculator().flush();
        const Evaluation& fitted = window.recalculator().context()->evaluation;
        QVERIFY(calibrate->isChecked());
        QVERIFY2(std::abs(*fitted.stepTimeS / built - 1.2) < 0.005, qPrintable(QString::number(*fitted.stepTimeS)));
        QVERIFY(tileText(*metricRow("memory.used_bytes"), *window.recalculator().context()).calibrated);

        calibrate->trigger(); // off
        window.recalculator().flush();
        QVERIFY(!calibrate->isChecked());
        QVERIFY(std::abs(*window.recalculator().context()->evaluation.stepTimeS / built - 1) < 1e-9);
        window.store().undoStack().undo(); // calibrated again
        QVERIFY(calibrate->isChecked());
        window.store().undoStack().undo();
        QVERIFY(!calibrate->isChecked());
        QVERIFY(window.store().scenario().efficiency.isPlain());
    }
};

QTEST_MAIN(TestRuns)
#include "test_runs.moc"
