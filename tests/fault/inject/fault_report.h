// SPDX-License-Identifier: Apache-2.0
// What libheteroscope_fault.so writes while a program runs, live and in shared memory, so that it is there
// after a SIGKILL too. Readers map or read the file; fault_report.py reads it for Python.
#pragma once

#include <atomic>
#include <cstdint>

namespace heteroscope::fault {

/// Kinds of calls in the order of the counters. `Malloc` counts calloc, realloc and aligned_alloc too, and so
/// every operator new; README.md lists the functions of each kind.
enum class Kind : std::uint32_t { Malloc, Write, Fsync, Rename, Open, Fork, Mmap, Dlopen, Thread };

inline constexpr std::uint32_t kKinds = 9;
inline constexpr std::uint32_t kMostProcesses = 64;
inline constexpr char kReportMagic[8] = {'H', 'S', 'F', 'A', 'U', 'L', 'T', '1'};

/// One process in the order of their starts: 0 is the program itself, k its k-th child (or grandchild).
struct ProcessCounts {
    std::atomic<std::uint64_t> pid;
    std::atomic<std::uint64_t> seen[kKinds];  ///< calls since the start or the marker
    std::atomic<std::uint64_t> fired[kKinds]; ///< calls that failed, or in which the process was killed
};

struct Report {
    char magic[8];
    std::uint32_t kinds;
    std::atomic<std::uint32_t> processes; ///< may exceed kMostProcesses; those beyond are not counted
    ProcessCounts process[kMostProcesses];
};

static_assert(sizeof(ProcessCounts) == 8 * (1 + 2 * kKinds), "fault_report.py reads this layout");
static_assert(sizeof(Report) == 16 + kMostProcesses * sizeof(ProcessCounts), "and this one");

} // namespace heteroscope::fault
