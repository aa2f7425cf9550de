// SPDX-License-Identifier: GPL-3.0-or-later
// PlanFixture: the window with the plan page open.
#pragma once

#include "tests/support/sanitized.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/plan/plan_form.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/widgets/value_box.hpp"

namespace headroom::test
{

using namespace Qt::StringLiterals;
using namespace ui;

/// Llama 2 70B under a load, on the plan page.
struct PlanFixture : WindowFixture {
    explicit PlanFixture(QSize size = {1600, 900}) : WindowFixture(size)
    {
        Scenario scenario;
        scenario.task = Task::Inference;
        scenario.model.id = "llama-2-70b";
        scenario.hardware.count = 2;
        scenario.hardware.pricePerGpuHour = 3;
        scenario.inference.requestsPerS = 5;
        scenario.inference.ttftTargetS = 1;
        scenario.inference.tpotTargetS = 0.03;
        session.store.setDocument(scenario, {});
        settle();
        window->pages().show(u"plan"_s);
        page = qobject_cast<PlanPage*>(window->pages().page(u"plan"_s));
        wait();
    }
    bool wait()
    {
        settle();
        constexpr int longest = 60'000 * std::min(timesSlower, 5); // ms; 24 s under sanitizers with nothing beside it
        return QTest::qWaitFor([this] { return !page->isBusy(); }, longest);
    }
    void type(const char* field, const QString& text)
    {
        ValueBox* box = page->form()->field(QLatin1String(field))->box();
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, text.isEmpty() ? u" "_s : text);
        QTest::keyClick(box, Qt::Key_Return);
        wait();
    }
    const PlanOption& best() { return page->model()->options().front(); }
    PlanPage* page = nullptr;
};

} // namespace headroom::test
