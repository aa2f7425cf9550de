// SPDX-License-Identifier: GPL-3.0-or-later
// Help: its sources name only what there is; F1 opens the page for what has the keyboard and leads back; Shift+F1 and
// every tool tip of a parameter, a tile and a chart lead to its entry of the glossary.
#include "core/explain/glossary.hpp"
#include "tests/support/every_figure.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"
#include "ui/base/glossary_hint.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/help/help_document.hpp"
#include "ui/help/what_is_this.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/help_markdown.hpp"
#include "ui/pages/help_tables.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/settings/language.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/log_slider.hpp"

#include <QDirIterator>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolTip>

namespace headroom::ui::test_help
{

using test::press, test::tabTo, test::WindowFixture;

namespace
{

QString allSources()
{
    QString text;
    for (const HelpPage& page : helpPages())
        text += page.markdown;
    return text;
}

QStringList matches(const QString& text, const QString& pattern)
{
    QStringList found;
    for (auto it = QRegularExpression(pattern).globalMatch(text); it.hasNext();)
        found << it.next().captured(1);
    found.removeDuplicates();
    return found;
}

QString plainTitle(const QAction& action)
{
    return QString(action.text()).remove(u'&').remove(u'…');
}

/// The entry of a menu path such as "File ▸ Import"; submenus are filled first.
bool menuHas(QWidget& window, const QString& path)
{
    const QStringList steps = path.split(QStringLiteral(" ▸ "));
    QList<QAction*> here = static_cast<MainWindow&>(window).menuBar()->actions();
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const auto found = std::find_if(here.begin(), here.end(),
                                        [&](const QAction* action) { return plainTitle(*action) == steps[i]; });
        if (found == here.end())
            return false;
        if (i + 1 < steps.size()) {
            QMenu* menu = (*found)->menu();
            if (!menu)
                return false;
            emit menu->aboutToShow();
            here = menu->actions();
        }
    }
    return true;
}

QString inFront(const WindowFixture& fixture)
{
    return QLatin1String(fixture.window->pages().current().id);
}

HelpView& help(const WindowFixture& fixture)
{
    return *static_cast<HelpView*>(fixture.window->pages().page(QStringLiteral("help")));
}

QString toolTipOf(QWidget& widget, QPoint at)
{
    QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &event);
    const QString text = QToolTip::text();
    QToolTip::hideText();
    return text;
}

/// What is wrong with the way from a widget to the glossary; empty = nothing.
QString complaint(WindowFixture& fixture, QWidget& widget, const QString& toolTip, const QString& name)
{
    if (!toolTip.trimmed().endsWith(glossaryHint()))
        return name + QStringLiteral(": the tool tip does not end with the way to the glossary: ") + toolTip;
    const WidgetHelp said = widgetHelp(widget, QStringLiteral("dashboard"));
    if (!said.link.startsWith(QStringLiteral("glossary:")) || !said.html.contains(said.link))
        return name + QStringLiteral(": no link to the glossary in: ") + said.html;
    const auto entry = glossaryEntry(toUtf8(said.link.section(u':', 1)));
    if (!entry)
        return name + QStringLiteral(": no entry ") + said.link;
    auto* page = static_cast<GlossaryPage*>(fixture.window->pages().page(QStringLiteral("glossary")));
    page->showEntry(toQString(entry->id));
    return page->text().trimmed().startsWith(toQString(entry->title))
               ? QString()
               : name + QStringLiteral(": the glossary begins with ") + page->text().left(60);
}

} // namespace

class TestHelp final : public QObject
{
    Q_OBJECT

private slots:
    void everyPageHasAHeadingAndEveryTableIsUsed()
    {
        QVERIFY(helpPages().size() >= 13);
        for (const HelpPage& page : helpPages()) {
            QVERIFY2(!page.title.isEmpty(), qPrintable(page.id));
            const QString shown = windowMarkdown(page);
            QVERIFY2(!shown.contains(QStringLiteral("{{")) && !shown.contains(QStringLiteral("![")),
                     qPrintable(page.id));
        }
        const QStringList used = matches(allSources(), QStringLiteral("\\{\\{([a-z]+)\\}\\}"));
        for (const QString& name : used)
            QVERIFY2(!helpTable(name).isEmpty(), qPrintable(name));
        for (const QString& name : helpTableNames())
            QVERIFY2(used.contains(name), qPrintable(name));
    }

