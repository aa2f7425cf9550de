// SPDX-License-Identifier: GPL-3.0-or-later
// The card of the first start that asks for one's own run, and what becomes of its answers.
#include "core/predict/evaluate.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/learn/own_run_card.hpp"
#include "ui/panels/metric_tiles.hpp"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

namespace headroom::ui::test_own_run_card
{

using headroom::test::press;
using headroom::test::type;
using headroom::test::WindowFixture;

class TestOwnRunCard final : public QObject
{
    Q_OBJECT

private slots:
    /// From the first start to what to change next, with its gain: at most twelve actions, no dialog.
    void theFirstStartLeadsToOnesOwnRun()
    {
        WindowFixture fixture;
        int actions = 0;
        const auto key = [&](Qt::Key which) {
            ++actions;
            press(fixture, which);
        };
        const auto write = [&](const QString& words) {
            ++actions;
            type(fixture, words);
        };
        fixture.window->showWelcome();
        WindowFixture::settle();
        key(Qt::Key_Backtab); // from Learn to My run
        key(Qt::Key_Return);
        auto* card = fixture.window->findChild<OwnRunCard*>();
        QVERIFY(card);
        key(Qt::Key_Space); // the models
        write(QStringLiteral("llama 3 8b"));
        key(Qt::Key_Return); // and on to the accelerator, which is kept, and to the GPUs
        key(Qt::Key_Return);
        write(QStringLiteral("64"));
        key(Qt::Key_Return);
        key(Qt::Key_Return); // 4096 tokens a sequence, and as many of them as GPUs
        key(Qt::Key_Return);
        write(QStringLiteral("0,0")); // refused in words, where it stands
        press(fixture, Qt::Key_Return);
        QVERIFY(fixture.window->findChild<OwnRunCard*>()->step()->hasFocus());
        card->step()->selectAll();
        type(fixture, QStringLiteral("6"));
        key(Qt::Key_Return);
        WindowFixture::settle();
        QVERIFY(!fixture.window->findChild<OwnRunCard*>());
        QVERIFY2(actions <= 12, qPrintable(QString::number(actions)));
        const Scenario& run = fixture.session.store.scenario();
        QCOMPARE(run.model.id, std::string("llama-3-8b"));
        QCOMPARE(run.hardware.count, std::int64_t(64));
        QCOMPARE(run.measured.stepTimeS, std::optional(6.0));
        QVERIFY(fixture.part<MetricTiles>().tile(QStringLiteral("mfu"))->content().observed);
        // By mouse, and left by Escape: nothing changes.
        fixture.window->showWelcome();
        WindowFixture::settle();
        for (QAbstractButton* door : fixture.window->findChildren<QAbstractButton*>())
            if (door->accessibleName().startsWith(QStringLiteral("My run")))
                QTest::mouseClick(door, Qt::LeftButton);
        WindowFixture::settle();
        QVERIFY(fixture.window->findChild<OwnRunCard*>());
        press(fixture, Qt::Key_Escape);
        QVERIFY(!fixture.window->findChild<OwnRunCard*>());
        QCOMPARE(fixture.session.store.scenario().measured.stepTimeS, std::optional(6.0));
    }

    /// It calibrated to a step of 4096 tokens and a sequence per GPU before anybody could say what a step took in.
    void theCardAsksWhatAStepTookIn()
    {
        WindowFixture fixture;
        fixture.window->showWelcome();
        WindowFixture::settle();
        press(fixture, Qt::Key_Backtab);
        press(fixture, Qt::Key_Return);
        auto* card = fixture.window->findChild<OwnRunCard*>();
        QVERIFY(card);
        const auto enter = [&](QLineEdit* field, const QString& words) {
            field->setFocus();
            field->selectAll();
            type(fixture, words);
        };
        QCOMPARE(card->sequence()->text(), QStringLiteral("4096"));
        enter(card->gpus(), QStringLiteral("64"));
        QVERIFY2(card->batch()->placeholderText().startsWith(u"64"), qPrintable(card->batch()->placeholderText()));
        enter(card->sequence(), QStringLiteral("8k"));
        enter(card->batch(), QStringLiteral("100"));
        enter(card->step(), QStringLiteral("25"));
        press(fixture, Qt::Key_Return); // 64, 32, 16 or 8 ranks cannot share 100 sequences
        QVERIFY(fixture.window->findChild<OwnRunCard*>() && card->batch()->hasFocus());
        enter(card->batch(), QStringLiteral("32")); // too few for one each: two GPUs share a layer, which it says
        if (const QString gallery = qEnvironmentVariable("HEADROOM_WALK_PICTURES"); !gallery.isEmpty())
            fixture.window->grab().save(gallery + QStringLiteral("/own-run-card.png"));
        const auto words = card->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(words, [](const QLabel* label) { return label->text().contains(u"parallel 2"); }));
        card->step()->setFocus();
        press(fixture, Qt::Key_Return);
        WindowFixture::settle();
        const Scenario& run = fixture.session.store.scenario();
        QCOMPARE(run.training.sequenceLength, std::int64_t(8192));
        QCOMPARE(run.training.globalBatch, std::optional<std::int64_t>(32));
        QCOMPARE(run.parallelism.tensor, std::int64_t(2));
        QVERIFY(!fixture.session.recalculator.isRefused());
        const Evaluation& e = fixture.session.recalculator.context()->evaluation;
        QVERIFY2(!run.efficiency.isPlain(), qPrintable(QString::number(*e.stepTimeS))); // calibrated, to these settings
        QVERIFY(!run.measuredWith);
        QVERIFY(std::abs(*e.stepTimeS / 25 - 1) < 0.01);
    }
};
HEADROOM_TEST_WITH(QApplication, TestOwnRunCard)

} // namespace headroom::ui::test_own_run_card
#include "test_own_run_card.moc"
