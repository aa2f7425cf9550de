// SPDX-License-Identifier: GPL-3.0-or-later
// The window shows what failures leave of a run where the scenario counts them, and nothing of it elsewhere.
#include "tests/support/window_fixture.hpp"
#include "ui/panels/metric_tiles.hpp"

namespace headroom::ui
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
};

} // namespace headroom::ui

QTEST_MAIN(headroom::ui::TestGoodputWindow)
#include "test_goodput_window.moc"
