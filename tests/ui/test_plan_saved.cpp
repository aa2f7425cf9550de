// SPDX-License-Identifier: GPL-3.0-or-later
// The plan for the meeting: the question goes with the scenario, several accelerators are one list that stays open, and
// targets may be held at the slow end of the interval.
#include "core/plan/planner_possible.hpp"
#include "core/scenario/scenario_json.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/plan_fixture.hpp"
#include "tests/support/program.hpp"
#include "ui/document/report_html.hpp"
#include "ui/plan/device_popup.hpp"
#include "ui/plan/plan_answer.hpp"
#include "ui/plan/plan_ranking.hpp"

#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSet>
#include <QToolButton>
#include <algorithm>

namespace headroom::ui::test_plan_saved
{

using namespace Qt::StringLiterals;
using test::PlanFixture;
using test::press;

class TestPlanSaved : public QObject
{
    Q_OBJECT

    static PlanQuestion asked()
    {
        PlanQuestion inputs;
        inputs.fewestGpus = 2;
        inputs.mostGpus = 8; // each number costs a search of every format
        inputs.accelerators = {{"h200-sxm-141gb", 3.25}, {"a100-sxm-80gb", {}}};
        inputs.users = 400;
        inputs.thinkS = 25;
        inputs.costPerHour = 90;
        inputs.formats = inputs.slowEnd = true;
        return inputs;
    }

    static bool compares(const PlanFixture& f, std::string_view id)
    {
        const auto& devices = f.page->form()->question().accelerators;
        return std::ranges::find(devices, id, &PlanDevice::id) != devices.end();
    }
    /// The question in which each field differs from what is usual.
    static PlanQuestion unusual()
    {
        PlanQuestion question = asked();
        for (const PlanRow& row : planRows())
            if (const auto* choice = std::get_if<PlanRow::Choice>(&row.member))
                question.** choice = true;
            else if (const auto* goal = std::get_if<PlanRow::Goal>(&row.member))
                question.** goal = PlanGoal::Energy;
            else
                setNumber(row, question, numberOf(row, question).value_or(40) + 3);
        return question;
    }

private slots:
    /// What is declared once goes through the file, the settings and the form, whatever the field.
    void everyFieldIsKeptAndAskedFor()
    {
        const PlanQuestion question = unusual();
        PlanFixture f;
        QSet<QString> fields;
        for (const Task task : {Task::Training, Task::Inference}) {
            Scenario scenario = f.session.store.scenario();
            scenario.task = task;
            scenario.plan = question;
            const std::string text = writeScenario(scenario);
            const auto reading = readScenario(text, Catalog::builtIn());
            QVERIFY(reading && reading->warnings.empty() && reading->scenario.plan == question);
            for (const PlanRow& row : planRows())
                QVERIFY2(text.find('"' + std::string(row.key) + "\": ") != std::string::npos, row.key);
            f.session.store.setDocument(scenario, {});
            for (const PlanRow& row : planRows())
                if (const PlanField* field = f.page->form()->field(QLatin1String(row.key))) {
                    QVERIFY(field->findChild<QLabel*>()->text() == QString::fromUtf8(row.label.data()));
                    fields.insert(QLatin1String(row.key));
                }
        }
        for (const PlanRow& row : planRows()) {
            const bool isNumber = numberOf(row, question).has_value();
            QVERIFY2(fields.contains(QLatin1String(row.key)) == isNumber, row.key);
        }
        QVERIFY(questionFromSettings(toSettings(question)) == question);
    }

    /// As versions before wrote them.
    void olderSettingsAreRead()
    {
        const PlanQuestion read = questionFromSettings({{u"fewest"_s, 2.0},
                                                        {u"most"_s, 8.0},
                                                        {u"objective"_s, 2},
                                                        {u"think_s"_s, 0.0},
                                                        {u"users"_s, -1.0},
                                                        {u"accelerators"_s, QStringList{u"mi300x"_s, u"mi300a"_s}},
                                                        {u"prices"_s, QVariantMap{{u"mi300a"_s, 1.5}}}});
        QVERIFY(read.fewestGpus == 2 && read.mostGpus == 8 && read.thinkS == 0 && !read.users);
        QVERIFY(read.objective == PlanGoal::Energy && read.accelerators.size() == 2);
        QCOMPARE(read.accelerators.back().pricePerGpuHour, 1.5);
        QVERIFY(questionFromSettings({}) == PlanQuestion());
        const PlanQuestion absurd =
            questionFromSettings({{u"most"_s, -4}, {u"objective"_s, 77}, {u"think_s"_s, u"x"_s}});
        QVERIFY(absurd == PlanQuestion());
    }

