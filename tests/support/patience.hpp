// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's waits end after five seconds of a program as it is used; in a build with sanitizers they have timesSlower.
#pragma once

#include "tests/support/sanitized.hpp"

#include <QTest>

#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 5000 * headroom::test::timesSlower)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(condition, message)                                                                               \
    QTRY_VERIFY2_WITH_TIMEOUT(condition, message, 5000 * headroom::test::timesSlower)
#undef QTRY_COMPARE
#define QTRY_COMPARE(found, expected) QTRY_COMPARE_WITH_TIMEOUT(found, expected, 5000 * headroom::test::timesSlower)
