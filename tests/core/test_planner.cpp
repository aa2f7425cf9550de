// SPDX-License-Identifier: GPL-3.0-or-later
// The planner against brute force: every combination of sizes is tried here, by rules written down a second time.
#include "core/catalog/catalog.hpp"
#include "core/plan/planner.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/near.hpp"
#include "tests/support/planner_brute_force.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <chrono>

namespace headroom::test_planner
{

using test::bruteForce;
using test::BruteForce;
using test::Figures;
using test::keepsItsWord;
using test::near;
using test::planBase;

namespace
{

Figures figuresOf(const PlanOption& option, PlanObjective objective)
{
    const auto value = [&](PlanObjective o) { return option.values[static_cast<std::size_t>(o)].value_or(-1); };
    return {value(objective), option.evaluation.warnings.has(WarningCode::MemoryMayNotFit) ? 1.0 : 0.0,
            value(PlanObjective::Time), value(PlanObjective::Gpus)};
}

/// Serving: the best is the best of all batches and replicas, and what is answered keeps its word. The whole ranking is
/// compared where a layout is in it once: with its batch held.
void compareServing(const PlanRequest& request)
{
    const auto found = plan(request);
    RC_ASSERT(found.has_value());
    const BruteForce truth = bruteForce(request);
    RC_CLASSIFY(truth.best.has_value(), "has an answer");
    RC_ASSERT(found->counts.decided() == found->counts.configurations);
    RC_ASSERT(found->ranked.empty() == !truth.best || (truth.isBound && !truth.best));
    for (const auto& options : {found->ranked, found->front})
        for (const PlanOption& option : options)
            RC_ASSERT(keepsItsWord(request, option));
    const auto objective = [&](const PlanOption& o) { return *o.values[static_cast<std::size_t>(request.objective)]; };
    RC_ASSERT(std::ranges::is_sorted(found->ranked, {}, objective));
    if (truth.best) {
        RC_LOG() << layoutText(found->ranked.front()) << ": " << objective(found->ranked.front()) << ", the best is "
                 << *truth.best << ", objective " << static_cast<int>(request.objective) << ", scheduling "
                 << static_cast<int>(request.base.inference.scheduling) << "\n";
        const double best = objective(found->ranked.front());
        RC_ASSERT(near(best, *truth.best) || (truth.isBound && best < *truth.best));
    }
    if (request.free.has(PlanDimension::Batch))
        return;
    RC_ASSERT(found->counts.configurations == truth.configurations);
    RC_ASSERT(found->ranked.size() == std::min(truth.ranked.size(), request.top));
    for (std::size_t i = 0; i < found->ranked.size(); ++i)
        RC_ASSERT(near(objective(found->ranked[i]), truth.ranked[i][0]));
}

void compare(const PlanRequest& request)
{
    const auto found = plan(request);
    RC_ASSERT(found.has_value());
    const BruteForce truth = bruteForce(request);
    RC_LOG() << truth.configurations << " configurations, " << truth.ranked.size() << " feasible, "
             << found->counts.evaluated << " evaluated\n";
    RC_CLASSIFY(!truth.ranked.empty(), "has an answer");
    RC_ASSERT(found->counts.configurations == truth.configurations);
    RC_ASSERT(found->counts.decided() == truth.configurations);
    RC_ASSERT(found->ranked.size() == std::min(truth.ranked.size(), request.top));
    for (std::size_t i = 0; i < found->ranked.size(); ++i)
        RC_ASSERT(figuresOf(found->ranked[i], request.objective) == truth.ranked[i]);
    std::vector<std::array<double, 2>> front;
    for (const PlanOption& option : found->front)
        front.push_back({*option.values[static_cast<std::size_t>(request.front[0])],
                         *option.values[static_cast<std::size_t>(request.front[1])]});
    RC_ASSERT(front == truth.front);
}

PlanDimensions someFree()
{
    PlanDimensions free = PlanDimensions::all();
    for (unsigned d = 0; d < planDimensionCount; ++d)
        if (*rc::gen::inRange(0, 4) == 0)
            free = free.lock(static_cast<PlanDimension>(d));
    return free;
}

template <typename T>
T oneOf(std::initializer_list<T> values)
{
    return *rc::gen::elementOf(std::vector<T>(values));
}

constexpr std::initializer_list<PlanObjective> everyObjective{
    PlanObjective::Cost, PlanObjective::Time, PlanObjective::Energy, PlanObjective::Gpus, PlanObjective::Mfu};

} // namespace

class TestPlanner : public QObject
{
    Q_OBJECT
private slots:
    void trainingAgreesWithBruteForce()
    {
        QVERIFY(rc::check("training", [] {
            PlanRequest request;
            request.base = planBase(oneOf<const char*>({"llama-3-8b", "gpt-3-xl", "gpt-3-xl", "qwen1.5-moe-a2.7b"}),
                                    oneOf<const char*>({"h100-sxm-80gb", "a100-sxm-40gb"}), Task::Training);
            TrainingWorkload& w = request.base.training;
            w.sequenceLength = oneOf<std::int64_t>({1024, 8192});
            if (*rc::gen::inRange(0, 3) > 0)
                w.globalBatch = oneOf<std::int64_t>({4, 8, 24});
            w.trainingTokens = 1e10;
            w.method = oneOf({Method::Full, Method::Full, Method::Lora});
            w.checkpointing = oneOf({Checkpointing::None, Checkpointing::Full});
            if (*rc::gen::inRange(0, 3) == 0) { // failures: the calendar is longer than the steps, and spares cost
                w.reliability.gpuMtbfHours = oneOf({1e3, 5e4});
                w.reliability.restartS = oneOf({600.0, 2e5});
                w.reliability.spares = oneOf<std::int64_t>({0, 2});
                w.reliability.stragglerSigma = oneOf({0.0, 0.3});
                w.reliability.maintenance = oneOf({0.0, 0.1});
            }
            request.gpuCounts = oneOf<std::vector<std::int64_t>>({{8}, {1, 2, 4}, {4, 12}, {6}});
            request.free = someFree();
            request.objective = oneOf(everyObjective);
            request.front = {oneOf(everyObjective), oneOf(everyObjective)};
            request.top = oneOf<std::size_t>({1, 5, 20});
            request.threads = oneOf({1u, 2u, 3u});
            if (*rc::gen::inRange(0, 3) == 0)
                request.limits.deadlineS = oneOf({2e4, 1e5, 1e6});
            if (*rc::gen::inRange(0, 4) == 0)
                request.limits.costToTrain = oneOf({100.0, 500.0, 5000.0});
            if (*rc::gen::inRange(0, 5) == 0)
                request.limits.costPerHour = 12;
            compare(request);
        }));
    }

