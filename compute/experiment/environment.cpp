// SPDX-License-Identifier: Apache-2.0
// The environment record: what has to be known to trust or to repeat a timing.
#include "compute/base/units.h"
#include "compute/base/wait_policy.h"
#include "compute/experiment/runner.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
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

/// What may disturb timings, in sentences for people.
Json notes(const std::string& governor, const Json& load, int cores) {
    Json list = Json::array();
    if (isDebugBuild())
        list.push_back("This is a debug build: timings are not those of a release build.");
    if (!governor.empty() && governor != "performance")
        list.push_back("The processor's frequency governor is \"" + governor +
                       "\": timings may vary with its clock.");
    if (load.is_array() && load[0].get<double>() > 0.5 * cores)
        list.push_back("Other programs were busy: the load average was " +
                       formatFixed(load[0].get<double>(), 2) + " on " + std::to_string(cores) + " cores.");
    if (const std::string others = waitPolicy().othersRunning; !others.empty())
        list.push_back("Other programs were running when this began (" + others +
                       " threads on average): threads that wait for each other sleep instead of spinning "
                       "(OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it yourself.");
    return list;
}

/// Why verdicts have fewer processes than they need, where the preset is one that asks for them.
std::optional<std::string> processNote(const ExperimentSpec& spec) {
    const FreshProcesses processes = freshProcesses(spec);
    if (processes.whyFewer.empty() || spec.sampling.preset == Preset::Quick)
        return std::nullopt;
    return "The samples come from " + std::to_string(processes.count) +
           (processes.count == 1 ? " process: " : " processes: ") + processes.whyFewer + '.';
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
    record["notes"] = notes(governor, load, cores);
    return record;
}

Json environmentRecord(const BackendRegistry& registry, const ExperimentSpec& spec) {
    Json record = environmentRecord(registry);
    if (auto note = processNote(spec))
        record["notes"].push_back(std::move(*note));
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
