// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_agreement.h"

#include <array>

namespace heteroscope::cli {
namespace {

constexpr std::array kLastingKeys{"version", "hostname", "os",       "kernel",   "cpu",
                                  "cores",   "simd",     "governor", "compiler", "memory_total_bytes"};

void compareKey(const Json& study, const Json& worker, const std::string& key, const std::string& place,
                std::vector<std::string>& out) {
    if (!study.is_object() || !worker.is_object() || !study.contains(key) || !worker.contains(key) ||
        study[key] == worker[key])
        return;
    out.push_back(place + key + " is " + worker[key].dump() + ", the study's is " + study[key].dump());
}

const Json* deviceOf(const Json& environment, const Json& id) {
    const auto devices = environment.find("devices");
    if (devices == environment.end() || !devices->is_array())
        return nullptr;
    for (const Json& device : *devices)
        if (device.is_object() && device.contains("id") && device["id"] == id)
            return &device;
    return nullptr;
}

} // namespace

Status agreesWithPlan(const profiling::StudyRun& run, const std::vector<compute::RunDefinition>& planned,
                      const std::string& worker) {
    const auto index = static_cast<std::size_t>(run.run);
    const auto told = [](const std::string& target, const Json& point) {
        return target + " at " + point.dump();
    };
    const std::string advice = "start the study with one program, whose file is not replaced while it runs";
    if (run.run < 0 || index >= planned.size())
        return Error{ErrorCode::RunFailed,
                     "it has a run " + std::to_string(run.run) + ", " + told(run.target, run.point), worker,
                     "the study has " + std::to_string(planned.size()) + " runs, numbered from 0", advice};
    if (run.target == planned[index].target && run.point == planned[index].point)
        return {};
    return Error{ErrorCode::RunFailed,
                 "its run " + std::to_string(run.run) + " is " + told(run.target, run.point), worker,
                 "the study's is " + told(planned[index].target, planned[index].point), advice};
}

std::vector<std::string> environmentDifferences(const Json& study, const Json& worker) {
    std::vector<std::string> found;
    if (!study.is_object() || !worker.is_object())
        return found;
    for (const char* key : kLastingKeys)
        compareKey(study, worker, key, {}, found);
    const auto devices = worker.find("devices");
    if (devices == worker.end() || !devices->is_array())
        return found;
    for (const Json& device : *devices) {
        if (!device.is_object() || !device.contains("id"))
            continue;
        const Json* ours = deviceOf(study, device["id"]);
        if (ours == nullptr)
            continue;
        for (const char* key : {"name", "memory_total_bytes", "implementations"})
            compareKey(*ours, device, key, "device " + device["id"].dump() + ": ", found);
    }
    return found;
}

} // namespace heteroscope::cli