    void servingAgreesWithBruteForce()
    {
        QVERIFY(rc::check("serving", [] {
            compareServing(servingProblem());
            compareServing(servingProblem()); // two a time: 200 a run
        }));
    }
    static PlanRequest servingProblem()
    {
        PlanRequest request;
        request.base = planBase(oneOf<const char*>({"llama-3-8b", "llama-2-70b", "mixtral-8x7b"}),
                                oneOf<const char*>({"h100-sxm-80gb", "a100-sxm-40gb"}), Task::Inference);
        InferenceWorkload& w = request.base.inference;
        w.promptTokens = oneOf<std::int64_t>({4000, 9000, 30000});
        w.outputTokens = oneOf<std::int64_t>({64, 256, 1000});
        w.batch = oneOf<std::int64_t>({1, 8, 20});
        w.scheduling =
            oneOf({Scheduling::Continuous, Scheduling::Continuous, Scheduling::Static, Scheduling::Disaggregated});
        w.software = oneOf({InferenceSoftware::Tuned, InferenceSoftware::Vllm, InferenceSoftware::TrtLlm});
        if (*rc::gen::inRange(0, 3) > 0)
            w.requestsPerS = oneOf({0.05, 0.2, 0.5, 2.0});
        else if (w.scheduling == Scheduling::Continuous && *rc::gen::inRange(0, 2) == 0)
            request.users = PlanUsers{oneOf({1.0, 12.0, 40.0}), oneOf({0.0, 20.0})};
        if (request.users && request.users->count == 1) // without a pause all of one place: a last digit would decide
            request.users->thinkS = 20;
        if (request.users) // each costs a search of its own here: few batches fit
            w.promptTokens = 30000;
        if (*rc::gen::inRange(0, 3) == 0)
            w.promptTokensP95 = w.promptTokens * oneOf({1, 3});
        if (*rc::gen::inRange(0, 3) == 0)
            w.ttftTargetS = oneOf({0.7, 1.5, 4.0, 10.0});
        if (*rc::gen::inRange(0, 3) == 0)
            w.tpotTargetS = oneOf({0.02, 0.035, 0.05, 0.1});
        request.gpuCounts = oneOf<std::vector<std::int64_t>>({{8}, {1, 2, 4}, {2, 6}, {1, 8}});
        request.exactCounts = *rc::gen::inRange(0, 4) == 0;
        request.free = someFree();
        if (*rc::gen::inRange(0, 4) > 0)
            request.free = request.free.release(PlanDimension::Tensor); // else most models fit nowhere
        if (*rc::gen::inRange(0, 12) > 0)                               // each format multiplies what is tried
            request.free = request.free.lock(PlanDimension::Precision).lock(PlanDimension::KvCache);
        request.objective = oneOf(everyObjective);
        request.front = {oneOf(everyObjective), oneOf(everyObjective)};
        request.top = oneOf<std::size_t>({1, 5, 20});
        request.threads = oneOf({1u, 2u});
        if (*rc::gen::inRange(0, 4) == 0)
            request.limits.costPerHour = oneOf({6.0, 20.0});
        return request;
    }

