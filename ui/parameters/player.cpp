// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/player.hpp"

#include "core/explore/dividing_values.hpp"

#include <QApplication>
#include <QEvent>
#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr int stepMs = 100, calmMs = 1000; // ten steps a second
constexpr int stepsPerPass = 60;           // six seconds from end to end
constexpr int ticksPerChoice = 5;          // a choice is read, not watched

} // namespace

Player::Player(ScenarioStore& store, QObject* parent) : QObject(parent), m_store(store)
{
    connect(&m_timer, &QTimer::timeout, this, &Player::step);
}

void Player::play(const ParameterRow& row, const SliderScale& scale, bool calm)
{
    stop();
    if (m_store.isLocked(row.id))
        return;
    m_row = &row;
    m_scale = scale;
    m_position = scale.toPosition(row.get(m_store.scenario()));
    m_direction = m_position >= SliderScale::steps ? -1 : 1;
    m_calm = calm || scale.isStepped();
    m_gesture = m_store.newGesture();
    m_timer.start(calm ? calmMs : scale.isStepped() ? ticksPerChoice * stepMs : stepMs);
    m_store.setHeld(true);
    qApp->installEventFilter(this);
    emit playingChanged();
}

void Player::stop()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    qApp->removeEventFilter(this);
    m_store.setHeld(false);
    emit playingChanged();
}

double Player::next(double value)
{
    const std::vector<double> values = dividingValues(*m_row, m_store.scenario());
    if (m_calm) {
        const double there = nearestOf(values, m_scale->nextSnap(value, m_direction));
        if (there != value)
            return there;
        m_direction = -m_direction;
        return nearestOf(values, m_scale->nextSnap(value, m_direction));
    }
    // Whole values lie further apart than positions where they are small: on to the next one.
    for (int i = 0; i < 2 * stepsPerPass; ++i) {
        m_position += m_direction * static_cast<double>(SliderScale::steps) / stepsPerPass;
        if (m_position <= 0 || m_position >= SliderScale::steps)
            m_direction = m_position <= 0 ? 1 : -1;
        m_position = std::clamp(m_position, 0.0, static_cast<double>(SliderScale::steps));
        const double there = nearestOf(values, m_scale->toValue(m_position));
        if (there != value)
            return there;
    }
    return value;
}

void Player::step()
{
    m_store.setParameter(m_gesture, *m_row, next(m_row->get(m_store.scenario())));
}

bool Player::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::ShortcutOverride: // the only one of its key where that is a shortcut
    case QEvent::KeyPress:
    case QEvent::MouseButtonPress:
    case QEvent::TouchBegin:
    case QEvent::Wheel:
        stop();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::ui
