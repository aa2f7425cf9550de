// SPDX-License-Identifier: GPL-3.0-or-later
// The plan page as a user meets it: the question, the answer and its reasons, and what one does with them.
#include "core/units/format.hpp"
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_form.hpp"
#include "ui/plan/plan_ranking.hpp"
#include "ui/plan/plan_report.hpp"
#include "ui/plan/plan_search.hpp"
#include "ui/plan/plan_sheet.hpp"
#include "ui/plan/plan_table_model.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/value_box.hpp"

#include <QAbstractButton>
#include <QCheckBox>
#include <QFile>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTableWidget>
#include <QTextDocument>

namespace headroom::ui::test_plan_page
{
namespace
{

using namespace Qt::StringLiterals;
using test::PlanFixture;

} // namespace

class TestPlanPage : public QObject
{
    Q_OBJECT
private slots:
    void answersWithReasons()
    {
        PlanFixture f;
        QVERIFY(!f.page->isBusy());
        QVERIFY(f.page->model()->rowCount() > 0);
        QVERIFY(f.page->answer()->verdict().contains(u"H100"_s));
        QVERIFY2(f.page->answer()->reasons().contains(u" fails: "_s), qPrintable(f.page->answer()->reasons()));
        QVERIFY(f.page->answer()->counts().contains(u"evaluated"_s));
        QCOMPARE(f.page->growth()->table()->rowCount(), 4);
        QVERIFY((f.page->growth()->table()->item(0, 2)->textAlignment() & Qt::AlignRight) != 0); // a figure
        QVERIFY(f.page->map()->spec().heatMap.has_value());
        QVERIFY(!f.page->front()->spec().series.empty());
        QVERIFY(f.page->answer()->cancelButton()->isHidden());
    }

    void saysWhenItIsBusyAndWhenNoLonger()
    {
        PlanFixture f;
        const QSignalSpy busy(f.page, &PlanPage::busyChanged);
        f.type("requests_per_s", u"50"_s);
        QCOMPARE(busy, (QList<QVariantList>{{true}, {false}}));
    }

    void theFieldsAreTheScenarios()
    {
        PlanFixture f;
        const auto before = f.best().scenario.hardware.count;
        f.type("requests_per_s", u"50"_s);
        QCOMPARE(*f.session.store.scenario().inference.requestsPerS, 50.0);
        QVERIFY(f.best().scenario.hardware.count > before);
        f.session.store.undoStack().undo();
        QVERIFY(f.wait());
        QCOMPARE(f.best().scenario.hardware.count, before);
    }

    void whatOnlyASearchAsksForIsKeptWithTheScenarioAndForTheNext()
    {
        PlanFixture f;
        f.type("most_gpus", u"64"_s);
        f.type("users", u"40"_s);
        QVERIFY(!f.page->form()->field(u"requests_per_s"_s)->isEnabled());
        const PlanQuestion read = questionFromSettings(f.settings.value(SettingKey::PlanInputs).toMap());
        QCOMPARE(read.mostGpus, 64.0);
        QCOMPARE(read.users.value_or(0), 40.0);
        QVERIFY(read == f.page->form()->question());
        QVERIFY(f.session.store.isModified() && f.session.store.scenario().plan);
    }

    void absurdQuestionsAreAnsweredInWords()
    {
        PlanFixture f;
        f.type("requests_per_s", u"0"_s);
        QVERIFY2(f.page->answer()->verdict().contains(u"Offered load"_s), qPrintable(f.page->answer()->verdict()));
        QCOMPARE(f.page->model()->rowCount(), 0);
        f.type("requests_per_s", u"1e9"_s);
        QVERIFY2(f.page->answer()->verdict().contains(u"No deployment"_s), qPrintable(f.page->answer()->verdict()));
        QVERIFY(f.page->answer()->reasons().contains(u"replicas of this kind would be needed"_s));
        QVERIFY(f.page->ranking()->isVisible() && !f.page->table()->isVisible()); // its report, no empty table
        f.type("most_gpus", u"1M"_s);
        QVERIFY(!f.page->answer()->reasons().isEmpty());
        QVERIFY(!f.page->findChildren<QPushButton*>().isEmpty());
    }

