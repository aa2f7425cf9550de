// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/presenter.hpp"

#include "ui/base/text.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QScreen>
#include <QWindow>

namespace headroom::ui
{

Presenter::Presenter(Session& session, const DashboardPage& dashboard, QWidget* window)
    : QObject(window), m_session(session), m_dashboard(dashboard), m_window(*window),
      m_library(session.recalculator.catalog(), session.settings.fileBeside(QStringLiteral("kept.headroom-views")))
{
}

Presenter::~Presenter() = default;

const Catalog& Presenter::catalog() const
{
    return m_session.recalculator.catalog();
}

StageView Presenter::present() const
{
    const ScenarioStore& store = m_session.store;
    std::vector<std::string> charts;
    for (const QString& id : m_dashboard.choice().chartIds(store.scenario().task))
        charts.push_back(toUtf8(id));
    StageView view = usualView(store.scenario(), charts, toUtf8(m_session.recalculator.sweepParameter()));
    view.heatMap = m_session.recalculator.heatMap();
    view.name = store.scenario().name;
    for (const Pin& pin : store.pins())
        view.pins.push_back({pin.name, pin.scenario});
    return view;
}

std::unique_ptr<Stage> Presenter::makeStage(std::vector<StageView> views, QWidget* parent) const
{
    const bool dark = theme(m_session.appearance.theme()).isDark();
    return std::make_unique<Stage>(Stage::Content{.views = std::move(views),
                                                  .catalog = catalog(),
                                                  .runs = m_session.runLibrary.shelf(),
                                                  .theme = dark ? ThemeKind::HighContrastDark : ThemeKind::HighContrast,
                                                  .font = QApplication::font()},
                                   parent);
}

void Presenter::presentViews()
{
    m_library.read();
    const bool saved = !m_library.views().empty();
    begin(saved ? m_library.views() : std::vector{present()});
    m_saved = saved;
}

void Presenter::begin(std::vector<StageView> views)
{
    if (m_stage || views.empty())
        return;
    m_saved = false;
    m_focus = QApplication::focusWidget();
    m_stage = makeStage(std::move(views), &m_window).release();
    connect(m_stage, &Stage::leaveRequested, this, &Presenter::leave);
    connect(m_stage, &Stage::keepRequested, this, &Presenter::keep);
    connect(m_stage, &Stage::storeRequested, this, &Presenter::store);
    m_stage->setGeometry(m_window.screen()->geometry()); // the window's own screen, whatever the desktop prefers
    m_stage->showFullScreen();
    m_stage->activateWindow();
    m_stage->setFocus(Qt::OtherFocusReason);
    emit began();
}

void Presenter::leave()
{
    if (!m_stage)
        return;
    m_stage->setLaser(false);
    m_stage->hide();
    m_stage->deleteLater(); // it asked for it itself
    m_stage = nullptr;
    m_window.activateWindow();
    if (m_focus)
        m_focus->setFocus(Qt::OtherFocusReason);
    emit left();
}

void Presenter::keep()
{
    const Scenario scenario = m_stage->scenario();
    m_session.store.replace(tr("Keep from the presentation"), scenario);
    m_stage->say(tr("Kept: it is in the window, one undo step"));
}

void Presenter::store()
{
    m_stage->storeScenario();
    const StageView view = m_stage->view();
    const auto at = static_cast<std::size_t>(m_stage->index());
    m_library.change(tr("Scenario of the view"), [&](ViewLibrary::Views& views) {
        if (m_saved && at < views.size())
            views[at].scenario = view.scenario;
        else
            views.push_back(view);
    });
    m_stage->say(m_saved ? tr("Stored in this view") : tr("Added to the saved views"));
}

void Presenter::use(const StageView& view)
{
    m_session.store.replace(tr("Open view"), view.scenario);
    m_session.recalculator.setSweepParameter(toQString(view.sweep));
    m_session.recalculator.setHeatMap(view.heatMap);
}

} // namespace headroom::ui
