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
      m_formats(new QCheckBox), m_offload(new QCheckBox), m_slowEnd(new QCheckBox), m_devices(new QToolButton),
      m_popup(new DevicePopup([this](const QString& query) { return devicesFor(query); }, m_devices))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, margin - 2, margin, margin);
    column->setSpacing(10);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(8);
    column->addLayout(m_grid);
    auto* row = new WrapLayout(12);
    auto* best = new QLabel(toQString(say(planRow("objective").label)));
    best->setProperty("fromCore", true);
    row->addWidget(best);
    m_objective->setName(best->text());
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

    connect(m_objective, &SegmentedControl::chosen, this, [this](int index) {
        const auto objective = static_cast<PlanGoal>(index);
        if (objective == question().objective)
            emit changed(); // asked again: what is shown as chosen need not be (showObjective)
        else
            change([objective](PlanQuestion& next) { next.objective = objective; });
    });
    connectBox(*m_formats, "formats");
    connectBox(*m_offload, "offload");
    connectBox(*m_slowEnd, "slow_end");
    connect(m_devices, &QToolButton::clicked, this, [this] {
        m_devices->setFocus(Qt::OtherFocusReason); // what was being typed counts: a popup alone would not end it
        m_popup->openBelow(QRect(m_devices->mapToGlobal(QPoint()), m_devices->size()));
    });
    connect(m_popup, &DevicePopup::ticked, this, [this](const QString& id, bool on) {
        change([&id, on](PlanQuestion& next) {
            std::erase_if(next.accelerators, [&id](const PlanDevice& device) { return device.id == toUtf8(id); });
            if (on)
                next.accelerators.push_back({toUtf8(id), {}});
        });
    });
    connect(&m_store, &ScenarioStore::scenarioChanged, this, &PlanForm::refresh);
    connect(&m_recalculator, &Recalculator::catalogChanged, this, [this] { // other prices, or another currency
        refresh();
        emit changed();
    });
    refresh();
}

void PlanForm::connectBox(QCheckBox& box, const char* key)
{
    const PlanRow& row = planRow(key);
    const auto member = std::get<PlanRow::Choice>(row.member);
    box.setText(toQString(say(row.label)));
    box.setToolTip(toQString(say(row.tip)));
    box.setProperty("fromCore", true);
    connect(&box, &QCheckBox::toggled, this,
            [this, member](bool on) { change([member, on](PlanQuestion& next) { next.*member = on; }); });
    m_boxes.push_back([this, &box, member] { box.setChecked(question().*member); });
}

void PlanForm::setQuestion(const PlanQuestion& question)
{
    if (!m_asked.ask(question))
        return;
    refresh();
    emit changed();
}

void PlanForm::change(const std::function<void(PlanQuestion&)>& edit)
{
    PlanQuestion next = question();
    edit(next);
    setQuestion(next);
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
    for (const auto& box : m_boxes)
        box();
    m_objective->setCurrent(static_cast<int>(question().objective));
    const auto others = std::ranges::count_if(question().accelerators, [this](const PlanDevice& device) {
        return device.id != m_store.scenario().accelerator.id;
    });
    m_devices->setText(others == 0   ? tr("This &accelerator")
                       : others == 1 ? tr("1 more &accelerator")
                                     : tr("%1 more &accelerators").arg(others));
    m_devices->setAccessibleName(tr("Accelerators to compare: %1").arg(m_devices->text().remove(u'&')));
}

std::vector<DeviceEntry> PlanForm::devicesFor(const QString& query) const
{
    std::vector<DeviceEntry> entries;
    for (const auto& entry : m_recalculator.catalog().searchAccelerators(toUtf8(query))) {
        if (!entry->missingFacts().empty() || entry->id == m_store.scenario().accelerator.id)
            continue;
        const auto& devices = question().accelerators;
        const auto ticked = std::ranges::find(devices, entry->id, &PlanDevice::id);
        const bool isTicked = ticked != devices.end();
        const bool priced = m_asked.isListed(*entry) || (isTicked && ticked->pricePerGpuHour);
        entries.push_back({toQString(entry->id),
                           priced ? toQString(entry->name) : tr("%1 (no price)").arg(toQString(entry->name)),
                           isTicked});
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
