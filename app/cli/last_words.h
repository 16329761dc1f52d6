// SPDX-License-Identifier: Apache-2.0
// The sentence with which the program ends when a library ends it: a crash, an exception nobody caught, or an
// exit in the middle of a run (libraries that cannot get memory do each of these).
#pragma once

#include <functional>
#include <string>

namespace heteroscope::cli {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, std::terminate and exit() during a run say on
/// stderr what was computed (compute/base/activity.h) and what to do, and end with exit code 1. What was
/// measured is in the run file by then. Call once, at the start. Where a sanitizer watches, signals are left
/// to it.
void installLastWords();

/// While it lives: what an exit() in the middle of a run does before it is told, on the thread that made
/// this; on another one nothing but the words. `tell` gets the sentence. One at a time.
class BeforeLastWords {
  public:
    explicit BeforeLastWords(std::function<void(const std::string& sentence)> tell);
    ~BeforeLastWords();
    BeforeLastWords(const BeforeLastWords&) = delete;
    BeforeLastWords& operator=(const BeforeLastWords&) = delete;
};

} // namespace heteroscope::cli
