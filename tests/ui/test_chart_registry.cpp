// SPDX-License-Identifier: GPL-3.0-or-later
// Every chart of the registry drawn for both tasks; HEADROOM_CHART_IMAGES=folder keeps the pictures for looking at.
#include "tests/support/patience.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_scenario.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/charts/si_ticker.hpp"
#include "ui/theme/fonts.hpp"

#include <QApplication>
#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <set>

namespace headroom::ui::test_chart_registry
{
namespace
{

ChartContext contextOf(const Scenario& scenario)
{
    const auto prepared = prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
    if (!prepared)
        qFatal("the scenario is refused: %s", prepared.error().front().message.c_str());
    ChartContext context;
    context.scenario = *prepared;
    context.evaluation = evaluate(*prepared);
    return context;
}

ChartContext training()
{
    Scenario s;
    s.model.id = "llama-3.1-405b";
    s.accelerator.id = "mi300x";
    s.hardware.count = 8;
    s.training.method = Method::Lora;
    s.training.sequenceLength = 64;
    s.training.microBatch = 2;
    s.training.checkpointing = Checkpointing::Full;
    s.measured.stepTimeS = 30;
    return contextOf(s);
}

ChartContext serving()
{
    Scenario s;
    s.task = Task::Inference;
    s.model.id = "llama-3.1-70b";
    s.hardware.count = 4;
    s.parallelism.tensor = 4;
    s.inference.batch = 32;
    ChartContext context = contextOf(s);
    s.inference.weights = DataType::Fp8;
    ChartContext pinned = contextOf(s);
    context.pins.push_back({'A', "fp8", pinned.scenario, pinned.evaluation});
    return context;
}

bool offered(const ChartRow& row, Task task)
{
    return task == Task::Training ? row.training : row.inference;
}

/// Nothing runs over the card's edge: a clipped label would leave ink there.
bool hasFreeEdge(const QImage& image, const Theme& theme)
{
    const int edge = 2 * int(image.devicePixelRatio());
    const auto blank = [&](const QRect& strip) {
        for (int y = strip.top(); y <= strip.bottom(); ++y)
            for (int x = strip.left(); x <= strip.right(); ++x)
                if (image.pixel(x, y) != theme.surface.rgb())
                    return false;
        return true;
    };
    const int w = image.width();
    const int h = image.height();
    return blank({0, 0, w, edge}) && blank({0, h - edge, w, edge}) && blank({0, 0, edge, h}) &&
           blank({w - edge, 0, edge, h});
}

} // namespace

class TestChartRegistry final : public QObject
{
    Q_OBJECT

private slots:
    /// The axis is a line as others are, and no name lies across it.
    void theAxisStrikesThroughNoName()
    {
        ChartSpec spec = test::lineSpec(1);
        spec.series = {
            {"runs", "runs", SeriesRole::Secondary, SeriesKind::Points, 1, {{900, 0.02, 1, "", {}, false}}, {}}};
        spec.guides.clear();
        ChartView view;
        view.resize(420, 300);
        view.setSpec(spec);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCoreApplication::processEvents();
        const int axis = view.plotArea().bottom() + 1; // QRect ends a pixel before
        for (const double y : {0.02, 0.04, 0.06, 0.5}) {
            spec.series[0].points[0] = {900, y, 1, " ", {}, false};
            const QImage without = renderImage(spec, view.size(), theme(ThemeKind::Light), view.font(), 1);
            spec.series[0].points[0].label = "a name that is longer than the room beside it";
            const QImage with = renderImage(spec, view.size(), theme(ThemeKind::Light), view.font(), 1);
            for (int x = view.plotArea().left(); x < view.plotArea().right(); ++x)
                QCOMPARE(with.pixel(x, axis), without.pixel(x, axis));
            QVERIFY(y < 0.5 || with != without);
        }
    }

    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyChartDraws_data()
    {
        QTest::addColumn<int>("task");
        QTest::newRow("training") << int(Task::Training);
        QTest::newRow("inference") << int(Task::Inference);
    }

