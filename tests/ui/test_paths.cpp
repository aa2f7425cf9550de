// SPDX-License-Identifier: GPL-3.0-or-later
// How far it is: the planner's question in at most fifteen actions, the engineer's path in at most twelve, by keys and
// by mouse, and no dialog. An action is a key, a click, or a text typed into a field. (The engineer's path by keys:
// test_own_run.)
#include "tests/support/keyboard.hpp"
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/learn/door_button.hpp"
#include "ui/learn/own_run_card.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plan/device_popup.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/widgets/catalog_picker.hpp"
#include "ui/widgets/segmented_control.hpp"

#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

namespace headroom::ui::test_paths
{

using namespace Qt::StringLiterals;
using test::press;
using test::WindowFixture;

class TestPaths : public QObject
{
    Q_OBJECT

    /// Counts what is done, and does it only where the pointer meets it.
    struct Walk : WindowFixture {
        Walk()
        {
            window->showWelcome();
            settle();
        }
        void key(Qt::Key which, Qt::KeyboardModifiers with = {})
        {
            ++actions;
            press(*this, which, with);
        }
        void write(const QString& text)
        {
            ++actions;
            test::type(*this, text);
        }
        void click(QWidget* widget, QPoint at)
        {
            ++actions;
            QVERIFY(widget && widget->isVisible());
            QWidget* top = widget->window();
            const QWidget* met = top->childAt(widget->mapTo(top, at));
            QVERIFY2(met == widget || widget->isAncestorOf(met), qPrintable(widget->objectName()));
            QTest::mouseClick(widget, Qt::LeftButton, {}, at);
            settle();
        }
        void click(QWidget* widget) { click(widget, widget ? widget->rect().center() : QPoint()); }
        QAbstractButton* button(const QString& begins) const
        {
            for (QAbstractButton* each : window->findChildren<QAbstractButton*>())
                if (each->isVisible() && (each->accessibleName().startsWith(begins) || each->text() == begins))
                    return each;
            return nullptr;
        }
        /// The first entry of the list that is open.
        void clickFirst(QAbstractItemView* list)
        {
            QVERIFY(list && list->isVisible());
            click(list->viewport(), list->visualRect(list->model()->index(0, 0)).center());
        }
        PlanPage& plan() const { return part<PlanPage>(); }
        bool answered() const
        {
            settle();
            return QTest::qWaitFor([this] { return !plan().isBusy(); }, 60'000);
        }
        QWidget* field(const char* id) const { return plan().form()->field(QLatin1String(id))->box(); }
        int actions = 0;
    };

    static void isAnswered(const Walk& walk)
    {
        QVERIFY(walk.answered());
        QVERIFY(walk.dialogs.errors.isEmpty() && walk.dialogs.asked == 0);
        const Scenario& asked = walk.session.store.scenario();
        QVERIFY(asked.task == Task::Inference);
        QCOMPARE(asked.inference.ttftTargetS, std::optional(2.0));
        QCOMPARE(asked.inference.tpotTargetS, std::optional(0.1));
        QCOMPARE(asked.inference.requestsPerS, std::optional(3.0));
        QVERIFY(asked.plan && asked.plan->accelerators.size() == 1);
        QCOMPARE(asked.plan->accelerators.front().id, std::string("h200-sxm-141gb"));
        QVERIFY2(walk.plan().model()->rowCount() > 0, qPrintable(walk.plan().answer()->verdict()));
        QVERIFY(walk.plan().answer()->verdict().contains(u" × "_s));
        QVERIFY2(walk.actions <= 15, qPrintable(QString::number(walk.actions)));
    }

private slots:
    void thePlannersQuestionByKeys()
    {
        Walk walk;
        walk.key(Qt::Key_Tab); // from Learn to Plan
        walk.key(Qt::Key_Return);
        walk.key(Qt::Key_F6); // the parameters
        walk.key(Qt::Key_Tab);
        walk.key(Qt::Key_Tab);
        walk.key(Qt::Key_Right); // from Fine-tune to Serve
        walk.key(Qt::Key_F6);    // the question
        walk.write(u"2"_s);
        walk.key(Qt::Key_Tab);
        walk.write(u"100ms"_s);
        walk.key(Qt::Key_Tab);
        walk.write(u"3"_s);
        walk.key(Qt::Key_A, Qt::AltModifier);
        QTRY_VERIFY(walk.plan().form()->devices()->isVisible()); // a button that a key presses is seen going down
        walk.write(u"h200"_s);
        walk.key(Qt::Key_Return);
        isAnswered(walk);
    }

