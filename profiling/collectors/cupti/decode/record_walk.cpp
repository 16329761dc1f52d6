// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/decode/record_walk.h"

namespace heteroscope::profiling {

std::size_t recordBytes(std::uint32_t kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return sizeof(CUpti_ActivityMemory4);
    default:
        return 0;
    }
}

CUptiResult nextRecord(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record) {
    if (buffer == nullptr || record == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    std::size_t at = 0;
    if (*record != nullptr)
        at = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer) +
             recordBytes(kindOf(*record));
    if (at == bytes)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    std::uint32_t kind = 0;
    if (at > bytes || bytes - at < sizeof kind)
        return CUPTI_ERROR_INVALID_KIND;
    std::memcpy(&kind, buffer + at, sizeof kind);
    const std::size_t size = recordBytes(kind);
    if (size == 0 || size > bytes - at)
        return CUPTI_ERROR_INVALID_KIND;
    *record = reinterpret_cast<CUpti_Activity*>(buffer + at);
    return CUPTI_SUCCESS;
}

} // namespace heteroscope::profiling
