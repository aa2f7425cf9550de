// SPDX-License-Identifier: GPL-3.0-or-later
// Teaching: a wrong answer hears its own reason; results go into a file, and a class's files are summed up.
#include "core/lessons/lesson_transcript.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/pages/class_results.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/pages/navigator.hpp"

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>

namespace headroom::ui::test_teaching
{

using namespace Qt::StringLiterals;
using test::press;
using test::WindowFixture;

class TestTeaching : public QObject
{
    Q_OBJECT

    struct Class : WindowFixture {
        Class()
        {
            window->pages().show(u"learn"_s);
            settle();
            page = qobject_cast<LearnPage*>(window->pages().page(u"learn"_s));
        }
        LearnPage* page = nullptr;
    };

private slots:
    /// Qt put it on the notes of the status line.
    void theKeyboardComesBackToThePage()
    {
        Class f;
        QVERIFY(f.session.lessons.start(u"mfu"_s));
        f.settle();
        f.part<LessonCard>().setFocus();
        f.session.lessons.leave();
        f.settle();
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(f.window->pages().tabs()));
    }

    void aWrongAnswerHearsItsOwnReason()
    {
        Class f;
        QVERIFY(f.session.lessons.start(u"mfu"_s));
        f.settle();
        QStringList heard;
        for (const Qt::Key key : {Qt::Key_1, Qt::Key_3}) {
            f.session.lessons.send(lesson_event::Restart{});
            f.part<LessonCard>().setFocus();
            press(f, key);
            const auto& choices = f.session.lessons.runner().step(f.session.lessons.state()).question->choices;
            const QString reason = toQString(choices[static_cast<std::size_t>(key - Qt::Key_1)].reason);
            QVERIFY(!reason.isEmpty());
            QVERIFY2(f.part<LessonCard>().text().contains(reason), qPrintable(f.part<LessonCard>().text()));
            heard << f.part<LessonCard>().accessibleDescription();
            QVERIFY2(heard.last().contains(reason), qPrintable(heard.last()));
        }
        f.session.lessons.send(lesson_event::Restart{});
        press(f, Qt::Key_2); // right: no reason
        QVERIFY(f.part<LessonCard>().text().contains(u"Right."_s));
        // A number that is guessed is told to which side it is off.
        f.session.lessons.send(lesson_event::Next{});
        for (const auto& [guess, words] : {std::pair(100.0, "too high"), {1e-4, "too low"}}) {
            f.session.lessons.send(lesson_event::Restart{});
            f.session.lessons.send(lesson_event::Answered{guess});
            QVERIFY2(f.part<LessonCard>().text().contains(QLatin1String(words)), words);
        }
    }

    void resultsGoIntoAFileAndAClassIsSummedUp()
    {
        QTemporaryDir folder;
        QStringList files;
        for (const auto& [name, key] : {std::pair("Ada", Qt::Key_2), {"Bob", Qt::Key_1}, {"Cyn", Qt::Key_1}}) {
            Class f;
            QVERIFY(!f.page->results()->saveButton()->isEnabled()); // nothing is answered yet
            QVERIFY(f.session.lessons.start(u"mfu"_s));
            f.settle();
            f.part<LessonCard>().setFocus();
            press(f, key);
            f.session.lessons.leave();
            f.window->pages().show(u"learn"_s);
            f.settle();
            QVERIFY(!f.page->results()->saveButton()->isEnabled()); // nobody's
            f.page->results()->name()->setFocus();
            test::type(f, QLatin1String(name));
            QVERIFY(f.page->results()->saveButton()->isEnabled());
            f.dialogs.path = folder.filePath(QLatin1String(name)); // the ending comes by itself
            f.page->results()->saveButton()->setFocus();
            press(f, Qt::Key_Space);
            files << f.dialogs.path + u".headroom-results"_s;
            QVERIFY2(QFile::exists(files.last()), qPrintable(files.last()));
            // A folder that is gone: said, and nothing lost.
            f.dialogs.path = folder.filePath(u"gone/away"_s);
            f.page->results()->save();
            QCOMPARE(f.dialogs.errors.size(), 1);
        }
        Class teacher;
        const QString bad = folder.filePath(u"bad.headroom-results"_s);
        QFile(bad).open(QIODevice::WriteOnly);
        teacher.dialogs.imports = files + QStringList(bad);
        teacher.page->results()->open();
        QCOMPARE(teacher.dialogs.errors.size(), 1);
        QVERIFY(teacher.dialogs.errors.front().contains(u"bad.headroom-results"_s));
        const QTableWidget* learners = teacher.page->results()->learners()->table();
        QCOMPARE(learners->rowCount(), 3);
        QCOMPARE(learners->item(1, 0)->text(), u"Bob"_s);
        const QTableWidget* questions = teacher.page->results()->questions()->table();
        QCOMPARE(questions->rowCount(), 1);
        QVERIFY2(questions->item(0, 2)->text().startsWith(u"1 of 3"_s), qPrintable(questions->item(0, 2)->text()));
        QVERIFY2(questions->item(0, 4)->text().startsWith(u"2 × The GPUs are never idle"_s),
                 qPrintable(questions->item(0, 4)->text()));
    }
};
HEADROOM_TEST_WITH(QApplication, TestTeaching)

} // namespace headroom::ui::test_teaching
#include "test_teaching.moc"