    void withoutAPriceItRanksByGpusAndSaysSo()
    {
        PlanFixture f;
        f.session.store.edit(0, u"test"_s, [](Scenario& s) {
            s.accelerator.id = "h100-nvl-94gb"; // no list price
            s.hardware.pricePerGpuHour.reset();
        });
        QVERIFY(f.wait());
        QVERIFY(f.page->model()->rowCount() > 0);
        QCOMPARE(f.page->form()->objectives()->current(), int(PlanObjective::Gpus));
        QVERIFY2(f.page->answer()->reasons().startsWith(u"Ranked by GPUs"_s), qPrintable(f.page->answer()->reasons()));
        QCOMPARE(f.page->front()->spec().y.label, std::string("GPUs"));
        f.type("price_per_gpu_hour", u"3"_s);
        QCOMPARE(f.page->form()->objectives()->current(), int(PlanObjective::Cost));
        QVERIFY(!f.page->answer()->reasons().contains(u"Ranked by GPUs"_s));
        QVERIFY(f.page->front()->spec().y.label.starts_with("Cost"));
    }

    void whatHasNoAnswerShowsNoEmptyChart()
    {
        PlanFixture f;
        QVERIFY(f.page->map()->isVisible() && f.page->front()->isVisible());
        f.type("requests_per_s", u"0"_s);
        QVERIFY(!f.page->answer()->verdict().contains(u"/workload"_s));
        QVERIFY(!f.page->map()->isVisible() && !f.page->front()->isVisible() && !f.page->ranking()->isVisible());
        f.type("requests_per_s", u"5"_s);
        QVERIFY(f.page->map()->isVisible() && f.page->front()->isVisible() && f.page->ranking()->isVisible());
    }

    void absurdTrainingsAreAnsweredInWords()
    {
        PlanFixture f;
        Scenario training;
        training.model.id = "llama-3.1-405b";
        training.hardware.pricePerGpuHour = 3;
        f.session.store.setDocument(training, {});
        QVERIFY(f.wait());
        f.type("most_gpus", u"1"_s); // fits nowhere: parameters and optimizer alone exceed any device
        QCOMPARE(f.page->model()->rowCount(), 0);
        QVERIFY2(f.page->answer()->verdict().contains(u"No deployment"_s), qPrintable(f.page->answer()->verdict()));
        QVERIFY2(f.page->answer()->reasons().contains(u"GB"_s), qPrintable(f.page->answer()->reasons()));
        f.type("training_tokens", u"15T"_s);
        f.type("deadline_days", u"0.0000116"_s); // a second
        f.type("most_gpus", u"1M"_s);
        QCOMPARE(f.page->model()->rowCount(), 0);
        QVERIFY2(f.page->answer()->verdict().contains(u"No deployment"_s), qPrintable(f.page->answer()->verdict()));
        QVERIFY2(f.page->answer()->reasons().contains(u"the deadline is "_s), qPrintable(f.page->answer()->reasons()));
    }

    void useThisIsOneUndoStepAndShowsTheDashboard()
    {
        PlanFixture f;
        const Scenario before = f.session.store.scenario();
        f.page->table()->setFocus();
        f.page->table()->selectRow(1);
        const PlanOption chosen = f.page->model()->options()[1];
        QTest::keyClick(f.page->table(), Qt::Key_Return);
        f.settle();
        QCOMPARE(QLatin1String(f.window->pages().current().id), "dashboard"_L1);
        QCOMPARE(f.session.store.scenario().hardware.count, chosen.scenario.hardware.count);
        QVERIFY(f.session.store.scenario().parallelism == chosen.scenario.parallelism);
        QVERIFY(f.session.store.scenario().inference == chosen.scenario.inference);
        QCOMPARE(f.session.store.undoStack().count(), 1);
        f.session.store.undoStack().undo();
        QVERIFY(f.session.store.scenario() == before);
    }

    /// With a pool that reads prompts both are sized, both are counted, and one pool stands beside them.
    void twoPoolsAreSizedTogether()
    {
        PlanFixture f;
        Scenario scenario = f.session.store.scenario();
        scenario.inference.scheduling = Scheduling::Disaggregated;
        scenario.inference.prefillPool.tensor = 2;
        f.session.store.setDocument(scenario, {});
        PlanQuestion few = f.page->form()->question(); // every pair of pools is tried
        few.mostGpus = 16;
        f.page->form()->setQuestion(few);
        QVERIFY(f.wait());
        const PlanOption& best = f.best();
        QVERIFY(best.evaluation.pools.has_value());
        QVERIFY2(f.page->answer()->verdict().contains(u" read, "_s), qPrintable(f.page->answer()->verdict()));
        QVERIFY(f.page->answer()->reasons().contains(u"ne pool"_s)); // Two pools are better: one pool …
        const QString gpus = f.page->table()->model()->index(0, PlanTableModel::Gpus).data().toString();
        QCOMPARE(gpus.toDouble(), planGpus(best));
        QVERIFY(planGpus(best) > double(best.scenario.hardware.count));
        // A line for each pool, so that what it costs is in sight beside them.
        f.window->resize(1366, 768);
        f.settle();
        QTableView& table = *f.page->table();
        const int cost =
            table.columnViewportPosition(PlanTableModel::FirstFigure) + table.columnWidth(PlanTableModel::FirstFigure);
        QVERIFY2(cost <= table.viewport()->width(), qPrintable(QString::number(cost)));
        QVERIFY(table.rowHeight(0) >= 2 * table.fontMetrics().height());
        QString layout = table.model()->index(0, PlanTableModel::Layout).data().toString().replace(u'\n', u' ');
        QVERIFY(!f.page->model()->shared().isEmpty()); // said once, above the table
        layout += u" · "_s + f.page->model()->shared();
        QCOMPARE(layout, QString::fromStdString(layoutText(best)));
        f.page->table()->selectRow(0);
        const PlanOption chosen = best;
        f.page->useSelected();
        f.settle();
        QVERIFY(f.session.store.scenario().inference == chosen.scenario.inference);
        QVERIFY(f.session.store.scenario().inference.prefillPool.count.has_value());
    }

