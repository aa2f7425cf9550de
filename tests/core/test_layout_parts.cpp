// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts that software does not have: a note where one is stated, and no plan, remedy or next step that asks for one.
#include "core/explore/advice.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/explore/warning_parameter.hpp"
#include "core/plan/planner.hpp"
#include "core/runs/measured_run.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"
#include "core/scenario/scenario_names.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>

namespace headroom::test_layout_parts
{

using test::serving;
using test::trainingCase;

class TestLayoutParts : public QObject
{
    Q_OBJECT

    static PreparedScenario training(TrainingSoftware software, std::int64_t gpus = 8)
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", gpus);
        p.training.software = software;
        p.training.sequenceLength = 4096;
        p.training.globalBatch = 64;
        return p;
    }
    static bool isNoted(const PreparedScenario& p) { return evaluate(p).warnings.has(WarningCode::SoftwareLacks); }

private Q_SLOTS:
    /// What somebody measured, the software had.
    void noPublishedRunIsSaidToBeImpossible()
    {
        for (const MeasuredRun& run : *publishedRuns())
            QVERIFY2(
                !run.evaluation.warnings.has(WarningCode::SoftwareLacks),
                (run.name + ": " + softwareName(run.prepared) + ", " + partsText(lackedParts(run.prepared))).c_str());
    }

    void aStatedLayoutHasANote()
    {
        PreparedScenario p = training(TrainingSoftware::TorchDdp);
        QVERIFY(!isNoted(p));
        p.parallelism.tensor = 2;
        QVERIFY(isNoted(p));
        QCOMPARE(partsText(lackedParts(p)), std::string("tensor parallelism"));
        QCOMPARE(warningParameter(WarningCode::SoftwareLacks, p)->id, std::string_view("tensor"));
        p.training.software = TrainingSoftware::TorchFsdp;
        QVERIFY(!isNoted(p));
        p = training(TrainingSoftware::Unsloth);
        p.parallelism.pipeline = 2;
        p.parallelism.virtualPipeline = 2;
        QCOMPARE(partsText(lackedParts(p)), std::string("pipeline stages, interleaved pipelines"));
        p = serving("mixtral-8x7b", "h100-sxm-80gb", 2, [](Scenario& s) {
            s.inference.software = InferenceSoftware::LlamaCpp;
            s.parallelism.expert = 2;
        });
        QVERIFY(isNoted(p));
        QCOMPARE(partsText(lackedParts(p)), std::string("expert parallelism"));
        p.inference.software = InferenceSoftware::Sglang;
        QVERIFY(!isNoted(p));
    }

    void unstatedShardingIsWhatTheSoftwareHas()
    {
        using enum TrainingSoftware;
        QCOMPARE(effectiveSharding(training(TorchDdp)), Sharding::None);
        QCOMPARE(effectiveSharding(training(Nanotron)), Sharding::Zero1);
        QCOMPARE(effectiveSharding(training(DeepSpeed)), Sharding::Fsdp);
        QCOMPARE(effectiveSharding(training(Tuned)), Sharding::Fsdp);
        PreparedScenario pipelined = training(DeepSpeed);
        pipelined.parallelism.pipeline = 2;
        QCOMPARE(effectiveSharding(pipelined), Sharding::Zero1);
        QVERIFY(!isNoted(pipelined));
    }

    /// Ranks one to three of each were layouts that the stack does not have.
    void noPlanAsksForWhatTheSoftwareLacks()
    {
        for (const auto& software : names::trainingSoftware) {
            PlanRequest request;
            request.base = training(software.value);
            request.gpuCounts = {16};
            request.objective = PlanObjective::Time;
            const auto found = plan(request);
            QVERIFY2(found && !found->ranked.empty(), software.id.data());
            for (const PlanOption& option : found->ranked)
                QVERIFY2(!lackedParts(option.scenario).any(), software.id.data());
            const bool says = std::ranges::any_of(
                found->notes, [](const std::string& note) { return note.find("not tried") != std::string::npos; });
            QCOMPARE(says, missingParts(request.base, 1).any());
        }
    }

    void noServingPlanAsksForWhatTheEngineLacks()
    {
        for (const auto& software : names::inferenceSoftware) {
            PlanRequest request;
            request.base = serving("mixtral-8x7b", "h100-sxm-80gb", 1,
                                   [&](Scenario& s) { s.inference.software = software.value; });
            request.gpuCounts = {4};
            request.objective = PlanObjective::Time;
            const auto found = plan(request);
            QVERIFY2(found && !found->ranked.empty(), software.id.data());
            for (const PlanOption& option : found->ranked)
                QVERIFY2(!lackedParts(option.scenario).any(), software.id.data());
        }
    }

    void noRemedyAsksForWhatTheSoftwareLacks()
    {
        for (const auto software : {TrainingSoftware::Unsloth, TrainingSoftware::TorchDdp, TrainingSoftware::LitGpt}) {
            PreparedScenario p = training(software);
            p.training.sequenceLength = 32768;
            const Evaluation e = evaluate(p);
            QVERIFY(!allFits(e));
            for (const Advice& advice : remedies(p, e, 10)) {
                PreparedScenario after = p;
                applyEdits(after, advice.edits);
                QVERIFY2(!lackedParts(after).any(), advice.change.c_str());
            }
            for (const SensitivityStep& step : sensitivity(p, e, *metricRow("step_time_s")))
                QVERIFY2(!step.evaluation.warnings.has(WarningCode::SoftwareLacks), step.row->id.data());
        }
    }
};

HEADROOM_TEST(TestLayoutParts)

} // namespace headroom::test_layout_parts
#include "test_layout_parts.moc"
