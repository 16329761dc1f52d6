// SPDX-License-Identifier: GPL-3.0-or-later
// QtTest classes of one folder in one program: its first argument names the test, the others are QtTest's.
// One program instead of one per class, since most of the time of building them goes into reading Qt's
// headers. And QtTest's patience: QTRY_VERIFY() and QTRY_COMPARE() give up after kPatienceMs instead of
// Qt's five seconds, which reading a recording takes under the thread sanitizer beside other tests.
#pragma once

#include "tests/support/time_factor.h"

#include <QApplication>
#include <QTest>

#include <memory>
#include <string_view>

namespace heteroscope::ui::test {

/// A test or another thing that the program can do: what is registered before main().
struct Entry {
    std::string_view name;
    /// Runs it, on the main thread, with an application there; QtTest's arguments without the name. The exit
    /// code.
    int (*run)(int argc, char** argv);
};

/// Stores the entry; true. Ends the program when the name is taken.
bool add(const Entry& entry);

/// "chart_data_test" of ".../chart_data_test.cpp".
constexpr std::string_view stemOf(std::string_view path) {
    if (const std::size_t slash = path.rfind('/'); slash != std::string_view::npos)
        path.remove_prefix(slash + 1);
    return path.substr(0, path.find('.'));
}

template <typename Test>
int runTest(int argc, char** argv) {
    const auto test = std::make_unique<Test>();
    return QTest::qExec(test.get(), argc, argv);
}

} // namespace heteroscope::ui::test

#define HETEROSCOPE_UI_JOINED_(a, b) a##b
#define HETEROSCOPE_UI_JOINED(a, b) HETEROSCOPE_UI_JOINED_(a, b)

/// Registers a test class under the name of its file.
#define HETEROSCOPE_UI_TEST(Test)                                                                            \
    [[maybe_unused]] static const bool HETEROSCOPE_UI_JOINED(kAdded, __COUNTER__) =                          \
        ::heteroscope::ui::test::add(                                                                        \
            {::heteroscope::ui::test::stemOf(__FILE__), &::heteroscope::ui::test::runTest<Test>});

/// For what comes at once when it comes: only a failure takes so long.
inline constexpr int kPatienceMs = 20000 * kTimeFactor;

#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, kPatienceMs)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, kPatienceMs)
