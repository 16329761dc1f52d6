// SPDX-License-Identifier: Apache-2.0
// The words of HETEROSCOPE_FAULT and HETEROSCOPE_FAULT_PROCESS. A mistake in them ends the program with exit
// code 125: a test whose fault was never understood must not pass.
#pragma once

#include "tests/fault/inject/fault_plan.h"

namespace heteroscope::fault {

/// "KIND:N:ACTION" (the N-th call) or "KIND:N+:ACTION" (that and all later ones).
struct Fault {
    Kind kind = Kind::Malloc;
    std::uint64_t number = 0;
    bool onwards = false;
    Verdict verdict;
};

/// Reads one fault; what follows its comma, or the end.
const char* parseFault(const char* text, Fault& fault);

/// Whether the faults are for process `number` (0: the program, k: its k-th child). `words`: all (or null),
/// parent, children, child:K; the last needs a report, which numbers the children.
bool meansProcess(const char* words, std::uint32_t number, bool hasReport);

} // namespace heteroscope::fault
