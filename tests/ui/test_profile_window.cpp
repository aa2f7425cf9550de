// SPDX-License-Identifier: GPL-3.0-or-later
// A profile in the window: imported by menu and by drop, its chart comes and goes, it is undone, explained and saved.
#include "core/explain/derive.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_trace.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/profile_controller.hpp"
#include "ui/document/report.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUndoStack>

namespace headroom::ui::test_profile_window
{

using namespace test;

class TestProfileWindow : public QObject
{
    Q_OBJECT

    static QString traceIn(WindowFixture& fixture)
    {
        SampleTrace trace;
        trace.kernel("nvjet_hsh", 0, 600).kernel("flash_fwd_kernel", 600, 100);
        trace.kernel("ncclDevKernel_AllGather", 900, 100, 7).launch(800, 5, 7); // 200 µs launch-bound
        return writtenFile(fixture.folder.filePath(QStringLiteral("rank.json")),
                           QByteArray::fromStdString(trace.text()));
    }
    static bool hasChart(WindowFixture& fixture)
    {
        fixture.session.recalculator.flush();
        auto& dashboard = fixture.part<DashboardPage>();
        return dashboard.chart(QStringLiteral("profile")) != nullptr &&
               dashboard.choice().chartIds(fixture.session.store.scenario().task).contains(QStringLiteral("profile"));
    }

    /// Into the folder that the variable names, for people to look at.
    static void pictures(WindowFixture& fixture)
    {
        const QString gallery = qEnvironmentVariable("HEADROOM_WALK_PICTURES");
        if (gallery.isEmpty())
            return;
        fixture.window->resize(1366, 768);
        fixture.part<MetricTiles>().select(QStringLiteral("step_time_s"));
        for (const auto& [theme, name] : {std::pair(ThemeKind::Light, "light"), std::pair(ThemeKind::Dark, "dark")}) {
            fixture.session.appearance.setTheme(theme);
            QTest::qWait(600);
            auto* browser = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>();
            browser->moveCursor(QTextCursor::End);
            browser->find(QStringLiteral("profile says to change"), QTextDocument::FindBackward);
            browser->ensureCursorVisible();
            ChartView chart;
            chart.resize(430, 300);
            chart.setSpec(chartRow("time_breakdown")->build(*fixture.session.recalculator.context()));
            chart.show();
            QTest::qWait(200);
            fixture.window->grab().save(QStringLiteral("%1/profile-%2.png").arg(gallery, QLatin1String(name)));
            chart.grab().save(QStringLiteral("%1/time-%2.png").arg(gallery, QLatin1String(name)));
            fixture.part<ExplanationPanel>().grab().save(
                QStringLiteral("%1/panel-%2.png").arg(gallery, QLatin1String(name)));
        }
        fixture.session.appearance.setTheme(ThemeKind::Light);
    }

private slots:
    void theMenuBringsAProfile()
    {
        WindowFixture fixture;
        QVERIFY(!hasChart(fixture));
        fixture.dialogs.imports = {traceIn(fixture)};
        fixture.part<Actions>()[ActionId::ImportProfile]->trigger();
        QVERIFY2(fixture.dialogs.errors.isEmpty(), qPrintable(fixture.dialogs.errors.join(u'\n')));
        const MeasuredProfile profile = fixture.session.store.scenario().measured.profile;
        QVERIFY(std::abs(profile.stepS - 1e-3) < 1e-9 && std::abs(profile.launchBoundS - 200e-6) < 1e-9);
        QVERIFY(hasChart(fixture));
        // What is said of the time names the largest difference.
        const ChartContext* context = fixture.session.recalculator.context();
        const char* metric = context->scenario.task == Task::Training ? "step_time_s" : "tpot_s";
        QVERIFY(derive(metric, context->scenario, context->evaluation).meaning.find("The profile differs most") !=
                std::string::npos);
        // The file keeps it, undo takes it back, and the chart goes.
        QVERIFY(writeScenario(fixture.session.store.scenario()).find("launch_bound_s") != std::string::npos);
        fixture.session.store.undoStack().undo();
        QVERIFY(!fixture.session.store.scenario().measured.profile.any());
        QVERIFY(!hasChart(fixture));
    }

    void itsTableStandsInTheExplanationTheReportAndTheComparison()
    {
        WindowFixture fixture;
        fixture.session.profiles.import({traceIn(fixture)});
        fixture.session.recalculator.flush();
        const ChartContext& context = *fixture.session.recalculator.context();
        const QString metric =
            context.scenario.task == Task::Training ? QStringLiteral("step_time_s") : QStringLiteral("tpot_s");
        ExplanationPanel panel;
        panel.explain(metric, context);
        const QString explained = panel.text();
        for (const char* words : {"predicted", "measured", "difference", "Host: launch-bound", "200"})
            QVERIFY2(explained.contains(QLatin1String(words)), qPrintable(explained));
        panel.explain(QStringLiteral("mfu"), context);
        QVERIFY(!panel.text().contains(QLatin1String("Host: launch-bound")));

        const QString report = reportDocument({context, {}, {}, {}})->toPlainText();
        QVERIFY2(report.contains(QLatin1String("Profile beside the prediction")), qPrintable(report));
        QVERIFY(report.contains(QLatin1String("Host: launch-bound")));

        // Pinned, and profiled again after a change: both stand side by side, part by part.
        fixture.session.store.pinCurrent();
        fixture.session.store.edit(0, QStringLiteral("again"), [](Scenario& scenario) {
            MeasuredProfile& profile = scenario.measured.profile;
            profile.stepS -= profile.launchBoundS / 2;
            profile.launchBoundS /= 2;
        });
        fixture.session.recalculator.flush();
        ComparePage page(fixture.session);
        page.show();
        WindowFixture::settle();
        QVERIFY2(page.changes().contains(QLatin1String("Profiles, part by part")), qPrintable(page.changes()));
        page.copyMarkdown();
        const QString markdown = QGuiApplication::clipboard()->text();
        QVERIFY2(markdown.contains(QLatin1String("| Part, as profiled | Now | A |")), qPrintable(markdown));
        const QString both = reportDocument({*fixture.session.recalculator.context(), {}, {}, {}})->toPlainText();
        QVERIFY(both.contains(QLatin1String("Part, as profiled")));
    }

