// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of made-up charts against stored ones: one of each kind, light and dark. They hold the
// drawing still, not the predictor. They are compared as the eye does from a little farther off, in a typeface of their
// own (tests/golden/fonts), so that another rasteriser of letters changes nothing.
// HEADROOM_UPDATE_GOLDEN=1 stores what is drawn now; look at it before you commit.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_export.hpp"

#include <QDir>
#include <QFontDatabase>
#include <QImage>

namespace headroom::ui::test_golden_images
{
namespace
{

constexpr int blur = 3;                 // pixels: hinting and smoothing move a letter's edge by less
constexpr int farEnough = 32;           // of 255, in any colour, after the blur
constexpr double mostDifferent = 0.002; // of the blurred pixels

/// Share of blurred pixels that differ; 1 where the sizes differ. `marks`, if given, shows them in red.
double difference(const QImage& sharpA, const QImage& sharpB, QImage* marks = nullptr)
{
    if (sharpA.size() != sharpB.size())
        return 1;
    const QSize size = sharpA.size() / blur;
    const QImage a = sharpA.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const QImage b = sharpB.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
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
    QFont font(QStringLiteral("Headroom Test"));
    font.setPixelSize(13);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferNoShaping);
    return renderImage(spec, {420, 300}, theme(kind), font, 1).convertToFormat(QImage::Format_RGB32);
}

/// The same ink a quarter of a pixel further right and with another gamma, as a newer FreeType or Qt might lay it.
QImage drawnElsewhere(const QImage& image)
{
    constexpr double gamma = 1.15;
    QImage other = image;
    const auto blend = [](int here, int left) {
        return int(255 * std::pow((0.75 * here + 0.25 * left) / 255, gamma) + 0.5);
    };
    const QRgb ground = image.pixel(4, 4);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 1; x < image.width(); ++x) {
            const QRgb here = image.pixel(x, y), left = image.pixel(x - 1, y);
            if (here != ground || left != ground) // an even ground keeps its colour
                other.setPixel(x, y,
                               here == left ? here
                                            : qRgb(blend(qRed(here), qRed(left)), blend(qGreen(here), qGreen(left)),
                                                   blend(qBlue(here), qBlue(left))));
        }
    return other;
}

} // namespace

class TestGoldenImages final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* weight : {"Regular", "SemiBold"}) {
            const QString file = QString::fromStdString(test::sourcePath("tests/golden/fonts/HeadroomTest-")) +
                                 QLatin1String(weight) + QStringLiteral(".otf");
            QVERIFY2(QFontDatabase::addApplicationFont(file) >= 0, qPrintable(file));
        }
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
            const QDir folder(QCoreApplication::applicationDirPath() + QStringLiteral("/golden_images"));
            QVERIFY(folder.mkpath(QStringLiteral(".")));
            QVERIFY(now.save(folder.filePath(name)));
            if (!marks.isNull())
                QVERIFY(marks.scaled(now.size()).save(folder.filePath(QStringLiteral("difference-") + name)));
            QFAIL(qPrintable(QStringLiteral("%1 % of the pixels differ; the picture and the difference are in %2")
                                 .arg(share * 100, 0, 'g', 3)
                                 .arg(folder.path())));
        }
    }

    void anotherRasteriserChangesNothing()
    {
        for (const ChartSpec& spec : {test::lineSpec(0), test::ladderSpec(), test::memorySpec(), test::crowdSpec()}) {
            const QImage stored = drawn(spec, ThemeKind::Light);
            const QImage other = drawnElsewhere(stored);
            QVERIFY(stored != other);
            const double share = difference(stored, other);
            QVERIFY2(share <= mostDifferent, qPrintable(QString::number(share)));
        }
    }

    void aSmallChangeIsSeen()
    {
        const QImage before = drawn(test::lineSpec(0), ThemeKind::Light);
        QCOMPARE(difference(before, before), 0.0);
        const double moved = difference(before, drawn(test::lineSpec(6), ThemeKind::Light)); // a line, by some pixels
        ChartSpec renamed = test::lineSpec(0);
        renamed.title = "Memory over batch";
        const double title = difference(before, drawn(renamed, ThemeKind::Light));
        ChartSpec shorter = test::lineSpec(0);
        shorter.series[1].band.reset();
        const double band = difference(before, drawn(shorter, ThemeKind::Light));
        QVERIFY(moved > mostDifferent);
        QVERIFY(title > mostDifferent);
        QVERIFY(band > mostDifferent);
        QVERIFY(difference(before, drawn(test::lineSpec(0), ThemeKind::Dark)) > 0.5);
    }
};
HEADROOM_TEST_WITH(QApplication, TestGoldenImages)

} // namespace headroom::ui::test_golden_images
#include "test_golden_images.moc"