    void theQuestionIsInTheFileAndComesBack()
    {
        PlanFixture f;
        f.page->form()->setQuestion(asked());
        QVERIFY(f.session.store.isModified());
        f.dialogs.path = f.folder.filePath(u"meeting.headroom"_s);
        press(f, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        // Another document, another window, other settings: the file alone brings it back.
        const auto reading = readScenario(writeScenario(f.session.store.scenario()), Catalog::builtIn());
        QVERIFY(reading && reading->warnings.empty());
        QVERIFY(reading->scenario == f.session.store.scenario());
        PlanFixture later;
        QVERIFY(later.session.documents.openPath(f.dialogs.path));
        QVERIFY(later.wait());
        QVERIFY(later.page->form()->question() == asked());
        QVERIFY(later.page->form()->slowEnd()->isChecked());
    }

    void aChangeOfTheQuestionIsOneUndo()
    {
        PlanFixture f;
        const PlanQuestion before = f.page->form()->question();
        const int steps = f.session.store.undoStack().count();
        f.page->form()->setQuestion(asked());
        QCOMPARE(f.session.store.undoStack().count(), steps + 1);
        press(f, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.page->form()->question() == before);
        press(f, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(f.page->form()->question() == asked());
    }

    void aBadQuestionIsRefusedWithItsPlace()
    {
        const auto problem = [](const char* plan) -> std::string {
            const auto reading =
                readScenario(std::string(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b",
                    "hardware": {"accelerator": "h100-sxm-80gb"}, "workload": {"task": "training"}, "plan": )") +
                                 plan + "}",
                             Catalog::builtIn());
            if (!reading)
                return reading.error().front().path;
            return reading->warnings.empty() ? "" : "warned " + reading->warnings.front().path;
        };
        QCOMPARE(problem("{}"), std::string());
        QCOMPARE(problem("7"), std::string("/plan"));
        QCOMPARE(problem(R"({"users": -1})"), std::string("/plan/users"));
        QCOMPARE(problem(R"({"objective": "fame"})"), std::string("/plan/objective"));
        QCOMPARE(problem(R"({"most_gpus": 0})"), std::string("/plan/most_gpus"));
        QCOMPARE(problem(R"({"accelerators": [{"price_per_gpu_hour": 1}]})"), std::string("/plan/accelerators/0"));
        QCOMPARE(problem(R"({"accelerators": [{"id": "no-such"}]})"), std::string("warned /plan/accelerators/0/id"));
        QCOMPARE(problem(R"({"weather": 1})"), std::string("/plan/weather"));
    }

    void acceleratorsAreSearchedAndTickedWithoutTheListClosing()
    {
        PlanFixture f;
        DevicePopup& popup = *f.page->form()->devices();
        f.page->form()->devicesButton()->setFocus();
        press(f, Qt::Key_Space);
        QVERIFY(popup.isVisible());
        QVERIFY(popup.height() < f.window->height());
        QVERIFY(popup.list()->count() > 20);
        QVERIFY(popup.list()->viewport()->width() >= popup.list()->sizeHintForColumn(0)); // every name in full
        // By keys: search, tick, search, tick.
        for (const auto& [words, id] : {std::pair("h200", "h200-sxm-141gb"), {"mi300x", "mi300x"}}) {
            test::type(f, QLatin1String(words));
            press(f, Qt::Key_Return);
            QVERIFY(popup.isVisible());
            QVERIFY2(compares(f, id), id);
        }
        // By mouse: the ticked stand first, and a click on the name takes a tick back.
        popup.field()->clear();
        QListWidgetItem* first = popup.list()->item(0);
        QCOMPARE(first->checkState(), Qt::Checked);
        const QString id = first->data(Qt::UserRole).toString();
        QTest::mouseClick(popup.list()->viewport(), Qt::LeftButton, {}, popup.list()->visualItemRect(first).center());
        QVERIFY(popup.isVisible());
        QVERIFY(!compares(f, id.toStdString()));
        press(f, Qt::Key_Escape);
        QVERIFY(!popup.isVisible());
        QVERIFY(f.wait());
        QCOMPARE(f.page->form()->devicesButton()->text(), u"1 more &accelerator"_s);
    }

    void anAcceleratorWithoutAPriceIsTickedAndItsPriceTyped()
    {
        PlanFixture f;
        const auto ask = [&f](auto change) {
            PlanQuestion inputs = f.page->form()->question();
            change(inputs);
            f.page->form()->setQuestion(inputs);
            return f.wait();
        };
        QVERIFY(ask([](PlanQuestion& inputs) { inputs.mostGpus = 8; }));
        const auto key = u"price.mi300a"_s;
        QVERIFY(!f.page->form()->field(key));
        f.page->form()->devicesButton()->setFocus();
        press(f, Qt::Key_Space);
        test::type(f, u"mi300a"_s);
        press(f, Qt::Key_Return);
        press(f, Qt::Key_Escape);
        QVERIFY(f.wait());
        QVERIFY(compares(f, "mi300a"));
        QVERIFY2(f.page->answer()->reasons().contains(u"no price of the "_s), qPrintable(f.page->answer()->reasons()));
        QVERIFY(f.page->form()->field(key));
        f.type("price.mi300a", u"1.5"_s);
        QCOMPARE(f.page->form()->question().accelerators.front().pricePerGpuHour, 1.5);
        QVERIFY2(!f.page->answer()->reasons().contains(u"no price"_s), qPrintable(f.page->answer()->reasons()));
        f.type("price.mi300a", {}); // and taken back
        QVERIFY(!f.page->form()->question().accelerators.front().pricePerGpuHour);
        QVERIFY(f.page->form()->field(key));
        QVERIFY(ask([](PlanQuestion& inputs) { inputs.accelerators.clear(); }));
        QVERIFY(!f.page->form()->field(key));
    }

    void anImpossibleDeadlineSaysWhatWouldDo()
    {
        Scenario scenario;
        scenario.model.id = "llama-3-70b";
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.hardware.pricePerGpuHour = 2;
        scenario.training.trainingTokens = 1e12;
        scenario.training.globalBatch = 512;
        PlanRequest request;
        request.base = *prepare(scenario, Catalog::builtIn(), Calibration::builtIn());
        request.gpuCounts = {128, 256};
        request.limits.deadlineS = 86400; // a day
        const auto none = plan(request);
        QVERIFY(none && none->ranked.empty());
        const auto possible = planPossible(request, *none);
        QVERIFY(possible);
        QVERIFY2(possible->text.starts_with("A deadline of ") && possible->text.find("256 × H100") != std::string::npos,
                 possible->text.c_str());
        // It would: that question has an answer, and a tenth less has none.
        QVERIFY(!plan(possible->request)->ranked.empty());
        PlanRequest less = possible->request;
        *less.limits.deadlineS *= 0.9;
        QVERIFY(plan(less)->ranked.empty());
        QVERIFY(!planPossible(possible->request, *plan(possible->request)));
    }

    /// The page for the meeting, as a PDF and as Markdown: everything compared, with its price and currency.
    void theMeetingPageIsMarkdownToo()
    {
        PlanFixture f;
        f.page->form()->setQuestion(asked());
        QVERIFY(f.wait());
        QVERIFY(f.page->model()->rowCount() > 1);
        for (int row : {0, 1})
            QVERIFY(f.page->model()->setData(f.page->model()->index(row, PlanTableModel::Rank), Qt::Checked,
                                             Qt::CheckStateRole));
        f.dialogs.path = f.folder.filePath(u"meeting.md"_s);
        f.page->exportReport();
        QVERIFY(f.dialogs.errors.isEmpty());
        QFile file(f.dialogs.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QString text = QString::fromUtf8(file.readAll());
        text.replace(QChar(0x202F), u' ').replace(QChar(0xA0), u' ');
        for (const QString& part :
             {u"# Plan\n"_s, u"## Question"_s, u"## Answer"_s, u"## Side by side"_s, u"## Ranking"_s,
              u"## 80 % intervals"_s, u"| TPOT | "_s, u"| TTFT p95 | "_s, u" to "_s, u"## Growth"_s, u"400 users"_s,
              u" at $3.00 an hour"_s, u"H200"_s, u" at $3.25 an hour"_s, u"A100"_s, u"at most $90"_s, u"slow end"_s,
              QString::fromStdString(f.session.recalculator.context()->scenario.model->architecture.name),
              u"prices in US dollars"_s})
            QVERIFY2(text.contains(part), qPrintable(part + u" in "_s + text));
        // Tables as Markdown has them: each row as wide as its heading.
        qsizetype width = 0;
        for (const QString& line : text.split(u'\n')) {
            if (!line.startsWith(u'|')) {
                width = 0;
                continue;
            }
            width = width ? width : line.count(u'|');
            QCOMPARE(line.count(u'|'), width);
        }
        // Prices among the inputs of the report have their currency, too.
        const QString inputs = reportInputs(*f.session.recalculator.context());
        QVERIFY2(inputs.contains(u"$3.00"_s), qPrintable(inputs));
    }

    /// Where nothing will do the page says so, and what would.
    void theMeetingPageOfAnImpossibleTargetSaysWhatWouldDo()
    {
        PlanFixture f;
        PlanQuestion inputs = f.page->form()->question();
        inputs.mostGpus = 8;
        f.page->form()->setQuestion(inputs);
        f.session.store.setParameter(0, *parameterRow("tpot_target_s"), 0.001);
        QVERIFY(f.wait());
        QCOMPARE(f.page->model()->rowCount(), 0);
        QVERIFY(f.page->answer()->reasons().contains(u"would be met by"_s));
        QPushButton* report = nullptr;
        for (auto* button : f.page->ranking()->findChildren<QPushButton*>())
            if (button->text() == u"Report…"_s)
                report = button;
        QVERIFY(report && report->isEnabled());
        for (const QString& name : {u"meeting.md"_s, u"meeting.pdf"_s}) {
            f.dialogs.path = f.folder.filePath(name);
            report->click();
            QVERIFY(f.dialogs.errors.isEmpty());
        }
        QVERIFY(QFileInfo(f.folder.filePath(u"meeting.pdf"_s)).size() > 5000);
        QFile file(f.folder.filePath(u"meeting.md"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        for (const QString& part : {u"No deployment fits and meets the targets."_s, u"would be met by"_s,
                                    u"## What comes nearest"_s, u"## 80 % intervals"_s})
            QVERIFY2(text.contains(part), qPrintable(part + u" in "_s + text));
        QVERIFY(!text.contains(u"## Ranking"_s));
    }

    void theSlowEndHoldsTheTargets()
    {
        PlanFixture f;
        PlanQuestion inputs = f.page->form()->question();
        inputs.mostGpus = 64;
        f.page->form()->setQuestion(inputs);
        QVERIFY(f.wait());
        const double target = *f.session.store.scenario().inference.tpotTargetS;
        bool risky = false;
        for (const PlanOption& option : f.page->model()->options()) {
            QVERIFY(*option.evaluation.tpotS <= target);
            risky = risky || option.evaluation.tpotInterval->high > target;
        }
        QVERIFY2(risky, "this question must have answers that hold by expectation alone");
        const double cheapest = *f.best().evaluation.costPerHour;
        QTest::mouseClick(f.page->form()->slowEnd(), Qt::LeftButton, {},
                          QPoint(8, f.page->form()->slowEnd()->height() / 2));
        QVERIFY(f.wait());
        QVERIFY(f.page->form()->question().slowEnd);
        QVERIFY2(f.page->model()->rowCount() > 0, qPrintable(f.page->answer()->verdict()));
        for (const PlanOption& option : f.page->model()->options()) {
            QVERIFY(option.evaluation.tpotInterval->high <= target);
            QVERIFY(*option.ttftP95S * option.evaluation.ttftInterval->high / *option.evaluation.ttftS <= 1.0);
        }
        QVERIFY(*f.best().evaluation.costPerHour >= cheapest);
        QVERIFY(!f.page->answer()->reasons().contains(u"may reach"_s));
        QVERIFY(f.page->answer()->reasons().contains(u"slow end of the 80 % interval"_s));
    }
};
HEADROOM_TEST_WITH(QApplication, TestPlanSaved)

} // namespace headroom::ui::test_plan_saved
#include "test_plan_saved.moc"
