// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/explore_actions.hpp"

#include "core/comparison/other_measurement.hpp"
#include "core/explain/chart_point.hpp"
#include "core/predict/impossible.hpp"
#include "core/scenario/command_line.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/document/report.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/palette_entries.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/settings/settings.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QStatusBar>
#include <functional>

namespace headroom::ui
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto glossaryId = "glossary"_L1;

/// The glossary, brought to the front; its links lead back to what they name.
GlossaryPage& showGlossary(MainWindow& window)
{
    window.pages().show(glossaryId);
    return *static_cast<GlossaryPage*>(window.pages().page(glossaryId));
}

void connectGlossary(MainWindow& window)
{
    QObject::connect(&window.explanation(), &ExplanationPanel::glossaryRequested, &window,
                     [&window](const QString& metric) { showGlossary(window).showMetric(metric); });
    QObject::connect(&window.parameters(), &ParameterPanel::glossaryRequested, &window,
                     [&window](const QString& parameter) { showGlossary(window).showParameter(parameter); });
    // The page is made when it is first shown.
    QObject::connect(&window.pages(), &PageStack::currentChanged, &window, [&window] {
        auto* page = qobject_cast<GlossaryPage*>(window.pages().page(QLatin1String(window.pages().current().id)));
        constexpr const char* wired = "wired";
        if (!page || page->property(wired).toBool())
            return;
        page->setProperty(wired, true);
        QObject::connect(page, &GlossaryPage::metricRequested, &window, [&window](const QString& metric) {
            window.pages().show(QStringLiteral("dashboard"));
            window.explainMetric(metric);
        });
        QObject::connect(page, &GlossaryPage::chartRequested, &window, [&window](const QString& chart) {
            window.pages().show(QStringLiteral("dashboard"));
            window.dashboard().setChartShown(chart, true);
            if (ChartView* view = window.dashboard().chart(chart); view && !window.dashboard().isFullSize())
                window.dashboard().toggleFullSize(view);
        });
        QObject::connect(page, &GlossaryPage::parameterRequested, &window,
                         [&window](const QString& parameter) { window.parameters().focusRow(parameter); });
    });
}

void connectExplanation(MainWindow& window)
{
    ExplanationPanel& panel = window.explanation();
    panel.setHeld(window.store().locks());
    QObject::connect(&window.dashboard(), &DashboardPage::pointActivated, &window,
                     [&window](ChartView* chart, const QString& series, int index) {
                         const ChartContext* context = window.recalculator().context();
                         const auto point = context ? chartPoint(*context, chart->spec(), toUtf8(series),
                                                                 static_cast<std::size_t>(index))
                                                    : std::nullopt;
                         if (!point)
                             return;
                         window.findChild<Workspace*>()->setRightShown(true);
                         window.explanation().explainPoint(*point, *context);
                     });
    QObject::connect(&panel, &ExplanationPanel::backRequested, &window, [&window] { window.explainMetric({}); });
    QObject::connect(&panel, &ExplanationPanel::adviceChosen, &window.store(), &ScenarioStore::follow);
}

void connectParameters(MainWindow& window)
{
    const Actions& a = window.actions();
    const auto inHand = [&window] {
        const ParameterRow* row = window.parameters().focusedParameter();
        return row ? toQString(row->id) : QString();
    };
    QObject::connect(a[ActionId::SweepRow], &QAction::triggered, &window, [&window, inHand] {
        if (const QString id = inHand(); !id.isEmpty())
            window.recalculator().setSweepParameter(id);
    });
    QObject::connect(a[ActionId::LockRow], &QAction::triggered, &window, [&window] {
        if (const ParameterRow* row = window.parameters().focusedParameter())
            window.store().setLocked(row->id, !window.store().isLocked(row->id));
    });
    QObject::connect(a[ActionId::PlayRow], &QAction::triggered, &window,
                     [&window, inHand] { window.parameters().play(inHand()); });
    QObject::connect(&window.parameters().player(), &Player::playingChanged, &window, [&window] {
        if (const ParameterRow* row = window.parameters().player().playing())
            window.statusBar()->showMessage(
                MainWindow::tr("%1 moves by itself; any key or click stops it.").arg(toQString(say(row->label))));
        else
            window.statusBar()->clearMessage();
    });
}

