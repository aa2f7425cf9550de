// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/parameters/row_notice.hpp"
#include "ui/widgets/wheel_guard.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace headroom::ui::test_parameter_row
{

class TestParameterRow : public QObject
{
    Q_OBJECT

    struct Rig {
        explicit Rig(const char* id = "micro_batch") : row(*parameterRow(id)), widget(row, store, guard)
        {
            QObject::connect(&store, &ScenarioStore::scenarioChanged, &widget, &ParameterRowWidget::refresh);
            widget.resize(280, widget.sizeHint().height());
            widget.show();
            widget.activateWindow();
            [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&widget);
        }
        [[nodiscard]] double value() const { return row.get(store.scenario()); }
        void type(const QString& text)
        {
            ValueBox* box = widget.box();
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, text);
            QTest::keyClick(box, Qt::Key_Return);
        }

        ScenarioStore store;
        WheelGuard guard;
        const ParameterRow& row;
        ParameterRowWidget widget;
    };

private slots:
    void aDragIsOneUndoStepAndEndsOnASnapPoint()
    {
        Rig rig;
        LogSlider* slider = rig.widget.slider();
        QSignalSpy moved(slider, &LogSlider::valueMoved);
        const QPoint from = slider->handleRect().center();
        const QPoint to = slider->pointOf(64);
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        for (int x = from.x(); x < to.x(); x += 10)
            QTest::mouseMove(slider, {x, from.y()});
        QTest::mouseMove(slider, to + QPoint(3, 0)); // within the magnet
        QTest::mouseRelease(slider, Qt::LeftButton, {}, to + QPoint(3, 0));
        QVERIFY(moved.count() > 5);
        QCOMPARE(rig.value(), 64.0);
        QCOMPARE(rig.store.undoStack().count(), 1);
        rig.store.undoStack().undo();
        QCOMPARE(rig.value(), 1.0);
    }

    /// The button beside the value did, and the entry of the menu did not: a fit to a measurement that is gone stayed.
    void theMenuTakesAMeasurementBackAsTheButtonDoes()
    {
        Rig rig("measured_mfu");
        rig.type(QStringLiteral("38"));
        QSignalSpy edited(&rig.widget, &ParameterRowWidget::measurementEdited);
        QMenu menu;
        rig.widget.fillMenu(menu);
        const QList<QAction*> entries = menu.actions();
        QVERIFY(!entries.isEmpty());
        entries.first()->trigger();
        QVERIFY(!rig.row.isSet(rig.store.scenario()));
        QCOMPARE(edited.count(), 1);
    }

    /// The GPU or the stack decides: neither bf16 nor "off" is in force, and neither may stand there.
    void whatIsDecidedElsewhereShowsNoValue()
    {
        Rig compute("compute");
        compute.store.edit(0, {}, [](Scenario& s) { s.task = Task::Inference; });
        auto* combo = compute.widget.findChild<QComboBox*>();
        QVERIFY(combo);
        QCOMPARE(combo->currentIndex(), -1);
        QCOMPARE(combo->placeholderText(), QStringLiteral("automatic"));
        compute.store.edit(0, {}, [&](Scenario& s) { s.inference.compute = DataType::Int4; });
        QCOMPARE(combo->currentText(), QStringLiteral("int4"));
        Rig loss("chunked_loss");
        auto* check = loss.widget.findChild<QCheckBox*>();
        QVERIFY(check);
        QCOMPARE(check->checkState(), Qt::PartiallyChecked);
        for (const bool on : {true, false, true}) {
            check->click();
            QCOMPARE(loss.store.scenario().training.chunkedLoss, std::optional(on));
            QCOMPARE(check->isChecked(), on);
        }
        loss.store.edit(0, {}, [](Scenario& s) { s.training.chunkedLoss.reset(); });
        QCOMPARE(check->checkState(), Qt::PartiallyChecked);
    }

    void aClickOnTheGrooveJumpsThere()
    {
        Rig rig;
        QTest::mouseClick(rig.widget.slider(), Qt::LeftButton, {}, rig.widget.slider()->pointOf(256));
        QCOMPARE(rig.value(), 256.0);
    }

    void keysStep()
    {
        Rig rig;
        LogSlider* slider = rig.widget.slider();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(rig.value(), 2.0);
        QTest::keyClick(slider, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(rig.value(), 3.0);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(rig.value(), 6.0);
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(rig.value(), 1024.0);
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(rig.value(), 1.0);
        QTest::keyClick(slider, Qt::Key_Right);
        QTest::keyClick(slider, Qt::Key_Delete);
        QCOMPARE(rig.value(), 1.0);
        rig.store.setLocked("micro_batch", true);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(rig.value(), 1.0);
    }

    /// The slider ran into values that a stated global batch refuses: 96 sequences on 8 ranks are 12 each.
    void aGlobalBatchLeadsTheMicroBatchOverWhatDividesIt()
    {
        Rig rig;
        rig.store.edit(0, {}, [](Scenario& s) {
            s.hardware.count = 8;
            s.training.globalBatch = 96;
        });
        const auto end = [&] { return rig.widget.notice().words(); };
        LogSlider* slider = rig.widget.slider();
        slider->setFocus();
        for (const double there : {2.0, 3.0, 4.0, 6.0, 12.0}) {
            QTest::keyClick(slider, Qt::Key_Right);
            QCOMPARE(rig.value(), there);
            QVERIFY(checkSetup(rig.store.scenario()).empty() && end().isEmpty());
        }
        QTest::keyClick(slider, Qt::Key_Left, Qt::ShiftModifier); // eleven divides nothing
        QCOMPARE(rig.value(), 6.0);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(rig.value(), 12.0);
        // Beyond the last one, by key and by hand: why, and one click.
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(rig.value(), 12.0);
        QVERIFY2(end().contains(u"global batch of 96"), qPrintable(end()));
        QTest::keyClick(slider, Qt::Key_Home);
        QVERIFY(end().isEmpty());
        QTest::mousePress(slider, Qt::LeftButton, {}, slider->handleRect().center());
        for (const double value : {4.0, 5.0, 64.0, 512.0}) {
            QTest::mouseMove(slider, slider->pointOf(value));
            QVERIFY(checkSetup(rig.store.scenario()).empty() && end().isEmpty()); // not under the hand
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, slider->pointOf(512));
        QCOMPARE(rig.value(), 12.0);
        QVERIFY2(end().contains(u"Global batch 128"), qPrintable(end()));
        emit rig.widget.notice().linkActivated(QStringLiteral("fix"));
        QCOMPARE(rig.value(), 16.0);
        QCOMPARE(rig.store.scenario().training.globalBatch, std::optional<std::int64_t>(128));
        QVERIFY(end().isEmpty());
        // What is typed is meant.
        rig.type(QStringLiteral("5"));
        QCOMPARE(rig.value(), 5.0);
    }

    /// Alt+Left is "back" elsewhere, and led the value down here.
    void altAndAnArrowMoveNoValue()
    {
        Rig rig;
        rig.type(QStringLiteral("16"));
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_PageUp})
            QTest::keyClick(rig.widget.slider(), key, Qt::AltModifier);
        QCOMPARE(rig.value(), 16.0);
        QTest::keyClick(rig.widget.slider(), Qt::Key_Left);
        QCOMPARE(rig.value(), 8.0);
    }

    void digitsGoToTheBox()
    {
        Rig rig("sequence_length");
        rig.widget.slider()->setFocus();
        QTest::keyClicks(rig.widget.slider(), QStringLiteral("8"));
        QVERIFY(rig.widget.box()->hasFocus());
        QTest::keyClicks(rig.widget.box(), QStringLiteral("k"));
        QTest::keyClick(rig.widget.box(), Qt::Key_Return);
        QCOMPARE(rig.value(), 8192.0); // token counts: k = 1024
    }

    void typedValuesSurvive_data()
    {
        QTest::addColumn<int>("typed");
        for (const int value : {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 997, 1023, 4097, 65537})
            QTest::newRow(qPrintable(QString::number(value))) << value;
    }

    void typedValuesSurvive()
    {
        QFETCH(int, typed);
        Rig rig;
        ValueBox* box = rig.widget.box();
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::number(typed));
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(rig.value(), double(typed));
        rig.widget.slider()->setFocus();
        rig.widget.refresh();
        QCOMPARE(rig.value(), double(typed));
        QCOMPARE(box->text(), toQString(parameterText(rig.row, typed)));
        QCOMPARE(rig.store.undoStack().count(), 1);
    }

    void aRefusedTextStaysWithItsReason()
    {
        Rig rig;
        ValueBox* box = rig.widget.box();
        rig.type(QStringLiteral("-5"));
        QCOMPARE(rig.value(), 1.0);
        QVERIFY(box->isRefused());
        QCOMPARE(box->text(), QStringLiteral("-5"));
        QVERIFY(!rig.widget.notice().words().isEmpty());
        QTest::keyClick(box, Qt::Key_Escape);
        QVERIFY(!box->isRefused());
        QCOMPARE(rig.store.undoStack().count(), 0);
    }

    /// The box shows the value again: "is not a number" would be said of it.
    void whatIsGivenUpIsNoLongerRefused()
    {
        Rig rig;
        rig.type(QStringLiteral("abc"));
        QVERIFY(!rig.widget.notice().words().isEmpty());
        QTest::keyClick(rig.widget.box(), Qt::Key_Escape);
        QVERIFY(rig.widget.notice().words().isEmpty());
        QCOMPARE(rig.widget.box()->text(), QStringLiteral("1"));
    }

    /// A result that warns while a refused text speaks keeps its own way out.
    void aWarningBehindARefusedTextKeepsItsFix()
    {
        Rig rig;
        ValueBox* box = rig.widget.box();
        rig.type(QStringLiteral("-5"));
        const QString refusal = rig.widget.notice().words();
        rig.widget.notice().warn(QStringLiteral("too few"), Advice{.edits = {{&rig.row, 8}}, .change = "Use 8"});
        QCOMPARE(rig.widget.notice().words(), refusal);
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("4"));
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(rig.widget.notice().words().contains(QStringLiteral("Use 8")));
        emit rig.widget.notice().linkActivated(QStringLiteral("fix"));
        QCOMPARE(rig.value(), 8.0);
    }

    void aRefusedTextLeadsToTheNearestValue()
    {
        Rig rig;
        ValueBox* box = rig.widget.box();
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("2.5"));
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(rig.widget.notice().words().contains(QStringLiteral("Use 3")));
        emit rig.widget.notice().linkActivated(QStringLiteral("fix"));
        QCOMPARE(rig.value(), 3.0);
        QVERIFY(!box->isRefused());
        QVERIFY(rig.widget.notice().words().isEmpty());
    }

    void namesUnderASliderAreNotCutOff_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const char* id : {"precision", "checkpointing", "micro_batch"})
            QTest::newRow(id) << QByteArray(id);
    }

    void namesUnderASliderAreNotCutOff()
    {
        QFETCH(const QByteArray, id);
        QVERIFY(parameterRow(id.constData()));
        Rig rig(id.constData());
        LogSlider* slider = rig.widget.slider();
        constexpr int more = 12;
        const int wanted = slider->sizeHint().height();
        slider->setFixedHeight(wanted + more);
        slider->clearFocus();
        const QImage picture = slider->grab().toImage();
        const QRgb ground = picture.pixel(0, picture.height() - 1);
        const int below = int(wanted * picture.devicePixelRatio());
        for (int y = below; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                QVERIFY2(picture.pixel(x, y) == ground, qPrintable(QStringLiteral("ink in line %1").arg(y - below)));
    }

    void theWheelScrollsInsteadOfChanging()
    {
        Rig rig;
        QScrollArea area;
        auto* content = new QWidget;
        auto* layout = new QVBoxLayout(content);
        auto* row = new ParameterRowWidget(rig.row, rig.store, rig.guard);
        layout->addWidget(row);
        layout->addSpacing(2000);
        area.setWidget(content);
        area.setWidgetResizable(true);
        area.resize(300, 200);
        area.show();
        QCoreApplication::processEvents();
        QVERIFY(!row->slider()->hasFocus());
        const QPointF middle = row->slider()->rect().center();
        QWheelEvent wheel(middle, row->slider()->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        // As the window system would: the widget under the pointer first, then what stands behind it.
        for (QWidget* target = row->slider(); target; target = target->parentWidget()) {
            wheel.ignore();
            QCoreApplication::sendEvent(target, &wheel);
            if (wheel.isAccepted())
                break;
        }
        QCOMPARE(rig.value(), 1.0);
        QVERIFY(area.verticalScrollBar()->value() > 0);
    }

    void anUnsetOptionalValueSaysSo()
    {
        Rig rig("price_per_gpu_hour");
        rig.widget.slider()->setFocus();
        QCOMPARE(rig.widget.box()->text(), QStringLiteral("not set"));
        rig.widget.box()->setFocus();
        QTest::keyClicks(rig.widget.box(), QStringLiteral("2.5"));
        QTest::keyClick(rig.widget.box(), Qt::Key_Return);
        QCOMPARE(rig.value(), 2.5);
        rig.widget.box()->selectAll();
        QTest::keyClick(rig.widget.box(), Qt::Key_Backspace);
        QTest::keyClick(rig.widget.box(), Qt::Key_Return);
        QVERIFY(!rig.row.isSet(rig.store.scenario()));
    }
};
HEADROOM_TEST_WITH(QApplication, TestParameterRow)

} // namespace headroom::ui::test_parameter_row
#include "test_parameter_row.moc"
