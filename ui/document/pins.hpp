// SPDX-License-Identifier: GPL-3.0-or-later
// Pins: the scenarios that are pinned beside the one in hand, each under its letter.
#pragma once

#include "core/scenario/scenario_json.hpp"

#include <string>
#include <vector>

namespace headroom::ui
{

struct Pin {
    char letter = 'A';
    Scenario scenario;
    std::string name{};   ///< the user's; may be empty
    bool carried = false; ///< pinned while another document was open: no file but that one holds it
};

class Pins
{
public:
    static constexpr std::size_t most = mostPins;

    Pins() = default;
    /// As a file holds them, lettered in its order.
    explicit Pins(const std::vector<SavedPin>& saved);

    [[nodiscard]] const std::vector<Pin>& all() const { return m_pins; }
    /// Null where nothing is pinned under that letter.
    [[nodiscard]] const Pin* find(char letter) const;
    /// What the document's file holds of them.
    [[nodiscard]] std::vector<SavedPin> saved() const;
    /// Whether they are these and no others.
    [[nodiscard]] bool are(const std::vector<SavedPin>& saved) const;
    /// The same and one more, under the next letter.
    [[nodiscard]] Pins with(const Scenario& scenario) const;
    /// The two sets change places; the name in hand stays.
    void takeTurns(Pins& others);
    /// Another document is opened: from now on they are carried, and no name is in hand.
    void carry();
    /// Takes a pin's scenario in hand, `taken`, and pins the one that was in hand, with its name; once more, they are
    /// back. False, and nothing, where the pin has come to hold something else.
    bool exchange(char letter, const Scenario& taken, const Scenario& inHand);
    /// The two names take turns. False, and nothing, for a pin that has neither.
    bool rename(char letter, const std::string& before, const std::string& after);

private:
    [[nodiscard]] Pin* at(char letter);

    std::vector<Pin> m_pins;
    std::string m_nameInHand; ///< of the pin that was taken in hand
};

} // namespace headroom::ui
