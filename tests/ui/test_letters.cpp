// SPDX-License-Identifier: GPL-3.0-or-later
// Every letter that the window shows is in a font that packaging/mingw/window ships: a picture drawn under Windows
// (--render) has no others, and a letter in neither would come out as a box.
#include "tests/support/program.hpp"
#include "tests/support/source_literals.hpp"
#include "tests/support/support.hpp"

#include <QDirIterator>
#include <QFontDatabase>
#include <QRawFont>
#include <QtTest>
#include <algorithm>
#include <utility>
#include <vector>

namespace headroom::test_letters
{

class TestLetters final : public QObject
{
    Q_OBJECT

    std::vector<QRawFont> m_fonts;

    [[nodiscard]] bool has(char32_t letter) const
    {
        return letter < U' ' || std::any_of(m_fonts.begin(), m_fonts.end(),
                                            [letter](const QRawFont& font) { return font.supportsCharacter(letter); });
    }

    /// What no font has, a line each: the letter, its number and the file.
    void addMissing(QStringList& missing, const QString& text, const QString& file) const
    {
        for (const char32_t letter : text.toUcs4())
            if (!has(letter))
                missing << QStringLiteral("%1 (U+%2) in %3")
                               .arg(QString::fromUcs4(&letter, 1))
                               .arg(uint(letter), 4, 16, QLatin1Char('0'))
                               .arg(file);
    }

private slots:
    void initTestCase()
    {
        const std::string package = test::readFile(test::sourcePath("packaging/mingw/window"));
        for (const auto& [family, file] :
             {std::pair("Inter", "/Inter-"), std::pair("DejaVu Sans", "/DejaVuSans.ttf")}) {
            QVERIFY2(package.find(file) != std::string::npos, file);
            QVERIFY2(QFontDatabase::hasFamily(QLatin1String(family)), family); // packaging/setup --tests
            m_fonts.push_back(QRawFont::fromFont(QFont(QLatin1String(family))));
        }
        QVERIFY(has(U'é') && has(U'⌈') && !has(U'歩'));
    }

    void aFontOfTheWindowsPackageHasEveryLetter()
    {
        QStringList missing;
        int files = 0, literals = 0;
        const QString root = QString::fromStdString(test::sourcePath(""));
        for (const char* folder : {"app", "core", "ui", "resources"})
            for (QDirIterator all(root + QLatin1String(folder), QDir::Files, QDirIterator::Subdirectories);
                 all.hasNext();) {
                const QString file = all.next();
                const std::string text = test::readFile(file.toStdString());
                ++files;
                if (!file.endsWith(QLatin1String(".cpp")) && !file.endsWith(QLatin1String(".hpp"))) {
                    addMissing(missing, QString::fromStdString(text), file);
                    continue;
                }
                for (const test::SourceLiteral& literal : test::sourceLiterals(text)) {
                    ++literals;
                    addMissing(missing, QString::fromStdString(literal.text), file);
                }
            }
        QVERIFY(files > 300 && literals > 3000);
        missing.removeDuplicates();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }
};
HEADROOM_TEST_WITH(QApplication, TestLetters)

} // namespace headroom::test_letters
#include "test_letters.moc"
