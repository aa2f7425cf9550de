// SPDX-License-Identifier: GPL-3.0-or-later
// While a plan is searched, what still answers the question before is pale and goes into no report beside the answer.
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_ranking.hpp"
#include "ui/plan/plan_search.hpp"
#include "ui/plan/plan_sheet.hpp"
#include "ui/widgets/veil.hpp"

#include <QFile>
#include <QTimer>

#include <memory>
#include <utility>

namespace headroom::ui::test_plan_pale
{
namespace
{

using namespace Qt::StringLiterals;
using test::PlanFixture;

bool isPale(const QWidget* part)
{
    const auto* veil = part->findChild<Veil*>(QString(), Qt::FindDirectChildrenOnly);
    return veil && veil->isVisible() && veil->geometry() == part->rect();
}

} // namespace

class TestPlanPale final : public QObject
{
    Q_OBJECT
private slots:
    void whatIsOfTheQuestionBeforeIsPale()
    {
        PlanFixture f;
        f.page->findChild<QTimer*>(u"moment"_s)->setInterval(0);
        f.dialogs.path = f.folder.filePath(u"plan.md"_s);
        int found = 0, pale = 0;
        bool isSaid = false;
        QString report;
        connect(f.page->search(), &PlanSearch::found, this, [&] {
            ++found;
            for (const QWidget* old : std::initializer_list<QWidget*>{f.page->map(), f.page->growth()})
                pale += isPale(old) ? 1 : 0;
            for (const QWidget* answered : f.page->answer()->figures())
                pale += isPale(answered) ? 100 : 0;
            for (const QWidget* answered : std::initializer_list<QWidget*>{f.page->ranking(), f.page->front()})
                pale += isPale(answered) ? 100 : 0;
            isSaid = f.page->answer()->counts().contains(u"What is pale answers the question before"_s);
            f.page->exportReport();
            if (QFile file(f.dialogs.path); file.open(QIODevice::ReadOnly))
                report = QString::fromUtf8(file.readAll());
        });
        f.type("requests_per_s", u"50"_s);
        QCOMPARE(found, 1);
        QCOMPARE(pale, 2);
        QVERIFY(isSaid);
        QVERIFY2(report.contains(u"50.0 requests/s"_s) && !report.contains(u"Growth"_s), qPrintable(report));
        for (const QWidget* part : std::initializer_list<QWidget*>{f.page->map(), f.page->growth(), f.page->front(),
                                                                   f.page->ranking(), f.page->answer()})
            QVERIFY(!isPale(part));
        QVERIFY(!f.page->answer()->counts().contains(u"pale"_s));
        f.page->exportReport();
        QFile file(f.dialogs.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QString::fromUtf8(file.readAll()).contains(u"Growth"_s));
    }

    /// The row that is taken is the one that was seen, with the sizes that it was searched for.
    void whatIsTakenWhileItIsSearchedIsWhatWasSeen()
    {
        PlanFixture f;
        const PlanOption seen = f.best();
        bool isTaken = false;
        QTimer* moment = f.page->findChild<QTimer*>(u"moment"_s);
        moment->setInterval(0);
        connect(moment, &QTimer::timeout, this, [taken = &isTaken, page = std::to_address(f.page)] {
            if (std::exchange(*taken, true))
                return;
            QVERIFY(isPale(page->ranking()));
            page->useSelected();
        });
        f.session.store.edit(0, u"test"_s, [](Scenario& s) { s.inference.promptTokens = 4096; });
        QTRY_VERIFY_WITH_TIMEOUT(isTaken, 10'000);
        f.settle();
        QCOMPARE(f.session.store.scenario().inference.promptTokens, seen.scenario.inference.promptTokens);
        QVERIFY(f.session.store.scenario().parallelism == seen.scenario.parallelism);
    }
};
HEADROOM_TEST_WITH(QApplication, TestPlanPale)

} // namespace headroom::ui::test_plan_pale
#include "test_plan_pale.moc"
