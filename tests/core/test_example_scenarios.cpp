// SPDX-License-Identifier: GPL-3.0-or-later
// The example scenarios open, are written canonically, and give what their cases must give.
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_example_scenarios
{
namespace
{

PreparedScenario example(std::string_view slug)
{
    const Catalog catalog = Catalog::builtIn();
    for (const EmbeddedFile& file : embeddedFolder("scenarios/"))
        if (file.path.substr(std::string_view("scenarios/00-").size()) == std::string(slug) + ".headroom")
            return *prepare(readScenario(file.text, catalog)->scenario, catalog, Calibration::builtIn());
    qFatal("no such example");
}

Evaluation evaluated(std::string_view slug)
{
    return evaluate(example(slug));
}

/// Observed MFU in percent, with the tolerance in points.
bool observes(std::string_view slug, double percent, double points)
{
    const Evaluation e = evaluated(slug);
    return e.observed && e.observed->mfu && std::abs(100 * *e.observed->mfu - percent) <= points;
}

} // namespace

class TestExampleScenarios : public QObject
{
    Q_OBJECT
private slots:
    void allOpenAndAreCanonical()
    {
        const Catalog catalog = Catalog::builtIn();
        const auto files = embeddedFolder("scenarios/");
        QVERIFY(files.size() >= 15);
        for (const EmbeddedFile& file : files) {
            const auto reading = readScenario(file.text, catalog);
            QVERIFY2(reading && reading->warnings.empty(), file.path.data());
            const Scenario& scenario = reading->scenario;
            QVERIFY2(!scenario.name.empty() && !scenario.notes.empty() && !scenario.source.empty(), file.path.data());
            QCOMPARE(writeScenario(scenario), std::string(file.text));
            QVERIFY2(prepare(scenario, catalog, Calibration::builtIn()).has_value(), file.path.data());
        }
    }

    void theFirstIsTheLoraRun()
    {
        const auto reading = readScenario(embeddedFolder("scenarios/").front().text, Catalog::builtIn());
        QCOMPARE(reading->scenario.name, std::string("Llama 3.1 405B, LoRA, 8 × MI300X"));
        QCOMPARE(reading->scenario.measured.stepTimeS, std::optional(30.0));
        QVERIFY(evaluated("llama-3.1-405b-lora-8-mi300x").fits);
    }

    void publishedFiguresComeOut()
    {
        QVERIFY(observes("llama-3.1-405b-lora-8-mi300x", 0.53, 0.005));
        QVERIFY(observes("llama-3.1-405b-full-8-mi300x", 0.80, 0.005));
        QVERIFY(observes("llama-3.1-405b-128-h100", 29.0, 0.15));
        QVERIFY(observes("llama-3.1-405b-128-h100-float8", 23.46, 0.15));
        QVERIFY(observes("llama-3.1-405b-128-h100-float8-async-tp", 24.52, 0.15));
        QVERIFY(observes("llama-3-8b-64-a100-selective-layer", 56.8, 0.15));
        QVERIFY(observes("llama-3-8b-64-a100-selective-op", 58.2, 0.15));
        QVERIFY(observes("llama-3-70b-64-a100", 51.7, 0.15));
        QVERIFY(observes("llama-2-7b-a100-200-tflops", 64.1, 0.1)); // 200 of 312
    }

    void whatFitsAndWhatDoesNot()
    {
        QVERIFY(evaluated("llama-3.1-405b-128-h100").fits);
        QVERIFY(!evaluated("llama-3.1-405b-128-h100-without-tp").fits);
        QVERIFY(evaluated("llama-2-70b-int8-1-h100").fits);
        QVERIFY(!evaluated("llama-2-70b-int8-1-h100-batch-8").fits);
    }

    void readingSpeedTakesAThirdOfTwoH100()
    {
        const Evaluation e = evaluated("llama-2-70b-int8-2-h100");
        QVERIFY(e.observed && e.observed->mbu);
        QVERIFY(*e.observed->mbu > 0.31 && *e.observed->mbu < 0.35);
    }

    void withoutFlashAttentionMemoryGrowsAndMfuFalls()
    {
        PreparedScenario p = example("llama-3-8b-without-flash-attention");
        const Evaluation off = evaluate(p);
        p.training.flashAttention = FlashAttention::On;
        const Evaluation on = evaluate(p);
        QVERIFY(off.usedBytes > on.usedBytes && *off.mfu < *on.mfu);
    }
};
HEADROOM_TEST(TestExampleScenarios)

} // namespace headroom::test_example_scenarios
#include "test_example_scenarios.moc"