void connectCharts(MainWindow& window)
{
    const Actions& a = window.actions();
    DashboardPage& page = window.dashboard();
    const auto inHand = [&window, &page]() -> ChartView* {
        if (page.isVisible() && page.chartWithFocus())
            return page.chartWithFocus();
        if (page.isVisible() && page.isFullSize())
            return page.fullSizeChart();
        for (ChartView* chart : window.findChildren<ChartView*>()) // of another page
            if (chart->isVisible() && (chart->hasFocus() || chart->underMouse()))
                return chart;
        return nullptr;
    };
    const auto toChartInHand = [&window, inHand](const std::function<void(ChartView*)>& act) {
        return [&window, inHand, act] {
            if (ChartView* chart = inHand())
                act(chart);
            else
                window.statusBar()->showMessage(MainWindow::tr("Point at a chart first, or take the keyboard to it."),
                                                4000);
        };
    };
    QObject::connect(a[ActionId::FullSize], &QAction::triggered, &window, toChartInHand([&page](ChartView* chart) {
                         if (page.isAncestorOf(chart))
                             page.toggleFullSize(chart);
                     }));
    QObject::connect(a[ActionId::ChartNumbers], &QAction::triggered, &window,
                     toChartInHand([&window](ChartView* chart) {
                         showNumbers(*chart, window.services().dialogs, window.services().settings, &window);
                     }));
    QObject::connect(a[ActionId::ExportChart], &QAction::triggered, &window, toChartInHand([&window](ChartView* chart) {
                         exportChart(*chart, window.services().dialogs, window.services().settings, &window);
                     }));
}

/// What the report says of a measurement that is not in it.
QString aboutMeasurement(MainWindow& window)
{
    const Recalculator& results = window.recalculator();
    const auto other = otherMeasurement(window.store().scenario(), results.catalog(), Calibration::builtIn());
    return toQString(other ? other->sentence()
                           : impossibleText(results.context()->scenario, results.context()->evaluation));
}

void exportReport(MainWindow& window)
{
    const ChartContext* context = window.recalculator().context();
    Settings& settings = window.services().settings;
    Dialogs& dialogs = window.services().dialogs;
    if (window.recalculator().isRefused()) { // the last good result is of another scenario
        dialogs.showError(&window, MainWindow::tr("The report was not written."),
                          toQString(window.recalculator().refusal().front().message));
        return;
    }
    if (!context)
        return;
    const Scenario& scenario = window.store().scenario();
    const QString folder = settings.value(SettingKey::LastFolder).toString();
    const QString path =
        dialogs.exportFile(&window, QDir(folder).filePath(QStringLiteral("report.pdf")),
                           MainWindow::tr("Export report"), MainWindow::tr("PDF (*.pdf);;All files (*)"));
    if (path.isEmpty())
        return;
    const QString error = writeReport({*context, toQString(scenario.name), toQString(scenario.notes),
                                       window.dashboard().chartIds(context->scenario.task), aboutMeasurement(window)},
                                      path);
    if (!error.isEmpty())
        dialogs.showError(&window, MainWindow::tr("The report was not written."), error);
    else
        settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
}

} // namespace

void connectExplore(MainWindow& window)
{
    const Actions& a = window.actions();
    auto* palette = new CommandPalette(&window);
    QObject::connect(a[ActionId::Palette], &QAction::triggered, palette,
                     [&window, palette] { palette->open(paletteEntries(window)); });
    QObject::connect(a[ActionId::ExportReport], &QAction::triggered, &window, [&window] { exportReport(window); });
    QObject::connect(a[ActionId::Compare], &QAction::triggered, &window,
                     [&window] { window.pages().show(QStringLiteral("compare")); });
    QObject::connect(a[ActionId::CopyCommandLine], &QAction::triggered, &window, [&window] {
        QGuiApplication::clipboard()->setText(toQString(commandLine(window.store().scenario())));
        window.statusBar()->showMessage(MainWindow::tr("The command line is in the clipboard."), 4000);
    });
    connectExplanation(window);
    connectParameters(window);
    connectCharts(window);
    connectGlossary(window);
}

} // namespace headroom::ui
