// SPDX-License-Identifier: GPL-3.0-or-later
// Slider to pixels: from a slider's valueMoved to the last visible chart's paint, on the real window, 1600×900.
// With --count N: exactly N steps and no report, for callgrind.
#include "core/explore/sweep.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/controls/log_slider.hpp"
#include "ui/controls/parameter_panel.hpp"
#include "ui/main_window.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace
{

using namespace headroom;

/// Nobody answers dialogs here.
class NoDialogs final : public ui::Dialogs
{
public:
    QString openFile(QWidget*, const QString&) override { return {}; }
    QString saveFile(QWidget*, const QString&) override { return {}; }
    ui::SaveAnswer askSave(QWidget*, const QString&) override { return ui::SaveAnswer::Discard; }
    void showError(QWidget*, const QString&, const QString&) override {}
    void showAbout(QWidget*, const QString&, const QString&) override {}
};

struct Report {
    std::vector<double> milliseconds;
    long paints = 0;
    int charts = 0;
};

/// Moves one slider through `steps` values in a mixed order; counts paints and times each step.
Report drag(ui::MainWindow& window, const char* parameter, int steps)
{
    const auto* row = window.parameters().rowWidget(QString::fromLatin1(parameter));
    auto* slider = row ? row->findChild<ui::LogSlider*>() : nullptr;
    if (!slider)
        return {};
    Report report;
    std::vector<ui::ChartView*> visible;
    for (auto* chart : window.findChildren<ui::ChartView*>())
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
        for (const long n : paints)
            report.paints += n;
    }
    emit slider->gestureFinished();
    return report;
}

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const int fixed = argc == 3 && std::string_view(argv[1]) == "--count" ? std::atoi(argv[2]) : 0;
    QElapsedTimer startUp;
    startUp.start();
    QApplication application(argc, argv);
    const QTemporaryDir folder;
    ui::Settings settings(folder.filePath(QStringLiteral("headroom.ini")));
    NoDialogs dialogs;
    ui::Appearance appearance(application, settings);
    ui::MainWindow window({settings, dialogs, appearance});
    window.resize(1600, 900);
    window.show();
    for (int i = 0; i < 20; ++i)
        QCoreApplication::processEvents();
    if (fixed == 0)
        fmt::print("{:<18} {:6.1f} ms from main to a settled window\n", "start",
                   static_cast<double>(startUp.nsecsElapsed()) / 1e6);

    for (const char* parameter : {"micro_batch", "sequence_length", "lora_rank", "count"}) {
        if (fixed > 0) {
            if (drag(window, parameter, fixed / 4 + 1).milliseconds.empty())
                return 1;
            continue;
        }
        drag(window, parameter, 20); // warm
        const Report report = drag(window, parameter, 200);
        if (report.milliseconds.empty()) {
            fmt::print(stderr, "no slider for {}\n", parameter);
            return 1;
        }
        fmt::print("{:<18} {} charts: {:.1f} ms at the median, {:.1f} ms at the 95th percentile, {:.1f} ms at most, "
                   "{:.2f} paints a chart and step\n",
                   parameter, report.charts, percentile(report.milliseconds, 0.5),
                   percentile(report.milliseconds, 0.95), percentile(report.milliseconds, 1),
                   static_cast<double>(report.paints) /
                       (report.charts * static_cast<double>(report.milliseconds.size())));
    }
    return 0;
}