    void rowsSortByTheirNumbers()
    {
        PlanFixture f;
        const int column = PlanTableModel::FirstFigure; // by the objective: the dearest is not the first
        f.page->table()->sortByColumn(column, Qt::DescendingOrder);
        const QAbstractItemModel* shown = f.page->table()->model();
        double last = 1e300;
        for (int row = 0; row < shown->rowCount(); ++row) {
            const double value = shown->index(row, column).data(PlanTableModel::sortRole).toDouble();
            QVERIFY(value <= last);
            last = value;
        }
        // What is used is what is selected, whatever the order.
        f.page->table()->selectRow(0);
        const QString layout =
            shown->index(0, PlanTableModel::Layout).data().toString() + u" · "_s + f.page->model()->shared();
        const std::vector<PlanOption> options = f.page->model()->options();
        f.page->useSelected();
        const auto chosen = std::find_if(options.begin(), options.end(), [&layout](const PlanOption& option) {
            return QString::fromStdString(layoutText(option)) == layout;
        });
        QVERIFY(chosen != options.end() && chosen != options.begin());
        QVERIFY(f.session.store.scenario().parallelism == chosen->scenario.parallelism);
    }

    void upToFourSideBySide()
    {
        PlanFixture f;
        PlanTableModel* model = f.page->model();
        QVERIFY(model->rowCount() > PlanTableModel::mostTicked);
        f.page->table()->setFocus();
        for (int row = 0; row < PlanTableModel::mostTicked; ++row) {
            f.page->table()->selectRow(row);
            QTest::keyClick(f.page->table(), Qt::Key_Space);
        }
        QCOMPARE(int(model->ticked().size()), PlanTableModel::mostTicked);
        QVERIFY(!model->setData(model->index(5, PlanTableModel::Rank), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(f.page->compared()->table()->columnCount(), 1 + PlanTableModel::mostTicked);
        QTest::keyClick(f.page->table(), Qt::Key_Space);
        QCOMPARE(f.page->compared()->table()->columnCount(), PlanTableModel::mostTicked);
    }

    void locksHold()
    {
        PlanFixture f;
        f.session.store.setLocked("tensor", true);
        QVERIFY(f.wait());
        for (const PlanOption& option : f.page->model()->options())
            QCOMPARE(option.scenario.parallelism.tensor, f.session.store.scenario().parallelism.tensor);
        f.session.store.setLocked("count", true);
        QVERIFY(f.wait());
        for (const PlanOption& option : f.page->model()->options())
            QCOMPARE(option.scenario.hardware.count, 2);
    }

    void formatsChangeOnlyWhenAllowed()
    {
        PlanFixture f;
        const auto fewer = [&f] { return f.best().scenario.inference.weights != DataType::Bf16; };
        QVERIFY(!fewer());
        for (QCheckBox* box : f.page->form()->findChildren<QCheckBox*>())
            if (box->text().contains(u"formats"_s))
                box->click();
        QVERIFY(f.wait());
        QVERIFY(fewer());
    }

    void exportsTheRanking()
    {
        PlanFixture f;
        f.dialogs.path = f.folder.filePath(u"plan.csv"_s);
        f.page->exportCsv();
        QFile file(f.dialogs.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), f.page->model()->rowCount() + 1);
        f.dialogs.path = f.folder.filePath(u"nowhere/plan.csv"_s);
        f.page->exportCsv();
        QCOMPARE(f.dialogs.errors.size(), 1);
    }

    void theReportTellsQuestionAnswerAndRanking()
    {
        PlanFixture f;
        f.dialogs.path = f.folder.filePath(u"plan.pdf"_s);
        f.page->exportReport();
        QFile file(f.dialogs.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(5) == "%PDF-");
        f.dialogs.path = f.folder.filePath(u"nowhere/plan.pdf"_s);
        f.page->exportReport();
        QCOMPARE(f.dialogs.errors.size(), 1);

        PlanRequest request;
        request.base = f.best().scenario;
        request.gpuCounts = {1, 64};
        request.accelerators = {{request.base.accelerator, 2.5}, {Catalog::builtIn().accelerator("mi300x"), {}}};
        QTextDocument told;
        told.setHtml(planReportHtml({request, {f.page->answer()->verdict()}, f.page->model()->options(), {}}));
        const QString text = told.toPlainText().simplified();
        for (const QString& part : {u"5.00 requests/s"_s, u"TTFT at most"_s, u"1 to 64 GPUs; best by cost"_s,
                                    u" at $2.50 an hour; Instinct MI300X"_s, u"price unknown"_s,
                                    f.page->answer()->verdict(), QString::fromStdString(layoutText(f.best()))})
            QVERIFY2(text.contains(part.simplified()), qPrintable(part + u" in "_s + text));
    }

    void theFirstScreenHasAnswerTableAndCharts()
    {
        PlanFixture f;
        const auto bottom = [&f](const QWidget* part) {
            return part->mapTo(f.page->viewport(), QPoint(0, part->height())).y();
        };
        QVERIFY(bottom(f.page->answer()) <= f.page->viewport()->height());
        QVERIFY(bottom(f.page->map()) <= f.page->viewport()->height());
        QVERIFY(bottom(f.page->front()) <= f.page->viewport()->height());
        QVERIFY(bottom(f.page->table()) - f.page->table()->height() / 2 <= f.page->viewport()->height());
        // A layout is read in full; where that takes scrolling, rank and GPUs stay (test_everyday).
        const QString layout = f.page->table()->model()->index(0, PlanTableModel::Layout).data().toString();
        QVERIFY(f.page->table()->columnWidth(PlanTableModel::Layout) >=
                f.page->table()->fontMetrics().horizontalAdvance(layout));
        QVERIFY(f.page->answer()->verdict().contains(u'$'));
        // What is optimised stands beside it, where a narrow table shows it.
        const int optimised = f.page->model()->optimised().value();
        const QHeaderView& header = *f.page->table()->horizontalHeader();
        QVERIFY(f.page->model()->headerData(optimised, Qt::Horizontal, Qt::DisplayRole).toString().contains(u"Cost"_s));
        QCOMPARE(header.visualIndex(optimised), header.visualIndex(PlanTableModel::Layout) + 1);
        // Narrow: under each other, nothing cut off.
        f.window->resize(1000, 800);
        f.settle();
        QVERIFY(f.page->map()->width() >= 300);
        QVERIFY(f.page->widget()->minimumSizeHint().width() <= f.page->viewport()->width());
    }

    /// What a large screen leaves below the ranking and the growth goes to the charts, not to nothing.
    void aLargeScreenHasNoEmptyFoot()
    {
        PlanFixture f({2560, 1440});
        f.settle();
        int foot = 0;
        for (const QWidget* part : f.page->widget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (part->isVisible())
                foot = std::max(foot, part->geometry().bottom());
        const int empty = f.page->viewport()->height() - foot;
        QVERIFY2(empty < f.page->fontMetrics().height(), qPrintable(QString::number(empty)));
        QVERIFY(f.page->map()->height() > 280); // px, the height of a chart elsewhere
    }

    void whatThePageHasNoUseForIsNotOn()
    {
        PlanFixture f;
        const QAction* explanation = f.part<Actions>()[ActionId::Explanation];
        QVERIFY(!explanation->isEnabled() && !explanation->isChecked());
        f.window->pages().show(u"dashboard"_s);
        QVERIFY(explanation->isEnabled() && explanation->isChecked());
    }

    void aPriceIsTypedWithItsSign()
    {
        PlanFixture f;
        f.type("price_per_gpu_hour", u"$4.50"_s);
        QCOMPARE(*f.session.store.scenario().hardware.pricePerGpuHour, 4.5);
        f.page->table()->setFocus();
        QVERIFY(f.page->form()->field(u"price_per_gpu_hour"_s)->box()->text().startsWith(u'$'));
    }

    void everythingHasANameAndTheKeyboardReachesIt()
    {
        PlanFixture f({1366, 768});
        for (const QWidget* widget : f.page->findChildren<QWidget*>()) {
            if (!widget->isVisibleTo(f.page) || !(widget->focusPolicy() & Qt::TabFocus))
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(named, widget->metaObject()->className());
        }
        QVERIFY(f.page->widget()->minimumSizeHint().width() <= f.page->viewport()->width());
    }
};
HEADROOM_TEST_WITH(QApplication, TestPlanPage)

} // namespace headroom::ui::test_plan_page
#include "test_plan_page.moc"
