// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue page and its table models.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/pages/navigator.hpp"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>
#include <algorithm>
#include <cmath>

namespace headroom::ui::test_catalog_page
{

using headroom::test::WindowFixture;

class TestCatalogPage : public QObject
{
    Q_OBJECT

    static CatalogPage& page(WindowFixture& fixture)
    {
        fixture.window->pages().show(QStringLiteral("catalog"));
        WindowFixture::settle();
        return *qobject_cast<CatalogPage*>(fixture.window->pages().page(QStringLiteral("catalog")));
    }

    static QPushButton* button(CatalogPage& page, const QString& text)
    {
        const auto buttons = page.findChildren<QPushButton*>();
        const auto found =
            std::find_if(buttons.begin(), buttons.end(), [&](QPushButton* each) { return each->text() == text; });
        return found == buttons.end() ? nullptr : *found;
    }

    static QString cell(CatalogPage& page, int row, int column)
    {
        return page.table()->model()->index(row, column).data().toString();
    }

    static int column(CatalogPage& page, const QString& title)
    {
        for (int i = 0; i < page.table()->model()->columnCount(); ++i)
            if (page.table()->model()->headerData(i, Qt::Horizontal).toString() == title)
                return i;
        return -1;
    }

private slots:
    void modelsKeepTheRulesOfModels()
    {
        for (const CatalogKind kind : {CatalogKind::Accelerators, CatalogKind::Models}) {
            CatalogTableModel table(kind);
            CatalogFilter filter(table);
            const QAbstractItemModelTester first(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
            const QAbstractItemModelTester second(&filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
            table.setCatalog(Catalog::builtIn());
            filter.orderBy(3, Qt::DescendingOrder);
            filter.setMatches(QStringList{table.idAt(5), table.idAt(2)});
            filter.orderBy(-1, Qt::AscendingOrder);
            QCOMPARE(filter.rowCount(), 2);
            QCOMPARE(filter.idAt(0), table.idAt(5)); // as well as the search is answered
            filter.setOwnOnly(true);
            QCOMPARE(filter.rowCount(), 0);
            filter.setOwnOnly(false);
            filter.setMatches(std::nullopt);
            filter.setFacet(table.facets().constLast());
            QVERIFY(filter.rowCount() > 0 && filter.rowCount() < table.rowCount());
            table.setCatalog(Catalog::builtIn());
        }
    }

    void theUnknownComesLastEitherWay()
    {
        CatalogTableModel table(CatalogKind::Accelerators);
        CatalogFilter filter(table);
        table.setCatalog(Catalog::builtIn());
        int price = 0;
        while (table.headerData(price, Qt::Horizontal, Qt::DisplayRole).toString() != QLatin1String("$/h"))
            ++price;
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            filter.orderBy(price, order);
            bool unknown = false;
            double before = order == Qt::AscendingOrder ? 0 : 1e9;
            for (int row = 0; row < filter.rowCount(); ++row) {
                const QVariant value = filter.index(row, price).data(CatalogTableModel::sortRole);
                QVERIFY(!(unknown && value.isValid()));
                unknown = !value.isValid();
                if (unknown)
                    continue;
                QVERIFY(order == Qt::AscendingOrder ? value.toDouble() >= before : value.toDouble() <= before);
                before = value.toDouble();
            }
            QVERIFY(unknown);
        }
    }

    void typingFindsWhatOneMeans()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        QTest::keyClicks(catalog.searchField(), QStringLiteral("h100 nvl"));
        QVERIFY(cell(catalog, 0, 0).startsWith(QLatin1String("H100 NVL")));
        catalog.searchField()->setText(QStringLiteral("mi3"));
        for (int row = 0; row < catalog.table()->model()->rowCount(); ++row)
            QVERIFY(cell(catalog, row, 0).contains(QLatin1String("MI3")));
        catalog.showKind(CatalogKind::Models);
        QVERIFY(catalog.searchField()->text().isEmpty()); // each table keeps its own search
        catalog.searchField()->setText(QStringLiteral("qwen 235"));
        QVERIFY2(cell(catalog, 0, 0).contains(QLatin1String("235B")), qPrintable(cell(catalog, 0, 0)));
        catalog.showKind(CatalogKind::Accelerators);
        QCOMPARE(catalog.searchField()->text(), QStringLiteral("mi3"));
    }

