// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the real window: each one is played by its recorded solution with the keyboard alone; the user's scenario
// waits and comes back; the first start. HEADROOM_LESSON_PICTURES=FOLDER draws every step on the way, in
// HEADROOM_LESSON_LANGUAGE, with HEADROOM_LESSON_DARK in the dark theme.
#include "core/catalog/catalog.hpp"
#include "core/lessons/lesson_figure.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/learn/choice_button.hpp"
#include "ui/learn/highlight_ring.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/learn/lesson_markup.hpp"
#include "ui/learn/lesson_player.hpp"
#include "ui/learn/question_box.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/learn/welcome_card.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/settings/language.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

namespace headroom::ui::test_learn
{

using test::press, test::tabTo, test::type, test::WindowFixture;

namespace
{

struct Classroom : WindowFixture {
    explicit Classroom(QSize size = {1600, 900}) : WindowFixture(size)
    {
        QObject::connect(&card, &LessonCard::announced, &card, [this](const QString& words) { heard << words; });
    }

    QStringList heard; ///< what a screen reader is told
    LessonPlayer& player = session.lessons;
    LessonCard& card = part<LessonCard>();
    ScenarioStore& store = session.store;

    [[nodiscard]] LessonPhase phase() const { return player.runner().phase(player.state()); }
    [[nodiscard]] LearnPage& page() const
    {
        return *static_cast<LearnPage*>(window->pages().page(QStringLiteral("learn")));
    }

    void picture(const QString& what) const
    {
        const QString gallery = qEnvironmentVariable("HEADROOM_LESSON_PICTURES");
        if (gallery.isEmpty())
            return;
        QTest::qWait(200); // animations, queued replots
        const QString name = QStringLiteral("%1/%2-%3-%4.png").arg(gallery, toQString(player.runner().lesson().id));
        window->grab().save(name.arg(player.state().step + 1).arg(what));
    }

    /// From the list of lessons, by keys.
    void open(const Lesson& lesson) const
    {
        if (Language::current() != QLatin1String("en")) { // for pictures alone
            player.start(toQString(lesson.id));
            settle();
            return;
        }
        press(*this, Qt::Key_6, Qt::ControlModifier);
        QVERIFY(tabTo(*this, QStringLiteral("Start: ") + toQString(lesson.title)));
        press(*this, Qt::Key_Space);
        QVERIFY(player.isPlaying());
    }

    void answer(double answer) const
    {
        const auto& choices = card.question()->choices();
        if (!choices.empty())
            return press(*this, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(answer)));
        if (!card.hasFocus())
            press(*this, Qt::Key_F6); // from the card itself a digit goes into the field
        const auto unit = lessonUnit(player.runner().step(player.state()).question->unit); // a bare number is in it
        type(*this, toQString(exactNumber(answer / unit.value_or(1))));
        press(*this, Qt::Key_Return);
    }

    void setByKeys(const QString& id, double value) const
    {
        const ParameterRowWidget* row = part<ParameterPanel>().rowWidget(id);
        QVERIFY(row && row->isVisible());
        if (qEnvironmentVariableIsSet("HEADROOM_LESSON_PICTURES"))
            part<ParameterPanel>().focusRow(id); // Tab would scroll the charts away from what the step shows
        for (int i = 0; i < 300 && !row->isAncestorOf(QApplication::focusWidget()); ++i)
            QTest::keyClick(test::inHand(*this), Qt::Key_Tab);
        QVERIFY2(row->isAncestorOf(QApplication::focusWidget()), qPrintable(id));
        if (qobject_cast<QCheckBox*>(row->control())) {
            press(*this, Qt::Key_Space);
        } else if (row->box()) {
            type(*this, toQString(exactNumber(value)));
            press(*this, Qt::Key_Return);
        } else { // one choice after the other, there and back
            const bool combo = qobject_cast<QComboBox*>(row->control());
            if (!combo && !row->slider())
                press(*this, Qt::Key_Space); // the segment that Tab came to
            for (int i = 0; i < 24 && row->row().get(store.scenario()) != value; ++i)
                press(*this, combo ? (i < 12 ? Qt::Key_Up : Qt::Key_Down) : (i < 12 ? Qt::Key_Left : Qt::Key_Right));
        }
        QCOMPARE(row->row().get(store.scenario()), value);
    }

