// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/view_form.hpp"

#include "core/comparison/comparison.hpp"
#include "core/predict/evaluate.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/present/choice_list.hpp"
#include "ui/widgets/plain_button.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace headroom::ui
{
namespace
{

/// A caption whose letter brings the keyboard to the field.
QLabel* caption(const QString& text, QWidget* field)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    field->setAccessibleName(QString(text).remove(u'&'));
    return label;
}

std::vector<ChoiceEntry> chartEntries(Task task)
{
    std::vector<ChoiceEntry> entries;
    for (const ChartRow& row : chartRegistry())
        if (suits(row, task))
            entries.push_back({std::string(row.id), toQString(say(row.title)), toQString(say(row.description))});
    return entries;
}

std::vector<ChoiceEntry> sliderEntries(const Scenario& scenario, const std::vector<std::string>& chosen)
{
    std::vector<ChoiceEntry> entries;
    for (const ParameterRow& row : parameterRegistry()) {
        const bool ticked = std::find(chosen.begin(), chosen.end(), row.id) != chosen.end();
        if (suits(row, scenario.task) && (ticked || row.applies(scenario)))
            entries.push_back({std::string(row.id), toQString(say(row.label)), toQString(say(row.description))});
    }
    return entries;
}

} // namespace

ViewForm::ViewForm(const Catalog& catalog, QWidget* parent)
    : QWidget(parent), m_catalog(catalog), m_name(new QLineEdit), m_note(new QPlainTextEdit), m_scenario(new QLabel),
      m_take(makePlainButton(tr("Ta&ke the window's"), tr("This view begins with the scenario in hand"))),
      m_use(makePlainButton(tr("Open in the &window"), tr("The scenario of this view becomes the one in hand"))),
      m_charts(new ChoiceList(1, StageView::mostCharts)), m_sliders(new ChoiceList(0, StageView::mostSliders))
{
    build();
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
        emit changed(
            tr("Rename view"), [text](StageView& view) { view.name = toUtf8(text); }, true);
    });
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        const QString text = m_note->toPlainText();
        if (!m_showing)
            emit changed(
                tr("Note"), [text](StageView& view) { view.note = toUtf8(text); }, true);
    });
    connect(m_take, &QPushButton::clicked, this, &ViewForm::takeRequested);
    connect(m_use, &QPushButton::clicked, this, &ViewForm::useRequested);
    connect(m_charts, &ChoiceList::chosenChanged, this, [this](const std::vector<std::string>& ids) {
        emit changed(
            tr("Charts of the view"), [ids](StageView& view) { view.charts = ids; }, false);
    });
    connect(m_sliders, &ChoiceList::chosenChanged, this, [this](const std::vector<std::string>& ids) {
        emit changed(
            tr("Sliders of the view"), [ids](StageView& view) { view.sliders = ids; }, false);
    });
}

void ViewForm::build()
{
    m_name->setObjectName(QStringLiteral("viewName"));
    m_name->setPlaceholderText(tr("Model and accelerators"));
    m_note->setObjectName(QStringLiteral("viewNote"));
    m_note->setTabChangesFocus(true);
    m_note->setPlaceholderText(tr("Under the charts, and on paper"));
    m_note->setFixedHeight(4 * m_note->fontMetrics().lineSpacing());
    m_scenario->setProperty("fromCore", true);
    m_scenario->setTextFormat(Qt::PlainText);
    m_scenario->setWordWrap(true);
    m_charts->setProperty("fromCore", true);
    m_sliders->setProperty("fromCore", true);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->addWidget(caption(tr("&Name"), m_name), 0, 0);
    grid->addWidget(m_name, 0, 1, 1, 2);
    grid->addWidget(caption(tr("No&te"), m_note), 1, 0, Qt::AlignTop);
    grid->addWidget(m_note, 1, 1, 1, 2);
    grid->addWidget(new QLabel(tr("Scenario")), 2, 0, Qt::AlignTop);
    grid->addWidget(m_scenario, 2, 1, 1, 2);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_take);
    buttons->addWidget(m_use);
    buttons->addStretch(1);
    grid->addLayout(buttons, 3, 1, 1, 2);
    grid->addWidget(caption(tr("&Charts, up to %1").arg(StageView::mostCharts), m_charts), 4, 1);
    grid->addWidget(caption(tr("S&liders, up to %1").arg(StageView::mostSliders), m_sliders), 4, 2);
    grid->addWidget(m_charts, 5, 1);
    grid->addWidget(m_sliders, 5, 2);
    grid->setRowStretch(5, 1);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
}

void ViewForm::show(const StageView& view)
{
    m_showing = true;
    if (const QString name = toQString(view.name); m_name->text() != name)
        m_name->setText(name);
    if (const QString note = toQString(view.note); m_note->toPlainText() != note)
        m_note->setPlainText(note);
    const auto prepared = prepare(view.scenario, m_catalog, Calibration::builtIn());
    m_scenario->setText(prepared ? toQString(shortName(*prepared))
                                 : tr("Cannot be evaluated: %1").arg(toQString(prepared.error().front().message)));
    m_charts->show(chartEntries(view.scenario.task), view.charts);
    m_sliders->show(sliderEntries(view.scenario, view.sliders), view.sliders);
    m_showing = false;
}

} // namespace headroom::ui
