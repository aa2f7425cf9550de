// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog.hpp"
#include "core/explore/sweep.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/swept.hpp"

#include <rapidcheck.h>

#include <algorithm>

namespace headroom::test_sweep
{

using Values = std::vector<double>;

class TestSweep : public QObject
{
    Q_OBJECT
private slots:
    void readsValues_data()
    {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<double>>("values");
        QTest::newRow("doubling") << "micro_batch"
                                  << "1..1024:x2" << QList<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
        QTest::newRow("doubling by default") << "tensor"
                                             << "1..8" << QList<double>{1, 2, 4, 8};
        QTest::newRow("list") << "tensor"
                              << "1,2,4" << QList<double>{1, 2, 4};
        QTest::newRow("adding") << "sequence_length"
                                << "1000..3000:+1000" << QList<double>{1000, 2000, 3000};
        QTest::newRow("list and range") << "tensor"
                                        << "1,4..16:x2" << QList<double>{1, 4, 8, 16};
        QTest::newRow("binary k") << "sequence_length"
                                  << "8k,16k" << QList<double>{8192, 16384};
        QTest::newRow("choices") << "precision"
                                 << "bf16,fp8" << QList<double>{3, 4};
        QTest::newRow("shares") << "overlap_data_parallel"
                                << "0..1:+0.25" << QList<double>{0, 0.25, 0.5, 0.75, 1};
        QTest::newRow("toggle") << "chunked_loss"
                                << "false,true" << QList<double>{0, 1};
    }
    void readsValues()
    {
        QFETCH(QString, parameter);
        QFETCH(QString, text);
        QFETCH(QList<double>, values);
        const auto read = parseSweepValues(*parameterRow(parameter.toStdString()), text.toStdString());
        QVERIFY2(read.has_value(), read ? "" : toText(read.error().front()).c_str());
        QCOMPARE(*read, Values(values.begin(), values.end()));
    }

    void refusesWithAReason_data()
    {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::newRow("empty") << "tensor"
                               << ""
                               << "not-a-number";
        QTest::newRow("word") << "tensor"
                              << "two"
                              << "not-a-number";
        QTest::newRow("zero") << "tensor"
                              << "0,1"
                              << "out-of-range";
        QTest::newRow("half") << "tensor"
                              << "1.5"
                              << "not-whole";
        QTest::newRow("backwards") << "tensor"
                                   << "8..1"
                                   << "empty-range";
        QTest::newRow("step of one") << "tensor"
                                     << "1..8:x1"
                                     << "bad-step";
        QTest::newRow("step of nothing") << "tensor"
                                         << "1..8:+0"
                                         << "bad-step";
        QTest::newRow("unknown choice") << "precision"
                                        << "bf17"
                                        << "unknown-choice";
        QTest::newRow("too many") << "count"
                                  << "1..1000000:+1"
                                  << "too-many-values";
        QTest::newRow("nan") << "expert_imbalance"
                             << "nan"
                             << "not-a-number";
    }
    void refusesWithAReason()
    {
        QFETCH(QString, parameter);
        QFETCH(QString, text);
        QFETCH(QString, code);
        const auto read = parseSweepValues(*parameterRow(parameter.toStdString()), text.toStdString());
        QVERIFY(!read.has_value());
        QCOMPARE(QString::fromStdString(read.error().front().code), code);
    }

    void valuesAreSortedUniqueAndHoldTheCurrentOne()
    {
        QVERIFY(rc::check([] {
            const auto rows = parameterRegistry();
            const ParameterRow& row = rows[*rc::gen::inRange<std::size_t>(0, rows.size())];
            const double current = std::clamp(*rc::gen::inRange(1, 1000) * 1.0, row.sliderMinimum, row.sliderMaximum);
            const Values values = sweepValues(row, row.sliderMinimum, row.sliderMaximum, 130, current);
            RC_ASSERT(!values.empty() && values.size() <= 131);
            RC_ASSERT(std::ranges::is_sorted(values, std::less_equal{}) || values.size() == 1);
            RC_ASSERT(std::ranges::adjacent_find(values) == values.end());
            RC_ASSERT(row.kind == ParameterKind::Choice || std::ranges::find(values, current) != values.end());
            RC_ASSERT(values.front() == row.sliderMinimum && values.back() == row.sliderMaximum);
        }));
    }

