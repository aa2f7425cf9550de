// SPDX-License-Identifier: GPL-3.0-or-later
// What the window proposes where a scenario does not fit: the bar and the explanation say the same.
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"

namespace headroom::ui::test_remedies
{

using test::WindowFixture;

class TestRemedies : public QObject
{
    Q_OBJECT
private slots:
    void barAndExplanationNameTheSameFirst()
    {
        WindowFixture fixture;
        test::RandomScenarios random(21);
        int compared = 0;
        for (int i = 0; compared < 12; ++i) {
            const PreparedScenario drawn = random.next(i % 2 == 0 ? Task::Training : Task::Inference);
            // Unknown checkpointing is of measured runs, and these are none.
            if (evaluate(drawn).fits || drawn.training.checkpointing == Checkpointing::Unknown)
                continue;
            Scenario scenario;
            static_cast<Setup&>(scenario) = drawn.setup();
            scenario.measured = {}; // an impossible one has the bar, with a remedy of its own
            scenario.model.id = drawn.model->architecture.id;
            scenario.accelerator.id = drawn.accelerator->id;
            fixture.part<MessageBar>().clear();
            fixture.session.store.setDocument(scenario, {});
            fixture.session.recalculator.flush();
            QTRY_VERIFY(!fixture.part<MessageBar>().text().isEmpty());
            const auto& remedies = fixture.part<MessageBar>().remedies();
            const QString explained = fixture.part<ExplanationPanel>().text();
            const qsizetype first = explained.indexOf(QStringLiteral("WHAT WOULD FIT\n"));
            QVERIFY2((first < 0) == remedies.empty(),
                     qPrintable(fixture.part<MessageBar>().text() + QStringLiteral(" | ") + explained));
            if (remedies.empty())
                continue;
            const QString next = explained.mid(first).section(QChar(u'\n'), 1, 1).simplified();
            const QString button = remedies.front().text.simplified(); // of kinds of spaces, too
            QVERIFY2(next.startsWith(button + QChar(u':')), qPrintable(button + QStringLiteral(" | ") + next));
            remedies.front().apply();
            fixture.session.recalculator.flush();
            QVERIFY2(fixture.session.recalculator.context()->evaluation.fits, qPrintable(next));
            ++compared;
        }
    }

    /// A run so slow that no layout explains it: the panel says that it looked, and found nothing.
    void whatHasNoAdviceSaysSo()
    {
        WindowFixture fixture;
        Scenario scenario;
        scenario.model.id = "llama-3-8b";
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.hardware.count = 64;
        scenario.measured.stepTimeS = 6.5;
        scenario.efficiency.matmul = scenario.efficiency.attention = 0.1;
        fixture.session.store.setDocument(scenario, {});
        fixture.session.recalculator.flush();
        auto& panel = fixture.part<ExplanationPanel>();
        QTRY_VERIFY_WITH_TIMEOUT(panel.text().contains(u"Headroom found no step"), 30'000);
        QVERIFY(panel.text().contains(u"WHAT TO CHANGE NEXT"));
    }

    /// Three rows of red over the charts of a small window, for parts of the memory that its chart draws anyway.
    void aSmallWindowHasOneRowOfIt()
    {
        WindowFixture fixture({1366, 720});
        Scenario scenario;
        scenario.model.id = "llama-3.1-405b";
        scenario.accelerator.id = "mi300x";
        scenario.hardware.count = 8;
        scenario.training.sequenceLength = 64;
        scenario.training.microBatch = 2;
        scenario.training.checkpointing = Checkpointing::Full;
        fixture.session.store.setDocument(scenario, {});
        fixture.session.recalculator.flush();
        auto& bar = fixture.part<MessageBar>();
        QTRY_VERIFY(bar.text().contains(u"optimizer")); // in full for whoever asks
        WindowFixture::settle();
        const auto* button = bar.findChild<QPushButton*>();
        QVERIFY(button && button->isVisible());
        QVERIFY2(bar.height() <= button->height() + 16, qPrintable(QString::number(bar.height())));
        const QString shown = bar.findChild<QLabel*>()->text();
        QVERIFY2(shown.startsWith(u"Does not fit: needs ") && !shown.contains(u"optimizer"), qPrintable(shown));
        QVERIFY(bar.toolTip().contains(u"optimizer"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestRemedies)

} // namespace headroom::ui::test_remedies
#include "test_remedies.moc"
