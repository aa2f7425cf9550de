// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement belongs to its settings: in edits, in files, along sweeps and in words.
#include "core/scenario/measurement.hpp"

#include "core/charts/sweep_curves.hpp"
#include "core/comparison/other_measurement.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/swept.hpp"

#include <algorithm>

namespace headroom::test_measurement
{
namespace
{

Scenario published()
{
    const auto reading =
        readScenario(*embeddedFile("scenarios/03-llama-3.1-405b-128-h100.headroom"), Catalog::builtIn());
    return reading->scenario;
}

template <typename Change>
Scenario edited(const Scenario& before, Change change)
{
    Scenario after = before;
    change(after);
    return afterEdit(before, after);
}

Evaluation evaluated(const Scenario& scenario)
{
    return evaluate(*prepare(scenario, Catalog::builtIn(), Calibration::builtIn()));
}

} // namespace

class TestMeasurement : public QObject
{
    Q_OBJECT
private slots:
    void whatMovesOnLeavesItBehindAndFindsItAgain()
    {
        const Scenario run = published();
        QVERIFY(evaluated(run).observed && isMeasuredHere(run));
        const Scenario moved = edited(run, [](Scenario& s) { s.parallelism.tensor = 16; });
        QVERIFY(moved.measuredWith && moved.measured == run.measured && !isMeasuredHere(moved));
        QVERIFY(!evaluated(moved).observed);
        QCOMPARE(moved.source, run.source);
        const Scenario further = edited(moved, [](Scenario& s) { s.training.microBatch = 1; });
        QVERIFY(further.measuredWith == moved.measuredWith); // the run's, not the last
        QVERIFY(atMeasuredSettings(further) == run);
        const Scenario back = edited(moved, [](Scenario& s) { s.parallelism.tensor = 8; });
        QVERIFY(back == run);
    }

    void whatDecidesNoRunMovesNothing()
    {
        const Scenario run = published();
        const Scenario other = edited(run, [](Scenario& s) {
            s.name = "mine";
            s.notes = "a note";
            s.accounting = Convention::Exact;
            s.efficiency.matmul = 0.9;
            s.hardware.pricePerGpuHour = 3;
            s.training.trainingTokens = 1e12;
        });
        QVERIFY(isMeasuredHere(other));
        // What was left out and is now stated as it was meant is no other setting; another stack is another run.
        QVERIFY(isMeasuredHere(edited(run, [](Scenario& s) { s.training.gradients = Gradients::Fp32; })));
        QVERIFY(!isMeasuredHere(edited(run, [](Scenario& s) { s.training.software = TrainingSoftware::Tuned; })));
        const Scenario moved = edited(other, [](Scenario& s) { s.parallelism.tensor = 16; });
        const Scenario home = atMeasuredSettings(moved);
        QCOMPARE(home.efficiency.matmul, 0.9);
        QVERIFY(home.accounting == Convention::Exact);
    }

    /// A utilisation alone means nothing without its count.
    void aPublishedShareIsOfItsAccounting()
    {
        Scenario run = published();
        run.measured = {};
        run.measured.mfu = 0.3;
        QVERIFY(!isMeasuredHere(edited(run, [](Scenario& s) { s.accounting = Convention::Palm; })));
    }

    void whatIsStatedNowIsOfTheseSettings()
    {
        const Scenario moved = edited(published(), [](Scenario& s) { s.parallelism.tensor = 16; });
        const Scenario stated = edited(moved, [](Scenario& s) { s.measured.stepTimeS = 30; });
        QVERIFY(isMeasuredHere(stated));
        QVERIFY(!stated.measured.mfu && !stated.measured.peakTflops); // figures of the other run
        QCOMPARE(*evaluated(stated).observed->stepTimeS, 30.0);
        const Scenario fewer = edited(moved, [](Scenario& s) { s.measured.mfu.reset(); });
        QVERIFY(fewer.measuredWith && fewer.measured.any());
    }

    void anotherQuestionIsTheUsersOwn()
    {
        const Scenario run = published();
        const auto check = [&](auto change) {
            const Scenario own = edited(run, change);
            return own.name.empty() && own.notes.empty() && own.source.empty() && !own.year && !own.measured.any() &&
                   !own.measuredWith;
        };
        QVERIFY(check([](Scenario& s) { s.model = {"llama-3-70b", {}}; }));
        QVERIFY(check([](Scenario& s) { s.accelerator = {"h200-sxm-141gb", {}}; }));
        QVERIFY(check([](Scenario& s) { s.task = Task::Inference; }));
        const Scenario moved = edited(run, [](Scenario& s) { s.parallelism.tensor = 16; });
        QVERIFY(!edited(moved, [](Scenario& s) { s.model = {"llama-3-70b", {}}; }).measuredWith);
        // One's own scenario keeps its name, and what one measured with the model before is of that model.
        Scenario mine;
        mine.name = "mine";
        mine.measured.stepTimeS = 3;
        const Scenario other = edited(mine, [](Scenario& s) { s.model = {"llama-3-70b", {}}; });
        QCOMPARE(other.name, std::string("mine"));
        QVERIFY(other.measuredWith && other.measuredWith->model.id == "llama-3-8b");
    }

    /// "unknown" is refused in a file without a measurement.
    void unknownCheckpointingGoesWithTheMeasurement()
    {
        Scenario run = published();
        run.training.checkpointing = Checkpointing::Unknown;
        const auto opens = [](const Scenario& s) {
            return readScenario(writeScenario(s), Catalog::builtIn()).has_value();
        };
        QVERIFY(opens(run));
        QVERIFY(opens(withoutMeasurement(run)));
        QVERIFY(opens(edited(run, [](Scenario& s) { s.measured = {}; })));
        QVERIFY(opens(edited(run, [](Scenario& s) { s.model = {"llama-3-70b", {}}; })));
    }

