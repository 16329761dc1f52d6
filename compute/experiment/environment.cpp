// SPDX-License-Identifier: Apache-2.0
// The environment record: what has to be known to trust or to repeat a timing.
#include "compute/base/run_note.h"
#include "compute/base/statistics.h"
#include "compute/base/wait_policy.h"
#include "compute/experiment/runner.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

std::string firstLine(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// PRETTY_NAME of /etc/os-release.
std::string systemName() {
    std::ifstream stream("/etc/os-release");
    constexpr std::string_view kKey = "PRETTY_NAME=";
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(kKey))
            continue;
        std::string value = line.substr(kKey.size());
        std::erase(value, '"');
        return value;
    }
    return {};
}

Json kernelRecord() {
    utsname name{};
    if (::uname(&name) != 0)
        return {};
    return {{"name", name.sysname}, {"release", name.release}, {"machine", name.machine}};
}

std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string utcNow() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32] = {};
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

Json loadAverage() {
    double load[3] = {};
    if (::getloadavg(load, 3) != 3)
        return nullptr;
    return Json::array({load[0], load[1], load[2]});
}

bool isDebugBuild() {
#ifdef NDEBUG
    return false;
#else
    return true;
#endif
}

Json compilerRecord() {
    return {{"id", HETEROSCOPE_COMPILER},
            {"flags", HETEROSCOPE_COMPILER_FLAGS},
            {"build_type", HETEROSCOPE_BUILD_TYPE},
            {"debug", isDebugBuild()}};
}

Json deviceRecord(const DeviceInfo& device) {
    Json record = {{"id", device.id},
                   {"kind", device.kind},
                   {"name", device.name},
                   {"memory_total_bytes", device.memoryTotalBytes},
                   {"memory_free_bytes", device.memoryFreeBytes}};
    if (!device.unavailableReason.empty())
        record["unavailable"] = device.unavailableReason;
    record["properties"] = device.properties;
    record["implementations"] = Json::object();
    for (const ImplementationInfo& implementation : device.implementations)
        record["implementations"][implementation.id] =
            implementation.unavailableReason.empty()
                ? Json{{"version",
                        implementation.version.empty() ? HETEROSCOPE_VERSION : implementation.version}}
                : Json{{"unavailable", implementation.unavailableReason}};
    return record;
}

/// Nothing where the variable was set by somebody to something else.
std::optional<double> othersRunning() {
    const std::string text = waitPolicy().othersRunning;
    double others = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), others);
    const bool isNumber = code == std::errc() && end == text.data() + text.size() && std::isfinite(others);
    return isNumber ? std::optional(others) : std::nullopt;
}

/// What may disturb timings.
void addNotes(Json& record, const std::string& governor, const Json& load, int cores) {
    if (isDebugBuild())
        addNote(record, debugBuildNote());
    if (!governor.empty() && governor != "performance")
        addNote(record, governorNote(governor));
    if (load.is_array() && load[0].get<double>() > 0.5 * cores)
        addNote(record, loadAverageNote(load[0].get<double>(), cores));
    if (const auto others = othersRunning())
        addNote(record, passiveWaitingNote(*others));
}

/// Why verdicts have fewer processes than they need, where the preset or the experiment asks for them.
void addProcessNote(Json& record, const ExperimentSpec& spec) {
    const FreshProcesses processes = freshProcesses(spec);
    if (!processes.whyFewer.empty() && (spec.sampling.preset != Preset::Quick || spec.sampling.processes))
        addNote(record, fewProcessesNote(processes.count, static_cast<std::int64_t>(kProcessesForVerdict),
                                         processes.whyFewer));
}

/// The only text that JSON can hold: other bytes are left out when it is written.
bool isUtf8(const std::string& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::ignore)) == text;
}

} // namespace

Json environmentRecord(const BackendRegistry& registry) {
    const std::string governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    const Json load = loadAverage();
    const DeviceInfo cpu = describeCpu();
    const int cores = cpu.properties.value("cores", 1);
    Json record = {{"program", "heteroscope"},
                   {"version", HETEROSCOPE_VERSION},
                   {"time_utc", utcNow()},
                   {"hostname", hostName()},
                   {"os", systemName()},
                   {"kernel", kernelRecord()},
                   {"cpu", cpu.name},
                   {"cores", cores},
                   {"simd", cpu.properties.value("simd", "")},
                   {"caches", cpu.properties.value("caches", Json::array())},
                   {"memory_total_bytes", cpu.memoryTotalBytes},
                   {"memory_free_bytes", cpu.memoryFreeBytes},
                   {"governor", governor.empty() ? Json(nullptr) : Json(governor)},
                   {"load_average", load},
                   {"omp_wait_policy", waitPolicy().policy},
                   {"compiler", compilerRecord()}};
    record["devices"] = Json::array();
    for (const DeviceInfo& device : registry.devices())
        record["devices"].push_back(deviceRecord(device));
    record["notes"] = Json::array();
    record["note_codes"] = Json::array();
    addNotes(record, governor, load, cores);
    return record;
}

Json environmentRecord(const BackendRegistry& registry, const ExperimentSpec& spec) {
    Json record = environmentRecord(registry);
    addProcessNote(record, spec);
    const DataSpec& data = spec.network.data;
    if (spec.kind != ExperimentKind::Network || !data.isDataset() || data.isDrawn())
        return record;
    std::error_code failure;
    const auto directory = std::filesystem::absolute(std::filesystem::path(spec.directory) / "", failure);
    if (const std::string text = directory.lexically_normal().string(); !failure && isUtf8(text))
        record["directory"] = text;
    return record;
}

} // namespace heteroscope::compute
