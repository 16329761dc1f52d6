// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/gpu/gpu_counters.h"

#include "profiling/collectors/gpu/gpu_record.h"

#include <cmath>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace heteroscope::profiling {
namespace {

enum Value { kTime, kOccupancyPercent, kDramRead, kDramWrite, kFadd, kFmul, kFfma };

std::string readableName(const std::string& mangled) {
    if (mangled.empty())
        return "unnamed kernel";
    if (!mangled.starts_with("_Z")) // of C: the demangler would take "f" for the type float
        return shortKernelName(mangled);
    int status = -1;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    return shortKernelName(status == 0 && text ? text.get() : mangled);
}

} // namespace

Result<KernelCounters> kernelCounters(const RawKernelCounters& raw) {
    for (std::size_t i = 0; i < raw.values.size(); ++i)
        if (!std::isfinite(raw.values[i]) || raw.values[i] < 0)
            return Error{ErrorCode::RunFailed,
                         std::string("the device's counter ") + kCountedMetrics[i] + " gave no value",
                         readableName(raw.kernel),
                         {},
                         {}};
    KernelCounters counters;
    counters.kernel = readableName(raw.kernel);
    counters.timeNs = raw.values[kTime];
    counters.occupancy = raw.values[kOccupancyPercent] / 100;
    counters.dramReadBytes = raw.values[kDramRead];
    counters.dramWriteBytes = raw.values[kDramWrite];
    counters.flops = raw.values[kFadd] + raw.values[kFmul] + 2 * raw.values[kFfma];
    return counters;
}

} // namespace heteroscope::profiling
