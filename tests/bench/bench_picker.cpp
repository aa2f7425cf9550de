// SPDX-License-Identifier: GPL-3.0-or-later
// Key stroke to pixels: in the pickers of model and accelerator and in the search of the catalogue page, on the real
// window, 1600×900. Processor time, which neighbours on the machine disturb less than the clock on the wall, and that.
#include "tests/bench/bench_window.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLineEdit>

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

namespace
{

using namespace headroom;

void settle()
{
    for (int turn = 0; turn < 6; ++turn) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
    QGuiApplication::sync();
}

struct Times {
    std::vector<double> processor, wall; ///< milliseconds, one each a key stroke
};

/// Types `text` letter by letter and takes the time of each until nothing is left to paint.
void type(QLineEdit& field, const QString& text, Times& times)
{
    field.clear();
    settle();
    for (const QChar letter : text) {
        QElapsedTimer clock;
        clock.start();
        const std::clock_t begun = std::clock();
        QKeyEvent press(QEvent::KeyPress, 0, Qt::NoModifier, QString(letter));
        QCoreApplication::sendEvent(&field, &press);
        settle();
        times.processor.push_back(1e3 * static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC);
        times.wall.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
}

double middle(std::vector<double>& times)
{
    std::ranges::sort(times);
    return times[times.size() / 2];
}

void report(const char* where, Times times)
{
    const double processor = middle(times.processor), wall = middle(times.wall);
    fmt::print("{:<18} {:6.1f} ms median, {:.1f} ms at worst, of processor time; {:.1f} ms median on the wall\n", where,
               processor, times.processor.back(), wall);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    bench::BenchWindow opened(application);
    ui::MainWindow& window = opened.window;
    settle();

    const QStringList words{QStringLiteral("h100 nvl"), QStringLiteral("qwen 235"), QStringLiteral("mi3")};
    constexpr int rounds = 10;
    const auto popups = window.findChildren<ui::PickerPopup*>();
    if (popups.size() < 2)
        return 1;
    for (ui::PickerPopup* popup : popups) {
        popup->open(QRect(100, 100, 300, 40), {});
        Times times;
        for (int round = 0; round < rounds; ++round)
            for (const QString& text : words)
                type(*popup->field(), text, times);
        popup->close();
        report(("picker, " + popup->parentWidget()->accessibleName().section(u':', 0, 0).toStdString()).c_str(),
               std::move(times));
    }
    window.pages().show(QStringLiteral("catalog"));
    settle();
    auto* page = qobject_cast<ui::CatalogPage*>(window.pages().page(QStringLiteral("catalog")));
    if (!page)
        return 1;
    for (const ui::CatalogKind kind : {ui::CatalogKind::Accelerators, ui::CatalogKind::Models}) {
        page->showKind(kind);
        Times times;
        for (int round = 0; round < rounds; ++round)
            for (const QString& text : words)
                type(*page->searchField(), text, times);
        report(kind == ui::CatalogKind::Models ? "page, models" : "page, accelerators", std::move(times));
    }
    return 0;
}