    /// A load so small that one place serves it: a second costs energy, and all larger batches are alike.
    void onePlaceIsEnoughForASmallLoad()
    {
        PlanRequest request;
        request.base = planBase("mixtral-8x7b", "h100-sxm-80gb", Task::Inference);
        InferenceWorkload& w = request.base.inference;
        w.promptTokens = w.promptTokensP95.emplace(4000);
        w.outputTokens = 256;
        w.requestsPerS = 0.05;
        w.scheduling = Scheduling::Disaggregated;
        request.gpuCounts = {2};
        request.free = PlanDimensions::none().release(PlanDimension::Tensor).release(PlanDimension::Batch);
        request.objective = PlanObjective::Energy;
        QCOMPARE(plan(request)->ranked.front().scenario.inference.batch, 1);
        compareServing(request);
    }

    void replicasGrowUntilTheWaitIsShortEnough()
    {
        QVERIFY(rc::check("waits", [] {
            PlanRequest request;
            request.base = planBase("llama-3-8b", "a100-sxm-40gb", Task::Inference);
            request.base.inference.batch = 1 + *rc::gen::inRange(0, 40);
            request.base.inference.requestsPerS = 0.1 * *rc::gen::inRange(1, 200);
            request.base.inference.ttftTargetS = 0.01 * *rc::gen::inRange(10, 300);
            request.gpuCounts = {1, 40};
            request.free = PlanDimensions::none().release(PlanDimension::Replicas);
            request.objective = PlanObjective::Gpus;
            compareServing(request);
        }));
    }

    /// A deadline that steps without a failure meet is missed by a calendar with restarts: more GPUs are needed.
    void theDeadlineIsOfTheCalendar()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        request.base.hardware.pricePerGpuHour = 2;
        request.base.training.trainingTokens = 1e10;
        request.gpuCounts = {8, 16, 32};
        request.objective = PlanObjective::Gpus;
        const auto fastest = plan(request);
        QVERIFY(fastest && !fastest->ranked.empty());
        QCOMPARE(fastest->ranked.front().scenario.hardware.count, 8);
        request.objective = PlanObjective::Time;
        request.gpuCounts = {8};
        const double steps = *plan(request)->ranked.front().evaluation.secondsToTrain;
        request.gpuCounts = {8, 16, 32};
        request.objective = PlanObjective::Gpus;
        request.limits.deadlineS = 1.2 * steps;
        QCOMPARE(plan(request)->ranked.front().scenario.hardware.count, 8);
        request.base.training.reliability.maintenance = 0.3; // steps ÷ 0.7: more than a fifth longer
        const auto counted = plan(request);
        QVERIFY(counted && !counted->ranked.empty());
        QCOMPARE(counted->ranked.front().scenario.hardware.count, 16);
        QVERIFY(*counted->ranked.front().evaluation.secondsToTrain <= 1.2 * steps);
        QVERIFY(keepsItsWord(request, counted->ranked.front()));
    }

    /// Audit case d4: 20 sequences carry it on two GPUs, and 16 and 24 do not.
    void theBatchIsNotOneOfAList()
    {
        PlanRequest request;
        request.base = planBase("llama-3-70b", "h100-sxm-80gb", Task::Inference);
        request.base.hardware.pricePerGpuHour = 1;
        InferenceWorkload& w = request.base.inference;
        w.requestsPerS = 1.5;
        w.ttftTargetS = 1;
        w.tpotTargetS = 0.035;
        request.gpuCounts = {1, 2, 4, 8, 16};
        const auto result = plan(request);
        QVERIFY(result && !result->ranked.empty());
        QCOMPARE(result->ranked.front().scenario.hardware.count, 2);
        QCOMPARE(*result->ranked.front().evaluation.costPerHour, 2.0);
        QVERIFY(keepsItsWord(request, result->ranked.front()));
        w.requestsPerS.reset(); // alone, the largest batch that meets them, and no larger
        const auto full = plan(request);
        PlanOption next = full->ranked.front();
        QVERIFY(keepsItsWord(request, next));
        ++next.scenario.inference.batch;
        next.evaluation = evaluate(next.scenario);
        QVERIFY(!keepsItsWord(request, next));
    }

