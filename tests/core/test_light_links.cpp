// SPDX-License-Identifier: GPL-3.0-or-later
// What no algorithm beats over given links, by hand, and what the speed of light takes of it.
#include "core/hardware/collective.hpp"
#include "core/predict/inference/inference_machine.hpp"
#include "core/predict/training/training_communication.hpp"
#include "tests/support/near.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_light_links
{

using test::near;

namespace
{

constexpr double link = 450e9, adapter = 50e9; // of an H100 in a node of eight

Links linksOf(bool light)
{
    Links l;
    l.scaleUp = l.exchange = link;
    l.scaleOut = adapter;
    l.light = light;
    return l;
}

/// Sixteen H100 in two nodes whose arithmetic and memory take no time, at the speed of light.
PreparedScenario twoNodes(Sharding sharding)
{
    PreparedScenario p = test::shardedCase("llama-3-8b", 16, sharding);
    p.efficiency.base = EfficiencyBase::Ideal;
    test::device([](Accelerator& a) {
        a.memoryBandwidthGbPerS *= 1e6;
        test::scalePeak(a, 1e6);
    })(p);
    return p;
}

} // namespace

class TestLightLinks : public QObject
{
    Q_OBJECT
private slots:
    /// A node lacks half of what two nodes share, and has eight adapters to get it; a ring takes 15/16 over them.
    void bytesCrossOnceToANode()
    {
        const GroupShape group = groupShape(16, 1, 8);
        QVERIFY(near(gatherTime(1e9, group, linksOf(false)), 1e9 * 15 / 16 / (8 * adapter), 1e-12));
        QVERIFY(near(gatherTime(1e9, group, linksOf(true)), 1e9 * 15 / 16 / (link + adapter), 1e-12));
        Links slow = linksOf(true);
        slow.scaleOut = adapter / 4;
        QVERIFY(near(gatherTime(1e9, group, slow), 1e9 / 2 / (8 * adapter / 4), 1e-12));
    }

    void aTokenGoesOnceToARank()
    {
        const GroupShape pair = groupShape(2, 1, 8);
        QVERIFY(near(exchangeTime(1e9, 8, 8, pair, linksOf(false)), 1e9 * 8 / 2 / link, 1e-12));
        QVERIFY(near(exchangeTime(1e9, 8, 8, pair, linksOf(true)), 1e9 * (1 - 1 / 256.0) / link, 1e-12));
    }

    void lightIsNoSlower()
    {
        for (const double ranks : {2, 3, 8, 12, 16, 64, 1024})
            for (const double stride : {1, 2, 8})
                for (const double k : {1, 2, 8}) {
                    const GroupShape group = groupShape(ranks, stride, 8);
                    QVERIFY(gatherTime(1, group, linksOf(true)) <= gatherTime(1, group, linksOf(false)) * (1 + 1e-12));
                    QVERIFY(exchangeTime(1, k, k, group, linksOf(true)) <=
                            exchangeTime(1, k, k, group, linksOf(false)) * (1 + 1e-12));
                }
    }

    /// Gradients of two bytes: all of them summed by switches, or scattered and the weights gathered.
    void aSumIsOneGather()
    {
        const double once = 2 * 8030261248.0 * 15 / 16 / (link + adapter);
        const auto seconds = [](Sharding s) { return evaluate(twoNodes(s)).part(TimePart::DataParallel); };
        QVERIFY2(near(seconds(Sharding::None), once, 1e-3),
                 qPrintable(QString::number(seconds(Sharding::None) / once)));
        QVERIFY(near(seconds(Sharding::Zero1), 2 * once, 1e-3));
    }

    /// Whatever the stack does, eight tensor ranks can each send an eighth, and gather the rest while it comes.
    void stagesSendInParts()
    {
        PreparedScenario p = twoNodes(Sharding::None);
        p.parallelism.tensor = 8;
        p.parallelism.pipeline = 2;
        const double whole = 2.0 * 4096 * 4096;
        for (const TrainingSoftware software : {TrainingSoftware::Megatron, TrainingSoftware::TorchFsdp})
            for (const bool divided : {false, true}) {
                p.training.software = software;
                p.parallelism.sequenceParallel = divided;
                QVERIFY(near(pipelineLinkSeconds(test::planOf(p)), whole / 8 / adapter, 1e-12));
            }
    }

    /// Of a service the sum's pieces are under way on both kinds of links.
    void bothKindsOfLinksWorkAtOnce()
    {
        PreparedScenario p = test::shardedCase("llama-3-8b", 16, Sharding::None);
        p.task = Task::Inference;
        WarningSet ignored;
        const inference::LinkRate light = inference::allReduceRate(p, 16, 0, true, ignored);
        QVERIFY(near(light.perByte, std::max(7 / 8.0 / link, 1 / 2.0 / (8 * adapter)), 1e-12));
        QCOMPARE(light.lightPerByte, light.perByte);
    }
};
HEADROOM_TEST(TestLightLinks)

} // namespace headroom::test_light_links
#include "test_light_links.moc"
