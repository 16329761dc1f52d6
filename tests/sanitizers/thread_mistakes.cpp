// SPDX-License-Identifier: Apache-2.0
// Data races made on purpose, most of them inside a team of OpenMP threads: the thread sanitizer must report
// each.
#include "compute/core/team.h"

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using heteroscope::compute::Member;
using heteroscope::compute::runTeam;

constexpr int kThreads = 3;

int inTeam() {
    int sum = 0;
    runTeam(kThreads, nullptr, [&](Member member) { sum += member.index; });
    return sum;
}

/// Each thread reads its neighbour's value without waiting for it.
int beforeBarrier() {
    std::array<int, kThreads> values{}, seen{};
    runTeam(kThreads, nullptr, [&](Member member) {
        const auto index = static_cast<std::size_t>(member.index);
        values[index] = member.index;
        seen[index] = values[(index + 1) % kThreads];
        member.waitForTeam();
    });
    return seen[0];
}

/// The barrier orders what is before it, not what follows; many rounds, so that threads run ahead of each
/// other.
int afterBarrier() {
    int last = 0;
    runTeam(kThreads, nullptr, [&](Member member) {
        for (int round = 0; round < 100; ++round) {
            member.waitForTeam();
            last = round;
        }
    });
    return last;
}

int betweenThreads() {
    int sum = 0;
    std::thread other([&] { ++sum; });
    ++sum;
    other.join();
    return sum;
}

/// Every thread uses what the others wrote before the barrier, the caller what all wrote, team after team.
int none() {
    std::vector<int> values(64 * kThreads), sums(kThreads);
    int total = 0;
    for (int round = 0; round < 100; ++round) {
        values[0] = round;
        const std::vector<int> offsets(kThreads, round);
        runTeam(kThreads - round % 2, nullptr, [&](Member member) {
            const auto share =
                heteroscope::compute::shareOf(static_cast<std::int64_t>(values.size()), member);
            for (std::int64_t i = share.begin; i < share.end; ++i)
                values[static_cast<std::size_t>(i)] = offsets[static_cast<std::size_t>(member.index)];
            member.waitForTeam();
            sums[static_cast<std::size_t>(member.index)] = std::accumulate(values.begin(), values.end(), 0);
            member.waitForTeam();
            values[static_cast<std::size_t>(share.begin)] = 0;
        });
        total += sums[0];
    }
    return total > 0 ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    const std::map<std::string, std::function<int()>> mistakes = {{"in_team", inTeam},
                                                                  {"before_barrier", beforeBarrier},
                                                                  {"after_barrier", afterBarrier},
                                                                  {"between_threads", betweenThreads},
                                                                  {"none", none}};
    const auto mistake = mistakes.find(count == 2 ? arguments[1] : "");
    if (mistake == mistakes.end()) {
        std::fprintf(stderr, "name one mistake\n");
        return 64;
    }
    return mistake->second();
}