    /// Batches 880, 879, 877, 873 … of one layout filled the ranking: four lines that differ by a sequence.
    void theRankingIsNotFilledByNeighbours()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Inference);
        request.gpuCounts = {1};
        request.free = PlanDimensions::none().release(PlanDimension::Batch);
        const auto result = plan(request);
        QVERIFY(result->ranked.size() > 3);
        int close = 0;
        for (const PlanOption& one : result->ranked)
            for (const PlanOption& other : result->ranked) {
                const auto a = double(one.scenario.inference.batch), b = double(other.scenario.inference.batch);
                close += a > b && a < 1.05 * b ? 1 : 0;
            }
        QVERIFY2(close <= 1, qPrintable(QString::number(close))); // the best beside the largest
    }

    void shortRequestsMaySpreadOverContextRanks()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Inference);
        request.gpuCounts = {8};
        request.objective = PlanObjective::Time;
        request.free = PlanDimensions::none().release(PlanDimension::Context);
        const auto result = plan(request);
        QCOMPARE(result->ranked.size(), std::size_t(4)); // 1, 2, 4, 8 ranks of at most 1,280 tokens together
    }

    void answersAlikeWhateverTheThreads()
    {
        PlanRequest request;
        request.base = planBase("gpt-3-175b", "h100-sxm-80gb", Task::Training);
        request.base.training.globalBatch = 64;
        request.gpuCounts = {32, 64};
        request.objective = PlanObjective::Time;
        std::string first;
        for (const unsigned threads : {1u, 2u, 4u, 7u}) {
            request.threads = threads;
            auto result = plan(request);
            QVERIFY(result.has_value());
            QCOMPARE(result->counts.decided(), result->counts.configurations);
            QCOMPARE(result->ranked.size(), request.top);
            result->counts = {}; // which bound was first is a matter of luck
            const std::string text = planJson(*result);
            if (first.empty())
                first = text;
            QVERIFY(text == first);
        }
    }

    void stopsWhenAsked()
    {
        PlanRequest request;
        request.base = planBase("gpt-3-175b", "h100-sxm-80gb", Task::Training);
        request.gpuCounts = {512, 1024, 2048};
        std::stop_source source;
        int reports = 0;
        const auto result = plan(request, source.get_token(), [&](const PlanProgress& progress) {
            QVERIFY(progress.share > 0 && progress.share < 1);
            ++reports;
            source.request_stop();
        });
        QVERIFY(result.has_value());
        QVERIFY(reports >= 1);
        QVERIFY(result->cancelled);
        QVERIFY(result->counts.decided() > 0);
        QVERIFY(result->counts.unseen() > 0 && result->counts.unseen() < result->counts.configurations);
        const QString note = QString::fromStdString(result->notes.front());
        QVERIFY2(note.startsWith(QStringLiteral("Stopped: ")) && note.contains(QStringLiteral("were not tried")),
                 qPrintable(note));
    }

    /// However early it is stopped, it knows how large the space is.
    void whatIsUnseenIsTheRest()
    {
        PlanRequest request;
        request.base = planBase("llama-3-8b", "h100-sxm-80gb", Task::Training);
        request.base.training.globalBatch = 64;
        request.gpuCounts = {8, 16};
        const auto whole = plan(request);
        QCOMPARE(whole->counts.unseen(), std::uint64_t(0));
        QVERIFY(!whole->cancelled && !whole->notes.front().starts_with("Stopped"));
        std::stop_source stopped;
        stopped.request_stop();
        const auto none = plan(request, stopped.get_token());
        QCOMPARE(none->counts.configurations, whole->counts.configurations);
        QCOMPARE(none->counts.unseen(), whole->counts.configurations);
        QVERIFY(none->cancelled && none->ranked.empty());
    }

    void firstResultsComeEarly()
    {
        using Clock = std::chrono::steady_clock;
        PlanRequest request;
        request.base = planBase("gpt-3-175b", "h100-sxm-80gb", Task::Training);
        request.base.training.globalBatch = 64;
        request.gpuCounts = {64};
        request.free = PlanDimensions::all();
        const auto start = Clock::now();
        std::optional<Clock::duration> first;
        std::size_t shown = 0;
        const auto result = plan(request, {}, [&](const PlanProgress& progress) {
            shown = std::max(shown, progress.best.size());
            if (!first && !progress.best.empty())
                first = Clock::now() - start;
        });
        QVERIFY(result && first && shown > 0);
        QVERIFY2(*first < std::chrono::seconds(1) * test::timesSlower,
                 "100 ms is the aim; a loaded test machine gets ten times that");
    }
};
HEADROOM_TEST(TestPlanner)

} // namespace headroom::test_planner
#include "test_planner.moc"
