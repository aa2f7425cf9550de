// SPDX-License-Identifier: GPL-3.0-or-later
// Soak: a window in random use for as long as one likes. Nothing warns, nothing that was made stays, memory does not
// grow. HEADROOM_SOAK_SECONDS=7200 for the long one (6 else), HEADROOM_SOAK_SEED=… to repeat one; CONTRIBUTING.md.
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/ui/soak_life.hpp"

#include <QDesktopServices>
#include <QElapsedTimer>

namespace headroom::test_soak
{

using headroom::test::Life;
using headroom::test::Rest;

namespace
{

/// Warnings since the last look.
QStringList& warnings()
{
    static QStringList kept;
    return kept;
}

void keepWarning(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type != QtDebugMsg && type != QtInfoMsg)
        warnings() << text;
}

} // namespace

class TestSoak : public QObject
{
    Q_OBJECT

public slots:
    void openedOutside(const QUrl&) {} ///< no browser is to come up

private slots:
    void aWindowInUseNeitherWarnsNorGrows()
    {
        const auto number = [](const char* variable, int fallback) {
            bool given = false;
            const int value = qEnvironmentVariableIntValue(variable, &given);
            return given ? value : fallback;
        };
        const int seconds = number("HEADROOM_SOAK_SECONDS", 6);
        const int seed = number("HEADROOM_SOAK_SEED", 20261122);
        for (const char* scheme : {"http", "https"})
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "openedOutside");
        const auto before = qInstallMessageHandler(keepWarning);
        const QString trouble = soak(seconds, seed);
        qInstallMessageHandler(before);
        for (const char* scheme : {"http", "https"})
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
        QVERIFY2(trouble.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(trouble)));
    }

private:
    /// What windows leave behind are caches of Qt (heaptrack): glyphs, the names of pixmaps, room for events. They hold
    /// 6 MiB after the first 34 gestures, 8 after 700, and 0.5 more after each 700 that follow, ever fewer.
    static constexpr std::size_t mostLeft = 8 << 20;

    static QString soak(int seconds, int seed)
    {
        std::mt19937 random(static_cast<unsigned>(seed));
        constexpr int longestLife = 600; // then another window, in the other language
        const int lives = std::max(2, seconds / longestLife);
        std::optional<Rest> firstOfAll;
        std::size_t leftByFirst = 0;
        long done = 0;
        for (int number = 0; number < lives; ++number) {
            const std::size_t left = test::memoryUse().heap; // no window is there
            if (number == 1)
                leftByFirst = left;
            else if (number > 1 && left > leftByFirst + mostLeft)
                return QStringLiteral("%1 windows left %2 MiB behind, the first %3")
                    .arg(number)
                    .arg(double(left) / (1 << 20), 0, 'f', 1)
                    .arg(double(leftByFirst) / (1 << 20), 0, 'f', 1);
            Life life(random, number % 2 ? QStringLiteral("de") : QStringLiteral("en"));
            QElapsedTimer clock;
            clock.start();
            const auto perform = [&](const Life::Gesture& gesture) {
                const qint64 begun = clock.elapsed();
                life.perform(gesture);
                ++done;
                constexpr qint64 worthSayingMs = 1500;
                if (const qint64 took = clock.elapsed() - begun; took > worthSayingMs * test::timesSlower)
                    std::fprintf(stderr, "  gesture %ld, %s, took %lld ms\n", done, gesture.first,
                                 static_cast<long long>(took));
                return warnings().isEmpty() ? QString()
                                            : QStringLiteral("gesture %1, %2: %3")
                                                  .arg(done)
                                                  .arg(QLatin1String(gesture.first), warnings().join(u'\n'));
            };
            life.warmUp();
            for (int i = 0; i < 2; ++i)
                for (const Life::Gesture& gesture : Life::gestures())
                    if (const QString trouble = perform(gesture); !trouble.isEmpty())
                        return trouble;
            const Rest first = life.rest();
            Rest last = first;
            std::fprintf(stderr, "life %d: %s, %.1f MiB before it\n", number + 1, qPrintable(toText(first)),
                         double(left) / (1 << 20));
            constexpr int between = 60; // gestures from rest to rest
            do {
                for (int i = 0; i < between && clock.elapsed() * lives < seconds * 1000LL; ++i) {
                    const auto& all = Life::gestures();
                    const auto which = std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random);
                    if (const QString trouble = perform(all[which]); !trouble.isEmpty())
                        return trouble;
                }
                last = life.rest();
                if (!warnings().isEmpty())
                    return QStringLiteral("at rest after gesture %1: ").arg(done) + warnings().join(u'\n');
                std::fprintf(stderr, "  %6.0f s, %ld gestures: %s\n", double(clock.elapsed()) / 1000, done,
                             qPrintable(toText(last)));
            } while (clock.elapsed() * lives < seconds * 1000LL);
            if (!firstOfAll)
                firstOfAll = first;
            for (const Rest* before : {&first, static_cast<const Rest*>(&*firstOfAll)})
                if (const QString growth = grown(*before, last); !growth.isEmpty())
                    return growth;
        }
        return {};
    }

    /// What has grown beyond what random content at rest accounts for: between two rests it moves by some thirty
    /// objects (rows of tables, paragraphs) and 5 MiB of caches and pictures, up and down. Ten minutes are some 8000
    /// gestures, so that 2 kB lost by each are found; what outlives its window adds up over the whole run.
    static QString grown(const Rest& first, const Rest& last)
    {
        constexpr qsizetype objects = 60;
        constexpr std::size_t heap = 12 << 20, resident = 24 << 20;
        // The address sanitizer keeps what is freed, up to 256 MiB of it, and room around each piece: there the heap
        // alone can tell.
        if (last.count() <= first.count() + objects && last.memory.heap <= first.memory.heap + heap &&
            (test::underAddressSanitizer || last.memory.resident <= first.memory.resident + resident))
            return {};
        QStringList more;
        for (auto it = last.objects.cbegin(); it != last.objects.cend(); ++it)
            if (const qsizetype before = first.objects.value(it.key()); it.value() > before)
                more << QStringLiteral("%1 %2 → %3").arg(QLatin1String(it.key())).arg(before).arg(it.value());
        return toText(first) + QStringLiteral(" grew to ") + toText(last) + QStringLiteral("; ") +
               more.join(QStringLiteral(", "));
    }
};

namespace
{

int runSoak(int count, char** arguments)
{
    // Qt Test ends a function after five minutes otherwise.
    if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT"))
        qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
    return test::runTests<TestSoak, QApplication>(count, arguments);
}

} // namespace
HEADROOM_TEST_RUN(runSoak)

} // namespace headroom::test_soak
#include "test_soak.moc"