    void theFileKeepsTheSettings()
    {
        const Scenario run = published();
        QVERIFY(writeScenario(run).find("measured_with") == std::string::npos); // as every release reads it
        const Scenario moved = edited(run, [](Scenario& s) {
            s.parallelism.tensor = 16;
            s.training.globalBatch = 64;
        });
        const auto read = readScenario(writeScenario(moved), Catalog::builtIn());
        QVERIFY(read && read->warnings.empty());
        QVERIFY(read->scenario == moved);
        QVERIFY(atMeasuredSettings(read->scenario) == run);
        const auto line = readScenario(writeScenarioLine(moved), Catalog::builtIn());
        QVERIFY(line && line->scenario == moved);
    }

    void badSettingsAreRefusedInTheirPlace()
    {
        const auto problem = [](const char* measuredWith) {
            const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
                "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {"task": "training"},
                "measured": {"step_time_s": 3}, "measured_with": )" +
                                               std::string(measuredWith) + "}",
                                           Catalog::builtIn());
            return read ? std::string() : read.error().front().path;
        };
        const std::string rest = R"("hardware": {"accelerator": "h200-sxm-141gb"}, "workload": {"task": "training"}})";
        QCOMPARE(problem((R"({"model": "llama-3-70b", )" + rest).c_str()), std::string());
        QCOMPARE(problem((R"({"model": "no-such", )" + rest).c_str()), std::string("/measured_with/model"));
        QCOMPARE(problem(R"({"model": "llama-3-8b", "hardware": {"accelerator": "h200-sxm-141gb", "count": 0},
                            "workload": {"task": "training"}})"),
                 std::string("/measured_with/hardware/count"));
        QCOMPARE(problem(R"({"model": "llama-3-8b", "hardware": {"accelerator": "nothing"},
                            "workload": {"task": "training"}})"),
                 std::string("/measured_with/hardware/accelerator"));
        QCOMPARE(problem(("{\"measured\": {}, \"model\": \"llama-3-8b\", " + rest).c_str()),
                 std::string("/measured_with/measured"));
        QCOMPARE(problem("7"), std::string("/measured_with"));
    }

    void settingsThatAreTheScenariosOwnSayNothing()
    {
        const auto read = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
            "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {"task": "training"},
            "measured": {"step_time_s": 3}, "measured_with": {"model": "llama-3-8b",
            "hardware": {"accelerator": "h100-sxm-80gb", "price_per_gpu_hour": 2},
            "workload": {"task": "training", "training_tokens": 1e9}}})",
                                       Catalog::builtIn());
        QVERIFY(read && isMeasuredHere(read->scenario));
        const auto alone = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
            "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {"task": "training"},
            "measured_with": {"model": "llama-3-8b",
            "hardware": {"accelerator": "h200-sxm-141gb"}, "workload": {"task": "training"}}})",
                                        Catalog::builtIn());
        QVERIFY(alone && !alone->scenario.measuredWith && alone->warnings.size() == 1);
        QCOMPARE(alone->warnings.front().path, std::string("/measured_with"));
    }

    /// 16 sequences took 30 s; nobody measured what 512 take.
    void aSweepObservesItsOwnPointAlone()
    {
        const auto prepared = *prepare(published(), Catalog::builtIn(), Calibration::builtIn());
        const ParameterRow& row = *parameterRow("tensor", Task::Training);
        const std::vector<double> values{2, 4, 8, 16};
        for (const auto& point : test::swept(prepared, row, values))
            QCOMPARE(metricRow("observed.mfu")->value(point.evaluation).has_value(), point.value == 8);
        Setup along = prepared;
        setAlong(along, row, 16, prepared);
        QVERIFY(!along.measured.any());
        setAlong(along, row, 8, prepared);
        QVERIFY(along == prepared.setup());
        const ParameterRow& efficiency = *parameterRow("efficiency_matmul", Task::Training);
        for (const auto& point : test::swept(prepared, efficiency, std::vector{0.8, 1.0}))
            QVERIFY(point.evaluation.observed);
    }

    void wordsNameWhatDiffers()
    {
        const auto words = [](const Scenario& s) {
            const auto other = otherMeasurement(s, Catalog::builtIn(), Calibration::builtIn());
            return other ? other->sentence() : std::string();
        };
        const Scenario run = published();
        QCOMPARE(words(run), std::string());
        const Scenario moved = edited(run, [](Scenario& s) {
            s.parallelism.tensor = 16;
            s.parallelism.sharding = Sharding::Zero1;
        });
        const std::string text = words(moved);
        QVERIFY2(text.starts_with("Measured with tensor parallel 8, sharding FSDP"), text.c_str());
        QVERIFY2(text.find("MFU ") != std::string::npos, text.c_str());
        Scenario mine;
        mine.task = Task::Inference;
        mine.measured.tpotS = 0.02;
        const Scenario other = edited(mine, [](Scenario& s) { s.accelerator = {"h200-sxm-141gb", {}}; });
        QVERIFY2(words(other).starts_with("Measured with H100 SXM5 80GB: TPOT 20"), words(other).c_str());
        const Scenario far = edited(run, [](Scenario& s) {
            s.parallelism.tensor = 16;
            s.training.microBatch = 1;
            s.training.sequenceLength = 4096;
            s.training.checkpointing = Checkpointing::None;
            s.training.optimizer = Optimizer::Sgd;
        });
        QVERIFY2(words(far).find(" and 2 more: ") != std::string::npos, words(far).c_str());
    }
};
HEADROOM_TEST(TestMeasurement)

} // namespace headroom::test_measurement
#include "test_measurement.moc"
