// SPDX-License-Identifier: GPL-3.0-or-later
// A price list in the window: imported, it counts, says where it is from, and a faulty one is refused.
#include "core/explain/tile_text.hpp"
#include "core/units/currency.hpp"
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/catalog/catalog_editor.hpp"
#include "ui/document/dropped_file.hpp"
#include "ui/document/report_html.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/plan/plan_answer.hpp"

#include <QFile>
#include <QStatusBar>

namespace headroom::ui::test_prices_window
{

using test::WindowFixture;

class TestPricesWindow : public QObject
{
    Q_OBJECT

    static constexpr const char* list = R"({"format": "headroom-prices", "version": 1, "name": "Contract",
        "date": "2026-11-01", "source": "purchasing",
        "prices": [{"accelerator": "h100-sxm-80gb", "on_demand": 2.5, "reserved": 2}]})";

    static QString write(const QTemporaryDir& folder, const QByteArray& text)
    {
        QFile file(folder.filePath(QStringLiteral("offer.json")));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    }
    static std::optional<double> costPerHour(WindowFixture& fixture)
    {
        fixture.session.recalculator.flush();
        const ChartContext* context = fixture.session.recalculator.context();
        return context ? context->evaluation.costPerHour : std::nullopt;
    }

private slots:
    void anImportedListCounts()
    {
        WindowFixture fixture;
        const QTemporaryDir folder;
        fixture.session.store.chooseAccelerator(QStringLiteral("Accelerator"), QStringLiteral("h100-sxm-80gb"));
        fixture.session.store.setParameter(0, *parameterRow("count"), 8);
        const auto before = costPerHour(fixture);
        const QString path = write(folder, list);
        QCOMPARE(kindOfFile(path), FileKind::Prices);
        const auto left = fixture.session.catalogEditor.importFiles({{path, FileKind::Prices}});
        QVERIFY(left.empty() && fixture.dialogs.errors.isEmpty());
        QVERIFY(fixture.session.library.prices());
        const QString told = fixture.window->statusBar()->currentMessage();
        QVERIFY2(told.contains(QStringLiteral("Contract")), qPrintable(told));
        QVERIFY(!before && costPerHour(fixture) == 20.0);
        fixture.session.store.setParameter(0, *parameterRow("price_kind"), 1);
        QCOMPARE(*costPerHour(fixture), 16.0);
        const QString report = reportResults(*fixture.session.recalculator.context());
        QVERIFY2(report.contains(QStringLiteral("reserved, list Contract, 2026-11-01 (purchasing)")),
                 qPrintable(report));
    }

    /// Of GPUs that read prompts, too.
    void aPriceThatIsLookedUpNamesItsSource()
    {
        WindowFixture fixture;
        fixture.session.store.edit(0, {}, [](Scenario& s) {
            s.task = Task::Inference;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 8;
            s.inference.prefillPool.accelerator = CatalogId::from("b200-sxm");
            s.hardware.priceKind = PriceKind::OnDemand;
            s.hardware.pricePerGpuHour.reset();
        });
        fixture.settle();
        auto& parameters = *fixture.window->findChild<ParameterPanel*>();
        for (const auto* id : {"price_per_gpu_hour", "prefill_price_per_gpu_hour"})
            QVERIFY2(parameters.rowWidget(QLatin1String(id))->toolTip().contains(QStringLiteral("catalogue")), id);
        fixture.session.store.setParameter(0, *parameterRow("prefill_price_per_gpu_hour"), 2);
        fixture.settle();
        QVERIFY(parameters.rowWidget(QStringLiteral("prefill_price_per_gpu_hour"))->toolTip().isEmpty());
    }

    /// Of the list, as long as it is there; the catalogue's dollars do not count beside it.
    void anotherCurrencyStandsEverywhere()
    {
        WindowFixture fixture;
        const QTemporaryDir folder;
        fixture.session.store.chooseAccelerator(QStringLiteral("Accelerator"), QStringLiteral("h100-sxm-80gb"));
        fixture.session.store.setParameter(0, *parameterRow("count"), 1);
        const QByteArray euros = QByteArray(list).replace("\"version\": 1", "\"version\": 1, \"currency\": \"EUR\"");
        static_cast<void>(fixture.session.catalogEditor.importFiles({{write(folder, euros), FileKind::Prices}}));
        QCOMPARE(costPerHour(fixture), std::optional(2.5));
        const QString report = reportResults(*fixture.session.recalculator.context());
        QVERIFY2(report.contains(QStringLiteral("EUR")) && !report.contains(u'$') &&
                     !report.contains(QStringLiteral("dollar")),
                 qPrintable(report));
        const ChartContext& context = *fixture.session.recalculator.context();
        QCOMPARE(tileText(*metricRow("cost.per_million_tokens"), context).unit, std::string("EUR"));
        fixture.session.store.chooseAccelerator(QStringLiteral("Accelerator"), QStringLiteral("b200-sxm"));
        fixture.session.store.setParameter(0, *parameterRow("price_kind"), 0); // the catalogue has one in dollars
        QVERIFY(!costPerHour(fixture));
        QVERIFY(QFile::remove(fixture.catalogFolder() + QStringLiteral("/prices.json")));
        fixture.session.library.reload();
        QCOMPARE(currencyCode(), std::string("USD"));
        QVERIFY(costPerHour(fixture));
    }

    /// What is open when the list comes is in its currency at once, not at the next start.
    void theOpenPlanTakesTheCurrencyToo()
    {
        test::PlanFixture fixture;
        const QTemporaryDir folder;
        fixture.session.store.chooseAccelerator(QStringLiteral("Accelerator"), QStringLiteral("h100-sxm-80gb"));
        fixture.session.store.resetParameter(*parameterRow("price_per_gpu_hour"));
        fixture.wait();
        const auto price = [&fixture] {
            return fixture.page->form()->field(QStringLiteral("price_per_gpu_hour"))->box()->text();
        };
        const QByteArray euros = QByteArray(list).replace("\"version\": 1", "\"version\": 1, \"currency\": \"EUR\"");
        for (const auto& [text, words] : {std::pair(QByteArray(list), "$2.50"), {euros, "EUR"}}) {
            static_cast<void>(fixture.session.catalogEditor.importFiles({{write(folder, text), FileKind::Prices}}));
            fixture.wait();
            QVERIFY2(price().contains(QLatin1String(words)), qPrintable(price()));
            QVERIFY2(
                fixture.page->answer()->verdict().contains(QLatin1String(words == std::string("EUR") ? "EUR" : "$")),
                qPrintable(fixture.page->answer()->verdict()));
        }
        QVERIFY(!price().contains(u'$') && !fixture.page->answer()->verdict().contains(u'$'));
    }

    void aFaultyListLeavesTheOldOne()
    {
        WindowFixture fixture;
        const QTemporaryDir folder;
        static_cast<void>(fixture.session.catalogEditor.importFiles({{write(folder, list), FileKind::Prices}}));
        const QByteArray faulty = QByteArray(list).replace("2.5", "-1");
        static_cast<void>(fixture.session.catalogEditor.importFiles({{write(folder, faulty), FileKind::Prices}}));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(fixture.dialogs.errors.front().contains(QStringLiteral("/prices/0/on_demand")));
        QCOMPARE(fixture.session.library.prices()->entries.front().prices.onDemand.value_or(0), 2.5);
    }
};
HEADROOM_TEST_WITH(QApplication, TestPricesWindow)

} // namespace headroom::ui::test_prices_window
#include "test_prices_window.moc"
