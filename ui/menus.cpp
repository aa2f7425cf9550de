// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/menus.hpp"

#include "core/support/language.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/session/session.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

namespace headroom::ui
{
namespace
{

/// Icons as high as a line of the type, for as long as the bar lives.
class GrowingIcons final : public QObject
{
public:
    explicit GrowingIcons(QToolBar& bar) : QObject(&bar), m_bar(bar)
    {
        bar.installEventFilter(this);
        grow();
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::FontChange)
            grow();
        return QObject::eventFilter(watched, event);
    }

private:
    void grow()
    {
        constexpr int least = 16;        // px
        constexpr double ofALine = 1.07; // 16 px at the desktop's usual size
        const int side = std::max(least, qRound(ofALine * m_bar.fontMetrics().height()));
        m_bar.setIconSize({side, side});
    }

    QToolBar& m_bar;
};

void fillRecentFiles(DocumentController& documents, QMenu* menu)
{
    menu->clear();
    for (const QString& path : documents.recentFiles().paths()) {
        QAction* action = menu->addAction(QFileInfo(path).fileName(), &documents, [&documents, path] {
            if (documents.maybeSave())
                documents.openPath(path);
        });
        action->setToolTip(plainTip(path));
        action->setStatusTip(path);
        action->setEnabled(QFileInfo::exists(path));
    }
    if (menu->isEmpty())
        menu->addAction(tr("No recent files"))->setEnabled(false);
}

void fillCharts(Task task, DashboardPage& dashboard, QMenu* menu)
{
    menu->clear();
    const QStringList shown = dashboard.choice().chartIds(task);
    for (const ChartRow& row : chartRegistry()) {
        if (!appliesTo(row, task) || row.comesWith)
            continue;
        const QString id = toQString(row.id);
        QAction* action = menu->addAction(toQString(say(row.title)));
        action->setToolTip(toQString(say(row.description)));
        action->setCheckable(true);
        action->setChecked(shown.contains(id));
        QObject::connect(action, &QAction::triggered, &dashboard,
                         [&dashboard, id](bool on) { dashboard.choice().setChartShown(id, on); });
    }
}

/// One entry a page, Ctrl+1 for the first.
void addPages(QMainWindow& window, Navigator& pages, QMenu* menu)
{
    int number = 0;
    for (const PageRow& row : pageRegistry()) {
        const QString id = QLatin1String(row.id);
        QAction* action = menu->addAction(pageWords(row.title), &pages, [&pages, id] { pages.visit(id); });
        action->setObjectName(QLatin1String("page.") + id);
        action->setStatusTip(pageWords(row.tip));
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(++number)));
        window.addAction(action);
    }
    menu->addSeparator();
}

} // namespace

