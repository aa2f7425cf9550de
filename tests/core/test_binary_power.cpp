// SPDX-License-Identifier: GPL-3.0-or-later
// Powers and logarithms to the base 2, beside the C library's.
#include "core/support/binary_power.hpp"

#include "core/hardware/roofline.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <rapidcheck.h>

namespace headroom
{

class TestBinaryPower : public QObject
{
    Q_OBJECT

    /// Evenly between both.
    static double drawn(double least, double most)
    {
        constexpr int parts = 1 << 30;
        return least + (most - least) * *rc::gen::inRange(0, parts) / parts;
    }

private slots:
    void knownValues()
    {
        QCOMPARE(binaryPower(0), 1.0);
        for (int n = -1000; n <= 1000; ++n)
            QCOMPARE(binaryPower(n), std::ldexp(1, n));
        QVERIFY(std::abs(binaryLogarithm(1)) < 1e-16);
        for (int n = -1000; n <= 1000; ++n)
            QVERIFY(std::abs(binaryLogarithm(std::ldexp(1, n)) - n) <= std::abs(n) * 2e-16 + 1e-16);
    }

    void agreesWithTheLibrary()
    {
        QVERIFY(rc::check("log2", [] {
            const double x = std::exp2(drawn(-60, 10)), log = std::log2(x);
            RC_ASSERT(std::abs(binaryLogarithm(x) - log) <= 1e-15 * std::max(1.0, std::abs(log)));
        }));
        QVERIFY(rc::check("log2 near 1", [] {
            const double x = drawn(0.98, 1.02);
            RC_ASSERT(std::abs(binaryLogarithm(x) - std::log2(x)) <= 1e-15);
        }));
        QVERIFY(rc::check("exp2", [] {
            const double y = drawn(-1000, 1000);
            RC_ASSERT(std::abs(binaryPower(y) / std::exp2(y) - 1) <= 1e-15);
        }));
        QVERIFY(rc::check("shares", [] {
            const double x = std::exp2(drawn(-60, 0)), p = drawn(0, 16);
            RC_ASSERT(std::abs(powerOfShare(x, p) / std::pow(x, p) - 1) <= 1e-15 * (1 + p * (1 - std::log2(x))));
        }));
        QCOMPARE(powerOfShare(0.5, 1001), 0.0);
        QCOMPARE(powerOfShare(0.25, 0), 1.0);
    }

    /// By hand: (3² + 4²)^½ = 5; beside 10⁻⁶ of it the smaller adds ½·10⁻¹²; beside 10⁻⁹ nothing.
    void softMaximumOfKnownTimes()
    {
        QVERIFY(std::abs(softMaximum(3, 4, 2) - 5) < 2e-15);
        QVERIFY(std::abs(softMaximum(1, 1e-6, 2) - 1 - 0.5e-12) < 3e-16);
        QCOMPARE(softMaximum(1, 1e-9, 2), 1.0);
        QCOMPARE(softMaximum(1e-300, 1, 1.1), 1.0);
        QVERIFY(rc::check("as std::pow() has it", [] {
            const double a = std::exp2(drawn(-40, 0)), b = std::exp2(drawn(-40, 0)), p = drawn(1, 8);
            const double larger = std::max(a, b), ratio = std::min(a, b) / larger;
            RC_ASSERT(std::abs(softMaximum(a, b, p) / (larger * std::pow(1 + std::pow(ratio, p), 1 / p)) - 1) < 2e-15);
        }));
    }
};

} // namespace headroom

QTEST_APPLESS_MAIN(headroom::TestBinaryPower)
#include "test_binary_power.moc"
