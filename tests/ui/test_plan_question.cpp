// SPDX-License-Identifier: GPL-3.0-or-later
// The plan page between questions: what Use this leaves alone, what a stopped search says, which question wins.
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_ranking.hpp"
#include "ui/plan/plan_search.hpp"
#include "ui/plan/plan_sheet.hpp"

#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <algorithm>
#include <map>

namespace headroom::ui::test_plan_question
{
namespace
{

using namespace Qt::StringLiterals;
using test::PlanFixture;

} // namespace

class TestPlanQuestion : public QObject
{
    Q_OBJECT
private slots:
    /// Another accelerator becomes the scenario's: the one before stays in the question, each with the price it had.
    void useThisChangesNothingOfTheQuestion()
    {
        PlanFixture f;
        PlanQuestion inputs = f.page->form()->question();
        inputs.accelerators = {{"a100-sxm-80gb", {}}};
        inputs.mostGpus = 16;
        f.page->form()->setQuestion(inputs);
        f.wait();
        const auto prices = [&f] {
            std::map<std::string, double> all;
            for (const PlanOption& option : f.page->model()->options())
                all[option.scenario.accelerator->id] = *option.scenario.hardware.pricePerGpuHour;
            return all;
        };
        const auto before = prices();
        QCOMPARE(before.size(), std::size_t(2));
        QCOMPARE(before.at("h100-sxm-80gb"), 3.0); // typed; the catalogue's is another
        const QString verdict = f.page->answer()->verdict();
        const auto& options = f.page->model()->options();
        const auto other = std::ranges::find_if(
            options, [](const PlanOption& o) { return o.scenario.accelerator->id == "a100-sxm-80gb"; });
        f.page->table()->setFocus();
        for (int row = 0; row < f.page->table()->model()->rowCount(); ++row) { // as it is sorted
            f.page->table()->selectRow(row);
            if (f.page->ranking()->chosen()->scenario.accelerator->id == "a100-sxm-80gb")
                break;
        }
        QVERIFY(other != options.end());
        QTest::keyClick(f.page->table(), Qt::Key_Return);
        f.settle();
        QCOMPARE(f.session.store.scenario().accelerator.id, std::string("a100-sxm-80gb"));
        QCOMPARE(f.session.store.scenario().hardware.pricePerGpuHour, before.at("a100-sxm-80gb"));
        f.window->pages().show(u"plan"_s);
        QVERIFY(f.wait());
        QVERIFY(prices() == before);
        QCOMPARE(f.page->answer()->verdict(), verdict);
        f.session.store.undoStack().undo();
        QVERIFY(f.wait());
        QVERIFY(prices() == before);
        QCOMPARE(f.page->answer()->verdict(), verdict);
    }

    /// A day of a load is sized for its busiest hour: what is used has the day again, scaling as it was sized.
    void useThisKeepsTheDay()
    {
        PlanFixture f;
        Scenario s = f.session.store.scenario();
        LoadProfile profile;
        for (std::size_t hour = 0; hour < LoadProfile::hours; ++hour)
            profile.factors[hour] = hour < 12 ? 1.5 : 0.5;
        s.inference.loadProfile = profile;
        s.inference.autoscale.min = 1;
        f.session.store.setDocument(s, {});
        QVERIFY(f.wait());
        const PlanOption best = f.best();
        QVERIFY(best.day);
        f.page->useSelected();
        f.settle();
        const InferenceWorkload& used = f.session.store.scenario().inference;
        QCOMPARE(used.requestsPerS, s.inference.requestsPerS);
        QVERIFY(used.loadProfile == s.inference.loadProfile);
        QCOMPARE(double(used.autoscale.max.value_or(0)), best.day->peakReplicas);
        QCOMPARE(used.autoscale.min.value_or(0), std::int64_t(1));
    }

