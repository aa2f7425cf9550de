// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/welcome.hpp"

#include "ui/base/text.hpp"
#include "ui/learn/own_run_card.hpp"
#include "ui/learn/welcome_card.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"

#include <QTabBar>
#include <cmath>

namespace headroom::ui
{

Welcome::Welcome(Session& session, Navigator& pages, ParameterPanel& parameters, Workspace& workspace)
    : QObject(&workspace), m_session(session), m_pages(pages), m_parameters(parameters), m_workspace(workspace)
{
}

void Welcome::show()
{
    if (m_workspace.findChild<WelcomeCard*>())
        return;
    m_session.settings.setValue(SettingKey::WelcomeSeen, true);
    auto* card = new WelcomeCard(static_cast<int>(m_session.lessons.lessons().size()), &m_workspace);
    connect(card, &WelcomeCard::chosen, this, [this](Door door) {
        if (door == Door::OwnRun)
            return askOwnRun();
        m_pages.show(QLatin1String(door == Door::Learn  ? LearnPage::pageId
                                   : door == Door::Plan ? PlanPage::pageId
                                                        : DashboardPage::pageId));
        m_pages.tabs()->setFocus(Qt::OtherFocusReason); // which page it is, is heard; Tab leads into it
    });
    // What was restored, or dropped on the window, is what somebody wants to see.
    connect(&m_session.store, &ScenarioStore::scenarioChanged, card, [card] {
        card->hide();
        card->deleteLater();
    });
}

void Welcome::askOwnRun()
{
    m_pages.show<DashboardPage>();
    const Scenario& here = m_session.store.scenario();
    OwnRun first;
    first.model = toQString(here.model.id);
    first.accelerator = toQString(here.accelerator.id);
    auto* card = new OwnRunCard(m_session.recalculator.catalog(), first, &m_workspace);
    connect(card, &OwnRunCard::entered, this, [this](const OwnRun& run) {
        if (!m_session.documents.newDocument())
            return;
        m_session.store.edit(0, tr("My own run"), [&run](Scenario& scenario) {
            scenario.model = {toUtf8(run.model), {}};
            scenario.accelerator = {toUtf8(run.accelerator), {}};
            scenario.hardware.count = static_cast<std::int64_t>(run.gpus);
            scenario.parallelism.tensor = run.tensor;
            scenario.training.sequenceLength = std::llround(run.sequence);
            if (run.batch)
                scenario.training.globalBatch = std::llround(*run.batch);
            scenario.measured.stepTimeS = run.stepS;
        });
        m_session.runs.followFirstFigures();
        m_workspace.setRightShown(true); // why, and what to change next
        m_parameters.focusRow(QStringLiteral("micro_batch"));
    });
}

} // namespace headroom::ui
