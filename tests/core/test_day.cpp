// SPDX-License-Identifier: GPL-3.0-or-later
// A day of a load that changes: replicas that follow it, their hours and cost, the busiest hour's requests in time.
#include "core/predict/day.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/missing_figure.hpp"
#include "core/explore/advice.hpp"
#include "core/explore/levers.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/effective.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_day
{
namespace
{

/// Llama 3 8B on one H100 a replica; `load` in requests/s, the day's mean.
PreparedScenario service(double load, std::int64_t replicas = 4)
{
    Scenario s;
    s.task = Task::Inference;
    s.model.id = "llama-3-8b";
    s.accelerator.id = "h100-sxm-80gb";
    s.hardware.count = replicas;
    s.hardware.pricePerGpuHour = 2;
    s.inference.batch = 32;
    s.inference.promptTokens = 1000;
    s.inference.outputTokens = 200;
    s.inference.requestsPerS = load;
    s.inference.ttftTargetS = 1;
    return prepare(s, Catalog::builtIn(), Calibration::builtIn()).value();
}

double capacityOfOne()
{
    return evaluate(service(1, 1)).queue->capacityRequestsPerS;
}

/// From midnight on: `low` until six, then `high` until noon, `low` again; over their mean.
LoadProfile morning(double low, double high)
{
    LoadProfile profile;
    const double mean = (18 * low + 6 * high) / 24;
    for (std::size_t hour = 0; hour < LoadProfile::hours; ++hour)
        profile.factors[hour] = (hour >= 6 && hour < 12 ? high : low) / mean;
    return profile;
}

/// Second by second, as a fluid: the share of the requests of 6:00 to 12:00 that wait no longer than `room`.
double fluidShare(double capacity, double low, double high, double startS, double before, double after, double room)
{
    double backlog = 0, met = 0;
    for (int second = -6 * 3600; second < 6 * 3600; ++second) {
        const double asked = second < 0 ? low : high;
        const double serves = (second < startS ? before : after) * capacity;
        if (second >= 0 && backlog / serves <= room)
            met += 1;
        backlog = std::max(0.0, backlog + asked - serves);
    }
    return met / (6 * 3600);
}

} // namespace

class TestDay : public QObject
{
    Q_OBJECT
private slots:
    /// Two replicas at night, seven in the morning, by the rule ⌈λ ÷ (u·c)⌉.
    void replicasFollowTheLoad()
    {
        const double c = capacityOfOne(), low = 0.9 * c, high = 3.3 * c;
        PreparedScenario p = service((18 * low + 6 * high) / 24);
        p.inference.loadProfile = morning(low, high);
        p.inference.autoscale.target = 0.5;
        const Evaluation e = evaluate(p);
        const DayResult& d = e.day.value();
        QCOMPARE(d.peakReplicas, 7.0);
        QCOMPARE(d.fixedReplicas, 7.0);
        QCOMPARE(d.gpuHours, 18 * 2.0 + 6 * 7.0);
        QCOMPARE(*d.cost, 2 * d.gpuHours);
        QCOMPARE(d.fixedGpuHours, 24 * 7.0);
        QVERIFY(std::abs(d.saving.value() - (1 - 78.0 / 168)) < 1e-12);
        QVERIFY(std::abs(d.peakRequestsPerS - high) < 1e-9 * high);
        p.inference.autoscale.min = 3;
        p.inference.autoscale.max = 5;
        QCOMPARE(evaluate(p).day->gpuHours, 18 * 3.0 + 6 * 5.0);
        // The fixed deployment may have no more than five, either: 30 % are saved, where 50 % were said.
        const Evaluation bound = evaluate(p);
        QCOMPARE(planDay(p, bound).needed, 7.0);
        QCOMPARE(bound.day->fixedReplicas, 5.0);
        QVERIFY(std::abs(bound.day->saving.value() - (1 - 84.0 / 120)) < 1e-12);
        p.hardware.pricePerGpuHour = 2;
        QCOMPARE(*evaluate(p).day->fixedCost, 2 * 120.0);
        // Parts of replicas: three at night, where 1.8 would do, and five in the morning, where 6.6 would.
        const Derivation why = derive("day.saving", p, bound);
        QVERIFY2(why.meaning.ends_with(", with the fewest and the most that are stated.") &&
                     why.meaning.find("it would be 30") != std::string::npos,
                 why.meaning.c_str());
    }

    void withoutAutoscalingTheReplicasStay()
    {
        PreparedScenario p = service(1);
        p.inference.loadProfile = LoadProfile::shaped(LoadShape::Office, 4);
        const DayResult d = evaluate(p).day.value();
        QCOMPARE(d.gpuHours, 96.0);
        QCOMPARE(d.replicas, 4.0);
        QCOMPARE(d.lateShare, 0.0);
        QVERIFY(!d.saving); // nothing scales
    }

    /// The mean was served, and half of the requests came in hours in which two replicas too few ran.
    void hoursThatAskTooMuchAreWarnedOf()
    {
        const double c = capacityOfOne(), low = 2 * c, high = 6 * c;
        PreparedScenario p = service((18 * low + 6 * high) / 24); // four replicas
        QVERIFY(servesItsLoad(evaluate(p)));
        p.inference.loadProfile = morning(low, high);
        const Evaluation fixed = evaluate(p);
        QVERIFY(fixed.warnings.has(WarningCode::PeakBeyondCapacity) && !servesItsLoad(fixed));
        const auto noSaving = [&](const Evaluation& e) { return missingFigure(*metricRow("day.saving"), p, e); };
        QVERIFY(noSaving(fixed).find("follow the load") != std::string::npos);
        QVERIFY(std::abs(fixed.warnings.number(WarningCode::PeakBeyondCapacity) - 1.5) < 1e-6);
        QCOMPARE(warningParameter(WarningCode::PeakBeyondCapacity, p), parameterRow("count"));
        p.inference.autoscale.lagS = 600; // late while they start, and no longer
        QVERIFY(evaluate(p).day->lateShare > 0 && servesItsLoad(evaluate(p)));
        p.inference.autoscale.max = 5;
        QVERIFY(!servesItsLoad(evaluate(p)));
        QVERIFY(noSaving(evaluate(p)).find("cannot serve the busiest hour") != std::string::npos);
        QCOMPARE(warningParameter(WarningCode::PeakBeyondCapacity, p), parameterRow("autoscale_max"));
    }

    /// Two replicas serve the mean and not the morning: that half the GPUs write cheaper tokens is no advice.
    void noAdviceLosesTheBusiestHour()
    {
        const double c = capacityOfOne(), low = 0.5 * c, high = 3.8 * c;
        PreparedScenario p = service((18 * low + 6 * high) / 24);
        p.inference.loadProfile = morning(low, high);
        const Evaluation e = evaluate(p);
        QVERIFY(servesItsLoad(e));
        const SensitivityStep half{.row = parameterRow("count"), .to = 2, .evaluation = [&] {
                                       PreparedScenario fewer = p;
                                       fewer.hardware.count = 2;
                                       return evaluate(fewer);
                                   }()};
        QVERIFY(half.evaluation.day->lateShare > 0 && !half.evaluation.warnings.has(WarningCode::LoadBeyondCapacity));
        QVERIFY(gainsNothing(half, *metricRow("cost.per_million_tokens"), p, e));
        for (const Advice& advice : improvements(p, e, 100))
            QVERIFY2(servesItsLoad(advice.after), advice.text.c_str());
    }

    /// It was that of the scenario's own replicas all day, while others ran.
    void tokensCostWhatTheDayCosts()
    {
        const double c = capacityOfOne(), low = 0.4 * c, high = 2 * c;
        PreparedScenario p = service((18 * low + 6 * high) / 24);
        p.inference.loadProfile = morning(low, high);
        p.inference.autoscale.min = 1;
        const Evaluation e = evaluate(p);
        const double tokens = 3600 * (18 * low + 6 * high) * double(p.inference.outputTokens);
        QVERIFY(std::abs(*e.costPerMillionTokens / (*e.day->cost / tokens * 1e6) - 1) < 1e-9);
        QCOMPARE(*e.costPerHour, *e.day->cost / 24);
    }

    /// While replicas start, those of the night serve the morning: what is asked beyond them is late.
    void aStartTakesItsTime()
    {
        const double c = capacityOfOne(), low = 0.9 * c, high = 3.3 * c;
        PreparedScenario p = service((18 * low + 6 * high) / 24);
        p.inference.loadProfile = morning(low, high);
        p.inference.autoscale.target = 0.5;
        p.inference.autoscale.lagS = 1800;
        const Evaluation e = evaluate(p);
        const DayPlan plan = planDay(p, e);
        QCOMPARE(plan.hours[6].first.replicas, 2.0);
        QCOMPARE(plan.hours[6].firstS, 1800.0);
        QCOMPARE(plan.hours[6].then.replicas, 7.0);
        QCOMPARE(plan.hours[12].firstS, 0.0); // who is not needed stops at once
        const double late = high / 2;         // of half an hour; 2 replicas serve less than 3.3 of them are asked for
        QVERIFY(std::abs(e.day->lateShare - late / (18 * low + 6 * high)) < 1e-9);
        p.inference.autoscale.lagS = 2 * 3600 + 600;
        const DayPlan slow = planDay(p, evaluate(p));
        QCOMPARE(slow.hours[7].then.replicas, 2.0);
        QCOMPARE(slow.hours[8].first.replicas, 2.0);
        QCOMPARE(slow.hours[8].firstS, 600.0);
        QCOMPARE(slow.hours[8].then.replicas, 7.0);
        QCOMPARE(evaluate(p).day->gpuHours, 78.0); // paid for from the start on
    }

    /// A queue of minutes makes what the engine adds small: second by second the same share is late.
    void aBacklogIsServedAsAFluid()
    {
        const double c = capacityOfOne(), low = 0.5 * c, high = 2.5 * c;
        PreparedScenario p = service((18 * low + 6 * high) / 24);
        p.inference.loadProfile = morning(low, high);
        p.inference.autoscale.target = 0.5;
        p.inference.autoscale.lagS = 900;
        for (const double target : {30.0, 300.0, 3000.0}) {
            p.inference.ttftTargetS = target;
            const double fluid = fluidShare(c, low, high, 900, 1, 5, target);
            const double share = evaluate(p).day->peakShare.value();
            QVERIFY2(std::abs(share - fluid) < 0.01, qPrintable(QStringLiteral("%1 and %2").arg(share).arg(fluid)));
        }
        p.inference.ttftTargetS = 30;
        QVERIFY(evaluate(p).day->peakShare < 0.95 && evaluate(p).day->fixedPeakShare > 0.95);
    }

    void targetsDecideWhatIsInTime()
    {
        PreparedScenario p = service(2);
        p.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 3);
        p.inference.ttftTargetS = 0.2;
        const auto share = [&p] { return evaluate(p).day->peakShare; };
        const auto mean = share();
        QVERIFY(mean > 0.5 && mean <= 1.0);
        p.inference.promptTokensCv = 2; // some prompts are far longer
        QVERIFY(share() < mean);
        p.inference.ttftTargetS = 1e-4;
        QCOMPARE(*share(), 0.0);
        p.inference.ttftTargetS.reset();
        p.inference.tpotTargetS = 1e-4; // no token is as quick
        QCOMPARE(*share(), 0.0);
        p.inference.tpotTargetS = 1;
        QCOMPARE(*share(), 1.0);
        p.inference.tpotTargetS.reset();
        QVERIFY(!share());
    }

    /// Prompts wait to be read however many places stand free: with so many that nobody is known to wait for one, all
    /// requests were in time. Each replica has its own share of the load, so the number of replicas changes nothing,
    /// and the target that 95 of 100 meet is met by 95 of 100.
    void freePlacesReadNoPrompt()
    {
        const auto evaluated = [](std::int64_t replicas, double targetS) {
            return evaluate(test::serving("llama-3.1-8b", "h100-sxm-80gb", replicas, [&](Scenario& s) {
                s.parallelism.tensor = 1;
                s.inference.batch = 256;
                s.inference.promptTokens = 1000;
                s.inference.outputTokens = 20;
                s.inference.requestsPerS = 10.0 * double(replicas);
                s.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 1);
                s.inference.ttftTargetS = targetS;
                s.inference.targetPercentile = TargetPercentile::P95;
            }));
        };
        const double one = *evaluated(1, 0.06).day->peakShare;
        QVERIFY(one > 0.5 && one < 0.95);
        for (const std::int64_t replicas : {2, 16}) {
            const Evaluation e = evaluated(replicas, 0.06);
            QVERIFY(e.queue->waitingShare == 0);
            QVERIFY(std::abs(*e.day->peakShare - one) < 1e-9);
            QVERIFY(std::abs(*evaluated(replicas, *e.tail->ttftS).day->peakShare - 0.95) < 1e-6);
        }
    }

    /// Where nobody waits, the prompts that are read within the target are in time: 95 and 99 of 100 within that of the
    /// percentile. Sixteen lengths stood for all of them, and up to three in a hundred fell on the wrong side.
    void longPromptsAreLateByTheirNumber()
    {
        for (const auto& [percentile, share] :
             {std::pair{TargetPercentile::P95, 0.95}, std::pair{TargetPercentile::P99, 0.99}}) {
            PreparedScenario p = service(1e-4);
            p.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 1);
            p.inference.promptTokensCv = 0.7;
            p.inference.targetPercentile = percentile;
            p.inference.ttftTargetS = *evaluate(p).tail->ttftS;
            const double met = *evaluate(p).day->peakShare;
            QVERIFY2(std::abs(met - share) < 0.002, std::to_string(met).c_str());
        }
    }

    void aPoolOfItsOwnFollowsToo()
    {
        PreparedScenario p = service(2, 8);
        p.inference.scheduling = Scheduling::Disaggregated;
        p.inference.prefillPool.count = 4;
        p.inference.prefillPool.pricePerGpuHour = 1;
        p.inference.loadProfile = LoadProfile::shaped(LoadShape::Office, 6);
        const DayResult still = evaluate(p).day.value();
        QCOMPARE(still.gpuHours, 24 * 12.0);
        QCOMPARE(*still.cost, 24 * (8 * 2 + 4 * 1.0));
        p.inference.autoscale.target = 0.7;
        const Evaluation e = evaluate(p);
        const DayPlan plan = planDay(p, e);
        double hours = 0, cost = 0;
        for (const DayHour& hour : plan.hours) {
            hours += hour.paid.replicas + hour.paid.readers;
            cost += 2 * hour.paid.replicas + hour.paid.readers;
            QCOMPARE(hour.paid.readers, std::ceil(hour.requestsPerS / (0.7 * plan.readerRequestsPerS)));
        }
        QCOMPARE(e.day->gpuHours, hours);
        QVERIFY(std::abs(*e.day->cost - cost) < 1e-9 * cost);
    }

    /// Nothing else of the result depends on it.
    void theRestOfTheResultIsTheSame()
    {
        test::RandomScenarios random(5);
        int days = 0;
        for (int i = 0; i < 60; ++i) {
            PreparedScenario p = random.next(Task::Inference);
            p.inference.autoscale = {}; // what runs then is another number of replicas (test_day_energy)
            Evaluation with = evaluate(p);
            PreparedScenario plain = p;
            takeDay(plain.inference, {});
            const Evaluation without = evaluate(plain);
            QVERIFY(!without.day);
            days += with.day.has_value();
            with.day.reset();
            with.warnings = without.warnings; // a key without a load to follow is named
            QVERIFY(with == without);
        }
        QVERIFY(days > 3);
    }

    void resultAndChartShowTheHours()
    {
        PreparedScenario p = service(40);
        p.inference.loadProfile = LoadProfile::shaped(LoadShape::Sine, 5);
        p.inference.autoscale.min = 1;
        const Evaluation e = evaluate(p);
        const auto json = nlohmann::json::parse(evaluationJson("", p, e, 0))["day"];
        QCOMPARE(json["hours"].size(), std::size_t(24));
        double replicas = 0;
        for (const auto& hour : json["hours"])
            replicas += hour["replicas"].get<double>();
        QCOMPARE(replicas, json["gpu_hours"].get<double>());
        ChartContext context;
        context.scenario = p;
        context.evaluation = e;
        const ChartRow& row = *chartRow("day");
        QVERIFY(row.comesWith(p));
        const ChartSpec spec = row.build(context);
        QCOMPARE(spec.series.size(), std::size_t(3));
        QCOMPARE(spec.series[1].points.size(), std::size_t(25));
        QCOMPARE(std::ranges::max(spec.series[0].points, {}, &Point::y).y, e.day->peakReplicas);
        QVERIFY2(spec.reading.find(" less than fixed ones") != spec.reading.npos, spec.reading.c_str());
        ChartContext quiet = context; // one replica serves the whole day
        quiet.scenario.inference.requestsPerS = 0.1;
        quiet.evaluation = evaluate(quiet.scenario);
        const std::string same = row.build(quiet).reading;
        QVERIFY2(same.find(" as many as fixed ones") != same.npos, same.c_str());
        takeDay(context.scenario.inference, {});
        QVERIFY(!row.comesWith(context.scenario));
        for (const char* id : {"day.gpu_hours", "day.cost", "day.peak_share", "day.saving", "day.replicas",
                               "day.peak_replicas", "day.late_share"})
            QVERIFY2(derive(id, p, e).steps.size() > 1, id);
    }

    void shapesHaveTheirMeanAndRatio()
    {
        for (const LoadShape shape : {LoadShape::Sine, LoadShape::Office})
            for (const double ratio : {1.0, 1.584, 7.0, 1000.0}) {
                const LoadProfile p = LoadProfile::shaped(shape, ratio);
                const auto [low, high] = std::ranges::minmax(p.factors);
                QVERIFY(std::abs(p.mean() - 1) < 1e-12);
                QVERIFY(std::abs(high / low - ratio) < 1e-9 * ratio);
                QCOMPARE(p.ratio(), ratio);
            }
    }
};
HEADROOM_TEST(TestDay)

} // namespace headroom::test_day
#include "test_day.moc"
