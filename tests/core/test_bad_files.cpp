// SPDX-License-Identifier: GPL-3.0-or-later
// Every file of bad_files/ gets one diagnostic, with the code and the place that expected.tsv lists.
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/language.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>
#include <sstream>

namespace headroom::test_bad_files
{
namespace
{

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

const Catalog& catalog()
{
    static const Catalog builtIn = Catalog::builtIn();
    return builtIn;
}

/// What the command line would say of a text; empty where nothing is wrong with it.
Diagnostics problemsOf(const std::string& text)
{
    const auto reading = readScenario(text, catalog());
    if (!reading)
        return reading.error();
    const auto prepared = prepare(reading->scenario, catalog(), nullptr);
    return prepared ? Diagnostics{} : prepared.error();
}

std::string folder()
{
    return test::sourcePath("tests/core/bad_files/");
}

std::string goodText()
{
    return R"({"format": "headroom-scenario", "version": 1, "name": "good", "model": {"id": "llama-3-8b", "layers": 16},
               "hardware": {"accelerator": "h100-sxm-80gb", "count": 8}, "workload": {"task": "training",
               "lora": {"targets": ["q", "v"]}, "checkpointing": {"mode": "selective_layer", "every": 2}},
               "parallelism": {"tensor": 2}, "measured": {"mfu": 0.4}})";
}

} // namespace

class TestBadFiles : public QObject
{
    Q_OBJECT
private slots:
    void eachIsRefusedInItsPlace_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("path");
        std::istringstream list(test::readFile(folder() + "expected.tsv"));
        for (std::string line; std::getline(list, line);) {
            const QStringList cells = qt(line).split(QLatin1Char('\t'));
            if (!line.starts_with('#') && cells.size() == 3)
                QTest::newRow(qPrintable(cells[0])) << cells[1] << cells[2];
        }
    }
    void eachIsRefusedInItsPlace()
    {
        QFETCH(QString, code);
        QFETCH(QString, path);
        const std::string file = folder() + QTest::currentDataTag() + ".headroom";
        QVERIFY(std::filesystem::exists(file));
        const Diagnostics problems = problemsOf(test::readFile(file));
        QVERIFY2(!problems.empty(), "it was accepted");
        const Diagnostic& problem = problems.front();
        QVERIFY2(problems.size() == 1, (toText(problem) + " | " + toText(problems.back())).c_str());
        QCOMPARE(qt(problem.code), code);
        if (path != QLatin1String("*"))
            QCOMPARE(qt(problem.path), path);
        QVERIFY(!problem.message.empty());
        QVERIFY(toText(problem).size() < 2000);

        // The same in German: other words about the same place.
        static const Phrases phrases = Phrases::embedded("de");
        speak(&phrases);
        const Diagnostics german = problemsOf(test::readFile(file));
        speak(nullptr);
        QCOMPARE(german.size(), std::size_t(1));
        QCOMPARE(german.front().code, problem.code);
        QCOMPARE(german.front().path, problem.path);
        QVERIFY2(german.front().message != problem.message, problem.message.c_str());
        QVERIFY2(problem.hint.empty() || german.front().hint != problem.hint, problem.hint.c_str());
    }

    void theListIsComplete()
    {
        const std::string list = test::readFile(folder() + "expected.tsv");
        int files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder())) {
            if (entry.path().extension() != ".headroom")
                continue;
            ++files;
            QVERIFY2(list.find('\n' + entry.path().stem().string() + '\t') != list.npos, entry.path().c_str());
        }
        QVERIFY(files >= 45);
    }

    void hugeAndDeepTextsAreRefusedAtOnce()
    {
        std::string huge(200u << 20, ' ');
        QCOMPARE(qt(problemsOf(huge).front().code), QStringLiteral("too-large"));
        huge.replace(0, 11, "\"hf_config\"");
        QCOMPARE(qt(problemsOf(huge).front().code), QStringLiteral("too-large"));
        const std::string config = "{\"model\": {\"hf_config\": ";
        for (const std::string& opening : {std::string("["), std::string("{\"a\":")}) {
            std::string deep;
            for (int i = 0; i < 100'000; ++i)
                deep += opening;
            QCOMPARE(qt(problemsOf(deep).front().code), QStringLiteral("too-deep"));
            QCOMPARE(qt(problemsOf(config + deep).front().code), QStringLiteral("too-deep"));
        }
        std::string wide = "{";
        for (int i = 0; i < 60'000; ++i)
            wide += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
        const std::size_t told = problemsOf(wide + '}').size();
        QVERIFY(told > 0 && told <= 50);
    }

    void aLongNameDoesNotFloodTheMessage()
    {
        const std::string key(500'000, 'x');
        const Diagnostics problems = problemsOf("{\"format\":\"headroom-scenario\",\"version\":1,\"" + key + "\":1}");
        QVERIFY(!problems.empty());
        for (const Diagnostic& problem : problems)
            QVERIFY(toText(problem).size() < 2000);
    }

    /// Damage anywhere in a good text yields a scenario or a refusal, never anything else.
    void damagedTextsNeverCrash()
    {
        QVERIFY(problemsOf(goodText()).empty());
        QVERIFY(rc::check("damage", [] {
            std::string text = goodText();
            const int hits = *rc::gen::inRange(1, 6);
            for (int i = 0; i < hits; ++i) {
                const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
                const auto piece = *rc::gen::element<std::string>("", "\"", "{", "}", "[", "]", ",", ":", "-", "1e308",
                                                                  "0", "null", "true", "\xFF", "\\u0000", "//", "/*");
                text.replace(at, *rc::gen::inRange<std::size_t>(0, 4), piece);
            }
            for (const Diagnostic& problem : problemsOf(text))
                RC_ASSERT(!problem.code.empty() && !problem.message.empty());
        }));
    }
};
HEADROOM_TEST(TestBadFiles)

} // namespace headroom::test_bad_files
#include "test_bad_files.moc"
