// SPDX-License-Identifier: Apache-2.0
#include "app/cli/choose_wait_policy.h"

#include "compute/base/units.h"
#include "compute/base/wait_policy.h"
#include "compute/core/cpu.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <sys/auxv.h>
#include <thread>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

constexpr std::array<std::string_view, 3> kVerbs{"run", "evaluate", "self-test"};
constexpr std::array kVariables{kWaitPolicyVariable, "GOMP_SPINCOUNT", "KMP_BLOCKTIME",
                                kOthersRunningVariable};
constexpr int kReadings = 10;
constexpr std::chrono::milliseconds kBetweenReadings(2);

bool isSet(const char* variable) {
    const char* const text = std::getenv(variable);
    return text != nullptr && *text != '\0';
}

/// Threads that run or could, on the whole machine, without this one.
std::optional<int> runningNow() {
    constexpr std::string_view kKey = "procs_running ";
    std::ifstream file("/proc/stat");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(kKey))
            return std::max(std::atoi(line.c_str() + kKey.size()) - 1, 0);
    return std::nullopt;
}

std::optional<double> othersRunning() {
    int sum = 0;
    for (int i = 0; i < kReadings; ++i) {
        const auto running = runningNow();
        if (!running)
            return std::nullopt;
        sum += *running;
        std::this_thread::sleep_for(kBetweenReadings);
    }
    return static_cast<double>(sum) / kReadings;
}

} // namespace

void chooseWaitPolicy(int argc, char** argv) {
    if (argc < 2 || std::find(kVerbs.begin(), kVerbs.end(), argv[1]) == kVerbs.end() ||
        std::any_of(kVariables.begin(), kVariables.end(), isSet))
        return;
    if (::getauxval(AT_BASE) == 0) // the loader was started with the program as its argument
        return;
    const auto others = othersRunning();
    const int usable = compute::usableCores(), online = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
    if (!others || ::setenv(kOthersRunningVariable, formatFixed(*others, 1).c_str(), 1) != 0 || usable < 2 ||
        !isShared(*others, usable, online))
        return;
    std::error_code failure;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
    if (failure || ::setenv(kWaitPolicyVariable, "passive", 1) != 0)
        return;
    ::execv(program.c_str(), argv);
    ::unsetenv(kWaitPolicyVariable); // it stays as it was, and the record of the run says so
}

} // namespace heteroscope::cli
