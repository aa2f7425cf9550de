// SPDX-License-Identifier: GPL-3.0-or-later
// Every table's model under Qt's own tester in its fatal mode, while rows come, go, change, are sorted and filtered.
#include "core/plan/planner_table.hpp"
#include "tests/support/compared.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/catalog/catalog_table.hpp"
#include "ui/charts/chart_table_model.hpp"
#include "ui/pages/compare_model.hpp"
#include "ui/plan/plan_table_model.hpp"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

namespace headroom::ui::test_table_models
{

class TestTableModels : public QObject
{
    Q_OBJECT

    using Tester = QAbstractItemModelTester;
    static constexpr auto fatal = Tester::FailureReportingMode::Fatal;

    static ChartContext contextOf(Task task, int pins)
    {
        Scenario scenario;
        scenario.task = task;
        ChartContext context;
        context.scenario = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        for (int i = 0; i < pins; ++i) {
            scenario.training.microBatch = 2 << i;
            PreparedScenario pin = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
            const Evaluation evaluation = evaluate(pin);
            context.pins.push_back({static_cast<char>('A' + i), "", std::move(pin), evaluation});
        }
        return context;
    }

private slots:
    void comparison()
    {
        CompareModel model;
        const Tester tester(&model, fatal);
        model.setComparison(test::compared(contextOf(Task::Training, 0)));
        const int rows = model.rowCount();
        QVERIFY(rows > 10);
        for (const int pins : {1, 2, 3, 3, 0}) { // columns come, the figures alone change, columns go
            model.setComparison(test::compared(contextOf(Task::Training, pins)));
            QCOMPARE(model.columnCount(), pins + 1);
            QCOMPARE(model.rowCount(), rows);
        }
        model.setComparison(test::compared(contextOf(Task::Inference, 2)));
        bool serving = false;
        for (int row = 0; row < model.rowCount(); ++row)
            serving = serving || model.headerData(row, Qt::Vertical, Qt::DisplayRole) == QStringLiteral("TTFT");
        QVERIFY(serving);
        model.setComparison({});
        QCOMPARE(model.rowCount(), 0);
    }

    void chartTables()
    {
        ChartTableModel model;
        const Tester tester(&model, fatal);
        for (const Task task : {Task::Training, Task::Inference}) {
            const ChartContext context = contextOf(task, 3);
            for (const ChartRow& row : chartRegistry())
                if (task == Task::Training ? row.training : row.inference) {
                    model.setSpec(row.build(context));
                    QVERIFY2(model.rowCount() > 0 && model.columnCount() > 1, row.id.data());
                }
        }
        model.setSpec({});
        QCOMPARE(model.rowCount(), 0);
    }

    void catalogueTables()
    {
        for (const CatalogKind kind : {CatalogKind::Accelerators, CatalogKind::Models}) {
            CatalogTableModel table(kind);
            CatalogFilter filter(table);
            const Tester first(&table, fatal), second(&filter, fatal);
            table.setCatalog(Catalog::builtIn());
            const int all = filter.rowCount();
            filter.orderBy(2, Qt::DescendingOrder);

            Catalog more = Catalog::builtIn(); // an entry of the user's own is one row more
            Accelerator device = *more.accelerators().front();
            device.id = "my-own-device";
            device.custom = true;
            more = more.with(device);
            ModelArchitecture model = *more.models().front();
            model.id = "my-own-model";
            model.custom = true;
            more = more.with(model);
            table.setCatalog(more);
            QCOMPARE(filter.rowCount(), all + 1);
            filter.setOwnOnly(true);
            QCOMPARE(filter.rowCount(), 1);
            filter.setOwnOnly(false);
            filter.setMatches(QStringList{table.idAt(7), table.idAt(1), table.idAt(3)});
            filter.orderBy(-1, Qt::AscendingOrder);
            QCOMPARE(filter.rowCount(), 3);
            filter.setMatches(QStringList{});
            QCOMPARE(filter.rowCount(), 0);
            filter.setMatches(std::nullopt);
            for (const QString& facet : table.facets()) {
                filter.setFacet(facet);
                QVERIFY(filter.rowCount() > 0);
            }
            filter.setFacet({});
            table.setCatalog(Catalog::builtIn()); // and gone again
            QCOMPARE(filter.rowCount(), all);
        }
    }

    void plans()
    {
        PlanTableModel model;
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(PlanTableModel::sortRole);
        const Tester first(&model, fatal), second(&sorted, fatal);
        PlanRequest request;
        const ChartContext context = contextOf(Task::Training, 0);
        std::vector<PlanOption> options(12);
        for (std::size_t i = 0; i < options.size(); ++i) {
            options[i].scenario = context.scenario;
            options[i].scenario.hardware.count = static_cast<int>(12 - i);
            options[i].evaluation = evaluate(options[i].scenario);
        }
        model.show(request, options);
        sorted.sort(PlanTableModel::Gpus, Qt::AscendingOrder);
        QCOMPARE(sorted.rowCount(), 12);
        QVERIFY(model.setData(model.index(2, 0), Qt::Checked, Qt::CheckStateRole));
        options.resize(5);
        model.show(request, options);
        QCOMPARE(sorted.rowCount(), 5);
        model.show(request, {});
        QCOMPARE(sorted.rowCount(), 0);
    }
};
HEADROOM_TEST_WITH(QApplication, TestTableModels)

} // namespace headroom::ui::test_table_models
#include "test_table_models.moc"
