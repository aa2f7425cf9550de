// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/pins.hpp"

#include <algorithm>
#include <utility>

namespace headroom::ui
{
namespace
{

char letterOf(std::size_t place)
{
    return static_cast<char>('A' + static_cast<int>(place));
}

} // namespace

Pins::Pins(const std::vector<SavedPin>& saved)
{
    for (const SavedPin& pin : saved)
        m_pins.push_back({letterOf(m_pins.size()), pin.scenario, pin.name});
}

const Pin* Pins::find(char letter) const
{
    const auto pin = std::ranges::find(m_pins, letter, &Pin::letter);
    return pin == m_pins.end() ? nullptr : &*pin;
}

Pin* Pins::at(char letter)
{
    const auto pin = std::ranges::find(m_pins, letter, &Pin::letter);
    return pin == m_pins.end() ? nullptr : &*pin;
}

std::vector<SavedPin> Pins::saved() const
{
    std::vector<SavedPin> saved;
    for (const Pin& pin : m_pins)
        if (!pin.carried)
            saved.push_back({pin.name, pin.scenario});
    return saved;
}

bool Pins::are(const std::vector<SavedPin>& saved) const
{
    return m_pins.size() == saved.size() && this->saved() == saved;
}

Pins Pins::with(const Scenario& scenario) const
{
    Pins more = *this;
    more.m_pins.push_back({letterOf(m_pins.size()), scenario});
    return more;
}

void Pins::takeTurns(Pins& others)
{
    m_pins.swap(others.m_pins);
}

void Pins::carry()
{
    for (Pin& pin : m_pins)
        pin.carried = true;
    m_nameInHand.clear();
}

bool Pins::exchange(char letter, const Scenario& taken, const Scenario& inHand)
{
    Pin* pin = at(letter);
    if (!pin || pin->scenario != taken)
        return false;
    pin->scenario = inHand;
    std::swap(pin->name, m_nameInHand); // the name goes with its scenario, and comes back with it
    return true;
}

bool Pins::rename(char letter, const std::string& before, const std::string& after)
{
    Pin* pin = at(letter);
    if (!pin || (pin->name != before && pin->name != after))
        return false;
    pin->name = pin->name == before ? after : before;
    pin->carried = false; // named here, it belongs here
    return true;
}

} // namespace headroom::ui
