// SPDX-License-Identifier: GPL-3.0-or-later
// Slider to pixels: from a slider's valueMoved to the last visible chart's paint, on the real window, 1600×900.
// With --count N: exactly N steps and no report, for callgrind; with --count-pinned N the same of eight charts with
// pins A to C.
#include "core/explore/sweep.hpp"
#include "tests/bench/bench_window.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/present/stage_sliders.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/widgets/log_slider.hpp"

#include <QElapsedTimer>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace
{

using namespace headroom;

struct Report {
    std::vector<double> milliseconds, processor; ///< waited; worked, whatever else the machine did meanwhile
    long paints = 0;
    int charts = 0;
};

double milliseconds(std::clock_t ticks)
{
    return 1e3 * static_cast<double>(ticks) / CLOCKS_PER_SEC;
}

/// Moves a slider through `steps` values in a mixed order; counts paints of the charts in `place`, times each step.
Report drag(const QWidget& place, ui::LogSlider* slider, const char* parameter, int steps)
{
    if (!slider)
        return {};
    Report report;
    std::vector<ui::ChartView*> visible;
    for (auto* chart : place.findChildren<ui::ChartView*>())
        if (chart->isVisible() && !chart->visibleRegion().isEmpty())
            visible.push_back(chart);
    report.charts = static_cast<int>(visible.size());
    std::vector<long> paints(visible.size(), 0);
    QObject scope;
    for (std::size_t i = 0; i < visible.size(); ++i)
        QObject::connect(visible[i], &ui::ChartView::painted, &scope, [&paints, i] { ++paints[i]; });

    const auto values =
        sweepValues(*parameterRow(parameter), slider->scale().minimum(), slider->scale().maximum(), 60, 0);
    emit slider->gestureStarted();
    for (int step = 0; step < steps; ++step) {
        std::ranges::fill(paints, 0);
        const double value = values[static_cast<std::size_t>(step) * 37 % values.size()]; // 37: any order but sorted
        QElapsedTimer clock;
        clock.start();
        const std::clock_t worked = std::clock();
        emit slider->valueMoved(value);
        // A chart whose picture did not change need not paint: the step ends when the loop has nothing left to do.
        constexpr int turns = 6;
        for (int turn = 0; turn < turns; ++turn) {
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            if (std::ranges::all_of(paints, [](long n) { return n > 0; }))
                break;
        }
        QGuiApplication::sync();
        report.milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        report.processor.push_back(milliseconds(std::clock() - worked));
        for (const long n : paints)
            report.paints += n;
    }
    emit slider->gestureFinished();
    return report;
}

Report drag(bench::BenchWindow& opened, const char* parameter, int steps)
{
    const auto* row = opened.window.findChild<ui::ParameterPanel*>()->rowWidget(QString::fromLatin1(parameter));
    return drag(opened.window, row ? row->slider() : nullptr, parameter, steps);
}

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print(const char* what, const Report& report)
{
    fmt::print("{:<24} {} charts: {:.1f} ms at the median, {:.1f} ms at the 95th percentile, {:.1f} ms at most, "
               "{:.2f} paints a chart and step; processor {:.1f} ms, {:.1f} ms\n",
               what, report.charts, percentile(report.milliseconds, 0.5), percentile(report.milliseconds, 0.95),
               percentile(report.milliseconds, 1),
               static_cast<double>(report.paints) / (report.charts * static_cast<double>(report.milliseconds.size())),
               percentile(report.processor, 0.5), percentile(report.processor, 0.95));
}

/// Eight charts, none twice, with three pins: what the bound of 12 ms is about. Without the explanation, beside which
/// eight do not fit into 1600 × 900.
void showEightChartsAndThreePins(bench::BenchWindow& opened)
{
    const Task task = opened.session.store.scenario().task;
    QStringList ids;
    for (const ChartRow& row : chartRegistry())
        if ((task == Task::Training ? row.training : row.inference) && ids.size() < 8)
            ids << QString::fromLatin1(row.id.data(), static_cast<qsizetype>(row.id.size()));
    (*opened.window.findChild<ui::Actions*>())[ui::ActionId::Explanation]->trigger();
    opened.window.findChild<ui::DashboardPage*>()->choice().setChartIds(task, ids);
    for (const double value : {2.0, 8.0, 16.0}) {
        opened.session.store.setParameter(0, *parameterRow("micro_batch"), value);
        opened.session.store.pinCurrent();
    }
    for (int i = 0; i < 20; ++i)
        QCoreApplication::processEvents();
}

void eightChartsAndThreePins(bench::BenchWindow& opened)
{
    showEightChartsAndThreePins(opened);
    for (const char* parameter : {"micro_batch", "sequence_length", "count"}) {
        drag(opened, parameter, 20); // warm
        print(fmt::format("  A-C, {}", parameter).c_str(), drag(opened, parameter, 200));
    }
}

/// The stage of a presentation at 1920 × 1080 with four charts, without and with three pins.
void presentation(bench::BenchWindow& opened)
{
    ui::Presenter& presenter = opened.window.views().presenter();
    for (const bool pins : {false, true}) {
        StageView view = presenter.present();
        if (!pins)
            view.pins.clear();
        const auto stage = presenter.makeStage({view}, &opened.window);
        stage->resize(1920, 1080);
        stage->show();
        for (int i = 0; i < 20; ++i)
            QCoreApplication::processEvents();
        for (const ui::ParameterRowWidget* row : stage->sliders().rows()) {
            const std::string id(row->row().id);
            drag(*stage, row->slider(), id.c_str(), 20); // warm
            print(fmt::format("{}, {}", pins ? "stage A-C" : "stage", id).c_str(),
                  drag(*stage, row->slider(), id.c_str(), 200));
        }
    }
}

/// A heat map of 64 × 64, evaluated and painted.
void heatMapOf64(bench::BenchWindow& opened)
{
    ChartContext context = *opened.session.recalculator.context();
    context.heatMap = {.x = "sequence_length", .y = "training_tokens", .metric = {}, .fine = true};
    ui::ChartView view;
    view.resize(440, 320);
    view.show();
    std::vector<double> built, painted;
    for (int run = 0; run < 40; ++run) {
        // Two maps in turn: an equal one would not be painted again.
        context.scenario.training.microBatch = 1 + run % 2;
        context.evaluation = evaluate(context.scenario);
        const std::clock_t began = std::clock();
        const ChartSpec spec = chartRow("heat_map")->build(context);
        built.push_back(milliseconds(std::clock() - began));
        view.setSpec(spec);
        for (int turn = 0; turn < 4; ++turn)
            QCoreApplication::processEvents();
        painted.push_back(milliseconds(std::clock() - began));
        if (run == 0)
            fmt::print("{:<18} {} by {} cells\n", "heat map", spec.heatMap->x.size(), spec.heatMap->y.size());
    }
    fmt::print(
        "{:<18} processor: {:.1f} ms to evaluate at the median ({:.1f} at the 95th percentile), {:.1f} ms with its "
        "painting ({:.1f})\n",
        "", percentile(built, 0.5), percentile(built, 0.95), percentile(painted, 0.5), percentile(painted, 0.95));
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const bool pinned = argc == 3 && std::string_view(argv[1]) == "--count-pinned";
    const int fixed = pinned || (argc == 3 && std::string_view(argv[1]) == "--count") ? std::atoi(argv[2]) : 0;
    QElapsedTimer startUp;
    startUp.start();
    const std::jthread reading = ui::Session::readAhead();
    QApplication application(argc, argv);
    bench::BenchWindow opened(application);
    for (int i = 0; i < 20; ++i)
        QCoreApplication::processEvents();
    if (fixed == 0)
        fmt::print("{:<18} {:6.1f} ms from main to a settled window\n", "start",
                   static_cast<double>(startUp.nsecsElapsed()) / 1e6);

    if (pinned)
        showEightChartsAndThreePins(opened);
    for (const char* parameter : {"micro_batch", "sequence_length", "lora_rank", "count"}) {
        if (fixed > 0) {
            if (drag(opened, parameter, fixed / 4 + 1).milliseconds.empty())
                return 1;
            continue;
        }
        drag(opened, parameter, 20); // warm
        const Report report = drag(opened, parameter, 200);
        if (report.milliseconds.empty()) {
            fmt::print(stderr, "no slider for {}\n", parameter);
            return 1;
        }
        print(parameter, report);
    }
    if (fixed == 0) {
        eightChartsAndThreePins(opened);
        presentation(opened);
        heatMapOf64(opened);
    }
    return 0;
}
