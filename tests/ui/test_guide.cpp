// SPDX-License-Identifier: GPL-3.0-or-later
// docs/guide is what the program writes now: its text to the letter, its pictures drawn and not blank.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/pages/help_markdown.hpp"
#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>

namespace headroom::ui::test_guide
{
namespace
{

QString committed()
{
    return QString::fromStdString(headroom::test::sourcePath("docs/guide/"));
}

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Where two texts part, as a person looks for it.
QString firstDifference(const QString& a, const QString& b)
{
    const QStringList left = a.split(u'\n'), right = b.split(u'\n');
    for (qsizetype i = 0; i < std::max(left.size(), right.size()); ++i)
        if (left.value(i) != right.value(i))
            return QStringLiteral("line %1\n  committed: %2\n  now:       %3")
                .arg(i + 1)
                .arg(left.value(i), right.value(i));
    return {};
}

QSize askedSize(const HelpPicture& picture)
{
    const QString size = picture.options.value(picture.options.indexOf(QStringLiteral("--size")) + 1);
    return {size.section(u'x', 0, 0).toInt(), size.section(u'x', 1, 1).toInt()};
}

int coloursIn(const QImage& image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            colours.insert(image.pixel(x, y));
    return static_cast<int>(colours.size());
}

} // namespace

class TestGuide final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void theProgramWritesIt()
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.remove(QStringLiteral("QT_SCALE_FACTOR"));
        process.setProcessEnvironment(environment);
        process.start(test::windowProgram(), {QStringLiteral("--guide"), m_folder.path()});
        QVERIFY2(process.waitForFinished(250'000), "packaging/docs' command does not end");
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    }

    void itsTextIsTheCommittedOne()
    {
        const QStringList names = QDir(m_folder.path()).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
        QVERIFY(names.size() > 13);
        QCOMPARE(QDir(committed()).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name), names);
        for (const QString& name : names) {
            const QString difference = firstDifference(textOf(committed() + name), textOf(m_folder.filePath(name)));
            QVERIFY2(difference.isEmpty(),
                     qPrintable(name + QStringLiteral(" is not what the program writes (run packaging/docs): ") +
                                difference));
        }
    }

    void everyPictureIsThereInItsSizeAndNotBlank()
    {
        int pictures = 0;
        for (const HelpPage& page : helpPages())
            for (const HelpPicture& row : picturesOf(page)) {
                for (const QString& folder : {QString(m_folder.path() + u'/'), committed()}) {
                    const QString path = folder + guidePath(row);
                    const QImage image(path);
                    QVERIFY2(image.size() == askedSize(row) && image.width() <= 1366, qPrintable(path));
                    // A window without its content has a handful of colours; smoothed letters and lines have many.
                    QVERIFY2(coloursIn(image) > 60, qPrintable(path));
                    QVERIFY2(QFileInfo(path).size() < 200'000, qPrintable(path));
                }
                ++pictures;
            }
        QVERIFY(pictures >= 5);
        QCOMPARE(QDir(committed() + QStringLiteral("pictures")).entryList(QDir::Files).size(), pictures);
    }

    /// A dot or a line in a colour of its own was grey: letters have more greys than 256 colours have room for.
    void smallThingsKeepTheirColour()
    {
        const QColor good = theme(ThemeKind::Light).good;
        int dots = 0;
        for (const QString& folder : {QString(m_folder.path() + u'/'), committed()})
            for (const char* name : {"pictures/dashboard.png", "pictures/plan.png"}) { // what is set there fits
                const QImage image(folder + QLatin1String(name));
                for (int y = image.height() - 30; y < image.height(); ++y)
                    for (int x = 0; x < 30; ++x) {
                        const QColor seen = image.pixelColor(x, y);
                        const int apart =
                            std::max({std::abs(seen.red() - good.red()), std::abs(seen.green() - good.green()),
                                      std::abs(seen.blue() - good.blue())});
                        dots += apart < 16 ? 1 : 0;
                    }
                QVERIFY2(dots > 0, qPrintable(folder + QLatin1String(name)));
                dots = 0;
            }
    }

    void everyLinkBetweenItsPagesHolds()
    {
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+)(?:#([^)]+))?\\)"));
        const QMap<QString, QString> files = guideFiles();
        for (auto file = files.cbegin(); file != files.cend(); ++file)
            for (auto it = link.globalMatch(file.value()); it.hasNext();) {
                const auto match = it.next();
                const QString target = committed() + match.captured(1);
                QVERIFY2(QFile::exists(target), qPrintable(file.key() + QStringLiteral(": ") + match.captured(0)));
                if (!match.captured(2).isEmpty())
                    QVERIFY2(textOf(target).contains(QStringLiteral("<a id=\"%1\">").arg(match.captured(2))),
                             qPrintable(file.key() + QStringLiteral(": ") + match.captured(0)));
            }
    }
};
HEADROOM_TEST_WITH(QApplication, TestGuide)

} // namespace headroom::ui::test_guide
#include "test_guide.moc"
