// SPDX-License-Identifier: GPL-3.0-or-later
// What fits, on the memory chart and on its tile: one number.
#include "core/charts/chart_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>

namespace headroom::test_memory_chart
{

class TestMemoryChart : public QObject
{
    Q_OBJECT

    static std::string reading(const PreparedScenario& p)
    {
        ChartContext context;
        context.scenario = p;
        context.evaluation = evaluate(p);
        return chartRow("memory")->build(context).reading;
    }

private slots:
    void theLargestBatchIsTheTiles_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("prompt");
        QTest::newRow("8B") << QStringLiteral("llama-3-8b") << 1 << 1024;
        QTest::newRow("8B, long") << QStringLiteral("llama-3-8b") << 1 << 6000;
        QTest::newRow("70B") << QStringLiteral("llama-2-70b") << 4 << 2048;
        QTest::newRow("Mixtral") << QStringLiteral("mixtral-8x7b") << 2 << 3000;
        QTest::newRow("DeepSeek") << QStringLiteral("deepseek-v3") << 32 << 1500;
    }
    void theLargestBatchIsTheTiles()
    {
        QFETCH(QString, model);
        QFETCH(int, gpus);
        QFETCH(int, prompt);
        const PreparedScenario p = test::serving(model.toStdString(), "h100-sxm-80gb", gpus,
                                                 [prompt](Scenario& s) { s.inference.promptTokens = prompt; });
        const double most = *evaluate(p).maxBatch;
        QVERIFY(most >= 1 && most == std::floor(most));
        const std::string text = reading(p);
        QVERIFY2(text.ends_with("up to batch " + formatText(most, ValueFormat::Integer) + "."),
                 (text + " tile " + std::to_string(most)).c_str());
    }

    void theLargestMicroBatchIsTheLastThatFits()
    {
        PreparedScenario p = test::trainingCase("llama-3-8b", "h100-sxm-80gb", 64);
        p.training.sequenceLength = 512;
        std::int64_t most = 1;
        while (p.training.microBatch = most + 1, evaluate(p).fits)
            ++most;
        QVERIFY(most > 8);
        p.training.microBatch = 1;
        const std::string text = reading(p);
        QVERIFY2(text.ends_with("up to micro-batch " + std::to_string(most) + "."),
                 (text + " of " + std::to_string(most)).c_str());
    }
};
HEADROOM_TEST(TestMemoryChart)

} // namespace headroom::test_memory_chart
#include "test_memory_chart.moc"
