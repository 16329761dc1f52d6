// SPDX-License-Identifier: Apache-2.0
// Running a function on a team of OpenMP threads and telling the observer what each thread took. For sources
// that are compiled with OpenMP.
#pragma once

#include "compute/base/clock.h"
#include "compute/core/op_observer.h"
#include "compute/core/team_order.h"

#include <cstdint>
#include <omp.h>

namespace heteroscope::compute {

/// Thread `index` of `count`. Every thread of the team calls the body once.
struct Member {
    int index, count;
    TeamOrder* order = nullptr; ///< of a team of two or more

    /// All threads of the team have come here before any goes on.
    void waitForTeam() const {
        if (count > 1)
            order->meet();
    }
};

struct Share {
    std::int64_t begin, end;
};

/// The contiguous part of [0, total) that belongs to one thread; parts differ by at most one.
inline Share shareOf(std::int64_t total, Member member) {
    const std::int64_t base = total / member.count, extra = total % member.count;
    const std::int64_t begin = base * member.index + (member.index < extra ? member.index : extra);
    return {begin, begin + base + (member.index < extra ? 1 : 0)};
}

/// With one thread the body runs on the caller, without the cost of opening a parallel region.
template <class Body>
HETEROSCOPE_OPENS_TEAM void runTeam(int threads, OpObserver* observer, const Body& body) {
    const auto timed = [&](Member member) {
        const std::int64_t start = observer != nullptr ? steadyNowNs() : 0;
        body(member);
        if (observer != nullptr)
            observer->threadShare(member.index, start, steadyNowNs());
    };
    if (threads <= 1) {
        timed({0, 1});
        return;
    }
    TeamOrder order;
    order.beforeFork();
#pragma omp parallel num_threads(threads)
    {
        order.begin();
        timed({omp_get_thread_num(), omp_get_num_threads(), &order});
        order.end();
    }
    order.afterJoin();
}

} // namespace heteroscope::compute
