// SPDX-License-Identifier: GPL-3.0-or-later
// StageCommand: what the keys of the stage ask for, by where the keyboard is.
#pragma once

#include <cstdint>
#include <optional>

namespace headroom::ui
{

enum class StageCommand : std::uint8_t {
    Next,
    Previous,
    First,
    Last,
    Hint,
    Black,
    Laser,
    OtherCharts,
    Keep,
    Dark,
    AsSaved,
    Leave
};

/// Where the keyboard is: in a box, where "1.5k" is a number; on another control or a chart, which needs its arrows; on
/// the stage itself. Each takes the keys of those before it as well.
enum class StagePlace : std::uint8_t { Text, Control, Stage };

/// `key` is one of Qt::Key; empty = the key is left to what has the keyboard.
[[nodiscard]] std::optional<StageCommand> stageCommand(int key, StagePlace place);

} // namespace headroom::ui
