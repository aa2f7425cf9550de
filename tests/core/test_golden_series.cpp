// SPDX-License-Identifier: GPL-3.0-or-later
// Golden series: every chart of ten reference scenarios as text, compared with tests/golden. HEADROOM_UPDATE_GOLDEN=1
// rewrites the files; read the difference before committing it.
#include "core/charts/chart_registry.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <QtGlobal>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace headroom::test_golden_series
{
namespace
{

/// Every example that shows something of its own, by the number its file begins with.
constexpr std::array references{"01", "03", "04", "07", "09", "10", "12", "13", "14", "16"};

std::string number(double value)
{
    return fmt::format("{:.6g}", value == 0 ? 0.0 : value);
}

void write(std::ostringstream& out, const Axis& axis, std::string_view name)
{
    out << name << ' ' << axis.label << " [" << axis.unit << "] " << (axis.scale == AxisScale::Log ? "log " : "linear ")
        << number(axis.minimum) << ' ' << number(axis.maximum) << '\n';
}

/// Lines of up to sixteen points: enough to see a change, short enough to read.
void write(std::ostringstream& out, const Series& series)
{
    out << "series " << series.id << " \"" << series.label << "\" role " << static_cast<int>(series.role) << " kind "
        << static_cast<int>(series.kind) << " points " << series.points.size() << '\n';
    const std::size_t stride = series.kind == SeriesKind::Bar ? 1 : std::max<std::size_t>(1, series.points.size() / 16);
    for (std::size_t i = 0; i < series.points.size(); i += stride) {
        const Point& point = series.points[i];
        out << "  " << number(point.x) << ' ' << number(point.y);
        if (point.base)
            out << " from " << number(*point.base);
        if (series.band)
            out << " band " << number(series.band->low[i]) << ' ' << number(series.band->high[i]);
        if (series.kind == SeriesKind::Points)
            out << " size " << number(point.size);
        if (!point.label.empty())
            out << " \"" << point.label << '"';
        out << (point.infeasible ? " does not fit\n" : "\n");
    }
}

std::string text(const ChartSpec& spec)
{
    std::ostringstream out;
    out << "chart " << spec.id << " \"" << spec.title << "\"\nreading " << spec.reading << '\n';
    if (!spec.note.empty())
        out << "note " << spec.note << '\n';
    write(out, spec.x, "x");
    for (const Axis* axis : {&spec.x, &spec.y})
        if (axis->minimum == -0.5)
            for (const Tick& tick : axis->ticks)
                out << "  " << number(tick.position) << ' ' << tick.label << '\n';
    write(out, spec.y, "y");
    for (const Series& series : spec.series)
        write(out, series);
    for (const Guide& guide : spec.guides)
        out << "guide " << static_cast<int>(guide.kind) << ' ' << number(guide.x) << ' ' << number(guide.y) << " \""
            << guide.label << "\"\n";
    if (spec.heatMap) {
        const HeatMap& map = *spec.heatMap;
        out << "map " << map.x.size() << " by " << map.y.size() << ", " << number(map.minimum) << " to "
            << number(map.maximum) << '\n';
        for (std::size_t row = 0; row < map.y.size(); ++row) {
            out << "  " << number(map.y[row]) << ':';
            for (std::size_t column = 0; column < map.x.size(); column += 3) {
                const std::size_t i = row * map.x.size() + column;
                out << ' ' << number(map.value[i]) << (map.infeasible[i] != 0 ? "!" : "");
            }
            out << '\n';
        }
    }
    return out.str();
}

/// The first line that differs, for the message.
std::string difference(const std::string& golden, const std::string& now)
{
    std::istringstream a(golden), b(now);
    std::string left, right;
    for (int line = 1;; ++line) {
        const bool more = static_cast<bool>(std::getline(a, left)), other = static_cast<bool>(std::getline(b, right));
        if (!more && !other)
            return "no difference";
        if (left != right || more != other)
            return fmt::format("line {}: golden \"{}\", now \"{}\"", line, more ? left : "", other ? right : "");
    }
}

} // namespace

class TestGoldenSeries : public QObject
{
    Q_OBJECT
private slots:
    void charts_data()
    {
        QTest::addColumn<QByteArray>("path");
        for (const EmbeddedFile& file : embeddedFolder("scenarios/"))
            for (const std::string_view number : references)
                if (file.path.starts_with(std::string("scenarios/") + std::string(number) + "-"))
                    QTest::newRow(file.path.data()) << QByteArray(file.path.data(), qsizetype(file.path.size()));
    }
    void charts()
    {
        QFETCH(QByteArray, path);
        const std::string name = path.toStdString();
        const Catalog catalog = Catalog::builtIn();
        const auto reading = readScenario(*embeddedFile(name), catalog);
        QVERIFY(reading);
        ChartContext context;
        context.scenario = *prepare(reading->scenario, catalog, Calibration::builtIn());
        context.evaluation = evaluate(context.scenario);
        shareCurves(context);
        std::string now = "# " + reading->scenario.name + "\n";
        for (const ChartRow& row : chartRegistry())
            if (context.scenario.task == Task::Training ? row.training : row.inference)
                now += "\n" + text(row.build(context));

        std::string base = name.substr(std::string_view("scenarios/").size());
        base = base.substr(0, base.rfind('.'));
        const std::string file = test::sourcePath("tests/golden/" + base + ".txt");
        if (qEnvironmentVariableIsSet("HEADROOM_UPDATE_GOLDEN")) {
            std::ofstream(file, std::ios::binary) << now;
            QSKIP("golden series rewritten");
        }
        const std::string golden = test::readFile(file);
        QVERIFY2(!golden.empty(), "no golden series; run with HEADROOM_UPDATE_GOLDEN=1");
        QVERIFY2(golden == now, difference(golden, now).c_str());
    }
};
HEADROOM_TEST(TestGoldenSeries)

} // namespace headroom::test_golden_series
#include "test_golden_series.moc"
