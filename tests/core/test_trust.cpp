// SPDX-License-Identifier: GPL-3.0-or-later
// The limits that docs/trust.md promises are those that the readers keep.
#include "core/calibration/calibration.hpp"
#include "core/catalog/hf_config.hpp"
#include "core/catalog/user_catalog.hpp"
#include "core/present/views_json.hpp"
#include "core/runs/log_import.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/markdown.hpp"
#include "core/support/utf8.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <functional>
#include <regex>

namespace headroom::test_trust
{

class TestTrust : public QObject
{
    Q_OBJECT

    /// The number in a row of the table that begins with `what`.
    static std::size_t promised(const std::string& what, const std::string& unit)
    {
        const std::string page = test::readFile(test::sourcePath("docs/trust.md"));
        const auto row = page.find("\n| " + what);
        if (row == std::string::npos)
            return 0;
        const std::string line = page.substr(row + 1, page.find('\n', row + 1) - row - 1);
        std::smatch match;
        std::regex_search(line, match, std::regex("([0-9,]+) " + unit));
        return match.empty() ? 0 : std::stoul(std::regex_replace(match[1].str(), std::regex(","), ""));
    }

    template <typename Result>
    static std::string code(const Expected<Result>& result)
    {
        return result ? "accepted" : result.error().front().code;
    }

private slots:
    void readersStopWhereThePageSays()
    {
        const Catalog& catalog = Catalog::builtIn();
        const auto text = [](std::size_t mebibytes) { return std::string((mebibytes << 20) + 1, ' '); };
        const auto limit = [](const char* what) { return promised(what, "MiB"); };
        QVERIFY(limit("scenario") > 0 && limit("views") > 0 && limit("`config.json`") > 0 && limit("log") > 0);
        QCOMPARE(code(readScenario(text(limit("scenario")), catalog)), std::string("too-large"));
        QCOMPARE(code(readViews(text(limit("views")), catalog)), std::string("too-large"));
        QCOMPARE(code(importHfConfig(text(limit("`config.json`")))), std::string("too-large"));
        QCOMPARE(code(readPriceList(text(limit("price list")))), std::string("too-large"));
        QCOMPARE(code(importLog(text(limit("log")), "a.csv", Scenario{}, catalog)), std::string("too-large"));
        QCOMPARE(code(Calibration::fromJson(text(limit("calibration")))), std::string("too-large"));
        const QTemporaryDir folder;
        test::writtenFile(folder.filePath(QStringLiteral("models/large.json")),
                          QByteArray::fromStdString(text(limit("catalogue"))));
        const UserCatalog user = loadUserCatalog(catalog, folder.path().toStdString());
        QCOMPARE(user.diagnostics.size(), std::size_t(1));
        QCOMPARE(user.diagnostics.front().code, std::string("too-large"));
        // One less is read: refused for another reason, if at all.
        QVERIFY(code(readScenario(text(limit("scenario")).substr(1), catalog)) != "too-large");
        QVERIFY(code(readViews(text(limit("views")).substr(1), catalog)) != "too-large");
        QVERIFY(code(importHfConfig(text(limit("`config.json`")).substr(1))) != "too-large");
    }

    void nestingAndValuesStopWhereThePageSays()
    {
        const std::size_t levels = promised("any JSON", "levels"), values = promised("any JSON", "values");
        QCOMPARE(levels, static_cast<std::size_t>(JsonLimits{}.depth));
        QCOMPARE(values, JsonLimits{}.values);
        const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
        QVERIFY(parseJson(nested(levels)));
        QCOMPARE(code(parseJson(nested(levels + 1))), std::string("too-deep"));
    }

    void logsStopAtTheirRuns()
    {
        const std::size_t runs = promised("log", "runs");
        QVERIFY(runs > 0);
        std::string table = "micro_batch,step_time_s\n";
        for (std::size_t i = 0; i <= runs; ++i)
            table += "1,2.5\n";
        const auto reading = importLog(table, "a.csv", Scenario{}, Catalog::builtIn());
        QVERIFY(!reading);
    }

    void controlCharactersAreMarked()
    {
        QCOMPARE(withoutControls("a\x1b[31mb\x7f\tc\r\n"), std::string("a?[31mb?\tc\r\n"));
        QCOMPARE(withoutControls("\xc2\x9b"
                                 "2J \xc2\xb7 \xc3\x97"),
                 std::string("?2J \xc2\xb7 \xc3\x97"));
        QCOMPARE(withoutControls("\xc2"), std::string("\xc2")); // cut off: no control character
        for (std::size_t at = 0; at <= 200; ++at) {             // over the seams of what is looked at together
            std::string text(200, 'x'), marked = text;
            text.insert(at, "\xc2\x9b\x1b\t\x7f");
            marked.insert(at, "??\t?");
            QCOMPARE(withoutControls(text), marked);
        }
        const auto json = parseJson("[\"a\\u001b]0;x\\u0007\"]");
        QVERIFY(json);
        QCOMPARE(json->front().get<std::string>(), std::string("a?]0;x?"));
    }

    void markdownShowsWhatItIsGiven()
    {
        QCOMPARE(markdownText("a|b\\|c<img>\n[x](y) `z`"), std::string("a\\|b\\\\\\|c\\<img\\> \\[x\\](y) \\`z\\`"));
        QCOMPARE(markdownCode("a`b|c"), std::string("`a'b/c`"));
    }
};
HEADROOM_TEST(TestTrust)

} // namespace headroom::test_trust
#include "test_trust.moc"
