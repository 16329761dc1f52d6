// SPDX-License-Identifier: Apache-2.0
// Runs a program and kills it with SIGKILL at the entry of its n-th system call that changes what lies below
// a folder: open for writing, write, flush, truncate, link, rename, unlink. (A kill at any other call leaves
// what one at the next of these does.) Calls are seen by the kernel's own filter
// (seccomp, ptrace), so also those that the C library and others make inside themselves. Linux. One at a
// time: it waits for every child of this process.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heteroscope::test {

struct FileCall {
    std::string name; ///< "openat", "write" ...
    std::string path; ///< what it is about; of a renaming, the name before
    std::string to;   ///< of a renaming or linking, else empty
};

struct KilledRun {
    bool killed = false;         ///< at the call that was asked for: the last of `calls`, which was not made
    int exitCode = -1;           ///< where it ended by itself
    std::vector<FileCall> calls; ///< below the folder, in order
    std::string output;          ///< stdout and stderr
};

/// `arguments`: the program first. `at`: counted from 1; 0: never. Nothing where the system forbids to watch,
/// with the reason in `*why`.
std::optional<KilledRun> runKilledAt(const std::vector<std::string>& arguments, const std::string& folder,
                                     int at, std::string* why);

/// The same without watching: `calls` stays empty. Nothing where no process can be started.
std::optional<KilledRun> runToEnd(const std::vector<std::string>& arguments, std::string* why);

} // namespace heteroscope::test
