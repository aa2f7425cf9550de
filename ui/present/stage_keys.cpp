// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_keys.hpp"

#include <Qt>

namespace headroom::ui
{
namespace
{

struct StageKey {
    int key;
    StageCommand command;
    StagePlace from;
};

constexpr StageKey stageKeys[] = {
    {Qt::Key_PageDown, StageCommand::Next, StagePlace::Text},
    {Qt::Key_PageUp, StageCommand::Previous, StagePlace::Text},
    {Qt::Key_F1, StageCommand::Hint, StagePlace::Text},
    {Qt::Key_B, StageCommand::Black, StagePlace::Control},
    {Qt::Key_Period, StageCommand::Black, StagePlace::Control}, // what remote controls send
    {Qt::Key_L, StageCommand::Laser, StagePlace::Control},
    {Qt::Key_C, StageCommand::OtherCharts, StagePlace::Control},
    {Qt::Key_K, StageCommand::Keep, StagePlace::Control},
    {Qt::Key_D, StageCommand::Dark, StagePlace::Control},
    {Qt::Key_R, StageCommand::AsSaved, StagePlace::Control},
    {Qt::Key_Right, StageCommand::Next, StagePlace::Stage},
    {Qt::Key_Space, StageCommand::Next, StagePlace::Stage},
    {Qt::Key_Left, StageCommand::Previous, StagePlace::Stage},
    {Qt::Key_Backspace, StageCommand::Previous, StagePlace::Stage},
    {Qt::Key_Home, StageCommand::First, StagePlace::Stage},
    {Qt::Key_End, StageCommand::Last, StagePlace::Stage},
    {Qt::Key_Escape, StageCommand::Leave, StagePlace::Stage},
};

} // namespace

std::optional<StageCommand> stageCommand(int key, StagePlace place)
{
    for (const StageKey& row : stageKeys)
        if (row.key == key && place >= row.from)
            return row.command;
    return std::nullopt;
}

} // namespace headroom::ui
