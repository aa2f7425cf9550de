// SPDX-License-Identifier: GPL-3.0-or-later
// Keys to whatever has the keyboard, as somebody without a mouse presses them.
#pragma once

#include "tests/support/window_fixture.hpp"

namespace headroom::test
{

[[nodiscard]] inline QWidget* inHand(const WindowFixture& fixture)
{
    if (QWidget* popup = QApplication::activePopupWidget())
        return popup->focusWidget() ? popup->focusWidget() : popup;
    return QApplication::focusWidget() ? QApplication::focusWidget() : fixture.window.get();
}

inline void press(const WindowFixture& fixture, Qt::Key key, Qt::KeyboardModifiers with = {})
{
    QTest::keyClick(inHand(fixture), key, with);
    WindowFixture::settle();
}

inline void type(const WindowFixture& fixture, const QString& text)
{
    for (const QChar letter : text) // the first one may hand the keyboard on, from a slider to its box
        QTest::keyClick(inHand(fixture), letter.toLatin1());
    WindowFixture::settle();
}

/// Tab until the widget of that kind and name has the keyboard; false when it has been once around without it.
template <typename Widget = QWidget>
bool tabTo(const WindowFixture& fixture, const QString& name)
{
    constexpr int once = 300;
    for (int i = 0; i < once; ++i) {
        const auto* here = qobject_cast<Widget*>(QApplication::focusWidget());
        if (here && here->accessibleName().startsWith(name))
            return true;
        QTest::keyClick(inHand(fixture), Qt::Key_Tab);
    }
    return false;
}

} // namespace headroom::test