    void whatItSaysToChangeIsAppliedByOneClickAndUndoneByOne()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.edit(0, QStringLiteral("a training"), [](Scenario& scenario) {
            scenario.task = Task::Training;
            scenario.model = {"llama-3-8b", {}};
            scenario.accelerator = {"h100-sxm-80gb", {}};
            scenario.hardware.count = 8;
            scenario.parallelism = {};
            scenario.training = {};
            scenario.training.checkpointing = Checkpointing::Full;
            scenario.training.software = TrainingSoftware::TorchFsdp;
        });
        store.edit(0, QStringLiteral("profiled"), [](Scenario& scenario) {
            scenario.measured = {};
            scenario.measured.profile.matmulS = 0.5;
            scenario.measured.profile.normS = 1.5; // nothing is fused
            scenario.measured.profile.stepS = 2;
        });
        fixture.session.recalculator.flush();
        pictures(fixture);
        ExplanationPanel panel;
        connect(&panel, &ExplanationPanel::adviceChosen, &store, &ScenarioStore::follow);
        panel.explain(QStringLiteral("step_time_s"), *fixture.session.recalculator.context());
        QVERIFY2(panel.text().contains(QStringLiteral("torch.compile → on: about ")), qPrintable(panel.text()));
        auto* browser = panel.findChild<QTextBrowser*>();
        QVERIFY(browser->toHtml().contains(QLatin1String("profile:0")));
        const Scenario before = store.scenario();
        const int steps = store.undoStack().index();
        emit browser->anchorClicked(QUrl(QStringLiteral("profile:0")));
        QCOMPARE(store.undoStack().index(), steps + 1);
        QVERIFY(store.scenario().training.compile == true);
        // The profile is of the run before: nothing measured is shown of the one that was not run.
        QVERIFY(store.scenario().measuredWith.has_value());
        fixture.session.recalculator.flush();
        QVERIFY(!fixture.session.recalculator.context()->scenario.measured.profile.any());
        store.undoStack().undo();
        QVERIFY(store.scenario() == before);
    }

    void kernelNamesAreKeptWhereThePreferenceSaysSo()
    {
        WindowFixture fixture;
        SampleTrace trace;
        trace.kernel("nvjet_hsh", 0, 600).kernel("my_secret_kernel", 600, 300);
        const QString path =
            writtenFile(fixture.folder.filePath(QStringLiteral("named.json")), QByteArray::fromStdString(trace.text()));
        QVERIFY(fixture.session.profiles.import({path}));
        QVERIFY(fixture.session.store.scenario().kernels.empty());
        fixture.session.settings.setValue(SettingKey::KernelNames, QStringLiteral("unrecognised"));
        QVERIFY(fixture.session.profiles.import({path}));
        QCOMPARE(fixture.session.store.scenario().kernels.size(), std::size_t(1));
        fixture.session.recalculator.flush();
        const ChartContext& context = *fixture.session.recalculator.context();
        ExplanationPanel panel;
        panel.explain(context.scenario.task == Task::Training ? QStringLiteral("step_time_s")
                                                              : QStringLiteral("tpot_s"),
                      context);
        QVERIFY2(panel.text().contains(QLatin1String("my_secret_kernel")), qPrintable(panel.text()));
        QVERIFY(reportDocument({context, {}, {}, {}})->toPlainText().contains(QLatin1String("my_secret_kernel")));
    }

    void aDropBringsAProfile()
    {
        WindowFixture fixture;
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(traceIn(fixture))});
        QCOMPARE(ProfileController::profilesAmong(&mime).size(), 1);
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &drop);
        WindowFixture::settle();
        QVERIFY(fixture.session.store.scenario().measured.profile.any());
    }

    void whatIsNoProfileIsSaid()
    {
        WindowFixture fixture;
        const QString path =
            writtenFile(fixture.folder.filePath(QStringLiteral("cpu.json")),
                        R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1, "dur": 1}]})");
        QVERIFY(!fixture.session.profiles.import({path}));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(fixture.dialogs.errors.front().contains(QLatin1String("ProfilerActivity.CUDA")));
        QVERIFY(!fixture.session.store.scenario().measured.profile.any());
        QMimeData mime;
        mime.setUrls(
            {QUrl::fromLocalFile(writtenFile(fixture.folder.filePath(QStringLiteral("a.csv")), "step_time_s\n1\n"))});
        QVERIFY(ProfileController::profilesAmong(&mime).isEmpty());
    }
};
HEADROOM_TEST_WITH(QApplication, TestProfileWindow)

} // namespace headroom::ui::test_profile_window
#include "test_profile_window.moc"