    void pick(Qt::Key key, const QString& name) const
    {
        press(*this, key, Qt::AltModifier);
        type(*this, name);
        press(*this, Qt::Key_Return);
    }

    void perform(const LessonEdit& edit) const
    {
        const Catalog& catalog = session.recalculator.catalog();
        switch (edit.kind) {
        case LessonEdit::Kind::Set:
            setByKeys(toQString(edit.name), edit.value);
            break;
        case LessonEdit::Kind::Reset:
            part<ParameterPanel>().focusRow(toQString(edit.name));
            press(*this, Qt::Key_Delete);
            break;
        case LessonEdit::Kind::Model:
            pick(Qt::Key_M, toQString(catalog.model(edit.name)->name));
            break;
        case LessonEdit::Kind::Accelerator:
            pick(Qt::Key_G, toQString(catalog.accelerator(edit.name)->name));
            break;
        }
    }

    /// Everything that the step points at is in the window, framed and to be seen.
    void checkHighlights() const
    {
        const LessonStep& step = player.runner().step(player.state());
        const QString where = toQString(player.runner().lesson().id) + QStringLiteral(", ") + toQString(step.title);
        const auto rings = window->findChildren<HighlightRing*>();
        QVERIFY2(static_cast<std::size_t>(rings.size()) == step.highlights.size(), qPrintable(where));
        for (const HighlightRing* ring : rings)
            QVERIFY2(ring->isVisible() && ring->size() == ring->parentWidget()->size() &&
                         !ring->parentWidget()->visibleRegion().isEmpty(),
                     qPrintable(where + QStringLiteral(": ") + ring->parentWidget()->accessibleName()));
    }

    /// What stands on the tiles is whole: a figure cut off is a wrong one.
    void checkTiles() const
    {
        for (const MetricTile* tile : part<MetricTiles>().findChildren<MetricTile*>()) {
            constexpr int margins = 24;
            const QFontMetrics metrics(styled(tile->font(), TextStyle::Caption));
            const TileText& text = tile->content();
            const QString sub = toQString(text.brief.empty() ? text.sub : text.brief);
            if (tile->isVisible())
                for (const QString& words : {toQString(text.label), sub})
                    QVERIFY2(metrics.horizontalAdvance(words) <= tile->width() - margins, qPrintable(words));
        }
    }

    void playStep() const
    {
        const LessonStep step = player.runner().step(player.state());
        const std::size_t index = player.state().step;
        QVERIFY2(QApplication::focusWidget() == &card, qPrintable(toQString(step.title)));
        QVERIFY(card.accessibleName().contains(toQString(step.title)));
        QVERIFY2(heard.contains(card.accessibleDescription()), qPrintable(card.accessibleDescription()));
        checkHighlights();
        checkTiles();
        picture(QStringLiteral("1-asked"));
        QVERIFY(step.until.empty() || !card.text().contains(QStringLiteral("Your move")) || !step.question);
        if (step.question)
            answer(*step.solution.answer);
        if (!step.until.empty()) {
            QCOMPARE(phase(), LessonPhase::Act);
            QVERIFY(!card.nextButton()->isEnabled());
            picture(QStringLiteral("2-acting"));
            for (const LessonEdit& edit : step.solution.edits)
                perform(edit);
        }
        QVERIFY2(QTest::qWaitFor([&] { return player.state().steps[index].done; }, 2'000), qPrintable(card.text()));
        QTRY_COMPARE(phase(), LessonPhase::Explained);
        QVERIFY(!step.question || player.state().steps[index].right.value_or(false));
        QVERIFY(step.explanation.empty() || heard.back().contains(card.text().section(u'\n', -1)));
        checkTiles();
        picture(QStringLiteral("3-told"));
        if (!card.hasFocus())
            press(*this, Qt::Key_F6);
        press(*this, Qt::Key_Return);
    }
};

} // namespace

class TestLearn final : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void unitsStayWithTheirFigures()
    {
        const QString html = lessonHtml("30 ms at 3.35 TB/s, 5 % or more", Qt::blue);
        QCOMPARE(html, QStringLiteral("30\u00A0ms at 3.35\u00A0TB/\u2060s, 5\u00A0% or more"));
    }

