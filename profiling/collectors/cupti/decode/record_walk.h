// SPDX-License-Identifier: Apache-2.0
// Walks a buffer of CUPTI's activity records with the headers alone, for recordings that are read where there
// is no CUPTI. The program itself takes cuptiActivityGetNextRecord, which knows the sizes of the library that
// wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cupti.h>

namespace heteroscope::profiling {

/// Bytes of a record of this kind in CUPTI 13.0; 0 for the kinds that the tracer does not ask for.
std::size_t recordBytes(CUpti_ActivityKind kind);

/// As cuptiActivityGetNextRecord: CUPTI_ERROR_MAX_LIMIT_REACHED at the end, CUPTI_ERROR_INVALID_KIND for a
/// record of unknown size or one that the buffer cuts off. Nothing beyond the buffer is read.
CUptiResult nextRecord(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record);

} // namespace heteroscope::profiling
