// SPDX-License-Identifier: GPL-3.0-or-later
// One program holds the tests of a folder: it is linked once, and its files share compilations. It runs the file that
// its first word names: core_tests test_format.
#pragma once

#include <QTest>
#include <string_view>
#include <type_traits>

namespace headroom::test
{

/// Runs the tests of one file; takes and gives back what main() does. The first argument is the name of the tests.
using RunTests = int (*)(int count, char** arguments);

/// Makes the tests of a file known, by its name without folder and ending. Always true, for a constant to be made of.
bool addTests(std::string_view file, RunTests run);

/// Runs a class of tests as QTEST_MAIN does: with an application of that kind, or with none (void).
template <class Tests, class Application>
int runTests(int count, char** arguments)
{
    if constexpr (std::is_void_v<Application>) {
        Tests tests;
        return QTest::qExec(&tests, count, arguments);
    } else {
        Application application(count, arguments);
        application.setAttribute(Qt::AA_Use96Dpi);
        Tests tests;
        return QTest::qExec(&tests, count, arguments);
    }
}

} // namespace headroom::test

#define HEADROOM_JOINED_AS(left, right) left##right
#define HEADROOM_JOINED(left, right) HEADROOM_JOINED_AS(left, right)
/// The last line but one of a file of tests: what runs them, here a function.
#define HEADROOM_TEST_RUN(run)                                                                                         \
    [[maybe_unused]] static const bool HEADROOM_JOINED(added, __COUNTER__) = headroom::test::addTests(__FILE__, run);
/// A class of tests that needs an application.
#define HEADROOM_TEST_WITH(Application, Tests) HEADROOM_TEST_RUN((headroom::test::runTests<Tests, Application>))
/// A class of tests that needs none.
#define HEADROOM_TEST(Tests) HEADROOM_TEST_WITH(void, Tests)
