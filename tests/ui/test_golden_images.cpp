// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of made-up charts against stored ones (testing.md 4): one of each kind, light and dark. They hold the
// drawing still, not the predictor. HEADROOM_UPDATE_GOLDEN=1 stores what is drawn now; look at it before you commit.
#include "tests/support/support.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_export.hpp"

#include <QDir>
#include <QFontDatabase>
#include <QImage>

using namespace headroom;
using namespace headroom::ui;

namespace
{

constexpr int farEnough = 8;            // of 255, in any colour: less is rounding
constexpr double mostDifferent = 0.001; // of all pixels

/// Share of pixels that differ by more than rounding; 1 where the sizes differ. `marks`, if given, shows them in red.
double difference(const QImage& a, const QImage& b, QImage* marks = nullptr)
{
    if (a.size() != b.size())
        return 1;
    if (marks)
        *marks = a.convertToFormat(QImage::Format_RGB32);
    int different = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int most =
                std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
            if (most <= farEnough)
                continue;
            ++different;
            if (marks)
                marks->setPixel(x, y, qRgb(255, 0, 0));
        }
    return double(different) / (double(a.width()) * a.height());
}

QImage drawn(const ChartSpec& spec, ThemeKind kind)
{
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(13);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferNoShaping);
    return renderImage(spec, {420, 300}, theme(kind), font, 1).convertToFormat(QImage::Format_RGB32);
}

} // namespace

class TestGoldenImages final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!QFontDatabase::hasFamily(QStringLiteral("Inter")))
            QSKIP("the typeface Inter, in which the pictures are stored, is not installed (fonts-inter)");
    }

    void chartsLookAsStored_data()
    {
        QTest::addColumn<int>("chart");
        QTest::addColumn<int>("kind");
        QTest::newRow("lines-light") << 0 << int(ThemeKind::Light);
        QTest::newRow("lines-dark") << 0 << int(ThemeKind::Dark);
        QTest::newRow("bars-light") << 1 << int(ThemeKind::Light);
        QTest::newRow("bars-contrast") << 1 << int(ThemeKind::HighContrast);
        QTest::newRow("cells-light") << 2 << int(ThemeKind::Light);
        QTest::newRow("layers-light") << 3 << int(ThemeKind::Light);
        QTest::newRow("layers-dark") << 3 << int(ThemeKind::Dark);
        QTest::newRow("points-light") << 4 << int(ThemeKind::Light);
    }

    void chartsLookAsStored()
    {
        QFETCH(const int, chart);
        QFETCH(const int, kind);
        const ChartSpec specs[] = {test::lineSpec(0), test::ladderSpec(), test::heatSpec(), test::memorySpec(),
                                   test::crowdSpec()};
        const QImage now = drawn(specs[chart], ThemeKind(kind));
        const QString name = QLatin1String(QTest::currentDataTag()) + QStringLiteral(".png");
        const QString stored = QString::fromStdString(test::sourcePath("tests/golden/images/")) + name;
        if (qEnvironmentVariableIsSet("HEADROOM_UPDATE_GOLDEN")) {
            QVERIFY(now.save(stored));
            return;
        }
        const QImage golden(stored);
        QVERIFY2(!golden.isNull(), qPrintable(stored));
        QImage marks;
        const double share = difference(golden, now, &marks);
        if (share > mostDifferent) {
            const QDir folder(QStringLiteral(QT_TESTCASE_BUILDDIR "/golden_images"));
            QVERIFY(folder.mkpath(QStringLiteral(".")));
            QVERIFY(now.save(folder.filePath(name)));
            if (!marks.isNull())
                QVERIFY(marks.save(folder.filePath(QStringLiteral("difference-") + name)));
            QFAIL(qPrintable(QStringLiteral("%1 % of the pixels differ; the picture and the difference are in %2")
                                 .arg(share * 100, 0, 'g', 3)
                                 .arg(folder.path())));
        }
    }

    void aSmallChangeIsSeen()
    {
        const QImage before = drawn(test::lineSpec(0), ThemeKind::Light);
        QCOMPARE(difference(before, before), 0.0);
        QVERIFY(difference(before, drawn(test::lineSpec(12), ThemeKind::Light)) > mostDifferent);
        ChartSpec renamed = test::lineSpec(0);
        renamed.series[1].label = "MBU";
        const double letter = difference(before, drawn(renamed, ThemeKind::Light));
        QVERIFY(letter > 0);
        QVERIFY(difference(before, drawn(test::lineSpec(0), ThemeKind::Dark)) > 0.5);
    }
};

QTEST_MAIN(TestGoldenImages)
#include "test_golden_images.moc"
