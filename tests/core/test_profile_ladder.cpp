// SPDX-License-Identifier: GPL-3.0-or-later
// What stands as "unexplained" between the predicted and the measured MFU lies in the parts of a profile.
#include "core/charts/chart_registry.hpp"
#include "core/profile/profile_comparison.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_profile_ladder
{
namespace
{

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-12;
}

Series gapOf(const ChartContext& context)
{
    const ChartSpec spec = chartRow("loss_ladder")->build(context);
    const auto gap = std::ranges::find(spec.series, std::string("unexplained"), &Series::id);
    return gap == spec.series.end() ? Series() : *gap;
}

} // namespace

class TestProfileLadder : public QObject
{
    Q_OBJECT
private slots:
    void theGapIsLaidToParts()
    {
        ChartContext context;
        context.scenario = test::serving("llama-3-8b", "h100-sxm-80gb", 8, [](Scenario& s) {
            s.task = Task::Training;
            s.parallelism.tensor = 1;
            s.training.sequenceLength = 8192;
            s.training.checkpointing = Checkpointing::None;
        });
        MeasuredProfile m; // as predicted, but for matmuls and the host
        for (const auto& part : profile::compareProfile({}, context.scenario, evaluate(context.scenario)).parts) {
            const double seconds = part.predictedS.value_or(0);
            (part.id == "matmul"                   ? m.matmulS
             : part.id == "attention"              ? m.attentionS
             : part.id == "memory_bound"           ? m.normS
             : part.id == "optimizer"              ? m.optimizerS
             : part.id == "sharding_communication" ? m.communicationS
                                                   : m.launchBoundS) += seconds;
        }
        m.allGatherS = m.communicationS;
        const double longer = 0.2 * m.matmulS;
        m.matmulS += longer;
        m.launchBoundS += 2 * longer;
        m.stepS = m.sumS();
        context.scenario.measured.profile = m;
        context.scenario.measured.stepTimeS = m.stepS + longer; // as much again, in no part of the profile
        context.evaluation = evaluate(context.scenario);

        const Series gap = gapOf(context);
        QCOMPARE(gap.points.size(), std::size_t(3));
        QVERIFY(isNear(*gap.points[0].base, *context.evaluation.mfu));
        QVERIFY(isNear(gap.points[2].y, *context.evaluation.observed->mfu));
        QVERIFY(isNear(*gap.points[1].base, gap.points[0].y) && isNear(*gap.points[2].base, gap.points[1].y));
        const double points = longer * *context.evaluation.mfu / *context.scenario.measured.stepTimeS;
        QVERIFY(isNear(*gap.points[0].base - gap.points[0].y, 2 * points)); // the host
        QVERIFY(isNear(*gap.points[1].base - gap.points[1].y, points));
        QVERIFY(isNear(*gap.points[2].base - gap.points[2].y, points)); // what stays unexplained

        context.scenario.measured.profile = {};
        context.evaluation = evaluate(context.scenario);
        QCOMPARE(gapOf(context).points.size(), std::size_t(1));
    }
};
HEADROOM_TEST(TestProfileLadder)

} // namespace headroom::test_profile_ladder
#include "test_profile_ladder.moc"
