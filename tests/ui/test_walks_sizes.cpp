// SPDX-License-Identifier: GPL-3.0-or-later
// Walks at the sizes and types of people's screens: the window never outgrows its screen, no name is cut, nothing
// covers what is above it, and what has the keyboard has a ring.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/commands/actions.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/settings/language.hpp"
#include "ui/theme/focus_ring.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/elided_label.hpp"
#include "ui/widgets/group_header.hpp"
#include "ui/widgets/steady_scroll.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

namespace headroom::ui::test_walks_sizes
{

using headroom::test::press;
using headroom::test::WindowFixture;

namespace
{

void inBothLanguages()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<double>("type");
    for (const char* code : {"en", "de"})
        for (const double type : {1.0, 1.25, 1.5})
            QTest::addRow("%s, type %g", code, type) << QString(QLatin1String(code)) << type;
}

QWidget* ringOf(const QWidget& window)
{
    auto* ring = window.findChild<QWidget*>(QStringLiteral("focus_ring"), Qt::FindDirectChildrenOnly);
    return ring && ring->isVisible() ? ring : nullptr;
}

/// The rectangle of a widget that is in sight, in its window.
QRect inSight(const QWidget& widget)
{
    const QRect seen = widget.visibleRegion().boundingRect();
    return seen.translated(widget.mapTo(widget.window(), QPoint()));
}

} // namespace

