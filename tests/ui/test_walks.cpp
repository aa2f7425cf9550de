// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through the whole window, page by page: every widget has a name, every command its words and a key of its own,
// every text can be translated, and nothing is cut off.
#include "core/metrics/metric_registry.hpp"
#include "tests/support/cut_text.hpp"
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/present/presenter.hpp"
#include "ui/settings/language.hpp"

#include <QAccessible>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScopeGuard>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTranslator>

namespace headroom::ui::test_walks
{

using headroom::test::collect;
using headroom::test::describe;
using headroom::test::plain;
using headroom::test::textOf;
using headroom::test::WindowFixture;

namespace
{

/// A language in which every text is in brackets and, with them, longer by `share`; arguments and mnemonics intact.
class PseudoLanguage final : public QTranslator
{
public:
    explicit PseudoLanguage(double share) : m_share(share) {}
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override
    {
        if (std::string_view(context).starts_with('Q')) // Qt's own words come from Qt's translators
            return {};
        const QString source = QString::fromUtf8(text);
        return u'⟦' + source + QString(std::max(0, int(m_share * double(source.size())) - 2), u'e') + u'⟧';
    }

private:
    double m_share;
};

/// Core's words and sentences likewise longer: those that have a German, which are all.
Phrases longerPhrases(double share)
{
    std::vector<Phrases::Pair> pairs = Phrases::pairs("de");
    for (auto& [english, other] : pairs)
        other = "⟦" + english + std::string(std::size_t(std::max(0.0, share * double(english.size()) - 2)), 'e') + "⟧";
    return Phrases(pairs);
}

bool hasWords(const QString& text)
{
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    return word.match(text).hasMatch();
}

/// Terms of the field and names from core, the catalogue and files, which are the same in every language.
bool comesFromCore(const QWidget& widget)
{
    for (const QWidget* each = &widget; each; each = each->parentWidget())
        if (qobject_cast<const ParameterRowWidget*>(each) || each->property("fromCore").toBool())
            return true;
    return false;
}

/// What a screen reader says of it; a button's own words are its name.
QString spokenName(const QWidget& widget)
{
    const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(&widget));
    return face ? face->text(QAccessible::Name) : widget.accessibleName();
}

/// All complaints of a walk as one text that says which page they are on and what would be right.
QString report(const QString& page, const QString& rule, const QStringList& complaints)
{
    return QStringLiteral("\npage %1: %2\n    %3").arg(page, rule, complaints.join(QStringLiteral("\n    ")));
}

void eachMenu(QWidget& window, const std::function<void(const QMenu&)>& visit)
{
    for (QMenu* menu : window.findChildren<QMenu*>()) {
        emit menu->aboutToShow(); // some are filled when they open
        visit(*menu);
    }
}

/// Beside the pages: the stage of a presentation.
QString stagePage()
{
    return QStringLiteral("present");
}

/// Brings a page to the front and waits until it shows its answer; false when that never comes.
bool showWhole(WindowFixture& fixture, const QString& page)
{
    if (page == stagePage()) {
        Presenter& presenter = fixture.part<Presenter>();
        StageView view = presenter.present();
        view.note = "⟦a note⟧";
        presenter.begin({view, view});
        presenter.stage()->showNormal(); // the screen without a display has 800×800 pixels, however fine they are
        presenter.stage()->resize(fixture.window->size());
        WindowFixture::settle();
        return presenter.stage()->isVisible();
    }
    const auto busy = [&] { return fixture.window->pages().stack()->currentWidget()->property("busy").toBool(); };
    if (!fixture.window->pages().show(page) || !QTest::qWaitFor([&] { return !busy(); }, 60'000))
        return false;
    WindowFixture::settle();
    return true;
}

void pages()
{
    QTest::addColumn<QString>("page");
    for (const PageRow& row : pageRegistry())
        QTest::newRow(row.id) << QString(QLatin1String(row.id));
    QTest::newRow("present") << stagePage();
}

} // namespace

class TestWalks final : public QObject
{
    Q_OBJECT

private slots:
    void everyFocusableWidgetHasAName_data() { pages(); }

    void everyFocusableWidgetHasAName()
    {
        QFETCH(const QString, page);
        WindowFixture fixture;
        QVERIFY2(showWhole(fixture, page), qPrintable(page + QStringLiteral(" is busy without end")));
        const QStringList nameless = collect(*fixture.window, [](const QWidget& widget) {
            return widget.focusPolicy() != Qt::NoFocus && spokenName(widget).isEmpty()
                       ? describe(widget, textOf(widget))
                       : QString();
        });
        QVERIFY2(
            nameless.isEmpty(),
            qPrintable(report(page, QStringLiteral("what takes the keyboard needs an accessible name"), nameless)));
    }

    void everyCommandHasWordsAndAKeyOfItsOwn()
    {
        WindowFixture fixture;
        QHash<QKeySequence, const QAction*> taken;
        QStringList wrong;
        int seen = 0;
        eachMenu(*fixture.window, [](const QMenu&) {});
        for (const QAction* action : fixture.window->findChildren<QAction*>()) {
            if (action->isSeparator())
                continue;
            ++seen;
            const bool isToggle = qobject_cast<const QWidget*>(action->parent()); // of a tool bar or a dock
            if (action->text().isEmpty() && !action->menu() && !isToggle)
                wrong << QStringLiteral("“%1” has no text").arg(action->objectName());
            if (!action->text().isEmpty() && action->toolTip().isEmpty())
                wrong << QStringLiteral("“%1” has no tool tip").arg(action->text());
            for (const QKeySequence& key : action->shortcuts()) {
                const QAction* other = taken.value(key);
                if (other && other != action)
                    wrong << QStringLiteral("%1 is “%2” and “%3”").arg(key.toString(), other->text(), action->text());
                taken.insert(key, action);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
        QVERIFY(seen > 30);
    }

    void mnemonicsAreUniqueWithinAMenu_data()
    {
        QTest::addColumn<QString>("code");
        for (const char* code : {"en", "de"})
            QTest::newRow(code) << QString(QLatin1String(code));
    }

    void mnemonicsAreUniqueWithinAMenu()
    {
        QFETCH(const QString, code);
        const Language language(code);
        WindowFixture fixture;
        QStringList wrong;
        const auto check = [&wrong](const QString& where, const QList<QAction*>& actions) {
            QHash<QChar, QString> taken;
            for (const QAction* action : actions) {
                const QString text = action->text();
                const qsizetype at = text.indexOf(u'&');
                if (at < 0 || at + 1 >= text.size() || text[at + 1] == u'&')
                    continue;
                const QChar letter = text[at + 1].toLower();
                if (taken.contains(letter))
                    wrong << QStringLiteral("%1: “%2” and “%3”").arg(where, taken.value(letter), text);
                taken.insert(letter, text);
            }
        };
        for (const QAction* top : fixture.window->menuBar()->actions())
            QVERIFY2(top->text().contains(u'&'), qPrintable(top->text()));
        check(QStringLiteral("menu bar"), fixture.window->menuBar()->actions());
        eachMenu(*fixture.window, [&check](const QMenu& menu) { check(menu.title(), menu.actions()); });
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("one letter, two entries\n") + wrong.join(u'\n')));
    }

    void everyTextCanBeTranslated_data() { pages(); }

    void everyTextCanBeTranslated()
    {
        QFETCH(const QString, page);
        PseudoLanguage language(0.3);
        QCoreApplication::installTranslator(&language);
        WindowFixture fixture;
        QVERIFY2(showWhole(fixture, page), qPrintable(page + QStringLiteral(" is busy without end")));
        const auto foreign = [](const QString& text) { return text.contains(u'⟦'); };
        QStringList missed = collect(*fixture.window, [&](const QWidget& widget) {
            const QString text = textOf(widget);
            return hasWords(text) && !foreign(text) && !foreign(text.toLower()) && !comesFromCore(widget)
                       ? describe(widget, text)
                       : QString();
        });
        for (const QTabBar* tabs : fixture.window->findChildren<QTabBar*>())
            for (int i = 0; i < tabs->count(); ++i)
                if (!foreign(tabs->tabText(i)))
                    missed << tabs->tabText(i);
        for (const QAction* action : fixture.window->menuBar()->actions()) {
            if (!foreign(action->text()))
                missed << action->text();
            // Examples and recent files are called what they are called.
            if (action->text().contains(QStringLiteral("xamples")))
                continue;
            for (const QAction* entry : action->menu()->actions())
                if (!entry->isSeparator() && !foreign(entry->text()))
                    missed << entry->text();
        }
        QCoreApplication::removeTranslator(&language);
        QVERIFY2(missed.isEmpty(),
                 qPrintable(report(page,
                                   QStringLiteral("words go through tr(); names from core, the catalogue and files are "
                                                  "under a widget with setProperty(\"fromCore\", true)"),
                                   missed)));
    }

    void nothingIsCutOff_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<double>("longer");
        QTest::addColumn<QString>("code");
        for (const PageRow& row : pageRegistry()) {
            const QString page = QLatin1String(row.id);
            QTest::addRow("%s", row.id) << page << 0.0 << QStringLiteral("en");
            QTest::addRow("%s, longer words", row.id) << page << 0.3 << QStringLiteral("en");
            QTest::addRow("%s, German", row.id) << page << 0.0 << QStringLiteral("de");
        }
        QTest::newRow("present") << stagePage() << 0.0 << QStringLiteral("en");
        QTest::newRow("present, longer words") << stagePage() << 0.3 << QStringLiteral("en");
        QTest::newRow("present, German") << stagePage() << 0.0 << QStringLiteral("de");
    }

    void nothingIsCutOff()
    {
        QFETCH(const QString, page);
        QFETCH(const double, longer);
        QFETCH(const QString, code);
        const Language language(code);
        PseudoLanguage pseudo(longer);
        const Phrases phrases = longerPhrases(longer);
        if (longer > 0) {
            QCoreApplication::installTranslator(&pseudo);
            speak(&phrases);
        }
        const auto english = qScopeGuard([longer] {
            if (longer > 0)
                speak(nullptr);
        });
        WindowFixture fixture;
        QVERIFY2(showWhole(fixture, page), qPrintable(page + QStringLiteral(" is busy without end")));
        if (longer > 0 && fixture.part<ParameterPanel>().isVisible())
            QVERIFY2(!collect(*fixture.window,
                              [](const QWidget& widget) {
                                  const QString text = textOf(widget);
                                  return comesFromCore(widget) && text.contains(u'⟦') ? text : QString();
                              })
                          .isEmpty(),
                     "core's words are in the pseudo-language too");
        const QStringList cut = test::cutIn(*fixture.window);
        QCoreApplication::removeTranslator(&pseudo);
        QVERIFY2(cut.isEmpty(), qPrintable(report(page, QStringLiteral("texts are cut off at 1600×900"), cut)));
    }
};
HEADROOM_TEST_WITH(QApplication, TestWalks)

} // namespace headroom::ui::test_walks
#include "test_walks.moc"
