// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs the history keeps of a measurement that is entered before its settings are: those that somebody ran.
#include "tests/support/keyboard.hpp"
#include "tests/support/message_buttons.hpp"
#include "tests/support/program.hpp"
#include "ui/learn/own_run_card.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QLineEdit>
#include <QUndoStack>

namespace headroom::ui::test_kept_runs
{

using headroom::test::press;
using headroom::test::sayTheseWereRun;
using headroom::test::type;
using headroom::test::WindowFixture;

namespace
{

/// 64 GPUs at 8k tokens, of which a step takes a few seconds.
void openJob(WindowFixture& fixture)
{
    Scenario scenario;
    scenario.model.id = "llama-3-8b";
    scenario.accelerator.id = "h100-sxm-80gb";
    scenario.hardware.count = 64;
    scenario.parallelism.tensor = 8;
    scenario.training.sequenceLength = 8192;
    scenario.training.globalBatch = 128;
    fixture.session.store.setDocument(scenario, {});
    WindowFixture::settle();
}

} // namespace

class TestKeptRuns final : public QObject
{
    Q_OBJECT

private slots:
    /// The card says no layout: what Headroom fills in, nobody ran.
    void theCardKeepsNoRunThatNobodyRan()
    {
        WindowFixture fixture;
        openJob(fixture);
        fixture.window->showWelcome();
        WindowFixture::settle();
        for (QAbstractButton* door : fixture.window->findChildren<QAbstractButton*>())
            if (door->accessibleName().startsWith(QStringLiteral("My run")))
                QTest::mouseClick(door, Qt::LeftButton);
        WindowFixture::settle();
        auto* card = fixture.window->findChild<OwnRunCard*>();
        QVERIFY(card);
        card->step()->setFocus();
        type(fixture, QStringLiteral("1"));
        press(fixture, Qt::Key_Return);
        WindowFixture::settle();
        ScenarioStore& store = fixture.session.store;
        const auto& own = fixture.session.runLibrary.own();
        QCOMPARE(store.scenario().measured.stepTimeS, std::optional(1.0));
        QVERIFY(!store.scenario().efficiency.isPlain()); // advice is about it all the same
        QVERIFY(own.empty());
        // What was run is said later, and that is a run.
        store.setParameter(0, *parameterRow("micro_batch"), 2);
        sayTheseWereRun(fixture);
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().training.microBatch, 2);
    }

    /// An end of the multipliers' range is no result: it had met 0.1 of what was expected, and said so.
    void whatNoMultiplierExplainsMovesNothing()
    {
        WindowFixture fixture;
        openJob(fixture);
        QStringList said;
        QObject::connect(&fixture.session.runs, &RunController::said, fixture.window.get(),
                         [&said](const QString& words) { said << words; });
        fixture.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
        type(fixture, QStringLiteral("6000"));
        press(fixture, Qt::Key_Return);
        QVERIFY(fixture.session.store.scenario().efficiency.isPlain());
        QVERIFY2(said.join(QLatin1Char('\n')).contains(QStringLiteral("expectations stay")),
                 qPrintable(said.join(QLatin1Char('\n'))));
    }

    /// The settings that a figure was first taken for are no run beside the one that they were corrected to.
    void correctedSettingsReplaceTheRun()
    {
        WindowFixture fixture;
        openJob(fixture);
        ScenarioStore& store = fixture.session.store;
        const auto& own = fixture.session.runLibrary.own();
        fixture.part<ParameterPanel>().focusRow(QStringLiteral("measured_step_time_s"));
        type(fixture, QStringLiteral("6"));
        press(fixture, Qt::Key_Return);
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().training.sequenceLength, 8192);
        store.setParameter(0, *parameterRow("sequence_length"), 4096);
        sayTheseWereRun(fixture);
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().training.sequenceLength, 4096);
        while (!store.scenario().measuredWith)
            store.undoStack().undo();
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own.front().training.sequenceLength, 8192);
    }
};
HEADROOM_TEST_WITH(QApplication, TestKeptRuns)

} // namespace headroom::ui::test_kept_runs
#include "test_kept_runs.moc"
