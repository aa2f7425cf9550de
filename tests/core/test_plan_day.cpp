// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of a day of a load: sized for its busiest hour as brute force finds it, the day priced by itself.
#include "core/plan/planner.hpp"
#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/format.hpp"
#include "tests/support/near.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::test_plan_day
{
namespace
{

constexpr double meanLoad = 40, highest = 1.6;

/// Low at night, high in the morning.
LoadProfile profile()
{
    LoadProfile p;
    for (std::size_t hour = 0; hour < LoadProfile::hours; ++hour)
        p.factors[hour] = hour >= 8 && hour < 14 ? highest : 0.8;
    return p;
}

PlanRequest question(const std::function<void(InferenceWorkload&)>& change = {})
{
    PlanRequest r;
    r.base = test::serving("llama-3-8b", "h100-sxm-80gb", 1, [&](Scenario& s) {
        s.hardware.pricePerGpuHour = 2;
        InferenceWorkload& w = s.inference;
        w.promptTokens = 1000;
        w.outputTokens = 200;
        w.requestsPerS = meanLoad;
        w.loadProfile = profile();
        w.ttftTargetS = 1;
        w.tpotTargetS = 0.02;
        if (change)
            change(w);
    });
    for (std::int64_t n = 1; n <= 16; ++n)
        r.gpuCounts.push_back(n);
    r.threads = 1;
    return r;
}

/// The same with the load of the busiest hour all day.
PlanRequest atPeak(PlanRequest r)
{
    takeDay(r.base.inference, {});
    r.base.inference.requestsPerS = meanLoad * highest;
    return r;
}

} // namespace

class TestPlanDay : public QObject
{
    Q_OBJECT
private slots:
    void theBusiestHourDecides()
    {
        for (const PlanObjective objective : {PlanObjective::Cost, PlanObjective::Gpus}) {
            PlanRequest r = question();
            r.objective = objective;
            const PlanResult result = plan(r).value();
            const test::BruteForce all = test::servingBruteForce(r);
            QVERIFY(!result.ranked.empty() && all.best);
            const double best = *result.ranked.front().values[std::size_t(objective)];
            QVERIFY2(std::abs(best / *all.best - 1) < 1e-9, qPrintable(QString::number(best)));
            QVERIFY(test::keepsItsWord(atPeak(r), result.ranked.front()));
            // Sized for the mean it would be smaller.
            PlanRequest mean = atPeak(r);
            mean.base.inference.requestsPerS = meanLoad;
            QVERIFY(*plan(mean).value().ranked.front().values[std::size_t(objective)] < best);
        }
    }

    void fixedReplicasRunAllDay()
    {
        const PlanResult result = plan(question()).value();
        for (const PlanOption& option : result.ranked) {
            QVERIFY(option.day);
            const auto gpus = double(option.scenario.hardware.count);
            QVERIFY(std::abs(option.day->gpuHours - 24 * gpus) < 1e-9);
            QVERIFY(std::abs(*option.day->cost - 48 * gpus) < 1e-9);
        }
        QVERIFY(result.notes.front().starts_with("Sized for the busiest hour, 64"));
    }

    /// Hour by hour, from what a replica serves: the same GPU-hours, as many replicas at the peak as were planned.
    void scaledReplicasFollow()
    {
        const PlanRequest r = question([](InferenceWorkload& w) { w.autoscale.min = 1; });
        const PlanResult result = plan(r).value();
        QVERIFY(!result.ranked.empty());
        for (const PlanOption& option : result.ranked) {
            const PreparedScenario& s = option.scenario;
            QVERIFY(option.day);
            QCOMPARE(option.day->peakReplicas, double(servingReplicas(s)));
            QVERIFY(std::abs(option.day->gpuHours - test::scaledGpuHours(r.base, s, option.evaluation)) < 1e-6);
            QVERIFY(option.day->gpuHours <= 24 * double(s.hardware.count));
        }
    }

    /// Where replicas follow the load, what costs least over the day is best, and no deployment costs less.
    void theWholeDayIsRanked()
    {
        const PlanRequest r = question([](InferenceWorkload& w) {
            w.autoscale.min = 1;
            w.tpotTargetS = 0.008; // larger replicas will do, too
        });
        const PlanResult result = plan(r).value();
        QVERIFY(!result.ranked.empty());
        double before = 0;
        for (const PlanOption& option : result.ranked) {
            const double cost = *option.values[std::size_t(PlanObjective::Cost)];
            QVERIFY(std::abs(cost / (*option.day->cost / 24) - 1) < 1e-9);
            QVERIFY(cost >= before);
            before = cost;
        }
        const test::BruteForce all = test::servingBruteForce(r);
        const double best = *result.ranked.front().values[std::size_t(PlanObjective::Cost)];
        QVERIFY2(std::abs(best / *all.best - 1) < 1e-9, std::to_string(best).c_str());
        // The busiest hour alone would rank them otherwise.
        const auto priceOfHour = [](const PlanOption& o) { return *o.evaluation.costPerHour; };
        QVERIFY(!std::ranges::is_sorted(result.ranked, {}, priceOfHour));
    }

    /// Days of other shapes and loads, where a replica more or less in the quiet hours decides.
    void eachDayIsRanked()
    {
        for (const double load : {13.0, 26.0, 60.0}) {
            PlanRequest r = question([load](InferenceWorkload& w) {
                w.requestsPerS = load;
                w.loadProfile = LoadProfile::shaped(LoadShape::Sine, 3);
                w.autoscale.min = 1;
            });
            std::erase_if(r.gpuCounts, [](std::int64_t n) { return n > 8; });
            const PlanResult result = plan(r).value();
            QVERIFY(!result.ranked.empty());
            for (const PlanOption& option : result.ranked)
                QVERIFY(std::abs(*option.values[std::size_t(PlanObjective::Cost)] / (*option.day->cost / 24) - 1) <
                        1e-9);
            const test::BruteForce all = test::servingBruteForce(r);
            const double best = *result.ranked.front().values[std::size_t(PlanObjective::Cost)];
            QVERIFY2(std::abs(best / *all.best - 1) < 1e-9, std::to_string(best).c_str());
        }
    }

    /// What is put to work has the day, and scales as it was sized: the same day comes out of it.
    void whatIsDeployedHasTheDay()
    {
        for (const bool scales : {false, true}) {
            const PlanRequest r = question([scales](InferenceWorkload& w) {
                if (scales)
                    w.autoscale.min = 2;
            });
            const PlanOption best = plan(r).value().ranked.front();
            QVERIFY(!hasDay(best.scenario));
            const PreparedScenario s = deployed(r.base, best);
            QCOMPARE(s.inference.requestsPerS, r.base.inference.requestsPerS);
            QVERIFY(s.inference.loadProfile == r.base.inference.loadProfile);
            QCOMPARE(autoscales(s.inference), scales);
            QCOMPARE(s.inference.autoscale.max.has_value(), scales);
            QVERIFY(!scales || *s.inference.autoscale.max == servingReplicas(best.scenario));
            QVERIFY(checkSetup(s).empty());
            QVERIFY(evaluate(s).day == best.day);
        }
        // Without a day there is nothing to give back.
        const PlanRequest plain = atPeak(question());
        const PlanOption best = plan(plain).value().ranked.front();
        QVERIFY(deployed(plain.base, best).inference == best.scenario.inference);
    }

    void theMostReplicasBoundThePlan()
    {
        const auto planned = [](std::int64_t most) {
            return plan(question([most](InferenceWorkload& w) { w.autoscale.max = most; })).value();
        };
        const PlanResult two = planned(2);
        for (const PlanOption& option : two.ranked)
            QVERIFY(servingReplicas(option.scenario) <= 2);
        QVERIFY(planned(1).ranked.empty() || servingReplicas(planned(1).ranked.front().scenario) == 1);
    }

    /// More than any hour needs run all day, and are paid for: the plan had fewer.
    void theFewestReplicasBoundThePlan()
    {
        const PlanRequest r = question([](InferenceWorkload& w) { w.autoscale.min = 6; });
        const PlanResult result = plan(r).value();
        QVERIFY(!result.ranked.empty());
        for (const PlanOption& option : result.ranked) {
            QVERIFY(servingReplicas(option.scenario) >= 6);
            const PreparedScenario s = deployed(r.base, option);
            QCOMPARE(s.inference.autoscale.min, std::optional<std::int64_t>(6));
            QVERIFY(checkSetup(s).empty());
            QVERIFY(evaluate(s).day == option.day);
        }
        const PlanOption& best = result.ranked.front();
        QCOMPARE(best.day->replicas, 6.0);
        const std::string note = "No deployment has fewer replicas than the 6 that are stated"; // why 5 GPUs fail
        QVERIFY(std::ranges::find(result.notes, note) != result.notes.end());
        QVERIFY(std::abs(*best.day->cost - 48 * double(best.scenario.hardware.count)) < 1e-9);
        QVERIFY(std::abs(*best.values[0] / *test::servingBruteForce(r).best - 1) < 1e-9);
        PlanRequest few = r;
        few.gpuCounts = {1, 5};
        const PlanResult none = plan(few).value();
        QVERIFY(none.ranked.empty());
        QCOMPARE(none.notes.back(),
                 std::string("No layout has 6 replicas, the fewest that are stated, on at most 5 GPUs"));
    }

    /// Users take the place of the load: its day, and the replicas that follow it, went without a word.
    void usersLeaveTheDayOutAndSaySo()
    {
        for (const bool scales : {false, true}) {
            PlanRequest r = question([scales](InferenceWorkload& w) {
                if (scales)
                    w.autoscale.min = 2;
            });
            r.users = PlanUsers{200, 10};
            const PlanResult result = plan(r).value();
            QVERIFY(!result.ranked.front().day);
            QVERIFY(result.notes.back().starts_with("The plan is for the users, who have no day"));
            QCOMPARE(result.notes.back().find("replicas") != std::string::npos, scales);
        }
    }

    /// In the table the ranking is seen to go by it.
    void theTableHasTheDay()
    {
        const PlanResult result = plan(question([](InferenceWorkload& w) { w.autoscale.min = 1; })).value();
        const PlanColumn& column = planColumns(Task::Inference)[1]; // beside the cost per hour
        QCOMPARE(column.id, std::string_view("cost_per_day"));
        double before = 0;
        for (const PlanOption& option : result.ranked) {
            QCOMPARE(column.value(option), option.day->cost);
            QVERIFY(*option.day->cost >= before);
            before = *option.day->cost;
        }
        QVERIFY(!column.value(plan(atPeak(question())).value().ranked.front()));
    }

    /// A million tokens cost what the day costs, over the day's tokens: it was the busiest hour's price.
    void aMillionTokensAreThoseOfTheDay()
    {
        const PlanResult result = plan(question([](InferenceWorkload& w) { w.autoscale.min = 1; })).value();
        const auto served = std::ranges::find(planColumns(Task::Inference), "cost_per_million_served", &PlanColumn::id);
        for (const PlanOption& option : result.ranked)
            QVERIFY(test::near(*served->value(option), *option.day->cost / (meanLoad * 86400 * 200) * 1e6, 1e-9));
    }

    void jsonHasTheDay()
    {
        const auto json = nlohmann::json::parse(planJson(plan(question()).value()));
        QCOMPARE(json["ranked"][0]["day"]["peak_requests_per_s"].get<double>(), meanLoad * highest);
        const auto plain = nlohmann::json::parse(planJson(plan(atPeak(question())).value()));
        QVERIFY(!plain["ranked"][0].contains("day"));
    }

    /// A row has what it was sized by: with the day and these keys a scenario has the replicas that the row was paid
    /// for, and without them others.
    void aRowHasWhatItScalesBy()
    {
        const PlanRequest r = question([](InferenceWorkload& w) { w.autoscale.min = 1; });
        const PlanResult result = plan(r).value();
        const auto row = nlohmann::json::parse(planJson(result))["ranked"][0];
        const PlanOption& best = result.ranked.front();
        const Autoscale& sized = deployed(r.base, best).inference.autoscale;
        const auto& keys = row["workload"]["autoscale"];
        QCOMPARE(keys["min"].get<std::int64_t>(), *sized.min);
        QCOMPARE(keys["max"].get<std::int64_t>(), *sized.max);
        QCOMPARE(keys["target_utilization"].get<double>(), *sized.target);
        QVERIFY(!keys.contains("lag_s"));
        const std::string csv = planCsv(Task::Inference, result.ranked);
        QVERIFY(csv.find(",autoscale_max,target_utilization,") != std::string::npos);
        QVERIFY(csv.find("," + std::to_string(*sized.max) + "," + exactNumber(*sized.target) + ",") !=
                std::string::npos);
        const auto still = nlohmann::json::parse(planJson(plan(question()).value()))["ranked"][0];
        QVERIFY(!still["workload"].contains("autoscale"));
    }
};
HEADROOM_TEST(TestPlanDay)

} // namespace headroom::test_plan_day
#include "test_plan_day.moc"
