// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units/format.hpp"
#include "core/units/memory_unit.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <cmath>

namespace headroom::test_format
{

class TestFormat : public QObject
{
    Q_OBJECT

    static QString plain(double value, ValueFormat format)
    {
        return QString::fromStdString(formatText(value, format)).replace(QChar(0x202F), QLatin1Char(' '));
    }

private slots:
    void memoryInGibibytesWhereAskedFor()
    {
        const auto in = [](MemoryUnit unit, double bytes) {
            setMemoryUnit(unit);
            const QString text = plain(bytes, ValueFormat::Bytes);
            setMemoryUnit(MemoryUnit::Gigabyte);
            return text;
        };
        QCOMPARE(in(MemoryUnit::Gigabyte, 80 * 0x1p30), QStringLiteral("85.9 GB"));
        QCOMPARE(in(MemoryUnit::Gibibyte, 80 * 0x1p30), QStringLiteral("80.0 GiB"));
        QCOMPARE(in(MemoryUnit::Gibibyte, 1023.8 * 0x1p30), QStringLiteral("1.00 TiB"));
        QCOMPARE(in(MemoryUnit::Gibibyte, 0), QStringLiteral("0 B"));
        QCOMPARE(in(MemoryUnit::Gibibyte, 512), QStringLiteral("512 B"));
        setMemoryUnit(MemoryUnit::Gibibyte);
        QCOMPARE(plain(3.35e12, ValueFormat::BytesPerS), QStringLiteral("3.35 TB/s")); // bandwidths are decimal
        setMemoryUnit(MemoryUnit::Gigabyte);
        const auto read = readNumber("80.0 GiB", ValueFormat::Bytes, false);
        QVERIFY(read && *read == 80 * 0x1p30);
    }

