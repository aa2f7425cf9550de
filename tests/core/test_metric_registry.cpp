// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_registry.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <set>

namespace headroom::test_metric_registry
{
namespace
{
/// An evaluation in which every optional figure has a value, so that a row that reads the wrong task's is seen.
Evaluation fullEvaluation()
{
    Evaluation e;
    e.mfu = 0.41;
    e.hfu = 0.52;
    e.mbu = 0.33;
    e.prefill = PrefillResult{0.2, 0.45};
    e.tpotS = 0.025;
    e.capacityBytes = 80e9;
    e.usedBytes = 60e9;
    e.queue = QueueResult{0.7, 0.1, 0.4, 2};
    e.observed = Observed{0.4, 0.5, 0.3, 1.5, 2100, 0.2, 900, 50e9};
    e.part(MemoryPart::KvCache) = 7e9;
    return e;
}
double valueOf(std::string_view id, const Evaluation& e)
{
    return metricRow(id)->value(e).value_or(-1);
}
} // namespace

class TestMetricRegistry : public QObject
{
    Q_OBJECT
private slots:
    void rowsAreComplete()
    {
        std::set<std::string_view> ids;
        for (const MetricRow& row : metricRegistry()) {
            QVERIFY2(ids.insert(row.id).second, row.id.data());
            QVERIFY(!row.label.empty() && !row.longName.empty() && !row.definition.empty() && !row.formula.empty());
            QVERIFY2(row.training || row.inference, row.id.data());
            QVERIFY(row.value && row.limit && row.derive);
            QVERIFY2(row.definition.ends_with('.'), row.id.data());
        }
    }

    void everyTaskHasSixOrSevenTiles()
    {
        for (const Task task : {Task::Training, Task::Inference}) {
            const auto tiles = std::ranges::count_if(metricRegistry(), [task](const MetricRow& row) {
                return row.tile && !row.tileWhenDefined && appliesTo(row, task);
            });
            QVERIFY(tiles == 6 || tiles == 7);
        }
    }

    void valuesComeFromTheirFields()
    {
        const Evaluation e = fullEvaluation();
        QCOMPARE(valueOf("mfu", e), 0.41);
        QCOMPARE(valueOf("prefill.mfu", e), 0.45);
        QCOMPARE(valueOf("tokens_per_s_per_user", e), 40.0);
        QCOMPARE(valueOf("memory.share", e), 0.75);
        QCOMPARE(valueOf("memory.free_bytes", e), 20e9);
        QCOMPARE(valueOf("memory.kv_cache", e), 7e9);
        QCOMPARE(valueOf("queue.p95_wait_s", e), 0.4);
        QCOMPARE(valueOf("observed.mfu", e), 0.4);
        QVERIFY(metricRow("no_such_figure") == nullptr);
    }

    void whatIsUndefinedIsEmpty()
    {
        const Evaluation empty;
        for (const std::string_view id : {"mfu", "observed.mfu", "queue.utilization", "prefill.time_s", "memory.share",
                                          "tokens_per_s_per_user", "cost.per_hour"})
            QVERIFY2(!metricRow(id)->value(empty), id.data());
    }

    void barsEndAtTheLimit()
    {
        Setup setup;
        setup.inference.tpotTargetS = 0.033;
        const Evaluation e = fullEvaluation();
        QCOMPARE(metricRow("mfu")->limit(setup, e), std::optional(1.0));
        QCOMPARE(metricRow("memory.used_bytes")->limit(setup, e), std::optional(80e9));
        QCOMPARE(metricRow("tpot_s")->limit(setup, e), std::optional(0.033));
        QVERIFY(!metricRow("ttft_s")->limit(setup, e));
    }
};
HEADROOM_TEST(TestMetricRegistry)

} // namespace headroom::test_metric_registry
#include "test_metric_registry.moc"
