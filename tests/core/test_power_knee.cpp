// SPDX-License-Identifier: GPL-3.0-or-later
// The knee of a power limit: least energy per token, the limit that is not felt, their derivations and their chart.
#include "core/predict/power_knee.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/missing_figure.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::test_power_knee
{
namespace
{

PreparedScenario scenario(const std::string& device, const std::string& workload, const std::string& hardware = {})
{
    const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
        "hardware": {"accelerator": ")" +
                                       device + R"(")" + hardware + R"(}, "workload": {)" + workload + "}}",
                                   Catalog::builtIn());
    return prepare(read.value().scenario, Catalog::builtIn(), Calibration::builtIn()).value();
}

constexpr const char* training = R"("task": "training", "sequence_length": 4096, "micro_batch": 4)";
constexpr const char* decode = R"("task": "inference", "batch": 16, "prompt_tokens": 256, "output_tokens": 1024)";

} // namespace

class TestPowerKnee : public QObject
{
    Q_OBJECT
private slots:
    /// Whatever the scenario: no tried limit takes less energy, none below freeW keeps the throughput, none above
    /// loses.
    void holdsOfRandomScenarios()
    {
        test::RandomScenarios random(7);
        int found = 0;
        for (int round = 0; round < 100; ++round)
            for (const Task task : {Task::Training, Task::Inference}) {
                const PreparedScenario p = random.nextContext(task, 0).scenario;
                const auto knee = powerKnee(p);
                QCOMPARE(knee.has_value(), p.accelerator->tdpWatts > 0 && !isRl(p) && !p.inference.requestsPerS);
                if (!knee)
                    continue;
                ++found;
                QVERIFY(std::ranges::is_sorted(knee->points, {}, &LimitPoint::limitW));
                QCOMPARE(knee->points.back().limitW, knee->ratedW);
                QVERIFY(knee->points.front().limitW >= knee->ratedW * 2 / 7); // 200 of an H100's 700 W
                for (const LimitPoint& at : knee->points) {
                    QVERIFY(at.joulesPerToken >= knee->best.joulesPerToken * (1 - 1e-9));
                    QVERIFY(at.limitW < knee->freeW || at.tokensPerS >= 0.99 * knee->rated.tokensPerS);
                    QVERIFY(std::abs(at.watts / at.tokensPerS / at.joulesPerToken - 1) < 1e-9);
                }
                PreparedScenario limited = p; // what stands there is what the limit gives
                limited.measured = {};
                limited.hardware.powerLimitW = knee->bestW;
                QCOMPARE(evaluateStep(limited).joulesPerToken, std::optional(knee->best.joulesPerToken));
            }
        QVERIFY(found > 60);
    }

    /// Ma et al. 2026 (arXiv 2605.11999): an H200 draws at most 300 W of its 700 in decode, and no cap is felt above.
    void decodeFeelsNoUsualLimit()
    {
        const auto knee = powerKnee(scenario("h200-sxm-141gb", decode)).value();
        QVERIFY2(knee.freeW <= 310, std::to_string(knee.freeW).c_str());
        const auto busy = powerKnee(scenario("h200-sxm-141gb", training)).value();
        QVERIFY(busy.freeW > knee.freeW);
    }

    void belowTheKneeACutTakesMoreThanItSaves()
    {
        for (const char* device : {"h100-sxm-80gb", "a100-sxm-80gb", "mi300x"}) {
            const auto knee = powerKnee(scenario(device, training)).value();
            QVERIFY(knee.bestW < knee.ratedW);
            for (std::size_t i = 1; i < knee.points.size() && knee.points[i].limitW <= knee.bestW; ++i) {
                const LimitPoint &low = knee.points[i - 1], &high = knee.points[i];
                QVERIFY(low.tokensPerS / high.tokensPerS <= low.watts / high.watts * (1 + 1e-9));
            }
        }
    }

    void derivationsEndInTheAnswer()
    {
        for (const char* workload : {training, decode}) {
            const PreparedScenario p = scenario("h100-sxm-80gb", workload);
            const Evaluation e = evaluate(p);
            const auto knee = powerKnee(p).value();
            const Derivation best = derive("energy.best_limit_w", p, e), felt = derive("energy.free_limit_w", p, e);
            QCOMPARE(best.steps.back().value, knee.bestW);
            QCOMPARE(felt.steps.back().value, knee.freeW);
            QVERIFY(best.title.find('W') != std::string::npos && !best.assumptions.empty());
            QCOMPARE(*figureOf(*metricRow("energy.best_limit_w"), p, e), knee.bestW);
        }
    }

    /// Asking takes ninety evaluations: a result has the answer where the scenario states the site's power alone.
    void theResultHasItWhereTheSiteIsStated()
    {
        const auto energy = [](const PreparedScenario& p) {
            return nlohmann::json::parse(evaluationJson("", p, evaluate(p), 0))["energy"];
        };
        QVERIFY(!energy(scenario("h100-sxm-80gb", training)).contains("best_limit_w"));
        const PreparedScenario stated = scenario("h100-sxm-80gb", training, R"(, "power": {"pue": 1.1})");
        QCOMPARE(energy(stated)["best_limit_w"].get<double>(), powerKnee(stated)->bestW);
    }

    /// Of an update alone, or where requests come as they come, a limit that saves most says nothing of the job.
    void whereItMeansNothingItIsNotSaid()
    {
        const std::string rl = training + std::string(R"(, "rl": {"prompts": 64})"),
                          load = decode + std::string(R"(, "requests_per_s": 1)");
        for (const std::string& workload : {rl, load}) {
            const PreparedScenario p = scenario("h100-sxm-80gb", workload, R"(, "power": {"pue": 1.1})");
            const Evaluation e = evaluate(p);
            QVERIFY(!powerKnee(p));
            for (const char* id : {"energy.best_limit_w", "energy.free_limit_w"}) {
                QVERIFY2(!figureOf(*metricRow(id), p, e), id);
                const std::string why = missingFigure(*metricRow(id), p, e);
                QVERIFY2(why.find(workload == rl ? "answers are generated" : "Under a load") != std::string::npos,
                         why.c_str());
            }
            ChartContext context;
            context.scenario = p;
            context.evaluation = e;
            const ChartSpec spec = chartRow("power_limit")->build(context);
            QCOMPARE(spec.note, missingFigure(*metricRow("energy.best_limit_w"), p, e));
            QVERIFY(spec.guides.empty());
        }
    }

    void theChartNamesTheKnee()
    {
        ChartContext context;
        context.scenario = scenario("h100-sxm-80gb", training);
        context.evaluation = evaluate(context.scenario);
        const auto knee = powerKnee(context.scenario).value();
        const ChartSpec spec = chartRow("power_limit")->build(context);
        QCOMPARE(spec.series.size(), std::size_t(2));
        QCOMPARE(spec.x.parameter, std::string("power_limit_w"));
        const auto target = std::ranges::find(spec.guides, SeriesRole::Target, &Guide::role);
        QVERIFY(target != spec.guides.end());
        QCOMPARE(target->x, knee.bestW);
        for (const Point& point : spec.series[1].points)
            QVERIFY(point.y >= knee.best.joulesPerToken / knee.rated.joulesPerToken * (1 - 1e-9));
    }
};
HEADROOM_TEST(TestPowerKnee)

} // namespace headroom::test_power_knee
#include "test_power_knee.moc"
