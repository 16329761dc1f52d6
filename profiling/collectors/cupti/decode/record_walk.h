// SPDX-License-Identifier: Apache-2.0
// Walks a buffer of CUPTI's activity records with the headers alone, for recordings that are read where there
// is no CUPTI. The program itself takes cuptiActivityGetNextRecord, which knows the sizes of the library that
// wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cupti.h>

namespace heteroscope::profiling {

/// The number in the place of an enumerator, `offset` bytes into a record: CUPTI's bytes, or a damaged
/// recording's, may hold one that the type cannot, which must not be loaded as the type (records are packed:
/// a reference to a member would be to a copy).
inline std::uint32_t numberAt(const void* record, std::size_t offset) {
    std::uint32_t number = 0;
    std::memcpy(&number, static_cast<const std::uint8_t*>(record) + offset, sizeof number);
    return number;
}

/// The CUpti_ActivityKind of a record.
inline std::uint32_t kindOf(const CUpti_Activity* record) {
    return numberAt(record, offsetof(CUpti_Activity, kind));
}

/// Bytes of a record of this CUpti_ActivityKind in CUPTI 13.0; 0 for the kinds that the tracer does not ask
/// for.
std::size_t recordBytes(std::uint32_t kind);

/// As cuptiActivityGetNextRecord: CUPTI_ERROR_MAX_LIMIT_REACHED at the end, CUPTI_ERROR_INVALID_KIND for a
/// record of unknown size or one that the buffer cuts off. Nothing beyond the buffer is read.
CUptiResult nextRecord(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record);

} // namespace heteroscope::profiling
