// SPDX-License-Identifier: Apache-2.0
// The two roofs of a device: how many bytes its memory moves and how many fp32 operations it does a second at
// most. Pure functions; any thread.
//
// Of a GPU, from its device record:
//   memory   2 x memory clock x bus width in bytes (two transfers a clock: CUDA C++ Best Practices Guide,
//            theoretical bandwidth calculation). What copies reach is less: 86 % of it on one H200, where the
//            formula gives 4.92 TB/s.
//   fp32     2 x multiprocessors x fp32 lanes of each x largest clock (a fused multiply-add counts two; lanes
//            by compute capability: CUDA C++ Programming Guide, throughput of native arithmetic
//            instructions). Tensor cores (TF32 and narrower) go beyond it. A device that is held back runs
//            below this clock.
// Of a processor, as measured on the machine before the study ("heteroscope-cli devices --measure", which
// says how in the source): the properties memory_bytes_s and fp32_flop_s with their _source. Without them it
// has no roofs; the reasons say so.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <map>
#include <optional>
#include <string>

namespace heteroscope::profiling {

struct Roof {
    double perSecond = 0; ///< bytes or operations a second, above 0
    std::string source;   ///< the formula with its numbers, or how it was measured
};

struct DeviceRoofs {
    std::string device;               ///< "cuda:0"
    std::string name;                 ///< as the maker calls it; may be empty
    std::optional<Roof> memory, fp32; ///< bytes/s, FLOP/s
    Phrase whyNoMemory, whyNoFp32;    ///< not empty where there is no such roof

    /// Operations for each byte at which the roofs meet: below it memory binds. Nothing without both.
    std::optional<double> ridge() const;
};

/// The roofs that a device record (deviceRecords()) gives.
DeviceRoofs deviceRoofs(const Json& record);

/// Gives a study without them the measured roofs of `machine`, a device record of this machine's processors,
/// where the study was recorded on such processors (their name, how many may be used, instruction set and
/// quota); the sources say that they were measured after it. Whether it did.
bool addPeaksOf(const Json& machine, Study& study);
/// Whether the study's processors are such, and have no roofs.
bool lacksPeaksOf(const Json& machine, const Study& study);

/// Of all devices of a study, by id.
std::map<std::string, DeviceRoofs> roofsOfStudy(const Study& study);

} // namespace heteroscope::profiling
