// SPDX-License-Identifier: Apache-2.0
// What orders the threads of a team, told to the thread sanitizer: libgomp does the ordering and is not
// instrumented, so without this the sanitizer would see a race wherever one thread uses what another wrote.
// Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
/// The function that opens a parallel region: what the compiler passes into the region is read before the
/// sanitizer can be told of the order. The body is a function of its own and checked in full.
#define HETEROSCOPE_OPENS_TEAM __attribute__((no_sanitize("thread")))
#else
#define HETEROSCOPE_OPENS_TEAM
#endif

namespace heteroscope::compute {

/// One for each team, on its caller's stack. Each method stands for one edge that OpenMP promises; nothing
/// more is told to the sanitizer, so races between the threads of a team are reported like any others.
class TeamOrder {
  public:
#if defined(__SANITIZE_THREAD__)
    void beforeFork() {
        __tsan_release(&m_fork);
    } ///< the caller
    void begin() {
        __tsan_acquire(&m_fork);
    } ///< each thread, first
    void end() {
        __tsan_release(&m_join);
    } ///< each thread, last
    void afterJoin() {
        __tsan_acquire(&m_join);
    } ///< the caller
    /// Each thread: all have come here before any goes on.
    void meet() {
        __tsan_release(&m_meet);
#pragma omp barrier
        __tsan_acquire(&m_meet);
        // A fast thread must not tell of its next meeting before a slow one has heard of this: that would
        // hide races.
#pragma omp barrier
    }

  private:
    char m_fork = 0, m_join = 0, m_meet = 0;
#else
    void beforeFork() {}
    void begin() {}
    void end() {}
    void afterJoin() {}
    void meet() {
#ifdef _OPENMP // without it there is no team
#pragma omp barrier
#endif
    }
#endif
};

} // namespace heteroscope::compute
