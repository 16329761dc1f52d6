// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/occupancy.h"

#include "profiling/analysis/device_records.h"
#include "profiling/analysis/figure_text.h"

#include <algorithm>
#include <array>
#include <limits>

namespace heteroscope::profiling {
namespace {

constexpr std::int64_t kWarp = 32, kRegisterUnit = 256, kPartitions = 4, kReservedSharedBytes = 1024;
constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t ceilDiv(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit;
}

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return ceilDiv(value, unit) * unit;
}

std::optional<std::int64_t> positiveCount(const Json& properties, const char* name) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    const auto found = properties.find(name);
    if (found == properties.end() || !found->is_number_integer())
        return std::nullopt;
    const auto value = found->get<std::int64_t>();
    return value > 0 && value < kLargest ? std::optional(value) : std::nullopt;
}

/// Of "9.0"; nothing outside 7.5 to 9.x.
std::optional<std::int64_t> checkedMajor(const Json& properties) {
    const auto found = properties.find("compute_capability");
    if (found == properties.end() || !found->is_string())
        return std::nullopt;
    const auto text = found->get<std::string>();
    if (text.size() != 3 || text[1] != '.' || text < "7.5" || text > "9.9")
        return std::nullopt;
    return text[0] - '0';
}

std::int64_t blocksByRegisters(const KernelShape& kernel, const MultiprocessorLimits& device,
                               std::int64_t warpsPerBlock) {
    const std::int64_t perWarp = roundUp(kernel.registersPerThread * kWarp, kRegisterUnit);
    if (perWarp == 0)
        return kUnlimited;
    const std::int64_t warps = device.registers / kPartitions / perWarp * kPartitions;
    return warps / warpsPerBlock; // 0: a launch is refused
}

std::int64_t blocksBySharedMemory(const KernelShape& kernel, const MultiprocessorLimits& device) {
    const std::int64_t reserved = device.major >= 8 ? kReservedSharedBytes : 0;
    const std::int64_t unit = device.major >= 8 ? 128 : 256;
    if (kernel.staticSharedBytes > device.sharedBytes || kernel.dynamicSharedBytes > device.sharedBytes)
        return 0;
    const std::int64_t perBlock =
        roundUp(kernel.staticSharedBytes + kernel.dynamicSharedBytes + reserved, unit);
    return perBlock == 0 ? kUnlimited : device.sharedBytes / perBlock;
}

} // namespace

std::optional<MultiprocessorLimits> multiprocessorLimits(const Json& properties) {
    if (!properties.is_object())
        return std::nullopt;
    const auto major = checkedMajor(properties);
    const auto count = positiveCount(properties, "multiprocessors"),
               threads = positiveCount(properties, "max_threads_per_multiprocessor"),
               blocks = positiveCount(properties, "max_blocks_per_multiprocessor"),
               registers = positiveCount(properties, "registers_per_multiprocessor"),
               shared = positiveCount(properties, "shared_memory_per_multiprocessor_bytes"),
               perBlock = positiveCount(properties, "max_threads_per_block");
    if (!major || !count || !threads || !blocks || !registers || !shared || !perBlock)
        return std::nullopt;
    return MultiprocessorLimits{*count, *major, *threads, *blocks, *registers, *shared, *perBlock};
}

std::map<std::string, MultiprocessorLimits> deviceLimits(const Study& study) {
    std::map<std::string, MultiprocessorLimits> limits;
    for (const auto& [id, record] : deviceRecords(study))
        if (const auto found = multiprocessorLimits(record.at("properties")))
            limits.emplace(id, *found);
    return limits;
}

const char* occupancyLimitName(OccupancyLimit limit) {
    static constexpr std::array<const char*, 4> kNames{words("warps"), words("blocks"), words("registers"),
                                                       words("shared memory")};
    return kNames[static_cast<std::size_t>(limit)];
}

Phrase Occupancy::sentence() const {
    return say(
        "%1, %2 of %3 warps, limited by %4",
        {shareText(share), std::to_string(warps), std::to_string(maxWarps), say(occupancyLimitName(limit))});
}

std::optional<Occupancy> theoreticalOccupancy(const KernelShape& kernel, const MultiprocessorLimits& device) {
    const std::int64_t threads = kernel.threadsPerBlock();
    if (threads < 1 || threads > device.threadsPerBlock)
        return std::nullopt;
    Occupancy result;
    result.warpsPerBlock = ceilDiv(threads, kWarp);
    result.maxWarps = device.threads / kWarp;
    const std::array<std::int64_t, 4> limits{result.maxWarps / result.warpsPerBlock, device.blocks,
                                             blocksByRegisters(kernel, device, result.warpsPerBlock),
                                             blocksBySharedMemory(kernel, device)};
    const auto least = std::min_element(limits.begin(), limits.end());
    if (*least == 0)
        return std::nullopt;
    result.blocks = *least;
    result.limit = static_cast<OccupancyLimit>(least - limits.begin());
    result.warps = result.blocks * result.warpsPerBlock;
    result.share = static_cast<double>(result.warps) / static_cast<double>(result.maxWarps);
    result.gridFill =
        static_cast<double>(kernel.blocks()) / static_cast<double>(result.blocks * device.multiprocessors);
    return result;
}

} // namespace heteroscope::profiling
