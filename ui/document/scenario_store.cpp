// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_store.hpp"

#include "core/scenario/measurement.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/document/scenario_command.hpp"

#include <QFileInfo>
#include <algorithm>
#include <memory>
#include <utility>

namespace headroom::ui
{

ScenarioStore::ScenarioStore(QObject* parent) : QObject(parent)
{
    connect(&m_undo, &QUndoStack::cleanChanged, this, &ScenarioStore::documentChanged);
    connect(&m_undo, &QUndoStack::indexChanged, this, [this](int index) {
        const bool undone = m_aside && index <= m_aside->undoIndex;
        if (undone)
            m_aside.reset(); // the document is in hand again
        const bool modified = isModified();
        if (std::exchange(m_toldModified, modified) != modified || undone)
            emit documentChanged();
    });
}

bool ScenarioStore::isChanged() const
{
    if (m_undo.isClean() || m_undo.cleanIndex() < 0)
        return !m_undo.isClean();
    for (int i = std::min(m_undo.cleanIndex(), m_undo.index()); i < std::max(m_undo.cleanIndex(), m_undo.index()); ++i)
        if (const auto* step = dynamic_cast<const ScenarioCommand*>(m_undo.command(i));
            !step || step->changesDocument(!m_path.isEmpty()))
            return true;
    return false;
}

void ScenarioStore::edit(int gesture, const QString& text, const Change& change)
{
    Scenario after = m_scenario;
    change(after);
    push(gesture, text, m_aside ? std::move(after) : afterEdit(m_scenario, std::move(after)));
}

void ScenarioStore::follow(const Advice& advice)
{
    edit(0, toQString(advice.change), [&advice](Scenario& scenario) { applyEdits(scenario, advice.edits); });
}

void ScenarioStore::chooseModel(const QString& text, const ModelChoice& choice, const ModelArchitecture& model)
{
    edit(0, text, [&](Scenario& scenario) {
        scenario.model = choice;
        InferenceWorkload& w = scenario.inference;
        if (model.quantization && w.weights == InferenceWorkload().weights && !w.weightBits && !isLocked("weights"))
            w.weights = DataType::Native;
    });
}

void ScenarioStore::chooseAccelerator(const QString& text, const QString& id)
{
    edit(0, text, [&](Scenario& scenario) {
        const std::string before = scenario.accelerator.id;
        scenario.accelerator = {toUtf8(id), {}};
        if (scenario.accelerator.id != before && !isLocked("price_per_gpu_hour"))
            scenario.hardware.pricePerGpuHour.reset();
        if (scenario.accelerator.id != before && !isLocked("spot_mtbf_hours"))
            scenario.hardware.spotMtbfHours.reset();
    });
}

void ScenarioStore::replace(const QString& text, const Scenario& scenario)
{
    push(0, text, scenario);
}

void ScenarioStore::returnToMeasurement()
{
    replace(tr("Back to what was measured"), atMeasuredSettings(m_scenario));
}

void ScenarioStore::measureHere()
{
    replace(tr("Measured with these settings"), measuredHere(m_scenario));
    emit measurementMoved();
}

void ScenarioStore::dropMeasurement()
{
    replace(tr("Leave the measurement out"), withoutMeasurement(m_scenario));
}

void ScenarioStore::push(int gesture, const QString& text, Scenario after)
{
    if (after == m_scenario)
        return;
    m_undo.push(new ScenarioCommand(m_scenario, std::move(after), gesture, text,
                                    [this](const Scenario& scenario) { apply(scenario); }));
}

void ScenarioStore::setParameter(int gesture, const ParameterRow& row, double value)
{
    if (isLocked(row.id))
        return;
    const double bounded = std::clamp(value, row.minimum, row.maximum);
    const QString text = tr("%1 %2", "undo step: parameter, value")
                             .arg(toQString(say(row.label)), toQString(parameterText(row, bounded)));
    edit(gesture, text, [&row, bounded](Scenario& scenario) { row.set(scenario, bounded); });
}

void ScenarioStore::resetParameter(const ParameterRow& row)
{
    resetParameters(tr("Reset %1").arg(toQString(say(row.label))), {&row});
}

void ScenarioStore::resetParameters(const QString& text, const std::vector<const ParameterRow*>& rows)
{
    edit(0, text, [this, &rows](Scenario& scenario) {
        for (const ParameterRow* row : rows)
            if (!isLocked(row->id) && row->isSet(scenario))
                row->reset(scenario);
    });
}

void ScenarioStore::resetAll()
{
    std::vector<const ParameterRow*> rows;
    for (const ParameterRow& row : parameterRegistry())
        rows.push_back(&row);
    resetParameters(tr("Reset all"), rows);
}

void ScenarioStore::setDocument(const Scenario& scenario, const QString& path)
{
    m_path = path;
    m_pins = m_aside ? m_aside->pins : m_pins; // what a lesson pinned ends with it
    m_pins.carry();
    m_aside.reset();
    m_undo.clear();
    m_undo.setClean();
    apply(scenario);
    emit pinsChanged();
    emit documentChanged();
}

void ScenarioStore::markSaved(const QString& path)
{
    m_path = path;
    if (m_aside)
        m_aside->modified = false;
    else
        m_undo.setClean();
    emit documentChanged();
}

void ScenarioStore::setAside(const QString& text, const Scenario& other)
{
    const int before = m_undo.index();
    const bool first = !m_aside;
    if (first)
        m_aside = Aside{m_scenario, m_pins, isModified(), before, before};
    if (other != m_scenario || !pins().empty())
        pushPins(text, {}, other);
    if (first && m_undo.index() == before)
        --m_aside->undoIndex; // the same scenario is no step: what ends it is undoing the one before
    emit documentChanged();
}

void ScenarioStore::takeUp()
{
    if (!m_aside)
        return;
    const Aside aside = *m_aside;
    m_aside.reset();
    m_undo.setIndex(aside.begin);
    forgetRedo();
    if (!aside.modified)
        m_undo.setClean();
    emit documentChanged();
}

void ScenarioStore::forgetRedo()
{
    if (!m_undo.canRedo())
        return;
    auto* step = new QUndoCommand; // pushed, it takes the place of all that could be redone
    m_undo.push(step);
    step->setObsolete(true);
    m_undo.undo(); // and is gone itself
}

QString ScenarioStore::title() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).fileName();
    return document().name.empty() ? tr("Untitled") : toQString(document().name);
}

