// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of the window's messages, as a person sees and presses them.
#pragma once

#include "tests/support/window_fixture.hpp"
#include "ui/panels/message_bar.hpp"

#include <QPushButton>

namespace headroom::test
{

/// That says of a measurement of other settings that these are the ones that ran; null where it is not in sight.
[[nodiscard]] inline QPushButton* ranTheseButton(WindowFixture& fixture)
{
    for (auto* button : fixture.part<ui::MessageBar>().findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == u"I ran these settings")
            return button;
    return nullptr;
}

inline void sayTheseWereRun(WindowFixture& fixture)
{
    QTRY_VERIFY(ranTheseButton(fixture));
    QTest::mouseClick(ranTheseButton(fixture), Qt::LeftButton);
    WindowFixture::settle();
}

} // namespace headroom::test
