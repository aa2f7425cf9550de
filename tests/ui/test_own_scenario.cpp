// SPDX-License-Identifier: GPL-3.0-or-later
// In the window a measurement stays with its settings, and another question is a scenario of the user's own.
#include "core/comparison/comparison.hpp"
#include "core/explore/advice.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/compared.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/recovery.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QJsonDocument>
#include <QJsonObject>

namespace headroom::ui::test_own_scenario
{

using headroom::test::WindowFixture;

class TestOwnScenario : public QObject
{
    Q_OBJECT

    static const ChartContext& result(WindowFixture& fixture)
    {
        fixture.session.recalculator.flush();
        return *fixture.session.recalculator.context();
    }
    static bool anyObserved(WindowFixture& fixture)
    {
        WindowFixture::settle();
        for (const MetricRow& row : metricRegistry())
            if (const MetricTile* tile = row.tile ? fixture.part<MetricTiles>().tile(toQString(row.id)) : nullptr)
                if (tile->content().observed)
                    return true;
        return false;
    }
    /// How strongly a tile differs from its own paper.
    static int contrast(MetricTile* tile)
    {
        const QImage image = tile->grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        int darkest = 255, lightest = 0;
        for (int y = 12; y < image.height() - 12; ++y) // within the border
            for (int x = 12; x < image.width() - 12; ++x) {
                darkest = std::min(darkest, qGray(image.pixel(x, y)));
                lightest = std::max(lightest, qGray(image.pixel(x, y)));
            }
        return lightest - darkest;
    }

private slots:
    /// What a file describes itself goes by its own name, not as "Custom model".
    void aDescribedModelIsPickedByItsName()
    {
        WindowFixture fixture;
        const auto reading =
            readScenario(R"({"format": "headroom-scenario", "version": 1, "model": {"id": "llama-3-8b", "name":)"
                         R"( "Our Llama", "layers": 40}, "hardware": {"accelerator": {"id": "h100-sxm-80gb",)"
                         R"( "name": "Our card", "memory_gb": 96}}, "workload": {"task": "training"}})",
                         Catalog::builtIn());
        QVERIFY2(reading.has_value(), reading ? "" : toText(reading.error().front()).c_str());
        fixture.session.store.setDocument(reading->scenario, {});
        WindowFixture::settle();
        const ParameterPanel& panel = fixture.part<ParameterPanel>();
        const QString model = panel.modelPicker()->accessibleName() + panel.modelPicker()->accessibleDescription();
        QVERIFY2(model.contains(QLatin1String("Our Llama")), qPrintable(model));
        const QString card =
            panel.acceleratorPicker()->accessibleName() + panel.acceleratorPicker()->accessibleDescription();
        QVERIFY2(card.contains(QLatin1String("Our card")), qPrintable(card));
    }

    void tilesAndChartsPredictWhereNobodyMeasured()
    {
        WindowFixture fixture; // opens on a run that was measured
        QVERIFY(anyObserved(fixture));
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 4096);
        QVERIFY(!anyObserved(fixture));
        for (const ChartRow& chart : chartRegistry())
            if (chart.training)
                for (const Series& series : chart.build(result(fixture)).series)
                    QVERIFY2(series.role != SeriesRole::Measured, std::string(chart.id).c_str());
        fixture.session.store.undoStack().undo();
        QVERIFY(anyObserved(fixture));
    }

    void adviceThatIsAppliedLeavesTheRunBehind()
    {
        WindowFixture fixture;
        const ChartContext before = result(fixture);
        const auto advice = whatNext(before.scenario, before.evaluation, {});
        QVERIFY(!advice.empty());
        emit fixture.part<ExplanationPanel>().adviceChosen(advice.front());
        const ChartSpec ladder = chartRow("loss_ladder")->build(result(fixture));
        for (const Series& series : ladder.series)
            QVERIFY2(series.id != "unexplained", series.id.c_str());
        QVERIFY(fixture.session.store.scenario().measuredWith);
    }