void buildMenus(QMainWindow& window, const Actions& a, Session& session, Navigator& pages)
{
    // Flat, and as high as the tools beside it.
    window.menuBar()->setStyleSheet(QStringLiteral(
        "QMenuBar { border: 0; background: palette(window); padding: 2px 6px; }"
        "QMenuBar::item { padding: 5px 8px; background: transparent; border-radius: 4px; }"
        "QMenuBar::item:selected { background: palette(highlight); color: palette(highlighted-text); }"));
    QMenu* file = window.menuBar()->addMenu(tr("&File"));
    file->addActions({a[ActionId::New], a[ActionId::Open]});
    QMenu* recent = file->addMenu(tr("Open &recent"));
    QObject::connect(recent, &QMenu::aboutToShow, recent,
                     [&session, recent] { fillRecentFiles(session.documents, recent); });
    file->addActions({a[ActionId::Import], a[ActionId::ImportRuns], a[ActionId::ImportProfile]});
    file->addSeparator();
    file->addActions({a[ActionId::Save], a[ActionId::SaveAs], a[ActionId::ExportReport]});
    file->addSeparator();
    file->addAction(a[ActionId::Quit]);

    QMenu* edit = window.menuBar()->addMenu(tr("&Edit"));
    edit->addActions({a[ActionId::Undo], a[ActionId::Redo]});
    edit->addSeparator();
    edit->addActions({a[ActionId::Copy], a[ActionId::Paste], a[ActionId::CopyCommandLine]});
    edit->addSeparator();
    edit->addActions({a[ActionId::DuplicateAccelerator], a[ActionId::DuplicateModel]});
    edit->addSeparator();
    edit->addActions({a[ActionId::ResetRow], a[ActionId::ResetAll], a[ActionId::LockRow]});
    edit->addSeparator();
    edit->addActions({a[ActionId::SweepRow], a[ActionId::PlayRow]});
    edit->addSeparator();
    edit->addAction(a[ActionId::Preferences]);

    QMenu* scenario = window.menuBar()->addMenu(tr("&Scenario"));
    scenario->addActions({a[ActionId::PickModel], a[ActionId::PickAccelerator], a[ActionId::Phases]});
    scenario->addSeparator();
    scenario->addActions({a[ActionId::Pin], a[ActionId::ClearPins], a[ActionId::Compare]});
    scenario->addSeparator();
    scenario->addAction(a[ActionId::Calibrate]);
    QMenu* runs = scenario->addMenu(tr("&Your runs"));
    QObject::connect(runs, &QMenu::aboutToShow, runs, [&session, runs] { session.runs.fillMenu(runs); });

    if (!session.documents.examples().empty()) {
        QMenu* examples = window.menuBar()->addMenu(tr("E&xamples"));
        for (const Example& example : session.documents.examples())
            examples->addAction(example.title, &session.documents,
                                [&session, example] { session.documents.openExample(example); });
    }

    QMenu* view = window.menuBar()->addMenu(tr("&View"));
    addPages(window, pages, view);
    QMenu* charts = view->addMenu(tr("&Charts"));
    QObject::connect(charts, &QMenu::aboutToShow, charts, [&session, &pages, charts] {
        fillCharts(session.store.scenario().task, pages.page<DashboardPage>(), charts);
    });
    view->addActions({a[ActionId::FullSize], a[ActionId::ChartNumbers], a[ActionId::ExportChart]});
    view->addActions(
        {a[ActionId::Palette], a[ActionId::Explanation], a[ActionId::NextPane], a[ActionId::PreviousPane]});
    view->addSeparator();
    view->addActions({a[ActionId::Present], a[ActionId::PresentThis], a[ActionId::Views], a[ActionId::ExportViews]});
    view->addSeparator();
    view->addActions(
        {a[ActionId::ToggleTheme], a[ActionId::LargerType], a[ActionId::SmallerType], a[ActionId::NormalType]});

    QMenu* lessons = window.menuBar()->addMenu(tr("&Lessons"));
    lessons->addAction(window.findChild<QAction*>(QStringLiteral("page.learn")));
    lessons->addSeparator();
    lessons->addActions({a[ActionId::LessonCard], a[ActionId::LessonNext], a[ActionId::LessonBack]});
    lessons->addSeparator();
    lessons->addAction(a[ActionId::LessonLeave]);

    QMenu* help = window.menuBar()->addMenu(tr("&Help"));
    help->addActions({a[ActionId::Help], a[ActionId::WhatIsThis]});
    help->addSeparator();
    help->addAction(a[ActionId::MeasureGpu]);
    help->addSeparator();
    help->addActions({a[ActionId::Welcome], a[ActionId::About]});
}

void buildToolBar(QMainWindow& window, const Actions& a)
{
    auto* bar = new QToolBar(tr("Tools"));
    if (window.menuBar()->isNativeMenuBar())
        window.addToolBar(bar);
    else
        window.menuBar()->setCornerWidget(bar);
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    new GrowingIcons(*bar);
    bar->setStyleSheet(QStringLiteral("QToolBar { border: 0; padding: 0 6px; spacing: 1px; }"));
    bar->addActions({a[ActionId::Open], a[ActionId::Save]});
    bar->addSeparator();
    bar->addActions({a[ActionId::Undo], a[ActionId::Redo]});
    bar->addSeparator();
    bar->addActions({a[ActionId::Pin], a[ActionId::Present]});
    bar->addSeparator();
    bar->addActions({a[ActionId::ToggleTheme], a[ActionId::Explanation]});
    for (QToolButton* button : bar->findChildren<QToolButton*>())
        if (button->defaultAction())
            button->setAccessibleName(button->defaultAction()->text().remove(u'&'));
}

} // namespace headroom::ui
