// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/guarded_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace heteroscope::compute::nvidia {
namespace {

using Zone = std::span<const std::uint8_t>;

bool isBroken(std::uint8_t byte) {
    return byte != kRedZonePattern;
}

/// Offsets count from the first byte that may be used.
std::string zoneReport(Zone zone, std::int64_t offsetOfZone) {
    const auto first = std::find_if(zone.begin(), zone.end(), isBroken);
    if (first == zone.end())
        return {};
    const auto last = std::find_if(zone.rbegin(), zone.rend(), isBroken).base() - 1;
    return std::to_string(std::count_if(zone.begin(), zone.end(), isBroken)) + " bytes from offset " +
           std::to_string(offsetOfZone + (first - zone.begin())) + " to " +
           std::to_string(offsetOfZone + (last - zone.begin()));
}

} // namespace

Result<bool> memoryIsGuarded() {
    const char* text = std::getenv("HETEROSCOPE_GUARD");
    const std::string_view value = text == nullptr ? "" : text;
    if (value == "1")
        return true;
    if (value.empty() || value == "0")
        return false;
    return Error{ErrorCode::BadInput,
                 "'" + std::string(value) + "' is no way to guard device memory",
                 "HETEROSCOPE_GUARD",
                 "1 or 0",
                 {}};
}

cudaError_t allocateGuarded(void** memory, std::size_t bytes) {
    void* whole = nullptr;
    const std::size_t size = bytes + 2 * kRedZoneBytes;
    if (const cudaError_t error = cudaMalloc(&whole, size); error != cudaSuccess)
        return error;
    *memory = static_cast<char*>(whole) + kRedZoneBytes;
    const cudaError_t error = cudaMemset(whole, kRedZonePattern, size);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

std::string redZoneReport(Zone before, Zone after, std::size_t bytes, const std::string& purpose) {
    std::string found = zoneReport(before, -static_cast<std::int64_t>(before.size()));
    const std::string foundAfter = zoneReport(after, static_cast<std::int64_t>(bytes));
    found += found.empty() || foundAfter.empty() ? foundAfter : " and " + foundAfter;
    if (found.empty())
        return {};
    return "device memory was written beside its bounds: an allocation of " + std::to_string(bytes) +
           " bytes for " + purpose + ", " + found + " (its own are 0 to " + std::to_string(bytes - 1) + ")";
}

void freeGuarded(void* memory, std::size_t bytes, const std::string& purpose) {
    char* const whole = static_cast<char*>(memory) - kRedZoneBytes;
    std::vector<std::uint8_t> before(kRedZoneBytes), after(kRedZoneBytes);
    const bool readable =
        cudaDeviceSynchronize() == cudaSuccess &&
        cudaMemcpy(before.data(), whole, kRedZoneBytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
        cudaMemcpy(after.data(), static_cast<char*>(memory) + bytes, kRedZoneBytes, cudaMemcpyDeviceToHost) ==
            cudaSuccess;
    if (readable) {
        const std::string report = redZoneReport(before, after, bytes, purpose);
        if (!report.empty()) {
            std::fprintf(stderr, "HETEROSCOPE_GUARD: %s\n", report.c_str());
            std::abort();
        }
    }
    cudaFree(whole);
}

} // namespace heteroscope::compute::nvidia
