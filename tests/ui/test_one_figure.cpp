// SPDX-License-Identifier: GPL-3.0-or-later
// A figure that stands in several places of the window is the same in each, and no words beside it say otherwise.
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/document/report_html.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/parameters/catalog_entries.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/parameter_row_widget.hpp"
#include "ui/settings/language.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include "core/comparison/scenario_diff.hpp"
#include "core/explain/tile_text.hpp"
#include "core/predict/evaluate.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>

namespace headroom::ui::test_one_figure
{

using headroom::test::WindowFixture;

namespace
{

void open(WindowFixture& fixture, const std::string& keys)
{
    const auto reading =
        readScenario(R"({"format": "headroom-scenario", "version": 1, )" + keys + "}", Catalog::builtIn());
    QVERIFY2(reading, reading ? "" : toText(reading.error().front()).c_str());
    fixture.session.store.setDocument(reading->scenario, {});
    fixture.session.recalculator.flush();
    WindowFixture::settle();
}

const ChartContext& resultOf(const WindowFixture& fixture)
{
    return *fixture.session.recalculator.context();
}

QString statusOf(const WindowFixture& fixture)
{
    QString all;
    for (const QLabel* label : fixture.part<StatusLine>().findChildren<QLabel*>())
        all += label->text() + u'\n';
    return all;
}

constexpr const char* asManyAsFit = R"("model": "llama-3.1-70b", "hardware": {"accelerator": "h100-sxm-80gb",
    "count": 8}, "workload": {"task": "inference", "batch": "max", "prompt_tokens": 2000, "output_tokens": 300,
    "requests_per_s": 4, "software": "vllm"}, "parallelism": {"tensor": 4})";

constexpr const char* prefillTooSmall = R"("model": "deepseek-v3", "hardware": {"accelerator": "h200-sxm-141gb",
    "count": 16}, "workload": {"task": "inference", "batch": 64, "prompt_tokens": 4000, "output_tokens": 500,
    "weights": "fp8", "scheduling": "disaggregated", "prefill_pool": {"count": 8, "accelerator": "h100-sxm-80gb",
    "parallelism": {"tensor": 8}}}, "parallelism": {"tensor": 8, "expert": 8})";

} // namespace

class TestOneFigure final : public QObject
{
    Q_OBJECT
private slots:
    /// The row of the batch showed 1 sequence where 212 were in force, and the charts marked those in flight.
    void asManyAsFitIsTheSameBatchEverywhere()
    {
        WindowFixture fixture({1366, 768});
        open(fixture, asManyAsFit);
        const double batch = fullBatch(resultOf(fixture).evaluation);
        QVERIFY(batch > 2 * resultOf(fixture).evaluation.batch && batch > 100);
        const ParameterRow& row = *parameterRow("batch");
        const auto* widget = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("batch"));
        QCOMPARE(widget->box()->text(), toQString(parameterText(row, batch)));
        QCOMPARE(widget->slider()->shownValue(), batch);
        QVERIFY(reportInputs(resultOf(fixture)).contains(toRichText(parameterText(row, batch))));
        const ChartSpec memory = chartRow("memory")->build(resultOf(fixture));
        const auto point = std::ranges::find(memory.guides, GuideKind::OperatingPoint, &Guide::kind);
        QVERIFY(point != memory.guides.end());
        QCOMPARE(point->x, batch);

        // A step begins where the slider stands, and a batch that is stated holds.
        QTest::keyClick(widget->control(), Qt::Key_Right);
        QVERIFY(!fixture.session.store.scenario().inference.batchMax);
        QCOMPARE(fixture.session.store.scenario().inference.batch, std::int64_t(256));
        QCOMPARE(widget->box()->text(), toQString(parameterText(row, 256)));
        fixture.session.store.undoStack().undo();
        fixture.session.recalculator.flush();
        WindowFixture::settle();
        QCOMPARE(widget->box()->text(), toQString(parameterText(row, batch)));

