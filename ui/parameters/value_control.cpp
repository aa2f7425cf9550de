// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/value_control.hpp"

#include "core/explore/dividing_values.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_text.hpp"
#include "ui/widgets/elided_label.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/wheel_guard.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ui
{
namespace
{

constexpr int longestTicks = 40;    ///< letters of all tick labels that fit under a slider of the panel's width
constexpr int longestSegments = 20; ///< the same for segments beside the label
constexpr int fewestLetters = 10;   ///< of a list in a panel that has no room for more
constexpr std::size_t mostTicks = 7, mostSegments = 3;

} // namespace

ValueControl::ValueControl(const ParameterRow& row, ScenarioStore& store, WheelGuard& guard, QWidget* parent)
    : QObject(parent), m_row(row), m_store(store)
{
    const QString name = row.unit.empty() || row.unit == row.label
                             ? toQString(say(row.label))
                             : tr("%1 in %2").arg(toQString(say(row.label)), toQString(say(row.unit)));
    if (row.kind == ParameterKind::Toggle) {
        m_beside = m_check = new QCheckBox(parent);
        connect(m_check, &QCheckBox::clicked, this, [this] { change(m_check->checkState() != Qt::Unchecked ? 1 : 0); });
    } else if (row.kind == ParameterKind::Choice) {
        buildChoice(name, guard, parent);
    } else {
        m_beside = m_box = new ValueBox(parent);
        connect(m_box, &ValueBox::committed, this, &ValueControl::commitText);
        connect(m_box, &ValueBox::givenUp, this, &ValueControl::settled);
        if (row.group != ParameterGroup::Measured)
            addSlider(name, guard, parent);
    }
    if (m_segments)
        m_segments->setName(name);
    else if (!m_choice)
        m_beside->setAccessibleName(name);
}

void ValueControl::buildChoice(const QString& name, WheelGuard& guard, QWidget* parent)
{
    QStringList labels;
    for (const ParameterChoice& choice : m_row.choices)
        labels << toQString(shortLabel(choice));
    const qsizetype letters = labels.join(QString()).size();
    if (m_row.choices.size() <= mostSegments && letters <= longestSegments) {
        m_beside = m_segments = new SegmentedControl(labels, parent);
        m_segments->setCompact(true);
        connect(m_segments, &SegmentedControl::chosen, this, [this](int index) { change(index); });
    } else if (m_row.choices.size() <= mostTicks && letters <= longestTicks) {
        m_beside = m_choice = new ElidedLabel(QString(), parent);
        QFont bold; // its weight alone
        bold.setWeight(QFont::DemiBold);
        m_choice->setFont(bold);
        addSlider(name, guard, parent);
    } else {
        m_beside = m_combo = new QComboBox(parent);
        for (const ParameterChoice& choice : m_row.choices)
            m_combo->addItem(toQString(say(choice.label)));
        m_combo->setPlaceholderText(tr("automatic"));
        // As wide as its longest choice where there is room, of which the row is told; never wider than a narrow panel.
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        m_combo->setMinimumContentsLength(fewestLetters);
        guard.guard(m_combo);
        connect(m_combo, &QComboBox::activated, this, [this](int index) { change(index); });
    }
}

void ValueControl::addSlider(const QString& name, WheelGuard& guard, QWidget* parent)
{
    m_slider = new LogSlider(m_row, parent);
    m_slider->setAccessibleName(name); // a reader says the role besides
    guard.guard(m_slider);
    connect(m_slider, &LogSlider::gestureStarted, this, [this] {
        m_gesture = m_store.newGesture();
        m_store.setHeld(true);
    });
    connect(m_slider, &LogSlider::valueMoved, this, [this](double value) { step(value); });
    connect(m_slider, &LogSlider::gestureFinished, this, [this] {
        m_gesture = 0;
        m_store.setHeld(false);
        if (std::exchange(m_beyond, false)) // not under the hand
            tellEnd();
    });
}

QWidget* ValueControl::takesKeys() const
{
    return m_slider ? m_slider : m_beside;
}

int ValueControl::widest() const
{
    int widest = m_choice ? 0 : m_beside->sizeHint().width();
    if (m_box)
        for (const double end :
             {m_row.sliderMaximum, m_row.isSet(m_store.scenario()) ? current() : m_row.sliderMinimum})
            widest = std::max(widest, m_box->widthFor(toQString(parameterText(m_row, end))));
    if (m_choice)
        for (const ParameterChoice& choice : m_row.choices)
            widest = std::max(widest, m_choice->fontMetrics().horizontalAdvance(toQString(say(choice.label))));
    return widest;
}

void ValueControl::setWidthHeld(bool held)
{
    if (m_box || m_choice)
        m_beside->setMinimumWidth(held ? m_beside->width() : 0);
}

void ValueControl::refresh(const QString& unset)
{
    const double value = current();
    const bool automatic = isAutomatic();
    const bool locked = m_store.isLocked(m_row.id);
    // No value may stand there that is not in force.
    const bool open = automatic && (isOverruled() ? !m_inForce : m_row.decidedElsewhere);
    const QString text = toQString(parameterText(m_row, value));
    if (m_box) {
        const bool nothing = automatic && value <= 0;
        if (isOverruled() && open)
            m_box->setTexts(tr("automatic"), QString());
        else
            m_box->setTexts(nothing ? unset : text, nothing ? QString() : typedText(m_row, value));
        m_box->setAutomatic(automatic);
    }
    if (m_choice)
        m_choice->setText(open ? tr("automatic") : text);
    else
        m_beside->setEnabled(!locked);
    if (m_combo)
        m_combo->setCurrentIndex(open ? -1 : static_cast<int>(value));
    if (m_check)
        m_check->setCheckState(open ? Qt::PartiallyChecked : value > 0.5 ? Qt::Checked : Qt::Unchecked);
    if (m_segments)
        m_segments->setCurrent(static_cast<int>(value));
    if (m_slider) {
        m_slider->setTicks(dividingValues(m_row, m_store.scenario()));
        m_slider->showValue(value);
        m_slider->setAutomatic(automatic);
        m_slider->setEnabled(!locked);
        m_slider->setAccessibleDescription(text);
    }
}

void ValueControl::change(double value)
{
    const bool other = value != current() || isAutomatic();
    m_store.setParameter(m_gesture, m_row, value);
    if (other)
        emit edited();
    if (!m_slider || !m_slider->isSliderDown())
        emit settled();
}

void ValueControl::step(double wanted, int direction)
{
    const std::vector<double> values = dividingValues(m_row, m_store.scenario());
    const bool beyond = !values.empty() && wanted > values.back();
    m_beyond = beyond && m_slider->isSliderDown();
    change(nearestOf(values, wanted, direction));
    if (beyond && !m_beyond)
        tellEnd();
}

void ValueControl::tellEnd()
{
    const Scenario& scenario = m_store.scenario();
    const auto count = [](std::int64_t n) { return toQString(wholeText(double(n))); };
    const auto more = beyondDividing(m_row, scenario, m_store.locks());
    emit refused(tr("No larger micro-batch divides the global batch of %1 (data parallel %2).")
                     .arg(count(scenario.training.globalBatch.value_or(1)), count(dataParallelRanks(scenario))),
                 more ? toQString(more->change) : QString(), more.value_or(Advice{}));
}

void ValueControl::reset()
{
    m_store.resetParameter(m_row);
    emit edited();
}

void ValueControl::endRefusal()
{
    if (m_box)
        m_box->setRefused(false);
}

void ValueControl::commitText(const QString& text)
{
    if (text.trimmed().isEmpty() && m_row.optional) {
        reset();
        emit settled();
        return;
    }
    const auto value = typedValue(m_row, text);
    const double bounded = value ? std::clamp(m_row.kind == ParameterKind::Integer ? std::round(*value) : *value,
                                              m_row.minimum, m_row.maximum)
                                 : current();
    const bool meant = value && bounded == *value;
    m_box->setRefused(!meant);
    if (meant) {
        m_gesture = 0; // typing is a step of its own
        change(bounded);
        return;
    }
    const QString nearest = toQString(parameterText(m_row, bounded));
    const QString reason =
        !value ? tr("“%1” is not a number.").arg(text.toHtmlEscaped())
        : *value < m_row.minimum || *value > m_row.maximum
            ? tr("From %1 to %2.")
                  .arg(toQString(parameterText(m_row, m_row.minimum)), toQString(parameterText(m_row, m_row.maximum)))
            : tr("A whole number.");
    emit refused(reason, value ? tr("Use %1").arg(nearest) : tr("Keep %1").arg(nearest),
                 {.edits = {{&m_row, bounded}}, .change = toUtf8(nearest)});
}

bool ValueControl::handleKey(QKeyEvent* event)
{
    const bool steps = event->key() >= Qt::Key_Home && event->key() <= Qt::Key_PageDown; // Home, End, arrows, pages
    if (m_store.isLocked(m_row.id)) // the keyboard is on the lock, and a key that steps must not lead to the next row
        return steps;
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->key() == Qt::Key_Delete || (control && event->key() == Qt::Key_Backspace)) {
        reset();
        return true;
    }
    if (!m_slider || control)
        return false;
    if (steps && event->modifiers().testFlag(Qt::AltModifier))
        return true; // with Alt they lead through a lesson or, as people expect, back: no value may move of it
    // A held key is one gesture, as a drag is.
    if (!event->isAutoRepeat())
        m_gesture = m_store.newGesture();
    const SliderScale& scale = m_slider->scale();
    const double value = current();
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
        step(shift ? scale.fineStep(value, 1) : scale.nextSnap(value, 1), 1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Down:
        step(shift ? scale.fineStep(value, -1) : scale.nextSnap(value, -1), -1);
        return true;
    case Qt::Key_PageUp:
        step(scale.pageStep(value, 1), 1);
        return true;
    case Qt::Key_PageDown:
        step(scale.pageStep(value, -1), -1);
        return true;
    case Qt::Key_Home:
        step(scale.minimum());
        return true;
    case Qt::Key_End:
        step(scale.maximum());
        return true;
    default:
        break;
    }
    const QString text = event->text();
    if (m_box && !text.isEmpty() && (text.front().isDigit() || text.front() == u'.')) {
        m_box->beginWith(text);
        return true;
    }
    return false;
}

} // namespace headroom::ui
