// SPDX-License-Identifier: Apache-2.0
#include "app/cli/known_peaks.h"

#include "compute/base/json_memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace heteroscope::cli {
namespace {

constexpr std::string_view kFormat = "heteroscope-processor-peaks";
constexpr std::size_t kMostBytes = 65536, kMostMachines = 32, kLongestText = 1000;
constexpr double kMostPerSecond = 1e18;

Json emptyFile() {
    return {{"format", kFormat}, {"version", 1}, {"machines", Json::array()}};
}

bool isPeaks(const Json& document) {
    return document.is_object() && document.value("format", Json()) == Json(kFormat) &&
           document.value("machines", Json()).is_array();
}

/// What the file holds; empty where it is none of these.
Json readPeaks(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(kMostBytes, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    MemoryBudget budget(static_cast<std::int64_t>(16 * kMostBytes));
    const auto document = parseJson(text, budget, file);
    return document && isPeaks(*document) ? *document : emptyFile();
}

bool isOf(const Json& machine, const std::string& identity) {
    return machine.is_object() && machine.value("processors", Json()) == Json(identity);
}

bool isRate(const Json& value) {
    return value.is_number() && value.get<double>() > 0 && value.get<double>() < kMostPerSecond;
}

bool isText(const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().size() <= kLongestText;
}

std::string nowUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

} // namespace

Result<std::string> peaksFile() {
    for (const auto& [variable, folder] :
         {std::pair("XDG_CACHE_HOME", "/heteroscope"), std::pair("HOME", "/.cache/heteroscope")})
        if (const char* const value = std::getenv(variable); value != nullptr && value[0] == '/')
            return std::string(value) + folder + "/processor_peaks.json";
    return Error{ErrorCode::BadInput,
                 "there is no place to keep the peaks of the processor: neither "
                 "XDG_CACHE_HOME nor HOME is an absolute path",
                 "environment",
                 {},
                 "set one of them"};
}

Result<KeptPeaks> KeptPeaks::open(const std::string& file) {
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
    if (failed)
        return systemRefusal(ErrorCode::Io, file, "cannot make the folder of " + file, failed.value(), {},
                             "make it writable, or set XDG_CACHE_HOME to a folder that is");
    OutputRules rules;
    rules.kind = "a file of peaks";
    rules.isKind = [](std::string_view head) { return head.find(kFormat) != std::string_view::npos; };
    rules.exclusive = true;
    auto output = OutputFile::open(file, rules);
    if (!output)
        return output.error();
    return KeptPeaks(file, std::move(*output));
}

Status KeptPeaks::keep(const compute::ProcessorPeaks& peaks) {
    Json document = readPeaks(m_file);
    Json& machines = document["machines"];
    const std::string identity = compute::processorIdentity();
    Json kept = Json::array();
    kept.push_back({{"processors", identity},
                    {"peaks_measured_utc", nowUtc()},
                    {"memory_bytes_s", peaks.memoryBytesPerS()},
                    {"memory_bytes_s_source", peaks.memorySource()},
                    {"fp32_flop_s", peaks.fp32FlopPerS},
                    {"fp32_flop_s_source", peaks.fp32Source()}});
    for (const Json& machine : machines)
        if (!isOf(machine, identity) && kept.size() < kMostMachines)
            kept.push_back(machine);
    machines = std::move(kept);
    const std::string text = document.dump(2) + "\n";
    const Status written = m_output->write(std::string_view(text));
    return written ? m_output->commit() : written;
}

void addKnownPeaks(std::vector<compute::DeviceInfo>& devices) {
    const auto cpu = std::find_if(devices.begin(), devices.end(),
                                  [](const compute::DeviceInfo& device) { return device.id == "cpu"; });
    const auto file = peaksFile();
    if (cpu == devices.end() || !file)
        return;
    const std::string identity = compute::processorIdentity();
    const Json document = readPeaks(*file);
    for (const Json& machine : document.at("machines")) {
        if (!isOf(machine, identity))
            continue;
        for (const char* rate : {"memory_bytes_s", "fp32_flop_s"}) {
            const std::string source = std::string(rate) + "_source";
            if (!isRate(machine.value(rate, Json())) || !isText(machine.value(source, Json())))
                continue;
            cpu->properties[rate] = machine.at(rate);
            cpu->properties[source] = machine.at(source);
        }
        if (isText(machine.value("peaks_measured_utc", Json())))
            cpu->properties["peaks_measured_utc"] = machine.at("peaks_measured_utc");
        return;
    }
}

} // namespace heteroscope::cli
