// SPDX-License-Identifier: Apache-2.0
#include "compute/base/disturbance.h"

#include "compute/base/clock.h"
#include "compute/base/processor_temperature.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace heteroscope {
namespace {

constexpr double kMsPerNs = 1e-6;
constexpr int kLoopSteps = 4096, kLoops = 3;
constexpr double kBusyShare = 0.05; ///< of the span, of a thread that computes

/// What a file of /proc says now; empty when it cannot be read.
std::string_view textOf(const char* path, std::vector<char>& buffer) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    std::size_t size = 0;
    ssize_t got = 0;
    while (size < buffer.size() && (got = ::read(file, buffer.data() + size, buffer.size() - size)) > 0)
        size += static_cast<std::size_t>(got);
    ::close(file);
    return {buffer.data(), size};
}

/// The next number of a line, which it takes away with the blanks before; 0 where there is none.
std::int64_t takeNumber(std::string_view& text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool mayUse(const cpu_set_t& mine, std::int64_t processor) {
    return processor >= 0 && processor < CPU_SETSIZE &&
           CPU_ISSET(static_cast<std::size_t>(processor), &mine) != 0;
}

cpu_set_t usableProcessors() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (::sched_getaffinity(0, sizeof mine, &mine) != 0)
        CPU_SET(0, &mine);
    return mine;
}

std::optional<double> frequencyMhz() {
    const int processor = ::sched_getcpu();
    if (processor < 0)
        return std::nullopt;
    const std::string path =
        "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cpufreq/scaling_cur_freq";
    std::vector<char> buffer(32);
    std::string_view text = textOf(path.c_str(), buffer);
    const std::int64_t khz = takeNumber(text);
    return khz > 0 ? std::optional(static_cast<double>(khz) / 1000) : std::nullopt;
}

/// What the kernel accounts for each thread: nanoseconds run, nanoseconds waited.
struct ThreadTimes {
    double waitedMs = 0;
    bool known = false;
    std::vector<std::pair<long, std::int64_t>> ranNs; ///< by thread, sorted
};

ThreadTimes threadTimes() {
    ThreadTimes all;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/task"), ::closedir);
    std::vector<char> buffer(128);
    while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
        if (entry->d_name[0] == '.')
            continue;
        const std::string path = std::string("/proc/self/task/") + entry->d_name + "/schedstat";
        std::string_view text = textOf(path.c_str(), buffer);
        if (text.empty())
            continue; // it ended, or the kernel does not account for it
        all.ranNs.emplace_back(std::atol(entry->d_name), takeNumber(text));
        all.waitedMs += static_cast<double>(takeNumber(text)) * kMsPerNs;
        all.known = true;
    }
    std::sort(all.ranNs.begin(), all.ranNs.end());
    return all;
}

} // namespace

struct DisturbanceWatch::Reading {
    std::int64_t ns = 0;
    double ownMs = 0, busyMs = 0, stolenMs = 0;
    int processors = 0;
    ThreadTimes threads;
};

namespace {

/// The lines "cpu0 user nice system idle iowait irq softirq steal guest guest_nice", in ticks. A guest's time
/// is in that of its user.
void addProcessors(std::string_view text, const cpu_set_t& mine, double& busyMs, double& stolenMs) {
    constexpr std::string_view kKey = "cpu";
    while (text.starts_with(kKey)) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(kKey.size());
        if (line.empty() || line.front() == ' ' || !mayUse(mine, takeNumber(line)))
            continue;
        std::array<std::int64_t, 8> ticks{};
        for (std::int64_t& each : ticks)
            each = takeNumber(line);
        busyMs += static_cast<double>(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * tickMs();
        stolenMs += static_cast<double>(ticks[7]) * tickMs();
    }
}

double ownProcessorMs() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * kMsPerNs;
}

/// How many threads computed for more than a moment between the two: those that write what was measured do
/// not take processors from the others.
int busyThreads(const ThreadTimes& before, const ThreadTimes& after, double spanMs) {
    const double leastNs = kBusyShare * spanMs / kMsPerNs;
    return static_cast<int>(std::count_if(after.ranNs.begin(), after.ranNs.end(), [&](const auto& thread) {
        const auto was = std::lower_bound(before.ranNs.begin(), before.ranNs.end(),
                                          std::pair<long, std::int64_t>(thread.first, 0));
        const bool known = was != before.ranNs.end() && was->first == thread.first;
        return static_cast<double>(thread.second - (known ? was->second : 0)) >= leastNs;
    }));
}

} // namespace

double tickMs() {
    static const double kMs = 1e3 / static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L));
    return kMs;
}

bool isDisturbed(const Disturbance& disturbance) {
    const double least = kDisturbedShare * disturbance.spanMs;
    if (disturbance.stolenMs > 0 && disturbance.stolenMs >= least)
        return true;
    if (disturbance.waitedMs)
        return *disturbance.waitedMs > 0 && *disturbance.waitedMs >= least;
    return disturbance.othersMs >= std::max(least, 2 * tickMs());
}

double calibrationLoopUs() {
    std::int64_t best = 0;
    for (int i = 0; i < kLoops; ++i) {
        const std::int64_t start = steadyNowNs();
        std::uint64_t value = 1;
        for (int step = 0; step < kLoopSteps; ++step) {
            value = value * 6364136223846793005U + 1442695040888963407U; // Knuth's constants of MMIX
            asm volatile("" : "+r"(value));                              // each step is done, one by one
        }
        const std::int64_t ns = steadyNowNs() - start;
        best = i == 0 ? ns : std::min(best, ns);
    }
    return static_cast<double>(best) * 1e-3;
}

DisturbanceWatch::DisturbanceWatch() : m_begin(std::make_unique<Reading>(read())) {}
DisturbanceWatch::~DisturbanceWatch() = default;

DisturbanceWatch::Reading DisturbanceWatch::read() {
    Reading now;
    now.ns = steadyNowNs();
    now.ownMs = ownProcessorMs();
    const cpu_set_t mine = usableProcessors();
    now.processors = CPU_COUNT(&mine);
    constexpr std::size_t kLongestLine = 256;
    std::vector<char> buffer(kLongestLine * (static_cast<std::size_t>(::sysconf(_SC_NPROCESSORS_CONF)) + 1));
    addProcessors(textOf("/proc/stat", buffer), mine, now.busyMs, now.stolenMs);
    now.threads = threadTimes();
    return now;
}

Disturbance DisturbanceWatch::end() const {
    const Reading now = read();
    Disturbance found;
    found.spanMs = static_cast<double>(now.ns - m_begin->ns) * kMsPerNs;
    const double ownMs = now.ownMs - m_begin->ownMs;
    found.othersMs = now.busyMs - m_begin->busyMs - ownMs;
    found.stolenMs = std::max(0.0, now.stolenMs - m_begin->stolenMs);
    if (now.threads.known && m_begin->threads.known &&
        busyThreads(m_begin->threads, now.threads, found.spanMs) <= now.processors)
        // Threads that ended take their part with them.
        found.waitedMs = std::max(0.0, now.threads.waitedMs - m_begin->threads.waitedMs);
    found.mhz = frequencyMhz();
    static const ProcessorTemperature temperature;
    found.celsius = temperature.celsius();
    found.loopUs = calibrationLoopUs();
    return found;
}

} // namespace heteroscope
