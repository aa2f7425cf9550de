// SPDX-License-Identifier: GPL-3.0-or-later
// Which accelerators meet without the network: the same in training and serving.
#include "core/predict/device_domain.hpp"

#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_device_domain
{

using test::near;

namespace
{

PreparedScenario cards(std::string_view accelerator, std::int64_t count, std::optional<std::int64_t> perNode = {})
{
    PreparedScenario p = test::trainingCase("llama-3-8b", accelerator, count);
    p.parallelism.sharding = Sharding::Fsdp;
    p.hardware.perNode = perNode;
    return p;
}

} // namespace

class TestDeviceDomain : public QObject
{
    Q_OBJECT
private slots:
    /// Two RTX 5090 of a desk were two machines with 100 Gbit/s between them as soon as they trained.
    void cardsOfOneHostTrainOverPcie()
    {
        const PreparedScenario pair = cards("rtx-5090", 2);
        QVERIFY(!test::warns(pair, WarningCode::NicAssumed) &&
                test::warns(cards("rtx-5090", 2, 1), WarningCode::NicAssumed));
        QVERIFY(near(*evaluate(pair).stepTimeS, *evaluate(cards("rtx-5090", 2, 2)).stepTimeS));
        QCOMPARE(test::planOf(pair).domain, pair.calibration->inference.links.pcieDomain);
        QVERIFY(test::warns(cards("rtx-5090", 16), WarningCode::NicAssumed));
    }

    /// A bridge joins two cards; eight were taken to be joined by it where a node had eight.
    void aBridgeJoinsTwo()
    {
        const PreparedScenario pair = cards("a100-pcie-80gb", 2), eight = cards("a100-pcie-80gb", 8, 8);
        const Accelerator& a = *pair.accelerator;
        QVERIFY(a.scaleUpGbPerS > a.hostLinkGbPerS && a.scaleUpDomain == 2);
        QVERIFY(near(domainOf(pair, 2).link, a.scaleUpGbPerS * 1e9) && !domainOf(pair, 2).pcie);
        QVERIFY(near(domainOf(eight, 8).link, a.hostLinkGbPerS * 1e9) && domainOf(eight, 8).pcie);
        const TrainingPlan plan = test::planOf(eight);
        const double wire = a.hostLinkGbPerS * 1e9;
        QVERIFY(plan.links.scaleUp <= wire && plan.links.exchange <= wire && plan.domain == 8);
    }

    /// A DGX Spark and a Mac are computers: what joins two is a network, not a slot.
    void aChipThatIsAComputerIsAHostOfItsOwn()
    {
        for (const char* const id : {"gb10", "ryzen-ai-max-395", "apple-m3-ultra"}) {
            const PreparedScenario p = test::serving("llama-3.1-8b", id, 2);
            QCOMPARE(domainOf(p, 2).size, 1.0);
            QVERIFY(!evaluate(p).warnings.has(WarningCode::HostLinkAssumed));
            QCOMPARE(test::planOf(cards(id, 2)).domain, 1.0);
        }
        QVERIFY(test::warns(test::serving("llama-3.1-8b", "apple-m3-ultra", 2),
                            WarningCode::NicAssumed)); // of a DGX Spark it is known
        QVERIFY(!test::warns(test::serving("llama-3.1-8b", "gb10", 2), WarningCode::NicAssumed));
        // APUs of one node have links of their own.
        QCOMPARE(domainOf(cards("mi300a", 4), 4).size, 4.0);
    }
};
HEADROOM_TEST(TestDeviceDomain)

} // namespace headroom::test_device_domain
#include "test_device_domain.moc"
