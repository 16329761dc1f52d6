// SPDX-License-Identifier: Apache-2.0
// One study of a self-test: what runs, in a worker. Main thread.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::cli {

struct SelfTestKind {
    const char* name;
    const char* experiment; ///< JSON without targets and sampling
    bool counters = false;  ///< also reads the device's counters
};

std::span<const SelfTestKind> selfTestKinds();

struct SelfTestRun {
    std::string streamed; ///< what came on the worker's stdout
    std::string problem;  ///< why it did not end well; empty when it did
};

bool anyGpuAmong(const std::vector<std::string>& targets);
std::string bytesOfFile(const std::filesystem::path& file);

/// Runs the kind on the targets in a worker; its run file is FOLDER/KIND.hscope. A worker that hangs is
/// ended.
SelfTestRun runSelfTestStudy(const SelfTestKind& kind, const std::vector<std::string>& targets,
                             const std::filesystem::path& folder);

} // namespace heteroscope::cli
