// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli devices: what this machine can compute on, or the reason why it cannot.
#include "app/cli/device_record.h"
#include "app/cli/known_peaks.h"
#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "compute/base/units.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace heteroscope::cli {
namespace {

using compute::DeviceInfo;
using compute::ImplementationInfo;

/// Sizes in units, other whole numbers in groups; `name` tells which.
std::string propertyText(const std::string& name, const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number_integer())
        return name.ends_with("bytes") ? formatBytes(value.get<double>())
                                       : formatCount(value.get<std::int64_t>());
    if (!value.is_structured())
        return value.dump();
    std::string text;
    for (const auto& [key, item] : value.items()) {
        text += text.empty() ? "" : value.is_array() ? "; " : ", ";
        text += (value.is_array() ? "" : key + " ") + propertyText(key, item);
    }
    return text;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::vector<std::string> implementationRow(const DeviceInfo& device, const ImplementationInfo& info) {
    if (!info.unavailableReason.empty())
        return {"    " + device.id + "/" + info.id, "not available", info.unavailableReason};
    const std::string options = info.options.empty() ? "" : " (options: " + joined(info.options) + ")";
    return {"    " + device.id + "/" + info.id, info.version.empty() ? "built in" : info.version,
            info.summary + options};
}

std::string deviceText(const DeviceInfo& device) {
    std::string text = device.id + ": " + device.name + "\n";
    if (!device.unavailableReason.empty())
        return text + "    not available: " + device.unavailableReason + "\n";
    std::vector<std::vector<std::string>> rows;
    if (device.memoryTotalBytes > 0)
        rows.push_back({"    memory", formatBytes(static_cast<double>(device.memoryTotalBytes)) + ", " +
                                          formatBytes(static_cast<double>(device.memoryFreeBytes)) +
                                          " free"});
    for (const auto& [name, value] : device.properties.items())
        rows.push_back({"    " + name, propertyText(name, value)});
    text += textTable(rows);
    rows.clear();
    for (const auto& info : device.implementations)
        rows.push_back(implementationRow(device, info));
    return text + "  implementations:\n" + textTable(rows);
}

/// For people, or with --json for programs: a JSON object a line.
void tellStep(bool json, int step, int steps, const std::string& what) {
    const Json line = {{"step", step}, {"steps", steps}, {"measuring", what}};
    writeStderr(json ? line.dump() + "\n"
                     : "measuring " + std::to_string(step) + " of " + std::to_string(steps) + ": " + what +
                           "\n");
}

Status measure(bool json) {
    const auto file = peaksFile();
    if (!file)
        return file.error();
    auto kept = KeptPeaks::open(*file);
    if (!kept)
        return kept.error();
    const auto peaks = compute::measureProcessorPeaks(
        [json](int step, int steps, const std::string& what) { tellStep(json, step, steps, what); });
    return peaks ? kept->keep(*peaks) : Status(peaks.error());
}

ExitCode printDevices(bool json, bool measures) {
    if (measures)
        if (const Status status = measure(json); !status)
            return reportError(status.error());
    auto devices = makeRegistry().devices();
    addKnownPeaks(devices);
    if (!json) {
        std::string text;
        for (const DeviceInfo& device : devices)
            text += (text.empty() ? "" : "\n") + deviceText(device);
        return reportStatus(writeStdout(text));
    }
    Json list = Json::array();
    for (const DeviceInfo& device : devices)
        list.push_back(deviceRecord(device));
    return reportStatus(printJson({{"devices", list}}));
}

std::function<ExitCode()> defineDevices(CLI::App& app) {
    const auto json = std::make_shared<bool>(false), measures = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "machine-readable");
    app.add_flag("--measure", *measures, "measure the processor's memory and fp32 rate, and keep them");
    return [json, measures] { return printDevices(*json, *measures); };
}

} // namespace

Verb devicesVerb() {
    return {
        "devices", "devices and implementations, or the reason each is missing",
        "Lists every device of this machine with its limits, and every implementation that can compute "
        "on it,\n"
        "with version and options. What is missing is listed too, with the reason. --measure finds "
        "out, once per\n"
        "machine, how many bytes the memory moves and how many fp32 operations the processor does a second "
        "at most,\n"
        "for rooflines: some seconds, in which nothing else ought to run, and a second measurement is "
        "refused. "
        "Its steps\n"
        "are told on stderr, with --json as a JSON object a line.",
        "heteroscope-cli devices\nheteroscope-cli devices --json\nheteroscope-cli devices --measure",
        defineDevices};
}

} // namespace heteroscope::cli
