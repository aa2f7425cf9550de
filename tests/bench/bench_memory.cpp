// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that the system has given to the window: when it has opened, when each page has been visited, and when each
// has been visited in every theme. Ends with 1 where that is more than 150 MB: unlike a time it repeats.
#include "tests/bench/bench_window.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/page_registry.hpp"

#include <QElapsedTimer>
#include <QStackedWidget>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace
{

using namespace headroom;

constexpr double most = 150; // MB

/// In millions of bytes, libraries and their shared pages included.
double residentMegabytes()
{
    std::size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Until nothing is left to paint; a page that computes beside says so by its property `busy`.
void settle(const QWidget* page)
{
    QElapsedTimer waited;
    waited.start();
    do {
        for (int turn = 0; turn < 20; ++turn)
            QCoreApplication::processEvents();
    } while (page && page->property("busy").toBool() && waited.elapsed() < 30'000);
}

void visitAllPages(ui::MainWindow& window)
{
    for (const ui::PageRow& row : ui::pageRegistry()) {
        window.pages().show(QLatin1String(row.id));
        settle(window.pages().stack()->currentWidget());
    }
}

double report(const char* when)
{
    const double resident = residentMegabytes();
    fmt::print("memory, {:<36} {:6.1f} MB resident\n", when, resident);
    return resident;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    bench::BenchWindow opened(application);
    ui::MainWindow& window = opened.window;
    settle(nullptr);
    report("open");
    visitAllPages(window);
    double largest = report("every page visited");
    for (const ui::ThemeKind kind :
         {ui::ThemeKind::Dark, ui::ThemeKind::HighContrast, ui::ThemeKind::HighContrastDark, ui::ThemeKind::Light}) {
        opened.appearance.setTheme(kind);
        visitAllPages(window);
    }
    largest = std::max(largest, report("every page in every theme"));
    if (largest > most)
        fmt::print(stderr, "more than the {} MB that are promised\n", most);
    return largest > most ? 1 : 0;
}
