// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a language: what it changes, what it leaves alone, and that it is taken back.
#include "core/support/language.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/settings.hpp"

#include <QCoreApplication>
#include <QKeySequence>
#include <QLocale>
#include <QTemporaryDir>

namespace headroom::ui::test_language
{

class TestLanguage final : public QObject
{
    Q_OBJECT

    static QString inWindow(const char* context, const char* text)
    {
        return QCoreApplication::translate(context, text);
    }

private slots:
    void germanReachesTheWindowAndCore()
    {
        const QLocale before;
        {
            const Language language(QStringLiteral("de"));
            QCOMPARE(language.code(), QStringLiteral("de"));
            QCOMPARE(Language::current(), QStringLiteral("de"));
            QCOMPARE(say("."), std::string_view(","));
            QCOMPARE(QLocale().language(), QLocale::German);
            // of a class, and of a table, whose texts are collected under the namespace
            QCOMPARE(inWindow("headroom::ui::Actions", "&Open…"), QStringLiteral("Ö&ffnen…"));
            QCOMPARE(inWindow("QAnything", "&Open…"), QStringLiteral("&Open…"));
            // The help says "Strg", and so do the menus, with Qt's translations or without.
            QCOMPARE(QKeySequence(QStringLiteral("Ctrl+Shift+S")).toString(QKeySequence::NativeText),
                     QStringLiteral("Strg+Umschalt+S"));
        }
        QCOMPARE(Language::current(), QStringLiteral("en"));
        QCOMPARE(say("."), std::string_view("."));
        QCOMPARE(QLocale(), before);
        QCOMPARE(inWindow("headroom::ui::Actions", "&Open…"), QStringLiteral("&Open…"));
    }

    void englishChangesNothing()
    {
        const QLocale before;
        const Language language(QStringLiteral("en"));
        QCOMPARE(language.code(), QStringLiteral("en"));
        QCOMPARE(QLocale(), before);
        QVERIFY(speaksEnglish());
    }

    void theSystemDecidesWhereNobodyChose()
    {
        for (const char* choice : {"system", "", "klingon"}) {
            const Language language(QString::fromLatin1(choice));
            QCOMPARE(language.code(),
                     QLocale::system().language() == QLocale::German ? QStringLiteral("de") : QStringLiteral("en"));
        }
    }

    void theChoiceIsOneOfTheTable()
    {
        QCOMPARE(languages().size(), 3);
        for (const LanguageRow& row : languages()) {
            QVERIFY(isLanguage(QLatin1String(row.code)));
            QVERIFY(!row.name.isEmpty());
        }
        QVERIFY(!isLanguage(QStringLiteral("klingon")));
        const QTemporaryDir folder;
        QCOMPARE(Settings(folder.filePath(QStringLiteral("none.ini"))).value(SettingKey::Language).toString(),
                 QStringLiteral("system"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestLanguage)

} // namespace headroom::ui::test_language
#include "test_language.moc"