    void aClickOnAHeadingSortsAndAThirdEndsIt()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        const QString first = cell(catalog, 0, 0);
        const int memory = column(catalog, QStringLiteral("Memory"));
        QHeaderView* header = catalog.table()->horizontalHeader();
        const auto click = [&] {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              {header->sectionViewportPosition(memory) + 10, header->height() / 2});
        };
        const auto bytes = [&](int row) {
            return catalog.table()->model()->index(row, memory).data(CatalogTableModel::sortRole).toDouble();
        };
        click();
        QVERIFY(bytes(0) > bytes(40) && bytes(40) > bytes(84));
        click();
        QVERIFY(bytes(0) < bytes(40) && bytes(40) < bytes(84));
        click();
        QCOMPARE(cell(catalog, 0, 0), first);
    }

    void sideBySideUpToFour()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        catalog.select({QStringLiteral("h100-sxm-80gb"), QStringLiteral("mi300x")});
        QString text = catalog.facts()->toPlainText();
        QVERIFY(text.contains(QLatin1String("H100 SXM5 80GB")) && text.contains(QLatin1String("Instinct MI300X")));
        QVERIFY(text.contains(QStringLiteral("✓"))); // the better one, not by colour alone
        QVERIFY(!button(catalog, QStringLiteral("Use in the scenario"))->isEnabled());
        catalog.select({QStringLiteral("h100-sxm-80gb"), QStringLiteral("mi300x"), QStringLiteral("t4"),
                        QStringLiteral("l4"), QStringLiteral("rtx-4090")});
        text = catalog.facts()->toPlainText();
        const int shown = int(text.contains(QLatin1String("T4"))) + int(text.contains(QLatin1String("L4\n"))) +
                          int(text.contains(QLatin1String("H100 SXM5"))) + int(text.contains(QLatin1String("MI300X"))) +
                          int(text.contains(QLatin1String("RTX 4090")));
        QCOMPARE(shown, 4);
    }

    void sourcesAreOneClickAway()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        catalog.select({QStringLiteral("h100-sxm-80gb")});
        const QString html = catalog.facts()->toHtml();
        QVERIFY(html.contains(QLatin1String("href=\"#source1\"")) && html.contains(QLatin1String("name=\"source1\"")));
        QVERIFY(html.contains(
            QLatin1String("https://github.com/stas00/ml-engineering/blob/744d01e/compute/accelerator/README.md")));
        QVERIFY(catalog.facts()->toPlainText().contains(QLatin1String("recalled, not read")));
        catalog.showKind(CatalogKind::Models);
        catalog.select({QStringLiteral("deepseek-v3")});
        QVERIFY(catalog.facts()->toHtml().contains(QLatin1String("https://github.com/ai-dynamo/aiconfigurator/blob/")));
        QVERIFY(catalog.facts()->toPlainText().contains(QLatin1String("671")));
    }

    void returnPutsItIntoTheScenarioAsOneStep()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        ScenarioStore& store = fixture.session.store;
        const std::string before = store.scenario().accelerator.id;
        catalog.select({QStringLiteral("b200-sxm")});
        catalog.table()->setFocus();
        QTest::keyClick(catalog.table(), Qt::Key_Return);
        QCOMPARE(store.scenario().accelerator.id, std::string("b200-sxm"));
        store.undoStack().undo();
        QCOMPARE(store.scenario().accelerator.id, before);
        catalog.showKind(CatalogKind::Models);
        catalog.select({QStringLiteral("qwen3-8b")});
        button(catalog, QStringLiteral("Use in the scenario"))->click();
        QCOMPARE(store.scenario().model.id, std::string("qwen3-8b"));
        QCOMPARE(store.undoStack().count(), 1);
    }

    void theKeyboardAloneFindsAndUses()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        catalog.searchField()->setFocus();
        QTest::keyClicks(catalog.searchField(), QStringLiteral("h100"));
        const QStringList best = catalog.selected();
        QCOMPARE(best.size(), 1);
        QVERIFY2(best.front().startsWith(QLatin1String("h100")), qPrintable(best.front()));
        QTest::keyClick(catalog.searchField(), Qt::Key_Down);
        QVERIFY(catalog.table()->hasFocus());
        QTest::keyClick(catalog.table(), Qt::Key_Down);
        QVERIFY(catalog.selected().size() == 1 && catalog.selected() != best);
        QTest::keyClick(catalog.table(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(catalog.selected().size(), 2); // side by side
        catalog.searchField()->setFocus();
        catalog.searchField()->selectAll();
        QTest::keyClicks(catalog.searchField(), QStringLiteral("h200 nvl"));
        QTest::keyClick(catalog.searchField(), Qt::Key_Return);
        QCOMPARE(fixture.session.store.scenario().accelerator.id, std::string("h200-nvl-141gb"));
    }

    void whatCannotBeEvaluatedSaysWhy()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        catalog.select({QStringLiteral("mi308x")});
        QPushButton* use = button(catalog, QStringLiteral("Use in the scenario"));
        QVERIFY(!use->isEnabled());
        QVERIFY2(use->toolTip().contains(QLatin1String("peak_tflops")), qPrintable(use->toolTip()));
    }

    void theChartsShowWhatTheTableShowsAndSelectInIt()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        const auto points = [](const ChartView& chart) {
            std::size_t count = 0;
            for (const Series& series : chart.spec().series)
                count += series.kind == SeriesKind::Points ? series.points.size() : 0;
            return count;
        };
        const std::size_t all = points(*catalog.peakChart());
        QVERIFY(all > 75);
        catalog.searchField()->setText(QStringLiteral("h100"));
        QVERIFY(points(*catalog.peakChart()) < 20);
        catalog.searchField()->clear();
        QCOMPARE(points(*catalog.peakChart()), all);
        WindowFixture::settle();
        const ChartSpec& spec = catalog.priceChart()->spec();
        const auto others = std::find_if(spec.series.begin(), spec.series.end(),
                                         [](const Series& series) { return series.id == "others"; });
        QVERIFY(others != spec.series.end());
        // One that stands clear of the crowd.
        const auto distance = [&](const Point& a, const Point& b) {
            const QPointF d = catalog.priceChart()->pixelOf(a.x, a.y) - catalog.priceChart()->pixelOf(b.x, b.y);
            return std::hypot(d.x(), d.y());
        };
        const auto clear = std::find_if(others->points.begin(), others->points.end(), [&](const Point& point) {
            for (const Series& series : spec.series)
                for (const Point& other : series.points)
                    if (&other != &point && distance(point, other) < 15)
                        return false;
            return true;
        });
        QVERIFY(clear != others->points.end());
        const std::string name = clear->label;
        const QPoint at = catalog.priceChart()->pixelOf(clear->x, clear->y).toPoint();
        QTest::mouseMove(catalog.priceChart(), at);
        QTest::mouseClick(catalog.priceChart(), Qt::LeftButton, {}, at);
        WindowFixture::settle();
        QCOMPARE(catalog.selected().size(), 1);
        QCOMPARE(Catalog::builtIn().accelerator(catalog.selected().constFirst().toStdString())->name, name);
    }

    void everyControlHasAName()
    {
        WindowFixture fixture;
        CatalogPage& catalog = page(fixture);
        for (QWidget* widget : catalog.findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                !widget->inherits("QAbstractScrollArea") && !widget->objectName().startsWith(QLatin1String("qt_")))
                QVERIFY2(!widget->accessibleName().isEmpty() || !widget->property("text").toString().isEmpty(),
                         widget->metaObject()->className());
        QVERIFY(!catalog.table()->accessibleName().isEmpty() && !catalog.facts()->accessibleName().isEmpty());
    }
};
HEADROOM_TEST_WITH(QApplication, TestCatalogPage)

} // namespace headroom::ui::test_catalog_page
#include "test_catalog_page.moc"
