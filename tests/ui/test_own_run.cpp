// SPDX-License-Identifier: GPL-3.0-or-later
// From my run to my next run: a measurement that is entered moves the expectation onto that run at once, visibly and
// reversibly, and advice is about it; where one change no longer helps, several do.
#include "core/explore/advice.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/plan/several_changes.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/format.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/message_buttons.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plan/layout_advisor.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTextBrowser>
#include <QUndoStack>

namespace headroom::ui::test_own_run
{

using headroom::test::press;
using headroom::test::ranTheseButton;
using headroom::test::sayTheseWereRun;
using headroom::test::type;
using headroom::test::WindowFixture;

namespace
{

/// Somebody's job: 64 GPUs, tensor parallel 8, at 8k tokens.
Scenario job()
{
    Scenario scenario;
    scenario.model.id = "llama-3-8b";
    scenario.accelerator.id = "h100-sxm-80gb";
    scenario.hardware.count = 64;
    scenario.parallelism.tensor = 8;
    scenario.training.sequenceLength = 8192;
    scenario.training.globalBatch = 128;
    return scenario;
}

/// What a run of it would measure that is slower than expected by this factor.
double measuredStep(double slower)
{
    const auto prepared = prepare(job(), Catalog::builtIn(), Calibration::builtIn());
    return std::round(*evaluate(*prepared).stepTimeS * slower * 100) / 100;
}

struct Engineer : WindowFixture {
    Engineer()
    {
        session.store.setDocument(job(), {});
        settle();
    }
    ParameterRowWidget& step() { return *part<ParameterPanel>().reveal(QStringLiteral("measured_step_time_s")); }
    [[nodiscard]] const Efficiency& efficiency() const { return session.store.scenario().efficiency; }
    [[nodiscard]] const Evaluation& evaluation() const { return session.recalculator.context()->evaluation; }
    QString text() { return part<ExplanationPanel>().text().replace(QChar(0x202F), u' ').replace(QChar(0xA0), u' '); }
    bool rested()
    {
        const auto& advisor = part<LayoutAdvisor>();
        return QTest::qWaitFor([&advisor] { return !advisor.isBusy(); }, 60'000);
    }
};

} // namespace

class TestOwnRun final : public QObject
{
    Q_OBJECT

private slots:
    void aMeasurementEnteredByKeysIsWhatAdviceIsAbout()
    {
        Engineer engineer;
        const double seconds = measuredStep(1.25);
        engineer.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
        type(engineer, QString::number(seconds, 'f', 2));
        press(engineer, Qt::Key_Return);
        QVERIFY(!engineer.efficiency().isPlain());
        // The expectation meets the run, and says that it is calibrated; what was measured keeps its mark.
        const Evaluation& e = engineer.evaluation();
        QVERIFY(e.observed && std::abs(*e.stepTimeS / seconds - 1) < 0.01);
        const MetricTile* tile = engineer.part<MetricTiles>().tile(QStringLiteral("mfu"));
        QVERIFY(tile->content().observed);
        QVERIFY(engineer.window->findChild<QLabel*>(QStringLiteral("ownCalibration"))->text().contains(u"builtin"));
        const QString run = toQString(formatText(*e.observed->mfu, ValueFormat::Percent)).replace(QChar(0x202F), u' ');
        QVERIFY2(engineer.text().contains(QStringLiteral("your %1 → about ").arg(run)), qPrintable(engineer.text()));
        if (const QString gallery = qEnvironmentVariable("HEADROOM_WALK_PICTURES"); !gallery.isEmpty()) {
            QVERIFY(engineer.rested());
            QTest::qWait(400);
            engineer.window->grab().save(gallery + QStringLiteral("/own-run.png"));
        }
        // One step of undo takes the calibration back, another one the measurement.
        press(engineer, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(engineer.efficiency().isPlain());
        QCOMPARE(engineer.session.store.scenario().measured.stepTimeS, std::optional(seconds));
        QVERIFY(engineer.text().contains(QStringLiteral("measured %1 → about ").arg(run)));
        press(engineer, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!engineer.session.store.scenario().measured.any() && !engineer.text().contains(u"→ about "));
    }

    /// No command is needed for the history, and undo takes the run out again.
    void aRunEnteredByHandJoinsTheHistory()
    {
        Engineer engineer;
        const auto& own = engineer.session.runLibrary.own();
        const auto enter = [&engineer](double seconds) {
            engineer.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
            type(engineer, QString::number(seconds, 'f', 2));
            press(engineer, Qt::Key_Return);
        };
        const double first = measuredStep(1.25), second = measuredStep(1.5);
        enter(first);
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().measured.stepTimeS, std::optional(first));
        QVERIFY(own.front().efficiency.isPlain());
        QVERIFY2(engineer.window->statusBar()->currentMessage().contains(u"among your runs"),
                 qPrintable(engineer.window->statusBar()->currentMessage()));
        // Another figure of the same run is no second run, and undo finds the first again.
        enter(second);
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().measured.stepTimeS, std::optional(second));
        QUndoStack& undo = engineer.session.store.undoStack();
        while (engineer.session.store.scenario().measured.stepTimeS != first)
            undo.undo();
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().measured.stepTimeS, std::optional(first));
        while (engineer.session.store.scenario().measured.any())
            undo.undo();
        QVERIFY(own.empty());
        while (undo.canRedo())
            undo.redo();
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().measured.stepTimeS, std::optional(second));
        // A slider that moves on takes nothing out; the run of other settings is another run.
        engineer.session.store.setParameter(0, *parameterRow("micro_batch"), 2);
        QCOMPARE(own.size(), std::size_t(1));
        enter(first);
        QCOMPARE(own.size(), std::size_t(2));
        // Another document leaves the history alone.
        engineer.session.store.setDocument(job(), {});
        QCOMPARE(own.size(), std::size_t(2));
    }

    /// What no machine can have done is no run.
    void anImpossibleFigureJoinsNothing()
    {
        Engineer engineer;
        engineer.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
        type(engineer, QStringLiteral("0.0001"));
        press(engineer, Qt::Key_Return);
        QVERIFY(engineer.session.store.scenario().measured.any());
        QVERIFY(engineer.session.runLibrary.own().empty());
    }

    void theSameByMouse()
    {
        Engineer engineer;
        ParameterRowWidget& row = engineer.step();
        WindowFixture::settle();
        QTest::mouseClick(row.box(), Qt::LeftButton, {}, row.box()->rect().center());
        type(engineer, QString::number(measuredStep(1.25), 'f', 2));
        QTest::mouseClick(engineer.window->centralWidget(), Qt::LeftButton, {}, QPoint(2, 2));
        press(engineer, Qt::Key_Return);
        const Efficiency first = engineer.efficiency();
        QVERIFY(!first.isPlain());
        // Another measurement: the expectation follows; without one it goes back.
        row.box()->setFocus();
        row.box()->selectAll();
        type(engineer, QString::number(measuredStep(1.5), 'f', 2));
        press(engineer, Qt::Key_Return);
        QVERIFY(!engineer.efficiency().isPlain() && engineer.efficiency() != first);
        for (QToolButton* button : row.findChildren<QToolButton*>())
            if (button->accessibleName().startsWith(u"Back to"))
                QTest::mouseClick(button, Qt::LeftButton);
        WindowFixture::settle();
        QVERIFY(!engineer.session.store.scenario().measured.any());
        QVERIFY(engineer.efficiency().isPlain());
    }

    /// Three fields begin a run; what else it was run with is set afterwards, and stays the run.
    void whatWasRunCanBeSaidLater()
    {
        Engineer engineer;
        ScenarioStore& store = engineer.session.store;
        engineer.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
        type(engineer, QString::number(measuredStep(1.25), 'f', 2));
        press(engineer, Qt::Key_Return);
        const Efficiency first = engineer.efficiency();
        const Measured measured = store.scenario().measured;
        QVERIFY(!first.isPlain() && measured.any());
        store.setParameter(0, *parameterRow("sequence_length"), 4096);
        QVERIFY(store.scenario().measuredWith);
        sayTheseWereRun(engineer);
        QVERIFY(!store.scenario().measuredWith);
        QVERIFY(store.scenario().measured == measured);
        QVERIFY(!engineer.efficiency().isPlain() && engineer.efficiency() != first); // calibrated to it anew
        QTRY_VERIFY(!ranTheseButton(engineer));
    }

    void multipliersThatSomebodyChoseStay()
    {
        Engineer engineer;
        engineer.session.store.edit(0, QStringLiteral("own"), [](Scenario& s) { s.efficiency.matmul = 0.8; });
        WindowFixture::settle();
        engineer.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
        type(engineer, QStringLiteral("30"));
        press(engineer, Qt::Key_Return);
        QCOMPARE(engineer.efficiency().matmul, 0.8);
        QCOMPARE(engineer.session.store.scenario().measured.stepTimeS, std::optional(30.0));
    }

    void aRunsAdviceHasTheIntervalOfThePrediction()
    {
        Scenario scenario = job();
        scenario.measured.stepTimeS = measuredStep(1.25);
        scenario.efficiency.matmul = scenario.efficiency.attention = scenario.efficiency.memoryBandwidth = 0.8;
        const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        const Evaluation before = evaluate(*prepared);
        const auto advice = improvements(*prepared, before);
        QVERIFY(!advice.empty());
        for (const Advice& one : advice) {
            const double run = *before.observed->mfu * *one.after.mfu / *before.mfu;
            const double low = run * *one.after.stepTimeS / one.after.stepTimeInterval->high;
            QVERIFY2(one.text.find("about " + formatText(run, ValueFormat::Percent)) != std::string::npos,
                     one.text.c_str());
            QVERIFY2(one.text.find("(" + formatText(low, ValueFormat::Percent) + " to ") != std::string::npos,
                     one.text.c_str());
        }
    }

    void adviceDoesTheSameWork()
    {
        // Half the sequence is half the work, other formats are another result, and recomputing is no gain.
        for (const std::int64_t sequence : {2048, 8192, 32768}) {
            Scenario scenario = job();
            scenario.training.sequenceLength = sequence;
            const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
            const Evaluation e = evaluate(*prepared);
            for (const Advice& advice : improvements(*prepared, e, 20))
                for (const ParameterEdit& edit : advice.edits)
                    QVERIFY2(edit.row->id != "sequence_length" && edit.row->id != "precision" &&
                                 edit.row->id != "optimizer",
                             advice.text.c_str());
            const std::string hfu = whatWouldHelp(*prepared, e, "hfu");
            QVERIFY2(hfu.find("heckpointing full") == std::string::npos, hfu.c_str());
        }
    }

    void severalChangesDoWhatTheySayWithTheSameWork()
    {
        const auto prepared = prepare(job(), Catalog::builtIn(), Calibration::builtIn());
        const Evaluation before = evaluate(*prepared);
        const auto several = severalChanges(*prepared, before);
        QVERIFY(several && several->edits.size() > 1);
        PreparedScenario after = *prepared;
        applyEdits(after, several->edits);
        QVERIFY(checkSetup(after).empty());
        QVERIFY(evaluate(after) == several->after);
        QVERIFY(several->after.fits);
        QCOMPARE(effectiveGlobalBatch(after), effectiveGlobalBatch(*prepared));
        QCOMPARE(after.training.sequenceLength, prepared->training.sequenceLength);
        QCOMPARE(after.training.precision, prepared->training.precision);
        QCOMPARE(after.hardware.count, prepared->hardware.count);
        for (const Advice& single : improvements(*prepared, before))
            QVERIFY(*several->after.mfu > *single.after.mfu);
        // Where that is reached nothing is left to say.
        QVERIFY(!severalChanges(after, several->after));
        // What is held stays.
        const auto held = severalChanges(*prepared, before, [](std::string_view id) { return id == "tensor"; });
        if (held)
            for (const ParameterEdit& edit : held->edits)
                QVERIFY(edit.row->id != "tensor");
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!severalChanges(*prepared, before, {}, stop.get_token()));
    }

    /// A default that follows another size is no change: advice on a pre-training made a step of RL of it.
    void severalChangesAreThoseOfTheTask()
    {
        Scenario scenario = job();
        scenario.model.id = "llama-3-70b";
        scenario.hardware.count = 64;
        scenario.parallelism.tensor = 8;
        scenario.parallelism.pipeline = 4;
        scenario.parallelism.sharding = Sharding::Zero1;
        scenario.training.checkpointing = Checkpointing::None;
        scenario.training.globalBatch = 64;
        const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        const auto several = severalChanges(*prepared, evaluate(*prepared));
        QVERIFY(several);
        PreparedScenario after = *prepared;
        applyEdits(after, several->edits);
        QVERIFY(after.parallelism.tensor != prepared->parallelism.tensor); // what the default follows
        for (const ParameterEdit& edit : several->edits)
            QVERIFY2(isOffered(*edit.row, *prepared) || isOffered(*edit.row, after), several->change.c_str());
        QVERIFY(after.training.rl == prepared->training.rl);
    }

    void severalChangesAreOneClickAndOneUndo()
    {
        Engineer engineer;
        QVERIFY(engineer.rested());
        WindowFixture::settle();
        QTest::qWait(300); // a fresh text is not replaced at once
        QVERIFY2(engineer.text().contains(QStringLiteral("Several changes together: ")), qPrintable(engineer.text()));
        const double before = *engineer.evaluation().mfu;
        const int steps = engineer.session.store.undoStack().count();
        auto* browser = engineer.part<ExplanationPanel>().findChild<QTextBrowser*>();
        // The last of the advice: by its link, as a click and Enter follow it.
        const QString html = browser->toHtml();
        QString last;
        static const QRegularExpression link(QStringLiteral("href=\"(advice:\\d+)\""));
        for (auto it = link.globalMatch(html); it.hasNext();)
            last = it.next().captured(1);
        emit browser->anchorClicked(QUrl(last));
        WindowFixture::settle();
        QVERIFY(*engineer.evaluation().mfu > before * 1.01);
        QCOMPARE(engineer.session.store.undoStack().count(), steps + 1);
        engineer.session.store.undoStack().undo();
        WindowFixture::settle();
        QCOMPARE(*engineer.evaluation().mfu, before);
        // Of another scenario it is not said.
        engineer.session.store.setParameter(0, *parameterRow("sequence_length"), 4096);
        WindowFixture::settle();
        QVERIFY(!engineer.text().contains(QStringLiteral("Several changes")));
    }
};
HEADROOM_TEST_WITH(QApplication, TestOwnRun)

} // namespace headroom::ui::test_own_run
#include "test_own_run.moc"
