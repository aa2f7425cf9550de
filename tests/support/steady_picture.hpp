// SPDX-License-Identifier: GPL-3.0-or-later
// steadyPicture(): what a widget shows once nothing changes it any more.
#pragma once

#include <QImage>
#include <QTest>
#include <QWidget>

namespace headroom::test
{

/// Once it has shown the same for half a second, at the latest after ten: some of it comes from other threads.
inline QImage steadyPicture(QWidget& widget)
{
    constexpr int alike = 5, pauseMs = 100, most = 100;
    QImage picture;
    for (int tries = 0, same = 0; tries < most && same < alike; ++tries) {
        QTest::qWait(pauseMs);
        const QImage now = widget.grab().toImage();
        same = now == picture ? same + 1 : 0;
        picture = now;
    }
    return picture;
}

} // namespace headroom::test
