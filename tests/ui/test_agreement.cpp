// SPDX-License-Identifier: GPL-3.0-or-later
// The window, the command line and core say the same, to the digit, about every example.
#include "core/predict/evaluation_json.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/panels/metric_tiles.hpp"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace headroom::ui::test_agreement
{

using headroom::test::WindowFixture;

class TestAgreement final : public QObject
{
    Q_OBJECT

    static QStringList examples()
    {
        const QDir folder(QString::fromStdString(test::sourcePath("resources/scenarios")));
        QStringList paths;
        for (const QString& name : folder.entryList({QStringLiteral("*.headroom")}, QDir::Files, QDir::Name))
            paths << folder.filePath(name);
        return paths;
    }

    static QJsonObject fromCommandLine(const QString& path)
    {
        QProcess process;
        process.start(test::commandLineProgram(),
                      {QStringLiteral("evaluate"), path, QStringLiteral("--format"), QStringLiteral("json")});
        if (!process.waitForFinished(60'000) || process.exitCode() != 0)
            return {};
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    }

    /// A value by its path in the result, "memory.used_bytes".
    static QJsonValue valueAt(const QJsonObject& object, const QString& path)
    {
        QJsonValue value = object;
        for (const QString& key : path.split(u'.'))
            value = value.toObject().value(key);
        return value;
    }

private slots:
    void everyExample_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : examples())
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        QVERIFY(examples().size() >= 10);
    }

    void everyExample()
    {
        QFETCH(const QString, path);
        const auto reading = readScenario(test::readFile(toUtf8(path)), Catalog::builtIn());
        QVERIFY(reading);
        const auto prepared = prepare(reading->scenario, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY(prepared);
        const Evaluation evaluation = evaluate(*prepared);

        const QJsonObject command = fromCommandLine(path);
        const std::string core = evaluationJson(reading->scenario.name, *prepared, evaluation, 2);
        QCOMPARE(command, QJsonDocument::fromJson(QByteArray::fromStdString(core)).object());

        WindowFixture fixture;
        QVERIFY(fixture.session.documents.openPath(path));
        fixture.session.recalculator.flush();
        WindowFixture::settle();
        int compared = 0;
        for (const MetricRow& row : metricRegistry()) {
            const MetricTile* tile = row.tile ? fixture.part<MetricTiles>().tile(toQString(row.id)) : nullptr;
            if (!tile)
                continue;
            const std::string id = (tile->content().observed ? "observed." : "") + std::string(row.id);
            const MetricRow* shown = metricRow(id);
            if (!shown) { // not in the result: as measured, or what follows from the measured step time
                const Measured& measured = prepared->measured;
                const bool rate = row.id.starts_with("tokens_per_s");
                const double time = valueAt(command, QStringLiteral("observed.step_time_s")).toDouble();
                const double expected = row.id == "tpot_s"   ? measured.tpotS.value_or(0)
                                        : row.id == "ttft_s" ? measured.ttftS.value_or(0)
                                        : rate && evaluation.stepTimeS
                                            ? row.value(evaluation).value_or(0) * *evaluation.stepTimeS / time
                                            : measured.tokensPerS.value_or(0);
                QCOMPARE(tile->content().number, formatValue(expected, row.format).number);
                continue;
            }
            const auto value = shown->value(evaluation);
            const QJsonValue printed = valueAt(command, toQString(id));
            QVERIFY2(value.has_value() == printed.isDouble(), id.c_str());
            if (!value) {
                QCOMPARE(tile->content().number, std::string("—"));
                continue;
            }
            QCOMPARE(printed.toDouble(), *value);
            const FormattedValue text = formatValue(printed.toDouble(), row.format);
            QCOMPARE(tile->content().number, text.number);
            ++compared;
        }
        QVERIFY(compared >= 4);
    }
};
HEADROOM_TEST_WITH(QApplication, TestAgreement)

} // namespace headroom::ui::test_agreement
#include "test_agreement.moc"
