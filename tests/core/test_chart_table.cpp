// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of every chart as a table: whole, finite, and harmless in a spreadsheet.
#include "core/charts/chart_table.hpp"
#include "core/charts/sweep_curves.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_chart_table
{

class TestChartTable : public QObject
{
    Q_OBJECT

private slots:
    /// Whether what is in hand fits is in the column, whatever is pinned.
    void aPinThatDoesNotFitIsNotTheScenario()
    {
        Scenario scenario;
        scenario.hardware.count = 8;
        ChartContext context;
        context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        const std::string alone = csvText(chartRow("utilization")->build(context));
        QVERIFY(alone.find(",yes\n") != std::string::npos);
        Scenario large;
        large.model.id = "llama-3.1-405b";
        const PreparedScenario pin = *prepare(large, Catalog::builtIn(), Calibration::builtIn());
        context.pins.push_back({'A', "", pin, evaluate(pin)});
        QVERIFY(!context.pins.front().evaluation.fits);
        const std::string with = csvText(chartRow("utilization")->build(context));
        QCOMPARE(QString::fromStdString(with).count(QStringLiteral(",yes\n")),
                 QString::fromStdString(alone).count(QStringLiteral(",yes\n")));
    }

    /// The numbers of every chart, for whoever cannot see it or wants to go on with them.
    void everyChartOfRandomScenariosHasATable_data()
    {
        QTest::addColumn<int>("task");
        QTest::newRow("training") << int(Task::Training);
        QTest::newRow("inference") << int(Task::Inference);
    }

    void everyChartOfRandomScenariosHasATable()
    {
        QFETCH(const int, task);
        constexpr int scenariosPerTask = 250 / test::everyNth;
        test::RandomScenarios scenarios(4711);
        for (int i = 0; i < scenariosPerTask; ++i) {
            ChartContext context = scenarios.nextContext(Task(task), i % 4);
            shareCurves(context);
            for (const ChartRow& row : chartRegistry()) {
                if (!(Task(task) == Task::Training ? row.training : row.inference))
                    continue;
                const ChartSpec spec = row.build(context);
                const ChartTable table = chartTable(spec);
                QVERIFY2(!table.rows.empty() && table.header.size() > 1, row.id.data());
                for (const std::string& title : table.header)
                    QVERIFY2(!title.empty(), row.id.data());
                for (const auto& cells : table.rows) {
                    QCOMPARE(cells.size(), table.header.size());
                    for (const std::string& cell : cells)
                        QVERIFY2(cell.find("nan") == std::string::npos && cell != "inf" && cell != "-inf",
                                 row.id.data());
                }
                QVERIFY2(csvText(spec).size() > table.rows.size(), row.id.data());
            }
        }
    }

    /// Names of pins and sources of runs come from files of others.
    void whatASpreadsheetWouldRunIsText()
    {
        ChartSpec spec;
        spec.series.push_back({.id = "run", .label = "=1+cmd", .kind = SeriesKind::Points});
        spec.series.back().points.push_back({.x = -1.5e-30, .y = -2, .label = "@SUM(A1)"});
        QCOMPARE(csvText(spec), std::string("Series,Name,x,y,From,Fits\n'=1+cmd,'@SUM(A1),-1.5e-30,-2,,yes\n"));
    }
};
HEADROOM_TEST(TestChartTable)

} // namespace headroom::test_chart_table
#include "test_chart_table.moc"
