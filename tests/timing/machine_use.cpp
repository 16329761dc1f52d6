// SPDX-License-Identifier: Apache-2.0
#include "tests/timing/machine_use.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace heteroscope::timing {
namespace {

/// Processor seconds of the child processes that have ended.
double ofChildren() {
    rusage used{};
    if (getrusage(RUSAGE_CHILDREN, &used) != 0)
        return 0;
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

} // namespace

double MachineUse::byOthers() const {
    return busy + idle > 0 ? std::max(0.0, busy - own) / (busy + idle) : 0.0;
}

MachineUse machineUse() {
    MachineUse use;
    use.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    use.own = static_cast<double>(std::clock()) / CLOCKS_PER_SEC + ofChildren();
    // The line "cpu": user, nice, system, idle, iowait, irq, softirq, steal; see proc(5).
    std::ifstream stat("/proc/stat");
    std::string name;
    std::array<double, 8> ticks{};
    stat >> name;
    for (double& each : ticks)
        stat >> each;
    const double perSecond = static_cast<double>(sysconf(_SC_CLK_TCK));
    use.idle = (ticks[3] + ticks[4]) / perSecond;
    use.busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]) / perSecond;
    return use;
}

MachineUse operator-(const MachineUse& later, const MachineUse& earlier) {
    return {later.seconds - earlier.seconds, later.own - earlier.own, later.busy - earlier.busy,
            later.idle - earlier.idle};
}

} // namespace heteroscope::timing
