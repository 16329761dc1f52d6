// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/kernel_counters.h"

#include <array>
#include <cmath>

namespace heteroscope::profiling {
namespace {

Json kernelJson(const KernelCounters& counters) {
    return {{"kernel", counters.kernel},
            {"time_ns", counters.timeNs},
            {"occupancy", counters.occupancy},
            {"dram_read_bytes", counters.dramReadBytes},
            {"dram_write_bytes", counters.dramWriteBytes},
            {"flops", counters.flops}};
}

std::optional<KernelCounters> kernelFrom(const Json& json) {
    if (!json.is_object() || !json.contains("kernel") || !json.at("kernel").is_string())
        return std::nullopt;
    KernelCounters counters;
    counters.kernel = json.at("kernel").get<std::string>();
    const std::array<std::pair<const char*, double*>, 5> fields{
        {{"time_ns", &counters.timeNs},
         {"occupancy", &counters.occupancy},
         {"dram_read_bytes", &counters.dramReadBytes},
         {"dram_write_bytes", &counters.dramWriteBytes},
         {"flops", &counters.flops}}};
    for (const auto& [name, value] : fields) {
        if (!json.contains(name) || !json.at(name).is_number())
            return std::nullopt;
        *value = json.at(name).get<double>();
        if (!std::isfinite(*value) || *value < 0)
            return std::nullopt;
    }
    return counters;
}

std::string textOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

Json toJson(const OpCounters& counters) {
    Json kernels = Json::array();
    for (const KernelCounters& kernel : counters.kernels)
        kernels.push_back(kernelJson(kernel));
    return {{"op", counters.op},
            {"detail", counters.detail},
            {"implementation", counters.implementation},
            {"kernels", kernels}};
}

std::vector<OpCounters> opCountersOf(const Json& metrics) {
    std::vector<OpCounters> all;
    const auto list = metrics.find(kKernelCountersMetric);
    if (list == metrics.end() || !list->is_array())
        return all;
    for (const Json& entry : *list) {
        if (!entry.is_object() || !entry.contains("kernels") || !entry.at("kernels").is_array())
            continue;
        OpCounters op{textOf(entry, "op"), textOf(entry, "detail"), textOf(entry, "implementation"), {}};
        for (const Json& kernel : entry.at("kernels"))
            if (auto counters = kernelFrom(kernel))
                op.kernels.push_back(std::move(*counters));
        all.push_back(std::move(op));
    }
    return all;
}

} // namespace heteroscope::profiling