    void aHeadingLeavesTheBlockAboveAsItIs()
    {
        QTextDocument document;
        setHelpText(document, QStringLiteral("- one\n- two\n- three\n\n## Next\n\nText\n"), QFont(), Theme());
        const QTextBlock first = document.firstBlock(), last = first.next().next();
        QVERIFY(last.textList() && last.next().blockFormat().headingLevel() == 2);
        QCOMPARE(last.blockFormat().topMargin(), first.blockFormat().topMargin());
        QCOMPARE(last.blockFormat().bottomMargin(), first.blockFormat().bottomMargin());
        QVERIFY(last.next().blockFormat().topMargin() > first.blockFormat().topMargin());
        // A paragraph keeps its distance from the list above it.
        setHelpText(document, QStringLiteral("Text\n\n- one\n- two\n\nAfter\n"), QFont(), Theme());
        const QTextBlock paragraph = document.begin(), one = paragraph.next(), two = one.next();
        QVERIFY(one.blockFormat().bottomMargin() < paragraph.blockFormat().bottomMargin());
        QCOMPARE(two.blockFormat().bottomMargin(), paragraph.blockFormat().bottomMargin());
    }

    void everyLinkLeadsSomewhere()
    {
        const QString text = allSources();
        for (const QString& id : matches(text, QStringLiteral("\\]\\(page:([^)]*)\\)")))
            QVERIFY2(pageRow(id), qPrintable(id));
        for (const QString& id : matches(text, QStringLiteral("\\]\\(help:([^)]*)\\)")))
            QVERIFY2(helpPage(id), qPrintable(id));
        for (const QString& id : matches(text, QStringLiteral("\\]\\(term:([^)]*)\\)")))
            QVERIFY2(glossaryTerm(toUtf8(id)), qPrintable(id));
        for (const QString& file : matches(text, QStringLiteral("\\]\\(doc:([^)]*)\\)")))
            QVERIFY2(QFile::exists(QString::fromStdString(test::sourcePath("docs/")) + file), qPrintable(file));
    }

    void everyKeyAndMenuThatIsNamedExists()
    {
        WindowFixture fixture;
        QStringList known;
        for (const QAction* action : fixture.window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts())
                known << key.toString(QKeySequence::PortableText);
        const QString text = allSources();
        const QStringList named =
            matches(text, QStringLiteral("\\*\\*((?:(?:Ctrl|Alt|Shift)\\+[^* ]+)|F\\d+|[A-Z])\\*\\*"));
        QVERIFY(named.size() > 10);
        for (const QString& key : named)
            QVERIFY2(known.contains(key), qPrintable(key));
        const QStringList paths = matches(text, QStringLiteral("\\*([^*\\n]+ ▸ [^*\\n]+)\\*"));
        QVERIFY(paths.size() > 5);
        for (const QString& path : paths)
            QVERIFY2(menuHas(*fixture.window, path), qPrintable(path));
    }