    /// Both sides of a step of reinforcement learning: the answer says who does what, and *Use this* takes both.
    void useThisDividesTheGpusOfAStep()
    {
        PlanFixture f;
        Scenario s;
        s.model.id = "llama-3-8b";
        s.hardware.pricePerGpuHour = 2;
        s.training.trainingTokens = 1e9;
        s.training.rl.prompts = 64;
        s.training.rl.placement = RlPlacement::Separate;
        f.session.store.setDocument(s, {});
        PlanQuestion inputs = f.page->form()->question();
        inputs.fewestGpus = inputs.mostGpus = 16;
        f.page->form()->setQuestion(inputs);
        QVERIFY(f.wait());
        const PreparedScenario best = f.best().scenario;
        const std::int64_t generate = *best.training.rl.rolloutCount;
        QCOMPARE(best.hardware.count + generate, 16);
        const QString split = u"16 × H100 SXM5 80GB (%1 train, %2 generate)"_s.arg(best.hardware.count).arg(generate);
        QVERIFY2(f.page->answer()->verdict().startsWith(split), qPrintable(f.page->answer()->verdict()));
        QVERIFY(!f.page->answer()->verdict().contains(u"MFU"_s));
        QVERIFY(f.page->findChild<ChartView*>()->isVisible());
        f.page->useSelected();
        f.settle();
        const Scenario& used = f.session.store.scenario();
        QCOMPARE(used.hardware.count, best.hardware.count);
        QVERIFY(used.training.rl == best.training.rl);
        f.session.store.undoStack().undo();
        QVERIFY(f.session.store.scenario().training.rl == s.training.rl);
    }

    /// Another accelerator comes without the price of the one before; undo has both again.
    void aPriceStaysWithItsDevice()
    {
        PlanFixture f;
        ScenarioStore& store = f.session.store;
        store.chooseAccelerator(u"Accelerator"_s, u"a100-sxm-80gb"_s);
        QVERIFY(!store.scenario().hardware.pricePerGpuHour);
        store.undoStack().undo();
        QCOMPARE(store.scenario().hardware.pricePerGpuHour, 3.0);
        store.setLocked("price_per_gpu_hour", true);
        store.chooseAccelerator(u"Accelerator"_s, u"a100-sxm-80gb"_s);
        QCOMPARE(store.scenario().hardware.pricePerGpuHour, 3.0);
    }

    void theNewestQuestionWins()
    {
        PlanFixture f;
        PlanSearch search;
        PlanRequest request;
        request.base = f.best().scenario;
        request.gpuCounts = {1, 64};
        QStringList heard;
        connect(&search, &PlanSearch::found, this, [&heard](const PlanResult& result) {
            heard << QString::number(*result.ranked.front().scenario.inference.requestsPerS);
        });
        for (const double load : {1.0, 2.0, 3.0}) {
            request.base.inference.requestsPerS = load;
            search.start(request);
        }
        QVERIFY(QTest::qWaitFor([&search] { return !search.isRunning(); }, 30'000));
        QCOMPARE(heard, QStringList{u"3"_s});
    }

    void stopsAndLeavesTheWindowAlive()
    {
        PlanFixture f;
        Scenario big;
        big.model.id = "gpt-3-175b";
        big.hardware.pricePerGpuHour = 3;
        big.training.trainingTokens = 1e12;
        PlanQuestion inputs = f.page->form()->question();
        inputs.mostGpus = 1e6; // takes longer than anyone waits
        inputs.formats = inputs.offload = true;
        f.page->form()->setQuestion(inputs);
        f.session.store.setDocument(big, {});
        f.settle();
        QVERIFY(QTest::qWaitFor([&f] { return f.page->search()->isRunning(); }, 10'000));
        QTest::qWait(100);
        f.page->answer()->cancelButton()->click();
        QVERIFY(QTest::qWaitFor([&f] { return !f.page->search()->isRunning(); }, 10'000));
        QVERIFY2(f.page->answer()->reasons().contains(u"were not tried"_s), qPrintable(f.page->answer()->reasons()));
        QVERIFY(f.page->answer()->counts().startsWith(u"Stopped. "_s));
        // Nothing of the question before is left beside it.
        QCOMPARE(f.page->growth()->table()->rowCount(), 0);
        QVERIFY(f.page->growth()->table()->accessibleDescription().contains(u"1×, 2×, 5×, 10× were not searched"_s));
        QVERIFY(f.page->map()->isHidden());
        QVERIFY(f.page->front()->isHidden() || f.page->front()->spec().note.find("not tried") != std::string::npos);
        f.window->pages().show(u"dashboard"_s); // leaving the page stops it too
        QVERIFY(!f.page->search()->isRunning());
        inputs.mostGpus = 64;
        f.page->form()->setQuestion(inputs);
        f.window->pages().show(u"plan"_s);
        QVERIFY(f.wait());
        QVERIFY(f.page->model()->rowCount() > 0);
        QVERIFY(!f.page->answer()->reasons().contains(u"were not tried"_s));
    }
};
HEADROOM_TEST_WITH(QApplication, TestPlanQuestion)

} // namespace headroom::ui::test_plan_question
#include "test_plan_question.moc"