bool ScenarioStore::pinCurrent()
{
    if (pins().size() >= Pins::most)
        return false;
    const Pins more = m_pins.with(m_scenario);
    pushPins(tr("Pin %1").arg(QLatin1Char(more.all().back().letter)), more, m_scenario);
    return true;
}

void ScenarioStore::pushPins(const QString& text, const Pins& after, const Scenario& in)
{
    // Done, undone and redone, the two sets take turns.
    const auto takeTurns = [this, others = std::make_shared<Pins>(after)](const Scenario& scenario) {
        m_pins.takeTurns(*others);
        if (scenario != m_scenario)
            apply(scenario);
        emit pinsChanged();
    };
    auto* step = new ScenarioCommand(m_scenario, in, 0, text, takeTurns);
    step->setChanges(in == m_scenario ? ScenarioCommand::Changes::Pins : ScenarioCommand::Changes::Document);
    m_undo.push(step);
}

void ScenarioStore::pushBeside(const QString& text, const std::function<void()>& takeTurns)
{
    auto* step = new ScenarioCommand(m_scenario, m_scenario, 0, text, [takeTurns](const Scenario&) { takeTurns(); });
    step->setChanges(ScenarioCommand::Changes::Nothing);
    m_undo.push(step);
}

void ScenarioStore::replacePins(const QString& text, const std::vector<SavedPin>& pins)
{
    if (!m_pins.are(pins))
        pushPins(text, Pins(pins), m_scenario);
}

void ScenarioStore::setPins(const std::vector<SavedPin>& pins)
{
    if (m_pins.are(pins))
        return;
    Pins others(pins);
    m_pins.takeTurns(others);
    emit pinsChanged();
}

void ScenarioStore::setPinName(char letter, const QString& name)
{
    QString kept = name.simplified();
    while (kept.toUtf8().size() > static_cast<qsizetype>(longestPinName))
        kept.chop(1 + (kept.back().isLowSurrogate() ? 1 : 0));
    const Pin* pin = m_pins.find(letter);
    if (!pin || pin->name == toUtf8(kept))
        return;
    // Undo and redo swap the two names. A pin that was removed or renamed in between keeps its name.
    const auto takeTurns = [this, letter, before = pin->name, after = toUtf8(kept)](const Scenario&) {
        if (m_pins.rename(letter, before, after))
            emit pinsChanged();
    };
    m_undo.push(new ScenarioCommand(m_scenario, m_scenario, 0, tr("Name %1").arg(QLatin1Char(letter)), takeTurns));
}

void ScenarioStore::clearPins()
{
    if (!pins().empty())
        pushPins(tr("Forget the pins"), {}, m_scenario);
}

bool ScenarioStore::swapWithPin(char letter)
{
    const Pin* pin = m_pins.find(letter);
    if (!pin)
        return false;
    if (pin->scenario == m_scenario)
        return true;
    // Undo and redo swap the two again. A pin that holds something else by then is left alone.
    const auto changePlaces = [this, letter](const Scenario& taken) {
        const bool holds = m_pins.exchange(letter, taken, m_scenario);
        apply(taken);
        if (holds)
            emit pinsChanged();
    };
    const Scenario taken = pin->scenario;
    m_undo.push(new ScenarioCommand(m_scenario, taken, 0, tr("Swap with %1").arg(QLatin1Char(letter)), changePlaces));
    return true;
}

void ScenarioStore::setHeld(bool held)
{
    if (m_held == held)
        return;
    m_held = held;
    emit heldChanged(held);
}

bool ScenarioStore::isLocked(std::string_view parameterId) const
{
    return m_locked.contains(toQString(parameterId));
}

IsHeld ScenarioStore::locks() const
{
    return [this](std::string_view id) { return isLocked(id); };
}

void ScenarioStore::setLocked(std::string_view parameterId, bool locked)
{
    const QString id = toQString(parameterId);
    if (m_locked.contains(id) == locked)
        return;
    if (locked)
        m_locked.insert(id);
    else
        m_locked.remove(id);
    emit locksChanged();
}

void ScenarioStore::apply(const Scenario& scenario)
{
    m_scenario = scenario;
    emit scenarioChanged();
}

} // namespace headroom::ui