class TestWalksSizes final : public QObject
{
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, ThemeKind::Light); }

    void noPageMakesTheWindowWider_data()
    {
        QTest::addColumn<QString>("code");
        for (const char* code : {"en", "de"})
            QTest::newRow(code) << QString(QLatin1String(code));
    }

    void noPageMakesTheWindowWider()
    {
        QFETCH(const QString, code);
        const Language language(code);
        WindowFixture fixture({1366, 768});
        Navigator& pages = fixture.window->pages();
        for (const PageRow& first : pageRegistry())
            for (const PageRow& second : pageRegistry()) {
                for (const PageRow* page : {&first, &second}) {
                    pages.show(QLatin1String(page->id));
                    WindowFixture::settle();
                }
                QVERIFY2(fixture.window->width() == 1366 && fixture.window->height() == 768,
                         qPrintable(QStringLiteral("%1 after %2: %3×%4")
                                        .arg(QLatin1String(second.id), QLatin1String(first.id))
                                        .arg(fixture.window->width())
                                        .arg(fixture.window->height())));
            }
        // And back on the small screen of a laptop at twice the pixels.
        for (const PageRow& page : pageRegistry()) {
            pages.show(QLatin1String(page.id));
            fixture.window->resize(960, 540);
            WindowFixture::settle();
            QVERIFY2(fixture.window->width() <= 960 && fixture.window->height() <= 540,
                     qPrintable(QStringLiteral("%1: %2×%3")
                                    .arg(QLatin1String(page.id))
                                    .arg(fixture.window->width())
                                    .arg(fixture.window->height())));
        }
    }

    void theDrawerLeavesTabsAndTilesInSight()
    {
        WindowFixture fixture({960, 540});
        press(fixture, Qt::Key_I, Qt::ControlModifier);
        const ExplanationPanel& drawer = fixture.part<ExplanationPanel>();
        QVERIFY(fixture.part<Workspace>().isFolded() && drawer.isVisible());
        const auto place = [&fixture](const QWidget& part) {
            return QRect(part.mapTo(fixture.window.get(), QPoint()), part.size());
        };
        for (const QWidget* part : {static_cast<QWidget*>(&fixture.part<MetricTiles>()),
                                    static_cast<QWidget*>(fixture.window->pages().tabs())})
            QVERIFY2(!place(drawer).intersects(place(*part)), part->metaObject()->className());
        QVERIFY(drawer.height() > 150);
        fixture.window->resize(1100, 700); // it goes along
        WindowFixture::settle();
        QVERIFY(!place(drawer).intersects(place(fixture.part<MetricTiles>())));
    }

    void noParameterNameIsCut_data() { inBothLanguages(); }

    void noParameterNameIsCut()
    {
        QFETCH(const QString, code);
        QFETCH(const double, type);
        const Language language(code);
        WindowFixture fixture({1600, 900});
        fixture.appearance.setTypeScale(type);
        for (const Task task : {Task::Training, Task::Inference}) {
            fixture.session.store.edit(0, QStringLiteral("task"), [task](Scenario& scenario) { scenario.task = task; });
            for (GroupHeader* header : fixture.part<ParameterPanel>().findChildren<GroupHeader*>())
                header->setOpen(true);
            fixture.part<ParameterPanel>().reveal(QStringLiteral("count"));
            WindowFixture::settle();
            QStringList cut;
            int seen = 0;
            for (const auto* label : fixture.part<ParameterPanel>().findChildren<ElidedLabel*>())
                if (label->isVisible()) {
                    ++seen;
                    if (label->isElided())
                        cut << QStringLiteral("“%1” in %2 px").arg(label->text()).arg(label->width());
                }
            QVERIFY(seen > 10);
            QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QStringLiteral("\n"))));
        }
    }

    void menusAndHeadingsGrowWithTheType()
    {
        WindowFixture fixture;
        QLabel* heading = nullptr;
        fixture.window->pages().show(QStringLiteral("plan"));
        for (QLabel* label : fixture.window->pages().stack()->currentWidget()->findChildren<QLabel*>())
            if (label->text() == QStringLiteral("Ranking"))
                heading = label;
        QVERIFY(heading);
        auto* lesson = fixture.part<LessonCard>().findChild<QLabel*>();
        const std::vector<const QWidget*> parts{fixture.window->menuBar(), heading, lesson};
        std::vector<int> before;
        for (const QWidget* part : parts)
            before.push_back(part->fontMetrics().height());
        fixture.appearance.setTypeScale(1.5);
        WindowFixture::settle();
        for (std::size_t i = 0; i < parts.size(); ++i)
            QVERIFY2(
                parts[i]->fontMetrics().height() >= before[i] * 1.4,
                qPrintable(QStringLiteral("%1: %2 → %3").arg(i).arg(before[i]).arg(parts[i]->fontMetrics().height())));
    }

    void iconsBoxesAndButtonsGrowWithTheType()
    {
        WindowFixture fixture;
        fixture.window->pages().show(QStringLiteral("plan"));
        const auto* tools = fixture.window->findChild<QToolBar*>(QStringLiteral("tools"));
        const QCheckBox* box = nullptr;
        for (const QCheckBox* each : fixture.window->pages().stack()->currentWidget()->findChildren<QCheckBox*>())
            box = each->isVisible() ? each : box;
        const ParameterRowWidget* row = fixture.part<ParameterPanel>().reveal(QStringLiteral("micro_batch"));
        QVERIFY(tools && box && row);
        const auto sides = [&] {
            const auto* lock = row->findChild<QToolButton*>();
            return std::vector<int>{tools->iconSize().height(),
                                    box->style()->pixelMetric(QStyle::PM_IndicatorHeight, nullptr, box), lock->height(),
                                    lock->iconSize().height()};
        };
        const std::vector<int> before = sides();
        fixture.appearance.setTypeScale(1.5);
        WindowFixture::settle();
        const std::vector<int> after = sides();
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY2(after[i] >= before[i] * 1.2,
                     qPrintable(QStringLiteral("%1: %2 → %3").arg(i).arg(before[i]).arg(after[i])));
    }

    /// Buttons, fields and lists: an outline of at least 3:1 on what it stands on (WCAG 2.1, 1.4.11).
    void outlinesAreStrongInHighContrast()
    {
        for (const ThemeKind kind : {ThemeKind::HighContrast, ThemeKind::HighContrastDark}) {
            WindowFixture fixture({1366, 768});
            fixture.appearance.setTheme(kind);
            fixture.window->pages().show(QStringLiteral("catalog"));
            WindowFixture::settle();
            QWidget* page = fixture.window->pages().stack()->currentWidget();
            QList<QWidget*> controls;
            for (QWidget* each : page->findChildren<QWidget*>())
                if (each->isVisible() && each->isEnabled() &&
                    (qobject_cast<QPushButton*>(each) || qobject_cast<QLineEdit*>(each) ||
                     qobject_cast<QComboBox*>(each)))
                    controls << each;
            QVERIFY(controls.size() >= 4);
            for (QWidget* control : controls) {
                const QImage picture = control->grab().toImage();
                double strongest = 0;
                for (int x = 0; x < 3; ++x)
                    strongest = std::max(
                        strongest, contrastRatio(picture.pixelColor(x, picture.height() / 2), theme(kind).window));
                QVERIFY2(strongest >= 3, qPrintable(QStringLiteral("%1 %2: %3")
                                                        .arg(QLatin1String(control->metaObject()->className()),
                                                             control->accessibleName())
                                                        .arg(strongest)));
            }
        }
    }

    void noTileIsCut_data() { inBothLanguages(); }

    void noTileIsCut()
    {
        QFETCH(const QString, code);
        QFETCH(const double, type);
        const Language language(code);
        for (const QSize size : {QSize(960, 540), QSize(1366, 768), QSize(1600, 900), QSize(2560, 1440)}) {
            WindowFixture fixture(size);
            fixture.appearance.setTypeScale(type);
            for (const Task task : {Task::Training, Task::Inference}) {
                fixture.session.store.edit(0, QStringLiteral("task"),
                                           [task](Scenario& scenario) { scenario.task = task; });
                WindowFixture::settle();
                int seen = 0;
                for (const auto* tile : fixture.part<MetricTiles>().findChildren<MetricTile*>())
                    if (tile->isVisible()) {
                        ++seen;
                        QVERIFY2(tile->cutText().isEmpty(), qPrintable(QStringLiteral("%1×%2: “%3” in %4 px")
                                                                           .arg(size.width())
                                                                           .arg(size.height())
                                                                           .arg(tile->cutText())
                                                                           .arg(tile->width())));
                    }
                QVERIFY2(seen >= 3, qPrintable(QString::number(seen)));
            }
        }
    }

    void whatHasTheKeyboardHasARing_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<int>("kind");
        for (const PageRow& row : pageRegistry()) {
            QTest::addRow("%s", row.id) << QString(QLatin1String(row.id)) << int(ThemeKind::Light);
            QTest::addRow("%s, high contrast", row.id)
                << QString(QLatin1String(row.id)) << int(ThemeKind::HighContrast);
        }
    }

    void whatHasTheKeyboardHasARing()
    {
        QFETCH(const QString, page);
        QFETCH(const int, kind);
        WindowFixture fixture({1366, 768});
        fixture.appearance.setTheme(static_cast<ThemeKind>(kind));
        QVERIFY(!ringOf(*fixture.window)); // a window that opens has not been used by keys
        fixture.window->pages().show(page);
        QVERIFY(QTest::qWaitFor(
            [&] { return !fixture.window->pages().stack()->currentWidget()->property("busy").toBool(); }, 60'000));
        const bool high = theme(static_cast<ThemeKind>(kind)).isHighContrast();
        QSet<QWidget*> seen;
        for (int i = 0; i < 120; ++i) {
            press(fixture, Qt::Key_Tab);
            QWidget* hand = QApplication::focusWidget();
            if (!hand || seen.contains(hand))
                continue;
            seen << hand;
            const QRect sight = inSight(*hand);
            if (sight.isEmpty())
                continue; // scrolled away
            const QWidget* ring = ringOf(*fixture.window);
            QVERIFY2(ring, hand->metaObject()->className());
            if (!qobject_cast<QTabBar*>(hand))
                QVERIFY2(ring->geometry().contains(sight.intersected(fixture.window->rect())),
                         qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(hand->metaObject()->className()),
                                                                hand->accessibleName())));
            // As thick as it says, in a colour that is told from what it stands on.
            const QImage picture = fixture.window->grab(ring->geometry()).toImage();
            const Theme& colours = theme(static_cast<ThemeKind>(kind));
            int thick = 0;
            for (int x = 0; x < std::min(12, picture.width()); ++x)
                thick += picture.pixelColor(x, picture.height() / 2).rgb() == colours.accent.rgb() ? 1 : 0;
            QVERIFY2(thick >= (high ? 3 : 1) || ring->x() <= 0, qPrintable(QStringLiteral("%1 px").arg(thick)));
        }
        QVERIFY(seen.size() >= 2);
    }

    /// HEADROOM_WALK_PICTURES=FOLDER draws every page as low vision, small screens and Germans see it.
    void pictures()
    {
        const QString gallery = qEnvironmentVariable("HEADROOM_WALK_PICTURES");
        if (gallery.isEmpty())
            return;
        struct Look {
            const char* name;
            const char* code;
            ThemeKind kind;
            double type;
            QSize size;
        };
        for (const Look& look : {Look{"german150", "de", ThemeKind::Light, 1.5, {1366, 768}},
                                 Look{"contrast125", "en", ThemeKind::HighContrast, 1.25, {1920, 1080}},
                                 Look{"small", "en", ThemeKind::Dark, 1, {960, 540}},
                                 Look{"small150", "de", ThemeKind::HighContrast, 1.5, {960, 540}}}) {
            const Language language(QString::fromLatin1(look.code));
            WindowFixture fixture(look.size);
            fixture.appearance.setTheme(look.kind);
            fixture.appearance.setTypeScale(look.type);
            fixture.session.store.pinCurrent();
            fixture.session.store.pinCurrent();
            Scenario run = fixture.session.store.scenario();
            run.measured.stepTimeS = 20;
            fixture.session.runLibrary.add({run, run, run});
            fixture.window->resize(look.size);
            for (const PageRow& row : pageRegistry()) {
                fixture.window->pages().show(QLatin1String(row.id));
                (void)QTest::qWaitFor(
                    [&] { return !fixture.window->pages().stack()->currentWidget()->property("busy").toBool(); },
                    60'000);
                press(fixture, Qt::Key_F6);
                QTest::qWait(300);
                fixture.window->grab().save(
                    QStringLiteral("%1/%2-%3.png").arg(gallery, QLatin1String(look.name), QLatin1String(row.id)));
            }
        }
    }

    /// The ring goes to the tab in front by keys, and leaves the words of the next one free.
    void theRingOfTheTabsGoesWithThePage()
    {
        WindowFixture fixture({1366, 768});
        QTabBar& tabs = *fixture.window->pages().tabs();
        press(fixture, Qt::Key_Tab); // by keys from here on
        tabs.setFocus(Qt::TabFocusReason);
        for (int page = 1; page < tabs.count(); ++page) {
            press(fixture, Qt::Key_Right);
            WindowFixture::settle();
            QCOMPARE(tabs.currentIndex(), page);
            const QWidget* ring = ringOf(*fixture.window);
            QVERIFY(ring);
            const auto left = [&](int tab) {
                return tabs.mapTo(fixture.window.get(), tabs.tabRect(tab).topLeft()).x();
            };
            QVERIFY2(ring->x() <= left(page) && ring->geometry().right() > left(page) + 20,
                     qPrintable(tabs.tabText(page)));
            if (page + 1 < tabs.count())
                QVERIFY2(ring->geometry().right() < left(page + 1), qPrintable(tabs.tabText(page)));
        }
    }

    void theRingGoesWithWhatIsScrolledAndLeavesWithAClick()
    {
        WindowFixture fixture({1366, 768});
        auto& panel = fixture.part<ParameterPanel>();
        panel.focusRow(QStringLiteral("micro_batch"));
        press(fixture, Qt::Key_Tab);
        press(fixture, Qt::Key_Backtab, Qt::ShiftModifier);
        const QWidget* ring = ringOf(*fixture.window);
        QVERIFY(ring);
        const int before = ring->y();
        panel.scrollArea()->verticalScrollBar()->setValue(panel.scrollArea()->verticalScrollBar()->value() + 40);
        WindowFixture::settle();
        QCOMPARE(ring->y(), before - 40);
        QTest::mouseClick(panel.rowWidget(QStringLiteral("micro_batch"))->box(), Qt::LeftButton);
        WindowFixture::settle();
        QVERIFY(!ringOf(*fixture.window));
    }
};
HEADROOM_TEST_WITH(QApplication, TestWalksSizes)

} // namespace headroom::ui::test_walks_sizes
#include "test_walks_sizes.moc"
