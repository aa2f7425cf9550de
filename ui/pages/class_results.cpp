// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/class_results.hpp"

#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/learn/lesson_markup.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/platform/files.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/wrap_layout.hpp"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr qint64 mostBytes = (1 << 20) + 1; // readResults refuses more than 1 MiB

/// "2 of 3, 67 %"
QString share(int part, int whole)
{
    return whole == 0 ? QStringLiteral("–")
                      : ClassResults::tr("%1 of %2, %3")
                            .arg(part)
                            .arg(whole)
                            .arg(toQString(percentText(double(part) / whole)));
}

} // namespace

ClassResults::ClassResults(Session& session, QWidget* parent)
    : Card(parent), m_session(session), m_name(new QLineEdit), m_save(new QPushButton(tr("Save my results…"))),
      m_open(new QPushButton(tr("Open results of a class…"))), m_learners(new PlanSheet(tr("Learners"), {})),
      m_questions(new PlanSheet(tr("Questions"), {}))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(8);
    auto* title = lessonLabel(TextStyle::Strong);
    title->setText(tr("Results"));
    column->addWidget(title);
    auto* words = lessonLabel();
    words->setText(tr("Your answers and the number of tries, as a file for the teacher. The files of a class are "
                      "summed up here and stay on this machine."));
    column->addWidget(words);
    auto* row = new WrapLayout(8);
    m_name->setPlaceholderText(tr("Your name"));
    m_name->setAccessibleName(tr("Your name"));
    m_name->setMaxLength(60);
    m_name->setMinimumWidth(24 * m_name->fontMetrics().averageCharWidth());
    m_name->setText(session.settings.value(SettingKey::LearnerName).toString());
    row->addWidget(m_name);
    for (QPushButton* button : {m_save, m_open}) {
        button->setAutoDefault(true);
        row->addWidget(button);
    }
    column->addLayout(row);
    for (PlanSheet* sheet : {m_learners, m_questions}) {
        column->addWidget(sheet);
        sheet->hide();
    }
    connect(m_name, &QLineEdit::textChanged, this, [this](const QString& name) {
        m_session.settings.setValue(SettingKey::LearnerName, name);
        refresh();
    });
    connect(m_save, &QPushButton::clicked, this, &ClassResults::save);
    connect(m_open, &QPushButton::clicked, this, &ClassResults::open);
    refresh();
}

LearnerResults ClassResults::own() const
{
    LearnerResults results{toUtf8(m_name->text().simplified().left(60)), {}};
    while (results.name.size() > longestLearnerName) // letters may take several bytes
        results.name = toUtf8(toQString(results.name).chopped(1));
    const QVariantMap kept = m_session.settings.value(SettingKey::LessonResults).toMap();
    for (const Lesson& lesson : m_session.lessons.lessons()) // in their order
        if (auto result = readResult(toUtf8(kept.value(toQString(lesson.id)).toString())))
            results.lessons.push_back(std::move(*result));
    return results;
}

void ClassResults::save()
{
    const LearnerResults results = own();
    if (results.name.empty() || results.lessons.empty())
        return;
    const QString suggested = fileNameFor(toQString(results.name));
    const QString folder = m_session.settings.value(SettingKey::LastFolder).toString();
    QString path = m_session.dialogs.exportFile(
        window(), QDir(folder).filePath(suggested + QStringLiteral(".headroom-results")), tr("Save my results"),
        tr("Results of lessons (*.headroom-results);;All files (*)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".headroom-results");
    if (const QString error = writeFile(path, writeResults(results)); !error.isEmpty())
        m_session.dialogs.showError(window(), tr("“%1” cannot be written.").arg(QDir::toNativeSeparators(path)), error);
}

void ClassResults::open()
{
    const QStringList paths =
        m_session.dialogs.openResults(window(), m_session.settings.value(SettingKey::LastFolder).toString());
    std::vector<LearnerResults> results;
    Diagnostics refused;
    for (const QString& path : paths) {
        const auto bytes = readFile(path, mostBytes);
        auto reading = bytes ? readResults(toView(*bytes)) : Expected<LearnerResults>(tl::unexpected(bytes.error()));
        if (reading) {
            results.push_back(std::move(*reading));
            continue;
        }
        for (Diagnostic problem : reading.error()) {
            problem.file = toUtf8(QFileInfo(path).fileName());
            refused.push_back(std::move(problem));
        }
    }
    if (!refused.empty())
        m_session.dialogs.showError(window(), tr("Some files hold no results of lessons and are left out."),
                                    diagnosticsText(refused));
    if (!results.empty())
        showSum(summedUp(results, m_session.lessons.lessons()));
}

void ClassResults::showSum(const ClassSum& sum)
{
    const std::vector<Lesson>& lessons = m_session.lessons.lessons();
    SheetText learners;
    learners.header = {tr("Name"), tr("Lessons done"), tr("Right"), tr("Tries"), tr("Hints")};
    for (const LearnerSum& each : sum.learners)
        learners.rows.push_back({toQString(each.name), QString::number(each.finished), share(each.right, each.answered),
                                 QString::number(each.tries), QString::number(each.hints)});
    SheetText questions;
    questions.header = {tr("Lesson"), tr("Step"), tr("Right"), tr("Tries, mean"), tr("Most frequent mistake")};
    for (const QuestionSum& each : sum.questions) {
        const Lesson& lesson = lessons[each.lesson];
        const LessonStep& step = lesson.steps[each.step];
        const LessonRunner runner(lesson, m_session.lessons.world());
        const QString mistake = each.commonMistake
                                    ? tr("%1 × %2")
                                          .arg(each.mistaken)
                                          .arg(lessonPlain(runner.textAtEntry(
                                              runner.begin(), step.question->choices[*each.commonMistake].text)))
                                    : QStringLiteral("–");
        questions.rows.push_back({tr("%1. %2").arg(each.lesson + 1).arg(toQString(lesson.title)),
                                  tr("%1. %2").arg(each.step + 1).arg(toQString(step.title)),
                                  share(each.right, each.answered), toQString(numberText(each.tries)), mistake});
    }
    m_learners->show(learners);
    m_questions->show(questions);
    m_learners->setHint(sum.learners.size() == 1 ? tr("One learner.") : tr("%1 learners.").arg(sum.learners.size()));
    m_learners->setVisible(true);
    m_questions->setVisible(!questions.rows.empty());
}

void ClassResults::refresh()
{
    const LearnerResults results = own();
    m_save->setEnabled(!results.name.empty() && !results.lessons.empty());
    m_save->setToolTip(results.lessons.empty() ? tr("Answer a question of a lesson first")
                       : results.name.empty()  ? tr("Type your name first")
                                               : tr("A file with your name, answers and tries"));
}

} // namespace headroom::ui
