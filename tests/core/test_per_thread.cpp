// SPDX-License-Identifier: GPL-3.0-or-later
// ofThisThread(): one for each thread, and none is left when the threads have ended.
#include "core/support/per_thread.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <array>
#include <atomic>
#include <latch>
#include <string>
#include <thread>

namespace headroom::test_per_thread
{
namespace
{

std::atomic<int> alive = 0, broken = 0;

/// Whose storage was freed before, its text is no longer what was written.
struct Kept {
    Kept() { ++alive; }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept()
    {
        --alive;
        broken += text == expected() ? 0 : 1;
    }
    static std::string expected() { return std::string(1000, 'x'); }
    std::string text = expected();
};

} // namespace

class TestPerThread final : public QObject
{
    Q_OBJECT
private slots:
    void eachThreadHasItsOwnUntilItEnds()
    {
        constexpr int threads = 8, rounds = 20;
        for (int round = 0; round < rounds; ++round) {
            std::array<const Kept*, threads> seen{};
            std::array<bool, threads> same{};
            {
                std::latch all(threads);
                std::array<std::jthread, threads> running;
                for (std::size_t i = 0; i < running.size(); ++i) {
                    running[i] = std::jthread([&, i] {
                        seen[i] = &ofThisThread<Kept>();
                        all.arrive_and_wait(); // all at once, so that none takes another's place
                        same[i] = seen[i] == &ofThisThread<Kept>();
                    });
                }
            }
            for (int i = 0; i < threads; ++i) {
                QVERIFY(same[std::size_t(i)]);
                for (int k = 0; k < i; ++k)
                    QVERIFY(seen[std::size_t(i)] != seen[std::size_t(k)]);
            }
            QCOMPARE(alive.load(), 0);
            QCOMPARE(broken.load(), 0);
        }
    }
};
HEADROOM_TEST_WITH(QCoreApplication, TestPerThread)

} // namespace headroom::test_per_thread
#include "test_per_thread.moc"