    void prints_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("text");
        const auto row = [](double value, ValueFormat format, const char* text) {
            QTest::addRow("%s", text) << value << static_cast<int>(format) << QString::fromUtf8(text);
        };
        row(989.4e12, ValueFormat::FlopPerS, "989 TFLOP/s");
        row(1.9789e15, ValueFormat::FlopPerS, "1.98 PFLOP/s");
        row(6.4512345e18, ValueFormat::Flop, "6.45 EFLOP");
        row(1.62e12, ValueFormat::Flop, "1.62 TFLOP");
        row(0.0213, ValueFormat::Seconds, "21.3 ms");
        row(30, ValueFormat::Seconds, "30.0 s");
        row(2.6e-9, ValueFormat::Seconds, "0 s"); // the wait of an idle queue
        row(-2.6e-9, ValueFormat::Seconds, "0 s");
        row(300e-9, ValueFormat::Seconds, "0.30 µs"); // a small kernel
        row(-4.2e-7, ValueFormat::Seconds, "−0.42 µs");
        row(2.347e-6, ValueFormat::Seconds, "2.35 µs");
        row(0.9996e-6, ValueFormat::Seconds, "1.00 µs");
        row(0, ValueFormat::Seconds, "0 s");
        row(86400 * 12.5, ValueFormat::Seconds, "12.5 days");
        row(0.0053, ValueFormat::Percent, "0.53 %");
        row(0.0995, ValueFormat::Percent, "10 %");
        row(0.0994, ValueFormat::Percent, "9.9 %");
        row(0.568, ValueFormat::Percent, "57 %");
        row(0.9961, ValueFormat::Percent, "99.6 %");  // not all of it
        row(1.0034, ValueFormat::Percent, "100.3 %"); // more than there is
        row(0.99996, ValueFormat::Percent, "100 %");
        row(0.9949, ValueFormat::Percent, "99 %");
        row(137.4e9, ValueFormat::Bytes, "137 GB");
        row(999.7e9, ValueFormat::Bytes, "1.00 TB");
        row(405853388800, ValueFormat::Parameters, "406 B");
        row(8030261248, ValueFormat::Parameters, "8.03 B");
        row(1234567, ValueFormat::Integer, "1,234,567");
        row(-1234, ValueFormat::Plain, "−1,234");
        row(2904, ValueFormat::TokensPerS, "2,904 tokens/s");
        row(2015, ValueFormat::Watts, "2.02 kW");
        row(0.00123, ValueFormat::Plain, "0.00123");
        row(295.3, ValueFormat::FlopPerByte, "295 FLOP/byte");
    }
    void prints()
    {
        QFETCH(double, value);
        QFETCH(int, format);
        QFETCH(QString, text);
        QCOMPARE(plain(value, static_cast<ValueFormat>(format)), text);
    }

    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("binaryK");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, ValueFormat format, bool binaryK, double value) {
            QTest::addRow("%s", text) << QString::fromUtf8(text) << static_cast<int>(format) << binaryK << value;
        };
        const double none = std::nan("");
        row("16", ValueFormat::Integer, false, 16);
        row("8k", ValueFormat::Integer, true, 8192);
        row(" 8 k ", ValueFormat::Integer, false, 8000);
        row("8Ki", ValueFormat::Integer, false, 8192);
        row("1.5M", ValueFormat::Integer, false, 1.5e6);
        row("15T", ValueFormat::Parameters, false, 15e12);
        row("80 GB", ValueFormat::Bytes, false, 80e9);
        row("80 GiB", ValueFormat::Bytes, false, 80 * 1073741824.0);
        row("12 %", ValueFormat::Percent, false, 0.12);
        row("0.12", ValueFormat::Percent, false, 0.12);
        row("30 ms", ValueFormat::Seconds, false, 0.03);
        row("2 h", ValueFormat::Seconds, false, 7200);
        row("1,024", ValueFormat::Integer, false, 1024);
        row("1 024 tokens", ValueFormat::Integer, false, 1024);
        row("64 tokens", ValueFormat::Integer, true, 64);
        row("−3", ValueFormat::Plain, false, -3);
        row("", ValueFormat::Plain, false, none);
        row("abc", ValueFormat::Plain, false, none);
        row("1e999", ValueFormat::Plain, false, none);
        row("nan", ValueFormat::Plain, false, none);
        row("inf", ValueFormat::Plain, false, none);
        row("5 parsecs", ValueFormat::Seconds, false, none);
        row("1,5", ValueFormat::Plain, false, none);
    }
    void reads()
    {
        QFETCH(QString, text);
        QFETCH(int, format);
        QFETCH(bool, binaryK);
        QFETCH(double, value);
        const auto read = readNumber(text.toStdString(), static_cast<ValueFormat>(format), binaryK);
        QCOMPARE(read.has_value(), !std::isnan(value));
        if (read)
            QVERIFY2(std::abs(*read - value) <= 1e-12 * std::abs(value), qPrintable(QString::number(*read)));
    }

    void whatIsPrintedReadsBackWithinThreeDigits()
    {
        const bool ok = rc::check("formatText → readNumber", [] {
            const double exponent = *rc::gen::inRange(-6, 17) + *rc::gen::inRange(0, 1000) / 1000.0;
            const double value = std::pow(10.0, exponent);
            for (const ValueFormat format : {ValueFormat::Bytes, ValueFormat::Seconds, ValueFormat::Plain}) {
                if (format == ValueFormat::Bytes && value < 1)
                    continue;
                const auto read = readNumber(formatText(value, format), format, false);
                RC_ASSERT(read.has_value());
                RC_ASSERT(std::abs(*read / value - 1) < 0.0051);
            }
        });
        QVERIFY(ok);
    }

    void exactNumbersReadBackEqual()
    {
        QVERIFY(rc::check("exactNumber", [](double value) {
            RC_PRE(std::isfinite(value));
            RC_ASSERT(std::stod(exactNumber(value)) == value);
        }));
    }
};
HEADROOM_TEST(TestFormat)

} // namespace headroom::test_format
#include "test_format.moc"
