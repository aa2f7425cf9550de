// SPDX-License-Identifier: GPL-3.0-or-later
// The sentence that a chart says is read to its end, at the size that charts have in a small window, in both languages.
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_scene.hpp"
#include "ui/settings/language.hpp"

#include <QApplication>
#include <QRegularExpression>
#include <QTest>
#include <set>

namespace headroom::ui::test_chart_sentences
{
namespace
{

/// Llama 3.1 70B under a load whose prompts the tiers below the memory hold in part.
ChartContext tiers()
{
    Scenario scenario;
    scenario.model.id = "llama-3.1-70b";
    scenario.accelerator.id = "h100-sxm-80gb";
    scenario.hardware.count = 4;
    scenario.parallelism.tensor = 4;
    scenario.task = Task::Inference;
    InferenceWorkload& w = scenario.inference;
    w.batch = 32;
    w.promptTokens = 16000;
    w.outputTokens = 500;
    w.requestsPerS = 0.5;
    w.weights = DataType::Fp8;
    w.prefixHitRate = 0.2;
    w.tierHostGb = 200;
    w.tierHostHits = 0.4;
    w.tierNvmeGb = 2000;
    w.tierNvmeHits = 0.2;
    ChartContext context;
    context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    context.evaluation = evaluate(context.scenario);
    return context;
}

/// A word may be divided at its hyphen.
QString joined(QString text)
{
    static const QRegularExpression space(QStringLiteral("\\s"));
    return text.remove(space);
}

} // namespace

class TestChartSentences final : public QObject
{
    Q_OBJECT

private slots:
    void everySentenceIsReadToItsEnd_data()
    {
        QTest::addColumn<QString>("code");
        for (const char* code : {"en", "de"})
            QTest::newRow(code) << QString(QLatin1String(code));
    }

    void everySentenceIsReadToItsEnd()
    {
        QFETCH(const QString, code);
        const Language language(code);
        const QSize size(362, 246); // of 1366×768, messages at the foot
        QStringList cut;
        std::set<std::string> seen;
        const auto check = [&](const ChartContext& context) {
            for (const ChartRow& row : chartRegistry()) {
                if (!appliesTo(row, context.scenario.task))
                    continue;
                ChartScene scene;
                scene.theme = theme(ThemeKind::Light);
                scene.font = QApplication::font();
                scene.spec = row.build(context);
                seen.insert(scene.spec.id);
                const QString whole = QString::fromStdString(scene.spec.reading);
                if (joined(layOut(scene, size).reading.join(u' ')) != joined(whole))
                    cut << QString::fromStdString(scene.spec.id) + QStringLiteral(": ") + whole;
            }
        };
        test::RandomScenarios scenarios(17);
        for (int i = 0; i < 120; ++i)
            check(scenarios.nextContext(Task(i % 2), 0));
        check(tiers());
        cut.removeDuplicates();
        QVERIFY2(cut.isEmpty(), qPrintable(QString::number(cut.size()) + u'\n' + cut.join(u'\n')));
        QVERIFY(seen.size() > 15);
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartSentences)

} // namespace headroom::ui::test_chart_sentences
#include "test_chart_sentences.moc"