    void germanPagesAreWholeAndNameTheSame()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture;
        const auto &english = helpPages(QStringLiteral("en")), &pages = helpPages();
        QCOMPARE(pages.size(), english.size());
        const auto keysOf = [](QString text) {
            for (const auto& [de, en] : {std::pair("Strg+", "Ctrl+"), std::pair("Umschalt+", "Shift+"),
                                         std::pair("+Rechts", "+Right"), std::pair("+Links", "+Left")})
                text.replace(QLatin1String(de), QLatin1String(en));
            return matches(text, QStringLiteral("\\*\\*((?:(?:Ctrl|Alt|Shift)\\+[^* ]+)|F\\d+|[A-Z])\\*\\*"));
        };
        int paths = 0;
        for (std::size_t i = 0; i < pages.size(); ++i) {
            const QString &de = pages[i].markdown, &en = english[i].markdown;
            QCOMPARE(pages[i].id, english[i].id);
            QVERIFY2(de != en, qPrintable(pages[i].id));
            for (const QString& pattern :
                 {QStringLiteral("(\\{\\{[a-z]+\\}\\})"), QStringLiteral("\\]\\(((?:page|help|term|doc):[^)]*)\\)"),
                  QStringLiteral("\\]\\(([^ )]+ \"[^\"]*\")\\)"), QStringLiteral("(`[^`]+`)")})
                QCOMPARE(matches(de, pattern), matches(en, pattern));
            QCOMPARE(keysOf(de), keysOf(en));
            for (const QString& each : {QStringLiteral("\n#"), QStringLiteral("\n")}) // heading; paragraph, item or row
                QCOMPARE(de.count(each), en.count(each));
            for (const QString& path : matches(de, QStringLiteral("\\*([^*\\n]+ ▸ [^*\\n]+)\\*"))) {
                QVERIFY2(menuHas(*fixture.window, path), qPrintable(path));
                ++paths;
            }
        }
        QVERIFY(paths > 5);
    }

    void everyPageOfTheWindowHasHelpOfItsOwn()
    {
        QString sources;
        for (QDirIterator files(QString::fromStdString(test::sourcePath("ui")), {QStringLiteral("*.hpp")}, QDir::Files,
                                QDirIterator::Subdirectories);
             files.hasNext();) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            sources += QString::fromUtf8(file.readAll());
        }
        QStringList about;
        for (const HelpPage& page : helpPages())
            for (const QString& place : page.belongsTo) {
                about << place;
                QVERIFY2(pageRow(place) || sources.contains(QStringLiteral("class ") + place + u' ') ||
                             place.startsWith(u'Q'),
                         qPrintable(page.id + QStringLiteral(" is for ") + place));
            }
        for (const PageRow& row : pageRegistry())
            QVERIFY2(about.contains(QLatin1String(row.id)), row.id);
        QCOMPARE(about.removeDuplicates(), 0);
    }

    void helpOpensWhereTheKeyboardIsAndLeadsBack()
    {
        WindowFixture fixture;
        QVERIFY(tabTo<LogSlider>(fixture, QStringLiteral("Micro-batch in sequences")));
        QWidget* const slider = QApplication::focusWidget();
        press(fixture, Qt::Key_F1);
        QCOMPARE(inFront(fixture), QStringLiteral("help"));
        QCOMPARE(help(fixture).current(), QStringLiteral("parameters"));
        QVERIFY(help(fixture).browser()->hasFocus());
        press(fixture, Qt::Key_F1);
        QCOMPARE(inFront(fixture), QStringLiteral("dashboard"));
        QCOMPARE(QApplication::focusWidget(), slider);
        fixture.part<DashboardPage>().charts().front()->setFocus();
        press(fixture, Qt::Key_F1);
        QCOMPARE(help(fixture).current(), QStringLiteral("charts"));
        press(fixture, Qt::Key_Escape);
        QCOMPARE(inFront(fixture), QStringLiteral("dashboard"));
        QVERIFY(fixture.part<DashboardPage>().charts().front()->hasFocus());

        QVERIFY(fixture.window->pages().show(QStringLiteral("plan")));
        QTRY_VERIFY(!fixture.window->pages().page(QStringLiteral("plan"))->property("busy").toBool());
        fixture.window->pages().page(QStringLiteral("plan"))->setFocus();
        press(fixture, Qt::Key_F1);
        QCOMPARE(help(fixture).current(), QStringLiteral("planner"));
    }

    void linksSearchAndBack()
    {
        WindowFixture fixture;
        QVERIFY(fixture.window->pages().show(QStringLiteral("help")));
        HelpView& view = help(fixture);
        const QString first = view.current();
        emit view.browser()->anchorClicked(QUrl(QStringLiteral("help:charts")));
        QCOMPARE(view.current(), QStringLiteral("charts"));
        view.setFocus();
        press(fixture, Qt::Key_Backspace);
        QCOMPARE(view.current(), first);

        view.field()->setText(QStringLiteral("pins dashed"));
        QVERIFY2(view.current() == QLatin1String("charts") || view.current() == QLatin1String("compare"),
                 qPrintable(view.current()));
        QVERIFY(!view.browser()->extraSelections().isEmpty());
        QVERIFY(view.browser()->textCursor().selectedText().compare(QStringLiteral("pins"), Qt::CaseInsensitive) == 0);
        int shown = 0;
        for (int i = 0; i < view.contents()->count(); ++i)
            shown += view.contents()->item(i)->isHidden() ? 0 : 1;
        QVERIFY(shown > 0 && shown < view.contents()->count());
        view.field()->clear();

        emit view.browser()->anchorClicked(QUrl(QStringLiteral("term:kv-cache")));
        QCOMPARE(inFront(fixture), QStringLiteral("glossary"));
        auto* glossary = static_cast<GlossaryPage*>(fixture.window->pages().page(QStringLiteral("glossary")));
        QVERIFY2(glossary->text().trimmed().startsWith(QStringLiteral("KV cache")),
                 qPrintable(glossary->text().left(40)));
    }

    void shiftF1ExplainsTheFocusOrAClick()
    {
        WindowFixture fixture;
        const auto bubble = [&fixture] { return fixture.window->findChild<HelpBubble*>(); };
        QVERIFY(tabTo<LogSlider>(fixture, QStringLiteral("Micro-batch in sequences")));
        press(fixture, Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(!bubble());
        press(fixture, Qt::Key_Return);
        QTRY_VERIFY(bubble());
        QCOMPARE(bubble()->help().link, QStringLiteral("glossary:micro-batch"));
        QVERIFY(!bubble()->browser()->accessibleName().isEmpty());
        WindowFixture::settle();
        QCOMPARE(bubble()->browser()->verticalScrollBar()->maximum(), 0); // all of it, the link above all, in sight
        emit bubble()->browser()->anchorClicked(QUrl(bubble()->help().link));
        WindowFixture::settle();
        QCOMPARE(inFront(fixture), QStringLiteral("glossary"));
        QTRY_VERIFY(!bubble());

        QVERIFY(fixture.window->pages().show(QStringLiteral("dashboard")));
        MetricTile* tile = fixture.part<MetricTiles>().tile(QStringLiteral("hfu"));
        const QString before = fixture.part<MetricTiles>().selected();
        auto* what = fixture.window->findChild<WhatIsThis*>();
        what->ask();
        QVERIFY(what->isAsking());
        QTest::mouseClick(tile, Qt::LeftButton);
        QTRY_VERIFY(bubble());
        QCOMPARE(bubble()->help().link, QStringLiteral("glossary:hfu"));
        QVERIFY(!what->isAsking());
        QCOMPARE(fixture.part<MetricTiles>().selected(), before); // the click only asked
        QTest::keyClick(bubble()->browser(), Qt::Key_Escape);
        QTRY_VERIFY(!bubble());
        what->ask();
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(!what->isAsking() && !bubble());
    }

    void everyRowTileAndChartLeadsToItsEntry_data()
    {
        QTest::addColumn<int>("task");
        QTest::newRow("training") << static_cast<int>(Task::Training);
        QTest::newRow("inference") << static_cast<int>(Task::Inference);
    }

    void everyRowTileAndChartLeadsToItsEntry()
    {
        QFETCH(const int, task);
        WindowFixture fixture;
        fixture.session.store.edit(0, QString(), [task](Scenario& scenario) {
            scenario.task = static_cast<Task>(task);
            test::bringEveryChart(scenario);
        });
        fixture.session.recalculator.flush();
        QStringList wrong, ids;
        int seen = 0;
        for (const ParameterRow& each : parameterRegistry()) {
            auto* row = fixture.part<ParameterPanel>().rowWidget(toQString(each.id));
            const auto labels = row->findChildren<QLabel*>();
            wrong << complaint(fixture, *row->control(), labels.front()->toolTip(), toQString(row->row().id));
            ++seen;
        }
        for (auto* tile : fixture.window->findChildren<MetricTile*>()) {
            wrong << complaint(fixture, *tile, toolTipOf(*tile, {5, 5}), toQString(tile->row().id));
            ++seen;
        }
        for (const ChartRow& row : chartRegistry())
            if (appliesTo(row, static_cast<Task>(task)))
                ids << toQString(row.id);
        fixture.part<DashboardPage>().choice().setChartIds(static_cast<Task>(task), ids);
        WindowFixture::settle();
        for (const QString& id : ids) {
            ChartView* chart = fixture.part<DashboardPage>().chart(id);
            QVERIFY2(chart, qPrintable(id));
            chart->setSpec(chartRow(toUtf8(id))->build(*fixture.session.recalculator.sweptContext()));
            wrong << complaint(fixture, *chart, toolTipOf(*chart, {20, 8}), id);
            ++seen;
        }
        wrong.removeAll(QString());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
        QVERIFY(seen > 60);
    }

    void everyEntryOfTheGlossaryHasAnIdOfItsOwn()
    {
        QStringList ids;
        for (const GlossaryEntry& entry : glossaryEntries())
            ids << toQString(entry.id);
        QCOMPARE(ids.removeDuplicates(), 0);
    }
};
HEADROOM_TEST_WITH(QApplication, TestHelp)

} // namespace headroom::ui::test_help
#include "test_help.moc"