    void everyPointIsTheScenarioWithThatValue()
    {
        const Catalog catalog = Catalog::builtIn();
        const auto prepared = prepare(Scenario{}, catalog, Calibration::builtIn());
        QVERIFY(prepared.has_value());
        const ParameterRow& row = *parameterRow("micro_batch");
        const Values values{1, 2, 8};
        const auto points = test::swept(*prepared, row, values);
        QCOMPARE(points.size(), values.size());
        for (const auto& point : points) {
            PreparedScenario alone = *prepared;
            row.set(alone, point.value);
            QVERIFY(point.evaluation == evaluate(alone));
        }
        QVERIFY(points[0].evaluation != points[2].evaluation);
    }

    /// A key asks for what it belongs to at any value: the first point of 0, 4, 8 spares counts failures as the others.
    void aDefaultIsSweptAsAFileStatesIt_data()
    {
        QTest::addColumn<QString>("object");
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        QTest::newRow("spares") << "reliability"
                                << "spares" << 0.0;
        QTest::newRow("restart") << "reliability"
                                 << "restart_s" << 600.0;
        QTest::newRow("staleness") << "rl"
                                   << "staleness" << 0.0;
        QTest::newRow("answers") << "rl"
                                 << "samples" << 16.0;
        QTest::newRow("answers, another number") << "rl"
                                                 << "samples" << 8.0;
    }
    void aDefaultIsSweptAsAFileStatesIt()
    {
        QFETCH(QString, object);
        QFETCH(QString, key);
        QFETCH(double, value);
        const Catalog catalog = Catalog::builtIn();
        const auto read = [&catalog](const QString& more) {
            const QString text =
                QStringLiteral(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", )"
                               R"("hardware": {"accelerator": "h100-sxm-80gb", "count": 64}, )"
                               R"("workload": {"task": "training", "training_tokens": 1e12%1}})")
                    .arg(more);
            return prepare(readScenario(text.toStdString(), catalog).value().scenario, catalog, Calibration::builtIn())
                .value();
        };
        const ParameterRow* row =
            parameterRow("workload." + object.toStdString() + "." + key.toStdString(), Task::Training);
        QVERIFY(row);
        const auto points = test::swept(read({}), *row, Values{value});
        const PreparedScenario stated = read(QStringLiteral(R"(, "%1": {"%2": %3})").arg(object, key).arg(value));
        QVERIFY(points.front().evaluation == evaluate(stated));
        QVERIFY(points.front().evaluation.goodput || points.front().evaluation.rl);
    }

    void aPointIsValidWhereAFileOfItIs_data()
    {
        QTest::addColumn<QString>("workload");
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QList<double>>("values"); // the last of them is refused
        QTest::newRow("more stages than layers") << R"({"task": "training"})"
                                                 << "pipeline" << QList<double>{32, 64};
        QTest::newRow("stages that serve") << R"({"task": "inference"})"
                                           << "pipeline" << QList<double>{32, 64};
        QTest::newRow("a phase's batch") << R"({"task": "training", "phases": [{"tokens": 1e9, "global_batch": 64}]})"
                                         << "micro_batch" << QList<double>{1, 3};
        QTest::newRow("a phase's layout") << R"({"task": "training", "phases": [{"tokens": 1e9, "tensor": 8}]})"
                                          << "count" << QList<double>{64, 60};
        QTest::newRow("no layer that drafts") << R"({"task": "inference", "speculative": {}})"
                                              << "speculative_method" << QList<double>{0, 3};
    }
    void aPointIsValidWhereAFileOfItIs()
    {
        QFETCH(QString, workload);
        QFETCH(QString, parameter);
        QFETCH(QList<double>, values);
        const Catalog catalog = Catalog::builtIn();
        const auto reading = readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", )"
                                          R"("hardware": {"accelerator": "h100-sxm-80gb", "count": 64}, "workload": )" +
                                              workload.toStdString() + "}",
                                          catalog);
        QVERIFY(reading.has_value());
        const auto prepared = prepare(reading->scenario, catalog, Calibration::builtIn());
        QVERIFY(prepared.has_value());
        const ParameterRow* row = parameterRow(parameter.toStdString());
        QVERIFY(row);
        const auto points = test::swept(*prepared, *row, Values(values.begin(), values.end()));
        for (const auto& point : points) {
            Scenario file = reading->scenario;
            row->set(file, point.value);
            QCOMPARE(point.valid, prepare(file, catalog, Calibration::builtIn()).has_value());
        }
        QVERIFY(points.front().valid && !points.back().valid);
    }
};
HEADROOM_TEST(TestSweep)

} // namespace headroom::test_sweep
#include "test_sweep.moc"
