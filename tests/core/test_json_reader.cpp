// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/json_reader.hpp"
#include "core/support/language.hpp"
#include "core/support/utf8.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QRegularExpression>
#include <array>
#include <random>
#include <sstream>

namespace headroom::test_json_reader
{
namespace
{

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

enum class Colour { Red, Green };
constexpr std::array<NamedValue<Colour>, 2> colours{{{"red", Colour::Red}, {"green", Colour::Green}}};

/// The only diagnostic of a reading, as "code path".
QString only(const Diagnostics& diagnostics)
{
    if (diagnostics.size() != 1)
        return QStringLiteral("%1 diagnostics").arg(diagnostics.size());
    return qt(diagnostics.front().code + " " + diagnostics.front().path);
}

} // namespace

class TestJsonReader : public QObject
{
    Q_OBJECT
private slots:
    void refusesBadText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<int>("line");
        QTest::newRow("empty") << QByteArray("") << "syntax " << 1;
        QTest::newRow("cut off") << QByteArray("{\n\"a\": [1, 2") << "syntax /a/1" << 2;
        QTest::newRow("trailing comma") << QByteArray("{\"a\": 1,}") << "syntax /a" << 1;
        QTest::newRow("trailing text") << QByteArray("{}\n{}") << "syntax " << 2;
        QTest::newRow("nan") << QByteArray("{\"a\": NaN}") << "not-a-number /a" << 1;
        QTest::newRow("infinity") << QByteArray("{\"a\":\n -Infinity}") << "not-a-number /a" << 2;
        QTest::newRow("too large a number") << QByteArray("{\"a\": [1, 1e999]}") << "out-of-range /a/0" << 1;
        QTest::newRow("twice") << QByteArray("{\"a\": {\"b\": 1,\n\n\"b\": 2}}") << "duplicate-key /a/b" << 3;
        QTest::newRow("not utf-8") << QByteArray("{\"a\":\n\"\xC0\xAF\"}") << "not-utf8 " << 2;
        QTest::newRow("zero byte") << QByteArray("{}\0{}", 5) << "not-utf8 " << 1;
        QTest::newRow("utf-16") << QByteArray("\xFF\xFE{\0}\0", 6) << "not-utf8 " << 1;
    }
    void refusesBadText()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QFETCH(int, line);
        const auto parsed = parseJson({text.data(), static_cast<std::size_t>(text.size())});
        QVERIFY(!parsed);
        QCOMPARE(only(parsed.error()), expected);
        QCOMPARE(parsed.error().front().line, line);
    }

    void whatIsWrongIsSaidInGermanToo_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("german");
        QTest::newRow("a word") << QByteArray("{\"a\": nul}") << "ein Wert fehlt oder ist kein JSON-Wert (Spalte 10)";
        QTest::newRow("no colon") << QByteArray("{\"a\" 1}") << "hinter einem Schlüssel fehlt „:“ (Spalte 7)";
        QTest::newRow("cut off") << QByteArray("[1") << "ein Komma oder das Ende der Liste fehlt (Spalte 2)";
        QTest::newRow("comma") << QByteArray("{\"a\": 1,}") << "ein Schlüssel in Anführungszeichen fehlt (Spalte 9)";
        QTest::newRow("value") << QByteArray("{\"a\": }") << "ein Wert fehlt oder ist kein JSON-Wert (Spalte 7)";
        QTest::newRow("comment") << QByteArray("[1 /* no end") << "das ist kein JSON (Spalte 12)";
        for (const char* text : {"[\"a\x01\"]", "[\"\\q\"]", "[-]", "[1.]", "[1e]", "[1e+]", "[\"\\u12\"]",
                                 "[\"\\ud800\"]", "[\"\\ud800\\u0041\"]", "[\"\\udc00\"]", "[\"a", "[01]", "[1 2]",
                                 "[true false]", "[null \"\"]", "\xEF\xBB", "{1: 2}", "]"})
            QTest::newRow(text) << QByteArray(text) << QString();
    }
    void whatIsWrongIsSaidInGermanToo()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, german);
        static const Phrases phrases = Phrases::embedded("de");
        speak(&phrases);
        const auto parsed = parseJson(text.toStdString());
        speak(nullptr);
        QVERIFY(!parsed);
        const QString message = qt(parsed.error().front().message);
        if (!german.isEmpty())
            QCOMPARE(message, german);
        static const QRegularExpression english(
            QStringLiteral("invalid|expect|must|last read|literal|missing|number|string|end of|column"));
        QVERIFY2(!message.contains(english), qPrintable(message));
    }

    void nestingIsBoundedBeforeItCostsAnything()
    {
        const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
        const auto parsed = parseJson(deep);
        QVERIFY(!parsed);
        QCOMPARE(qt(parsed.error().front().code), QStringLiteral("too-deep"));
        QVERIFY(parseJson(std::string(32, '[') + std::string(32, ']')));
        QVERIFY(!parseJson(std::string(33, '[') + std::string(33, ']')));
    }

    void sizeIsBounded()
    {
        JsonLimits limits;
        limits.bytes = 10;
        QVERIFY(parseJson("[12345678]", limits));
        const auto parsed = parseJson("[123456789]", limits);
        QVERIFY(!parsed);
        QCOMPARE(qt(parsed.error().front().code), QStringLiteral("too-large"));
    }

    void valuesAreBounded()
    {
        JsonLimits limits;
        limits.values = 100;
        std::string text = "[1"; // the array and its members count
        for (int i = 0; i < 98; ++i)
            text += ",[]";
        QVERIFY(parseJson(text + "]", limits).has_value());
        for (const char* one : {",1]", ",[]]", ",{}]", ",\"a\"]"}) {
            const auto parsed = parseJson(text + one, limits);
            QVERIFY(!parsed);
            QVERIFY2(only(parsed.error()).startsWith(QLatin1String("too-large ")), one);
        }
    }

    /// Plain texts are read by another library than those with a comment, which has to be the only difference.
    static std::string readAs(const std::string& text)
    {
        const auto parsed = parseJson(text);
        if (!parsed)
            return parsed.error().front().code + " " + parsed.error().front().path;
        const char* const kind = parsed->is_array() && !parsed->empty() ? parsed->front().type_name() : "";
        const bool natural = *kind != 0 && parsed->front().is_number_unsigned();
        return kind + std::string(natural ? " from 0 " : " ") + parsed->dump(-1, ' ', true);
    }

    void plainTextsAreReadAsOthersAre()
    {
        std::istringstream values(
            "0 -0 -0.0 7 -7 1.5 -2.5e-3 1E5 1e+5 0.1 3.0000000000000004 9007199254740993 9223372036854775808 "
            "-9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 "
            "123456789012345678901234567890 2.2250738585072011e-308 4.9e-324 2e-324 1e-400 1.7976931348623157e308 "
            "1.7976931348623159e308 1e309 -1e309 01 1. .5 +1 1e - 0x1 true nul \"\\ud83d\\ude00\" \"\\udc00\" "
            "\"a\\\"b\\u001b\" \"a\x7F\xC2\x9B\" {\"a\":1,\"a\":2} [[],{}]");
        for (std::string value; values >> value;) {
            const std::string text = "[" + value + "]";
            QCOMPARE(qt(readAs(text)), qt(readAs("/**/" + text)));
        }
        // Shipped texts, whole and damaged: a byte left out, doubled or put in.
        std::mt19937 bits(2026);
        const auto draw = [&bits](std::size_t below) { return static_cast<std::size_t>(bits() % below); };
        const std::string_view odd = "\"\\{}[]:,.-+eE019 \n\t\x7F\xC2\x9BtfnN/";
        for (const char* file : {"resources/scenarios/10-llama-2-70b-int8-2-h100.headroom",
                                 "resources/catalog/models/deepseek-v3.json", "resources/run_notes.json"}) {
            const std::string whole = test::readFile(test::sourcePath(file));
            QCOMPARE(qt(readAs(whole)), qt(readAs("/**/" + whole)));
            for (int i = 0; i < 500; ++i) {
                std::string text = whole.substr(0, 4000);
                const std::size_t at = draw(text.size());
                switch (draw(3)) {
                case 0:
                    text.erase(at, 1);
                    break;
                case 1:
                    text.insert(at, 1, text[at]);
                    break;
                default:
                    text.insert(at, 1, odd[draw(odd.size())]);
                }
                QCOMPARE(qt(readAs(text)), qt(readAs("/**/" + text)));
            }
        }
    }

    void commentsAndByteOrderMark()
    {
        QVERIFY(parseJson("\xEF\xBB\xBF{} // end"));
        QVERIFY(parseJson("/* start */ {\"a\": /* mid */ 1}"));
        JsonLimits strict;
        strict.comments = false;
        QVERIFY(!parseJson("{} // end", strict));
    }

    void readsTypedValues()
    {
        const auto json = parseJson(R"({"i": 8.0, "n": 1e3, "b": true, "s": "ä", "c": "green", "o": {"x": 1},
                                        "l": ["a", "b"], "w": [1, 2], "r": [{"x": 1}, {"x": 2}]})");
        QVERIFY(json);
        Diagnostics diagnostics;
        ObjectReader reader(*json, "", diagnostics);
        std::int64_t integer = 0;
        std::optional<double> number;
        bool boolean = false;
        std::optional<std::string> text;
        Colour colour = Colour::Red;
        std::vector<std::string> list;
        std::vector<std::int64_t> whole;
        int inner = 0, sum = 0;
        reader.integer("i", integer, 1, 10);
        reader.number("n", number, NumberRange::positive());
        reader.boolean("b", boolean);
        reader.string("s", text);
        reader.choice("c", colour, colours);
        reader.object("o", [&inner](ObjectReader& child) { child.integer("x", inner, 0, 9); });
        reader.strings("l", list);
        reader.integers("w", whole, 0, 9);
        reader.objects("r", [&sum](ObjectReader& child) {
            int x = 0;
            child.integer("x", x, 0, 9);
            sum += x;
        });
        reader.finish();
        QVERIFY2(diagnostics.empty(), diagnostics.empty() ? "" : toText(diagnostics.front()).c_str());
        QCOMPARE(integer, 8);
        QCOMPARE(number, std::optional(1000.0));
        QVERIFY(boolean);
        QCOMPARE(qt(*text), QStringLiteral("ä"));
        QVERIFY(colour == Colour::Green);
        QCOMPARE(inner, 1);
        QCOMPARE(list.size(), 2u);
        QCOMPARE(whole.size(), 2u);
        QCOMPARE(sum, 3);
    }

    void refusesWrongValues_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("text for a number") << R"("8")"
                                           << "wrong-type /a~1b/key";
        QTest::newRow("null") << "null"
                              << "wrong-type /a~1b/key";
        QTest::newRow("broken number") << "3.9"
                                       << "not-whole /a~1b/key";
        QTest::newRow("negative") << "-1"
                                  << "out-of-range /a~1b/key";
        QTest::newRow("beyond 32 bits") << "5000000000"
                                        << "out-of-range /a~1b/key";
        QTest::newRow("beyond 64 bits") << "18446744073709551616"
                                        << "out-of-range /a~1b/key";
        QTest::newRow("the largest unsigned") << "18446744073709551615"
                                              << "out-of-range /a~1b/key";
    }
    void refusesWrongValues()
    {
        QFETCH(QString, value);
        QFETCH(QString, expected);
        const auto json = parseJson(QStringLiteral(R"({"a/b": {"key": %1}})").arg(value).toStdString());
        QVERIFY(json);
        Diagnostics diagnostics;
        ObjectReader reader(*json, "", diagnostics);
        int target = 7;
        reader.object("a/b", [&target](ObjectReader& child) { child.integer("key", target, 0, 1000); });
        QCOMPARE(only(diagnostics), expected);
        QCOMPARE(target, 7);
    }

    void collectsSeveralAndNamesTheNearest()
    {
        const auto json = parseJson(R"({"bacth": 1, "colour": "gren", "zzzzzz": 0, "size": 0.5})");
        QVERIFY(json);
        Diagnostics diagnostics;
        ObjectReader reader(*json, "", diagnostics);
        int batch = 0;
        Colour colour = Colour::Red;
        double size = 0;
        reader.integer("batch", batch, 1, 9, Presence::Required);
        reader.choice("colour", colour, colours);
        reader.number("size", size, NumberRange{1});
        reader.ignore({"size"}); // asked for twice, listed once
        reader.finish();
        QCOMPARE(diagnostics.size(), 5u);
        QCOMPARE(qt(diagnostics[0].code), QStringLiteral("missing-key"));
        QCOMPARE(qt(diagnostics[1].hint), QStringLiteral("did you mean 'green'?"));
        QCOMPARE(qt(diagnostics[2].message), QStringLiteral("must be at least 1 (found 0.5)"));
        QCOMPARE(qt(diagnostics[3].hint), QStringLiteral("did you mean 'batch'?"));
        QCOMPARE(qt(diagnostics[4].hint), QStringLiteral("known keys: batch, colour, size"));
    }

    void nullMayMeanAbsent()
    {
        const Json json = Json::parse(R"({"a": null})");
        Diagnostics diagnostics;
        ObjectReader reader(json, "", diagnostics, Nulls::Absent);
        std::optional<double> target;
        QVERIFY(!reader.number("a", target));
        QVERIFY(diagnostics.empty());
        QVERIFY(!target);
    }

    void manyErrorsAreCut()
    {
        Json json = Json::object();
        for (int i = 0; i < 1000; ++i)
            json["k" + std::to_string(i)] = i;
        Diagnostics diagnostics;
        ObjectReader reader(json, "", diagnostics);
        reader.finish();
        QCOMPARE(diagnostics.size(), mostDiagnostics);
    }

    void findsLines()
    {
        const std::string text = "{\n \"a\": 1,\n \"b\": [\n  10,\n  {\"c\": 2}\n ]\n}";
        QCOMPARE(lineOfJsonPath(text, ""), 1);
        QCOMPARE(lineOfJsonPath(text, "/a"), 2);
        QCOMPARE(lineOfJsonPath(text, "/b"), 3);
        QCOMPARE(lineOfJsonPath(text, "/b/0"), 4);
        QCOMPARE(lineOfJsonPath(text, "/b/1/c"), 5);
        QCOMPARE(lineOfJsonPath(text, "/z"), 0);
    }

    void foreignTextIsMadePrintable()
    {
        QCOMPARE(qt(printable("a\nb\xFF")), QStringLiteral("a?b?"));
        QCOMPARE(qt(printable("aaaa", 2)), QStringLiteral("aa…"));
        QVERIFY(!firstInvalidUtf8("ok ä € 😀 and more than eight"));
        QCOMPARE(firstInvalidUtf8("12345678\xED\xA0\x80"), std::optional<std::size_t>(8)); // a surrogate
        QCOMPARE(qt(jsonString("a\"\xFF")), QStringLiteral("\"a\\\"\uFFFD\""));
    }

    void distanceCountsSwapsOnce()
    {
        QCOMPARE(editDistance("bacth", "batch"), 1);
        QCOMPARE(editDistance("micro-batch", "micro_batch"), 0);
        QCOMPARE(editDistance("", "abc"), 3);
        // A limit stands for all that is not less, and changes nothing below it.
        for (const std::string_view a : {"", "bacth", "micro-batch", "btach_size", "sequence_length"})
            for (const std::string_view b : {"", "batch", "micro_batch", "batch_size", "sequnece_lenght", "rank"})
                for (int limit = 1; limit < 12; ++limit)
                    QCOMPARE(editDistance(a, b, limit), std::min(editDistance(a, b), limit));
        const std::array<std::string_view, 2> known{"kv_heads", "heads"};
        QCOMPARE(qt(nearestName("kvheads", known)), QStringLiteral("kv_heads"));
        QVERIFY(nearestName("qqq", known).empty());
    }

    void anIdIsOfferedThoseThatBeginAlike()
    {
        const std::array<std::string_view, 7> known{"a100-sxm-80gb", "b100",           "b200-sxm",     "gpt-2-small",
                                                    "gpt-2-xl",      "h100-pcie-80gb", "h100-sxm-80gb"};
        QCOMPARE(suggestId("b200-sxm-180gb", known), std::string("did you mean 'b200-sxm'?"));    // not the A100
        QCOMPARE(suggestId("H100", known), std::string("one of: h100-sxm-80gb, h100-pcie-80gb")); // nor the B100
        QCOMPARE(suggestId("h100-sxm-8gb", known), std::string("did you mean 'h100-sxm-80gb'?"));
        QCOMPARE(suggestId("h10-sxm-80gb", known), std::string("did you mean 'h100-sxm-80gb'?"));
        QCOMPARE(suggestId("gpt2", known), std::string("one of: gpt-2-xl, gpt-2-small"));
        const std::array<std::string_view, 4> llamas{"llama-7b", "llama-2-7b", "llama-2-70b", "llama-3-70b"};
        QCOMPARE(suggestId("llama-70b", llamas), std::string("one of: llama-2-70b, llama-3-70b")); // no tenth of it
        QCOMPARE(suggestId("llama-3-71b", llamas), std::string("did you mean 'llama-3-70b'?"));
        QVERIFY(suggestId("mi300x", known).empty() && suggestId("", known).empty() && suggestId("-", known).empty());
    }
};
HEADROOM_TEST(TestJsonReader)

} // namespace headroom::test_json_reader
#include "test_json_reader.moc"
