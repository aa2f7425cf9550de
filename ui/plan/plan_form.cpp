// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_form.hpp"

#include "core/plan/planner_table.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/value_box.hpp"
#include "ui/widgets/wrap_layout.hpp"

#include <QAbstractButton>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int margin = 12, fieldWidth = 124, most = 10;

} // namespace

PlanForm::PlanForm(ScenarioStore& store, Recalculator& recalculator, Settings& settings, QWidget* parent)
    : Card(parent), m_store(store), m_recalculator(recalculator), m_asked(store, settings), m_grid(new QGridLayout),
      m_objective(new SegmentedControl({tr("Cost"), tr("Time"), tr("Energy"), tr("GPUs"), tr("MFU")})),
      m_formats(new QCheckBox(tr("Allow other number formats"))), m_offload(new QCheckBox(tr("Allow offloading"))),
      m_slowEnd(new QCheckBox(tr("Hold at the slow end"))), m_devices(new QToolButton),
      m_popup(new DevicePopup([this](const QString& query) { return devicesFor(query); }, m_devices))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, margin - 2, margin, margin);
    column->setSpacing(10);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(8);
    column->addLayout(m_grid);
    auto* row = new WrapLayout(12);
    auto* best = new QLabel(tr("Optimise for"));
    row->addWidget(best);
    m_objective->setName(tr("Optimise for"));
    m_objective->setCompact(true);
    m_objective->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    row->addWidget(m_objective);
    m_devices->setFocusPolicy(Qt::StrongFocus);
    m_devices->setToolTip(tr("Accelerators to compare with the scenario's own"));
    row->addWidget(m_devices);
    row->addWidget(m_slowEnd);
    row->addWidget(m_formats);
    row->addWidget(m_offload);
    column->addLayout(row);
    m_formats->setToolTip(
        tr("A narrower format is faster wherever it is legal: free, it always wins. Whether the model "
           "still answers as well is not computed here."));
    m_slowEnd->setToolTip(
        tr("Latency targets and the deadline hold for nine in ten comparable runs, not for the expected "
           "figure alone: the slow end of the 80 % interval is held against them"));
    m_offload->setToolTip(tr("Optimizer states or parameters may lie in the host's memory"));

    connect(m_objective, &SegmentedControl::chosen, this, [this](int index) {
        const auto objective = static_cast<PlanObjective>(index);
        if (objective == inputs().objective)
            emit changed(); // asked again: what is shown as chosen need not be (showObjective)
        else
            change([objective](PlanInputs& next) { next.objective = objective; });
    });
    const auto connectBox = [this](QCheckBox* box, bool PlanInputs::*member) {
        connect(box, &QCheckBox::toggled, this,
                [this, member](bool on) { change([member, on](PlanInputs& next) { next.*member = on; }); });
    };
    connectBox(m_formats, &PlanInputs::formats);
    connectBox(m_offload, &PlanInputs::offload);
    connectBox(m_slowEnd, &PlanInputs::slowEnd);
    connect(m_devices, &QToolButton::clicked, this, [this] {
        m_devices->setFocus(Qt::OtherFocusReason); // what was being typed counts: a popup alone would not end it
        m_popup->openBelow(QRect(m_devices->mapToGlobal(QPoint()), m_devices->size()));
    });
    connect(m_popup, &DevicePopup::ticked, this, [this](const QString& id, bool on) {
        change([&id, on](PlanInputs& next) {
            next.accelerators.removeAll(id);
            if (on)
                next.accelerators << id;
        });
    });
    connect(&m_store, &ScenarioStore::scenarioChanged, this, &PlanForm::refresh);
    connect(&m_recalculator, &Recalculator::catalogChanged, this, [this] { // other prices, or another currency
        refresh();
        emit changed();
    });
    refresh();
}

void PlanForm::setInputs(const PlanInputs& inputs)
{
    if (!m_asked.ask(inputs))
        return;
    refresh();
    emit changed();
}

void PlanForm::change(const std::function<void(PlanInputs&)>& edit)
{
    PlanInputs next = inputs();
    edit(next);
    setInputs(next);
}

void PlanForm::showObjective(PlanObjective objective)
{
    m_objective->setCurrent(static_cast<int>(objective));
}

QString PlanForm::refusal() const
{
    for (const PlanField* field : m_order)
        if (!field->refusal().isEmpty())
            return field->refusal();
    return {};
}

void PlanForm::arrange()
{
    int widest = fieldWidth;
    for (const PlanField* field : m_order)
        widest = std::max(widest, field->minimumSizeHint().width());
    const int columns = std::clamp((width() - 2 * margin + 10) / (widest + 10), 1, most);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (int i = 0; i < static_cast<int>(m_order.size()); ++i)
        m_grid->addWidget(m_order[static_cast<std::size_t>(i)], i / columns, i % columns);
    for (int i = 0; i < most; ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    // The fields are made anew for each task, at the end of the window's order: they stand before what follows them.
    const auto choices = m_objective->findChildren<QAbstractButton*>();
    if (!m_order.empty())
        setTabOrder(choices.constFirst(), m_order.front()->box());
    QWidget* before = nullptr;
    for (PlanField* field : m_order) {
        if (before)
            setTabOrder(before, field->box());
        before = field->box();
    }
    QWidgetList rest(choices.begin(), choices.end());
    rest << m_devices << m_slowEnd << m_formats << m_offload;
    for (QWidget* next : std::as_const(rest)) {
        setTabOrder(before, next);
        before = next;
    }
}

void PlanForm::refresh()
{
    if (m_asked.adopt())
        emit changed();
    if (m_task != m_store.scenario().task || m_unpriced != m_asked.unlisted(m_recalculator.catalog()))
        build(m_store.scenario().task);
    for (const auto& refresher : m_refreshers)
        refresher();
    m_objective->setCurrent(static_cast<int>(inputs().objective));
    m_formats->setChecked(inputs().formats);
    m_offload->setChecked(inputs().offload);
    m_slowEnd->setChecked(inputs().slowEnd);
    QStringList others = inputs().accelerators;
    others.removeAll(toQString(m_store.scenario().accelerator.id));
    m_devices->setText(others.isEmpty()     ? tr("This &accelerator")
                       : others.size() == 1 ? tr("1 more &accelerator")
                                            : tr("%1 more &accelerators").arg(others.size()));
    m_devices->setAccessibleName(tr("Accelerators to compare: %1").arg(m_devices->text().remove(u'&')));
}

std::vector<DeviceEntry> PlanForm::devicesFor(const QString& query) const
{
    std::vector<DeviceEntry> entries;
    for (const auto& entry : m_recalculator.catalog().searchAccelerators(toUtf8(query))) {
        const QString id = toQString(entry->id);
        if (!entry->missingFacts().empty() || id == toQString(m_store.scenario().accelerator.id))
            continue;
        const bool priced = m_asked.isListed(*entry) || inputs().prices.contains(id);
        entries.push_back({id, priced ? toQString(entry->name) : tr("%1 (no price)").arg(toQString(entry->name)),
                           inputs().accelerators.contains(id)});
    }
    return entries;
}

void PlanForm::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    arrange();
}

bool PlanForm::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) // larger type, longer words
        arrange();
    return Card::event(event);
}

} // namespace headroom::ui