    void everyChartDraws()
    {
        QFETCH(const int, task);
        // One view for all, so that graphs made for one shape are reused and removed for the next.
        ChartView view;
        view.resize(420, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy paints(&view, &ChartView::painted);
        test::RandomScenarios scenarios(99);
        for (int i = 0; i < 12; ++i) {
            const ChartContext context = scenarios.nextContext(Task(task), i % 3);
            for (const ChartRow& row : chartRegistry()) {
                if (!offered(row, Task(task)))
                    continue;
                const ChartSpec spec = row.build(context);
                paints.clear();
                view.setSpec(spec);
                QTRY_VERIFY(paints.count() > 0);
                QVERIFY(view.plotArea().width() > 60 && view.plotArea().height() > 60);
                const QPointF corner = view.pixelOf(spec.x.minimum, spec.y.minimum);
                QVERIFY(std::isfinite(corner.x()) && std::isfinite(corner.y()));
            }
        }
    }

    void ticksReadAsNumbersOrNames()
    {
        static const QRegularExpression number(
            QStringLiteral("^[\u2212+]?[0-9][0-9,]*([.][0-9]+)?(\u202F?[a-zA-Z\u00B5%$/][a-zA-Z0-9/%]*)?$"));
        for (const ChartContext& context : {training(), serving()})
            for (const ChartRow& row : chartRegistry()) {
                if (!offered(row, context.scenario.task))
                    continue;
                const ChartSpec spec = row.build(context);
                for (const Axis* axis : {&spec.x, &spec.y}) {
                    const auto ticks = chooseTicks(*axis, 6);
                    QVERIFY2(ticks.size() >= 2 || !axis->ticks.empty(), row.id.data());
                    std::set<std::string> labels;
                    for (const Tick& tick : ticks) {
                        const QString label = QString::fromStdString(tick.label);
                        QVERIFY2(!axis->ticks.empty() || number.match(label).hasMatch(), tick.label.c_str());
                        QVERIFY2(labels.insert(tick.label).second || !axis->ticks.empty(), tick.label.c_str());
                    }
                }
            }
    }

    /// A window drawn small with large type leaves a plot lower than a line of text, or none. What would be out of its
    /// bounds there ends the program in a build with sanitizers, whose library checks arguments.
    void drawnAtAnySize()
    {
        QFont font = interfaceFont(QApplication::font());
        font.setPointSizeF(font.pointSizeF() * 2);
        for (const ChartContext& context : {training(), serving()})
            for (const ChartRow& row : chartRegistry()) {
                if (!offered(row, context.scenario.task))
                    continue;
                const ChartSpec spec = row.build(context);
                for (const int width : {1, 40, 120, 500})
                    for (const int height : {1, 40, 90, 120, 160, 200, 240})
                        QCOMPARE(renderImage(spec, {width, height}, theme(ThemeKind::Light), font, 1).width(), width);
            }
    }

    void nothingRunsOverTheEdge()
    {
        const QString folder = qEnvironmentVariable("HEADROOM_CHART_IMAGES");
        QVERIFY(folder.isEmpty() || QDir().mkpath(folder));
        const QFont font = interfaceFont(QApplication::font());
        for (const ChartContext& context : {training(), serving()})
            for (const ChartRow& row : chartRegistry()) {
                if (!offered(row, context.scenario.task))
                    continue;
                const ChartSpec spec = row.build(context);
                const QString stem = folder + u'/' + QString::fromUtf8(row.id.data(), qsizetype(row.id.size())) +
                                     (context.scenario.task == Task::Training ? u"-train" : u"-serve");
                for (const auto& [name, kind] : {std::pair("light", ThemeKind::Light),
                                                 {"dark", ThemeKind::Dark},
                                                 {"contrast", ThemeKind::HighContrast}})
                    for (const QSize size : {QSize(420, 300), QSize(1200, 800)}) {
                        if (folder.isEmpty() && size.width() > 500)
                            continue;
                        const QImage image = renderImage(spec, size, theme(kind), font, size.width() < 500 ? 2 : 1);
                        QVERIFY2(hasFreeEdge(image, theme(kind)), qPrintable(stem));
                        QVERIFY(folder.isEmpty() ||
                                image.save(QStringLiteral("%1-%2-%3.png")
                                               .arg(stem, QString::fromLatin1(name), QString::number(size.width()))));
                    }
            }
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartRegistry)

} // namespace headroom::ui::test_chart_registry
#include "test_chart_registry.moc"