    void thePlannersQuestionByMouse()
    {
        Walk walk;
        walk.click(walk.button(u"Plan"_s));
        walk.click(walk.part<ParameterPanel>().findChild<CatalogPicker*>()); // the models
        walk.write(u"llama 3.1 70b"_s);
        walk.clickFirst(QApplication::activePopupWidget()->findChild<QListView*>());
        QCOMPARE(walk.session.store.scenario().model.id, std::string("llama-3.1-70b"));
        walk.click(walk.button(u"Serve"_s));
        walk.click(walk.field("ttft_target_s"));
        walk.write(u"2"_s);
        walk.click(walk.field("tpot_target_s"));
        walk.write(u"100ms"_s);
        walk.click(walk.field("requests_per_s"));
        walk.write(u"3"_s);
        walk.click(walk.plan().form()->devicesButton());
        walk.write(u"h200"_s);
        walk.clickFirst(walk.plan().form()->devices()->list());
        isAnswered(walk);
    }

    void theEngineersPathByMouse()
    {
        Walk walk;
        walk.click(walk.button(u"My run"_s));
        auto* card = walk.window->findChild<OwnRunCard*>();
        QVERIFY(card);
        walk.click(card->findChildren<CatalogPicker*>().constFirst());
        walk.write(u"llama 3 8b"_s);
        walk.clickFirst(QApplication::activePopupWidget()->findChild<QListView*>());
        const auto fields = card->findChildren<QLineEdit*>();
        QLineEdit* gpus = nullptr;
        for (QLineEdit* each : fields)
            if (each->accessibleName() == u"GPUs"_s)
                gpus = each;
        walk.click(gpus);
        gpus->selectAll(); // what a second click does
        ++walk.actions;
        walk.write(u"64"_s);
        walk.click(card->step());
        walk.write(u"0.5"_s);
        walk.click(walk.button(u"Show my run"_s));
        QVERIFY(!walk.window->findChild<OwnRunCard*>());
        // Why it is slow, and what to change next with its gain for this run.
        auto& explanation = walk.part<ExplanationPanel>();
        QTest::qWait(300);
        const QString text = explanation.text().replace(QChar(0x202F), u' ').replace(QChar(0xA0), u' ');
        QVERIFY2(text.contains(u"→ about "_s), qPrintable(text));
        const double before = *walk.session.recalculator.context()->evaluation.mfu;
        auto* browser = explanation.findChild<QTextBrowser*>();
        QTextCursor at;
        for (QTextBlock block = browser->document()->begin(); block.isValid() && at.isNull(); block = block.next())
            for (auto piece = block.begin(); !piece.atEnd() && at.isNull(); ++piece)
                if (piece.fragment().charFormat().anchorHref().startsWith(u"advice:"_s)) {
                    at = QTextCursor(browser->document());
                    at.setPosition(piece.fragment().position() + 1);
                }
        QVERIFY(!at.isNull());
        browser->setTextCursor(at);
        browser->ensureCursorVisible();
        walk.click(browser->viewport(), browser->cursorRect(at).center());
        QVERIFY(*walk.session.recalculator.context()->evaluation.mfu > before);
        QVERIFY(walk.dialogs.errors.isEmpty() && walk.dialogs.asked == 0);
        QVERIFY2(walk.actions <= 12, qPrintable(QString::number(walk.actions)));
    }
};
HEADROOM_TEST_WITH(QApplication, TestPaths)

} // namespace headroom::ui::test_paths
#include "test_paths.moc"