        const Scenario asked = fixture.session.store.scenario();
        Scenario stated = asked;
        stated.inference.batchMax = false;
        stated.inference.batch = 64;
        std::vector<std::string> befores;
        for (const ScenarioDifference& each : differences(asked, stated))
            if (each.parameterId == "batch")
                befores.push_back(each.before);
        QCOMPARE(befores, std::vector<std::string>{"automatic"});
    }

    /// "Does not fit: needs 107 GB per GPU, has 136 GB", said a service whose other pool lacked memory.
    void nobodyNeedsLessThanThereIs()
    {
        WindowFixture fixture({1366, 768});
        open(fixture, prefillTooSmall);
        const Evaluation& e = resultOf(fixture).evaluation;
        QVERIFY(!e.fits && usedBytesFit(e) && !e.pools->prefill.fits);
        QTRY_VERIFY(fixture.part<MessageBar>().isVisible());
        const QString bar = fixture.part<MessageBar>().text();
        QVERIFY2(bar.contains(QLatin1String("prefill pool does not fit")) && !bar.contains(QLatin1String("needs")),
                 qPrintable(bar));
        const double share = e.pools->prefill.usedBytes / e.pools->prefill.capacityBytes;
        const QString status = statusOf(fixture);
        QVERIFY2(share > 1 && status.contains(toQString(formatText(share, ValueFormat::Percent))), qPrintable(status));
        const std::string lack =
            "refill lacks " +
            formatText(e.pools->prefill.usedBytes - e.pools->prefill.capacityBytes, ValueFormat::Bytes);
        const std::string reading = chartRow("memory")->build(resultOf(fixture)).reading;
        QVERIFY2(reading.find(lack) != std::string::npos && reading.find("Needs") == std::string::npos,
                 reading.c_str());
        ReportContent content;
        content.context = resultOf(fixture);
        const QString head = reportHead(content);
        QVERIFY2(head.contains(toRichText(formatText(e.pools->prefill.usedBytes, ValueFormat::Bytes))),
                 qPrintable(head));
    }

    /// What does not fit of reinforcement learning had a green dot in the status line.
    void answersThatDoNotFitAreRed()
    {
        WindowFixture fixture;
        open(fixture, R"("model": "qwen2.5-32b", "hardware": {"accelerator": "h100-sxm-80gb", "count": 32},
            "workload": {"task": "training", "sequence_length": 4096, "checkpointing": "full",
            "rl": {"prompts": 64, "placement": "separate", "rollout_pool": {"count": 8, "tensor": 1,
            "software": "vllm"}, "output_tokens": 60000}}, "parallelism": {"sharding": "fsdp"})");
        const Evaluation& e = resultOf(fixture).evaluation;
        QVERIFY(e.fits && !e.rl->fits);
        QVERIFY2(statusOf(fixture).contains(QLatin1String("does not fit")), qPrintable(statusOf(fixture)));
    }

    /// 80 GB in the choice of a GPU were 85.5 GB in the tile: a label's GB are GiB.
    void aGpuHasTheMemoryThatTheTileCounts()
    {
        WindowFixture fixture;
        open(fixture, R"("model": "llama-3.1-8b", "hardware": {"accelerator": "h100-sxm-80gb", "count": 2048},
            "workload": {"task": "training"})");
        const QString capacity = toQString(formatText(resultOf(fixture).evaluation.capacityBytes, ValueFormat::Bytes));
        const auto device = Catalog::builtIn().accelerator("h100-sxm-80gb");
        QVERIFY2(entryOf(*device).facts.startsWith(capacity), qPrintable(entryOf(*device).facts));
        const ChartSpec memory = chartRow("memory")->build(resultOf(fixture));
        QVERIFY(std::ranges::find(memory.guides, toUtf8(capacity), &Guide::label) != memory.guides.end());
        const auto pickers = fixture.part<ParameterPanel>().findChildren<CatalogPicker*>();
        QVERIFY(std::ranges::any_of(pickers, [](const CatalogPicker* picker) {
            return picker->accessibleName().contains(QStringLiteral("2,048 × "));
        }));
    }

    /// "1,14× schnel…": faster or slower is what the cell is there for.
    void noCellOfTheComparisonIsCut()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture({1366, 768});
        open(fixture, R"("model": "llama-3.1-8b", "hardware": {"accelerator": "h100-sxm-80gb", "count": 8},
            "workload": {"task": "training", "sequence_length": 8192, "micro_batch": 2})");
        fixture.session.store.pinCurrent();
        fixture.session.store.pinCurrent();
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 1);
        fixture.session.recalculator.flush();
        auto& page = fixture.window->pages().show<ComparePage>();
        WindowFixture::settle();
        const auto* table = page.findChild<QTableView*>();
        QFont bold = table->font();
        bold.setBold(true);
        bool perToken = false;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            for (int column = 0; column < table->model()->columnCount(); ++column)
                for (const QString& line : table->model()->index(row, column).data().toString().split(u'\n')) {
                    perToken = perToken || line.contains(QLatin1String("/Token"));
                    const int wants = QFontMetrics(bold).horizontalAdvance(line);
                    QVERIFY2(wants <= table->columnWidth(column), qPrintable(line));
                }
        QVERIFY(perToken);
    }
};
HEADROOM_TEST_WITH(QApplication, TestOneFigure)

} // namespace headroom::ui::test_one_figure
#include "test_one_figure.moc"
