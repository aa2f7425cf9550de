// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::test_parameter_registry
{

class TestParameterRegistry : public QObject
{
    Q_OBJECT
private slots:
    void rowsAreComplete()
    {
        std::set<std::string_view> ids;
        for (const ParameterRow& row : parameterRegistry()) {
            const char* name = row.id.data(); // ids are literals
            QVERIFY2(ids.insert(row.id).second, name);
            QVERIFY2(row.path.starts_with('/'), name);
            QVERIFY2(!row.label.empty() && !row.description.empty() && row.description.ends_with('.'), name);
            QVERIFY2(row.training || row.inference, name);
            QVERIFY2(row.applies && row.get && row.set && row.isSet && row.reset, name);
            QVERIFY2(row.minimum <= row.sliderMinimum && row.sliderMinimum < row.sliderMaximum, name);
            QVERIFY2(row.sliderMaximum <= row.maximum, name);
            QVERIFY2(row.scale != ParameterScale::Log || row.sliderMinimum > 0, name);
            QCOMPARE(row.kind == ParameterKind::Choice, !row.choices.empty());
            QVERIFY2(std::is_sorted(row.snaps.begin(), row.snaps.end()), name);
        }
    }

    /// "0 B to 1 EB": the least memory that somebody can have measured is not nothing.
    void noBytesAreALimit()
    {
        for (const ParameterRow& row : parameterRegistry())
            if (row.format == ValueFormat::Bytes && row.minimum > 0)
                QVERIFY2(!parameterText(row, row.minimum).starts_with('0'), row.id.data());
    }

    void whatIsSetIsRead()
    {
        for (const ParameterRow& row : parameterRegistry()) {
            if (row.id == "lora_targets")
                continue; // "custom" keeps the bits it finds
            for (const double share : {0.0, 0.3, 1.0}) {
                Setup setup;
                setup.task = row.training ? Task::Training : Task::Inference;
                setup.training.sequenceLength = 16777216; // an upper bound of packed samples
                double value = row.sliderMinimum + share * (row.sliderMaximum - row.sliderMinimum);
                if (row.kind != ParameterKind::Real)
                    value = std::round(value);
                row.set(setup, value);
                QVERIFY2(std::abs(row.get(setup) - value) < 1e-9 * std::max(1.0, value), row.id.data());
                QVERIFY2(!parameterText(row, value).empty(), row.id.data());
                if (row.optional)
                    QVERIFY2(row.isSet(setup), row.id.data());
                Setup fresh;
                fresh.task = setup.task;
                fresh.training.sequenceLength = setup.training.sequenceLength;
                const bool lengthItself = row.id == "sequence_length";
                row.reset(setup);
                QVERIFY2(lengthItself || setup == fresh, row.id.data());
                QVERIFY2(!row.isSet(setup), row.id.data());
            }
        }
    }

    void pathsFindTheRowOfTheTask()
    {
        QCOMPARE(parameterRow("software", Task::Training)->id, std::string_view("software"));
        QCOMPARE(parameterRow("software", Task::Inference)->id, std::string_view("engine"));
        QCOMPARE(parameterRow("parallelism.tensor", Task::Training)->id, std::string_view("tensor"));
        QCOMPARE(parameterRow("/workload/lora/rank", Task::Training)->id, std::string_view("lora_rank"));
        QVERIFY(!parameterRow("micro_batch", Task::Inference));
        QCOMPARE(parameterRow("batch", Task::Inference)->id, std::string_view("batch"));
        QVERIFY(!parameterRow("batch", Task::Training)); // a rollout pool's path ends so, too
        QVERIFY(!parameterRow("no such key", Task::Training));
    }

    void automaticValuesFollowTheScenario()
    {
        Setup setup;
        setup.hardware.count = 64;
        setup.parallelism.tensor = 8;
        setup.training.microBatch = 2;
        QCOMPARE(dataParallelRanks(setup), 8);
        QCOMPARE(parameterRow("global_batch")->get(setup), 16.0);
        QCOMPARE(effectiveSharding(setup), Sharding::Fsdp);
        QVERIFY(effectiveSequenceParallel(setup));
        setup.task = Task::Inference;
        QCOMPARE(effectiveSharding(setup), Sharding::None);
        QCOMPARE(servingReplicas(setup), 8);
        setup.hardware.count = 4; // fewer GPUs than ranks: still one replica, prepare() refuses it
        QCOMPARE(servingReplicas(setup), 1);
    }

    void aLoneThingIsNoPlural()
    {
        QCOMPARE(parameterText(*parameterRow("micro_batch"), 1), std::string("1\u202Fsequence"));
        QCOMPARE(parameterText(*parameterRow("micro_batch"), 2), std::string("2\u202Fsequences"));
        QCOMPARE(parameterText(*parameterRow("autoscale_max"), 1), std::string("1\u202Freplica"));
        QCOMPARE(parameterText(*parameterRow("count"), 1), std::string("1\u202FGPU"));
    }

    void fieldsOfOneTaskLeaveTheOtherAlone()
    {
        Setup setup;
        setup.task = Task::Inference;
        parameterRow("flash_attention")->set(setup, 0);
        QCOMPARE(setup.inference.flashAttention, FlashAttention::Off);
        QCOMPARE(setup.training.flashAttention, FlashAttention::On);
    }
};
HEADROOM_TEST(TestParameterRegistry)

} // namespace headroom::test_parameter_registry
#include "test_parameter_registry.moc"
