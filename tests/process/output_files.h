// SPDX-License-Identifier: Apache-2.0
// What tests of written files look at. One thread.
#pragma once

#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace heteroscope::process_test {

inline std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

inline void expectWhole(const std::string& path) {
    const auto file = profiling::readRunFile(path);
    ASSERT_TRUE(file.ok()) << file.error().sentence();
    EXPECT_FALSE(file->damage) << file->damage->sentence();
    EXPECT_TRUE(file->study.ended);
    EXPECT_EQ(file->study.endStatus, "done");
}

/// Reads until a sample has arrived.
inline void waitForSample(ChildProcess& child) {
    while (sampleKeys(studyFromBytes(child.out())).empty())
        ASSERT_TRUE(child.pump(Milliseconds(20000 * kTimeFactor))) << child.err();
}

} // namespace heteroscope::process_test
