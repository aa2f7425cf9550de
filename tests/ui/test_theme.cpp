// SPDX-License-Identifier: GPL-3.0-or-later
// Themes: contrast of every token, the palette round trip, tabular numbers, and icons in the text's colour.
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/theme/window_style.hpp"
#include "ui/widgets/icon.hpp"

#include <QApplication>
#include <QFontDatabase>
#include <QLineEdit>
#include <QStyle>
#include <QTest>

namespace headroom::ui::test_theme
{

class TestTheme final : public QObject
{
    Q_OBJECT

private slots:
    void tokensReadOnTheirSurface_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << int(ThemeKind::Light);
        QTest::newRow("dark") << int(ThemeKind::Dark);
        QTest::newRow("high contrast") << int(ThemeKind::HighContrast);
        QTest::newRow("high contrast, dark") << int(ThemeKind::HighContrastDark);
    }

    void tokensReadOnTheirSurface()
    {
        QFETCH(const int, kind);
        const Theme& t = theme(ThemeKind(kind));
        for (const QColor& background : {t.surface, t.window}) {
            for (const QColor& text : {t.text, t.muted, t.danger, t.warning, t.good, t.accent})
                QVERIFY2(contrastRatio(text, background) >= 4.5, qPrintable(text.name() + background.name()));
        }
        QVERIFY(contrastRatio(t.onAccent, t.accent) >= 4.5);
        for (const QColor& series : t.series)
            QVERIFY2(contrastRatio(series, t.surface) >= 3, qPrintable(series.name()));
    }

    void typefacesBesideTheProgramAreKnown()
    {
        QCOMPARE(addFonts(QStringLiteral("no/such/folder")), 0);
        QCOMPARE(addFonts(QString::fromStdString(headroom::test::sourcePath("tests/golden/fonts"))), 2);
        QVERIFY(QFontDatabase::hasFamily(QStringLiteral("Headroom Test")));
    }

    void highContrastIsBlackAndWhite()
    {
        constexpr double enhanced = 7; // WCAG 2.1 AAA, which a projector in a lit room needs
        for (const auto kind : {ThemeKind::HighContrast, ThemeKind::HighContrastDark}) {
            const Theme& t = theme(kind);
            QVERIFY(t.isHighContrast());
            QCOMPARE(contrastRatio(t.text, t.surface), 21.0);
            QCOMPARE(t.isDark(), kind == ThemeKind::HighContrastDark);
            for (const QColor& colour : {t.muted, t.accent, t.danger, t.warning, t.good})
                QVERIFY2(contrastRatio(colour, t.surface) >= enhanced, qPrintable(colour.name()));
            for (const QColor& series : t.series) {
                QVERIFY2(contrastRatio(series, t.surface) >= enhanced, qPrintable(series.name()));
                QCOMPARE(series.hsvSaturation(), 0);
            }
        }
    }

    void paletteLeadsBackToItsTheme()
    {
        for (const auto kind :
             {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::HighContrastDark})
            QCOMPARE(themeOf(paletteOf(theme(kind))).kind, kind);
    }

    void foreignPalettesAreJudgedByLightness()
    {
        QPalette desktop;
        desktop.setColor(QPalette::Window, QColor(40, 44, 52));
        QCOMPARE(themeOf(desktop).kind, ThemeKind::Dark);
        desktop.setColor(QPalette::Window, QColor(239, 239, 239));
        QCOMPARE(themeOf(desktop).kind, ThemeKind::Light);
    }

    void tintsAreOpaqueAndBetween()
    {
        const Theme& t = theme(ThemeKind::Light);
        const QColor tint = t.tint(t.slot(0));
        QCOMPARE(tint.alpha(), 255);
        QVERIFY(tint.lightnessF() > t.slot(0).lightnessF());
        QVERIFY(tint != t.surface);
        QCOMPARE(t.slot(6), t.slot(0));
        QCOMPARE(t.slot(-1), t.slot(5));
    }

    void applyingChangesTheRunningProgram()
    {
        applyTheme(*qApp, ThemeKind::Dark);
        QCOMPARE(qApp->palette().color(QPalette::Base), theme(ThemeKind::Dark).surface);
        applyTheme(*qApp, ThemeKind::Light);
        QCOMPARE(qApp->palette().color(QPalette::Base), theme(ThemeKind::Light).surface);
        QVERIFY(qobject_cast<WindowStyle*>(qApp->style())); // Fusion underneath
    }

    void numbersOfEqualLengthAreEquallyWide()
    {
        const QFont font = styled(interfaceFont(qApp->font()), TextStyle::TileValue);
        QCOMPARE(tabularWidth(font, QStringLiteral("11.1")), tabularWidth(font, QStringLiteral("40.8")));
        QVERIFY(tabularWidth(font, QStringLiteral("1,111")) > tabularWidth(font, QStringLiteral("111")));
    }

    /// Fusion's outline is darker than what it stands on: a search on a dark page was words on nothing.
    void aFieldHasAFrameInEveryTheme()
    {
        for (const auto kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, kind);
            QLineEdit field;
            field.resize(120, 30);
            const QImage drawn = field.grab().toImage();
            const double contrast = contrastRatio(drawn.pixelColor(0, 15), theme(kind).window);
            QVERIFY2(contrast > 1.3, qPrintable(QString::number(contrast)));
        }
        applyTheme(*qApp, ThemeKind::Light);
    }

    void anIconIsDrawnOncePerColour()
    {
        const auto drawing = [](const QColor& colour) {
            return lineIcon(QStringLiteral("reset"), colour, Qt::gray).pixmap(16).cacheKey();
        };
        const qint64 first = drawing(Qt::red);
        QCOMPARE(drawing(Qt::red), first);
        QVERIFY(drawing(Qt::blue) != first);
        QVERIFY(lineIcon(QStringLiteral("no such drawing"), Qt::red, Qt::gray).isNull());
        const QIcon icon = lineIcon(QStringLiteral("reset"), Qt::red, Qt::gray);
        QCOMPARE(icon.pixmap(20).cacheKey(), icon.pixmap(20).cacheKey());
        QVERIFY(icon.pixmap(20, QIcon::Disabled).cacheKey() != icon.pixmap(20).cacheKey());
        QCOMPARE(icon.pixmap(QSize(21, 21), 3).size(), QSize(63, 63)); // as sharp as any screen
    }

    void stylesAreStepsOfTheBaseFont()
    {
        QFont base = qApp->font();
        base.setPointSizeF(10);
        QCOMPARE(styled(base, TextStyle::TileValue).pointSizeF(), 17.0);
        QCOMPARE(styled(base, TextStyle::Caption).pointSizeF(), 9.2);
        base.setPixelSize(20);
        QCOMPARE(styled(base, TextStyle::TileValue).pixelSize(), 34);
    }
};
HEADROOM_TEST_WITH(QApplication, TestTheme)

} // namespace headroom::ui::test_theme
#include "test_theme.moc"