    /// What stands in the table for the meeting.
    void aTableHoldsWhatWasMeasuredAndNothingElse()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.pinCurrent();
        store.setParameter(0, *parameterRow("sequence_length"), 8192);
        store.pinCurrent();
        const Comparison comparison = test::compared(result(fixture));
        bool found = false;
        for (const ComparisonRow& row : comparison.rows)
            if (row.metric->id.starts_with("observed")) {
                found = true;
                QVERIFY(!row.values[0] && row.values[1] && !row.values[2]);
                QVERIFY(row.words[1].empty());
            }
        QVERIFY(found);
    }

    void anotherModelIsTheUsersOwnScenario_data()
    {
        QTest::addColumn<int>("change");
        QTest::newRow("model") << 0;
        QTest::newRow("accelerator") << 1;
        QTest::newRow("task") << 2;
    }
    void anotherModelIsTheUsersOwnScenario()
    {
        QFETCH(int, change);
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        const Scenario example = store.scenario();
        QVERIFY(!example.source.empty() && !example.notes.empty());
        store.edit(0, QStringLiteral("other"), [change](Scenario& scenario) {
            if (change == 0)
                scenario.model = {"llama-3-8b", {}};
            else if (change == 1)
                scenario.accelerator = {"h100-sxm-80gb", {}};
            else
                scenario.task = Task::Inference;
        });
        const std::string file = writeScenario(store.document());
        for (const char* key : {"\"name\"", "\"notes\"", "\"source\"", "\"year\"", "measured", "peak_tflops"})
            QVERIFY2(file.find(key) == std::string::npos, (key + (" in " + file)).c_str());
        QCOMPARE(store.title(), QStringLiteral("Untitled"));
        store.undoStack().undo();
        QVERIFY(store.scenario() == example);
    }

    void recoveryAsksForNobodyElsesRun()
    {
        const QTemporaryDir folder;
        const QString copies = folder.filePath(QStringLiteral("copies"));
        WindowFixture first;
        first.session.store.edit(0, QStringLiteral("other"), [](Scenario& scenario) {
            scenario.model = {"llama-3-8b", {}};
        });
        QVERIFY(QDir().mkpath(copies));
        const QJsonObject kept{{QStringLiteral("format"), QStringLiteral("headroom-autosave")},
                               {QStringLiteral("document"), QString()},
                               {QStringLiteral("time"), QDateTime::currentDateTime().toString(Qt::ISODate)},
                               {QStringLiteral("scenario"), toQString(writeScenario(first.session.store.document()))}};
        test::writtenFile(copies + QStringLiteral("/dead-1.autosave"), QJsonDocument(kept).toJson());
        WindowFixture fixture;
        Autosave autosave(fixture.session.store, copies);
        offerUnsaved(autosave, fixture.session.store, Catalog::builtIn(), fixture.dialogs, fixture.window.get());
        QCOMPARE(fixture.dialogs.offered, QStringList{QStringLiteral("Untitled")});
    }

    /// What cannot be evaluated leaves the tiles of the scenario before, faded as the charts are.
    void tilesFadeWhereNothingCanBeEvaluated()
    {
        WindowFixture fixture;
        MetricTile* tile = fixture.part<MetricTiles>().tile(QStringLiteral("mfu"));
        WindowFixture::settle();
        const int clear = contrast(tile);
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3);
        WindowFixture::settle();
        QVERIFY(fixture.session.recalculator.isRefused());
        QVERIFY2(contrast(tile) < clear / 2, qPrintable(QString::number(contrast(tile))));
        fixture.session.store.undoStack().undo();
        WindowFixture::settle();
        QCOMPARE(contrast(tile), clear);
    }
};
HEADROOM_TEST_WITH(QApplication, TestOwnScenario)

} // namespace headroom::ui::test_own_scenario
#include "test_own_scenario.moc"
