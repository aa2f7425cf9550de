// SPDX-License-Identifier: GPL-3.0-or-later
// The window shows what failures leave of a run where the scenario counts them, and nothing of it elsewhere.
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/panels/metric_tiles.hpp"

namespace headroom::ui::test_goodput_window
{

using test::WindowFixture;

class TestGoodputWindow : public QObject
{
    Q_OBJECT

    static bool hasTile(WindowFixture& fixture)
    {
        WindowFixture::settle();
        for (const MetricTile* tile : fixture.window->findChildren<MetricTile*>())
            if (tile->row().id == "goodput.ettr" && tile->isVisible())
                return true;
        return false;
    }
    static void state(WindowFixture& fixture, std::string_view id, double value)
    {
        fixture.session.store.setParameter(0, *parameterRow(id), value);
        fixture.session.recalculator.flush();
        WindowFixture::settle();
    }

private slots:
    void theTileStandsWhereFailuresCount()
    {
        WindowFixture fixture;
        QVERIFY(!hasTile(fixture));
        QVERIFY(fixture.part<MetricTiles>().tile(QStringLiteral("goodput.ettr")) == nullptr);
        state(fixture, "gpu_mtbf_hours", 50000);
        QVERIFY(hasTile(fixture));
        MetricTile* tile = fixture.part<MetricTiles>().tile(QStringLiteral("goodput.ettr"));
        QVERIFY(tile && !tile->content().number.empty());
        tile->click(); // it explains itself
        QCOMPARE(fixture.part<MetricTiles>().selected(), QStringLiteral("goodput.ettr"));
        fixture.session.store.undoStack().undo();
        fixture.session.recalculator.flush();
        QVERIFY(!hasTile(fixture));
        QCOMPARE(fixture.part<MetricTiles>().selected(), QStringLiteral("mfu"));
    }

    /// Where there is no room for all tiles, what the scenario asks for stays before what every scenario has.
    void inASmallWindowWhatWasAskedForStays()
    {
        WindowFixture fixture(QSize(1366, 768));
        const auto isSeen = [&](const char* id) {
            for (const MetricTile* tile : fixture.window->findChildren<MetricTile*>())
                if (tile->row().id == id && tile->isVisible())
                    return true;
            return false;
        };
        QVERIFY(isSeen("mbu") && !isSeen("rl.step_s"));
        state(fixture, "rl_prompts", 64);
        QVERIFY(isSeen("rl.step_s") && isSeen("rl.generate_share"));
        QVERIFY(isSeen("mfu") && isSeen("memory.used_bytes"));
        MetricTiles& tiles = fixture.part<MetricTiles>();
        tiles.select(QStringLiteral("mbu")); // the one that is explained stays, too
        fixture.window->resize(1365, 768);
        WindowFixture::settle();
        QVERIFY(isSeen("mbu") && isSeen("rl.step_s"));
    }

    /// What a step takes stays beside them: MFU, memory and two figures of tiers told nothing of a service.
    void whatAStepTakesStaysBeside()
    {
        WindowFixture fixture(QSize(1366, 768));
        const auto isSeen = [&](std::string_view id) {
            for (const MetricTile* tile : fixture.window->findChildren<MetricTile*>())
                if (tile->row().id == id && tile->isVisible())
                    return true;
            return false;
        };
        state(fixture, "gpu_mtbf_hours", 50000);
        state(fixture, "carbon_g_per_kwh", 350);
        QVERIFY(isSeen("goodput.ettr") && isSeen("step_time_s"));
        fixture.session.store.edit(0, QStringLiteral("task"), [](Scenario& scenario) {
            scenario.hardware.power = {};
            scenario.task = Task::Inference;
            scenario.inference.tierHostGb = 200;
            scenario.inference.tierHostHits = 0.4;
        });
        fixture.session.recalculator.flush();
        WindowFixture::settle();
        QVERIFY(isSeen("kv_tiers.saved_s"));
        QVERIFY(isSeen("tpot_s"));
    }
};
HEADROOM_TEST_WITH(QApplication, TestGoodputWindow)

} // namespace headroom::ui::test_goodput_window
#include "test_goodput_window.moc"
