// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/parameter_panel.hpp"

#include "core/predict/evaluate.hpp"
#include "core/predict/prices.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/units/format.hpp"
#include "ui/base/focus_chain.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"
#include "ui/document/parameter_groups.hpp"
#include "ui/parameters/catalog_entries.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/group_header.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/steady_scroll.hpp"
#include "ui/widgets/wheel_guard.hpp"

#include <QApplication>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace headroom::ui
{
namespace
{

enum TaskChoice { PreTrain, FineTune, Serve };

/// Of the measurements, the ones most people have.
bool isCommonMeasurement(std::string_view id)
{
    return id == "measured_step_time_s" || id == "measured_tokens_per_s" || id == "measured_tpot_s" ||
           id == "measured_ttft_s";
}

bool isEveryday(const ParameterRow& row)
{
    return row.everyday || isCommonMeasurement(row.id);
}

/// Everyday rows first; the registry's order otherwise.
std::vector<PlaceOfRow> placesOf(ParameterGroup group)
{
    std::vector<PlaceOfRow> places;
    for (const ParameterRow& row : parameterRegistry())
        if (row.group == group)
            places.push_back({&row});
    std::stable_partition(places.begin(), places.end(), [](const PlaceOfRow& place) { return isEveryday(*place.row); });
    return places;
}

/// The row that was made before `place`, or the heading.
QWidget* standsBefore(const GroupOfRows& group, const PlaceOfRow& place)
{
    QWidget* before = group.header;
    for (const PlaceOfRow& each : group.places) {
        if (&each == &place)
            break;
        if (each.widget)
            before = each.widget;
    }
    return before;
}

/// A price that nobody stated is the one that was looked up.
PreparedScenario pricedOf(const Scenario& scenario, const Catalog& catalog)
{
    PreparedScenario priced;
    priced.setup() = scenario.setup();
    if (auto device = resolveAccelerator(scenario.accelerator, catalog))
        priced.accelerator = std::make_shared<const Accelerator>(std::move(*device));
    if (const auto& reader = scenario.inference.prefillPool.accelerator)
        if (auto device = catalog.accelerator(reader->text()))
            priced.prefillAccelerator = std::move(device);
    if (priced.accelerator)
        lookUpPrice(priced);
    return priced;
}

} // namespace

ParameterPanel::ParameterPanel(ScenarioStore& store, Recalculator& recalculator, Settings& settings, QWidget* parent)
    : Card(parent), m_store(store), m_recalculator(recalculator), m_settings(settings), m_bounds(settings),
      m_player(store)
{
    m_guard = new WheelGuard(this);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    buildTop(outer);
    auto* content = new QWidget;
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(12, 0, 12, 12);
    m_layout->setSpacing(4);
    buildGroups();
    m_layout->addStretch(1);
    m_scroll = new SteadyScroll(content);
    outer->addWidget(m_scroll, 1);

    connect(&store, &ScenarioStore::scenarioChanged, this, &ParameterPanel::refresh);
    connect(&store, &ScenarioStore::locksChanged, this, &ParameterPanel::refresh);
    connect(&recalculator, &Recalculator::evaluated, this, &ParameterPanel::refreshWarnings);
    connect(&recalculator, &Recalculator::evaluated, this, &ParameterPanel::refreshBatch);
    connect(&store, &ScenarioStore::heldChanged, this, &ParameterPanel::refreshWarnings);
    connect(&recalculator, &Recalculator::catalogChanged, this, &ParameterPanel::refresh); // its currency, too
    refresh();
}

void ParameterPanel::buildTop(QLayout* layout)
{
    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(16, 14, 16, 4);
    column->setSpacing(8);
    m_model = new CatalogPicker(tr("Model"), tr("Search models"), modelSearch(m_recalculator.catalog()));
    m_accelerator =
        new CatalogPicker(tr("Accelerator"), tr("Search accelerators"), acceleratorSearch(m_recalculator.catalog()));
    m_task = new SegmentedControl({tr("Pre-train"), tr("Fine-tune"), tr("Serve")});
    m_task->setName(tr("Task"));
    m_task->setToolTip(tr("Fine-tuning of all weights is computed as pre-training is: choose Pre-train"));
    column->addWidget(m_model);
    column->addWidget(m_accelerator);
    column->addWidget(m_task);
    layout->addWidget(top);
    connect(m_model, &CatalogPicker::picked, this, [this](const QString& id) {
        if (const auto model = m_recalculator.catalog().model(toUtf8(id)))
            m_store.chooseModel(tr("Model"), {toUtf8(id), {}}, *model);
    });
    connect(m_accelerator, &CatalogPicker::picked, this,
            [this](const QString& id) { m_store.chooseAccelerator(tr("Accelerator"), id); });
    connect(m_task, &SegmentedControl::chosen, this, &ParameterPanel::chooseTask);
}

void ParameterPanel::buildGroups()
{
    const QStringList open = m_settings.value(SettingKey::OpenGroups).toStringList();
    for (const ParameterGroupRow& entry : parameterGroups()) {
        GroupOfRows group;
        group.header = new GroupHeader(QLatin1String(entry.id), groupTitle(entry));
        group.header->setOpen(open.contains(group.header->id()));
        m_layout->addWidget(group.header);
        group.places = placesOf(entry.group);
        connect(group.header, &GroupHeader::openChanged, this, [this] {
            QStringList ids;
            for (const GroupOfRows& each : m_groups)
                if (each.header->isOpen())
                    ids << each.header->id();
            m_settings.setValue(SettingKey::OpenGroups, ids);
            refreshVisibility();
        });
        const std::size_t index = m_groups.size();
        connect(group.header, &GroupHeader::resetRequested, this, [this, index] {
            std::vector<const ParameterRow*> rows;
            for (const PlaceOfRow& place : m_groups[index].places)
                if (belongs(*place.row))
                    rows.push_back(place.row);
            m_store.resetParameters(tr("Reset group"), rows);
        });
        m_groups.push_back(std::move(group));
    }
}

void ParameterPanel::makeRow(const GroupOfRows& group, PlaceOfRow& place)
{
    auto* widget = new ParameterRowWidget(*place.row, m_store, *m_guard, m_layout->parentWidget());
    widget->hide();
    connect(widget, &ParameterRowWidget::pointedAt, this, &ParameterPanel::pointedAt);
    connect(widget, &ParameterRowWidget::glossaryRequested, this, &ParameterPanel::glossaryRequested);
    connect(widget, &ParameterRowWidget::measurementEdited, this, &ParameterPanel::measurementEdited);
    connect(widget, &ParameterRowWidget::playRequested, this, &ParameterPanel::play);
    connect(widget, &ParameterRowWidget::boundsChosen, this,
            [this](const QString& id, const auto& bounds) { m_bounds.keep(id, bounds); });
    connect(widget, &ParameterRowWidget::sweepRequested, &m_recalculator, &Recalculator::setSweepParameter);
    QWidget* before = standsBefore(group, place);
    const int index = m_layout->indexOf(before) + 1;
    if (QWidget* after = index < m_layout->count() ? m_layout->itemAt(index)->widget() : nullptr)
        widget->stackUnder(after);
    m_layout->insertWidget(index, widget);
    followInFocusChain(*widget, *before);
    place.widget = widget;
    m_rows.insert(toQString(place.row->id), widget);
    if (const auto bounds = m_bounds.of(*place.row))
        widget->setBounds(bounds);
}

bool ParameterPanel::belongs(const ParameterRow& row) const
{
    return isOffered(row, m_store.scenario());
}

void ParameterPanel::refresh()
{
    refreshPickers();
    refreshVisibility();
    for (ParameterRowWidget* widget : std::as_const(m_rows))
        if (belongs(widget->row()))
            widget->refresh();
}

void ParameterPanel::refreshVisibility()
{
    bool made = false;
    for (GroupOfRows& group : m_groups) {
        int rare = 0, shown = 0;
        bool set = false;
        for (PlaceOfRow& place : group.places) {
            const ParameterRow& row = *place.row;
            const bool here = belongs(row);
            const bool own = here && row.isSet(m_store.scenario());
            // A rare row that was given a value stays in sight: nothing that is in force hides.
            const bool visible = here && (isEveryday(row) || own || group.header->isOpen());
            rare += here && !isEveryday(row) && !own ? 1 : 0;
            shown += here ? 1 : 0;
            set = set || (own && !m_store.isLocked(row.id));
            if (visible && !place.widget) {
                makeRow(group, place);
                made = true;
            }
            if (place.widget && place.widget->isHidden() == visible)
                place.widget->setVisible(visible);
        }
        group.header->setVisible(shown > 0);
        group.header->setRareRows(rare);
        group.header->setResettable(set);
    }
    if (made)
        catchUp();
}

void ParameterPanel::catchUp()
{
    refreshPrices();
    refreshWarnings();
    refreshBatch();
}

void ParameterPanel::refreshBatch()
{
    const ChartContext* context = m_recalculator.context();
    if (ParameterRowWidget* row = m_rows.value(QStringLiteral("batch")); row && context)
        row->setInForce(fullBatch(context->evaluation));
}

void ParameterPanel::refreshPickers()
{
    const Scenario& scenario = m_store.scenario();
    const Catalog& catalog = m_recalculator.catalog();
    const bool custom = !scenario.model.object.empty();
    if (const auto model = catalog.model(scenario.model.id); model && !custom)
        m_model->show(entryOf(*model));
    else
        m_model->show(describedEntry(scenario.model, catalog));
    const QString count = scenario.hardware.count > 1
                              ? toQString(wholeText(double(scenario.hardware.count))) + QStringLiteral(" × ")
                              : QString();
    if (const auto device = catalog.accelerator(scenario.accelerator.id); device && scenario.accelerator.object.empty())
        m_accelerator->show(entryOf(*device), count);
    else
        m_accelerator->show(describedEntry(scenario.accelerator, catalog), count);
    m_task->setCurrent(scenario.task == Task::Inference           ? Serve
                       : scenario.training.method == Method::Full ? PreTrain
                                                                  : FineTune);
    refreshPrices();
}

void ParameterPanel::refreshPrices()
{
    const PreparedScenario priced = pricedOf(m_store.scenario(), m_recalculator.catalog());
    showLookedUp(QStringLiteral("price_per_gpu_hour"), lookedUpPrice(priced));
    showLookedUp(QStringLiteral("prefill_price_per_gpu_hour"), lookedUpPrefillPrice(priced));
}

void ParameterPanel::showLookedUp(const QString& parameter, const KnownPrice* price)
{
    ParameterRowWidget* row = m_rows.value(parameter);
    if (!row)
        return;
    row->setUnsetText(price ? listedPriceText(*price) : QString());
    row->setToolTip(price ? plainTip(toQString(priceOrigin(*price))) : QString());
}

void ParameterPanel::chooseTask(int index)
{
    const QString text = index == Serve ? tr("Serve") : index == FineTune ? tr("Fine-tune") : tr("Pre-train");
    m_store.edit(0, text, [index](Scenario& scenario) {
        scenario.task = index == Serve ? Task::Inference : Task::Training;
        if (index == PreTrain)
            scenario.training.method = Method::Full;
        else if (index == FineTune && scenario.training.method == Method::Full)
            scenario.training.method = Method::Lora;
    });
}

void ParameterPanel::highlight(const QString& parameterId)
{
    if (ParameterRowWidget* before = m_rows.value(m_highlighted))
        before->setHighlighted(false);
    m_highlighted = parameterId;
    if (ParameterRowWidget* widget = m_rows.value(parameterId)) {
        widget->setHighlighted(true);
        m_scroll->ensureWidgetVisible(widget, 0, 24);
    }
}

ParameterRowWidget* ParameterPanel::rowWidget(const QString& parameterId)
{
    if (ParameterRowWidget* widget = m_rows.value(parameterId))
        return widget;
    for (GroupOfRows& group : m_groups)
        for (PlaceOfRow& place : group.places)
            if (toQString(place.row->id) == parameterId) {
                makeRow(group, place);
                catchUp();
                return place.widget;
            }
    return nullptr;
}

ParameterRowWidget* ParameterPanel::reveal(const QString& parameterId)
{
    ParameterRowWidget* widget = rowWidget(parameterId);
    if (!widget)
        return nullptr;
    for (const GroupOfRows& group : m_groups)
        if (std::ranges::find(group.places, widget, &PlaceOfRow::widget) != group.places.end() && widget->isHidden())
            group.header->setOpen(true);
    refreshVisibility();
    m_scroll->layOutRows();
    m_scroll->ensureWidgetVisible(widget, 0, 24);
    return widget;
}

void ParameterPanel::focusRow(const QString& parameterId)
{
    if (ParameterRowWidget* widget = reveal(parameterId))
        widget->control()->setFocus(Qt::ShortcutFocusReason);
}

void ParameterPanel::play(const QString& parameterId)
{
    const ParameterRowWidget* widget = m_rows.value(parameterId);
    if (!widget || !widget->slider() || !belongs(widget->row()))
        return;
    const bool calm = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
    m_player.play(widget->row(), widget->slider()->scale(), calm);
}

void ParameterPanel::resetFocused()
{
    if (const ParameterRow* row = focusedParameter())
        m_store.resetParameter(*row);
}

void ParameterPanel::lockFocused()
{
    if (const ParameterRow* row = focusedParameter())
        m_store.setLocked(row->id, !m_store.isLocked(row->id));
}

void ParameterPanel::sweepFocused()
{
    if (const ParameterRow* row = focusedParameter())
        m_recalculator.setSweepParameter(toQString(row->id));
}

void ParameterPanel::playFocused()
{
    if (const ParameterRow* row = focusedParameter())
        play(toQString(row->id));
}

QSize ParameterPanel::minimumSizeHint() const
{
    constexpr int narrowest = 280;
    const int rows = m_scroll->widget()->minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width();
    const QSize own = Card::minimumSizeHint();
    return {std::max({narrowest, rows, own.width()}), own.height()};
}

const ParameterRow* ParameterPanel::focusedParameter() const
{
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (const auto* row = qobject_cast<const ParameterRowWidget*>(widget))
            return &row->row();
    return nullptr;
}

} // namespace headroom::ui