    void everyLessonIsPlayedByKeys_data()
    {
        QTest::addColumn<int>("lesson");
        Classroom room;
        int index = 0;
        for (const Lesson& lesson : room.player.lessons())
            QTest::newRow(lesson.id.c_str()) << index++;
    }

    void everyLessonIsPlayedByKeys()
    {
        QFETCH(const int, lesson);
        const QStringList size = qEnvironmentVariable("HEADROOM_LESSON_SIZE", QStringLiteral("1366x768")).split(u'x');
        const Language language(qEnvironmentVariable("HEADROOM_LESSON_LANGUAGE", QStringLiteral("en")));
        Classroom room({size.value(0).toInt(), size.value(1).toInt()});
        if (qEnvironmentVariableIsSet("HEADROOM_LESSON_DARK"))
            room.appearance.setTheme(ThemeKind::Dark);
        const Scenario own = room.store.scenario();
        const Lesson& played = room.player.lessons()[static_cast<std::size_t>(lesson)];
        room.open(played);
        for (std::size_t i = 0; i < played.steps.size(); ++i) {
            QCOMPARE(room.player.state().step, i);
            room.playStep();
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY(room.player.state().finished);
        QVERIFY(room.card.text().contains(QStringLiteral("Sources: ")) || Language::current() != QLatin1String("en"));
        room.picture(QStringLiteral("4-end"));
        press(room, Qt::Key_Return);
        QVERIFY(!room.player.isPlaying());
        QVERIFY(room.store.scenario() == own);
        QVERIFY(!room.store.isModified());
        QVERIFY(room.page().isMarkedDone(static_cast<std::size_t>(lesson)));
        QVERIFY(room.window->findChildren<HighlightRing*>().isEmpty());
    }

    void chartsAndSlidersStayBesideTheCard()
    {
        for (const QSize size : {QSize(1366, 768), QSize(1920, 1080), QSize(1100, 700)}) {
            Classroom room(size);
            room.player.start(QStringLiteral("mfu"));
            WindowFixture::settle();
            const auto rectOf = [&](const QWidget& widget) {
                return QRect(widget.mapTo(room.window.get(), QPoint()), widget.size());
            };
            const QRect card = rectOf(room.card), sliders = rectOf(room.part<ParameterPanel>());
            QVERIFY(room.card.isVisible() && room.part<ParameterPanel>().isVisible());
            QVERIFY(room.window->rect().contains(card));
            int seen = 0;
            for (const ChartView* chart : room.part<DashboardPage>().charts()) {
                if (chart->visibleRegion().isEmpty())
                    continue;
                ++seen;
                QVERIFY(!rectOf(*chart).intersects(card) && !rectOf(*chart).intersects(sliders));
            }
            QVERIFY(seen >= 2);
        }
    }

    void ownScenarioWaitsAndIsWhatGetsSaved()
    {
        Classroom room;
        room.store.edit(0, QStringLiteral("mine"), [](Scenario& scenario) { scenario.training.microBatch = 3; });
        const Scenario own = room.store.scenario();
        room.player.start(QStringLiteral("float8"));
        QVERIFY(room.store.scenario() != own);
        QVERIFY(room.store.isModified()); // the user's change, not the lesson's
        room.dialogs.path = room.folder.filePath(QStringLiteral("own.headroom"));
        QVERIFY(room.session.documents.save());
        QVERIFY(!room.store.isModified());
        QFile file(room.dialogs.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto saved = readScenario(file.readAll().toStdString(), room.session.recalculator.catalog());
        QVERIFY(saved && saved->scenario == own);
        QVERIFY(room.player.isPlaying());
        room.player.leave();
        QVERIFY(room.store.scenario() == own && !room.store.isModified());
        // No step of the lesson is left to become the user's own scenario and be saved.
        QVERIFY(!room.store.undoStack().canRedo());
        QCOMPARE(room.store.undoStack().undoText(), QStringLiteral("mine"));
        room.store.undoStack().undo();
        room.store.undoStack().redo();
        QVERIFY(room.store.scenario() == own && !room.store.isModified());
    }

    void undoneToBeforeItsBeginningItIsOver()
    {
        Classroom room;
        const Scenario own = room.store.scenario();
        room.player.start(QStringLiteral("batching"));
        QVERIFY(room.store.scenario() != own);
        room.store.undoStack().undo();
        QVERIFY(!room.player.isPlaying());
        QVERIFY(room.store.scenario() == own && !room.store.isModified());
        room.player.start(QStringLiteral("batching"));
        QVERIFY(room.session.documents.newDocument());
        QVERIFY(!room.player.isPlaying());
        QVERIFY(!room.part<SidePanel>().isLessonInFront());
    }

    /// Who guesses in seconds is answered in seconds, whatever the figure's size.
    void aTimeIsAskedForAndToldInOneUnit()
    {
        Classroom room;
        room.player.start(QStringLiteral("mfu"));
        room.player.send(lesson_event::Answered{1});
        room.player.send(lesson_event::Next{});
        WindowFixture::settle();
        QCOMPARE(room.card.question()->field()->accessibleName(), QStringLiteral("Your guess, in s"));
        room.answer(0.25);
        QTRY_COMPARE(room.phase(), LessonPhase::Explained);
        QVERIFY2(room.card.text().contains(QString::fromUtf8("it is 0.238\u202Fs")), qPrintable(room.card.text()));
        QVERIFY2(!room.card.text().contains(QString::fromUtf8("\u202Fms")), qPrintable(room.card.text()));
        room.player.leave();
        room.player.start(QStringLiteral("mbu"));
        room.player.send(lesson_event::Answered{1});
        room.player.send(lesson_event::Next{});
        WindowFixture::settle();
        room.answer(0.0045); // typed as 4.5: the question asks for milliseconds
        QTRY_COMPARE(room.phase(), LessonPhase::Explained);
        QVERIFY(room.player.state().steps[1].right.value_or(false));
    }

    void hintsComeWhenAskedForAndTheExplanationSharesThePlace()
    {
        Classroom room;
        room.player.start(QStringLiteral("lora"));
        while (room.player.runner().step(room.player.state()).until.empty()) {
            room.player.send(lesson_event::Answered{0});
            room.player.send(lesson_event::Next{});
        }
        room.player.send(lesson_event::Answered{0});
        WindowFixture::settle();
        const std::string hint = room.player.runner().step(room.player.state()).hints.front();
        QVERIFY(!room.card.text().contains(toQString(hint.substr(0, 20))));
        room.card.hintButton()->click();
        QVERIFY(room.card.text().contains(toQString(hint.substr(0, 20))));
        room.part<MetricTiles>().tile(QStringLiteral("mfu"))->click();
        QVERIFY(!room.part<SidePanel>().isLessonInFront());
        QVERIFY(!room.card.isVisible());
        press(room, Qt::Key_F6);
        QVERIFY(room.card.isVisible() && room.card.hasFocus());
        room.card.leaveButton()->click();
        QVERIFY(!room.player.isPlaying() && !room.card.isVisible());
        QVERIFY(room.window->findChild<Workspace*>()->isRightShown());
    }

    void theFirstStartHasFourDoors()
    {
        Classroom room;
        QVERIFY(!room.window->findChild<WelcomeCard*>()); // whoever starts the program asks for it
        QVERIFY(!room.settings.value(SettingKey::WelcomeSeen).toBool());
        const auto enter = [&](int tabs) {
            room.window->showWelcome();
            WindowFixture::settle();
            for (int i = 0; i < tabs; ++i)
                press(room, Qt::Key_Tab);
            press(room, Qt::Key_Return);
            return QString(QLatin1String(room.window->pages().current().id));
        };
        // "Learn" has the keyboard first; Tab goes around within the card.
        QCOMPARE(enter(0), QStringLiteral("learn"));
        QVERIFY(room.settings.value(SettingKey::WelcomeSeen).toBool());
        QVERIFY(!room.window->findChild<WelcomeCard*>());
        QCOMPARE(enter(2), QStringLiteral("dashboard"));
        QCOMPARE(enter(5), QStringLiteral("plan"));
        room.window->showWelcome();
        press(room, Qt::Key_Escape);
        QCOMPARE(QString(QLatin1String(room.window->pages().current().id)), QStringLiteral("dashboard"));
        QVERIFY(!room.window->findChild<WelcomeCard*>());
    }
};
HEADROOM_TEST_WITH(QApplication, TestLearn)

} // namespace headroom::ui::test_learn
#include "test_learn.moc"
