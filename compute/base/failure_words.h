// SPDX-License-Identifier: Apache-2.0
// The words of the failures that users see most often: of a run, of a study, of a target, of a full disk. A
// worker tells them as English sentences (Error::sentence()), from which profiling/analysis/recorded_phrase
// makes them again, to be said in the window's language. Values; any thread.
#pragma once

#include "compute/base/phrase.h"

namespace heteroscope::failure_words {

// Of a run and of a study.
inline constexpr const char *kNotBegun = words("stopped before it began"),
                            *kNotEnded = words("stopped before its end"),
                            *kOnRequest = words("stopped on request (%1)"),
                            *kNoRun = words("no run finished: %1"), *kCannotDo = words("%1 cannot do %2: %3");

// Memory: what a run needs, and what would fit.
inline constexpr const char *kNeeds = words("needs %1 of memory, %2 may be used"),
                            *kSmallerLayers = words("choose smaller layers"),
                            *kSmallerInput = words("choose a smaller input"),
                            *kBatchFits = words("a batch of %1 would fit"),
                            *kMatrixFits = words("m = n = k = %1 would fit"),
                            *kSizeFits = words("a size of %1 x %2 would fit");
inline constexpr const char *kRanOut = words("memory ran out"), *kNoRoom = words("no room for %1 bytes"),
                            *kBytesFree = words("%1 bytes are free"),
                            *kNoDeviceRoom = words("no room for %1 on the device"),
                            *kFree = words("%1 are free"), *kSmallerSize = words("choose a smaller size"),
                            *kSmallerOrOthers = words("choose a smaller size, or close other programs that "
                                                      "hold memory of this device");

// Targets that cannot be used.
inline constexpr const char *kTarget = words("target '%1'"), *kNoDevice = words("there is no device '%1'"),
                            *kDeviceUnusable = words("device '%1' cannot be used: %2"),
                            *kUnusable = words("'%1' cannot be used: %2"),
                            *kNoImplementation = words("device '%1' has no implementation '%2'"),
                            *kListsDevices = words("'heteroscope-cli devices' lists what there is"),
                            *kNoModule = words("this build has no %1 part (built without CUDA, or the module "
                                               "is not at %2)"),
                            *kNotLoaded = words("it cannot be loaded: %1");

// Worker processes, and what they were doing.
inline constexpr const char *kProcess = words("process %1"), *kRunDoing = words("run %1, %2"),
                            *kForecast = words("forecast %1"),
                            *kForecastOfFree = words("forecast %1, %2 were free"),
                            *kRunOn = words("run %1 on %2, forecast %3 of memory"),
                            *kPlanOf = words("planning of run %1 on %2, operands of %3"),
                            *kInputsOf = words("inputs of %1"),
                            *kCheckOf = words("check against cpu/sequential of %1");
inline constexpr const char *kSignalled = words("a worker process was ended by signal %1 (%2)"),
                            *kStopped = words("a worker process was stopped"),
                            *kExited = words("a worker process ended with exit code %1"),
                            *kNoEnd = words("a worker process ended before its stream did"),
                            *kWhile = words("%1 while computing %2"),
                            *kNotByUs = words("%1 and not by this program: %2"),
                            *kOwnWords = words("its own words are above"),
                            *kSignalOne = words("run again; to end a study, signal the process that was "
                                                "started, which stops its workers"),
                            *kOutOfMemoryKiller =
                                words("the kernel's out-of-memory killer may have sent it: choose a smaller "
                                      "batch, size or fewer threads"),
                            *kWhoKills = words("SIGKILL comes from a person (kill -9), from a batch system "
                                               "or container at one of its limits, or from the kernel when "
                                               "memory runs out, of which nothing is seen here");

// What a process says at its end when a library ends it.
inline constexpr const char *kMemoryAccess = words("the computation was ended by SIGSEGV, an invalid memory "
                                                   "access"),
                            *kMemoryError = words("the computation was ended by SIGBUS, a memory error"),
                            *kArithmetic = words("the computation was ended by SIGFPE, an arithmetic error"),
                            *kInstruction = words("the computation was ended by SIGILL, an instruction this "
                                                  "processor lacks"),
                            *kGaveUp = words("the computation was ended by SIGABRT, a library gave up"),
                            *kNobodyCaught = words("an internal error that nobody caught"),
                            *kProcessRanOut = words("the memory of this process ran out"),
                            *kLibraryEnded = words("a library ended the program"),
                            *kUsualCause = words(
                                "memory that ends inside a library is the usual cause, or threads that "
                                "it cannot start: choose a smaller batch or fewer threads, or raise the "
                                "limit of this process (ulimit -v, ulimit -u, control group); what was "
                                "measured before stays in the run file, where one is written");

// Files.
inline constexpr const char *kNotWritten = words("cannot be written: %1"),
                            *kFreeSpace = words("free some space or choose another place"),
                            *kRaiseDescriptors = words("this process may have %1 files open at a time: raise "
                                                       "that limit (ulimit -n)"),
                            *kOpenFewer = words("close other programs, or raise the system's limit (sysctl "
                                                "fs.file-max)"),
                            *kRaiseFileSize = words("this process may write files of %1 bytes at most: raise "
                                                    "that limit (ulimit -f)"),
                            *kLargerFiles = words("choose a place whose file system takes larger files"),
                            *kTooManyFiles = words("Too many open files"),        ///< the C library's
                                *kNoSpace = words("No space left on device"),     ///< the C library's
                                    *kOverQuota = words("Disk quota exceeded"),   ///< the C library's
                                        *kFileTooLarge = words("File too large"); ///< the C library's

/// What Error::sentence() puts before what is allowed.
inline constexpr const char* kAllowed = words("allowed: %1");

} // namespace heteroscope::failure_words
